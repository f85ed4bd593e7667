"""Odds in 1942 Second Edition against many fights of its real battle steps: a few battles that show its own rules."""

from __future__ import annotations

import pytest

from pbem.games.catalog import rule_set
from pbem.odds.calculate import odds_of
from tests.odds.real import Arena, battle_between
from tests.odds.test_against_battles import within_error

BATTLES = (
    ("4 infantry, 2 artillery, 2 tank, 1 fighter", "4 infantry, 1 aa_gun, 1 tank, 1 fighter, 1 bomber", "", False),
    ("3 infantry, 1 tank", "2 infantry, 1 aa_gun, 1 fighter", "1 battleship, 1 cruiser", False),
    ("2 submarine, 1 cruiser", "1 destroyer, 1 submarine, 1 transport", "", True),
    ("1 cruiser, 2 fighter", "2 submarine, 1 carrier, 1 fighter, 1 transport", "", True),
    ("1 battleship, 1 destroyer, 1 transport", "1 battleship, 1 submarine", "", True),
)


@pytest.mark.parametrize("number", range(len(BATTLES)))
def test_odds_are_those_of_the_battles(number: int) -> None:
    attack, defend, bombard, sea = BATTLES[number]
    rules = rule_set("s42")
    state, battle = battle_between(rules, attack, defend, bombard=bombard, sea=sea)
    odds = odds_of(rules, state, battle)
    found = Arena(rules, state, battle).fights(number, 1500)
    for name, result in (("attacker_wins", "attacker"), ("defender_wins", "defender"), ("standoff", "standoff")):
        within_error(getattr(odds, name), [float(end.result == result) for end, _ in found], name)
    within_error(odds.attacker_loss_ipc, [float(end.attacker_loss) for end, _ in found], "attacker_loss_ipc")
    within_error(odds.defender_loss_ipc, [float(end.defender_loss) for end, _ in found], "defender_loss_ipc")
