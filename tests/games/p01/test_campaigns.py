"""Campaigns by chance in Pacific (2001): nothing breaks, equal inputs give equal events, the board stays possible."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from pbem.board.state import State
from pbem.campaign.play import Play, Told, begin, run_on
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.ruleset import RuleSet
from pbem.rules.setup import start_events
from pbem.testing.random_play import faults
from tests.games.p01.chance import seat_of, with_orders

TURNS = 12
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"setup": "faq2003", "capital_hold": "immediate", "ftr_on_new_carrier": "yes", "sub_pass": "no_dd"},
    {"def_sub_first_strike": "yes", "air_vs_sub": "always", "dd_carrier_fights": "no", "ic_limit": "none"},
    {"kamikaze_trigger": "captured_island", "place_in_hostile_sz": "no", "bombard_return_fire": "no"},
)


def rule(play: Play, seed: int) -> Told:
    """One segment with everything that was filed."""
    return run_on(play, SeededThrowaway(seed), StandingResponder(), now=0, may_close=lambda window: True)


@pytest.mark.parametrize("seed", range(4))
def test_campaigns_by_chance(seed: int) -> None:
    chance = Random(seed)
    rules = rule_set("p01", options=OPTIONS[seed % len(OPTIONS)])
    play = begin("chance", rules, start_events(rules))
    for turn in range(TURNS):
        powers = seat_of(play)
        if not powers:
            break
        play = with_orders(play, powers, chance)
        told = rule(play, seed * TURNS + turn)
        assert told.outcome is not None and told.outcome.finished, told.outcome
        if turn % 4 == 0:
            assert flat(told) == flat(rule(play, seed * TURNS + turn))
        play = told.play
        check(rules, play.now)


VARIANT_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"wwm.opt_eastern": "on", "wwm.opt_economy": "on", "wwm.allied_oil_timing": "start", "wwm.pool_fighters": "ashore"},
    {"wwm.supply": "control", "wwm.kido_free": "always", "wwm.lone_capital_defends": "yes"},
    {"wwm.atf_loading": "formation_only", "wwm.cap_in_noncombat": "no", "ftr_on_new_carrier": "yes"},
)


@pytest.mark.parametrize("seed", range(4))
def test_campaigns_of_the_variant_by_chance(seed: int) -> None:
    chance = Random(seed)
    rules = rule_set("p01", variants=("wwm",), options=VARIANT_OPTIONS[seed % len(VARIANT_OPTIONS)])
    play = begin("chance", rules, start_events(rules))
    for segment in range(4 * TURNS):
        powers = seat_of(play)
        if not powers:
            break
        play = with_orders(play, powers, chance)
        told = rule(play, seed * TURNS + segment)
        assert told.outcome is not None and told.outcome.finished, told.outcome
        if segment % 12 == 0:
            assert flat(told) == flat(rule(play, seed * TURNS + segment))
        play = told.play
        check_forces(play.now)
        if (told.events[0].payload["segment"]).count(".") == 1:
            check(rules, play.now)


def check_forces(state: State) -> None:
    """Every ship is in one task force at most and where its force is told to be; markers of oil are never owed."""
    seen: set[str] = set()
    for group in state.groups.values():
        assert group.units and not seen & set(group.units)
        seen |= set(group.units)
        assert {state.units[unit].owner for unit in group.units} == {group.power}
        assert group.space in {state.units[unit].space for unit in group.units}
    assert all(state.counter(power, "oil") >= 0 for power in ("japan", "uk", "usa"))
    assert state.counter("usa", "oil") + state.counter("uk", "oil") <= 4
    for unit in state.units.values():
        if unit.space.startswith("pool:"):
            assert unit.space == f"pool:{unit.owner}"
            assert unit.kind in ("battleship", "carrier") or unit.aboard is not None


def flat(told: Told) -> str:
    """The events as text."""
    return json.dumps([(event.type, event.payload, event.rules) for event in told.events])


def check(rules: RuleSet, state: State) -> None:
    """What must hold between turns."""
    board = rules.board
    assert faults(rules, state) == []
    assert not [key for key in state.marks if key.startswith("turn/")]
    for unit in state.units.values():
        assert unit.spent == 0 and {name for name, _ in unit.marks} <= {"cap", "submerged"}, unit
        over_sea = unit.space in board.spaces and board.spaces[unit.space].is_sea
        if board.units[unit.kind].domain == "air" and over_sea:
            assert unit.aboard is not None or unit.mark("cap"), unit
        if unit.owner == "china":
            assert unit.aboard is None, unit
    for space, held in state.spaces.items():
        if board.spaces[space].kind == "impassable":
            assert held.controller is None and not list(state.units_in(space))
    for country, counts in (("india", state.marks.get("p01/bought/india", {})),):
        assert all(count > 0 for count in counts.values()), country
    bought = state.purchased("uk")
    noted: dict[str, int] = {}
    for country in ("india", "australia"):
        for kind, count in state.marks.get(f"p01/bought/{country}", {}).items():
            noted[kind] = noted.get(kind, 0) + count
    assert bought == noted
