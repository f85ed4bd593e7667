"""What holds for the odds of any battle, and for the assignment of any hits."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.board.state import Unit
from pbem.games.catalog import rule_set
from pbem.odds.aiming import Keys, aim_at, hit_keys
from pbem.odds.calculate import odds_of
from pbem.odds.force import HURT, WHOLE, make_force
from pbem.odds.setting import Setting, Some, make_battle
from pbem.rules.battle.firing import AIR, OTHER, SUBMARINE, Volley
from pbem.rules.battle.hits import DAMAGES, assign, places
from pbem.rules.battle.loss_orders import default_order
from pbem.rules.battle.model import ATTACK, DEFEND, other_side

EDITIONS = st.sampled_from(("card", "1e", "2e"))
LAND = ("infantry", "artillery", "mech_infantry", "tank", "fighter", "tac_bomber", "bomber")
SEA = ("battleship", "carrier", "cruiser", "destroyer", "submarine", "transport", "fighter", "tac_bomber")


def forces(kinds: tuple[str, ...], most: int = 3) -> st.SearchStrategy[list[Some]]:
    counts = st.dictionaries(st.sampled_from(kinds), st.integers(1, most), min_size=1, max_size=4)
    return counts.map(lambda found: [Some(kind, count) for kind, count in found.items()])


def sums_up(edition: str, setting: Setting) -> None:
    rules = rule_set("p40", edition)
    state, battle = make_battle(rules, setting)
    odds = odds_of(rules, state, battle)
    chances = (odds.attacker_wins, odds.defender_wins, odds.both_gone, odds.standoff)
    assert all(-1e-12 <= chance <= 1 + 1e-12 for chance in chances)
    assert math.isclose(math.fsum(chances), 1, abs_tol=1e-11)
    for side, rows in odds.survivors.items():
        assert math.isclose(math.fsum(row.probability for row in rows), 1, abs_tol=1e-11)
        worth = sum(
            row.probability * sum((rules.board.units[kind].cost or 0) * n for kind, n in row.units.items())
            for row in rows
        )
        there = battle.units(state, ATTACK if side == "attacker" else DEFEND)
        whole = sum(rules.board.units[unit.kind].cost or 0 for unit in there)
        loss = odds.attacker_loss_ipc if side == "attacker" else odds.defender_loss_ipc
        assert math.isclose(whole - worth, loss, abs_tol=1e-8)


@settings(max_examples=60)
@given(EDITIONS, forces(LAND), forces((*LAND, "aa_gun")), st.integers(0, 2))
def test_chances_of_land_battles_add_up(edition: str, attack: list[Some], defend: list[Some], ships: int) -> None:
    ground = any(lot.kind in LAND[:4] for lot in attack)
    bombard = (Some("battleship", ships),) if ships and ground else ()
    sums_up(edition, Setting(attack, defend, bombarding=bombard))


@settings(max_examples=60)
@given(EDITIONS, forces(SEA), forces(SEA))
def test_chances_of_sea_battles_add_up(edition: str, attack: list[Some], defend: list[Some]) -> None:
    sums_up(edition, Setting(attack, defend, sea=True))


@settings(max_examples=60)
@given(EDITIONS, forces(LAND[:4]), forces(LAND), st.sampled_from(LAND[:4]))
def test_one_more_attacker_never_lowers_the_chance_to_win(
    edition: str, attack: list[Some], defend: list[Some], more: str
) -> None:
    rules = rule_set("p40", edition)
    fewer = odds_of(rules, *make_battle(rules, Setting(attack, defend)))
    bigger = odds_of(rules, *make_battle(rules, Setting([*attack, Some(more, 1)], defend)))
    assert bigger.attacker_wins >= fewer.attacker_wins - 1e-12
    assert bigger.defender_loss_ipc >= fewer.defender_loss_ipc - 1e-9


@settings(max_examples=150)
@given(
    st.lists(st.tuples(st.sampled_from(SEA), st.booleans()), min_size=1, max_size=7),
    st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.booleans(), st.sampled_from((ATTACK, DEFEND)),
)  # fmt: skip
@example([("carrier", False), ("submarine", False)], 0, 2, 0, False, DEFEND)
def test_hits_fall_on_the_units_on_which_the_real_code_lets_them_fall(
    kinds: list[tuple[str, bool]], submarines: int, air: int, other: int, finds: bool, side: str
) -> None:
    rules = rule_set("p40", "2e")
    toughness = {kind: rules.board.units[kind].hits for kind in SEA}
    own = [Some(kind, 1, int(hurt and toughness[kind] > 1)) for kind, hurt in kinds]
    foes = [Some("destroyer", 1)]
    attack, defend = (own, foes) if side == ATTACK else (foes, own)
    state, battle = make_battle(rules, Setting(attack, defend, sea=True))
    volley = Volley(other_side(side), "any", finds_submarines=finds)
    counts = {SUBMARINE: submarines, AIR: air, OTHER: other}
    volley.hits = [("u0", category) for category, count in counts.items() for _ in range(count)]

    units: tuple[Unit, ...] = battle.units(state, side)
    offered = places(rules, units)
    damage = {unit.id: unit.damage for unit in units}
    gone: set[str] = set()
    order = default_order(rules, state, battle, side, offered)
    for place, _ in assign(rules, state, volley, order):
        if place.effect == DAMAGES:
            damage[place.unit] += 1
        else:
            gone.add(place.unit)
    expected = sorted((unit.kind, damage[unit.id]) for unit in units if unit.id not in gone)
    expected = [(kind, min(hurt, toughness[kind] - 1)) for kind, hurt in expected]

    force = make_force(rules, state, replace(battle), side, units)
    keys = Keys(force, 0)
    aim = aim_at(rules, force, counts, finds)
    hits = [0] * len(aim.sizes)
    for category, count in counts.items():
        if category in aim.group_of:
            hits[aim.group_of[category]] += count
    row = int(np.flatnonzero((aim.grid == np.array(hits, dtype=np.int64)).all(axis=1))[0])
    after = keys.states(hit_keys(force, keys, force.start[None], aim)[:, row])[0]
    found = []
    for stack, left in zip(force.stacks, after.tolist(), strict=True):
        found += [(stack.kind.id, 0)] * left[WHOLE] + [(stack.kind.id, 1)] * left[HURT]
    assert sorted(found) == sorted(expected)
