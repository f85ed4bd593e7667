"""Ruling cases as tests: those of a folder, and the check of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case


def cases_in(folder: Path) -> list[dict[str, Any]]:
    """The cases of a folder's files, one a line (docs/cases.md). Raises ValueError where two have the same id."""
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    cases: list[dict[str, Any]] = [json.loads(line) for line in lines if line.strip()]
    ids = [case["id"] for case in cases]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise ValueError(f"cases of the same id in {folder}: {', '.join(twice)}")
    return cases


def check(case: Mapping[str, Any]) -> None:
    """Run a case; AssertionError with what differs and why the ruling is so."""
    verdict = run_case(case_from_json(case))
    assert verdict.differences == (), "\n".join((case["why"], *map(str, verdict.differences)))
