"""Odds against every throw there is: the real battle code run under all patterns of hits and misses, in fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.games.catalog import rule_set
from pbem.odds.calculate import exact_odds_of, odds_of
from pbem.odds.outcome import Odds
from tests.odds.real import Law, battle_between, law_of

LAND = (
    ("2 infantry, 1 tank", "2 infantry, 1 artillery", ""),
    ("1 infantry, 1 artillery, 1 fighter, 1 tac_bomber", "1 infantry, 1 fighter", ""),
    ("1 tac_bomber, 1 tank, 1 mech_infantry", "2 infantry, 1 tac_bomber", ""),
    ("1 infantry, 2 fighter, 1 bomber", "1 infantry, 1 aa_gun, 1 tank", ""),
    ("1 fighter, 1 bomber", "2 aa_gun", ""),
    ("2 infantry, 1 artillery", "2 infantry, 1 fighter", "1 battleship, 1 cruiser"),
    ("2 infantry, 1 fighter, 1 bomber", "1 infantry, 1 aa_gun, 1 fighter", "2 cruiser"),
    ("1 infantry", "1 fighter, 1 infantry", "1 battleship, 1 cruiser"),
)
SEA = (
    ("1 submarine, 1 fighter, 1 destroyer", "1 submarine, 1 destroyer, 1 transport"),
    ("1 submarine, 2 fighter", "1 submarine, 1 carrier, 1 fighter"),
    ("1 submarine, 1 battleship, 1 transport", "1 submarine, 1 cruiser, 1 transport"),
    ("2 submarine", "1 submarine, 1 battleship/damaged, 1 transport"),
    ("1 carrier, 1 fighter, 1 tac_bomber", "1 battleship, 1 destroyer"),
    ("2 submarine, 1 fighter", "1 fighter, 1 submarine, 1 transport"),
    ("1 battleship, 1 carrier, 1 fighter", "1 battleship, 1 submarine"),
    ("1 transport, 1 destroyer", "1 submarine, 1 transport"),
    ("3 fighter", "2 submarine, 1 destroyer, 1 transport"),
    ("1 carrier/damaged, 1 cruiser", "1 carrier, 1 fighter"),
)


def check(odds: Odds, exact: dict[str, Fraction], law: Law) -> None:
    """Fractions are equal, floating point is within 1e-12, the survivors' distributions too."""
    expected = {
        "attacker_wins": law.chance("attacker"),
        "defender_wins": law.chance("defender"),
        "both_gone": law.chance("both_gone"),
        "standoff": law.chance("standoff"),
        "rounds": law.rounds,
        "attacker_hits": law.hits["attack"],
        "defender_hits": law.hits["defend"],
        "attacker_loss_ipc": law.mean("attacker_loss"),
        "defender_loss_ipc": law.mean("defender_loss"),
    }
    assert exact == expected
    for name, value in expected.items():
        assert getattr(odds, name) == pytest.approx(float(value), abs=1e-12), name
    for side in ("attacker", "defender"):
        chances: dict[tuple[tuple[str, int, int], ...], Fraction] = {}
        for end, chance in law.ends.items():
            left = getattr(end, side + "s")
            key = tuple(
                sorted(
                    (kind, sum(1 for k, _ in left if k == kind), sum(1 for k, hurt in left if k == kind and hurt))
                    for kind in {kind for kind, _ in left}
                )
            )
            chances[key] = chances.get(key, Fraction(0)) + chance
        found = {
            tuple(sorted((kind, count, row.damaged.get(kind, 0)) for kind, count in row.units.items())): row.probability
            for row in odds.survivors[side]
        }
        assert found == {key: pytest.approx(float(chance), abs=1e-12) for key, chance in chances.items() if chance}


@pytest.mark.parametrize("edition", ["card", "1e", "2e"])
@pytest.mark.parametrize(("attack", "defend", "bombard"), LAND)
def test_land_battles(edition: str, attack: str, defend: str, bombard: str) -> None:
    rules = rule_set("p40", edition)
    state, battle = battle_between(rules, attack, defend, bombard=bombard)
    check(odds_of(rules, state, battle), exact_odds_of(rules, state, battle), law_of(rules, state, battle))


@pytest.mark.parametrize(("attack", "defend"), SEA)
def test_sea_battles(attack: str, defend: str) -> None:
    rules = rule_set("p40", "2e")
    state, battle = battle_between(rules, attack, defend, sea=True)
    check(odds_of(rules, state, battle), exact_odds_of(rules, state, battle), law_of(rules, state, battle))


def test_one_infantry_against_one() -> None:
    """In a round the attacker alone hits in 4 of 36 cases, the defender alone in 10, both in 2: 4 : 10 : 2."""
    rules = rule_set("p40", "1e")
    state, battle = battle_between(rules, "1 infantry", "1 infantry")
    found = exact_odds_of(rules, state, battle)
    assert [found[name] for name in ("attacker_wins", "defender_wins", "both_gone", "rounds")] == [
        Fraction(4, 16), Fraction(10, 16), Fraction(2, 16), Fraction(36, 16),
    ]  # fmt: skip


def test_submarines_decide_before_anybody_replies() -> None:
    """A submarine against a lone undamaged cruiser: its hit is final, else both go on: 1/3 : 2/3 * 1/2."""
    rules = rule_set("p40", "2e")
    state, battle = battle_between(rules, "1 submarine", "1 cruiser", sea=True)
    found = exact_odds_of(rules, state, battle)
    assert (found["attacker_wins"], found["defender_wins"]) == (Fraction(1, 2), Fraction(1, 2))
