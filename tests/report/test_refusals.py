"""Reasons in the reader's language: what is known is said in it, and what is not stays as it was."""

from __future__ import annotations

import json
import re

import pytest

from pbem.games.catalog import load_board
from pbem.report.refusals import in_words
from pbem.report.words import TEMPLATES, Words
from tests.report.kit import board

ZH, EN = Words(board(), "zh"), Words(board())
KNOWN: dict[str, str] = json.loads((TEMPLATES / "messages" / "refusals_zh.json").read_text("utf-8"))
EXAMPLES = {
    "space": ("Hunan", "Yunnan", "Kwangsi", "Korea"), "power": ("Japan", "China"), "unit": ("tank", "tanks"),
    "n": ("2", "3", "5"), "units": ("1 infantry, 2 tanks", "1 tank"), "rest": ("infx", "infantry"),
    "reason": ("Buy at most 2.",), "parts": ("signature (1 line), quotation (3 lines)",),
}  # fmt: skip


@pytest.mark.parametrize("sentence", KNOWN)
def test_every_known_sentence_is_said_with_all_its_names(sentence: str) -> None:
    def example(found: re.Match[str]) -> str:
        return EXAMPLES[found[1]][int(found[2] or 1) - 1]

    english = re.sub(r"\{(\w+?)(\d*)\}", example, sentence)
    said = in_words(english, ZH)
    assert said != english and "{" not in said
    assert not re.search(r"of these lines|\(\d+ lines?\)", said), "another sentence swallowed the rest of it"
    for name in ("Hunan", "Yunnan", "Kwangsi", "Korea", "Japan", "China", "tank"):
        assert name not in said
    assert in_words(english, EN) == english


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Sea Zone 20 does not hold 1 artillery of Japan; there is none.", "海區20沒有日本的1砲兵；一個也沒有。"),
        ("Kwangsi does not hold 3 tanks of Japan; there is only 1.", "廣西沒有日本的3坦克；只有1個。"),
        (
            "Not read: below the line you were asked to write above (58 lines), signature (1 line).",
            "未讀取：分隔線以下的內容（58行）、簽名（1行）。",
        ),
        (
            "Not read: signature (1 line). 2 of these lines look like orders and count for nothing.",
            "未讀取：簽名（1行）。其中2行看似命令，但不算數。",
        ),
        ('unknown unit "infx", did you mean infantry?', "不認得單位「infx」，是否為 infantry？"),
    ],
)
def test_reasons_in_chinese(english: str, chinese: str) -> None:
    assert in_words(english, ZH) == chinese


def test_names_that_end_in_a_full_stop_end_the_sentence_too() -> None:
    words = Words(load_board("s42", ""), "zh")
    english = "Japan has no infantry left in Manchuria: 3 moved in this turn, to Buryatia S.S.R."
    assert in_words(english, words) == "日本在滿洲已沒有步兵：本回合已有3個移往布里亞特。"


def test_what_is_not_known_stays_as_it_is() -> None:
    for english in ("The weather drives the attackers out.", "Atlantis does not border Hunan.", ""):
        assert in_words(english, ZH) == english
