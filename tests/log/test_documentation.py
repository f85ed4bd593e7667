"""docs/log-format.md: its example is the very log the service writes, and its figures are those the tests use."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.log.checkpoint import Signer
from pbem.log.export import export, verify
from pbem.log.sqlite import SqliteStore
from tests.log.kit import CAMPAIGN, START, sample
from tests.log.test_merkle import ROOTS

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "log-format.md").read_text(encoding="utf-8")


def test_the_example_is_what_the_service_writes(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "pbem.db"))
    sample(store)
    note = Signer(store).sign(CAMPAIGN, START)
    (example,) = re.findall(r"```jsonl\n(.*?)```", TEXT, flags=re.DOTALL)
    lines = example.encode().splitlines(keepends=True)
    assert lines == list(export(store, CAMPAIGN))
    assert verify(lines, [note]).fault is None
    store.close()


def test_the_known_roots_are_those_of_the_tests() -> None:
    section = TEXT.partition("Roots:")[2].partition("A whole log")[0]
    assert re.findall(r"`([0-9a-f]{12})`", section) == ROOTS
