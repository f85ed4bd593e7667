"""Odds with the advanced retreats of the classic game: those of who fights on, against every throw of the real code.

Artillery that fires first (option `err_artillery` = er2) is part of them; where it cannot be, the odds are unknown.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.catalog import rule_set
from pbem.odds.calculate import exact_odds_of, odds_of
from pbem.odds.outcome import OddsUnknown
from pbem.rules.ruleset import RuleSet
from tests.odds.real import battle_between, law_of
from tests.odds.test_exact import check
from tests.odds.test_other_games import SEA

LAND = (
    ("3 infantry, 1 tank", "2 infantry, 1 artillery", "", False),
    ("2 infantry, 1 artillery, 1 fighter", "2 infantry, 1 tank", "", False),
    ("2 infantry, 1 artillery, 1 fighter", "2 infantry, 1 fighter", "", True),
    ("2 infantry, 1 artillery", "1 infantry, 1 artillery", "", True),
    ("2 infantry, 1 artillery", "2 infantry, 1 artillery", "1 battleship", True),
)


def rules_with(edition: str = "2e", **options: Any) -> RuleSet:
    return rule_set("classic", edition, ("err",), options)


@pytest.mark.parametrize("artillery", ["unit", "er2"])
@pytest.mark.parametrize(("attack", "defend", "bombard", "lands"), LAND)
def test_land_battles(artillery: str, attack: str, defend: str, bombard: str, lands: bool) -> None:
    rules = rules_with(err_artillery=artillery)
    state, battle = battle_between(rules, attack, defend, bombard=bombard, amphibious=lands)
    check(odds_of(rules, state, battle), exact_odds_of(rules, state, battle), law_of(rules, state, battle))


@pytest.mark.parametrize("edition", ["2e", "3e"])
@pytest.mark.parametrize(("attack", "defend"), SEA)
def test_sea_battles(edition: str, attack: str, defend: str) -> None:
    rules = rules_with(edition)
    state, battle = battle_between(rules, attack, defend, sea=True)
    found, law = exact_odds_of(rules, state, battle), law_of(rules, state, battle)
    assert found["attacker_wins"] == law.chance("attacker")
    assert found["rounds"] == law.rounds


def test_artillery_fires_first() -> None:
    """One against one: the attacker hits before the other fires, at 2 of 6, then is fired at likewise (ERR-1.2.5)."""
    rules = rules_with(err_artillery="er2")
    state, battle = battle_between(rules, "1 artillery", "1 artillery")
    assert rules.judge("odds", state, battle) == 600_000


def test_artillery_that_lands_is_late() -> None:
    """In the first round of an assault it does not fire, and the defender's does (ERR-1.2.6): two thirds of 0.6."""
    rules = rules_with(err_artillery="er2")
    state, battle = battle_between(rules, "1 artillery", "1 artillery", amphibious=True)
    assert rules.judge("odds", state, battle) == 400_000


def test_artillery_against_land_units_with_aircraft_is_not_worked_out() -> None:
    """Its hits go to units on the ground only (ERR-1.2.7)."""
    rules = rules_with(err_artillery="er2")
    state, battle = battle_between(rules, "2 infantry, 1 fighter", "1 infantry, 1 artillery")
    with pytest.raises(OddsUnknown, match="artillery that fires at ground units"):
        odds_of(rules, state, battle)
    assert rules.judge("odds", state, battle) is None
    state, battle = battle_between(rules, "2 infantry, 1 fighter", "2 infantry")
    assert rules.judge("odds", state, battle) is not None
