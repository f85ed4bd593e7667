"""The reference answers in `reference/`: what errata, FAQs, rulebooks and well-tried engines rule, one case a line.

`source` ends with how an answer is known: read, test, analog or rulebook, and high or medium. Cases of a game whose
rule sets are not put together yet are skipped.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case

FILES = sorted((Path(__file__).parent / "reference").glob("*.jsonl"))
COMPLETE = ("p40", "s42")
"""Games of which every case must pass; of the others, cases that pass already are welcome."""


def _cases() -> list[Any]:
    rows = []
    for path in FILES:
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            marks = []
            if find_spec(f"pbem.games.{case['game']}.rules") is None:
                marks.append(pytest.mark.skip(reason="this game's rule sets are not put together yet"))
            elif case["game"] not in COMPLETE:
                marks.append(pytest.mark.xfail(reason="this game's rules are not complete yet", strict=False))
            rows.append(pytest.param(case, id=case["id"], marks=marks))
    return rows


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
