"""The other games get their odds from their own figures and steps: against every throw of their real battle code."""

from __future__ import annotations

import pytest

from pbem.games.catalog import rule_set
from pbem.odds.calculate import exact_odds_of, odds_of
from pbem.odds.outcome import OddsUnknown
from pbem.rules.battle.model import BattleStep, before
from tests.odds.real import battle_between, law_of
from tests.odds.test_exact import check

GAMES = (("s42", ""), ("classic", "2e"), ("classic", "3e"), ("p01", ""))
LAND = (
    ("2 infantry, 1 tank, 1 fighter", "2 infantry, 1 tank", ""),
    ("1 infantry, 2 fighter", "1 infantry, 1 aa_gun, 1 fighter", ""),
    ("2 infantry, 1 tank", "2 infantry, 1 fighter", "1 battleship"),
)
SEA = (
    ("1 submarine, 1 battleship, 1 fighter", "1 submarine, 1 transport, 1 battleship"),
    ("2 submarine, 1 fighter", "1 carrier, 1 fighter, 1 submarine"),
    ("2 fighter", "1 submarine, 1 transport"),
    ("1 transport, 1 carrier, 1 fighter", "1 submarine, 1 battleship"),
)
DESTROYERS = (
    ("1 destroyer, 1 submarine, 1 fighter", "2 submarine, 1 transport"),
    ("1 destroyer, 1 battleship", "1 destroyer, 1 submarine, 1 fighter"),
    ("1 destroyer, 1 fighter, 1 bomber", "2 submarine, 1 destroyer"),
)


@pytest.mark.parametrize(("game", "edition"), GAMES)
@pytest.mark.parametrize(("attack", "defend", "bombard"), LAND)
def test_land_battles(game: str, edition: str, attack: str, defend: str, bombard: str) -> None:
    rules = rule_set(game, edition)
    state, battle = battle_between(rules, attack, defend, bombard=bombard)
    check(odds_of(rules, state, battle), exact_odds_of(rules, state, battle), law_of(rules, state, battle))


@pytest.mark.parametrize(
    ("game", "edition", "attack", "defend"),
    [(*game, *forces) for game in GAMES for forces in (*SEA, *(DESTROYERS if game[0] != "classic" else ()))],
)
def test_sea_battles(game: str, edition: str, attack: str, defend: str) -> None:
    rules = rule_set(game, edition)
    state, battle = battle_between(rules, attack, defend, sea=True)
    found, law = exact_odds_of(rules, state, battle), law_of(rules, state, battle)
    assert found["attacker_wins"] == law.chance("attacker")
    assert found["rounds"] == law.rounds
    assert (found["attacker_loss_ipc"], found["defender_loss_ipc"]) == (
        law.mean("attacker_loss"),
        law.mean("defender_loss"),
    )


def test_a_step_that_nobody_explains_makes_the_odds_unknown() -> None:
    rules = rule_set("p40", "2e")
    strange = BattleStep("strange", "Something strange", lambda game, battle: None)
    other = rules.but(battles={"land": before(rules.battles["land"], "attackers_fire", strange)})
    state, battle = battle_between(rules, "1 infantry", "1 infantry")
    with pytest.raises(OddsUnknown, match="'strange'"):
        odds_of(other, state, battle)
    assert other.judge("odds", state, battle) is None
    told = other.but(parameters={"odds_steps": {"strange": "nothing"}})
    assert told.judge("odds", state, battle) == 250_000
