"""How Pacific 1940 ends: conditions held for a complete round, and sides that concede."""

from __future__ import annotations

import pytest

from pbem.games.p40.parameters import EDITIONS
from tests.games.p40.table import Table, campaign

MORE_CITIES = {"hong-kong": "kwangtung", "manila": "philippines", "honolulu": "hawaiian-islands", "calcutta": "india"}


def hand_over(table: Table, *spaces: str, to: str) -> None:
    """A moderator rules that territories change hands; it takes effect in the turn that is played next."""
    facts = [
        {"type": "control_changed", "payload": {"space": space, "from": table.state.controller(space), "to": to}}
        for space in spaces
    ]
    table.say(("correction_requested", {"reason": "a ruling", "facts": facts}))


def winner_of(table: Table) -> tuple[str, str, tuple[str, ...]] | None:
    """(side, how, rules) of the victory declared in the last turn."""
    for event in table.events:
        if event.type == "game_won":
            return event.payload["side"], event.payload["how"], event.rules
    return None


@pytest.mark.parametrize("edition", EDITIONS)
def test_six_cities_must_be_held_until_the_same_power_plays_again(edition: str) -> None:
    table = campaign(edition)
    hand_over(table, *MORE_CITIES.values(), to="japan")
    for _ in range(5):
        table.turn()
        assert winner_of(table) is None
    table.turn()
    assert winner_of(table) == ("axis", "victory", ("P40-10.2", "P40-10.4"))
    assert table.state.winner == "axis"
    assert table.state.power == "japan"
    assert table.play.rules.next_segment(table.play.rules, table.state) is None


def test_a_city_lost_in_between_begins_the_count_anew() -> None:
    table = campaign("1e")
    hand_over(table, *MORE_CITIES.values(), to="japan")
    table.turn()
    hand_over(table, "philippines", to="usa")
    table.turn()
    hand_over(table, "philippines", to="japan")
    table.turn()
    assert table.state.marks["victory/axis"] == {"power": "china", "round": 1}
    for _ in range(4):
        table.turn()
        assert table.state.winner is None
    table.turn()
    assert (table.state.winner, table.state.power, table.state.round) == ("axis", "china", 2)


def test_five_cities_are_not_enough() -> None:
    table = campaign("2e")
    hand_over(table, "kwangtung", "philippines", "hawaiian-islands", to="japan")
    for _ in range(7):
        table.turn()
    assert table.state.winner is None


def test_without_its_own_capital_japan_does_not_win_with_six_cities() -> None:
    table = campaign("1e")
    hand_over(table, *MORE_CITIES.values(), "new-south-wales", to="japan")
    hand_over(table, "japan", to="usa")
    for _ in range(6):
        table.turn()
    assert table.state.winner != "axis"


def test_the_allies_hold_japan_for_a_round_and_a_capital_at_its_end() -> None:
    """P40-6.11.3, P40-10.3: Japan has its next turn to retake its capital before the victory is complete."""
    table = campaign("2e")
    hand_over(table, "japan", to="usa")
    for _ in range(5):
        table.turn()
        assert table.state.winner is None
    table.turn()
    assert winner_of(table) == ("allies", "victory", ("P40-10.3", "P40-10.4"))


def test_without_any_capital_the_allies_do_not_win() -> None:
    table = campaign("2e")
    hand_over(table, "japan", to="usa")
    hand_over(table, "western-united-states", "india", "new-south-wales", to="japan")
    for _ in range(7):
        table.turn()
    assert table.state.winner is None


def test_a_side_concedes_when_all_its_players_do() -> None:
    """P40-10.5, P40-DP-35."""
    table = campaign("card")
    allies = ("usa", "china", "uk", "anzac")
    for power in allies[:3]:
        table.say(("concession_said", {"power": power, "conceding": True}))
    table.turn()
    assert table.state.winner is None
    table.say(("concession_said", {"power": "uk", "conceding": False}))
    table.say(("concession_said", {"power": "anzac", "conceding": True}))
    table.turn()
    assert table.state.winner is None
    table.say(("concession_said", {"power": "uk", "conceding": True}))
    table.turn()
    assert winner_of(table) == ("axis", "concession", ("P40-10.5",))
