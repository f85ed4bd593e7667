"""Odds in parts per million: the same integer everywhere, and what conditions of standing orders make of it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from pbem.campaign.play import begin
from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll
from pbem.games.catalog import rule_set
from pbem.odds.amounts import Floats, Fractions, Scaled
from pbem.odds.calculate import attacker_ppm, exact_odds_of, expected_between, odds_of, work_out
from pbem.odds.outcome import half_up, near_half
from pbem.odds.setting import Setting, Some
from pbem.orders.respond import StandingResponder
from pbem.rules.battle.model import WON
from pbem.rules.order_model import Condition, Retreat
from pbem.rules.position import position
from pbem.rules.ruleset import Segment
from pbem.rules.runner import Runner
from pbem.rules.script import Game
from pbem.rules.tape import Outcome, filed_line
from tests.odds.real import battle_between
from tests.odds.test_properties import LAND, forces, make_battle

RULES = rule_set("p40", "2e")


@pytest.mark.parametrize(
    ("chance", "parts"),
    [(Fraction(1, 128), 7813), (Fraction(3, 128), 23438), (Fraction(1, 3), 333333), (Fraction(2, 3), 666667)],
)
def test_halves_are_rounded_up(chance: Fraction, parts: int) -> None:
    assert half_up(Fraction(chance)) == parts


def test_floating_point_does_not_decide_near_a_boundary() -> None:
    assert near_half(7812.5e-6) and near_half(7812.5e-6 + 0.9e-9) and near_half(7812.5e-6 - 0.9e-9)
    assert not near_half(7812.5e-6 + 1.2e-9) and not near_half(0.25)


@given(forces(LAND, 2), forces(LAND, 2))
def test_parts_per_million_are_those_of_the_exact_fraction(attack: list[Some], defend: list[Some]) -> None:
    state, battle = make_battle(RULES, Setting(attack[:2], defend[:2]))
    assert attacker_ppm(RULES, state, battle) == half_up(exact_odds_of(RULES, state, battle)["attacker_wins"])


@pytest.mark.parametrize("sea", [False, True])
def test_integers_that_are_rounded_down_bound_the_exact_chance(sea: bool) -> None:
    forces_of = {
        False: ("2 infantry, 1 tank, 1 fighter", "2 infantry, 1 aa_gun"),
        True: ("1 submarine, 1 carrier, 1 fighter", "1 submarine, 1 battleship, 1 transport"),
    }
    state, battle = battle_between(RULES, *forces_of[sea], sea=sea)
    _, exact = work_out(Fractions(), RULES, state, battle, {})
    scaled = Scaled(128)
    _, bounds = work_out(scaled, RULES, state, battle, {})
    missing = 1 - Fraction(sum(int(ends.sum()) for ends in bounds.ends.values()), scaled.one)
    assert 0 <= missing < Fraction(1, 2**100)
    for ending, chances in exact.ends.items():
        if ending.result == WON:
            low = Fraction(int(bounds.ends[ending].sum()), scaled.one)
            assert low <= chances.sum() <= low + missing


def test_all_numbers_agree() -> None:
    state, battle = battle_between(RULES, "3 infantry, 1 artillery, 1 tac_bomber, 1 tank", "3 infantry, 1 fighter")
    odds, exact = odds_of(RULES, state, battle), exact_odds_of(RULES, state, battle)
    assert odds.attacker_wins == pytest.approx(float(exact["attacker_wins"]), abs=1e-14)
    assert Floats().value(odds.rounds) == pytest.approx(float(exact["rounds"]), abs=1e-13)


def test_a_battle_in_course_is_judged_by_the_units_left() -> None:
    """After losses, in the second round, nobody bombards or fires at aircraft again."""
    state, battle = battle_between(RULES, "2 infantry, 1 fighter", "1 infantry, 1 aa_gun", bombard="1 battleship")
    before = attacker_ppm(RULES, state, battle)
    battle.round = 1
    assert attacker_ppm(RULES, state, battle) != before
    battle.leave([battle.attackers[0]])
    later, fresh = battle_between(RULES, "1 infantry, 1 fighter", "1 infantry, 1 aa_gun")
    fresh.round = 1
    assert attacker_ppm(RULES, state, battle) == attacker_ppm(RULES, later, fresh)


def test_what_was_fired_before_the_first_round_is_not_counted_twice() -> None:
    state, battle = battle_between(RULES, "1 infantry, 1 fighter", "1 infantry, 1 aa_gun")
    with_guns = attacker_ppm(RULES, state, battle)
    battle.notes["opened"] = ["bombardment", "aa_fire"]
    assert attacker_ppm(RULES, state, battle) > with_guns


class OneRoundOfMisses:
    """Dice of which the first two volleys miss and all others hit."""

    def __init__(self) -> None:
        self.volleys = 0

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        self.volleys += 1
        faces = (6 if self.volleys <= 2 else 1,) * count
        return Roll(None, None, None, purpose.text(), dict(entropy), faces, "throwaway")


def fought(order: Retreat) -> Outcome:
    given_: dict[str, Any] = {
        "round": 2,
        "power": "japan",
        "phase": "conduct_combat",
        "relations": "war",
        "spaces": {
            "Yunnan": {"controller": "china", "units": {"china": {"infantry": 2}, "japan": {"infantry": 3}}},
            "Kwangsi": {"controller": "japan"},
        },
    }
    state = begin("odds", RULES, position(RULES, given_)).now
    infantry = [unit.id for unit in state.units_in("yunnan") if unit.owner == "japan"]

    def script(game: Game) -> None:
        line = filed_line(order, "retreat if odds")
        game.emit("standing_orders_given", {"power": "japan", "orders": [line]})
        game.emit("units_marked", {"units": infantry, "set": {"from": "kwangsi"}})
        game.emit("phase_begun", {"power": "japan", "phase": "conduct_combat"})
        game.run("conduct_combat")

    segment = Segment("r2.japan", 2, ("japan",), script)
    return Runner(
        "odds", RULES, segment, state, [], OneRoundOfMisses(), StandingResponder(), state.size
    ).execute()  # fmt: skip


@pytest.mark.parametrize(("parts", "retreats"), [(999_999, True), (1, False)])
def test_a_retreat_may_wait_for_odds(parts: int, retreats: bool) -> None:
    """Three infantry attack two and everybody misses; then the odds are those of three against two."""
    order = Retreat(None, when=Condition("lt", "odds", parts))
    outcome = fought(order)
    rows = [row for e in outcome.events if e.type == "decisions_taken" for row in e.payload["decisions"]]
    first = next(row for row in rows if row["kind"] == "retreat")
    state, battle = battle_between(RULES, "3 infantry", "2 infantry")
    chance = attacker_ppm(RULES, state, battle)
    if retreats:
        assert first["by"] == "standing" and first["odds"] == chance
        assert [e.payload["result"] for e in outcome.events if e.type == "battle_ended"] == ["retreat"]
    else:
        assert first["by"] == "default" and "odds" not in first


def test_what_a_whole_battle_is_expected_to_bring() -> None:
    setting = Setting([Some("infantry", 2), Some("tank", 1)], [Some("infantry", 2)])
    expected = expected_between(RULES, setting)
    exact = exact_odds_of(RULES, *make_battle(RULES, setting))
    assert expected is not None
    assert expected.attacker_hits == pytest.approx(float(exact["attacker_hits"]), abs=1e-12)
    assert expected.defender_loss_ipc == pytest.approx(float(exact["defender_loss_ipc"]), abs=1e-12)
    assert expected_between(RULES, Setting([Some("battleship", 1)], [Some("infantry", 1)])) is None
