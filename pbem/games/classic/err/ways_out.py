"""Which ways out of a land battle are open to each defending unit: quiet land, ships, embattled land, the air.

Facts of one moment, worked out for one power; the order of the last resorts is the rule set's (`err_last_resort`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.classic.err.terms import (
    ABOARD,
    ASHORE,
    FLY,
    LAND,
    Goes,
    army,
    by_name,
    free_places,
    is_embattled,
    is_quiet,
    reach,
    shores,
    size_afterwards,
    transports_in,
    unresolved_at_sea,
)
from pbem.rules.battle.model import DEFEND, Battle
from pbem.rules.query import can, is_air
from pbem.rules.ruleset import RuleSet

LIFTED = "lifted"
"""Note of a battle: for each transport the places from which units went ashore in this round."""


@dataclass(frozen=True, slots=True)
class Ferry:
    """A transport that could lift units: its zone, its places for infantry, where it can put them ashore."""

    ship: str
    owner: str
    zone: str
    room: int
    shores: tuple[str, ...]


@dataclass(frozen=True)
class WaysOut:
    """What is open to a power's units in a land battle.

    `quiet` and `embattled` are adjacent territories, `ferries` transports that may be used, `lands` what each aircraft
    may fly to, `refuges` embattled land that an aircraft may fly to where nothing quiet is in its reach. `army` are
    units that walk or board, `guns` those that may retreat with them. `choice` lets the owner choose between ships and
    embattled land.
    """

    army: tuple[Unit, ...]
    aircraft: tuple[Unit, ...]
    guns: tuple[Unit, ...]
    quiet: tuple[str, ...]
    embattled: tuple[str, ...]
    ferries: tuple[Ferry, ...]
    lands: Mapping[str, tuple[str, ...]]
    refuges: Mapping[str, tuple[str, ...]]
    choice: bool = False
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """Places for infantry aboard all ferries together."""
        return sum(ferry.room for ferry in self.ferries)

    @property
    def lifts_all(self) -> bool:
        """Whether there is room for the whole army."""
        return self.room >= sum(self.sizes[unit.id] for unit in self.army)

    def anything(self) -> bool:
        """Whether any unit has a way out."""
        on_foot = self.quiet or self.embattled
        walks = bool((self.army and (on_foot or self.room)) or (self.guns and on_foot))
        return walks or any(self.lands.values()) or any(self.refuges.values())


def ways_out(rules: RuleSet, state: State, battle: Battle, power: str, unwilling: Sequence[str] = ()) -> WaysOut:
    """The ways out of one power; `unwilling` are allies whose transports lift nobody (ERR-8.8)."""
    own = [unit for unit in battle.units(state, DEFEND) if unit.owner == power]
    walking = tuple(unit for unit in own if army(rules, unit))
    flying = tuple(unit for unit in own if is_air(rules, unit))
    near = rules.board.lands_beside(battle.space)
    active = battle.attacker
    quiet = by_name(rules, (land for land in near if is_quiet(rules, state, active, power, land)))
    embattled = by_name(rules, (land for land in near if is_embattled(rules, state, active, power, land)))
    lands = {unit.id: landing_places(rules, state, battle, power, unit, quiet) for unit in flying}
    return WaysOut(
        army=walking,
        aircraft=flying,
        guns=tuple(gun for gun in guns_free_to_go(rules, state, battle) if gun.owner == power),
        quiet=quiet,
        embattled=embattled,
        ferries=() if quiet else tuple(ferries(rules, state, battle, power, unwilling)),
        lands=lands,
        refuges={u.id: () if lands[u.id] else refuges(rules, state, battle, power, u) for u in flying},
        choice=rules.parameter("err_last_resort") == "choice",
        sizes={unit.id: size_afterwards(rules, unit) for unit in walking},
    )


def guns_free_to_go(rules: RuleSet, state: State, battle: Battle) -> tuple[Unit, ...]:
    """Guns of the defenders, where the option lets them retreat like infantry (ERR-6.8)."""
    if not rules.parameter("err_aa_retreat"):
        return ()
    here = (unit for unit in state.units_in(battle.space) if unit.aboard is None and can(rules, unit, "anti_air"))
    return tuple(unit for unit in here if state.at_war(battle.attacker, unit.owner))


# -- by ship ----------------------------------------------------------------------------------------------------------


def ferries(rules: RuleSet, state: State, battle: Battle, power: str, unwilling: Sequence[str] = ()) -> list[Ferry]:
    """Friendly transports with room in adjacent zones (ERR-8.1, ERR-8.3, ERR-8.6, ERR-8.8).

    Enemy ships beside them do not matter, an unresolved battle there does (ERR-8.9). Places from which another power
    went ashore in this round are open again after the next (ERR-8.5). Nobody refuses his ships to his own units.
    """
    lifted: Mapping[str, int] = battle.notes.get(LIFTED, {})
    found: list[Ferry] = []
    for zone in rules.board.seas_beside(battle.space):
        if unresolved_at_sea(rules, state, battle.attacker, zone):
            continue
        ashore = shores(rules, state, battle.attacker, power, zone, battle.space)
        for ship in transports_in(rules, state, power, zone):
            room = free_places(rules, state, ship) - lifted.get(ship.id, 0)
            if room > 0 and (ship.owner == power or ship.owner not in unwilling):
                found.append(Ferry(ship.id, ship.owner, zone, room, ashore))
    return found


# -- through the air --------------------------------------------------------------------------------------------------


def landing_places(
    rules: RuleSet, state: State, battle: Battle, power: str, unit: Unit, quiet: Sequence[str]
) -> tuple[str, ...]:
    """Where a defending aircraft may retreat to (ERR-7.1 to ERR-7.5, ERR-7.8): adjacent quiet land, else the closest.

    Closest means fewest steps within its range; among equals the owner's capital comes first, then names (ERR-D05).
    """
    if quiet:
        return _capital_first(rules, power, quiet)
    return _closest(rules, state, battle, power, unit, embattled=False)


def refuges(rules: RuleSet, state: State, battle: Battle, power: str, unit: Unit) -> tuple[str, ...]:
    """Embattled land that an aircraft may use when no quiet land is within its range, nearest first (ERR-7.5)."""
    return _closest(rules, state, battle, power, unit, embattled=True)


def _closest(
    rules: RuleSet, state: State, battle: Battle, power: str, unit: Unit, *, embattled: bool
) -> tuple[str, ...]:
    test = is_embattled if embattled else is_quiet
    far = reach(rules, state, unit)
    open_to = [
        space
        for space in far
        if space != battle.space
        and not rules.board.spaces[space].is_sea
        and test(rules, state, battle.attacker, power, space)
    ]
    if not open_to:
        return ()
    least = min(far[space] for space in open_to)
    return _capital_first(rules, power, [space for space in open_to if far[space] == least])


def _capital_first(rules: RuleSet, power: str, spaces: Sequence[str]) -> tuple[str, ...]:
    capital = rules.board.powers[power].capital
    return tuple(sorted(by_name(rules, spaces), key=lambda space: space != capital))


# -- whole plans ------------------------------------------------------------------------------------------------------


def places(ways: WaysOut) -> dict[str, tuple[Goes, ...]]:
    """For each unit every place it can go to in some legal plan (ERR-6.2 to ERR-6.4, ERR-7, ERR-8)."""
    found: dict[str, tuple[Goes, ...]] = {}
    for unit in ways.army:
        goes: list[Goes] = [Goes(unit.id, LAND, land) for land in ways.quiet]
        if not ways.quiet:
            goes += _by_ship(ways, unit)
            # Embattled land is open to a unit if no place aboard is left for it, which others may take up (ERR-6.7).
            if ways.choice or not ways.room or not ways.lifts_all:
                goes += [Goes(unit.id, LAND, land) for land in ways.embattled]
        found[unit.id] = tuple(goes)
    for unit in ways.guns:
        found[unit.id] = tuple(Goes(unit.id, LAND, land) for land in (ways.quiet or ways.embattled))
    for unit in ways.aircraft:
        found[unit.id] = tuple(Goes(unit.id, FLY, land) for land in (ways.lands[unit.id] or ways.refuges[unit.id]))
    return found


def _by_ship(ways: WaysOut, unit: Unit) -> list[Goes]:
    goes: list[Goes] = []
    for ferry in ways.ferries:
        if ferry.room >= ways.sizes[unit.id]:
            goes.append(Goes(unit.id, ABOARD, ferry.zone, ferry.ship))
            goes += [Goes(unit.id, ASHORE, land, ferry.ship) for land in ferry.shores]
    return goes


def offered(ways: WaysOut) -> list[dict[str, Any]]:
    """The options as the window shows them: by kind of unit the places, for ships also their room."""
    rows: dict[str, dict[str, Any]] = {}
    rooms = {ferry.ship: ferry.room for ferry in ways.ferries}
    zones = {ferry.ship: ferry.zone for ferry in ways.ferries}
    units = {unit.id: unit for unit in (*ways.army, *ways.guns, *ways.aircraft)}
    for unit_id, open_to in places(ways).items():
        kind = units[unit_id].kind
        row = rows.setdefault(kind, {"kind": kind, "count": 0, "to": []})
        row["count"] += 1
        for goes in open_to:
            said: dict[str, Any] = {"how": goes.how, "space": goes.to}
            if goes.ship is not None:
                said |= {"ship": goes.ship, "via": zones[goes.ship], "room": rooms[goes.ship]}
            if said not in row["to"]:
                row["to"].append(said)
    return list(rows.values())


def overfull(ways: WaysOut, plan: Sequence[Goes]) -> bool:
    """Whether a plan puts more aboard some ship than it has room for (ERR-8.3)."""
    used: dict[str, int] = {}
    for goes in plan:
        if goes.ship is not None:
            used[goes.ship] = used.get(goes.ship, 0) + ways.sizes[goes.unit]
    return any(used.get(ferry.ship, 0) > ferry.room for ferry in ways.ferries)


def joins_too_early(ways: WaysOut, plan: Sequence[Goes]) -> bool:
    """Whether a unit goes to embattled land while a place aboard is left for it (ERR-6.4, ERR-6.7)."""
    army = {unit.id for unit in ways.army}
    joining = [goes for goes in plan if goes.how == LAND and goes.unit in army and goes.to not in ways.quiet]
    if not joining or ways.choice or ways.quiet:
        return False
    used = sum(ways.sizes[goes.unit] for goes in plan if goes.ship is not None)
    return used < ways.room and any(ways.sizes[goes.unit] <= ways.room - used for goes in joining)


def left_by_choice(ways: WaysOut, plan: Sequence[Goes]) -> list[Unit]:
    """Units that a plan leaves behind although they must go with the rest (ERR-3.6).

    Nobody must go to embattled land (ERR-6.4); where there is not room aboard for all, any number may stay (ERR-8.4).
    """
    going = {goes.unit for goes in plan}
    must: list[Unit] = []
    if ways.quiet or (ways.ferries and ways.lifts_all):
        must += [unit for unit in ways.army if unit.id not in going]
    must += [unit for unit in ways.aircraft if unit.id not in going and ways.lands[unit.id]]
    return must
