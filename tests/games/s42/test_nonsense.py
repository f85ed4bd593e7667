"""Turns of nonsense and of chance in 1942 Second Edition: nothing breaks, nothing is lost or made out of nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.board.state import State
from pbem.campaign.play import begin
from pbem.games.catalog import rule_set
from pbem.rules.ruleset import RuleSet
from pbem.rules.setup import start_events
from pbem.testing.chance import turns_of_chance
from tests.games.p40.nonsense import standing_orders, turn_orders

TURNS = 15
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"interceptors": True, "overbuy": "refund"},
    {"black_sea_closed": True, "submarine_escort": "off"},
    {"interceptors": True, "submarine_escort": "unit", "bid": {"germany": {"ipc": 5, "units": {"Libya": {"tank": 1}}}}},
)


@pytest.mark.parametrize("seed", range(4))
def test_turns_of_nonsense(seed: int) -> None:
    rules = rule_set("s42", options=OPTIONS[seed % len(OPTIONS)])
    play = begin("nonsense", rules, start_events(rules))
    told = turns_of_chance(play, TURNS, Random(seed), standing_orders, turn_orders, first_seed=seed * TURNS)
    for _, turn in told:
        check_hurt(rules, turn.play.now)


def check_hurt(rules: RuleSet, state: State) -> None:
    """Battleships are whole when a turn is over (S42-1.4.3), complexes hurt within their bounds and one a territory."""
    assert not [unit for unit in state.units.values() if unit.damage]
    for space, held in state.spaces.items():
        for _, damage in held.facilities:
            assert 0 <= damage <= 2 * rules.board.spaces[space].ipc
        assert len(held.facilities) <= 1
