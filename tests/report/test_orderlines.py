"""Lines as people read them: the names of their language, and the same order when read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.games.catalog import load_board
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.write import write
from pbem.report.orderlines import shown

CASES = json.loads((Path(__file__).parents[1] / "orders" / "data" / "case_lines.json").read_text("utf-8"))
BOARD = load_board("p40", "2e")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_shown_reads_back_to_the_same_order(language: str) -> None:
    seen = 0
    for case in CASES:
        names = gazetteer(case["game"], case["edition"])
        board = load_board(case["game"], case["edition"])
        context = ReadContext(
            case["game"], case["edition"], tuple(case["variants"]), powers=(case["power"],), phase=case["phase"]
        )
        for result in read_orders(case["line"], names, context):
            assert result.order is not None
            again = read_orders(shown(write(result.order, names), board, language), names, context)
            assert [item.order for item in again] == [result.order], case["line"]
            seen += 1
    assert seen > 100


@pytest.mark.parametrize(
    ("line", "english", "chinese"),
    [
        ("1 fighter, 2 tac_bomber Kiangsi -> Hunan", "1 fighter, 2 tactical bombers Kiangsi -> Hunan",
         "1 戰鬥機, 2 攻擊機 江西 -> 湖南"),
        ("casualties Hunan: infantry, tac_bomber first", "casualties Hunan: infantry, tactical bomber first",
         "傷亡 湖南: 步兵, 攻擊機 優先"),
        ("buy 1 ic_minor", "buy 1 minor industrial complex", "購買 1 小工廠"),
        ("ENTROPY 2 tac_bomber", "ENTROPY 2 tac_bomber", "ENTROPY 2 tac_bomber"),
        ("what nobody can read", "what nobody can read", "what nobody can read"),
    ],
)  # fmt: skip
def test_lines_in_both_languages(line: str, english: str, chinese: str) -> None:
    assert shown(line, BOARD, "en") == english
    assert shown(line, BOARD, "zh") == chinese


def test_no_ids_are_left_to_read() -> None:
    for kind in BOARD.units:
        assert "_" not in shown(f"2 {kind} Manchuria -> Jehol", BOARD, "en")
