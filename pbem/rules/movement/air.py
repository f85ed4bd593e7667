"""How aircraft fly: over anything but closed airspace, to a fight in the combat move, to a landing place afterwards.

Whether every aircraft can land somewhere in the end is asked of the whole phase (`landing_room`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.carriers import trapped
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.land import out_of_reach
from pbem.rules.movement.neutrals import pay_toll, violate
from pbem.rules.movement.paths import completed, move_all
from pbem.rules.movement.picks import resolve
from pbem.rules.movement.points import end_bonus
from pbem.rules.movement.ready import COMBAT, may_still_move
from pbem.rules.movement.sketch import Sketch
from pbem.rules.movement.skies import landing_place, open_to
from pbem.rules.order_model import Pick
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet

BOMB, ESCORT = "bomb", "escort"
RAID, ESCORTING = "raid", "escort"


def fly(
    sketch: Sketch, picks: Sequence[Pick], path: Sequence[str], purpose: str | None, target: str | None
) -> Refusal | None:
    """Aircraft fly along a path (P40-4.3.1-4.3.8; P40-7.8, 7.15), in the combat move perhaps to raid (P40-4.7.3).

    All movement may be used up to reach a battle where a deck could receive the aircraft (P40-4.3.5).
    """
    here = [unit for unit in sketch.here(path[0]) if is_air(sketch.rules, unit)]
    whole = completed(sketch, path, lambda space: bool(here) and open_to(sketch, here[0], space), 9)
    if isinstance(whole, Refusal):
        return whole
    if purpose in (BOMB, ESCORT):
        refusal = _raid_target(sketch, whole[-1], purpose, target)
        if refusal is not None:
            return refusal
    chosen = resolve(
        sketch.rules,
        sketch.state,
        sketch.power,
        picks,
        path[0],
        lambda unit: _may_fly(sketch, unit, whole) or _may_raid(sketch, unit, whole[-1], purpose, target),
        here,
        sketch.spent_first,
    )
    if isinstance(chosen, Refusal):
        return chosen
    refusal = pay_toll(sketch, whole[1:-1], by_air=True)
    if refusal is not None:
        return refusal
    for ship, aircraft in _by_deck(sketch, chosen):
        noted: dict[str, Any] = {marks.DECK: ship, marks.START: sketch.unit(aircraft[0]).mark(marks.START, whole[0])}
        sketch.do("units_unloaded", {"units": aircraft, "from": whole[0], "to": whole[0], "marks": noted})
    job: dict[str, Any] = {}
    if any(sketch.unit(unit_id).mark(marks.TASK) is not None for unit_id in chosen):
        job = {marks.TASK: None}
    if any(sketch.unit(unit_id).mark(marks.CAP) for unit_id in chosen):
        job |= {marks.CAP: None}
    if purpose == BOMB:
        job |= {marks.JOB: RAID, **({marks.TARGET: target} if target else {})}
    elif purpose == ESCORT:
        job |= {marks.JOB: ESCORTING}
    topics = ["flight_shown"] if sketch.phase == COMBAT else []
    topics += ["raiders"] if purpose == BOMB else ["escorts"] if purpose == ESCORT else []
    if sketch.rules.parameters.get("flights_are_noted"):
        job |= {marks.FLIGHT: sketch.line}
    move_all(sketch, chosen, whole, cites(sketch.rules, *topics), job)
    violate(sketch, whole[1:-1])
    return None


def _by_deck(sketch: Sketch, chosen: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Aircraft that take off from ships, by ship (P40-4.3.6, P40-4.5.3): the log keeps whose deck they left."""
    decks: dict[str, list[str]] = {}
    for unit_id in chosen:
        aboard = sketch.unit(unit_id).aboard
        if aboard is not None:
            decks.setdefault(aboard, []).append(unit_id)
    return list(decks.items())


def _may_fly(sketch: Sketch, unit: Unit, path: Sequence[str]) -> Refusal | None:
    """Whether one aircraft may go this way."""
    rules, kind = sketch.rules, sketch.board.units[unit.kind]
    refusal = may_still_move(sketch, unit)
    if refusal is not None:
        return refusal
    if trapped(sketch, unit):
        return refuse(
            rules,
            "damaged_deck",
            f"The carrier that this {kind.name.lower()} stands on is damaged: nothing takes off from it.",
            "Repair the carrier first.",
        )
    if unit.aboard is not None and _sailed(sketch, sketch.unit(unit.aboard)):
        return refuse(
            rules,
            "wing_sailed",
            f"This {kind.name.lower()} sailed with its carrier in this turn; it takes off before the carrier moves or "
            "not at all.",
        )
    if unit.mark(marks.JOB) is not None and sketch.phase == COMBAT:
        raids = unit.mark(marks.JOB) in (RAID, ESCORTING)
        task = "flies in the raid on" if raids else "has its task in"
        return refuse(
            rules,
            "raid_only" if raids else "one_move",
            f"This {kind.name.lower()} already {task} {sketch.name(unit.space)} and takes part in no other battle of "
            "this turn.",
        )
    if len(path) - 1 > sketch.points(unit) + end_bonus(rules, sketch.state, unit, path[-1]):
        return out_of_reach(sketch, unit, path)
    for space in path[1:-1]:
        closed = rules.judge("fly_over", sketch.state, sketch.power, unit, space)
        if isinstance(closed, Refusal):
            return closed
    end = path[-1]
    closed = rules.judge("closed_to", sketch.state, sketch.power, unit, end)
    if isinstance(closed, Refusal):
        return closed
    if sketch.phase == COMBAT:
        return _may_strike(sketch, end)
    return _may_land_there(sketch, unit, end)


def _sailed(sketch: Sketch, ship: Unit) -> bool:
    return ship.mark(marks.MOVED) == sketch.phase and ship.mark(marks.START) not in (None, ship.space)


def _may_strike(sketch: Sketch, end: str) -> Refusal | None:
    """Whether what lies at the end of a combat flight may be attacked, if it is an enemy's (P40-2.3.8)."""
    if not sketch.rules.judge("hostile_territory", sketch.state, sketch.power, end):
        return None
    refusal = sketch.rules.judge("may_attack", sketch.state, sketch.power, end)
    return refusal if isinstance(refusal, Refusal) else None


def _may_land_there(sketch: Sketch, unit: Unit, end: str) -> Refusal | None:
    """Whether an aircraft may end its noncombat flight here (P40-7.8, P40-7.15, P40-7.16)."""
    rules, kind, name = sketch.rules, sketch.board.units[unit.kind], sketch.name(end)
    if sketch.board.spaces[end].is_sea:
        if kind.can("carrier_capable"):
            return None
        return refuse(
            rules,
            "bomber_no_deck",
            f"A {kind.name.lower()} never lands on a carrier, so it cannot end its flight in {name}.",
            "Land it in a territory that was friendly when the turn began.",
        )
    if landing_place(rules, sketch.state, sketch.power, unit, end):
        return None
    if rules.judge("friendly_territory", sketch.state, sketch.power, end):
        reason = f"{name} was taken in this turn; aircraft land only where it was friendly when the turn began."
    else:
        reason = f"{name} is not friendly; aircraft land only in territory that was friendly when the turn began."
    return refuse(rules, "landing_place", reason, "Choose another landing place.")


# -- raids ------------------------------------------------------------------------------------------------------------


def _raid_target(sketch: Sketch, territory: str, purpose: str, target: str | None) -> Refusal | None:
    """Whether there is something to bomb in a territory (P40-6.2.1, P40-4.7.3)."""
    held = sketch.state.spaces.get(territory)
    name = sketch.name(territory)
    bombable = [kind for kind, _ in (held.facilities if held else ()) if sketch.board.units[kind].can("bombable")]
    if sketch.phase != COMBAT:
        return refuse(sketch.rules, "raiders", "Raids are flown in the combat move.", "Leave `noncombat:` out.")
    if not bombable or not sketch.rules.judge("hostile_territory", sketch.state, sketch.power, territory):
        return refuse(sketch.rules, "raiders", f"{name} holds no enemy facility to bomb.")
    if target is not None and facility_there(sketch.rules, sketch.state, territory, target) is None:
        there = ", ".join(sketch.board.units[kind].name for kind in bombable)
        return refuse(sketch.rules, "raiders", f"{name} has no {target} to bomb; it has: {there}.")
    return None


def facility_there(rules: RuleSet, state: State, territory: str, named: str) -> str | None:
    """The facility of that name in a territory; `industrial_complex` means the complex of either size."""
    held = state.spaces.get(territory)
    for kind, _ in held.facilities if held else ():
        if kind == named or (named == "industrial_complex" and rules.board.units[kind].can("produces_units")):
            return kind
    return None


def _may_raid(sketch: Sketch, unit: Unit, territory: str, purpose: str | None, target: str | None) -> Refusal | None:
    """Who may bomb what, and who may escort (P40-6.2.1, P40-1.3.6-1.3.8)."""
    if purpose not in (BOMB, ESCORT):
        return None
    rules, kind = sketch.rules, sketch.board.units[unit.kind]
    if purpose == ESCORT:
        if kind.can("escort"):
            return None
        return refuse(rules, "escorts", f"A {kind.name.lower()} cannot escort a raid in this campaign.")
    if kind.can("strategic_bombing"):
        return None
    if not kind.can("bombs_bases"):
        return refuse(rules, "raiders", f"A {kind.name.lower()} cannot bomb facilities.", "Send strategic bombers.")
    allowed = kind.data.get("bombing_targets", ())
    if target is not None:
        real = facility_there(rules, sketch.state, territory, target)
        if real in allowed:
            return None
    else:
        held = sketch.state.spaces.get(territory)
        if any(facility in allowed for facility, _ in (held.facilities if held else ())):
            return None
    return refuse(
        rules, "raiders", f"A {kind.name.lower()} raids air bases and naval bases only.", "Name a base to bomb."
    )
