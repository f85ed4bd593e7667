"""The retreat rules worked out anew by trying everything, on the maps of `small_world`.

What is legal is found here from the printed rules alone, with sets and a table of distances of its own, so that it can
be compared with what the game offers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from pbem.board.state import Unit
from pbem.rules import marks
from tests.games.classic.small_world import ATTACKER, FIELD, LANDS, SEAS, WATERS, World, allied

Way = tuple[str, str, str | None]
"""How a unit goes, where to, and the zone of the ship that takes it."""


def quiet(world: World, power: str, land: str) -> bool:
    """Friendly, and without a battle to come (ERR-2.1)."""
    return land not in SEAS and allied(power, world.holders[land]) and not world.embattled(land)


def ways_of(world: World, power: str, unit: Unit) -> list[Way]:
    """Anything whatever that one might think of for a defending unit."""
    if unit.kind in ("fighter", "bomber"):
        return [("fly", land, None) for land in LANDS]
    ways: list[Way] = [("land", land, None) for land in LANDS]
    for zone in SEAS:
        ways += [("aboard", zone, zone), *(("ashore", land, zone) for land in LANDS)]
    return ways


def plans(world: World, power: str) -> Iterator[dict[str, Way | None]]:
    """Every combination of ways for a power's units in the field; None stays."""
    own = [unit for unit in world.at(FIELD) if unit.owner == power]
    for ways in product(*([None, *ways_of(world, power, unit)] for unit in own)):
        yield dict(zip((unit.id for unit in own), ways, strict=True))


def is_legal(world: World, power: str, plan: Mapping[str, Way | None]) -> bool:
    """Whether a defender may retreat just so (ERR-3.6, 6.2 to 6.8, 7.1 to 7.6, 8.1 to 8.11)."""
    pieces = {unit.id: unit for unit in world.units}
    air = [uid for uid in plan if pieces[uid].kind in ("fighter", "bomber")]
    guns = [uid for uid in plan if pieces[uid].kind == "aa_gun"]
    army = [uid for uid in plan if uid not in air and uid not in guns]
    near = [land for land in world.lands(FIELD) if quiet(world, power, land)]
    room = {zone: places_aboard(world, power, zone) for zone in world.seas(FIELD)}
    lift = 0 if near else sum(room.values())
    shipped: dict[str, int] = {}
    for way in plan.values():
        if way is not None and way[2] is not None:
            shipped[way[2]] = shipped.get(way[2], 0) + 1
    left = lift - sum(shipped.values())
    strict = world.options["err_last_resort"] == "strict"
    for uid in (*army, *guns):
        way = plan[uid]
        if way is None:
            continue
        how, to, zone = way
        if uid in guns and (how != "land" or not world.options["err_aa_retreat"]):
            return False
        if how == "land":
            if to not in world.lands(FIELD) or not allied(power, world.holders[to]):
                return False
            if to not in near and (near or (uid in army and strict and left > 0)):
                return False
        elif (
            near
            or zone not in room
            or shipped[zone] > room[zone]
            or how == "ashore"
            and (to not in world.lands(zone) or not quiet(world, power, to))
        ):
            return False
    if any(plan[uid] is not None and plan[uid][1] not in flights(world, power, pieces[uid]) for uid in air):
        return False
    if all(way is None for way in plan.values()):
        return False
    if world.options["err_partial_retreat"]:
        return True
    if any(
        plan[uid] is None and any(quiet(world, power, to) for to in flights(world, power, pieces[uid])) for uid in air
    ):
        return False
    can_all = bool(near) or (bool(lift) and lift >= len(army))
    return not can_all or all(plan[uid] is not None for uid in army)


def places_aboard(world: World, power: str, zone: str) -> int:
    """Room for infantry aboard friendly transports of a zone without a battle to come (ERR-8.3, ERR-8.8, ERR-8.9)."""
    if zone in world.due:
        return 0
    room = 0
    for ship in world.at(zone):
        if ship.kind == "transport" and allied(power, ship.owner):
            cargo = [unit.kind for unit in world.units if unit.aboard == ship.id]
            places = {(): 2, ("infantry",): 1}.get(tuple(cargo), 0) - world.lifted.get(ship.id, 0)
            room += max(places, 0) if ship.owner == power or ship.owner not in world.unwilling else 0
    return room


def rescuers(world: World) -> set[str]:
    """Powers with transports of their own beside the field that have room, and no battle to come there."""
    zones = [zone for zone in world.seas(FIELD) if zone not in world.due]
    empty_enough = set()
    for ship in (ship for zone in zones for ship in world.at(zone) if ship.kind == "transport"):
        cargo = tuple(unit.kind for unit in world.units if unit.aboard == ship.id)
        if cargo in ((), ("infantry",)):
            empty_enough.add(ship.owner)
    return empty_enough


def flights(world: World, power: str, unit: Unit) -> set[str]:
    """Where an aircraft may go: beside the field if quiet, else the closest quiet, else the closest embattled land."""
    near = {land for land in world.lands(FIELD) if quiet(world, power, land)}
    if near:
        return near
    steps = world.steps(FIELD)
    friendly = [land for land in LANDS if allied(power, world.holders[land])]
    within = [land for land in friendly if steps.get(land, 99) <= range_of(world, unit)]
    for lands in ([x for x in within if quiet(world, power, x)], [x for x in within if world.embattled(x)]):
        if lands:
            return {land for land in lands if steps[land] == min(steps[other] for other in lands)}
    return set()


def range_of(world: World, unit: Unit) -> int:
    """4 and 6, with long-range aircraft 6 and 8 (ERR-7.2, ERR-7.7)."""
    return {"fighter": 4, "bomber": 6}[unit.kind] + (2 if unit.owner in world.far_flying else 0)


# -- the attacker on land ---------------------------------------------------------------------------------------------


def attack_plans(world: World, landed: tuple[str, ...]) -> Iterator[dict[str, Way | None]]:
    """Every combination of ways for the attackers in the field; None stays."""
    own = [unit for unit in world.at(FIELD) if unit.owner == ATTACKER]
    ways: list[list[Way | None]] = []
    for unit in own:
        if unit.kind == "fighter":
            ways.append([None, ("fly", FIELD, None)])
        elif unit.id not in landed:
            ways.append([None, *(("land", land, None) for land in LANDS)])
        else:
            ships = {ship.space for ship in world.units if ship.mark(marks.UNLOADED_TO) == FIELD}
            by_ship = [(how, to, zone) for zone in sorted(ships)
                       for how, to in (("aboard", zone), *(("ashore", land) for land in LANDS))]  # fmt: skip
            ways.append([None, *by_ship])
    for chosen in product(*ways):
        yield dict(zip((unit.id for unit in own), chosen, strict=True))


def attack_is_legal(world: World, landed: tuple[str, ...], plan: Mapping[str, Way | None]) -> bool:
    """Whether an attacker may retreat just so (ERR-3.6, ERR-4.1 to 4.15)."""
    pieces = {unit.id: unit for unit in world.units}
    free: dict[str, int] = {}
    for ship in world.units:
        if ship.mark(marks.UNLOADED_TO) == FIELD:
            room = 2 - sum(unit.mark("landed_by") == ship.id for unit in world.units)
            free[ship.space] = free.get(ship.space, 0) + room
    for uid, way in plan.items():
        if way is None:
            continue
        how, to, zone = way
        if how == "land" and (to not in world.lands(FIELD) or not allied(ATTACKER, world.holders[to])):
            return False
        if how == "ashore" and (to not in world.lands(zone or "") or not allied(ATTACKER, world.holders[to])):
            return False
        own_ship = pieces.get(pieces[uid].mark("landed_by", ""))
        if zone is not None and own_ship is not None and own_ship.space != zone:
            return False
        if zone is not None and own_ship is None:
            free[zone] -= 1
    if any(room < 0 for room in free.values()) or all(way is None for way in plan.values()):
        return False
    if world.options["err_partial_retreat"]:
        return True
    overland = any(allied(ATTACKER, world.holders[land]) for land in world.lands(FIELD))
    for uid, way in plan.items():
        if way is not None:
            continue
        if uid in landed:
            if pieces[uid].mark("landed_by") in pieces or any(free.values()):
                return False
        elif pieces[uid].kind == "fighter" or overland:
            return False
    return True


# -- at sea -----------------------------------------------------------------------------------------------------------


def zones_within_reach(world: World, power: str) -> set[str]:
    """Zones beside the bay, but for the gulf where a canal is closed to the power's side (ERR-9.1, 9.2, 9.6, 10.2)."""
    closed = world.canal and not all(allied(power, world.holders[land]) for land in world.canal)
    return world.beside("bay") & set(WATERS) - ({"gulf"} if closed else set())


def sea_plans(world: World, power: str) -> Iterator[dict[str, Way | None]]:
    """Every combination of ways for a power's units in the bay; None stays and fights."""
    own = [u for u in world.at("bay") if u.owner == power and (u.kind != "fighter" or power == ATTACKER)]
    ships: list[Way | None] = [None, ("break_off", "bay", None), *(("sea", zone, None) for zone in WATERS[1:])]
    ways = [[None, ("fly", "bay", None)] if unit.kind == "fighter" else ships for unit in own]
    for chosen in product(*ways):
        yield dict(zip((unit.id for unit in own), chosen, strict=True))


def leaves_the_bay(world: World, power: str, plan: Mapping[str, Way | None]) -> bool:
    """Whether a power may leave a battle at sea just so (ERR-3.6, ERR-9.1 to 9.9, ERR-10.1, ERR-10.2)."""
    open_to = zones_within_reach(world, power)
    goes = [way for way in plan.values() if way is not None]
    if not goes or any(how == "sea" and to not in open_to for how, to, _ in goes):
        return False
    return bool(world.options["err_partial_retreat"]) or len(goes) == len(plan)
