"""Cards are called by half their names behind `play` and `discard`; what could be two cards is not guessed."""

from __future__ import annotations

import pytest

from pbem.games.s42.fov.table import CARDS
from pbem.orders.gazetteer import gazetteer
from pbem.orders.names import CARD_NAMES_ZH, CARD_NICKNAMES, CARD_NICKNAMES_ZH
from pbem.orders.read import LineResult, ReadContext, read_orders

NAMES = gazetteer("s42", None)
GERMANY = ReadContext("s42", None, ("fov",), powers=("germany",), open_powers=("germany",), phase="combat_move")


def read(line: str) -> LineResult:
    (result,) = read_orders(line, NAMES, GERMANY)
    return result


def test_every_card_is_named_in_both_languages() -> None:
    assert set(CARDS) == set(CARD_NICKNAMES) == set(CARD_NICKNAMES_ZH) == set(CARD_NAMES_ZH)


@pytest.mark.parametrize("card", CARDS)
def test_short_names_mean_one_card(card: str) -> None:
    for name in (card, CARDS[card].name, *CARD_NICKNAMES[card], *CARD_NAMES_ZH[card], *CARD_NICKNAMES_ZH[card]):
        assert read(f"discard {name}").canonical == f"discard {card}", name


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("play heavy art in ukraine", "play heavy_artillery: Ukraine S.S.R."),
        ("play radar: UK", "play radar_fire_control: United Kingdom"),
        ("play powerfull torpedoes sz 10", "play powerful_torpedoes: Sea Zone 10"),
        ("play ace: first fighter miss", "play fighter_ace: first fighter miss"),
        ("play weather in karelia if odds < 50%", "if odds < 50%: play severe_weather: Karelia S.S.R."),
        ("scramble 2 fighters from UK to sz 7", "play scramble: 2 fighter United Kingdom -> Sea Zone 7"),
        ("scramble none", "play none"),
        ("no cards", "play none"),
        ("不出牌", "play none"),
    ],
)
def test_a_play_is_read(line: str, meant: str) -> None:
    assert read(line).canonical == meant


def test_an_unknown_card_is_told_without_what_it_is_played_on() -> None:
    """So the line that would be right keeps its end."""
    result = read("play supreme exelence in ukraine")
    assert result.canonical == "" and result.status == "refused"
    result = read("play supr exelence in ukraine")
    assert result.reason == 'unknown card "supr exelence", did you mean supreme_excellence?'


def test_what_may_be_two_cards_is_not_guessed() -> None:
    assert read("play heavy: Karelia").status == "refused"
    assert read("play bomber: Karelia").status == "refused"
