"""Where aircraft can get to from where they are, and where they could land: distances through open airspace.

Answers are remembered on the sketch until control of a territory changes.
"""

from __future__ import annotations

from collections import deque

from pbem.board.state import State, Unit
from pbem.rules.movement.points import end_bonus
from pbem.rules.movement.sketch import Sketch
from pbem.rules.ruleset import RuleSet


def landing_place(rules: RuleSet, state: State, power: str, unit: Unit, territory: str) -> bool:
    """Whether an aircraft may land in a territory: friendly since the turn began, and open to it (P40-7.8)."""
    return (
        not rules.board.spaces[territory].is_sea
        and bool(rules.judge("friendly_territory", state, power, territory))
        and bool(rules.judge("friendly_at_start", state, power, territory))
        and rules.judge("closed_to", state, power, unit, territory) is None
    )


def open_to(sketch: Sketch, unit: Unit, space: str) -> bool:
    """Whether an aircraft may be in the air over a space (P40-4.3.8).

    Where `fly_over` lets a line do what nobody does without saying so, the judgement `open_sky` answers here.
    """
    key = ("open", unit.kind, space)
    known = sketch.memory.get(key)
    if known is None:
        question = "open_sky" if "open_sky" in sketch.rules.judgements else "fly_over"
        known = sketch.rules.judge(question, sketch.state, sketch.power, unit, space) is None
        sketch.memory[key] = known
    return bool(known)


def may_land(sketch: Sketch, unit: Unit, territory: str) -> bool:
    """Whether an aircraft may land in a territory (P40-7.8)."""
    key = ("land", unit.kind, territory)
    known = sketch.memory.get(key)
    if known is None:
        known = landing_place(sketch.rules, sketch.state, sketch.power, unit, territory)
        sketch.memory[key] = known
    return bool(known)


def within_reach(sketch: Sketch, unit: Unit, points: int) -> dict[str, int]:
    """Every space an aircraft can reach with so many points, with its distance, nearest first."""
    key = ("reach", unit.kind, unit.space, points)
    known = sketch.memory.get(key)
    if known is None:
        # Closed airspace may be the end of a flight that is allowed to land there, never its middle.
        found = {unit.space: 0}
        queue = deque([unit.space])
        while queue:
            here = queue.popleft()
            steps = found[here] + 1
            if steps > points:
                continue
            for there in sketch.board.neighbours[here]:
                if there in found:
                    continue
                if open_to(sketch, unit, there):
                    found[there] = steps
                    queue.append(there)
                elif may_land(sketch, unit, there):
                    found[there] = steps
        known = found | _beyond(sketch, unit, found, points)
        sketch.memory[key] = known
    assert isinstance(known, dict)
    return known


def _beyond(sketch: Sketch, unit: Unit, found: dict[str, int], points: int) -> dict[str, int]:
    """Landing places one step farther that give a bonus to who lands there (P01-5.3.3)."""
    if "end_bonus" not in sketch.rules.judgements:
        return {}
    edge = [space for space, steps in found.items() if steps == points and open_to(sketch, unit, space)]
    near = dict.fromkeys(there for here in edge for there in sketch.board.neighbours[here] if there not in found)
    return {
        there: points + 1
        for there in near
        if may_land(sketch, unit, there) and end_bonus(sketch.rules, sketch.state, unit, there)
    }


def ashore(sketch: Sketch, unit: Unit, points: int) -> bool:
    """Whether some territory within reach takes this aircraft."""
    key = ("ashore", unit.kind, unit.space, points)
    known = sketch.memory.get(key)
    if known is None:
        known = _finds_land(sketch, unit, points)
        sketch.memory[key] = known
    return bool(known)


def _finds_land(sketch: Sketch, unit: Unit, points: int) -> bool:
    """The same search as `within_reach`, given up at the first landing place."""
    if may_land(sketch, unit, unit.space):
        return True
    found = {unit.space}
    edge = [unit.space]
    for _ in range(points):
        reached: list[str] = []
        for here in edge:
            for there in sketch.board.neighbours[here]:
                if there in found:
                    continue
                if may_land(sketch, unit, there):
                    return True
                if open_to(sketch, unit, there):
                    found.add(there)
                    reached.append(there)
        edge = reached
    if "end_bonus" not in sketch.rules.judgements:
        return False
    return any(
        may_land(sketch, unit, there) and end_bonus(sketch.rules, sketch.state, unit, there)
        for here in edge
        for there in sketch.board.neighbours[here]
    )
