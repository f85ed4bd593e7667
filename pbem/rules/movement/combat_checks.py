"""What a combat move as a whole must satisfy: every move ends in a fight or in one of the named exceptions.

Asked of the planned position when all lines have been tried; a line that breaks one of these rules is taken out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.landing_room import homeless
from pbem.rules.movement.landings import (
    battle_may_arise,
    fighters_at_sea,
    landing_cargo,
    loose_enemies,
    may_bomb_here,
    may_fight_loose,
    own_warships,
    scramble_possible,
)
from pbem.rules.movement.planning import Done, Fault, ended_by
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Assign, Load, Move, Unload
from pbem.rules.query import is_air, is_land, is_ship

LATER = "If no fight is meant, move in the noncombat move: write `noncombat:` before the line."


def check_combat_move(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """All lines that break a rule of the whole phase, each with the first reason found.

    A rule set may ask for more with the judgement `move_faults` (sketch, lines), or drop the proof that all aircraft
    can land (parameter `landing_is_shown`).
    """
    faults: list[Fault] = []
    for line, units in ended_by(done):
        if not isinstance(line.filed.order, Move | Load | Unload | Assign):
            continue
        for unit_id in units:
            unit = sketch.state.units[unit_id]
            refusal = _of_unit(sketch, unit)
            if refusal is not None:
                faults.append(Fault(line.filed, refusal, _where(unit)))
                break
    if "move_faults" in sketch.rules.judgements:
        faults.extend(sketch.rules.judgements["move_faults"](sketch, done))
    if faults or not sketch.rules.parameters.get("landing_is_shown", True):
        return faults
    return list(_aircraft_without_landing(sketch, done))


def _where(unit: Unit) -> tuple[str, ...]:
    landing = unit.mark(marks.LANDING) or unit.mark(marks.UNLOADED_TO)
    return (unit.space, landing) if landing else (unit.space,)


def _of_unit(sketch: Sketch, unit: Unit) -> Refusal | None:
    if unit.mark(marks.MOVED) != COMBAT:
        return None
    if is_land(sketch.rules, unit):
        return _of_cargo(sketch, unit) if unit.aboard is not None else _of_land_unit(sketch, unit)
    if is_ship(sketch.rules, unit):
        return _of_ship(sketch, unit)
    if is_air(sketch.rules, unit):
        return _of_aircraft(sketch, unit)
    return None


# -- land units and cargo ---------------------------------------------------------------------------------------------


def _of_land_unit(sketch: Sketch, unit: Unit) -> Refusal | None:
    """A land unit ends in hostile territory, or has blitzed (P40-4.1.4, P40-4.1.5).

    Where the parameter `taken_land_is_entered` is set, also in land that was taken in passing (CLA-5.1.2, P40-4.1.2).
    """
    if sketch.rules.judge("hostile_territory", sketch.state, sketch.power, unit.space):
        return None
    if any(marks.taken(space) in sketch.state.marks for space in unit.mark(marks.VIA, ())):
        return None
    if sketch.rules.parameters.get("taken_land_is_entered") and marks.taken(unit.space) in sketch.state.marks:
        return None
    kind = sketch.board.units[unit.kind].name.lower()
    return refuse(
        sketch.rules,
        "must_fight",
        f"{sketch.name(unit.space)} is not hostile: this {kind} would end its combat move without a fight.",
        LATER,
    )


def _of_cargo(sketch: Sketch, unit: Unit) -> Refusal | None:
    """Cargo of this phase lands in this turn's assault (P40-4.6.6), well guarded (P40-4.6.9, 4.6.10, 6.12.5)."""
    territory = unit.mark(marks.LANDING)
    if territory is None:
        if unit.mark(marks.LOADED) != COMBAT:
            return None
        foreign_ship = sketch.unit(unit.aboard or "").owner != sketch.power
        if foreign_ship and sketch.rules.parameters.get("allied_boarding_any_time"):
            return None
        if "cargo_may_wait" in sketch.rules.judgements and sketch.rules.judge("cargo_may_wait", sketch.state, unit):
            return None
        kind = sketch.board.units[unit.kind].name.lower()
        among = unit.space in sketch.hostile and sketch.rules.parameters.get("loads_among_enemies")
        return refuse(
            sketch.rules,
            "load_hostile" if among else "cargo_must_land",
            f"This {kind} boards in the combat move, but no line lands it: cargo loaded now must take part in an "
            "assault of this turn.",
            "Add an `unload` line, or load in the noncombat move: write `noncombat:` before the line.",
        )
    zone = unit.space
    if zone in sketch.hostile and not _somebody_fights(sketch, zone):
        return _nobody_fights(sketch, zone)
    if zone in sketch.submarines and not _escorted(sketch, zone):
        return refuse(
            sketch.rules,
            "submarine_bars_landing",
            f"An enemy submarine lies in {sketch.name(zone)}: transports land there only beside a warship of yours.",
            "Send a warship or submarine to that zone too.",
        )
    ship = sketch.unit(unit.aboard or "")
    if (
        ship.owner != sketch.power
        and sketch.rules.parameters.get("guarded_landing_from_allies")
        and not own_warships(sketch, zone)
        and scramble_possible(sketch, zone, (territory,))
    ):
        return refuse(
            sketch.rules,
            "guarded_landing",
            f"Enemy aircraft may scramble into {sketch.name(zone)}, and you have no ship there to protect your ally's "
            "transport.",
        )
    return None


def _escorted(sketch: Sketch, zone: str) -> bool:
    """Whether a landing past enemy submarines has the escort that the rule set asks for (P40-4.6.9, S42-4.7.12).

    Parameter `submarine_escort`: `warship`, `unit` (anything with an attack value) or `off`; where surface warships
    must be fought first the sea battle decides. Other rule sets say whether they ask at all
    (`subs_block_unescorted_assault`).
    """
    wanted = sketch.rules.parameters.get("submarine_escort")
    if wanted is None:
        return not sketch.rules.parameters.get("subs_block_unescorted_assault") or bool(own_warships(sketch, zone))
    if wanted == "off" or zone in sketch.hostile:
        return True
    return bool(own_warships(sketch, zone) if wanted == "warship" else fighters_at_sea(sketch, zone))


# -- ships ------------------------------------------------------------------------------------------------------------


def _of_ship(sketch: Sketch, unit: Unit) -> Refusal | None:
    """A ship ends where there is a fight or an assault, or flees one (P40-4.1.4, P40-4.6.10, P40-2.3.9)."""
    zone = unit.space
    moved = unit.mark(marks.START) != zone or bool(unit.mark(marks.VIA))
    if moved:
        barred = sketch.rules.judge("may_end_in", sketch.state, sketch.power, unit, zone)
        if isinstance(barred, Refusal):
            return barred
    if zone in sketch.hostile:
        return None if _somebody_fights(sketch, zone) else _nobody_fights(sketch, zone)
    if not moved or landing_cargo(sketch, zone):
        return None
    if "has_business" in sketch.rules.judgements and sketch.rules.judge("has_business", sketch.state, unit):
        return None
    start = unit.mark(marks.START)
    fleeing = not sketch.rules.parameters.get("leaving_needs_combat")
    if fleeing and start is not None and battle_may_arise(sketch, start):
        return None
    if loose_enemies(sketch, zone):
        if may_fight_loose(sketch, zone) and fighters_at_sea(sketch, zone):
            return None
        if not fighters_at_sea(sketch, zone):
            return _nobody_fights(sketch, zone)
    kind = sketch.board.units[unit.kind].name.lower()
    return refuse(
        sketch.rules,
        "must_fight",
        f"This {kind} would end its combat move in {sketch.name(zone)} without a fight, an assault to cover, or a "
        f"battle to get away from.{_left_alone(sketch, zone)}",
        _or_attack(sketch, zone),
    )


def _left_alone(sketch: Sketch, zone: str) -> str:
    return " The enemies there are left alone unless you attack them." if loose_enemies(sketch, zone) else ""


def _or_attack(sketch: Sketch, zone: str) -> str:
    """What would be right where enemies lie that need not be fought: to say that they are attacked (S42-D07)."""
    return f"To fight, add `attack {sketch.name(zone)}`. {LATER}" if loose_enemies(sketch, zone) else LATER


def _somebody_fights(sketch: Sketch, zone: str) -> bool:
    """Whether own pieces in a zone can fight there; transports alone only if `transports_attack_alone` (CLA-6.4.6)."""
    return bool(sketch.rules.parameters.get("transports_attack_alone") or fighters_at_sea(sketch, zone))


def _nobody_fights(sketch: Sketch, zone: str) -> Refusal:
    return refuse(
        sketch.rules,
        "transports_need_attacker",
        f"Enemy ships lie in {sketch.name(zone)} and nothing of yours there has an attack value: transports do not "
        "attack alone.",
        "Send a warship or aircraft along.",
    )


# -- aircraft ---------------------------------------------------------------------------------------------------------


def _of_aircraft(sketch: Sketch, unit: Unit) -> Refusal | None:
    """Aircraft end where they will fight, and against something they can hit (P40-4.3.2, P40-4.3.7)."""
    if unit.mark(marks.JOB) is not None:
        return _of_raider(sketch, unit)
    if sketch.board.spaces[unit.space].is_sea:
        return _over_sea(sketch, unit)
    name = sketch.name(unit.space)
    kind = sketch.board.units[unit.kind].name.lower()
    if not sketch.rules.judge("hostile_territory", sketch.state, sketch.power, unit.space):
        return refuse(
            sketch.rules,
            "air_must_fight",
            f"{name} is not hostile: this {kind} would end its combat move without a fight.",
            LATER,
        )
    on_foot = any(is_land(sketch.rules, other) and other.aboard is None for other in sketch.own_in(unit.space))
    alone = not (on_foot or landing_cargo(sketch, territory=unit.space))
    if not alone and not sketch.rules.parameters.get("aircraft_need_enemies"):
        return None
    guns_count = bool(sketch.rules.parameters.get("lone_aa_destroyed_by_air"))
    if any(guns_count or not sketch.can(enemy, "anti_air") for enemy in sketch.enemies_in(unit.space)):
        return None
    if sketch.rules.parameters.get("bombers_raid_unasked") and may_bomb_here(sketch, unit):
        return None
    return refuse(
        sketch.rules,
        "nothing_to_hit",
        f"{name} holds nothing that aircraft {'alone ' if alone else ''}could hit"
        f"{', and no land unit of yours attacks it' if alone else ''}.",
        "Send a land unit along, or leave the aircraft where they are.",
    )


def _over_sea(sketch: Sketch, unit: Unit) -> Refusal | None:
    zone, kind = unit.space, sketch.board.units[unit.kind].name.lower()
    if zone in sketch.hostile:
        return None
    loose = loose_enemies(sketch, zone)
    if loose and may_fight_loose(sketch, zone):
        only_submarines = all(sketch.can(enemy, "air_needs_destroyer") for enemy in loose)
        if not only_submarines or fighters_at_sea(sketch, zone, ships_only=True):
            return None
        if sketch.rules.parameters.get("aircraft_may_face_submarines"):
            return None
        return refuse(
            sketch.rules,
            "nothing_to_hit",
            f"{sketch.name(zone)} holds only submarines, which aircraft alone cannot hit.",
            "Send a destroyer along.",
        )
    targets = {str(cargo.mark(marks.LANDING)) for cargo in landing_cargo(sketch, zone)}
    if targets and scramble_possible(sketch, zone, targets):
        return None
    why = "Nobody fights" if loose else "There is no enemy to fight"
    return refuse(
        sketch.rules,
        "air_must_fight",
        f"{why} in {sketch.name(zone)}: this {kind} would end its combat move without a fight."
        f"{_left_alone(sketch, zone)}",
        _or_attack(sketch, zone),
    )


def _of_raider(sketch: Sketch, unit: Unit) -> Refusal | None:
    """Escorts fly with a bomber (P40-4.7.3, P40-6.2.1)."""
    if unit.mark(marks.JOB) != "escort":
        return None
    if any(other.mark(marks.JOB) == "raid" for other in sketch.own_in(unit.space)):
        return None
    return refuse(sketch.rules, "raiders", f"No bomber raids {sketch.name(unit.space)}: there is nothing to escort.")


def _aircraft_without_landing(sketch: Sketch, done: Sequence[Done]) -> Iterator[Fault]:
    """Lines after which some aircraft could not land whatever the dice say (P40-4.3.4-4.3.6)."""
    moved_by = {
        unit_id: line
        for line in done
        for unit_id in line.units
        if is_air(sketch.rules, sketch.state.units[unit_id]) and sketch.state.units[unit_id].mark(marks.MOVED) == COMBAT
    }
    if not moved_by:
        return
    order = sorted(moved_by, key=lambda unit_id: done.index(moved_by[unit_id]))
    told: set[int] = set()
    for unit_id in homeless(sketch, order):
        line = moved_by.get(unit_id)
        if line is None or id(line) in told:
            continue
        told.add(id(line))
        unit = sketch.unit(unit_id)
        left = max(0, sketch.points(unit))
        kind = sketch.board.units[unit.kind].name.lower()
        yield Fault(
            line.filed,
            refuse(
                sketch.rules,
                "landing_shown",
                f"This {kind} would be over {sketch.name(unit.space)} with {left or 'no'} movement left and, whatever "
                "the dice say, no place to land.",
                "Send it no farther than a landing place or a free deck allows.",
            ),
        )
