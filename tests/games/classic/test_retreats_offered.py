"""The retreats that Enhanced Realism's rules offer are exactly the legal ones: all combinations tried on small maps.

What is legal, and what comes of it, is worked out by brute force in `small_rules` and `small_outcomes`, which know
nothing of how the game does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.state import State
from pbem.dice.source import SeededThrowaway
from pbem.games.classic.err import assault_air, attack_land, defend_land, sea
from pbem.games.classic.err.defend_reading import read_lines
from pbem.games.classic.err.terms import Goes
from pbem.games.classic.err.ways_out import places, ways_out
from pbem.orders.respond import StandingResponder
from pbem.rules import marks
from pbem.rules.battle.model import ATTACK, DEFEND, WON
from pbem.rules.order_model import Order, Pick, Retreat, RetreatPart, to_json
from pbem.rules.ruleset import Segment
from pbem.rules.runner import Runner
from pbem.rules.script import Game
from tests.games.classic.small_outcomes import a_round_begins, asked_in_turn, carried_out, where_all_are
from tests.games.classic.small_rules import (
    Way,
    attack_is_legal,
    attack_plans,
    is_legal,
    leaves_the_bay,
    plans,
    sea_plans,
    zones_within_reach,
)
from tests.games.classic.small_world import (
    ATTACKER,
    DEFENDERS,
    FIELD,
    World,
    battle_at,
    rules_on,
    sea_worlds,
    state_of,
    worlds,
)

EXAMPLES = 60
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
        unwilling = sorted(world.unwilling)
        ways = ways_out(rules, state, battle, power, unwilling)

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
            answer, refused = read_lines(rules, state, battle, power, ways, unwilling, [line(FIELD, plan, kinds)])
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


# -- carried out, round after round ------------------------------------------------------------------------------------


def played(world: World, state: State, script: Callable[[Game], None], lines: Mapping[str, Sequence[Order]]) -> State:
    """The position after some steps of a battle, each power answering by these lines, as the service would run it."""
    filed = {
        power: (*state.standing.get(power, ()), *({"text": "line", "order": to_json(order)} for order in orders))
        for power, orders in lines.items()
    }
    outcome = Runner(
        campaign="small", rules=rules_on(world), segment_=Segment("r1.germany", 1, (ATTACKER,), script),
        state_=replace(state, standing={**state.standing, **filed}), tape=(), dice=SeededThrowaway(1),
        responder=StandingResponder(), next_seq=0, now=0,
    ).execute()  # fmt: skip
    assert outcome.finished and outcome.difference is None
    return outcome.state


@settings(deadline=None, max_examples=EXAMPLES)
@given(worlds(), st.data())
def test_defenders_round_after_round(world: World, data: st.DataObject) -> None:
    """ERR-3.7, 6.7, 8.3 to 8.8: two powers leave together, in parts, for three rounds, with the same transports."""
    state, battle = state_of(world), battle_at(world, FIELD, "land")
    consents = state.standing
    for number in range(1, 4):
        battle.round = number
        kinds = {unit.id: unit.kind for unit in world.units}
        lines: dict[str, list[Order]] = {}
        world = a_round_begins(world)
        for power in asked_in_turn(world, DEFENDERS):
            legal = [plan for plan in islice(plans(world, power), MANY) if is_legal(world, power, plan)]
            if legal and data.draw(st.booleans()):
                plan = data.draw(st.sampled_from(legal))
                lines[power] = [line(FIELD, plan, kinds)]
                world = carried_out(world, plan, power)
        state = replace(state, standing=consents)
        state = played(world, state, lambda game: defend_land.defenders_retreat(game, battle), lines)
        assert where_all_are(state.units) == where_all_are(world.units)
        left = {unit.id for unit in world.at(FIELD) if unit.owner in DEFENDERS and unit.kind != "aa_gun"}
        assert {unit.id for unit in battle.units(state, DEFEND)} == left
        assert (battle.result == WON) == (not left)
        if battle.result is not None:
            return


@settings(deadline=None, max_examples=EXAMPLES)
@given(worlds(), st.data())
def test_attackers_carried_out(world: World, data: st.DataObject) -> None:
    """ERR-4.2 to 4.14: who went where, heavy weapons abandoned, in a combined attack by land and sea."""
    landed = tuple(unit.id for unit in world.at(FIELD) if unit.mark("landed_by"))
    battle = battle_at(world, FIELD, "land", landed)
    fought = list(battle.attackers)
    kinds = {unit.id: unit.kind for unit in world.units}
    legal = [plan for plan in islice(attack_plans(world, landed), MANY) if attack_is_legal(world, landed, plan)]
    ashore = [plan for plan in legal if any(way is not None and way[0] != "fly" for way in plan.values())]
    plan = data.draw(st.sampled_from(ashore)) if ashore else dict.fromkeys(fought)
    lines = {ATTACKER: [said(FIELD, plan, kinds)]} if ashore else {}
    state = played(world, state_of(world), lambda game: attack_land.attackers_retreat(game, battle), lines)
    for uid, way in plan.items():
        how, to, _ = way or ("stays", FIELD, None)
        heavy = how in ("aboard", "ashore") and kinds[uid] == "tank"
        expected = ("infantry" if heavy else kinds[uid], FIELD if how == "fly" else to, how == "aboard")
        assert where_all_are(state.units)[uid] == expected
        assert (uid in battle.attackers) == (way is None)
    for ship in (unit for unit in state.units.values() if unit.kind == "transport"):
        cargo = [unit.kind for unit in state.cargo_of(ship.id)]
        assert cargo in ([], ["infantry"], ["tank"], ["infantry", "infantry"]), cargo
    assert (battle.result is not None) == (not battle.attackers)


@settings(deadline=None, max_examples=EXAMPLES)
@given(worlds(), st.data())
def test_aircraft_leave_an_assault(world: World, data: st.DataObject) -> None:
    """ERR-5.1 to 5.5: at the beginning of any round any aircraft, if units landed in that battle; nobody else."""
    landed = tuple(unit.id for unit in world.at(FIELD) if unit.mark("landed_by"))
    over = data.draw(st.booleans())  # whether the landed units are lost by now
    battle = battle_at(world, FIELD, "land", () if over else landed)
    if over:
        battle.attackers = [uid for uid in battle.attackers if uid not in landed]
    flying = [uid for uid in battle.attackers if uid in {u.id for u in world.units if u.kind == "fighter"}]
    going = [uid for uid in flying if data.draw(st.booleans())]
    battle.round = data.draw(st.integers(1, 3))
    fought = data.draw(st.sampled_from((battle.round - 1, battle.round - 1, 0, 1)))
    part = RetreatPart(tuple(Pick("fighter", 1, ids=(uid,)) for uid in going), None, "break_off")
    lines = {ATTACKER: [Retreat(FIELD, None, fought, (part,))]} if going else {}
    on_foot = any(uid not in flying for uid in battle.attackers)
    came_by_sea = any(unit.mark(marks.UNLOADED_TO) == FIELD for unit in world.units)
    played(world, state_of(world), lambda game: assault_air.aircraft_break_off(game, battle), lines)
    if not (landed and came_by_sea if over else landed):
        expected = set(flying)  # no assault, as far as anybody can tell: they stay with the others
    elif going and fought == battle.round - 1:
        expected = set(flying) - set(going)
    else:
        expected = set(flying) if on_foot else set()  # silent, they stay while land units live (ERR-D03)
    assert {uid for uid in battle.attackers if uid in flying} == expected


@settings(deadline=None, max_examples=EXAMPLES)
@given(sea_worlds(), st.data())
def test_ships_round_after_round(world: World, data: st.DataObject) -> None:
    """ERR-9.1, 10.1 to 10.10: ships go where they were told or break off, the attacker before the defenders."""
    battle = battle_at(world, "bay", "sea")
    attackers, defenders = list(battle.attackers), list(battle.defenders)
    kinds = {unit.id: unit.kind for unit in world.units}
    wanted: dict[str, dict[str, Way]] = {}
    for power in dict.fromkeys(unit.owner for unit in world.at("bay")):
        legal = [
            {uid: way for uid, way in plan.items() if way is not None}
            for plan in islice(sea_plans(world, power), MANY)
            if leaves_the_bay(world, power, plan)
        ]
        # Submarines alone have a moment of their own before this one.
        legal = [plan for plan in legal if any(kinds[uid] != "submarine" for uid in plan)]
        if legal and data.draw(st.booleans()):
            wanted[power] = data.draw(st.sampled_from(legal))
    lines = {power: [at_sea(plan, kinds)] for power, plan in wanted.items()}

    def script(game: Game) -> None:
        sea.attackers_retreat(game, battle)
        if battle.result is None:
            sea.defenders_retreat(game, battle)

    state = played(world, state_of(world), script, lines)
    attackers_left = set(attackers) - set(wanted.get(ATTACKER, ()))
    for power, plan in wanted.items():
        for uid, way in plan.items() if power == ATTACKER or attackers_left else ():
            assert state.units[uid].space == (way[1] if way[0] == "sea" else "bay")
            assert uid not in (*battle.attackers, *battle.defenders)
            if kinds[uid] == "carrier":
                assert len(list(state.cargo_of(uid))) <= 2
    gone = {power for power in wanted if power != ATTACKER and attackers_left}
    decks = [uid for power in gone for uid in wanted[power] if kinds[uid] == "carrier"]
    if any(len(list(state.cargo_of(deck))) < 2 for deck in decks):  # room was left: nobody flies without a deck
        assert not [uid for uid in defenders if kinds[uid] == "fighter" and state.units[uid].aboard is None]
    ships = [uid for uid in defenders if uid in battle.defenders and kinds[uid] != "fighter"]
    alone = [uid for uid in defenders if uid in battle.defenders and kinds[uid] == "fighter"]
    fighting = ships or any(state.units[uid].owner not in gone for uid in alone)
    assert (battle.result is None) == bool(attackers_left and fighting)
    assert fighting or not alone


def at_sea(plan: Mapping[str, Way], kinds: Mapping[str, str]) -> Retreat:
    """A plan of ships as a player would write it."""
    parts = []
    for uid, (how, to, _) in plan.items():
        said_how = (to,) if how == "sea" else (None, "break_off")
        parts.append(RetreatPart((Pick(kinds[uid], 1, ids=(uid,)),), *said_how))
    return Retreat("bay", parts=tuple(parts))
