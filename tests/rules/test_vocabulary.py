"""Lines that only other games have are told as such, in every game that has not got them."""

from __future__ import annotations

import pytest

from pbem.games.catalog import rule_set
from pbem.rules.order_model import Drop, Order, Pick, PlayCard, Research, Retreat, RetreatPart
from pbem.rules.vocabulary import SUBJECTS, foreign_line

DEFENDERS_RETREAT = Retreat(None, None, None, (), None, None, "defend")
EVACUATION = Retreat(None, None, 1, (RetreatPart((Pick("infantry"),), None, "evacuate", "sz-6"),))


@pytest.mark.parametrize(
    ("game", "order", "rule"),
    [
        ("s42", DEFENDERS_RETREAT, "S42-5.10.10"),
        ("s42", EVACUATION, "S42-5.10.2"),
        ("s42", Research(2), "S42-1.4.7"),
        ("s42", Drop((Pick("infantry"),), ("germany", "poland"), (Pick("bomber"),)), None),
        ("classic", Drop((Pick("infantry"),), ("germany", "russia"), (Pick("bomber"),)), "CLA-13.1"),
        ("classic", PlayCard("jet_fighter"), None),
        ("p40", Research(2), "P40-2.1.6"),
        ("p40", DEFENDERS_RETREAT, None),
        ("p01", Research(2), "P01-1.1.9"),
        ("p01", EVACUATION, None),
    ],
)
def test_lines_of_other_games_are_refused(game: str, order: Order, rule: str | None) -> None:
    refusal = foreign_line(rule_set(game), order)
    assert refusal is not None and refusal.reason.startswith("This campaign has no ")
    assert refusal.rule == rule


@pytest.mark.parametrize("game", ["p40", "s42", "classic", "p01"])
def test_every_kind_that_a_game_has_not_is_told_in_words(game: str) -> None:
    assert rule_set(game).parameters["lines_not_here"] <= set(SUBJECTS)
