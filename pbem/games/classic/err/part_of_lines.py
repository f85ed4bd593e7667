"""Which part of a turn with three combats a line belongs to: by what it moves, and for aircraft by whom they go with.

Lines only; whether they are legal in their part is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules.movement.picks import domain_of
from pbem.rules.order_model import (
    AttackHere,
    Bombard,
    Drop,
    IgnoreHere,
    LandOnly,
    Load,
    Move,
    Order,
    Unload,
)
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed

AIRCRAFT, SHIPS, ARMY = 1, 2, 3
PARTS = (AIRCRAFT, SHIPS, ARMY)
"""The three combats of a turn in their order (ERR-1.3.3)."""


def sorted_by_part(rules: RuleSet, lines: Sequence[Filed], now: int) -> dict[int, list[Filed]]:
    """Lines by the part in which they are carried out, none earlier than `now`, each part's in the order written.

    Aircraft alone strike in the first part, unless other lines send ships or land units to the same place: then they
    go with these.
    """
    parts = [_by_what_moves(rules, line.order) for line in lines]
    joined: dict[str, int] = {}
    for line, part in zip(lines, parts, strict=True):
        if part in (SHIPS, ARMY):
            joined.update(dict.fromkeys(_ends(line.order), part))
    found: dict[int, list[Filed]] = {part: [] for part in PARTS}
    for line, part in zip(lines, parts, strict=True):
        if part is None:
            part = next((joined[space] for space in _ends(line.order) if space in joined), AIRCRAFT)
        found[max(part, now)].append(line)
    return found


def _by_what_moves(rules: RuleSet, order: Order) -> int | None:
    """The part of a line by what it moves; None for aircraft, which may go with others."""
    if isinstance(order, Load):
        return SHIPS
    if isinstance(order, Unload | Bombard | LandOnly | Drop):
        return ARMY
    if isinstance(order, AttackHere | IgnoreHere):
        return SHIPS if rules.board.spaces[order.space].is_sea else ARMY
    if not isinstance(order, Move) or order.purpose == "bomb":
        return AIRCRAFT
    domains = {domain_of(rules, pick) for pick in order.units}
    if domains == {"air"}:
        return None
    if "land" in domains:
        return ARMY
    return SHIPS if "sea" in domains or rules.board.spaces[order.path[-1]].is_sea else ARMY


def _ends(order: Order) -> tuple[str, ...]:
    """The place a line goes to."""
    if isinstance(order, Move | Drop):
        return (order.path[-1],)
    if isinstance(order, Unload):
        return (order.space,)
    return (order.space,) if isinstance(order, AttackHere) else ()
