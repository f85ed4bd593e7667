"""The position a campaign begins with, as events, from the facts of its board. Cases begin with `position`."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules.position import position, starting_technologies
from pbem.rules.printed import board_set_up, printed_units
from pbem.rules.roster import Fact, Roster
from pbem.rules.ruleset import RuleSet

__all__ = ["position", "start_events"]


def start_events(rules: RuleSet) -> list[Fact]:
    """The published set-up: control, facilities, relations, money and pieces, to be appended after event 0."""
    board = rules.board
    roster = Roster(board)
    for space, owner, kind, count in printed_units(board):
        for _ in range(count):
            roster.add(space, owner, kind)
    roster.board_aircraft()
    further: Sequence[Fact] = rules.parameters.get("setup_facts", ())
    facts = [board_set_up(board), *roster.facts("set-up"), *starting_technologies(rules), *further]
    if "more_at_start" in rules.judgements:
        facts += rules.judgements["more_at_start"](rules, facts)
    return facts
