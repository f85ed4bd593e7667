"""The retreats that Enhanced Realism's rules offer are exactly the legal ones: all combinations tried on small maps."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from hypothesis import given, settings

from pbem.games.classic.err import attack_land, sea
from pbem.games.classic.err.defend_reading import read_lines
from pbem.games.classic.err.terms import Goes
from pbem.games.classic.err.ways_out import places, ways_out
from pbem.rules.battle.model import ATTACK, DEFEND
from pbem.rules.order_model import Pick, Retreat, RetreatPart
from tests.games.classic.small_world import (
    ATTACKER,
    DEFENDERS,
    FIELD,
    Way,
    World,
    attack_is_legal,
    attack_plans,
    battle_at,
    is_legal,
    leaves_the_bay,
    plans,
    rules_on,
    sea_plans,
    sea_worlds,
    state_of,
    worlds,
    zones_within_reach,
)

EXAMPLES = 80
"""Maps tried by each test; many more were when the rules were written down."""
MANY = 2000
"""Combinations tried on one map."""


def line(space: str, plan: Mapping[str, Way | None], kinds: Mapping[str, str]) -> Retreat:
    """A plan as a player would write it, unit by unit."""
    parts = []
    for uid, way in plan.items():
        if way is None:
            continue
        picks = (Pick(kinds[uid], 1, ids=(uid,)),)
        how, to, zone = way
        if zone is None:
            parts.append(RetreatPart(picks, to))
        else:
            parts.append(RetreatPart(picks, to if how == "ashore" else None, "evacuate", zone))
    return Retreat(space, parts=tuple(parts))


@settings(deadline=None, max_examples=EXAMPLES)
@given(worlds())
def test_defenders_on_land(world: World) -> None:
    """ERR-3.6, ERR-6.1 to 6.8, ERR-7.1 to 7.8, ERR-8.1 to 8.11: units one by one, and whole retreats."""
    rules, state = rules_on(world), state_of(world)
    battle = battle_at(world, FIELD, "land")
    zones = {unit.id: unit.space for unit in world.units}
    kinds = {unit.id: unit.kind for unit in world.units}
    for power in DEFENDERS:
        ways = ways_out(rules, state, battle, power)

        def plain(goes: Goes) -> Way:
            return goes.how, goes.to, zones[goes.ship] if goes.ship else None

        offered = {uid: {plain(goes) for goes in open_to} for uid, open_to in places(ways).items()}
        found: dict[str, set[Way]] = {uid: set() for uid in offered}
        tried = list(islice(plans(world, power), MANY + 1))
        if len(tried) > MANY:
            continue
        for plan in tried:
            legal = is_legal(world, power, plan)
            for uid, way in plan.items() if legal else ():
                if way is not None:
                    found.setdefault(uid, set()).add(way)
            if all(way is None for way in plan.values()) or len(tried) > 700:
                continue
            answer, refused = read_lines(rules, state, battle, power, ways, (), [line(FIELD, plan, kinds)])
            went = {row[0]: plain(Goes(*row)) for row in answer["goes"]}
            wanted = {uid: way for uid, way in plan.items() if way is not None}
            assert (went == wanted and not refused) == legal, (plan, answer, refused)
        assert offered == found


def said(space: str, plan: Mapping[str, Way | None], kinds: Mapping[str, str]) -> Retreat:
    """An attacker's plan as he would write it, unit by unit: aboard first, then ashore."""
    parts = []
    for uid, way in plan.items():
        if way is not None:
            how, to, zone = way
            said_how = {"land": None, "fly": "break_off"}.get(how, "re_embark")
            pick = Pick(kinds[uid], 1, ids=(uid,))
            parts.append(RetreatPart((pick,), to if how == "land" else None, said_how, zone))
    for uid, way in plan.items():
        if way is not None and way[0] == "ashore":
            parts.append(RetreatPart((Pick(kinds[uid], 1, ids=(uid,)),), way[1], "unload"))
    if any(way is not None and way[0] in ("aboard", "ashore") for way in plan.values()):
        parts.append(RetreatPart((Pick("landed", 0),), None, "unload"))
    return Retreat(space, parts=tuple(parts))


@settings(deadline=None, max_examples=EXAMPLES)
@given(worlds())
def test_attackers_on_land(world: World) -> None:
    """ERR-3.6, ERR-4.1 to 4.15: overland to friendly neighbours, landed ones aboard their ship and ashore again."""
    rules, state = rules_on(world), state_of(world)
    landed = tuple(unit.id for unit in world.at(FIELD) if unit.mark("landed_by"))
    battle = battle_at(world, FIELD, "land", landed)
    kinds = {unit.id: unit.kind for unit in world.units}
    zones = {unit.id: unit.space for unit in world.units}

    def plain(goes: Goes) -> Way:
        return goes.how, goes.to, zones[goes.ship] if goes.ship else None

    offered = {uid: {plain(g) for g in goes} for uid, goes in attack_land.places(rules, state, battle).items()}
    found: dict[str, set[Way]] = {uid: set() for uid in battle.attackers}
    tried = list(islice(attack_plans(world, landed), MANY + 1))
    for plan in tried:
        legal = attack_is_legal(world, landed, plan)
        for uid, way in plan.items():
            if legal and way is not None:
                found[uid].add(way)
        if all(way is None for way in plan.values()):
            continue
        answer, refused = attack_land.read(rules, state, battle, said(FIELD, plan, kinds))
        went = {} if answer is None else {row[0]: plain(Goes(*row)) for row in answer["goes"]}
        wanted = {uid: way for uid, way in plan.items() if way is not None}
        assert (went == wanted and not refused) == legal, (plan, answer, refused)
    assert offered == found or len(tried) > MANY


@settings(deadline=None, max_examples=EXAMPLES)
@given(sea_worlds())
def test_ships_of_both_sides(world: World) -> None:
    """ERR-3.6, ERR-9.1 to 9.9, ERR-10.1 and 10.2: any adjacent zone or breaking off, ship by ship, nobody left out."""
    rules, state = rules_on(world), state_of(world)
    battle = battle_at(world, "bay", "sea")
    kinds = {unit.id: unit.kind for unit in world.units}
    for power in dict.fromkeys(unit.owner for unit in world.at("bay")):
        side = ATTACK if power == ATTACKER else DEFEND
        open_to = sea.places(rules, state, battle, side, power)
        offered = {uid: {(goes.how, goes.to, None) for goes in ways} for uid, ways in open_to.items()}
        found: dict[str, set[Way]] = {uid: set() for uid in offered}
        for plan in sea_plans(world, power):
            legal = leaves_the_bay(world, power, plan)
            for uid, way in plan.items():
                if legal and way is not None:
                    found[uid].add(way)
            parts = tuple(
                RetreatPart(
                    (Pick(kinds[uid], 1, ids=(uid,)),), *((way[1],) if way[0] == "sea" else (None, "break_off"))
                )
                for uid, way in plan.items()
                if way is not None
            )
            if not parts:
                continue
            answer, refused = sea.read(rules, state, battle, side, power, Retreat("bay", parts=parts))
            went = {} if answer is None else {row[0]: (row[1], row[2], None) for row in answer["goes"]}
            wanted = {uid: way for uid, way in plan.items() if way is not None}
            assert (went == wanted and not refused) == legal, (plan, answer, refused)
        assert offered == found


@given(sea_worlds())
def test_submarines_that_leave_alone(world: World) -> None:
    """ERR-9.7 and ERR-10.8: any adjacent zone whatever lies there, or breaking off."""
    rules, state = rules_on(world), state_of(world)
    battle = battle_at(world, "bay", "sea")
    for power in dict.fromkeys(unit.owner for unit in world.at("bay") if unit.kind == "submarine"):
        side = ATTACK if power == ATTACKER else DEFEND
        offered = sea.withdrawal_places(rules, state, battle, side, power)
        assert set(offered) == {*zones_within_reach(world, power), "bay"}
        assert len(offered) == len(set(offered))
