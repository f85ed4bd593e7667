"""Other readings of a recorded turn, for orders that the other program's phases allow and the rules know elsewhere.

A reading changes only the phase of a move, or leaves the way of aircraft open; docs/rulings.md says why (T-1, T-8,
T-9).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pbem.audit.turns_record import Moved, Some, Turn
from pbem.board.map import Board

COMBAT, NONCOMBAT = "combat_move", "noncombat_move"


def reread(board: Board, turn: Turn, refused: Collection[int]) -> Turn:
    """The turn with the first refused move for which there is one read in another way; else the same turn.

    One at a time, for later ones may only be refused because of the first.
    """
    for index, moved in enumerate(turn.moves):
        if moved.number in refused:
            other = _reread(board, turn, moved, turn.moves[:index])
            if other != moved:
                return replace(turn, moves=(*turn.moves[:index], other, *turn.moves[index + 1 :]))
    return turn


def _reread(board: Board, turn: Turn, moved: Moved, before: Sequence[Moved]) -> Moved:
    if moved.names_cargo and any(board.units[some.kind].figure("transport_capacity") for some in moved.units):
        return replace(moved, names_cargo=False)
    domains = {board.units[some.kind].domain for some in moved.units}
    if domains == {"air"} and len(moved.path) > 2:
        return replace(moved, path=(moved.path[0], moved.path[-1]))
    if moved.phase == COMBAT:
        return replace(moved, phase=NONCOMBAT)
    if domains == {"sea"} and _continues(turn, moved, before):
        return replace(moved, phase=COMBAT)
    return moved


def _continues(turn: Turn, moved: Moved, before: Sequence[Moved]) -> bool:
    """Whether ships that ended a combat move in a zone without a battle sail on in this move."""
    start = moved.path[0]
    if any(battle.space == start for battle in turn.battles):
        return False
    ended = [kind for known in before if known.path[-1] == start for kind in _kinds(known.units)]
    return all(ended.count(kind) >= _kinds(moved.units).count(kind) for kind in _kinds(moved.units))


def _kinds(units: Sequence[Some]) -> list[str]:
    return [some.kind for some in units for _ in range(some.count)]


def readings(turn: Turn, read: Turn) -> Iterator[str]:
    """What was read in another way, for the record."""
    pairs = list(zip(turn.moves, read.moves, strict=True))
    later = [a.number for a, b in pairs if a.phase == NONCOMBAT and b.phase == COMBAT]
    earlier = [a.number for a, b in pairs if a.phase == COMBAT and b.phase == NONCOMBAT]
    freed = [a.number for a, b in pairs if a.path != b.path]
    for numbers, text in (
        (later, "sail on from the combat move and were ordered as one voyage there (T-1)"),
        (earlier, "fight nowhere and were ordered in the noncombat move (T-8)"),
        (freed, "fly by a way of the referee's choice (T-9)"),
    ):
        if numbers:
            yield f"moves {', '.join(map(str, numbers))} {text}"
