"""The frame of play in Pacific 1940: whose turn, which phases, what a turn remembers of its start, who is whose."""

from __future__ import annotations

import pytest

from pbem.campaign.play import run_on
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.games.p40.parameters import EDITIONS
from pbem.orders.respond import StandingResponder
from pbem.rules import marks
from pbem.rules.turn import PHASES, controller_at_start, turn_order
from tests.games.p40.table import campaign, table

ORDER = ("japan", "usa", "china", "uk", "anzac")


@pytest.mark.parametrize("edition", EDITIONS)
def test_five_powers_play_in_their_order_and_then_the_next_round_begins(edition: str) -> None:
    """P40-1.1.1, P40-1.1.3: France, the Dutch, the Soviet Union and Mongolia take no turns and collect nothing."""
    rules = rule_set("p40", edition)
    assert turn_order(rules) == ORDER
    game = campaign(edition)
    played = [(game.turn().round, game.state.power) for _ in range(6)]
    assert played == [(1, power) for power in ORDER] + [(2, "japan")]
    for bystander in ("france", "dutch", "ussr"):
        assert not rules.board.powers[bystander].playable
        assert game.state.counter(bystander) == 0


@pytest.mark.parametrize("power", ORDER)
def test_six_phases_each_once_and_none_reopened(power: str) -> None:
    """P40-2.1.1, P40-2.1.2, P40-2.1.4, P40-2.1.6: China too plays all six; there is no phase of research."""
    game = campaign("2e")
    while game.state.power != power:
        game.turn()
    told = [
        (event.type, event.payload["phase"]) for event in game.events if event.type in ("phase_begun", "phase_ended")
    ]
    assert told == [(what, phase) for phase in PHASES for what in ("phase_begun", "phase_ended")]


def test_reactions_come_between_the_moves_and_the_battles() -> None:
    """P40-2.1.3, P40-5.0.2: the opponents' window stands between the phases two and three."""
    game = table(
        "1e",
        {
            "round": 2, "power": "japan", "phase": "combat_move", "from": "nothing", "relations": "war",
            "spaces": {
                "Sea Zone 26": {"units": {"japan": {"destroyer": 1}, "usa": {"destroyer": 1}}},
                "Hawaiian Islands": {
                    "controller": "usa", "units": {"usa": {"fighter": 1}}, "facilities": {"air_base": {"damage": 0}}
                },
            },
        },
    )  # fmt: skip
    told = run_on(game.play, SeededThrowaway(1), StandingResponder(), now=0, may_close=lambda window: True)
    kinds = [event.payload.get("phase", event.type) for event in told.events]
    decided, battle = kinds.index("decisions_taken"), kinds.index("battle_begun")
    assert told.events[decided].payload["decisions"][0]["kind"] == "scramble"
    assert kinds[decided - 1 : decided + 2] == ["combat_move", "decisions_taken", "conduct_combat"]
    assert decided < battle


def test_the_islands_of_the_list() -> None:
    """P40-1.2.2: the fixed list, New Guinea being one island of two territories; Australia is none."""
    board = rule_set("p40", "1e").board
    islands = {space.id for space in board.spaces.values() if space.island}
    assert islands == {
        "japan", "iwo-jima", "okinawa", "formosa", "hainan", "marianas", "caroline-islands", "palau-island",
        "marshall-islands", "philippines", "celebes", "borneo", "java", "sumatra", "ceylon", "new-guinea",
        "dutch-new-guinea", "new-britain", "solomon-islands", "gilbert-islands", "new-hebrides", "fiji", "samoa",
        "new-zealand", "guam", "wake-island", "midway", "hawaiian-islands", "johnston-island", "line-islands",
        "aleutian-islands",
    }  # fmt: skip


def test_land_that_japan_holds_at_the_start_is_chinese_by_origin() -> None:
    """P40-1.2.9: the owner printed on the board, not the one of the set-up."""
    rules = rule_set("p40", "2e")
    state = campaign("2e").state
    for space in ("shantung", "kwangsi", "kiangsi", "kiangsu", "jehol", "manchuria"):
        assert (rules.board.spaces[space].original_owner, state.controller(space)) == ("china", "japan")
    assert rules.board.spaces["korea"].original_owner == "japan"


@pytest.mark.parametrize(
    ("power", "space", "at_peace", "at_war"),
    [
        ("japan", "malaya", "closed", "hostile"),
        ("japan", "java", "closed", "hostile"),
        ("japan", "french-indo-china", "hostile", "hostile"),
        ("japan", "hunan", "hostile", "hostile"),
        ("japan", "amur", "closed", "closed"),
        ("uk", "java", "friendly", "friendly"),
        ("uk", "new-south-wales", "friendly", "friendly"),
        ("uk", "hunan", "closed", "friendly"),
        ("uk", "hawaiian-islands", "closed", "friendly"),
        ("usa", "java", "closed", "friendly"),
        ("china", "burma", "closed", "friendly"),
        ("china", "kiangsi", "hostile", "hostile"),
    ],
)
def test_friendly_hostile_or_closed(power: str, space: str, at_peace: str, at_war: str) -> None:
    """P40-1.2.3: what a territory is to a power, before the wars and in them."""
    rules = rule_set("p40", "1e")
    for relations, expected in (([], at_peace), ("war", at_war)):
        given = {"round": 1, "power": power, "phase": "combat_move", "from": "nothing", "spaces": {}}
        state = table("1e", given | ({"relations": relations} if relations else {})).state
        friendly = rules.judge("friendly_territory", state, power, space)
        hostile = rules.judge("hostile_territory", state, power, space)
        assert not (friendly and hostile)
        assert ("friendly" if friendly else "hostile" if hostile else "closed") == expected


def test_a_turn_remembers_its_first_moment() -> None:
    """P40-1.2.10: the zones that were hostile, and who controlled what; wiped when the turn ends."""
    game = table(
        "1e",
        {
            "round": 2, "power": "japan", "phase": "purchase", "from": "nothing", "relations": "war",
            "spaces": {
                "Sea Zone 31": {"units": {"usa": {"cruiser": 1}}}, "Sea Zone 32": {"units": {"usa": {"submarine": 1}}},
                "Hunan": {"controller": "japan", "started": "china"},
            },
        },
    )  # fmt: skip
    assert controller_at_start(game.state, "hunan") == "china"
    game.turn()
    noted = [event.payload["value"] for event in game.events if event.payload.get("key") == marks.HOSTILE_AT_START]
    assert noted == [["sz-31"], None]
    assert controller_at_start(game.state, "hunan") == "japan"
