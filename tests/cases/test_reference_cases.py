"""The reference answers in `reference/`: what errata, FAQs, rulebooks and well-tried engines rule, one case a line.

`source` ends with how an answer is known: read, test, analog or rulebook, and high or medium.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case

FILES = sorted((Path(__file__).parent / "reference").glob("*.jsonl"))


def _cases() -> list[Any]:
    rows = [json.loads(line) for path in FILES for line in path.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in rows]


CASES = _cases()


@pytest.mark.parametrize("case", CASES)
def test_reference_case(case: dict[str, Any]) -> None:
    verdict = run_case(case_from_json(case))
    assert verdict.differences == (), f"{case['why']} ({case['source']})"


def test_every_case_says_why_and_whence_and_has_an_id_of_its_own() -> None:
    cases = [param.values[0] for param in CASES]
    assert len(cases) > 140
    assert len({case["id"] for case in cases}) == len(cases)
    for case in cases:
        assert case["why"] and case["source"] and case["topic"], case["id"]
