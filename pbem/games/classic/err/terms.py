"""Terms of the retreat rules: quiet and embattled territory, unresolved battles, reach of aircraft, room aboard.

Facts of the position at one moment; the test is made anew at each decision (ERR-6.7).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbem.board.state import State, Unit
from pbem.games.classic.weapons import LONG_RANGE, LONGER_BY, has
from pbem.games.classic.withdrawal_zones import passage_open
from pbem.rules.battle.amphibious import landings
from pbem.rules.battle.land_battle import land_attackers
from pbem.rules.battle.model import Battle
from pbem.rules.battle.planning import sea_battle_due, sea_battle_fought
from pbem.rules.movement.shipping import is_transport
from pbem.rules.query import can, is_land
from pbem.rules.ruleset import RuleSet

LAND, FLY, ABOARD, ASHORE, SEA, BREAK_OFF = "land", "fly", "aboard", "ashore", "sea", "break_off"
"""How a unit leaves a battle: overland, by air, onto a ship, by ship onto land, to a zone, or staying there."""


class Goes(NamedTuple):
    """Where one unit goes: how, the space it comes to (its ship's zone for `aboard`), and the ship that carries it."""

    unit: str
    how: str
    to: str
    ship: str | None = None


def unresolved_on_land(rules: RuleSet, state: State, active: str, territory: str) -> bool:
    """Whether a battle created this turn for a territory is still to be fought (ERR-1.3.4).

    Attackers that stand there and have not fought, or cargo that is to land there, make one; the battle that is being
    fought is none of them, for its attackers have fought.
    """
    if territory in landings(state, active):
        return True
    if not rules.judge("hostile_territory", state, active, territory):
        return False
    return bool(land_attackers(rules, state, active, territory))


def unresolved_at_sea(rules: RuleSet, state: State, active: str, zone: str) -> bool:
    """Whether a sea battle of this turn is still to be fought in a zone (ERR-9.3, ERR-10.3)."""
    return not sea_battle_fought(state, zone) and sea_battle_due(rules, state, active, zone)


def friendly(rules: RuleSet, state: State, power: str, territory: str) -> bool:
    """Whether a territory is in own or allied hands at this moment (ERR-2.1, ERR-4.8)."""
    return bool(rules.judge("friendly_territory", state, power, territory))


def is_quiet(rules: RuleSet, state: State, active: str, power: str, territory: str) -> bool:
    """A friendly territory without an unresolved battle (ERR-2.1)."""
    return friendly(rules, state, power, territory) and not unresolved_on_land(rules, state, active, territory)


def is_embattled(rules: RuleSet, state: State, active: str, power: str, territory: str) -> bool:
    """A friendly territory with an unresolved battle (ERR-2.2)."""
    return friendly(rules, state, power, territory) and unresolved_on_land(rules, state, active, territory)


def by_name(rules: RuleSet, spaces: Iterable[str]) -> tuple[str, ...]:
    """Spaces by their names, each once."""
    return tuple(sorted(dict.fromkeys(spaces), key=lambda space: rules.board.spaces[space].name))


def army(rules: RuleSet, unit: Unit) -> bool:
    """Infantry, armor, artillery, marines: land units but for guns (ERR-2.3)."""
    return is_land(rules, unit) and not can(rules, unit, "anti_air")


def left_behind(rules: RuleSet, unit: Unit) -> bool:
    """Whether a unit leaves its heavy weapons behind when it boards a ship and becomes infantry (ERR-4.4, ERR-8.7).

    Tanks and artillery do; infantry stay infantry and marines marines.
    """
    return army(rules, unit) and unit.kind in ("tank", "artillery")


def size_afterwards(rules: RuleSet, unit: Unit) -> int:
    """Room that a unit takes aboard when its heavy weapons are left behind (ERR-8.3)."""
    kind = "infantry" if left_behind(rules, unit) else unit.kind
    return rules.board.units[kind].figure("transport_cost")


def free_places(rules: RuleSet, state: State, ship: Unit) -> int:
    """Room aboard a transport for infantry: 2 when empty, 1 beside one infantry, else 0 (ERR-8.3, CLA-5.9.1)."""
    table = rules.board.units
    used = sum(table[unit.kind].figure("transport_cost") for unit in state.cargo_of(ship.id))
    return max(0, table[ship.kind].figure("transport_capacity") - used)


def transports_in(rules: RuleSet, state: State, power: str, zone: str) -> list[Unit]:
    """Own and allied transports in a zone, own ones first, then in the order of their creation (ERR-8.1)."""
    ships = [
        unit
        for unit in state.units_in(zone)
        if is_transport(rules, unit) and rules.judge("allies", state, power, unit.owner)
    ]
    return sorted(ships, key=lambda ship: (ship.owner != power, int(ship.id[1:])))


def shores(rules: RuleSet, state: State, active: str, power: str, zone: str, battlefield: str) -> tuple[str, ...]:
    """Quiet territories beside a zone, where units may be put ashore at once (ERR-8.2), by name."""
    lands = (land for land in rules.board.lands_beside(zone) if land != battlefield)
    return by_name(rules, (land for land in lands if is_quiet(rules, state, active, power, land)))


def flight_range(rules: RuleSet, state: State, unit: Unit) -> int:
    """How far a retreating aircraft flies: 4 or 6, with long-range aircraft 6 or 8 (ERR-7.2, ERR-7.7)."""
    return rules.board.units[unit.kind].move + (LONGER_BY if has(state, unit.owner, LONG_RANGE) else 0)


def reach(rules: RuleSet, state: State, unit: Unit) -> dict[str, int]:
    """Every space within a retreating aircraft's range with its distance; it does not cross neutrals (ERR-7.3, 7.6)."""

    def open_to(space: str) -> bool:
        printed = rules.board.spaces[space]
        return printed.is_sea or state.controller(space) is not None

    return rules.board.reach(unit.space, open_to, flight_range(rules, state, unit))


def zones_open(rules: RuleSet, state: State, power: str, zone: str) -> tuple[str, ...]:
    """Adjacent zones, occupied or not, that no closed canal bars (ERR-9.1, 9.2, 9.6, 10.2), in the board's order."""
    return tuple(z for z in rules.board.seas_beside(zone) if passage_open(rules, state, power, zone, z))


def is_assault(battle: Battle) -> bool:
    """Whether units landed in a battle, also when they are lost by now (ERR-5.4)."""
    return bool(battle.landed or battle.zones)
