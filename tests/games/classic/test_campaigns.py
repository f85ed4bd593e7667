"""Campaigns of chance in the classic game, with and without the variant: nothing breaks, nothing comes from nowhere."""

from __future__ import annotations

import json
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
from tests.games.classic.generals import standing_orders, turn_orders

TURNS = 10
TABLES: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("2e", (), {}),
    ("3e", (), {}),
    ("2e", ("err",), {}),
    ("3e", ("err",), {"err_last_resort": "choice", "err_partial_retreat": True, "err_aa_retreat": True}),
    ("2e", (), {"two_hit_battleship": "end_of_turn", "scorched_earth": True, "destroyers_and_artillery": True,
                "neutral_overflight": "pay", "always_active_aa": True, "partial_amphibious_retreat": True}),
    ("ib", (), {"tech_delay": True, "kamikaze": True, "one_panama_zone": True, "piece_limit": "box", "sbr_cap": True}),
    ("2e", ("err",), {"err_artillery": "er2", "err_landing_after_breakoff": "blocked", "multiple_aa": True}),
    ("ib", ("err",), {"err_artillery": "none", "super_sub_defence": True, "submersible_subs": True}),
)  # fmt: skip


def with_orders(play: Play, power: str, chance: Random) -> Play:
    """The same campaign after everybody has filed something."""
    for other in play.rules.board.powers:
        lines = standing_orders(play.rules, other, chance)
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


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_campaigns_of_chance(table: int) -> None:
    edition, variants, options = TABLES[table]
    rules = rule_set("classic", edition, variants, options)
    chance = Random(table)
    play = begin("chance", rules, start_events(rules))
    for turn in range(TURNS):
        segment = play.rules.next_segment(play.rules, play.now)
        if segment is None:
            break
        play = with_orders(play, segment.seat[0], chance)
        before = play.now
        told = rule(play, table * TURNS + turn)
        assert told.outcome is not None and told.outcome.finished, told.outcome
        assert [event.type for event in told.events].count("segment_ended") == 1
        play = told.play
        check_books(before, told)
        check_pieces(rules, play.now)


def test_equal_inputs_give_equal_events() -> None:
    """The same orders and the same dice are the same turn, to the last byte."""
    rules = rule_set("classic", "2e", ("err",))
    play = with_orders(begin("chance", rules, start_events(rules)), "ussr", Random(5))
    one, two = (rule(play, 7).events for _ in range(2))
    assert json.dumps([event.payload for event in one]) == json.dumps([event.payload for event in two])


def check_books(before: State, told: Told) -> None:
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
    assert not told.play.now.purchases
    assert not [key for key in told.play.now.marks if key.startswith("turn/")]


def check_pieces(rules: RuleSet, state: State) -> None:
    """Everything stands where it may stand when a turn is over (CLA-1.2.6, CLA-7.1.1)."""
    assert faults(rules, state) == []
    for unit in state.units.values():
        printed = rules.board.spaces[unit.space]
        assert (unit.spent, unit.marks) == (0, ()), unit
        if not printed.is_sea:
            assert rules.judge("friendly_territory", state, unit.owner, unit.space), unit
        elif rules.board.units[unit.kind].domain == "air":
            assert unit.aboard is not None, unit
    for zone in (space.id for space in rules.board.spaces.values() if space.is_sea):
        sides = {rules.board.side_of(unit.owner) for unit in state.units_in(zone)}
        assert len(sides) < 2 or rules.variants or rules.parameter("naval_placement_in_enemy_zone"), zone
