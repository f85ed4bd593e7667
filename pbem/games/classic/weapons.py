"""The six weapons of the classic game and what each of them does: values, dice, reach and prices."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle import values
from pbem.rules.battle.model import ATTACK, Battle
from pbem.rules.movement.points import movement_points as common_points
from pbem.rules.query import can, is_land
from pbem.rules.ruleset import RuleSet

JETS, ROCKETS, SUPER_SUBMARINES = "jet_power", "rockets", "super_submarines"
LONG_RANGE, INDUSTRY, HEAVY_BOMBERS = "long_range_aircraft", "industrial_technology", "heavy_bombers"

JET_DEFENSE = 5
SUPER_ATTACK = 3
LONGER_BY = 2
CHEAPER_BY = 1


def has(state: State, power: str, weapon: str) -> bool:
    """Whether a power has a weapon: for all its units and for good, and for nobody else (CLA-3.7)."""
    return weapon in state.technologies.get(power, ())


def attack_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
    """Attack values: super submarines 3 (CLA-3.10), marines that landed 2; allied guests fire nothing (CLA-6.7.8)."""
    present = list(units)
    found = values.attack_values(rules, state, battle, present)
    guests = battle.notes.get("guests", ())
    for unit in present:
        if unit.id in guests:
            found[unit.id] = 0
        elif unit.kind == "submarine" and has(state, unit.owner, SUPER_SUBMARINES):
            found[unit.id] = SUPER_ATTACK
        elif unit.id in battle.landed:
            found[unit.id] = rules.board.units[unit.kind].figure("landed_attack", found[unit.id])
    return found


def defense_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
    """Defence values by each owner's weapons: jets 5 (CLA-3.8, CLA-12.3), super submarines 2 or, by option, 3."""
    present = list(units)
    found = values.defense_values(rules, state, battle, present)
    for unit in present:
        if unit.kind == "fighter" and has(state, unit.owner, JETS):
            found[unit.id] = JET_DEFENSE
        elif unit.kind == "submarine" and has(state, unit.owner, SUPER_SUBMARINES):
            found[unit.id] += bool(rules.parameter("super_sub_defence"))
    return found


def dice_of(rules: RuleSet, state: State, battle: Battle, unit: Unit) -> int:
    """Heavy bombers roll three dice in attack, one in defence (CLA-3.13); all others one."""
    heavy = can(rules, unit, "strategic_bombing") and has(state, unit.owner, HEAVY_BOMBERS)
    return int(rules.parameter("heavy_bomber_dice")) if heavy and battle.side_of(unit.id) == ATTACK else 1


def movement_points(rules: RuleSet, state: State, unit: Unit) -> int:
    """Movement left: long-range aircraft have two points more (CLA-3.11)."""
    aircraft = rules.board.units[unit.kind].domain == "air"
    return common_points(rules, state, unit) + (LONGER_BY if aircraft and has(state, unit.owner, LONG_RANGE) else 0)


def unit_price(rules: RuleSet, state: State, power: str, item: str) -> int:
    """What an item costs a power: with industrial technology 1 IPC less (CLA-3.12)."""
    price = int(rules.board.units[item].cost or 0)
    return max(1, price - CHEAPER_BY) if has(state, power, INDUSTRY) else price


def gun_could_fire_rocket(rules: RuleSet, state: State, power: str, gun: Unit) -> bool:
    """Whether a gun may be used as a rocket: own, ashore, held since the turn began (CLA-3.9, CLA-6.2.9)."""
    return (
        gun.owner == power
        and gun.aboard is None
        and is_land(rules, gun)
        and can(rules, gun, "rockets_with_tech")
        and not gun.mark(marks.CAPTURED)
    )
