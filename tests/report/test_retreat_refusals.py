"""Why a retreat was refused, said in Chinese: names, lists of places, reasons within reasons."""

from __future__ import annotations

import pytest

from pbem.games.catalog import rule_set
from pbem.report.refusals import in_words
from pbem.report.words import Words

SAYINGS = {
    "Wake Island is no sea zone beside Hawaii Sea Zone.": "威克島不是與夏威夷海區相鄰的海區。",
    "Open are: Midway Sea Zone, Wake Island Sea Zone or West US Sea Zone, or break off.": (
        "可去之處：中途島海區、威克島海區、美國西海區，或脫離接觸。"
    ),
    "Open are: Karelia S.S.R. or Caucasus.": "可去之處：卡累利阿、高加索。",
    "A part of it is refused: There is no room in North Sea for 2 units more.": (
        "其中一部分不被接受：北海沒有空位再容納2個單位。"
    ),
    "Without a breakthrough it is refused: 7 infantry costs 21 IPC, and 19 are left.": (
        "若研發沒有成功則不成立：7步兵需要21 IPC，只剩19。"
    ),
}


@pytest.mark.parametrize(("english", "chinese"), SAYINGS.items())
def test_the_reason_is_said_in_the_readers_words(english: str, chinese: str) -> None:
    words = Words(rule_set("classic", "2e", ("err",)).board, "zh")
    assert in_words(english, words) == chinese


def test_a_list_with_a_name_that_is_no_place_stays_as_it_was() -> None:
    words = Words(rule_set("classic", "2e", ("err",)).board, "zh")
    assert in_words("Open are: Atlantis or Caucasus.", words) == "Open are: Atlantis or Caucasus."
