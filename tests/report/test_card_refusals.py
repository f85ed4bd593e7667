"""Why a card was not played, said in Chinese: every sentence of the catalogue, and those that a game really gives."""

from __future__ import annotations

import json
import re

import pytest

from pbem.board.state import State
from pbem.games.catalog import rule_set
from pbem.games.s42.fov.hands import not_in_hand
from pbem.report.refusals import in_words
from pbem.report.words import TEMPLATES, Words

BOARD = rule_set("s42", variants=("fov",)).board
KNOWN: dict[str, str] = json.loads((TEMPLATES / "messages" / "card_refusals_zh.json").read_text("utf-8"))
EXAMPLES = {
    "space": "Egypt", "card": "Fog of War", "n": "12", "units": "1 tank", "power": "Japan", "rest": "foog",
}  # fmt: skip


@pytest.mark.parametrize("sentence", KNOWN)
def test_every_sentence_is_said_with_its_names(sentence: str) -> None:
    english = re.sub(r"\{([a-z]+)\d*\}", lambda found: EXAMPLES[found[1]], sentence)
    said = in_words(english, Words(BOARD, "zh"))
    assert said != english and not re.search(r"[{}]|Egypt|Fog|tank", said)
    assert in_words(english, Words(BOARD)) == english


def test_the_rules_write_such_sentences() -> None:
    refusal = not_in_hand(State(), "japan", "long_range_fighters")
    assert refusal is not None
    assert in_words(refusal.reason, Words(BOARD, "zh")) == "您沒有長程戰鬥機。"
