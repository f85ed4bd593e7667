"""Turns of chance in memory: orders for every power, the turn ruled with throw-away dice, and what must hold after it.

For tests: what is found wrong comes back as sentences; none is well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random

from pbem.board.state import State
from pbem.board.units import AIR
from pbem.campaign.filing import file_lines
from pbem.campaign.play import Play, Told, run_on
from pbem.dice.source import SeededThrowaway
from pbem.orders.respond import StandingResponder
from pbem.rules.order_model import Order
from pbem.rules.ruleset import RuleSet
from pbem.rules.vocabulary import foreign_line
from pbem.testing.random_play import faults

Writer = Callable[[RuleSet, State, str, Random], Sequence[Order]]
"""Somebody who writes orders for a power in a position, as chance has it."""


def with_orders(play: Play, active: str, chance: Random, standing: Writer, turn: Writer) -> Play:
    """The same campaign after every power that plays has filed standing orders, and the active one its turn.

    Lines of other games, and of options that are off, are not filed: no mail with them is taken either.
    """
    for power in play.rules.board.powers.values():
        if not power.playable:
            continue
        lines = list(standing(play.rules, play.now, power.id, chance))
        if power.id == active:
            lines += turn(play.rules, play.now, power.id, chance)
        known = [(line, line.type) for line in lines if foreign_line(play.rules, line) is None]
        filing = file_lines(power.id, known, play.now)
        play = play.with_facts(
            [
                ("orders_received", {"power": power.id, "phases": dict(filing.phases)}),
                ("standing_orders_given", {"power": power.id, "orders": list(filing.answers)}),
            ],
            0,
        )
    return play


def rule(play: Play, seed: int) -> Told:
    """The next turn, ruled to its end with dice of this seed; AssertionError where it does not come to its end."""
    told = run_on(play, SeededThrowaway(seed), StandingResponder(), now=0, may_close=lambda window: True)
    assert told.outcome is not None and told.outcome.finished, told.outcome
    return told


def flat(told: Told) -> str:
    """Everything that happened, for comparing."""
    return json.dumps([(event.type, event.payload, event.rules) for event in told.events])


def turns_of_chance(
    play: Play, number: int, chance: Random, standing: Writer, turn: Writer, *, first_seed: int = 0, twice: bool = False
) -> Iterator[tuple[State, Told]]:
    """Play so many turns (fewer if the game is won): the position before each, and what came of it.

    Every turn is checked by `wrong_books` and `wrong_places`; `twice` rules each a second time, to the same events.
    """
    for index in range(number):
        segment = play.rules.next_segment(play.rules, play.now)
        if segment is None:
            return
        play = with_orders(play, segment.seat[0], chance, standing, turn)
        before = play.now
        told = rule(play, first_seed + index)
        if twice:
            assert flat(told) == flat(rule(play, first_seed + index)), "the same inputs gave other events"
        wrong = [*wrong_books(before, told), *wrong_places(play.rules, told.play.now)]
        assert wrong == [], wrong
        yield before, told
        play = told.play


def wrong_books(before: State, told: Told) -> list[str]:
    """Money and pieces change by what the events say and by nothing else; nothing of a turn outlasts it."""
    state = told.play.now
    money = dict(before.counters)
    pieces = set(before.units)
    found = []
    for event in told.events:
        body = event.payload
        if event.type == "counter_changed":
            key = f"{body['power']}/{body['counter']}"
            money[key] = money.get(key, 0) + body["by"]
        elif event.type == "units_created":
            pieces |= {row[0] for row in body["units"]}
        elif event.type == "units_removed":
            found += [f"{unit} is removed and was not there" for unit in body["units"] if unit not in pieces]
            pieces -= set(body["units"])
    for key in dict.fromkeys((*money, *state.counters)):
        is_now, told_now = state.counters.get(key, 0), money.get(key, 0)
        if is_now != told_now:
            found.append(f"{key}: {is_now}, by the events {told_now}")
    found += [f"{unit} comes from nowhere or went nowhere" for unit in sorted(pieces ^ set(state.units))]
    found += [f"{key} still waits to be placed" for key in state.purchases]
    found += [f"{key} outlasts its turn" for key in state.marks if key.startswith("turn/")]
    found += [f"{key} is left over" for key in state.orders]
    ends = sum(event.type == "segment_ended" for event in told.events)
    if ends != 1:
        found.append(f"the turn ended {ends} times")
    return found


def wrong_places(rules: RuleSet, state: State) -> list[str]:
    """Everything stands where it may stand when a turn is over, and is fresh."""
    found = faults(rules, state)
    for unit in state.units.values():
        if unit.spent or unit.marks:
            found.append(f"{unit.id} is not fresh: {unit.spent}, {unit.marks}")
        if not rules.board.spaces[unit.space].is_sea:
            if unit.owner in rules.board.powers and not rules.judge(
                "friendly_territory", state, unit.owner, unit.space
            ):
                found.append(f"{unit.id} of {unit.owner} stands in {unit.space}, which is not friendly")
        elif rules.board.units[unit.kind].domain == AIR and unit.aboard is None:
            found.append(f"{unit.id} hovers over {unit.space}")
    return found
