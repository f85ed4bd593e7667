"""Names mean one thing, several, or nothing; what is printed reads back."""

from __future__ import annotations

import pytest

from pbem.games.catalog import GAMES, UnknownGame
from pbem.orders.gazetteer import CATEGORIES, Gazetteer, gazetteer

EDITIONS = [(game, edition) for game, entry in GAMES.items() for edition in entry.editions]


@pytest.fixture
def pacific() -> Gazetteer:
    return gazetteer("p40", "2e")


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_printed_name_means_that_thing_alone(game: str, edition: str, language: str) -> None:
    names = gazetteer(game, edition)
    things = [("space", space) for space in names.spaces]
    things += [("unit", unit) for unit in (*names.units, "unit", "land", "air", "sea", "warship", "industrial_complex")]
    things += [("power", power) for power in names.powers]
    for category, thing in things:
        printed = names.name(category, thing, language)
        assert names.lookup(category, printed) == (thing,), printed
        if language == "zh":
            assert not printed.isascii(), f"{thing} has no Chinese name"


@pytest.mark.parametrize(
    "text", ["SZ6", "sz 6", "Z6", "zone 6", "6 Sea Zone", "Sea Zone 6", "SeaZone6", "sea-zone 6", "海區6", "6號海區"]
)
def test_a_sea_zone_by_its_usual_spellings(pacific: Gazetteer, text: str) -> None:
    assert pacific.lookup("space", text) == ("sz-6",)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("inf", "infantry"), ("mech", "mech_infantry"), ("art", "artillery"), ("armour", "tank"), ("arm", "tank"),
        ("aaGun", "aa_gun"), ("aaa", "aa_gun"), ("AA", "aa_gun"), ("ftr", "fighter"), ("figs", "fighter"),
        ("tac", "tac_bomber"), ("tactical_bomber", "tac_bomber"), ("bmb", "bomber"), ("SB", "bomber"),
        ("BB", "battleship"), ("cv", "carrier"), ("ac", "carrier"), ("ca", "cruiser"), ("cru", "cruiser"),
        ("dd", "destroyer"), ("sub", "submarine"), ("tt", "transport"), ("trn", "transport"), ("tra", "transport"),
        ("factory_minor", "ic_minor"), ("major_factory", "ic_major"), ("harbour", "naval_base"),
        ("airfield", "air_base"), ("ab", "air_base"), ("nb", "naval_base"), ("factory", "industrial_complex"),
        ("步兵", "infantry"), ("戰車", "tank"), ("航空母艦", "carrier"), ("submarines", "submarine"),
    ],
)  # fmt: skip
def test_units_by_abbreviation_nickname_and_other_programs_names(pacific: Gazetteer, text: str, unit: str) -> None:
    assert pacific.lookup("unit", text) == (unit,)


def test_one_token_with_several_meanings_is_never_settled(pacific: Gazetteer) -> None:
    assert pacific.lookup("unit", "SS") == ("submarine", "battleship")


@pytest.mark.parametrize(
    ("text", "near"), [("Yunan", "Yunnan"), ("Kwangtng", "Kwangtung"), ("Philipines", "Philippines")]
)
def test_a_slip_of_the_pen_is_offered_and_not_taken(pacific: Gazetteer, text: str, near: str) -> None:
    assert pacific.lookup("space", text) == ()
    assert near in pacific.near("space", text)


def test_what_is_not_near_is_not_offered(pacific: Gazetteer) -> None:
    assert pacific.near("space", "Atlantis") == ()
    assert pacific.near("space", "x" * 5000) == ()


def test_classic_zones_go_by_coasts_in_any_order() -> None:
    names = gazetteer("classic", "2e")
    for text in ("Baltic SZ", "SZ Baltic", "Baltic Sea Zone", "Baltic Sea"):
        assert names.lookup("space", text) == ("sz-baltic",), text
    assert names.lookup("space", "W Eur") == ("western-europe",)
    assert names.lookup("space", "Anglo-Egyptian Sudan") == ("anglo-egypt-sudan",)


def test_an_official_name_beats_a_nickname() -> None:
    assert gazetteer("s42").lookup("space", "Italy") == ("italy",)
    assert gazetteer("classic", "2e").lookup("space", "Italy") == ("southern-europe",)


def test_phases_have_one_name_in_every_game() -> None:
    for game, edition in EDITIONS:
        names = gazetteer(game, edition)
        assert names.lookup("phase", "purchase_and_repair") == ("purchase",)
        assert names.lookup("phase", "place units") == ("mobilize",)


def test_unknown_games_are_named() -> None:
    with pytest.raises(UnknownGame, match="risk"):
        gazetteer("risk")
    assert "space" in CATEGORIES
