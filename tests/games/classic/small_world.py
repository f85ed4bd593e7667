"""Small maps of chance with one battle on them: on land in the territory `field`, at sea in the zone `bay`.

What may be done there is worked out in `small_rules`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
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
