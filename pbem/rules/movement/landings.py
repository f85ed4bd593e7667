"""Amphibious assaults as they stand while combat moves are planned: who lands where, from which zone, under what guard.

Plain questions about the sketch; battles read the same marks later.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.movement.points import operative
from pbem.rules.movement.sketch import Sketch
from pbem.rules.query import is_ship


def landing_cargo(sketch: Sketch, zone: str | None = None, territory: str | None = None) -> list[Unit]:
    """Own cargo told to storm ashore, from a zone or into a territory if these are given."""
    return [
        unit
        for unit in sketch.state.units.values()
        if unit.owner == sketch.power
        and unit.mark(marks.LANDING) is not None
        and (zone is None or unit.space == zone)
        and (territory is None or unit.mark(marks.LANDING) == territory)
    ]


def fighters_at_sea(sketch: Sketch, zone: str, *, ships_only: bool = False) -> list[Unit]:
    """Own pieces in a zone with an attack value (P40-4.4.6, P40-4.6.10), aircraft on own carriers among them."""
    return [
        unit
        for unit in sketch.own_in(zone)
        if sketch.board.units[unit.kind].attack > 0
        and unit.mark(marks.TASK) != "quiet"
        and (is_ship(sketch.rules, unit) or (not ships_only and sketch.board.units[unit.kind].domain == "air"))
    ]


def own_warships(sketch: Sketch, zone: str) -> list[Unit]:
    """Own surface warships and submarines in a zone (P40-1.2.4)."""
    return [
        unit
        for unit in sketch.own_in(zone)
        if is_ship(sketch.rules, unit) and not sketch.can(unit, "carries_land_units")
    ]


def bombarders_in(sketch: Sketch, zone: str) -> list[Unit]:
    """Own ships in a zone that can bombard (P40-6.3.4)."""
    ships = [unit for unit in sketch.own_in(zone) if sketch.can(unit, "shore_bombard")]
    if "may_bombard" not in sketch.rules.judgements:
        return ships
    return [unit for unit in ships if sketch.rules.judge("may_bombard", sketch.state, unit)]


def may_bomb_here(sketch: Sketch, unit: Unit) -> bool:
    """Whether a bomber is over an enemy facility that it could raid (S42-D04)."""
    held = sketch.state.spaces.get(unit.space)
    targets = any(sketch.board.units[kind].can("bombable") for kind, _ in (held.facilities if held else ()))
    hostile = sketch.rules.judge("hostile_territory", sketch.state, sketch.power, unit.space)
    return bool(targets and hostile and sketch.can(unit, "strategic_bombing"))


def loose_enemies(sketch: Sketch, zone: str) -> list[Unit]:
    """Enemy ships in a zone without enemy surface warships: they may be attacked or ignored (P40-4.4.5)."""
    if zone in sketch.hostile:
        return []
    return [unit for unit in sketch.enemies_in(zone) if is_ship(sketch.rules, unit) and not unit.mark(marks.SUBMERGED)]


def attacked_by_default(sketch: Sketch, zone: str) -> bool:
    """Whether enemies that may be ignored are attacked when nobody says so (P40-DP-07).

    They are, unless units land there under bombardment or with nobody to fight. Where the parameter `silent_intent` is
    `destroyer`, submarines are attacked only by a destroyer and from no zone where units land (S42-D07).
    """
    landing = landing_cargo(sketch, zone)
    careful = sketch.rules.parameters.get("silent_intent") == "destroyer"
    if careful and any(sketch.can(enemy, "submerge") for enemy in loose_enemies(sketch, zone)):
        return not landing and any(sketch.can(unit, "anti_submarine") for unit in sketch.own_in(zone))
    return not landing or (bool(fighters_at_sea(sketch, zone)) and not _bombards(sketch, zone, landing))


def may_fight_loose(sketch: Sketch, zone: str) -> bool:
    """Whether a battle with enemies that may be ignored can come of what was ordered."""
    intent = sketch.state.marks.get(marks.intent(zone))
    if intent is not None or sketch.rules.parameters.get("silent_intent") != "destroyer":
        return bool(intent != "ignore")
    return attacked_by_default(sketch, zone)


def _bombards(sketch: Sketch, zone: str, landing: Iterable[Unit]) -> bool:
    if not bombarders_in(sketch, zone):
        return False
    targets = dict.fromkeys(str(unit.mark(marks.LANDING)) for unit in landing)
    return any(sketch.state.marks.get(marks.bombarders(target)) != [] for target in targets)


def scramble_possible(sketch: Sketch, zone: str, targets: Iterable[str]) -> bool:
    """Whether an enemy could scramble into a zone because of landings in `targets` (P40-5.2.1, P40-5.2.2).

    Parameters: `scramble_from` is `islands` or `any`; `scramble_any_assault_in_zone` says whether a landing elsewhere
    from the zone suffices.
    """
    parameters = sketch.rules.parameters
    islands_only = parameters.get("scramble_from", "none") == "islands"
    if parameters.get("scramble_from", "none") == "none":
        return False
    wanted = set(targets)
    any_assault = bool(parameters.get("scramble_any_assault_in_zone"))
    for land in sketch.board.lands_beside(zone):
        if islands_only and not sketch.board.spaces[land].island:
            continue
        if not any_assault and land not in wanted:
            continue
        held = sketch.state.spaces.get(land)
        bases = [
            kind
            for kind, damage in (held.facilities if held else ())
            if sketch.board.units[kind].can("enables_scramble") and operative(sketch.rules, kind, damage)
        ]
        if bases and any(sketch.can(unit, "scramble") for unit in sketch.enemies_in(land)):
            return True
    return False


def battle_may_arise(sketch: Sketch, zone: str) -> bool:
    """Whether own ships would be in a battle if they stayed in a zone (P40-4.1.4)."""
    intent = sketch.state.marks.get(marks.intent(zone))
    if zone in sketch.hostile or intent == "attack":
        return True
    came = any(unit.mark(marks.MOVED) == sketch.phase for unit in fighters_at_sea(sketch, zone))
    if intent is None and came and loose_enemies(sketch, zone) and may_fight_loose(sketch, zone):
        return True
    cargo = landing_cargo(sketch, zone)
    return bool(cargo) and scramble_possible(sketch, zone, {str(unit.mark(marks.LANDING)) for unit in cargo})
