"""Sea zones of Pacific (2001): what makes one hostile, which ships it stops, and the bases that lengthen a move."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.board.units import AIR, SEA
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.points import best_base
from pbem.rules.query import can, is_ship
from pbem.rules.ruleset import RuleSet

COMBAT, NONCOMBAT = "combat_move", "noncombat_move"


def enemy_ships(rules: RuleSet, state: State, power: str, zone: str) -> list[Unit]:
    """Enemy naval units there that are not submerged (P01-1.6.7)."""
    return [
        unit
        for unit in state.units_in(zone)
        if state.at_war(power, unit.owner) and is_ship(rules, unit) and not unit.mark(marks.SUBMERGED)
    ]


def enemy_patrols(state: State, power: str, zone: str) -> list[Unit]:
    """Enemy fighters on combat air patrol there."""
    return [unit for unit in state.units_in(zone) if unit.mark(marks.CAP) and state.at_war(power, unit.owner)]


def hostile_zone(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether an enemy naval unit that is not submerged or an enemy patrol is there (P01-1.6.5, P01-1.6.6, P01-5.4.6).

    Transports and submarines count like any other ship.
    """
    for unit in state.units_in(zone):
        if not state.at_war(power, unit.owner) or unit.mark(marks.SUBMERGED):
            continue
        if unit.mark(marks.CAP) or is_ship(rules, unit):
            return True
    return False


def bars_submarines(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether a submarine that enters must stop: at ships, not at a patrol (P01-5.4.4, P01-5.4.5, P01-8.3.5).

    With the switch `sub_pass` only destroyers stop it.
    """
    ships = enemy_ships(rules, state, power, zone)
    if rules.parameter("submarines_pass_without_destroyer"):
        return any(can(rules, ship, "anti_submarine") for ship in ships)
    return bool(ships)


def may_end_in(rules: RuleSet, state: State, power: str, unit: Unit, zone: str) -> Refusal | None:
    """Submarines too keep out of zones with enemy ships in the noncombat move (P01-8.1.3); a patrol they ignore.

    With the switch `dd_carrier_fights` a destroyer that carries infantry goes where no battle is (P01-5.6.3).
    """
    if (
        rules.parameter("loaded_destroyers_shun_battle")
        and state.phase == COMBAT
        and can(rules, unit, "anti_submarine")
    ):
        laden = next(state.cargo_of(unit.id), None) is not None
        if laden and rules.judge("hostile_zone", state, power, zone):
            name = rules.board.spaces[zone].name
            return refuse(rules, "loaded_destroyer", f"This destroyer carries infantry and may not attack in {name}.")
    if state.phase != NONCOMBAT or not can(rules, unit, "submerge") or not enemy_ships(rules, state, power, zone):
        return None
    return refuse(
        rules,
        "ships_not_hostile",
        f"Enemy ships lie in {rules.board.spaces[zone].name}; in the noncombat move no ship enters such a zone.",
        "Attack in the combat move, or end elsewhere.",
    )


# -- how far a move goes ------------------------------------------------------------------------------------------


def movement_points(rules: RuleSet, state: State, unit: Unit) -> int:
    """Movement left: aircraft that began at an air base have one more, in both phases (P01-5.3.1, P01-5.3.2, 5.3.4).

    Ships have two (P01-5.4.1); naval bases give nothing in the combat move (P01-5.4.2).
    """
    kind = rules.board.units[unit.kind]
    points = kind.move - unit.spent
    if kind.domain != AIR:
        return points
    start = unit.mark(marks.START, unit.space)
    if start not in rules.board.spaces or rules.board.spaces[start].is_sea:
        return points
    return points + best_base(rules, state, unit.owner, start, "air_move_bonus")


def end_bonus(rules: RuleSet, state: State, unit: Unit, space: str) -> int:
    """One space more for aircraft that land at a base, and for ships that go from base to base.

    The air base must have been friendly since the turn began (P01-5.3.3, P01-5.3.4). A naval base serves in the
    noncombat move only, at both ends (P01-8.2.1); any Ally's serves all (P01-8.2.2), more along the way give nothing
    (P01-8.2.3), and the one at the end may have been taken in this turn (P01-8.2.4).
    """
    kind = rules.board.units[unit.kind]
    printed = rules.board.spaces[space]
    if kind.domain == AIR and not printed.is_sea:
        return best_base(rules, state, unit.owner, space, "air_move_bonus")
    if kind.domain != SEA or not printed.is_sea or state.phase != NONCOMBAT:
        return 0
    start = unit.mark(marks.START, unit.space)
    both = touches_naval_base(rules, state, unit.owner, start) and touches_naval_base(rules, state, unit.owner, space)
    return int(both)


def touches_naval_base(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether a zone lies beside a friendly naval base."""
    if zone not in rules.board.spaces:
        return False
    return any(
        rules.board.units[kind].can("sea_move_bonus")
        for land in rules.board.lands_beside(zone)
        if rules.judge("friendly_territory", state, power, land)
        for kind, _ in state.spaces[land].facilities
    )
