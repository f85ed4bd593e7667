"""The rulings of 1942 Second Edition in `cases/`: each worked example of the rule book and more, one a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.testing.rulings import cases_in, check

CASES = cases_in(Path(__file__).parent / "cases")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_ruling(case: dict[str, Any]) -> None:
    check(case)
