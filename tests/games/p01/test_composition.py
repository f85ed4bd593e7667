"""The rule set of Pacific (2001): seats, capitals, set-up, borders, options, and what a silent campaign does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.campaign.play import Play, begin, run_on
from pbem.dice.recorded import RecordedSource
from pbem.games.catalog import UnknownGame, rule_set
from pbem.games.p01.parameters import SWITCHES, UnknownOption
from pbem.games.p01.turn import PHASES
from pbem.games.p01.wwm.parameters import SWITCHES as VARIANT_SWITCHES
from pbem.orders.respond import StandingResponder
from pbem.rules.query import acting
from pbem.rules.setup import start_events

CAPITALS = {
    "japan": "Japan", "india": "India", "australia": "New South Wales", "usa": "United States", "china": "Szechwan",
}  # fmt: skip
BOOK = Path(__file__).parents[3] / "docs" / "rules" / "p01.md"
CODES = {
    "inf": "infantry", "mar": "marine", "art": "artillery", "arm": "tank", "AA": "aa_gun", "IC": "industrial_complex",
    "ftr": "fighter", "bmb": "bomber", "BB": "battleship", "CV": "carrier", "DD": "destroyer", "SUB": "submarine",
    "TRN": "transport",
}  # fmt: skip


def campaign(**options: object) -> Play:
    rules = rule_set("p01", options=options)
    return begin("table", rules, start_events(rules))


def silent(play: Play) -> Play:
    """The next segment, in which nobody orders anything."""
    told = run_on(play, RecordedSource([]), StandingResponder(), now=0, may_close=lambda window: True)
    assert told.outcome is not None and told.outcome.finished
    return told.play


def rows(first: str, last: str) -> list[list[str]]:
    """The cells of all tables between two headings of the rule book."""
    text = BOOK.read_text(encoding="utf-8")
    part = text[text.index(first) : text.index(last)]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line[:1] == "|"]
    return [row for row in cells if not set(row[0]) <= set("-: ") and row[0] not in ("territory", "SZ", "place")]


# -- seats and capitals -----------------------------------------------------------------------------------------------


def test_two_sides_three_seats_five_countries() -> None:
    """Sides (P01-1.1.1), seats of which the American one plays China too (P01-1.1.2, P01-1.2.2), China's own units
    (P01-1.1.7); British units are one power's (P01-1.1.6), with a treasury for each of its countries (P01-1.1.3)."""
    play = campaign()
    board, state = play.rules.board, play.now
    assert board.sides == {"axis": ("japan",), "allies": ("uk", "china", "usa")}
    assert acting(play.rules, "usa") == ("usa", "china")
    assert [acting(play.rules, power) for power in ("japan", "uk")] == [("japan",), ("uk",)]
    assert {unit.owner for unit in state.units.values()} == {"japan", "uk", "usa", "china"}
    countries = {row["id"] for row in board.facts["economies"] if row["capital"]}
    assert countries | {"japan", "usa", "china"} == set(CAPITALS)
    for power in ("uk", "usa", "china"):
        assert state.at_war(power, "japan")
        assert not state.at_war(power, "uk")


def test_each_country_has_its_capital_with_a_complex() -> None:
    """Economic centres (P01-1.1.4); complexes stand there and in the Hawaiian Islands (P01-1.4.5)."""
    play = campaign()
    board = play.rules.board
    of = {row["id"]: row["capital"] for row in board.facts["economies"]}
    of |= {power: board.powers[power].capital for power in ("japan", "usa", "china")}
    assert {country: board.spaces[of[country]].name for country in CAPITALS} == CAPITALS
    complexes = {
        board.spaces[space].name
        for space, held in play.now.spaces.items()
        for kind, _ in held.facilities
        if kind == "industrial_complex"
    }
    assert complexes == {*CAPITALS.values(), "Hawaiian Islands"}


def test_money_markers_and_convoys_at_the_start() -> None:
    """Starting money (P01-1.4.1), no victory points and six kamikazes (P01-1.4.3)."""
    state = campaign().now
    assert state.counter("japan") == 19
    assert (state.counter("uk", "ipc_india"), state.counter("uk", "ipc_australia")) == (15, 20)
    assert state.counter("uk", "ipc_british-convoys") == 12
    assert (state.counter("usa"), state.counter("china")) == (75, 0)
    assert (state.counter("japan", "victory_points"), state.counter("japan", "kamikaze")) == (0, 6)


def counts(text: str) -> dict[str, int]:
    """Units of a cell of the set-up, such as "8 inf, 2 art"."""
    return {CODES[code]: int(number) for number, code in re.findall(r"(\d+) ([A-Za-z]+)", text)}


@pytest.mark.parametrize("kind", SWITCHES["setup"])
def test_the_set_up_is_that_of_the_book(kind: str) -> None:
    """Every unit of appendix 18.3, and the six changes of the second set-up (P01-1.4.2); the fighter in Szechwan is
    American (P01-12.1.3)."""
    play = campaign(setup=kind)
    board = play.rules.board
    names = {space.name: space.id for space in board.spaces.values()}
    names |= {f"SZ {space.id[3:]}": space.id for space in board.spaces.values() if space.is_sea}
    wanted: dict[tuple[str, str], int] = {}
    owner, owners = "", iter(("japan", "uk", "usa", "china"))
    for place, units in rows('id="P01-18.3"', "**FAQ balance set-up**"):
        if place in ("Bonin Islands", "Borneo", "Guam", "Anhwe"):
            owner = next(owners)
        if place == "*total*":
            continue
        for unit, count in counts(units).items():
            if unit != "industrial_complex":
                wanted[names[place], f"{owner} {unit}"] = count
    if kind == "faq2003":
        wanted |= {
            ("french-indo-china", "japan infantry"): 2, ("hainan", "japan infantry"): 6,
            ("sz-37", "japan transport"): 1, ("mariana-islands", "japan fighter"): 0, ("sz-20", "japan submarine"): 0,
            ("sz-22", "japan submarine"): 1,
        }  # fmt: skip
    found: dict[tuple[str, str], int] = {}
    for unit in play.now.units.values():
        key = (unit.space, f"{unit.owner} {unit.kind}")
        found[key] = found.get(key, 0) + 1
    assert found == {key: count for key, count in wanted.items() if count}
    assert found["szechwan", "usa fighter"] == 1


def test_the_board_is_that_of_the_book() -> None:
    """Values, markers, bases and borders of appendix 18; bases are printed (P01-1.4.6)."""
    play = campaign()
    board, state = play.rules.board, play.now
    names = {space.name: space.id for space in board.spaces.values() if not space.is_sea}
    marker = {"JPN": "japan", "IND": "uk", "AUS": "uk", "USA": "usa", "CHN": "china", "—": None}
    for name, control, ipc, _, naval, air, _, lands, seas in rows('id="P01-18.1"', 'id="P01-18.2"'):
        space = board.spaces[names[name]]
        assert (space.ipc, state.controller(space.id)) == (int(ipc), marker[control]), name
        bases = {kind for kind, _ in state.spaces[space.id].facilities}
        assert ("naval_base" in bases, "air_base" in bases) == (naval == "yes", air == "yes"), name
        beside = {names[each] for each in lands.split(", ") if each in names}
        beside |= {f"sz-{each}" for each in seas.split(", ") if each.isdigit()}
        closed = {"himalayas"} if name in ("Sikang", "Szechwan", "Yunnan") else set()
        if name == "Himalayas":
            closed = {"sikang", "szechwan", "yunnan"}
        assert set(board.neighbours[space.id]) - closed == beside - closed, name
    for number, seas, *_ in rows('id="P01-18.2"', "SZ 14–SZ 30 and"):
        around = {each for each in board.neighbours[f"sz-{number}"] if board.spaces[each].is_sea}
        assert around == {f"sz-{each}" for each in seas.split(", ")}, number


def test_there_is_nothing_to_research() -> None:
    """P01-1.1.9: no weapons development; the table is that of the book."""
    rules = rule_set("p01")
    assert "research" not in " ".join((*rules.steps, *PHASES))
    assert {kind: unit.cost for kind, unit in rules.board.units.items() if unit.cost is not None} == {
        "infantry": 3, "marine": 4, "artillery": 4, "tank": 5, "aa_gun": 5, "industrial_complex": 15, "fighter": 12,
        "bomber": 15, "battleship": 24, "carrier": 18, "destroyer": 12, "submarine": 8, "transport": 8,
    }  # fmt: skip


# -- words ------------------------------------------------------------------------------------------------------------


def test_words_of_the_rules() -> None:
    """A space is a territory or a zone, an island and its zone are two (P01-1.6.1, P01-1.6.2); friendly and enemy land
    go by markers (P01-1.6.3); zones have no owner, only what is printed in them (P01-1.6.4); a zone is hostile or open
    (P01-1.6.5, P01-1.6.6); surface units are all ships but submarines (P01-1.6.8)."""
    play = campaign()
    rules, state, board = play.rules, play.now, play.rules.board
    assert board.adjacent("guam", "sz-25") and not board.spaces["guam"].is_sea and board.spaces["sz-25"].is_sea
    for judgement, space, true in (
        ("friendly_territory", "guam", True), ("friendly_territory", "india", True),
        ("friendly_territory", "anhwe", True), ("friendly_territory", "siam", False),
        ("hostile_territory", "siam", True), ("hostile_territory", "guam", False),
        ("hostile_zone", "sz-25", True), ("hostile_zone", "sz-9", False), ("hostile_zone", "sz-1", False),
    ):  # fmt: skip
        assert bool(rules.judge(judgement, state, "usa", space)) is true, (judgement, space)
    convoys = {row["zone"] for row in board.facts["convoy_zones"]}
    for space in board.spaces.values():
        if space.is_sea:
            assert (state.controller(space.id) is None) == (space.id not in convoys), space.id
    ships = {kind for kind, unit in board.units.items() if unit.domain == "sea"}
    under = {kind for kind in ships if board.units[kind].can("submerge")}
    assert (ships - under, under) == ({"battleship", "carrier", "destroyer", "transport"}, {"submarine"})


# -- order of play ----------------------------------------------------------------------------------------------------


def test_three_seats_play_in_an_order_that_never_changes() -> None:
    """Japan, Britain, the United States (P01-1.2.1, P01-1.2.3); before everything the convoys' money is divided."""
    play = campaign()
    order = []
    for _ in range(7):
        segment = play.rules.next_segment(play.rules, play.now)
        assert segment is not None
        order.append(segment.id)
        play = silent(play)
    assert order == ["r1.convoys", "r1.japan", "r1.uk", "r1.usa", "r2.japan", "r2.uk", "r2.usa"]
    assert play.now.winner is None


def test_phases_come_in_order_and_for_both_countries_of_a_seat() -> None:
    """P01-2.1.1, P01-2.1.2; the seat's two powers are asked in one window."""
    play = campaign()
    for _ in range(3):
        play = silent(play)
    told = run_on(play, RecordedSource([]), StandingResponder(), now=0, may_close=lambda window: True)
    begun = [event.payload["phase"] for event in told.events if event.type == "phase_begun"]
    assert tuple(begun) == PHASES
    assert [event.payload["powers"] for event in told.events if event.type == "window_opened"] == [
        ["usa", "china"], ["usa", "china"],
    ]  # fmt: skip


def test_a_side_may_concede_at_any_time() -> None:
    """P01-1.3.8, P01-D21: Japan alone decides for itself; of the Allies every power must say so."""
    play = campaign().with_facts([("concession_said", {"power": "japan", "conceding": True})], 0)
    assert silent(silent(play)).now.winner == "allies"
    play = campaign()
    for power in ("uk", "usa"):
        play = play.with_facts([("concession_said", {"power": power, "conceding": True})], 0)
    play = silent(silent(play))
    assert play.now.winner is None
    play = play.with_facts([("concession_said", {"power": "china", "conceding": True})], 0)
    assert silent(play).now.winner == "axis"


# -- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_takes_its_values_with_or_without_its_prefix(name: str) -> None:
    for value in SWITCHES[name]:
        plain = rule_set("p01", options={name: value})
        assert plain.parameters[name] in (value, value == "yes")
        assert rule_set("p01", options={f"p01.{name}": value}).parameters == plain.parameters


@pytest.mark.parametrize("name", VARIANT_SWITCHES)
def test_every_switch_of_the_variant_takes_its_values(name: str) -> None:
    for value in VARIANT_SWITCHES[name]:
        assert rule_set("p01", variants=("wwm",), options={f"wwm.{name}": value}).options[f"wwm.{name}"] == value


@pytest.mark.parametrize(
    ("options", "variants"),
    [
        ({"weapons": "on"}, ()),
        ({"setup": "2nd"}, ()),
        ({"p01.aa_gun_slots": 3}, ()),
        ({"wwm.opt_eastern": "on"}, ()),
        ({"wwm.opt_western": "on"}, ("wwm",)),
        ({"wwm.kido_free": "sometimes"}, ("wwm",)),
    ],
)
def test_options_that_do_not_exist_are_named(options: dict[str, object], variants: tuple[str, ...]) -> None:
    with pytest.raises(UnknownOption, match=re.escape(next(iter(options)))):
        rule_set("p01", variants=variants, options=options)


def test_there_is_one_edition_and_one_variant() -> None:
    with pytest.raises(UnknownGame, match="2e"):
        rule_set("p01", "2e")
    with pytest.raises(UnknownGame, match="fov"):
        rule_set("p01", variants=("fov",))


def test_the_variant_leaves_the_game_without_it_alone() -> None:
    rule_set("p01", variants=("wwm",))
    board = rule_set("p01").board
    assert "counters" not in board.facts
    assert "pool:japan" not in json.dumps(board.facts["setup"])
