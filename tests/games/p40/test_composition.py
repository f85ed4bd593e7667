"""The rule sets of Pacific 1940: columns of Appendix C, options, and what a new campaign looks like."""

from __future__ import annotations

import pytest

from pbem.games.catalog import UnknownGame, rule_set
from pbem.games.p40.parameters import EDITIONS, UnknownOption
from tests.games.p40.table import campaign

CHART = {"japan": 26, "usa": 17, "china": 12, "uk": 16, "anzac": 10}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_set_up_has_the_money_and_income_of_the_chart(edition: str) -> None:
    """Yukon Territory and British Columbia pay the United Kingdom (P40-1.1.4); set-up and errata P40-1.1.5."""
    state = campaign(edition).state
    rules = campaign(edition).play.rules
    for power, ipc in CHART.items():
        assert state.counter(power) == ipc
        assert sum(s.ipc for s in rules.board.spaces.values() if state.controller(s.id) == power) == ipc
    assert state.counter("japan", "kamikaze") == 6


@pytest.mark.parametrize("edition", EDITIONS)
def test_aircraft_at_sea_begin_on_decks(edition: str) -> None:
    table = campaign(edition)
    at_sea = [
        unit
        for unit in table.state.units.values()
        if table.play.rules.board.spaces[unit.space].is_sea and table.play.rules.board.units[unit.kind].domain == "air"
    ]
    assert at_sea
    for unit in at_sea:
        assert unit.aboard is not None
        carrier = table.state.units[unit.aboard]
        assert (carrier.kind, carrier.space, carrier.owner) == ("carrier", unit.space, unit.owner)


@pytest.mark.parametrize("edition", EDITIONS)
def test_powers_play_in_their_order_and_the_round_goes_on(edition: str) -> None:
    table = campaign(edition)
    order = []
    for _ in range(6):
        segment = table.play.rules.next_segment(table.play.rules, table.state)
        assert segment is not None
        order.append(segment.id)
        table.turn()
    assert order == ["r1.japan", "r1.usa", "r1.china", "r1.uk", "r1.anzac", "r2.japan"]
    assert not [key for key in table.state.marks if key.startswith("turn/")]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_silent_round_pays_everybody(edition: str) -> None:
    table = campaign(edition)
    for _ in range(5):
        table.turn()
    extra = {"card": (0, 5, 6, 0, 0), "1e": (0, 5, 6, 5, 0), "2e": (10, 0, 6, 0, 0)}[edition]
    for (power, ipc), more in zip(CHART.items(), extra, strict=True):
        assert table.state.counter(power) == 2 * ipc + more, power


def test_options_override_single_figures() -> None:
    rules = rule_set("p40", "1e", options={"aa_price": 4, "convoy_model": "dice"})
    assert rules.board.units["aa_gun"].cost == 4
    assert rules.steps["convoy_losses"] is rule_set("p40", "2e").steps["convoy_losses"]
    assert rule_set("p40", "1e").board.units["aa_gun"].cost == 6


@pytest.mark.parametrize(
    "options", [{"aa_price": "dear"}, {"aa_price": -1}, {"convoy_model": "ships"}, {"rockets": True}, {"mongolia": 1}]
)
def test_options_that_do_not_exist_are_named(options: dict[str, object]) -> None:
    with pytest.raises(UnknownOption, match=next(iter(options))):
        rule_set("p40", "1e", options=options)


def test_an_edition_that_does_not_exist() -> None:
    with pytest.raises(UnknownGame, match="3e"):
        rule_set("p40", "3e")


@pytest.mark.parametrize(
    ("edition", "ipc"), [("card", 17 + 22 + 22 + 62), ("1e", 17 + 22 + 22 + 62), ("2e", 17 * 3 + 62)]
)
def test_the_third_american_income_brings_the_war(edition: str, ipc: int) -> None:
    table = campaign(edition)
    for _ in range(11):
        table.turn()
    assert not table.state.at_war("usa", "japan")
    table.turn()
    assert table.state.power == "usa"
    assert table.state.at_war("usa", "japan")
    assert table.state.counter("usa") == ipc
