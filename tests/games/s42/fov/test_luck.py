"""Luck in reports counts the dice as they counted: with the values and the dice that cards in play give."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case
from pbem.board.evolve import fold
from pbem.games.catalog import rule_set
from pbem.report.model import Die, Luck
from pbem.report.tell import tell

CASES = {
    row["id"]: row
    for file in (Path(__file__).parent / "cases").glob("*.jsonl")
    for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())
}


def luck_of(case: str) -> tuple[Luck, Luck]:
    """The attacker's and the defender's luck in the one battle of a case, as its report tells it."""
    verdict = run_case(case_from_json(CASES[case]))
    assert verdict.differences == ()
    rules = rule_set("s42", variants=("fov",), options=CASES[case].get("options", {}))
    after = fold(verdict.start, verdict.events)
    report = tell(case, rules.board, verdict.start, verdict.events, after)
    return report.battles[0].luck


BETTER_OF_TWO = 6 - 6 * Fraction(2, 6) ** 2
"""Sixths of a hit that the better of two dice at 4 owes."""


ROWS: tuple[tuple[str, str, int, int, Fraction | int], ...] = (
    ("fov-w04-01", "attack", 1, 1, BETTER_OF_TWO),  # 5 and 3: one die that hits
    ("fov-f02-07", "attack", 2, 2, 1 + BETTER_OF_TWO),
    ("fov-w05-01", "defend", 3, 2, 2 + 4 + 4),  # a jet's dice both count
    ("fov-w08-04", "attack", 1, 1, 3),
    ("fov-w09-01", "attack", 1, 1, 4),
    ("fov-w10-01", "attack", 2, 2, 2 + 2),
    ("fov-t01-01", "attack", 3, 2, 1 + 5 + 5),
    ("fov-t02-01", "attack", 5, 1, 1 + 1 + 3 + 3 + 3),
    ("fov-t08-01", "defend", 2, 1, 3 + 3),
    ("fov-w01-01", "attack", 4, 2, 2 + 2 + 1 + 1),
    ("fov-r14", "attack", 3, 1, 1 + 1 + 3),  # with the option a rail gun's 1 is no hit
)


@pytest.mark.parametrize(("case", "side", "dice", "hits", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_luck_with_cards(case: str, side: str, dice: int, hits: int, expected: Fraction | int) -> None:
    """FOV-W01.4, FOV-W04.2, FOV-W05.2, FOV-W08.1, FOV-W09.1, FOV-W10.2, FOV-T01.3, FOV-T02.1, FOV-T08.1, FOV-R14."""
    (told,) = (luck for luck in luck_of(case) if luck.who == side)
    assert (told.dice, told.hits, told.expected) == (dice, hits, expected)


def test_an_exact_die_hits_with_its_number_only() -> None:
    assert [Die("u1", "aa_gun", "ussr", 2, face, exact=True).hit for face in (1, 2, 3)] == [False, True, False]
