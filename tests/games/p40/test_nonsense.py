"""Turns of nonsense: scripts never stop working, the board stays possible, equal inputs give equal events."""

from __future__ import annotations

import json
from random import Random

import pytest

from pbem.board.state import State
from pbem.campaign.filing import file_lines
from pbem.campaign.play import Play, Told, begin, run_on
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.ruleset import RuleSet
from pbem.rules.setup import start_events
from tests.games.p40.nonsense import standing_orders, turn_orders

TURNS = 15


def new_campaign(edition: str, at_war: bool) -> Play:
    rules = rule_set("p40", edition)
    foes = ("usa", "uk", "anzac") if at_war else ()
    wars = [("relation_changed", {"a": "japan", "b": foe, "to": "war", "why": "test"}) for foe in foes]
    return begin("nonsense", rules, [*start_events(rules), *wars])


def with_orders(play: Play, power: str, chance: Random) -> Play:
    """The same campaign after everybody has filed something."""
    for other in play.rules.board.powers.values():
        if not other.playable:
            continue
        lines = standing_orders(play.rules, play.now, other.id, chance)
        if other.id == power:
            lines += turn_orders(play.rules, play.now, power, chance)
        filing = file_lines(other.id, [(line, line.type) for line in lines], play.now)
        play = play.with_facts(
            [
                ("orders_received", {"power": other.id, "phases": dict(filing.phases)}),
                ("standing_orders_given", {"power": other.id, "orders": list(filing.answers)}),
            ],
            0,
        )
    return play


def rule(play: Play, seed: int) -> Told:
    return run_on(play, SeededThrowaway(seed), StandingResponder(), now=0, may_close=lambda window: True)


def flat(told: Told) -> str:
    return json.dumps([(event.type, event.payload, event.rules) for event in told.events])


@pytest.mark.parametrize("seed", range(6))
def test_turns_of_nonsense(seed: int) -> None:
    chance = Random(seed)
    play = new_campaign(("card", "1e", "2e")[seed % 3], at_war=seed >= 3)
    for turn in range(TURNS):
        segment = play.rules.next_segment(play.rules, play.now)
        if segment is None:
            break
        play = with_orders(play, segment.seat[0], chance)
        told = rule(play, seed * TURNS + turn)
        assert told.outcome is not None and told.outcome.finished, told.outcome
        assert flat(told) == flat(rule(play, seed * TURNS + turn))
        play = told.play
        check_money(play.now)
        check_pieces(play.rules, play.now)


def check_money(state: State) -> None:
    assert all(count >= 0 for count in state.counters.values())
    assert not state.purchases
    assert not [key for key in state.marks if key.startswith("turn/")]


def check_pieces(rules: RuleSet, state: State) -> None:
    board = rules.board
    for unit in state.units.values():
        domain, at_sea = board.units[unit.kind].domain, board.spaces[unit.space].is_sea
        assert (unit.spent, unit.marks) == (0, ()), unit
        if domain == "sea":
            assert at_sea, unit
        elif at_sea:
            assert unit.aboard is not None, unit
        elif unit.owner != "neutral":
            assert rules.judge("friendly_territory", state, unit.owner, unit.space), unit
        if unit.aboard is not None:
            assert state.units[unit.aboard].space == unit.space
        if unit.owner == "china":
            assert board.spaces[unit.space].original_owner == "china" or unit.space in ("burma", "kwangtung")
        cargo = [board.units[piece.kind] for piece in state.cargo_of(unit.id)]
        carried = {"carrier_capacity": "carrier_cost", "transport_capacity": "transport_cost"}
        for room, taken in carried.items():
            if board.units[unit.kind].figure(room):
                assert sum(kind.figure(taken) for kind in cargo) <= board.units[unit.kind].figure(room), unit
    for space, held in state.spaces.items():
        for kind, damage in held.facilities:
            assert 0 <= damage <= board.units[kind].figure("max_damage"), (space, kind)
