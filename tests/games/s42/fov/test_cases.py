"""The rulings of Fortunes of Victory in `cases/`: every worked example of its book and more, one a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case

FILES = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
CASES = [json.loads(line) for file in FILES for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_ruling(case: dict[str, Any]) -> None:
    verdict = run_case(case_from_json(case))
    assert verdict.differences == (), case["why"]


def test_ids_are_unique() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids))
