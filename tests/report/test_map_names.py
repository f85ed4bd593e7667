"""Traditional Chinese names: every space, unit, power and phase of every board has one, and none means two things."""

from __future__ import annotations

import json
import unicodedata
from importlib import resources

import pytest

from pbem.games.catalog import GAMES, load_board, load_facts
from pbem.report.map.geometry import names_of

EDITIONS = [(game, edition) for game, entry in GAMES.items() for edition in entry.editions]


def table(name: str) -> dict[str, list[str]]:
    loaded: dict[str, list[str]] = json.loads(
        resources.files("pbem.board").joinpath("names", f"zh_{name}.json").read_text("utf-8")
    )
    return loaded


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_every_space_has_its_own_chinese_names(game: str, edition: str) -> None:
    board = load_board(game, edition)
    names = table(board.id)
    assert list(names) == list(board.spaces)
    every = [name for aliases in names.values() for name in aliases]
    assert len(every) == len(set(every)), sorted(name for name in every if every.count(name) > 1)
    for space, aliases in names.items():
        assert aliases
        for name in aliases:
            assert name == unicodedata.normalize("NFKC", name) == "".join(name.split()), name
            assert any(ord(letter) >= 0x4E00 for letter in name), name
        number = space.removeprefix("sz-")
        if number.isdigit():
            assert aliases[0] == f"海區{number}"


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_every_unit_power_and_phase_has_a_chinese_word(game: str, edition: str) -> None:
    facts = load_facts(game, edition)
    terms = json.loads(resources.files("pbem.board").joinpath("names", "zh_terms.json").read_text("utf-8"))
    assert set(facts["units"]) <= set(terms["units"])
    assert {power["id"] for power in facts["powers"]} <= set(terms["powers"])
    assert {side["id"] for side in facts["sides"]} <= set(terms["sides"])
    assert {phase for phases in facts["phases"].values() for phase in phases} <= set(terms["phases"])
    for group in ("units", "powers"):
        words = [word for aliases in terms[group].values() for word in aliases]
        assert len(words) == len(set(words))


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_the_map_prints_the_names_of_the_board(game: str, edition: str) -> None:
    board = load_board(game, edition)
    assert names_of(board.id, "en") == {space.id: space.name for space in board.spaces.values()}
    assert names_of(board.id, "zh") == {space: names[0] for space, names in table(board.id).items()}
