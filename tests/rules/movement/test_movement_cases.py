"""Rulings about movement in `cases/`: the worked examples of the rule book and the corners around them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.testing.rulings import cases_in, check

CASES = cases_in(Path(__file__).parent / "cases")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_ruling(case: dict[str, Any]) -> None:
    check(case)
