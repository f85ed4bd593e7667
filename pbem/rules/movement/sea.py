"""How ships sail: hostile zones end a move, submarines slip past all but destroyers, carriers launch before they go.

Both move phases. Which ships a line means when it names their cargo too is chosen here; loading is in `transports`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.air import fly
from pbem.rules.movement.carriers import launch_before_sailing, leaves_aircraft_behind
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.land import out_of_reach
from pbem.rules.movement.passages import canals_on, closed_passage
from pbem.rules.movement.paths import completed, move_all, travelled
from pbem.rules.movement.picks import resolve, split_by_domain
from pbem.rules.movement.points import end_bonus
from pbem.rules.movement.ready import COMBAT, may_still_move
from pbem.rules.movement.shipping import ships_with_cargo, unloading_to
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Pick
from pbem.rules.query import is_ship
from pbem.rules.ruleset import RuleSet


def hostile_zone(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether a sea zone holds a surface warship of a power at war with `power` (P40-1.2.4, P40-1.2.5).

    No other ships make a zone hostile, nor aircraft; nobody controls the sea (S42-1.3.6).
    """
    table = rules.board.units
    return any(
        table[unit.kind].can("surface_warship") and state.at_war(power, unit.owner) for unit in state.units_in(zone)
    )


def sail(sketch: Sketch, picks: Sequence[Pick], path: Sequence[str]) -> Refusal | tuple[str, ...]:
    """Ships go along a path of zones with all that is aboard (P40-4.4.1-4.4.4, 4.5.1; P40-7.5, P40-13-B8).

    Enemy submarines and transports stop nobody (P40-4.4.2); who leaves a hostile zone sails with all his movement, and
    a destroyer holds no submarine that leaves (P40-4.4.8).

    Submarines are ships like others at canals and where a move ends in a fight (S42-4.4.2 to 4.4.4); straits without a
    canal are open (S42-4.5.6), and so is what a battle has cleared (S42-7.1.5, S42-4.3.4).

    Aircraft named with them fly the same way by themselves (their own, P40-4.5.1) or ride (guests, P40-4.5.2); cargo
    that is named tells which transports are meant. Gives the ids of the ships.
    """
    whole = _course(sketch, picks, path)
    if isinstance(whole, Refusal):
        return whole
    ships = _ships_meant(sketch, picks, whole)
    if isinstance(ships, Refusal):
        return ships
    flying = tuple(pick for pick in split_by_domain(sketch.rules, picks)["air"] if pick.owner in (None, sketch.power))
    if flying:
        refusal = fly(sketch, flying, whole, None, None)
        if refusal is not None:
            return refusal
    for ship in ships:
        refusal = leaves_aircraft_behind(sketch, ship)
        if refusal is not None:
            return refusal
    for ship in ships:
        launch_before_sailing(sketch, ship)
    move_all(sketch, ships, whole, cites(sketch.rules, *_topics(sketch, whole)))
    return ships


def _topics(sketch: Sketch, course: Sequence[str]) -> list[str]:
    """What is special about a course: it leaves a hostile zone, slips through one or ends in one, passes a canal."""
    topics = ["start_in_hostile"] if course[0] in sketch.hostile else []
    if any(zone in sketch.hostile for zone in course[1:-1]):
        topics.append("slips_through")
    if sketch.phase != COMBAT and course[-1] in sketch.hostile:
        topics.append("rests_among_enemies")
    topics += [f"passes:{canal.name}" for canal in canals_on(sketch, course)]
    return topics


def _course(sketch: Sketch, picks: Sequence[Pick], path: Sequence[str]) -> tuple[str, ...] | Refusal:
    """The course where the line leaves zones out: no hostile ones, and past no enemy submarine if that is no detour.

    Submarines alone slip through hostile zones without a destroyer.
    """
    kinds = [pick.kind for pick in picks if pick.kind in sketch.board.units]
    if kinds and all(sketch.board.units[kind].can("passes_hostile_sea") for kind in kinds):
        return completed(
            sketch, path, lambda zone: sketch.board.spaces[zone].is_sea and zone not in sketch.destroyers, 6
        )
    usual = completed(sketch, path, lambda zone: _open_water(sketch, zone), 6)
    if isinstance(usual, Refusal) or len(usual) == len(path) or not sketch.submarines:
        return usual
    safe = completed(sketch, path, lambda zone: _open_water(sketch, zone) and zone not in sketch.submarines, 6)
    return usual if isinstance(safe, Refusal) or len(safe) > len(usual) else safe


def _ships_meant(sketch: Sketch, picks: Sequence[Pick], path: Sequence[str]) -> tuple[str, ...] | Refusal:
    """The ships of a line, those with the cargo that the line names first (`1 infantry, 1 transport A -> B`)."""
    domains = split_by_domain(sketch.rules, picks)
    riding = (*domains["land"], *(pick for pick in domains["air"] if pick.owner not in (None, sketch.power)))
    here = [unit for unit in sketch.here(path[0]) if is_ship(sketch.rules, unit)]

    def legal(unit: Unit) -> Refusal | None:
        return _may_sail(sketch, unit, path)

    if not riding:
        return resolve(
            sketch.rules,
            sketch.state,
            sketch.power,
            domains["sea"],
            path[0],
            legal,
            here,
            sketch.spent_first,
            _just_laden(sketch, here),
        )
    carriers = [pick for pick in domains["sea"] if pick.kind == "sea" or _carries(sketch, pick.kind)]
    others = [pick for pick in domains["sea"] if pick not in carriers]
    chosen = ships_with_cargo(sketch, carriers, riding, here, legal)
    if isinstance(chosen, Refusal):
        return chosen
    rest = resolve(sketch.rules, sketch.state, sketch.power, others, path[0], legal, here)
    if isinstance(rest, Refusal):
        return rest
    return (*chosen, *(ship for ship in rest if ship not in chosen))


def _just_laden(sketch: Sketch, here: Sequence[Unit]) -> list[str]:
    """The ships that took cargo in this phase: `load ...` and then `1 transport A -> B` means one of them."""
    return [ship.id for ship in here if any(unit.mark(marks.LOADED) == sketch.phase for unit in sketch.cargo(ship.id))]


def _carries(sketch: Sketch, kind: str) -> bool:
    table = sketch.board.units[kind]
    return bool(table.figure("transport_capacity") or table.figure("carrier_capacity"))


def _may_sail(sketch: Sketch, unit: Unit, path: Sequence[str]) -> Refusal | None:
    """Whether one ship may go this way."""
    rules = sketch.rules
    refusal = may_still_move(sketch, unit)
    if refusal is not None:
        return refusal
    unloaded = unloading_to(sketch.state, unit)
    if unloaded is not None:
        return refuse(
            rules,
            "after_unloading",
            f"This transport lands its cargo in {sketch.name(unloaded)} in this turn; after that it moves no more.",
        )
    if len(path) - 1 > sketch.points(unit) + end_bonus(rules, sketch.state, unit, path[-1]):
        return out_of_reach(sketch, unit, path)
    whole = travelled(sketch, unit, path)
    for here, there in zip(whole, whole[1:], strict=False):
        closed = closed_passage(sketch, here, there)
        if closed is not None:
            return closed
        refusal = rules.judge("closed_to", sketch.state, sketch.power, unit, there)
        if isinstance(refusal, Refusal):
            return refusal
    slips = sketch.can(unit, "passes_hostile_sea")
    for zone in whole[1:-1]:
        if slips and zone in sketch.destroyers:
            return refuse(
                rules,
                "submarine_stops" if sketch.phase != COMBAT else "submarine_passes",
                f"An enemy destroyer lies in {sketch.name(zone)}: a submarine that enters must stop there.",
                f"End the move in {sketch.name(zone)}, or go round it.",
            )
        if zone in sketch.hostile and not slips:
            return _stopped(sketch, zone)
    if sketch.phase != COMBAT and path[-1] in sketch.hostile and not slips:
        return _stopped(sketch, path[-1])
    return None


def _stopped(sketch: Sketch, zone: str) -> Refusal:
    if sketch.phase == COMBAT:
        ships = any(is_ship(sketch.rules, enemy) for enemy in sketch.enemies_in(zone))
        return refuse(
            sketch.rules,
            "ship_stops" if ships else "ship_stops_at_patrol",
            f"{sketch.name(zone)} is hostile: a ship that enters it must stop there and fight.",
            f"End the move in {sketch.name(zone)}, or go round it.",
        )
    enemies = sketch.rules.parameters.get("hostile_ships", "enemy surface warships")
    return refuse(
        sketch.rules,
        "ships_not_hostile",
        f"{sketch.name(zone)} is hostile; in the noncombat move ships do not enter zones with {enemies}.",
        "Go round it, or attack in the combat move.",
    )


def _open_water(sketch: Sketch, zone: str) -> bool:
    return sketch.board.spaces[zone].is_sea and zone not in sketch.hostile
