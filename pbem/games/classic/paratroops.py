"""Paratroopers, an option of the third edition: infantry that bombers drop (CLA-13.1).

One infantry for each bomber, two for a heavy one. Infantry and bomber stand where the flight and the drop end; who
carries whom is a mark of the infantry, for what is aboard is lost with a bomber that is shot down on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from pbem.board.state import Unit
from pbem.games.classic.weapons import HEAVY_BOMBERS, has
from pbem.rules import marks
from pbem.rules.battle.citations import rules_for
from pbem.rules.decisions import Refusal
from pbem.rules.movement.air import fly
from pbem.rules.movement.carrying_out import condition_unmet
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.neutrals import is_neutral_ground, pay_toll
from pbem.rules.movement.paths import completed, travel_marks
from pbem.rules.movement.picks import resolve
from pbem.rules.movement.ready import COMBAT, may_still_move
from pbem.rules.movement.sketch import Sketch
from pbem.rules.movement.skies import open_to
from pbem.rules.order_model import Drop, Pick
from pbem.rules.script import Filed, Game

DROPS = "drop"
"""Job of a bomber that drops infantry: it takes part in no battle or raid of the turn."""
CARRIED_BY = "carried_by"
"""Mark of infantry that was dropped: the bomber that carried it."""


def drop(sketch: Sketch, line: Filed) -> Refusal | None:
    """Plan one line: infantry is taken up, flown to where it is dropped, and the bombers fly on to where they land."""
    order = line.order
    assert isinstance(order, Drop)
    unmet = condition_unmet(sketch, order.when)
    if unmet is not None:
        return unmet
    start = order.start or order.path[0]
    if sketch.phase == COMBAT and (start != order.path[0] or order.end not in (None, order.path[-1])):
        return refuse(
            sketch.rules, "paratroopers",
            "In the combat move infantry and bomber start in the same territory, and the flight ends with the drop.",
            "Leave `from` and `to` out: the bomber lands in the noncombat move.",
        )  # fmt: skip
    infantry = resolve(
        sketch.rules, sketch.state, sketch.power, order.units, order.path[0], lambda unit: _may_jump(sketch, unit)
    )
    if isinstance(infantry, Refusal):
        return infantry
    bombers = resolve(sketch.rules, sketch.state, sketch.power, order.by, start, lambda unit: _may_carry(sketch, unit))
    if isinstance(bombers, Refusal):
        return bombers
    crews = _stow(sketch, infantry, bombers)
    if isinstance(crews, Refusal):
        return crews
    legs = _legs(sketch, sketch.unit(bombers[0]), start, order)
    if isinstance(legs, Refusal):
        return legs
    target = order.path[-1]
    barred = _may_drop(sketch, sketch.unit(infantry[0]), target) or pay_toll(sketch, (target,))
    if barred is not None:
        return barred
    way, flight = legs
    for bomber, crew in crews:
        _move_infantry(sketch, crew, way, bomber)
    if is_neutral_ground(sketch, target):
        sketch.capture(target, infantry)
    flown = fly(sketch, [Pick(sketch.unit(bombers[0]).kind, len(bombers), ids=tuple(bombers))], flight, None, None)
    if flown is not None:
        return flown
    sketch.do("units_marked", {"units": list(bombers), "set": {marks.JOB: DROPS}}, cites(sketch.rules, "paratroopers"))
    return None


def _may_jump(sketch: Sketch, unit: Unit) -> Refusal | None:
    """Whether a piece may be dropped: infantry that has not moved."""
    rested = may_still_move(sketch, unit)
    if rested is not None:
        return rested
    kind = sketch.board.units[unit.kind]
    if unit.kind != "infantry" or unit.aboard is not None:
        return refuse(sketch.rules, "paratroopers", f"A {kind.name.lower()} is not dropped; infantry ashore is.")
    if unit.spent or unit.mark(marks.MOVED) is not None:
        return refuse(sketch.rules, "paratroopers", "This infantry has moved in this turn; it is not dropped.")
    return None


def _may_carry(sketch: Sketch, unit: Unit) -> Refusal | None:
    """Whether a piece may carry infantry: a bomber that has done nothing yet in this turn."""
    if not sketch.can(unit, "strategic_bombing"):
        kind = sketch.board.units[unit.kind].name.lower()
        return refuse(sketch.rules, "paratroopers", f"A {kind} carries no infantry; bombers do.")
    if unit.spent or unit.mark(marks.MOVED) is not None or unit.mark(marks.FOUGHT):
        wrong = "This bomber has flown in this turn; who drops infantry does nothing else."
        return refuse(sketch.rules, "paratroopers", wrong)
    return None


def _stow(sketch: Sketch, infantry: Sequence[str], bombers: Sequence[str]) -> list[tuple[str, list[str]]] | Refusal:
    """Who carries whom: one infantry for a bomber, two for a heavy one."""
    each = 2 if has(sketch.state, sketch.power, HEAVY_BOMBERS) else 1
    if len(infantry) > each * len(bombers):
        heavy = "heavy bomber carries two" if each == 2 else "bomber carries one"
        wrong = f"{len(infantry)} infantry are too many for {len(bombers)} bombers: a {heavy}."
        return refuse(sketch.rules, "paratroopers", wrong)
    waiting = iter(infantry)
    return [(bomber, crew) for bomber in bombers if (crew := list(islice(waiting, each)))]


def _legs(sketch: Sketch, bomber: Unit, start: str, order: Drop) -> tuple[tuple[str, ...], tuple[str, ...]] | Refusal:
    """The way of the infantry, and the whole flight, every space spelt out."""

    def leg(*spaces: str) -> tuple[str, ...] | Refusal:
        if len(set(spaces)) == 1:
            return spaces[:1]
        return completed(sketch, spaces, lambda space: open_to(sketch, bomber, space), 9)

    way, there = leg(*order.path), leg(start, order.path[0])
    back = leg(order.path[-1], order.end or order.path[-1])
    for one in (way, there, back):
        if isinstance(one, Refusal):
            return one
    assert not isinstance(way, Refusal) and not isinstance(there, Refusal) and not isinstance(back, Refusal)
    return way, (*there, *way[1:], *back[1:])


def _may_drop(sketch: Sketch, unit: Unit, target: str) -> Refusal | None:
    """Whether infantry may come down in a territory: to attack it or take it, later among friends (CLA-8.9)."""
    rules, name = sketch.rules, sketch.name(target)
    if sketch.board.spaces[target].is_sea:
        return refuse(rules, "paratroopers", "Infantry is dropped in a territory.")
    closed = rules.judge("closed_to", sketch.state, sketch.power, unit, target)
    if isinstance(closed, Refusal):
        return closed
    if sketch.phase != COMBAT:
        if rules.judge("friendly_territory", sketch.state, sketch.power, target):
            return None
        return refuse(rules, "not_hostile", f"{name} is hostile; in the noncombat move nobody is dropped there.")
    taken = marks.taken(target) in sketch.state.marks
    if taken or is_neutral_ground(sketch, target):
        return None
    if rules.judge("hostile_territory", sketch.state, sketch.power, target):
        return None
    return refuse(
        rules, "must_fight", f"{name} is not hostile: this infantry would come down without a fight.",
        "Drop it in the noncombat move: write `noncombat:` before the line.",
    )  # fmt: skip


def _move_infantry(sketch: Sketch, crew: Sequence[str], way: Sequence[str], bomber: str) -> None:
    units = [sketch.unit(unit_id) for unit_id in crew]
    noted: dict[str, Any] = {**travel_marks(sketch, units[0], way), CARRIED_BY: bomber}
    moved: dict[str, Any] = {
        "units": list(crew), "from": way[0], "to": way[-1], "spent": max(0, sketch.points(units[0])),
        "phase": sketch.phase, "marks": noted,
    }  # fmt: skip
    if len(way) > 2:
        moved["via"] = list(way[1:-1])
    sketch.do("units_moved", moved, cites(sketch.rules, "paratroopers"))


def lost_aboard(game: Game, bombers: Sequence[str], territory: str) -> None:
    """Infantry aboard bombers that were shot down over a territory on the way is lost; who is out already is not."""
    gone = [bomber for bomber in bombers if bomber not in game.state.units]
    lost = [
        unit
        for unit in game.state.units.values()
        if unit.mark(CARRIED_BY) in gone and territory in unit.mark(marks.VIA, ())
    ]
    for space in dict.fromkeys(unit.space for unit in lost):
        ids = [unit.id for unit in lost if unit.space == space]
        shot = {"space": space, "units": ids, "why": "carrier_lost"}
        game.emit("units_removed", shot, rules_for(game.rules, "paratroopers.lost"))
