"""What would have been right is offered as a line to copy, or told as the sentence that it is."""

from __future__ import annotations

import pytest

from pbem.games.catalog import load_board
from pbem.report.phrases import suggestion_line
from pbem.report.words import Words


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("buy 3 infantry", "Right would be: buy 3 infantry"),
        ("1 tank Russia -> Karelia S.S.R.", "Right would be: 1 tank Russia -> Karelia S.S.R."),
        ("Order at most 4.", "Order at most 4."),
    ],
)
def test_a_line_that_ends_with_a_name_with_a_stop_is_a_line(what: str, told: str) -> None:
    assert suggestion_line(what, Words(load_board("s42", ""))) == told
