"""To which sea zones submarines and ships may get out of a battle: facts of the position, without any decision."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle.model import Battle
from pbem.rules.battle.planning import sea_battle_due
from pbem.rules.query import is_air, is_ship
from pbem.rules.ruleset import RuleSet


def zones_for_attacker(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Where the attacker's ships, or his submarines alone, may go, in the order in which they came (CLA-6.9.4, 6.8.1).

    An adjacent zone, empty or friendly, from which attacking ships came; none with a battle of this turn (CLA-6.8.3),
    none behind a closed canal (CLA-5.8.3).
    """
    return tuple(
        zone
        for zone in battle.origins
        if zone in rules.board.seas_beside(battle.space)
        and not rules.judge("hostile_zone", state, battle.attacker, zone)
        and not battle_of_this_turn(rules, state, zone)
        and passage_open(rules, state, battle.attacker, battle.space, zone)
    )


def zones_for_defender(rules: RuleSet, state: State, battle: Battle, owner: str) -> tuple[str, ...]:
    """Where a defender's submarines may withdraw to, by name (CLA-6.8.2, CLA-6.8.3, CLA-5.8.3).

    An adjacent zone that holds no enemy ship and no enemy aircraft at that moment, and no battle of this turn.
    """
    zones = [
        zone
        for zone in rules.board.seas_beside(battle.space)
        if not any(state.at_war(owner, unit.owner) and at_sea(rules, unit) for unit in state.units_in(zone))
        and not battle_of_this_turn(rules, state, zone)
        and passage_open(rules, state, owner, battle.space, zone)
    ]
    return tuple(sorted(zones, key=lambda zone: rules.board.spaces[zone].name))


def at_sea(rules: RuleSet, unit: Unit) -> bool:
    """Whether a piece is a ship or an aircraft (units in a sea zone that are not cargo on land)."""
    return is_ship(rules, unit) or is_air(rules, unit)


def battle_of_this_turn(rules: RuleSet, state: State, zone: str) -> bool:
    """Whether a battle takes place or took place in a zone in this turn (CLA-6.8.3)."""
    if state.marks.get(marks.sea_battle(zone)):
        return True
    return state.power is not None and sea_battle_due(rules, state, state.power, zone)


def passage_open(rules: RuleSet, state: State, power: str, here: str, there: str) -> bool:
    """Whether no canal that was closed to the power's side when the turn began lies between two zones (CLA-5.8.3)."""
    return all(
        rules.judge("friendly_at_start", state, power, land)
        for canal in rules.board.canals
        if {here, there} == set(canal.between)
        for land in canal.controlled_by
    )
