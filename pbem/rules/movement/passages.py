"""Canals and straits: which passages are open to a power's ships, and where a ship can get to through open ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from pbem.board.map import Canal
from pbem.board.state import Unit
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cite, refuse
from pbem.rules.movement.points import end_bonus
from pbem.rules.movement.sketch import Sketch


def canals_on(sketch: Sketch, course: Sequence[str]) -> Iterator[Canal]:
    """The canals that a course passes through."""
    for here, there in zip(course, course[1:], strict=False):
        for canal in sketch.board.canals:
            if {here, there} == set(canal.between):
                yield canal


def closed_passage(sketch: Sketch, here: str, there: str) -> Refusal | None:
    """A canal is open to those whose side held all that controls it when the turn began (S42-4.5.1 to S42-4.5.4).

    Aircraft do not ask, and a canal is no space: passing it is the ordinary step to the next zone (S42-4.5.5).
    """
    for canal in canals_on(sketch, (here, there)):
        for territory in canal.controlled_by:
            if sketch.rules.judge("friendly_at_start", sketch.state, sketch.power, territory):
                continue
            now = sketch.rules.judge("friendly_territory", sketch.state, sketch.power, territory)
            taken = now and cite(sketch.rules, "canal_taken") is not None
            return refuse(
                sketch.rules,
                "canal_taken" if taken else f"canal:{canal.name}",
                f"{canal.name} is closed: {sketch.name(territory)} was not in friendly hands when the turn began.",
                "Go round it.",
            )
    return None


def courses(sketch: Sketch, ship: Unit, may_enter: Callable[[str], bool], points: int) -> dict[str, tuple[str, ...]]:
    """Every zone a ship can reach with so many points, each with a shortest course to it, nearest first."""
    found: dict[str, tuple[str, ...]] = {ship.space: (ship.space,)}
    queue = deque([ship.space])
    bonus = "end_bonus" in sketch.rules.judgements
    while queue:
        here = queue.popleft()
        course = found[here]
        if len(course) > points + bonus:
            continue
        for there in sketch.board.neighbours[here]:
            if there in found or not sketch.board.spaces[there].is_sea or not may_enter(there):
                continue
            if closed_passage(sketch, here, there) is not None:
                continue
            if sketch.rules.judge("closed_to", sketch.state, sketch.power, ship, there) is not None:
                continue
            found[there] = (*course, there)
            queue.append(there)
    if not bonus:
        return found
    return {
        zone: course
        for zone, course in found.items()
        if len(course) - 1 <= points + end_bonus(sketch.rules, sketch.state, ship, zone)
    }
