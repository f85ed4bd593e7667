"""Small maps of chance with a battle on them, and the retreat rules worked out anew by trying everything.

`Land` is one battle in the territory `field`; what is legal is found here from the printed rules alone, with sets and a
table of distances of its own, so that it can be compared with what the game offers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Any

from hypothesis import strategies as st

from pbem.board.map import board_from_facts
from pbem.board.state import SpaceState, State, Unit
from pbem.games.catalog import load_board, rule_set
from pbem.rules import marks
from pbem.rules.battle.model import Battle
from pbem.rules.order_model import Consent, to_json
from pbem.rules.ruleset import RuleSet

ATTACKER, DEFENDERS, SIDE = "germany", ("uk", "usa"), {"germany": "axis", "japan": "axis"}
FIELD, LANDS, SEAS = "field", ("east", "north", "west", "far"), ("bay", "gulf")
WATERS = ("bay", "gulf", "sound", "deep")
HOLDERS = ("uk", "usa", "ussr", "germany", "japan", None)
Way = tuple[str, str, str | None]
"""How a unit goes, where to, and the zone of the ship that takes it."""


def allied(a: str, b: str | None) -> bool:
    """Whether two powers are on one side."""
    return b is not None and SIDE.get(a, "allies") == SIDE.get(b, "allies")


@dataclass(frozen=True)
class World:
    """A map, who holds what, and what stands where; `due` are zones with a sea battle still to be fought.

    `unwilling` let no ally aboard their ships, `far_flying` have long-range aircraft; `lifted` counts for each ship the
    places from which somebody went ashore in this round.
    """

    borders: frozenset[frozenset[str]]
    holders: Mapping[str, str | None]
    units: tuple[Unit, ...]
    due: frozenset[str]
    over: frozenset[str]
    canal: tuple[str, ...]
    options: Mapping[str, Any]
    unwilling: frozenset[str] = frozenset()
    far_flying: frozenset[str] = frozenset()
    lifted: Mapping[str, int] = field(default_factory=dict)

    def beside(self, space: str) -> set[str]:
        """The neighbours of a space."""
        return {other for border in self.borders if space in border for other in border if other != space}

    def lands(self, space: str) -> set[str]:
        """Territories next to a space."""
        return self.beside(space) - set(WATERS)

    def seas(self, space: str) -> set[str]:
        """Zones next to a space."""
        return self.beside(space) & set(SEAS)

    def at(self, space: str) -> list[Unit]:
        """What stands in a space."""
        return [unit for unit in self.units if unit.space == space]

    def embattled(self, land: str) -> bool:
        """Whether Germans stand in enemy land, or are aboard to land there."""
        if any(unit.mark(marks.LANDING) == land for unit in self.units):
            return True
        return any(unit.owner == ATTACKER for unit in self.at(land)) and self.holders[land] not in (None, *SIDE)

    def steps(self, start: str) -> dict[str, int]:
        """Distances by air, not across neutrals."""
        far = {start: 0}
        for distance in range(1, 9):
            ring = {near for space in far for near in self.beside(space)} - set(far)
            far.update({s: distance for s in ring if s in SEAS or self.holders[s] is not None})
        return far


# -- as the game sees it ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def rules_of(options: tuple[tuple[str, Any], ...]) -> RuleSet:
    """The classic game with the variant and these options."""
    return rule_set("classic", "2e", ("err",), dict(options))


def rules_on(world: World) -> RuleSet:
    """The rules with the small map in place of the printed one."""
    rules = rules_of(tuple(sorted(world.options.items())))
    facts = load_board("classic", "2e").facts
    rows = []
    for space in dict.fromkeys((FIELD, *LANDS, *SEAS, *WATERS)):
        sea, holder = space in WATERS, world.holders.get(space)
        kind = "sea" if sea else "neutral" if holder is None else "land"
        rows.append({"id": space, "name": space.title(), "kind": kind, "original_owner": holder,
                     "start_controller": holder})  # fmt: skip
    canals = [{"name": "Canal", "between": ["bay", "gulf"], "controlled_by": list(world.canal)}] if world.canal else []
    powers = [{**row, "capital": None} for row in facts["powers"]]
    small = board_from_facts({**facts, "spaces": rows, "adjacency": [sorted(pair) for pair in world.borders],
                              "canals": canals, "setup": {}, "powers": powers})  # fmt: skip
    return rules.but(board=replace(small, units=rules.board.units))


def state_of(world: World) -> State:
    """The position."""
    relations = {
        "|".join(sorted((a, b))): "allied" if allied(a, b) else "war"
        for a in ("ussr", "germany", "uk", "japan", "usa")
        for b in ("ussr", "germany", "uk", "japan", "usa")
        if a < b
    }
    return State(
        round=1,
        power=ATTACKER,
        units={unit.id: unit for unit in world.units},
        spaces={space: SpaceState(holder) for space, holder in world.holders.items()},
        relations=relations,
        technologies=dict.fromkeys(sorted(world.far_flying), ("long_range_aircraft",)),
        marks={marks.sea_battle(zone): True for zone in world.over},
        standing={power: ({"text": "refuse evacuation", "order": to_json(Consent("evacuation", False))},)
                  for power in sorted(world.unwilling)},
    )  # fmt: skip


def battle_at(world: World, space: str, kind: str, landed: tuple[str, ...] = ()) -> Battle:
    """The battle after its first round."""
    here = [unit for unit in world.at(space) if unit.kind != "aa_gun" and (not unit.aboard or unit.kind == "fighter")]
    zones = tuple(sorted({u.space for u in world.units if u.mark(marks.UNLOADED_TO) == space}))
    return Battle(
        id="b1",
        kind=kind,
        space=space,
        attacker=ATTACKER,
        attackers=[unit.id for unit in here if unit.owner == ATTACKER],
        defenders=[unit.id for unit in here if unit.owner != ATTACKER],
        round=1,
        landed=list(landed),
        zones=zones,
    )


# -- what is on the table ---------------------------------------------------------------------------------------------


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Maps of a battlefield, four territories and two zones, with a few pieces on them."""
    spaces = (FIELD, *LANDS, *SEAS)
    pairs = [frozenset((a, b)) for i, a in enumerate(spaces) for b in spaces[i + 1 :]]
    borders = frozenset(pair for pair in pairs if draw(st.booleans()))
    holders: dict[str, str | None] = {FIELD: draw(st.sampled_from(("uk", "usa")))}
    holders |= {land: draw(st.sampled_from(HOLDERS)) for land in LANDS}
    pieces: list[Unit] = []

    def put(kind: str, owner: str, space: str, aboard: str | None = None, **noted: Any) -> str:
        pieces.append(Unit(f"u{len(pieces) + 1}", kind, owner, space, aboard, marks=tuple(sorted(noted.items()))))
        return pieces[-1].id

    for land in LANDS:
        if holders[land] is not None and not allied(ATTACKER, holders[land]) and draw(st.booleans()):
            put("infantry", ATTACKER, land)
    due, over = set(), set()
    for zone in SEAS:
        _fleet(draw, put, zone, due, over)
    kinds = st.sampled_from(("infantry", "infantry", "tank", "fighter", "bomber", "aa_gun"))
    for kind in draw(st.lists(kinds, min_size=1, max_size=4)):
        put(kind, draw(st.sampled_from(DEFENDERS)), FIELD)
    _attackers(draw, put, pieces)
    canal = tuple(draw(st.lists(st.sampled_from(LANDS), max_size=1)))
    options = {
        "err_last_resort": draw(st.sampled_from(("strict", "choice"))),
        **{name: draw(st.booleans()) for name in ("err_partial_retreat", "err_aa_retreat")},
    }
    some = st.frozensets(st.sampled_from(DEFENDERS))
    world = World(borders, holders, tuple(pieces), frozenset(due), frozenset(over), canal, options)
    return replace(world, unwilling=draw(some), far_flying=draw(some))


@st.composite
def sea_worlds(draw: st.DrawFn) -> World:
    """Maps of four zones, one passage of which may be a canal, with a battle in the bay."""
    pairs = [frozenset((a, b)) for i, a in enumerate(WATERS) for b in WATERS[i + 1 :]]
    borders = frozenset(pair for pair in pairs if draw(st.booleans()))
    holders = {FIELD: "uk"} | {land: draw(st.sampled_from(HOLDERS)) for land in LANDS}
    fleets = [(ATTACKER, ("submarine", "battleship", "fighter")), ("uk", ("submarine", "transport", "carrier"))]
    pieces: list[Unit] = []
    for owner, kinds in (*fleets, ("usa", ("submarine", "battleship"))):
        for kind in draw(st.lists(st.sampled_from(kinds), min_size=int(owner != "usa"), max_size=3)):
            pieces.append(Unit(f"u{len(pieces) + 1}", kind, owner, "bay"))
        pieces.append(Unit(f"u{len(pieces) + 1}", "transport", owner, draw(st.sampled_from(WATERS[1:]))))
    for deck in [*(unit.id for unit in pieces if unit.kind == "carrier"), None, None]:
        for owner in draw(st.lists(st.sampled_from(DEFENDERS), max_size=2 if deck else 1)):
            pieces.append(Unit(f"u{len(pieces) + 1}", "fighter", owner, "bay", deck))
    canal = tuple(draw(st.lists(st.sampled_from(LANDS), max_size=2)))
    options = {"err_partial_retreat": draw(st.booleans())}
    return World(borders, holders, tuple(pieces), frozenset(), frozenset(), canal, options)


def _fleet(draw: st.DrawFn, put: Any, zone: str, due: set[str], over: set[str]) -> None:
    """Transports with and without cargo, and Germans who came to fight them, have fought, or were there before."""
    for owner in draw(st.lists(st.sampled_from(DEFENDERS), max_size=2)):
        ship = put("transport", owner, zone)
        for kind in draw(st.sampled_from(((), (), ("infantry",), ("tank",), ("infantry", "infantry")))):
            put(kind, owner, zone, ship)
    germans = draw(st.sampled_from(("none", "none", "there", "came", "fought")))
    if germans in ("there", "came", "fought"):
        came: dict[str, Any] = {} if germans == "there" else {marks.MOVED: "combat_move", marks.START: "elsewhere"}
        put("submarine", ATTACKER, zone, **came)
    if germans == "came":
        due.add(zone)
    if germans == "fought":
        over.add(zone)
    if draw(st.integers(0, 5)) == 0:
        ship = put("transport", ATTACKER, zone)
        put("infantry", ATTACKER, zone, ship, **{marks.LANDING: draw(st.sampled_from(LANDS))})


def _attackers(draw: st.DrawFn, put: Any, pieces: list[Unit]) -> None:
    """Germans who came overland, by air, and from ships beside the field, some of which are gone."""
    for kind in draw(st.lists(st.sampled_from(("infantry", "tank", "fighter")), min_size=1, max_size=2)):
        put(kind, ATTACKER, FIELD)
    for zone in draw(st.lists(st.sampled_from(SEAS), max_size=2)):
        ship = put("transport", ATTACKER, zone, **{marks.UNLOADED_TO: FIELD})
        for kind in draw(st.sampled_from((("infantry",), ("tank",), ("infantry", "infantry")))):
            put(kind, ATTACKER, FIELD, landed_by=draw(st.sampled_from((ship, ship, ship, "gone"))))


# -- the rules once more ----------------------------------------------------------------------------------------------


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
