"""Odds against many fights of the real battle code: twenty mixed battles on land and at sea."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import pytest

from pbem.games.catalog import rule_set
from pbem.odds.calculate import odds_of
from tests.odds.real import Arena, End, battle_between, fights

LAND = (
    ("2e", "4 infantry, 2 artillery, 2 tank, 2 fighter", "5 infantry, 1 artillery, 1 aa_gun, 1 fighter", ""),
    ("card", "3 infantry, 2 mech_infantry, 1 artillery, 2 fighter, 1 bomber", "4 infantry, 1 aa_gun, 1 tank", ""),
    ("1e", "6 infantry, 2 tank, 2 tac_bomber", "3 infantry, 2 tank, 1 fighter, 2 aa_gun", ""),
    ("2e", "5 infantry, 1 artillery, 2 fighter", "4 infantry, 2 artillery, 1 fighter", "1 battleship, 2 cruiser"),
    ("card", "4 infantry, 2 tank, 1 fighter", "5 infantry, 1 fighter, 1 aa_gun", "2 battleship"),
    ("1e", "3 infantry, 1 bomber, 1 fighter", "2 infantry, 1 aa_gun, 2 fighter", "1 cruiser, 1 battleship"),
    ("2e", "3 fighter, 2 bomber, 1 infantry", "3 aa_gun, 2 infantry", ""),
    ("2e", "12 infantry, 4 artillery, 4 tank", "14 infantry, 2 artillery, 2 tank, 1 fighter", ""),
)
SEA = (
    ("3 submarine, 1 destroyer, 2 fighter", "2 submarine, 2 destroyer, 1 cruiser"),
    ("4 fighter, 2 tac_bomber", "2 submarine, 1 carrier, 2 fighter, 1 transport"),
    ("2 submarine, 3 fighter", "3 submarine, 1 battleship, 2 transport"),
    ("1 battleship, 1 carrier, 2 fighter, 2 destroyer", "1 battleship, 1 carrier, 2 fighter, 1 destroyer"),
    ("2 battleship/damaged, 1 cruiser, 2 submarine", "1 carrier/damaged, 1 cruiser, 1 destroyer, 1 submarine"),
    ("1 carrier, 2 fighter, 2 transport, 1 destroyer", "2 submarine, 1 cruiser, 1 transport"),
    ("5 submarine", "2 destroyer, 1 carrier, 2 fighter"),
    ("5 submarine", "1 battleship, 1 carrier, 2 fighter, 2 transport"),
    ("2 bomber, 2 fighter, 1 destroyer", "4 submarine, 3 transport"),
    ("2 bomber, 2 fighter", "3 submarine, 1 destroyer, 2 transport"),
    ("3 destroyer, 3 cruiser, 2 carrier, 1 battleship, 4 fighter", "3 destroyer, 2 cruiser, 1 battleship, 2 carrier, "
     "3 fighter, 1 transport"),
    ("1 submarine, 1 battleship, 1 carrier, 1 fighter, 1 tac_bomber", "1 submarine, 1 battleship, 2 fighter"),
)  # fmt: skip
BATTLES = [(edition, attack, defend, bombard, False) for edition, attack, defend, bombard in LAND] + [
    (("card", "1e", "2e")[number % 3], attack, defend, "", True) for number, (attack, defend) in enumerate(SEA)
]
MOST_ERRORS = 4.5
"""So many standard errors are allowed: among several hundred figures none is expected to differ more."""


def within_error(found: float, sample: Sequence[float], name: str, most: float = 1.0) -> None:
    """The mean of a sample is as near to the exact value as chance allows.

    What is so rare that a sample may well miss it can move the mean by `most` for each time it was missed.
    """
    count = len(sample)
    mean = math.fsum(sample) / count
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in sample) / count)
    allowed = MOST_ERRORS * spread / math.sqrt(count) + 3 * most / count
    assert abs(mean - found) <= allowed, f"{name}: {mean} for {found}"


def compare(number: int, runs: int) -> None:
    edition, attack, defend, bombard, sea = BATTLES[number]
    rules = rule_set("p40", edition)
    state, battle = battle_between(rules, attack, defend, bombard=bombard, sea=sea)
    odds = odds_of(rules, state, battle)
    found = Arena(rules, state, battle).fights(number, runs)
    for name, result in (
        ("attacker_wins", "attacker"), ("defender_wins", "defender"), ("both_gone", "both_gone"),
        ("standoff", "standoff"),
    ):  # fmt: skip
        within_error(getattr(odds, name), [float(end.result == result) for end, _ in found], name)
    within_error(odds.rounds, [float(rounds) for _, rounds in found], "rounds")
    within_error(odds.attacker_loss_ipc, [float(end.attacker_loss) for end, _ in found], "attacker_loss_ipc", 100)
    within_error(odds.defender_loss_ipc, [float(end.defender_loss) for end, _ in found], "defender_loss_ipc", 100)
    for side in ("attacker", "defender"):
        counts = Counter(survivors(end, side) for end, _ in found)
        exact = {
            tuple(sorted((kind, n, row.damaged.get(kind, 0)) for kind, n in row.units.items())): row.probability
            for row in odds.survivors[side]
        }
        assert set(counts) <= set(exact)
        for left, chance in exact.items():
            error = math.sqrt(chance * (1 - chance) / runs)
            assert abs(counts[left] / runs - chance) <= MOST_ERRORS * error + 3 / runs, (side, left)


def survivors(end: End, side: str) -> tuple[tuple[str, int, int], ...]:
    left = getattr(end, side + "s")
    counts = Counter(kind for kind, _ in left)
    hurt = Counter(kind for kind, damage in left if damage)
    return tuple(sorted((kind, count, hurt[kind]) for kind, count in counts.items()))


@pytest.mark.parametrize("number", range(len(BATTLES)))
def test_five_thousand_fights(number: int) -> None:
    compare(number, 5_000)


@pytest.mark.long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("number", range(len(BATTLES)))
def test_a_hundred_thousand_fights(number: int) -> None:
    compare(number, 100_000)


@pytest.mark.parametrize("number", [0, 3, 9, 12])
def test_rounds_that_are_remembered_are_those_of_the_real_code(number: int) -> None:
    """The fights above skip rounds fought before with the same hits: the same seed gives the same fights without."""
    edition, attack, defend, bombard, sea = BATTLES[number]
    rules = rule_set("p40", edition)
    state, battle = battle_between(rules, attack, defend, bombard=bombard, sea=sea)
    assert Arena(rules, state, battle).fights(7, 150) == fights(rules, state, battle, 7, 150)
