"""Supply of patrols in War Without Mercy: a network of bases and complexes, four spaces from one to the next."""

from __future__ import annotations

from collections import deque

from pbem.board.state import State
from pbem.games.p01.purchase import COMPLEX
from pbem.rules import marks
from pbem.rules.ruleset import RuleSet

LINK = 4


def open_ground(rules: RuleSet, state: State, power: str, space: str) -> bool:
    """Whether a route may enter a space: any sea zone, friendly land, nothing closed (WWM-4.9, WWM-6.2)."""
    printed = rules.board.spaces[space]
    return printed.is_sea or bool(rules.judge("friendly_territory", state, power, space))


def held(rules: RuleSet, state: State, power: str, space: str) -> bool:
    """Whether a power's side has controlled a territory since its turn began."""
    return bool(
        rules.judge("friendly_territory", state, power, space) and rules.judge("friendly_at_start", state, power, space)
    )


def is_base(rules: RuleSet, state: State, space: str) -> bool:
    """Whether an air base stands in a territory."""
    there = state.spaces.get(space)
    return there is not None and any(rules.board.units[kind].can("air_move_bonus") for kind, _ in there.facilities)


def reach(rules: RuleSet, state: State, power: str, start: str, limit: int) -> dict[str, int]:
    """Every space within so many steps by a route that may be gone."""
    return rules.board.reach(start, lambda space: open_ground(rules, state, power, space), limit)


def network(rules: RuleSet, state: State, power: str) -> tuple[str, ...]:
    """The supplied network of a side: complexes, and bases joined to one by links of 4 spaces (WWM-6.2)."""
    nodes = [
        space
        for space, there in state.spaces.items()
        if not rules.board.spaces[space].is_sea
        and held(rules, state, power, space)
        and (there.facility(COMPLEX) is not None or is_base(rules, state, space))
    ]
    found = [space for space in nodes if state.spaces[space].facility(COMPLEX) is not None]
    queue = deque(found)
    while queue:
        near = reach(rules, state, power, queue.popleft(), LINK)
        for space in nodes:
            if space in near and space not in found:
                found.append(space)
                queue.append(space)
    return rules.board.in_board_order(found)


def patrols_over(rules: RuleSet, state: State, power: str, zone: str) -> list[str]:
    """Territories from which friendly patrols over a zone were launched (WWM-6.4)."""
    return [
        str(unit.mark(marks.CAP))
        for unit in state.units_in(zone)
        if unit.mark(marks.CAP) and rules.judge("allies", state, power, unit.owner)
    ]


def in_supply(rules: RuleSet, state: State, power: str, base: str) -> bool:
    """Whether a patrol launched from a territory is in supply (WWM-6.3); with the switch control suffices (WWM-6.6)."""
    if rules.parameter("wwm_supply") == "control":
        return bool(rules.judge("friendly_territory", state, power, base))
    linked = network(rules, state, power)
    if base in linked:
        return True
    near = reach(rules, state, power, base, LINK)
    return any(node in near for node in linked)
