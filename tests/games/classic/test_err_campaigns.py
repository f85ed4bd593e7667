"""Campaigns of chance with the advanced retreats, whose players are asked everything and answer in mid-battle."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.campaign.play import asked_on, begin, run
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.setup import start_events
from pbem.testing.chance import wrong_books, wrong_places
from tests.games.classic.err_generals import Talk, note, turn_with_answers
from tests.games.classic.err_laws import broken

TURNS, LONG = 8, 40
TABLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("2e", {}),
    ("2e", {"err_sequence": "er9"}),
    ("3e", {"err_last_resort": "choice", "err_partial_retreat": True, "err_aa_retreat": True}),
    ("ib", {"err_artillery": "er2", "err_sequence": "er9", "err_landing_after_breakoff": "blocked"}),
    ("2e", {"err_artillery": "er2", "err_aa_retreat": True, "submersible_subs": True}),
    ("3e", {"err_artillery": "none", "err_sequence": "er9", "err_partial_retreat": True, "paratroopers": True}),
)
"""Editions and options."""


def play_table(table: int, turns: int, seed: int) -> Talk:
    """So many turns of one table, each looked over by the books, by the laws, and carried out again from its tape."""
    edition, options = TABLES[table]
    rules = rule_set("classic", edition, ("err",), options)
    play, talk, chance = begin("chance", rules, start_events(rules)), Talk(), Random(seed)
    for number in range(turns):
        if rules.next_segment(rules, play.now) is None:
            break
        before = play.now
        told, recorded = turn_with_answers(play, seed * 1000 + number, chance, talk)
        note(told, talk)
        again = run(
            recorded, SeededThrowaway("other dice"), StandingResponder(), now=0, must_ask=asked_on(recorded.tape)
        )
        assert again is not None and again.finished and again.events == (), again
        wrong = [*broken(rules, before, told), *wrong_books(before, told), *wrong_places(rules, told.play.now)]
        assert wrong == [], wrong
        play = told.play
    return talk


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_campaigns_in_which_everything_is_asked(table: int) -> None:
    talk = play_table(table, TURNS, 900 + table)
    assert talk.asked["retreat"] > 0
    assert talk.refused == [], "a line that a mail offers is refused"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(910, 912))
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_long_campaigns_in_which_everything_is_asked(table: int, seed: int) -> None:
    talk = play_table(table, LONG, seed)
    assert sum(talk.left.values()) > 0
    assert talk.refused == []
