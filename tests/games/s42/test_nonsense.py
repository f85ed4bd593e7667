"""Turns of nonsense and of chance in 1942 Second Edition: nothing breaks, nothing is lost or made out of nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.board.state import State
from pbem.campaign.filing import file_lines
from pbem.campaign.play import Play, Told, begin, run_on
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.ruleset import RuleSet
from pbem.rules.setup import start_events
from pbem.testing.random_play import faults
from tests.games.p40.nonsense import standing_orders, turn_orders

TURNS = 15
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"interceptors": True, "overbuy": "refund"},
    {"black_sea_closed": True, "submarine_escort": "off"},
    {"interceptors": True, "submarine_escort": "unit", "bid": {"germany": {"ipc": 5, "units": {"Libya": {"tank": 1}}}}},
)


def with_orders(play: Play, power: str, chance: Random) -> Play:
    """The same campaign after everybody has filed something."""
    for other in play.rules.board.powers:
        lines = standing_orders(play.rules, play.now, other, chance)
        if other == power:
            lines += turn_orders(play.rules, play.now, power, chance)
        filing = file_lines(other, [(line, line.type) for line in lines], play.now)
        play = play.with_facts(
            [
                ("orders_received", {"power": other, "phases": dict(filing.phases)}),
                ("standing_orders_given", {"power": other, "orders": list(filing.answers)}),
            ],
            0,
        )
    return play


def rule(play: Play, seed: int) -> Told:
    return run_on(play, SeededThrowaway(seed), StandingResponder(), now=0, may_close=lambda window: True)


@pytest.mark.parametrize("seed", range(4))
def test_turns_of_nonsense(seed: int) -> None:
    chance = Random(seed)
    rules = rule_set("s42", options=OPTIONS[seed % len(OPTIONS)])
    play = begin("nonsense", rules, start_events(rules))
    for turn in range(TURNS):
        segment = play.rules.next_segment(play.rules, play.now)
        if segment is None:
            break
        play = with_orders(play, segment.seat[0], chance)
        before = play.now
        told = rule(play, seed * TURNS + turn)
        assert told.outcome is not None and told.outcome.finished, told.outcome
        play = told.play
        check_books(rules, before, told)
        check_pieces(rules, play.now)


def check_books(rules: RuleSet, before: State, told: Told) -> None:
    """Money and pieces change by what the events say, and by nothing else."""
    money = dict(before.counters)
    pieces = set(before.units)
    for event in told.events:
        body = event.payload
        if event.type == "counter_changed":
            key = next(key for key in money if body["power"] in key and body["counter"] in key)
            money[key] += body["by"]
        elif event.type == "units_created":
            pieces |= {row[0] for row in body["units"]}
        elif event.type == "units_removed":
            assert set(body["units"]) <= pieces
            pieces -= set(body["units"])
    assert money == dict(told.play.now.counters)
    assert pieces == set(told.play.now.units)
    assert all(count >= 0 for count in money.values())
    assert not told.play.now.purchases
    assert not [key for key in told.play.now.marks if key.startswith("turn/")]


def check_pieces(rules: RuleSet, state: State) -> None:
    """Everything stands where it may stand when a turn is over; battleships are whole (S42-1.4.3)."""
    assert faults(rules, state) == []
    for unit in state.units.values():
        at_sea = rules.board.spaces[unit.space].is_sea
        assert (unit.spent, unit.marks, unit.damage) == (0, (), 0), unit
        if not at_sea:
            assert rules.judge("friendly_territory", state, unit.owner, unit.space), unit
        elif rules.board.units[unit.kind].domain == "air":
            assert unit.aboard is not None, unit
    for space, held in state.spaces.items():
        for _, damage in held.facilities:
            assert 0 <= damage <= 2 * rules.board.spaces[space].ipc
        assert len(held.facilities) <= 1
