"""Paths as players write them, completed where spaces between are left out, and what a piece has travelled so far.

Adjacency only; who may enter what is asked of the rules by the caller's `may_enter`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.sketch import Sketch


def completed(
    sketch: Sketch, path: Sequence[str], may_enter: Callable[[str], bool], limit: int
) -> tuple[str, ...] | Refusal:
    """The path with every space spelt out (P40-1.2.1): between two that do not touch, a shortest way that may be gone.

    Among equal ways the first in the board's order is taken. A path of one space is no move.
    """
    board = sketch.board
    if len(path) < 2:
        return refuse(sketch.rules, "borders", "A move names where it starts and where it ends.")
    whole = [path[0]]
    for there in path[1:]:
        here = whole[-1]
        if here == there:
            return refuse(sketch.rules, "borders", f"The path names {sketch.name(here)} twice in a row.")
        if board.adjacent(here, there):
            whole.append(there)
            continue
        goal = there

        def passable(space: str, goal: str = goal) -> bool:
            return space == goal or may_enter(space)

        way = board.path(here, there, passable, limit)
        if way is None:
            return refuse(
                sketch.rules,
                "borders",
                f"{sketch.name(here)} and {sketch.name(there)} do not touch, and no way between them is within reach.",
                "Name the spaces of the path one by one.",
            )
        whole.extend(way[1:])
    return tuple(whole)


def travelled(sketch: Sketch, unit: Unit, path: Sequence[str]) -> tuple[str, ...]:
    """The whole way of a piece in this phase: what it has done of it before, then this path.

    A move may be written in several lines, one continuing the other; it is judged as one move (P40-4.1.3).
    """
    if unit.mark(marks.MOVED) != sketch.phase or unit.mark(marks.START) in (None, unit.space):
        return tuple(path)
    start = unit.mark(marks.START)
    return (start, *unit.mark(marks.VIA, ()), *path)


def travel_marks(sketch: Sketch, unit: Unit, path: Sequence[str]) -> dict[str, Any]:
    """What is written down about a piece that goes this way now: start, last space, spaces between, phase."""
    whole = travelled(sketch, unit, path)
    start = unit.mark(marks.START) or path[0]
    return {
        marks.START: start,
        marks.FROM: path[-2],
        marks.VIA: list(whole[1:-1]),
        marks.MOVED: sketch.phase,
    }


def move_all(
    sketch: Sketch,
    units: Sequence[str],
    path: Sequence[str],
    rules: Sequence[str] = (),
    more: dict[str, Any] | None = None,
) -> None:
    """Move pieces along one path: one event for those who have the same way behind them."""
    groups: list[tuple[dict[str, Any], list[str]]] = []
    for unit_id in units:
        noted = {**travel_marks(sketch, sketch.unit(unit_id), path), **(more or {})}
        for known, members in groups:
            if known == noted:
                members.append(unit_id)
                break
        else:
            groups.append((noted, [unit_id]))
    for noted, members in groups:
        payload: dict[str, Any] = {"units": members, "from": path[0], "to": path[-1], "spent": len(path) - 1}
        if len(path) > 2:
            payload["via"] = list(path[1:-1])
        sketch.do("units_moved", {**payload, "phase": sketch.phase, "marks": noted}, rules)
