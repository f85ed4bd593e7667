"""`turns check`: what cannot be read is told, a line each; the checker itself has tests of its own."""

from __future__ import annotations

import json

from tests.cli.conftest import Cli


def test_what_is_no_turn_fails_with_a_reason(cli: Cli) -> None:
    (cli.folder / "bad.json").write_text("{}", encoding="utf-8")
    (cli.folder / "worse.json").write_text("{nonsense", encoding="utf-8")
    (cli.folder / "empty").mkdir()
    for name in ("bad.json", "worse.json", "empty"):
        said = cli("turns", "check", "--json", name)
        (row,) = said.rows()
        assert said.code == 1 and row["differences"] and "Traceback" not in json.dumps(row)
