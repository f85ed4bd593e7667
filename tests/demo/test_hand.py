"""The card player of the demonstration: what he reads in a mail, what he writes, and that all of it can be read."""

from __future__ import annotations

import pytest

from pbem.demo.habits import habits
from pbem.demo.hand import CardPlayer, Fight
from pbem.games.catalog import load_board
from pbem.games.s42.fov.table import CARDS
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.report.words import Words

BOARD = load_board("s42")
KNOWN = habits("fov_habits", {"ussr": "asked", "uk": "standing"})
POWERS = ("ussr", "germany", "uk", "japan", "usa")

QUESTION = """=== write above this line ===

BATTLES TO COME
---------------
- Belorussia (Germany): Soviet Union 3 infantry, 1 artillery against
  Germany 3 infantry
- Ukraine S.S.R. (Germany): Soviet Union 3 infantry, 2 tanks against
  Germany 3 infantry, 1 artillery, 1 tank
- Caucasus (Soviet Union): raided by Germany 1 bomber; United Kingdom 1
  bomber there
- Sea Zone 7: Germany 2 submarines against United Kingdom 1 battleship

HOW TO ANSWER
-------------
  play heavy_tank
  ready

YOUR HAND
---------
- Heavy Tank (weapons)
  What it does: the tank hits on 4 or less in all rounds and takes two
  hits.
- Powerful Torpedoes (weapons, used: ready again after your next draw
  phase)
  What it does: two dice.
- Radar Fire Control (weapons, new)

YOUR STANDING ORDERS
--------------------
None. Decisions in battle follow the defaults of the rules.
"""
CHINESE = """即將發生的戰鬥
--------------
- 海區43：日本 1 潛艇，對英國 1 潛艇、1 巡洋艦、1
  運輸艦
- 烏克蘭（德國）：蘇聯 3 步兵，對德國 3 步兵、
  1 坦克

您的手牌
--------
- 強力魚雷（武器牌）
  效果：兩顆骰子。
"""


def player(power: str, language: str = "en") -> CardPlayer:
    """A power's player."""
    return CardPlayer(power, KNOWN, Words(BOARD, language))


def test_the_hand_is_what_the_mail_shows_and_is_ready() -> None:
    assert player("germany").hand(QUESTION) == ["heavy_tank", "radar_fire_control"]
    assert player("japan", "zh").hand(CHINESE) == ["powerful_torpedoes"]
    assert player("germany").hand("no such heading") == []


def test_the_battles_are_those_with_units_of_his_own() -> None:
    assert player("germany").fights(QUESTION) == [
        Fight("Belorussia", "Germany 3 infantry", False, False, False),
        Fight("Ukraine S.S.R.", "Germany 3 infantry, 1 artillery, 1 tank", False, False, False),
        Fight("Caucasus", "Germany 1 bomber", True, True, False),
        Fight("Sea Zone 7", "Germany 2 submarines", True, False, True),
    ]
    assert [fight.space for fight in player("uk").fights(QUESTION)] == ["Sea Zone 7"]
    assert player("japan", "zh").fights(CHINESE) == [Fight("海區43", "日本 1 潛艇", True, False, True)]


def test_a_card_is_played_where_it_fits() -> None:
    assert player("germany").answer(QUESTION) == ["play heavy_tank: 1 tank Ukraine S.S.R."]
    assert player("japan", "zh").answer(CHINESE) == ["play powerful_torpedoes: 1 submarine 海區43"]


def test_a_card_with_a_standing_order_is_left_to_it() -> None:
    given = QUESTION.replace(
        "None. Decisions", "  if Ukraine S.S.R. attacked: play heavy_tank: 1 tank Ukraine S.S.R.\n"
    )
    assert player("germany").answer(given) == []


def test_who_gives_standing_orders_does_not_answer_beside_them() -> None:
    mail = QUESTION.replace("against\n  Germany 3 infantry\n", "against\n  United Kingdom 3 infantry\n")
    mail = mail.replace("Heavy Tank", "Entrenchment")
    assert player("uk").answer(mail) == []
    assert player("uk").with_turn(mail, "buy nothing") == ["play entrenchment if odds < 70%"]
    assert player("uk").with_turn(mail.replace("None. Dec", "  play entrenchment if odds < 70%"), "buy nothing") == []
    assert player("uk").answer(
        mail.replace("Entrenchment", "Heavy Artillery").replace("3 inf", "1 artillery, 2 inf")
    ) == ["play heavy_artillery: 1 artillery Belorussia"]


@pytest.mark.parametrize(
    ("offered", "said"),
    [("research 3", "research 6"), ("discard donation", "discard donation"), ("研發 3", "research 6")],
)
def test_research_and_discards_are_answered_from_what_is_offered(offered: str, said: str) -> None:
    language = "en" if offered.isascii() else "zh"
    assert player("japan", language).answer(f"HOW TO ANSWER\n\n  {offered}\n  ready\n") == [said]


def test_attacks_are_read_out_of_the_moves_that_go_with_the_cards() -> None:
    moves = (
        "buy 1 inf\n1 tank, 2 inf Caucasus -> West Russia -> Ukraine S.S.R.\n1 transport SZ 5 -> SZ 6\n"
        "1 bomber Germany -> SZ 6 -> United Kingdom to bomb\nload 1 inf Japan -> SZ 60\n"
        "NONCOMBAT\n1 inf Italy -> Germany"
    )
    assert player("germany").planned(moves) == [
        Fight("Ukraine S.S.R.", "1 tank, 2 infantry", True, False, False),
        Fight("United Kingdom", "1 bomber", True, True, False),
    ]
    assert player("germany").with_turn(QUESTION, moves) == ["play heavy_tank: 1 tank Ukraine S.S.R."]
    assert player("germany").with_turn(QUESTION, f"{moves}\nplay heavy_tank") == []
    assert player("ussr").with_turn(QUESTION, moves) == [], "he waits to be asked"


@pytest.mark.parametrize("row", KNOWN.lines, ids=lambda row: f"{row['card']} {row['line'][:30]}")
def test_every_line_of_the_table_can_be_read(row: dict[str, str]) -> None:
    assert row["card"] in CARDS
    context = ReadContext("s42", None, ("fov",), powers=("germany",), phase="combat_move")
    names = gazetteer("s42", None)
    for power in POWERS:
        for key in ("line", "standing"):
            if key in row:
                line = row[key].format(space="Sea Zone 5" if row.get("on") == "sea" else "Egypt", **KNOWN.places[power])
                (result,) = read_orders(line, names, context)
                assert result.order is not None and result.order.type == "play", (line, result.reason)
    assert read_orders(KNOWN.research, names, context)[0].order is not None
