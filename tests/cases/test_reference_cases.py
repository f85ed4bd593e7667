"""The reference answers in `reference/`: what errata, FAQs, rulebooks and well-tried engines rule, one case a line.

`source` ends with how an answer is known: read, test, analog or rulebook, and high or medium.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.testing.rulings import cases_in, check

CASES = cases_in(Path(__file__).parent / "reference")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_reference_case(case: dict[str, Any]) -> None:
    check(case)


def test_every_case_says_why_and_whence() -> None:
    assert len(CASES) > 140
    for case in CASES:
        assert case["why"] and case["source"] and case["topic"], case["id"]
