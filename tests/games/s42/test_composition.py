"""The rule set of 1942 Second Edition: powers, board, options, and what a new campaign and a silent round look like."""

from __future__ import annotations

import pytest

from pbem.campaign.play import Play, begin, run_on
from pbem.dice.recorded import RecordedSource
from pbem.games.catalog import UnknownGame, rule_set
from pbem.games.s42.parameters import UnknownOption
from pbem.orders.respond import StandingResponder
from pbem.rules.setup import start_events

MONEY = {"ussr": 24, "germany": 41, "uk": 31, "japan": 30, "usa": 42}
CAPITALS = {
    "ussr": "russia", "germany": "germany", "uk": "united-kingdom", "japan": "japan", "usa": "eastern-united-states",
}  # fmt: skip


def campaign(**options: object) -> Play:
    rules = rule_set("s42", options=options)
    return begin("table", rules, start_events(rules))


def silent_turn(play: Play) -> Play:
    told = run_on(play, RecordedSource([]), StandingResponder(), now=0, may_close=lambda window: True)
    assert told.outcome is not None and told.outcome.finished
    return told.play


def test_powers_sides_and_treasuries() -> None:
    """Five powers at war by sides, no diplomacy; starting money is the value of the land (S42-1.1.1 to S42-1.1.4)."""
    play = campaign()
    board, state = play.rules.board, play.now
    assert board.sides == {"axis": ("germany", "japan"), "allies": ("ussr", "uk", "usa")}
    for power, ipc in MONEY.items():
        assert state.counter(power) == ipc
        assert sum(space.ipc for space in board.spaces.values() if state.controller(space.id) == power) == ipc
        for other in MONEY:
            assert state.at_war(power, other) == (board.side_of(power) != board.side_of(other))


def test_capitals_emblems_and_cities() -> None:
    """Capitals (S42-1.1.8); emblems printed are the start's controllers (S42-1.1.7); 13 cities, 7 to 6 (S42-1.2.1)."""
    board = campaign().rules.board
    for power, capital in CAPITALS.items():
        assert board.powers[power].capital == capital
        assert board.spaces[capital].capital_of == power
    for space in board.spaces.values():
        assert space.original_owner == space.start_controller, space.id
    cities = [board.side_of(space.start_controller or "") for space in board.spaces.values() if space.victory_city]
    assert (cities.count("allies"), cities.count("axis")) == (7, 6)


def test_borders_of_the_board() -> None:
    """Adjacencies that are easily misread, and across the board's edge (S42-1.3.1, S42-1.3.2); islands (S42-1.3.3)."""
    board = campaign().rules.board
    for a, b in (
        ("western-canada", "eastern-canada"), ("western-united-states", "central-united-states"),
        ("mexico", "east-mexico"), ("sz-55", "sz-19"), ("sz-42", "sz-20"), ("sz-41", "sz-21"),
    ):  # fmt: skip
        assert board.adjacent(a, b)
    assert board.seas_beside("japan") == ("sz-60", "sz-62")
    assert set(board.seas_beside("united-kingdom")) == {"sz-6", "sz-7", "sz-8"}


def test_friendly_hostile_and_neutral_land() -> None:
    """A territory is friendly, hostile or neutral, for a side, however many stand there (S42-1.3.4, 1.3.5, 1.3.7)."""
    play = campaign()
    rules, state = play.rules, play.now

    def is_(judgement: str, space: str) -> bool:
        return bool(rules.judge(judgement, state, "uk", space))

    assert is_("friendly_territory", "russia") and not is_("hostile_territory", "russia")
    assert is_("hostile_territory", "germany") and not is_("friendly_territory", "germany")
    assert not is_("friendly_territory", "turkey") and not is_("hostile_territory", "turkey")


def test_everybody_plays_in_turn_and_a_silent_round_pays_everybody() -> None:
    """The order of play (S42-1.1.2, S42-2.1.6); nothing is spent, moved or lost by silence (S42-D03, S42-D17)."""
    play = campaign()
    before = {unit.id: unit.space for unit in play.now.units.values()}
    order = []
    for _ in range(6):
        segment = play.rules.next_segment(play.rules, play.now)
        assert segment is not None
        order.append(segment.id)
        play = silent_turn(play)
    assert order == ["r1.ussr", "r1.germany", "r1.uk", "r1.japan", "r1.usa", "r2.ussr"]
    for power, ipc in MONEY.items():
        assert play.now.counter(power) == (3 if power == "ussr" else 2) * ipc
    assert {unit.id: unit.space for unit in play.now.units.values()} == before
    assert play.now.winner is None


def test_a_power_with_nothing_left_still_has_its_turn() -> None:
    """No power is ever eliminated as such (S42-2.1.5)."""
    play = campaign()
    facts = [
        {"type": "control_changed", "payload": {"space": space.id, "from": "ussr", "to": "germany"}}
        for space in play.rules.board.spaces.values()
        if space.start_controller == "ussr"
    ]
    facts += [
        {"type": "units_removed", "payload": {"space": unit.space, "units": [unit.id], "why": "test"}}
        for unit in play.now.units.values()
        if unit.owner == "ussr"
    ]
    play = play.with_facts([("correction_requested", {"reason": "a ruling", "facts": facts})], 0)
    for _ in range(6):
        play = silent_turn(play)
    assert (play.now.round, play.now.power) == (2, "ussr")
    assert play.now.counter("ussr") == 24
    assert play.now.counter("germany") == 41 + 41 + 24


def test_a_side_may_concede() -> None:
    """All players of a side must say so (S42-1.2.5, S42-D22, S42-1.1.6)."""
    play = campaign().with_facts([("concession_said", {"power": "germany", "conceding": True})], 0)
    play = silent_turn(play)
    assert play.now.winner is None
    play = play.with_facts([("concession_said", {"power": "japan", "conceding": True})], 0)
    assert silent_turn(play).now.winner == "allies"


def test_a_bid_adds_money_and_units() -> None:
    """Extra money and units as agreed (S42-1.5.4)."""
    plain, play = campaign().now, campaign(bid={"germany": {"ipc": 4, "units": {"Libya": {"tank": 2}}}}).now
    assert play.counter("germany") == 45
    count = [sum(unit.kind == "tank" and unit.space == "libya" for unit in s.units.values()) for s in (plain, play)]
    assert count == [1, 3]
    assert rule_set("s42").board.powers["germany"].starting_ipc == 41
    allied = campaign(bid={"japan": {"units": {"Libya": {"infantry": 1}, "Sea Zone 60": {"submarine": 2}}}}).now
    assert [unit.kind for unit in allied.units.values() if unit.owner == "japan" and unit.space == "libya"] == [
        "infantry"
    ]
    assert sum(unit.kind == "submarine" and unit.space == "sz-60" for unit in allied.units.values()) == 2


@pytest.mark.parametrize(
    "options",
    [
        {"interceptors": "yes"},
        {"overbuy": "keep"},
        {"submarine_escort": True},
        {"rockets": True},
        {"bid": 5},
        {"bid": {"germany": {"units": {"Atlantis": {"tank": 1}}}}},
        {"bid": {"rome": {"ipc": 1}}},
        {"bid": {"germany": {"ipc": -5}}},
        {"bid": {"germany": {"ipc": 10**9}}},
        {"bid": {"germany": {"ipc": True}}},
        {"bid": {"germany": {"money": 5}}},
        {"bid": {"germany": {"units": {"Libya": {"tank": 0}}}}},
        {"bid": {"germany": {"units": {"Libya": {"submarine": 1}}}}},
        {"bid": {"germany": {"units": {"Sea Zone 5": {"infantry": 1}}}}},
        {"bid": {"germany": {"units": {"Russia": {"infantry": 1}}}}},
        {"bid": {"germany": {"units": {"Turkey": {"infantry": 1}}}}},
        {"bid": {"germany": {"units": {"France": {"industrial_complex": 1}}}}},
    ],
)
def test_options_that_do_not_exist_are_named(options: dict[str, object]) -> None:
    with pytest.raises(UnknownOption, match=next(iter(options))):
        rule_set("s42", options=options)


def test_total_victory_is_an_option() -> None:
    """S42-1.5.3 and S42-1.2.4: without it 9 and 10 cities are enough (S42-1.2.2)."""
    assert rule_set("s42").parameter("victory_cities") == {"axis": 9, "allies": 10}
    assert rule_set("s42", options={"total_victory": True}).parameter("victory_cities") == {"axis": 13, "allies": 13}


def test_there_is_one_edition_and_no_other_variant() -> None:
    with pytest.raises(UnknownGame, match="2e"):
        rule_set("s42", "2e")
    with pytest.raises(UnknownGame, match="wwm"):
        rule_set("s42", variants=("wwm",))


def test_there_is_no_research_and_no_upkeep() -> None:
    """S42-1.4.7: nothing of the kind can be bought; the table is that of the book (S42-1.4)."""
    table = rule_set("s42").board.units
    costs = {kind: unit.cost for kind, unit in table.items()}
    assert costs == {
        "infantry": 3, "artillery": 4, "tank": 6, "aa_gun": 5, "fighter": 10, "bomber": 12, "battleship": 20,
        "carrier": 14, "cruiser": 12, "destroyer": 8, "submarine": 6, "transport": 7, "industrial_complex": 15,
    }  # fmt: skip
