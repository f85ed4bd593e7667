"""Reactions as standing orders: taken before anybody has moved, judged when it comes to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.board.state import State, Window
from pbem.campaign.play import begin
from pbem.games.catalog import rule_set
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.rules.decisions import Refusal
from pbem.rules.position import position

RULES = rule_set("p40", "2e", (), {})
GIVEN: dict[str, Any] = {
    "round": 2,
    "power": "japan",
    "phase": "combat_move",
    "relations": "war",
    "spaces": {
        "philippines": {
            "controller": "usa",
            "units": {"usa": {"fighter": 1}},
            "facilities": {"air_base": 0, "naval_base": 0},
        },
    },
}


def window(kind: str, asks: tuple[dict[str, Any], ...] = ()) -> Window:
    powers = tuple(ask["power"] for ask in asks) or ("japan",)
    return Window(f"r2.japan:{kind}", kind, powers, ("combat_move",), asks, 0, None)


def judged(line: str, power: str, state: State) -> Refusal | None:
    (result,) = read_orders(line, gazetteer("p40", "2e"), ReadContext("p40", "2e", powers=(power,)))
    assert result.order is not None
    verdict: Refusal | None = RULES.judge("check_answer", state, power, result.order)
    return verdict


@pytest.mark.parametrize(
    ("line", "power", "kind"),
    [
        ("scramble 1 fighter Philippines -> Sea Zone 35", "usa", "scramble"),
        ("intercept Philippines: 1 fighter", "usa", "intercept"),
        ("kamikaze Sea Zone 6: 1 on carrier", "japan", "kamikaze"),
    ],
)
def test_the_occasion_is_asked_for_only_when_it_is_there(line: str, power: str, kind: str) -> None:
    state = begin("test", RULES, position(RULES, GIVEN)).now
    waiting = replace(state, windows={"w": window("orders")})
    asked = replace(state, windows={"w": window("reactions", ({"power": power, "kind": kind},))})
    assert judged(line, power, waiting) is None
    assert judged(line, power, asked) is not None


@pytest.mark.parametrize(
    "line", ["scramble 1 bomber Philippines -> Sea Zone 35", "scramble 1 fighter Philippines -> Sea Zone 6"]
)
def test_what_can_never_be_is_refused_at_once(line: str) -> None:
    waiting = replace(begin("test", RULES, position(RULES, GIVEN)).now, windows={"w": window("orders")})
    assert judged(line, "usa", waiting) is not None
