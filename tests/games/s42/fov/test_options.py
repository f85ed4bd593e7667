"""The switches of the cards' open questions: each is there, off by default, told of where another is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.catalog import rule_set
from pbem.games.s42.fov.table import CARDS, OPTIONS
from pbem.games.s42.parameters import UnknownOption
from pbem.rules.texts import book

SWITCHES = (
    "starting_cards_extra", "draw_needs_foreign_land", "fighter_ace_own_only", "one_card_per_battle", "rail_gun_exact",
    "long_range_distinct_bases", "torpedoes_one_of_each", "fortification_land_only", "fog_as_reaction",
    "weather_spares_landings",
)  # fmt: skip


def test_every_switch_of_the_book_is_an_option_and_off() -> None:
    """FOV-R01, FOV-R05, FOV-R10, FOV-R11, FOV-R14, FOV-R16, FOV-R18, FOV-R23, FOV-R25, FOV-R28."""
    rulings = " ".join(book("FOV")[f"FOV-R{number:02}"].text for number in range(1, 39))
    named = {word.strip("`().;,") for word in rulings.split() if "_" in word and word.strip("`().;,") not in CARDS}
    assert set(OPTIONS) == set(SWITCHES) == named
    rules = rule_set("s42", variants=("fov",))
    assert not any(rules.parameter(name) for name in SWITCHES)


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_true_or_false(name: str) -> None:
    assert rule_set("s42", variants=("fov",), options={name: True}).parameter(name) is True
    with pytest.raises(UnknownOption, match=name):
        rule_set("s42", variants=("fov",), options={name: "yes"})


@pytest.mark.parametrize("options", [{"fog": True}, {"fog_as_a_reaction": True}, {"one_card": False}])
def test_another_is_refused_and_the_options_there_are_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(UnknownOption, match="interceptors.*fog_as_reaction"):
        rule_set("s42", variants=("fov",), options=options)


def test_without_the_cards_there_are_no_such_switches() -> None:
    with pytest.raises(UnknownOption, match="rail_gun_exact"):
        rule_set("s42", options={"rail_gun_exact": True})
