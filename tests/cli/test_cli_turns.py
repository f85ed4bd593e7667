"""`turns check`: a line per recorded turn, as text and as JSON, and what cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Cli

TURNS = Path(__file__).resolve().parents[1] / "data" / "turns"


def _a_turn() -> Path:
    return sorted(path for path in TURNS.rglob("*.json") if path.name != "board.json")[0]


def test_a_turn_that_comes_out_as_recorded(cli: Cli) -> None:
    said = cli("turns", "check", _a_turn())
    assert said.out.splitlines()[0].startswith(f"{_a_turn()}: pass"), said.out
    (row, *_) = cli("turns", "check", "--json", _a_turn()).rows()
    assert set(row) >= {"file", "passed", "refused", "differences"} and row["passed"]


def test_what_is_no_turn_fails_with_a_reason(cli: Cli) -> None:
    (cli.folder / "bad.json").write_text("{}", encoding="utf-8")
    (cli.folder / "worse.json").write_text("{nonsense", encoding="utf-8")
    (cli.folder / "empty").mkdir()
    for name in ("bad.json", "worse.json", "empty"):
        said = cli("turns", "check", "--json", name)
        (row,) = said.rows()
        assert said.code == 1 and row["differences"] and "Traceback" not in json.dumps(row)
