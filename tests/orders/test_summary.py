"""Orders in steps, and the block that shows what is in force."""

from __future__ import annotations

import pytest

from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, accepted_orders, read_orders
from pbem.orders.summary import STANDING, by_step, in_force_block
from pbem.rules.order_model import DeclareWar, NothingTo, Order

NAMES = gazetteer("p40", "2e")
CONTEXT = ReadContext("p40", "2e", powers=("japan",), phase="combat_move")
TEXT = """retreat if odds < 40%
noncombat: 2 inf Korea -> Manchuria
3 inf Kwangsi -> Yunnan
place 2 inf Japan
buy 2 inf
declare war on uk
attack SZ 6
casualties Yunnan: tank first
"""


def in_force() -> dict[str, tuple[Order, ...]]:
    return {step.phase: step.orders for step in by_step(accepted_orders(read_orders(TEXT, NAMES, CONTEXT)))}


def test_orders_are_sorted_into_the_phases_of_the_turn() -> None:
    steps = in_force()
    assert list(steps) == ["purchase", "combat_move", "noncombat_move", "mobilize", STANDING]
    assert isinstance(steps["combat_move"][0], DeclareWar), "a declaration counts before the moves of its phase"
    assert [order.type for order in steps["combat_move"]] == ["declare_war", "move", "attack"]
    assert [order.type for order in steps[STANDING]] == ["retreat", "casualties"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("power", [None, "japan"])
def test_the_block_sent_back_is_the_same_orders(language: str, power: str | None) -> None:
    block = in_force_block(in_force(), NAMES, language, power)
    results = read_orders(block, NAMES, CONTEXT)
    assert not [item for item in results if item.status in ("refused", "unreadable")]
    again = by_step(accepted_orders(results))
    assert {step.phase: step.orders for step in again} == in_force()


def test_a_phase_emptied_on_purpose_says_so() -> None:
    block = in_force_block({"combat_move": (), "purchase": (), STANDING: ()}, NAMES)
    assert block == "PURCHASE\nbuy nothing\nCOMBAT MOVE\ncombat: none\nSTANDING ORDERS\n".replace(
        "buy nothing", "buy none"
    )
    assert accepted_orders(read_orders(block, NAMES, CONTEXT)) == (NothingTo("purchase"), NothingTo("combat_move"))
