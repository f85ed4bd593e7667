"""The rule sets of the classic game: powers, board, editions, options, a new campaign and a silent round."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.board.units import AIR, FACILITY, LAND, SEA
from pbem.campaign.play import Play, begin, run_on
from pbem.dice.recorded import RecordedSource
from pbem.games.catalog import UnknownGame, rule_set
from pbem.games.classic.parameters import EDITIONS, SECOND_EDITION, UnknownOption
from pbem.games.classic.turn import PHASES
from pbem.orders.respond import StandingResponder
from pbem.rules.setup import start_events

ORDER = ("ussr", "germany", "uk", "japan", "usa")
AXIS, ALLIES = ("germany", "japan"), ("ussr", "uk", "usa")
MONEY = {"ussr": 24, "germany": 32, "uk": 30, "japan": 25, "usa": 36}
CAPITALS = {
    "ussr": "russia", "germany": "germany", "uk": "united-kingdom", "japan": "japan", "usa": "eastern-united-states",
}  # fmt: skip
COMPLEXES = {
    "ussr": {"russia", "karelia-ssr"}, "germany": {"germany", "southern-europe"}, "uk": {"united-kingdom"},
    "japan": {"japan"}, "usa": {"eastern-united-states", "western-united-states"},
}  # fmt: skip
TABLE = {
    "infantry": (1, 2, 1, 3), "tank": (3, 2, 2, 5), "aa_gun": (0, 0, 1, 5), "industrial_complex": (0, 0, 0, 15),
    "fighter": (3, 4, 4, 12), "bomber": (4, 1, 6, 15), "transport": (0, 1, 2, 8), "submarine": (2, 2, 2, 8),
    "carrier": (1, 3, 2, 18), "battleship": (4, 4, 2, 24),
}  # fmt: skip
"""Attack, defence, movement and cost of each unit."""


def campaign(edition: str | None = None, **options: Any) -> Play:
    rules = rule_set("classic", edition, options=options)
    return begin("table", rules, start_events(rules))


def silent_turn(play: Play) -> tuple[Play, list[Any]]:
    told = run_on(play, RecordedSource([]), StandingResponder(), now=0, may_close=lambda window: True)
    assert told.outcome is not None and told.outcome.finished
    return told.play, list(told.events)


# -- powers, board, units ---------------------------------------------------------------------------------------------


def test_powers_sides_and_treasuries() -> None:
    """Five powers at war by sides from the start (CLA-1.1.1, CLA-1.1.2, CLA-1.1.4); money is the land's value."""
    play = campaign()
    board, state = play.rules.board, play.now
    assert tuple(sorted(board.powers, key=lambda power: board.powers[power].order)) == ORDER
    assert {side: set(powers) for side, powers in board.sides.items()} == {"axis": set(AXIS), "allies": set(ALLIES)}
    assert "declare_war" not in play.rules.parameter("phases"), "there is no diplomacy"
    for power in ORDER:
        worth = sum(space.ipc for space in board.spaces.values() if state.controller(space.id) == power)
        assert state.counter(power) == worth == MONEY[power]
        for other in ORDER:
            enemy = (power in AXIS) != (other in AXIS)
            assert state.at_war(power, other) == enemy
            assert play.rules.judge("friendly_territory", state, power, CAPITALS[other]) != enemy
    assert (sum(MONEY[p] for p in AXIS), sum(MONEY[p] for p in ALLIES)) == (57, 90)


def test_capitals_and_original_owners() -> None:
    """Each space is controlled by one power or neutral; who controls it at set-up is its original owner for good.

    CLA-1.2.2, CLA-1.2.3: the sea and neutral land are nobody's.
    """
    play = campaign()
    board = play.rules.board
    for power, capital in CAPITALS.items():
        assert board.powers[power].capital == capital and board.spaces[capital].capital_of == power
        built = {s for s, held in play.now.spaces.items() if held.facilities and held.controller == power}
        assert built == COMPLEXES[power]
    for space in board.spaces.values():
        assert space.original_owner == space.start_controller == play.now.controller(space.id)
        assert space.start_controller is None or space.start_controller in ORDER
        if space.is_sea or space.kind == "neutral":
            assert space.start_controller is None
    fell = {"type": "control_changed", "payload": {"space": "kazakh-ssr", "from": "ussr", "to": "germany"}}
    taken = play.with_facts([("correction_requested", {"reason": "a ruling", "facts": [fell]})], 0)
    taken, _ = silent_turn(taken)
    assert taken.now.controller("kazakh-ssr") == "germany"
    assert taken.rules.board.spaces["kazakh-ssr"].original_owner == "ussr"


@pytest.mark.parametrize("edition", ["2e", "3e"])
def test_spaces_of_the_board(edition: str) -> None:
    """70 territories and 58 sea zones, no unnamed islands (CLA-1.2.1, CLA-1.2.8); the board joins at its edges.

    The booklet's own remarks on adjacency: CLA-1.2.10, CLA-1.2.12.
    """
    board = rule_set("classic", edition).board
    seas = [space for space in board.spaces.values() if space.is_sea]
    assert (len(board.spaces) - len(seas), len(seas)) == (70, 58)
    for space in board.spaces:
        assert all(space in board.neighbours[near] for near in board.neighbours[space])
    for a, b in (
        ("sz-new-zealand", "sz-peru"), ("sz-new-zealand", "sz-south-argentina"), ("karelia-ssr", "sz-baltic"),
        ("karelia-ssr", "sz-karelia"), ("ukraine-ssr", "caucasus"), ("anglo-egypt-sudan", "syria-iraq"),
        ("sz-gulf-of-mexico", "mexico"), ("mexico", "sz-mexico"), ("sz-west-panama", "panama"),
        ("sz-caribbean", "panama"), ("australia", "sz-south-australia"),
    ):  # fmt: skip
        assert board.adjacent(a, b), (a, b)
    for a, b in (
        ("kwangtung", "sz-japan"), ("finland-norway", "eastern-europe"), ("caucasus", "eastern-europe"),
        ("gibraltar", "algeria"), ("eastern-europe", "turkey"),
    ):  # fmt: skip
        assert not board.adjacent(a, b), (a, b)


def test_friendly_hostile_and_neutral() -> None:
    """Land is friendly, hostile or neutral to a power, a zone hostile by any enemy ship (CLA-1.2.4, CLA-1.2.5)."""
    play = campaign()
    rules, state = play.rules, play.now

    def is_(judgement: str, space: str) -> bool:
        return bool(rules.judge(judgement, state, "uk", space))

    assert is_("friendly_territory", "russia") and not is_("hostile_territory", "russia")
    assert is_("hostile_territory", "libya") and not is_("friendly_territory", "libya")
    assert not is_("friendly_territory", "turkey") and not is_("hostile_territory", "turkey")
    assert rules.judge("neutral_ground", state, "turkey") and not rules.judge("neutral_ground", state, "libya")
    assert is_("hostile_zone", "sz-philippines"), "a transport alone"
    assert is_("hostile_zone", "sz-west-spain"), "a submarine alone"
    assert not is_("hostile_zone", "sz-karelia"), "ships of an ally"
    assert not is_("hostile_zone", "sz-congo"), "nobody"


@pytest.mark.parametrize("edition", ["2e", "3e", "ib"])
def test_the_unit_table(edition: str) -> None:
    """Figures of section 1.3 are the same in all editions; Iron Blitz has a marine and a destroyer more."""
    units = rule_set("classic", edition).board.units
    figures = {kind: (u.attack, u.defense, u.move, u.cost) for kind, u in units.items()}
    assert {kind: row for kind, row in figures.items() if kind in TABLE} == TABLE
    more = {"marine": (1, 2, 1, 4), "destroyer": (2, 2, 2, 8)} if edition == "ib" else {}
    assert {kind: row for kind, row in figures.items() if kind not in TABLE} == more
    assert all(unit.hits == 1 for unit in units.values() if unit.domain != FACILITY), "one hit each (CLA-1.3.1)"
    assert {unit.domain for unit in units.values()} == {LAND, AIR, SEA, FACILITY}


# -- the turn ---------------------------------------------------------------------------------------------------------


def test_a_silent_round() -> None:
    """Seven phases in order, five turns a round (CLA-2.1, CLA-2.2); silence spends, moves and rolls nothing.

    CLA-D01, CLA-D03, CLA-D04: no research, no combat moves, no rocket. Income comes last (CLA-4.4, CLA-10.4).
    """
    play = campaign()
    before = {unit.id: unit.space for unit in play.now.units.values()}
    turns = []
    for power in (*ORDER, "ussr"):
        segment = play.rules.next_segment(play.rules, play.now)
        assert segment is not None
        turns.append(segment.id)
        play, events = silent_turn(play)
        begun = [event.payload["phase"] for event in events if event.type == "phase_begun"]
        assert tuple(begun) == PHASES, power
        assert not [event for event in events if event.type in ("dice_rolled", "units_moved")]
    assert turns == ["r1.ussr", "r1.germany", "r1.uk", "r1.japan", "r1.usa", "r2.ussr"]
    assert {unit.id: unit.space for unit in play.now.units.values()} == before
    for power, ipc in MONEY.items():
        assert play.now.counter(power) == (3 if power == "ussr" else 2) * ipc
    assert play.now.winner is None


def test_without_technology_there_is_no_phase_for_it() -> None:
    """CLA-3.14."""
    play, events = silent_turn(campaign("3e", no_technology=True))
    begun = [event.payload["phase"] for event in events if event.type == "phase_begun"]
    assert tuple(begun) == PHASES[1:]


def test_a_side_may_surrender() -> None:
    """The game is over when all players of a side agree (CLA-11.7, CLA-D20)."""
    play, _ = silent_turn(campaign().with_facts([("concession_said", {"power": "germany", "conceding": True})], 0))
    assert play.now.winner is None
    play, events = silent_turn(play.with_facts([("concession_said", {"power": "japan", "conceding": True})], 0))
    assert play.now.winner == "allies"
    (won,) = [event for event in events if event.type == "game_won"]
    assert set(won.payload) <= {"side", "how"}, "sides win, no single player (CLA-13.4)"


# -- editions and options ---------------------------------------------------------------------------------------------


def test_what_the_third_edition_changes() -> None:
    """CLA-13.3, one by one; Iron Blitz is the third edition with two units more."""
    second, third, blitz = (rule_set("classic", edition) for edition in ("2e", "3e", "ib"))
    changed = {name for name in SECOND_EDITION if second.parameter(name) != third.parameter(name)}
    assert changed == {"submersible_subs", "multiple_aa", "naval_placement_in_enemy_zone"}
    for rules, on in ((second, False), (third, True), (blitz, True)):
        assert all(rules.parameter(name) is on for name in changed)
        assert rules.parameter("aircraft_leave_assaults") is on and rules.parameter("leaving_needs_combat") is on
        assert rules.board.adjacent("western-canada", "sz-east-canada") is not on
    assert third.board.units.keys() == second.board.units.keys()


OPTIONS: dict[str, tuple[Any, ...]] = {
    "russia_restricted": ("no_attack", "no_movement_out"), "axis_advantage": (True,), "total_victory": (True,),
    "victory_check": ("booklet", "round"), "no_new_complexes": (True,), "ic_limit": (4, "none"),
    "piece_limit": ("box", "off"), "naval_placement_in_enemy_zone": (True,), "allied_economic_victory": (110,),
    "economic_victory": (False,), "sbr_cap": (True,), "heavy_bomber_dice": (2, 3), "tech_delay": (True,),
    "no_technology": (True,), "neutral_overflight": ("violate", "pay", "forbidden"), "neutrals_impassable": (True,),
    "neutral_charge": (5, 0), "bombard_no_return_fire": (True,), "partial_amphibious_retreat": (True,),
    "two_hit_battleship": ("end_of_battle", "start_of_turn", "end_of_turn"), "submersible_subs": (True,),
    "super_sub_defence": (True,), "air_vs_sub_ends_battle": (True,), "always_active_aa": (True,),
    "multiple_aa": (True,), "kamikaze": (True,), "scorched_earth": (True,), "one_panama_zone": (True,),
    "paratroopers": (True,), "single_unload": (True,), "strict_transport_combat": (True,),
    "limited_original_ics": (True,), "destroyers_and_artillery": (True,),
    "bid": (
        {"germany": {"ipc": 3, "units": {"Libya": {"tank": 1}}}},
        {"japan": {"units": {"Philippines SZ": {"submarine": 1}}}},
    ),
}  # fmt: skip
"""Every option of the rule book's section 13 (and those of 5.9.5, 11.8 and 1.3) with values it may have."""


def test_every_option_is_known() -> None:
    assert set(OPTIONS) == set(SECOND_EDITION)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("option", OPTIONS)
def test_options_are_set_for_a_campaign(edition: str, option: str) -> None:
    """Each is set when a campaign is created, in every edition: a table may agree on what another edition has."""
    for value in OPTIONS[option]:
        rules = rule_set("classic", edition, options={option: value})
        assert rules.options == {option: value}
        assert rules.parameter(option) == ({"none": 0}.get(value, value) if option == "ic_limit" else value)
        play = begin("table", rules, start_events(rules))
        assert silent_turn(play)[0].now.power == "ussr"


@pytest.mark.parametrize(
    "options",
    [
        {"kamikaze": "yes"},
        {"heavy_bomber_dice": 4},
        {"heavy_bomber_dice": True},
        {"victory_check": True},
        {"victory_check": "turn"},
        {"ic_limit": -1},
        {"neutral_charge": "much"},
        {"rockets": True},
        {"err_artillery": "unit"},
        {"bid": 5},
        {"bid": {"rome": {"ipc": 1}}},
        {"bid": {"germany": {"ipc": -1}}},
        {"bid": {"germany": {"units": {"Atlantis": {"tank": 1}}}}},
        {"bid": {"germany": {"units": {"Russia": {"tank": 1}}}}},
        {"bid": {"germany": {"units": {"Libya": {"submarine": 1}}}}},
        {"bid": {"germany": {"units": {"Libya": {"industrial_complex": 1}}}}},
        {"bid": {"germany": {"units": {"Congo SZ": {"submarine": 1}}}}},
        {"bid": {"germany": {"units": {"Libya": {"tank": -1}}}}},
    ],
)
def test_options_that_do_not_exist_are_named(options: dict[str, object]) -> None:
    with pytest.raises(UnknownOption, match=next(iter(options))):
        rule_set("classic", options=options)


def test_a_bid_adds_money_and_units() -> None:
    """Extra money and units as the sides agreed, before round 1 (CLA-D19); without the option there are none."""
    plain = campaign().now
    play = campaign(bid={"germany": {"ipc": 4, "units": {"Libya": {"tank": 2}}}}).now
    assert (plain.counter("germany"), play.counter("germany")) == (32, 36)
    count = [sum(u.kind == "tank" and u.space == "libya" for u in state.units.values()) for state in (plain, play)]
    assert count == [1, 3]
    assert rule_set("classic").board.powers["germany"].starting_ipc == 32


def test_the_axis_may_start_with_weapons() -> None:
    """Option axis_advantage: jet power for Germany, super submarines for Japan."""
    known = campaign(axis_advantage=True).now.technologies
    assert {power: tuple(weapons) for power, weapons in known.items() if weapons} == {
        "germany": ("jet_power",), "japan": ("super_submarines",),
    }  # fmt: skip


def test_editions_and_variants() -> None:
    with pytest.raises(UnknownGame, match="2e, 3e, ib"):
        rule_set("classic", "1e")
    with pytest.raises(UnknownGame, match="err"):
        rule_set("classic", variants=("fov",))
    assert rule_set("classic").edition == "2e"
