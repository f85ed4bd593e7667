"""docs/events.md is generated and up to date, and no kind of event that the code states is missing from it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EMITTED = re.compile(r'(?:emit\(|NewEvent\(\s*type=|yield|\badd\()\s*"([a-z]+_[a-z_]+)"\s*,\s*(?:\{|[a-z]+\b|\()')


def test_the_list_of_events_is_up_to_date() -> None:
    run = subprocess.run(
        [sys.executable, "tools/make_event_docs.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_event_that_the_rules_or_the_service_state_is_listed() -> None:
    listed = set(re.findall(r"^\| `([a-z_]+)`", (ROOT / "docs" / "events.md").read_text(encoding="utf-8"), re.M))
    stated: dict[str, str] = {}
    for folder in ("rules", "games", "campaign"):
        for path in (ROOT / "pbem" / folder).rglob("*.py"):
            for kind in EMITTED.findall(path.read_text(encoding="utf-8")):
                stated[kind] = str(path.relative_to(ROOT))
    assert len(stated) > 30, "the pattern finds what is stated"
    assert {kind: where for kind, where in stated.items() if kind not in listed} == {}
