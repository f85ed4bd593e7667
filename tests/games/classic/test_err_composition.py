"""The variant put on the classic game: its options, what it leaves alone, and the turn that fights three times."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.audit.recompute import recompute
from pbem.campaign.create import CampaignWanted
from pbem.cli.campaign import _option
from pbem.games.catalog import rule_set
from pbem.games.classic.err import OPTIONS
from pbem.games.classic.parameters import UnknownOption
from pbem.report.render import render
from pbem.testing.campaigns import everybody
from pbem.testing.table import Table

POWERS = ("ussr", "germany", "uk", "japan", "usa")
BASE = Path(__file__).parents[3] / "pbem" / "games" / "classic"


# -- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in OPTIONS.items() for value in values])
def test_every_value_of_every_option_makes_a_rule_set(name: str, value: Any) -> None:
    """ERR-1.1: each option can be set to each of its values; left out it has the first."""
    assert rule_set("classic", "2e", ("err",), {name: value}).parameter(name) == value
    assert rule_set("classic", "2e", ("err",)).parameter(name) == OPTIONS[name][0]


@pytest.mark.parametrize(
    ("name", "value"), [("err_sequence", "er8"), ("err_artillery", "howitzer"), ("err_interception", True)]
)
def test_other_values_are_refused(name: str, value: Any) -> None:
    """Interception is reserved and not available (ERR-1.1)."""
    with pytest.raises(UnknownOption, match=name):
        rule_set("classic", "2e", ("err",), {name: value})


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in OPTIONS.items() for value in values])
def test_every_value_can_be_said_when_a_campaign_is_started(name: str, value: Any) -> None:
    """As `--option NAME=VALUE` of the command reads it, `none` among them."""
    text = {True: "on", False: "off"}.get(value, value)
    read = dict([_option(f"{name}={text}")])
    assert rule_set("classic", "2e", ("err",), read).parameter(name) == value


def test_the_options_mean_nothing_without_the_variant() -> None:
    with pytest.raises(UnknownOption):
        rule_set("classic", "2e", (), {"err_partial_retreat": True})


@pytest.mark.parametrize("edition", ["2e", "3e", "ib"])
def test_what_the_variant_replaces(edition: str) -> None:
    """It adds and replaces steps of battles on land and at sea; raids and flights over guns stay as they are (3.13)."""
    plain, composed = rule_set("classic", edition), rule_set("classic", edition, ("err",))
    names = {kind: [step.name for step in steps] for kind, steps in composed.battles.items()}
    assert names["land"].index("aircraft_break_off") < names["land"].index("attackers_fire")
    for kind in ("land", "sea"):
        at = names[kind].index("press_or_retreat")
        assert names[kind][at + 1] == "defenders_retreat"
        assert [name for name in names[kind] if name not in ("aircraft_break_off", "defenders_retreat")] == [
            step.name for step in plain.battles[kind]
        ]
    assert {kind for kind in plain.battles if plain.battles[kind] != composed.battles[kind]} == {"land", "sea"}
    assert "artillery" in composed.board.units and "artillery" not in plain.board.units
    assert plain.steps["moves_and_combat"] is composed.steps["moves_and_combat"]


def test_the_classic_game_does_not_ask_for_its_variant() -> None:
    """No file of the base names the variant or one of its options."""
    for file in BASE.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "err_" not in text and "classic.err" not in text, file.name


# -- three parts ------------------------------------------------------------------------------------------------------

POSITION: dict[str, Any] = {
    "round": 2,
    "power": "germany",
    "phase": "combat_move",
    "from": "nothing",
    "spaces": {
        "Germany": {"controller": "germany", "units": {"germany": {"infantry": 12, "fighter": 2, "bomber": 2}}},
        "Western Europe": {"controller": "uk", "units": {"uk": {"infantry": 1}}},
        "Baltic Sea": {"units": {"germany": {"battleship": 4}}},
        "North Sea": {"units": {"uk": {"transport": 2}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 1}}},
    },
}  # fmt: skip


def table_of(folder: Path, position: Mapping[str, Any] = POSITION, **options: Any) -> Table:
    wanted = CampaignWanted(
        "classic-9", "classic", "2e", ("err",), {"err_sequence": "er9", **options}, players=everybody(POWERS),
        orders_hours=48, reactions="standing",
    )  # fmt: skip
    table = Table(folder, wanted, position)
    table.go()
    return table


def windows(table: Table) -> list[str]:
    return [event.payload["window"] for event in table.events("window_opened")]


def battles(table: Table) -> list[str]:
    return [event.payload["battle"] for event in table.events("battle_begun")]


def proven(table: Table) -> None:
    """The campaign computes again to the same events."""
    audit = recompute(table.campaign, list(table.referee.store.read(table.campaign)))
    assert audit.difference is None


def test_each_part_is_asked_for(tmp_path: Path) -> None:
    """Aircraft first, then ships, then land units, each knowing what came of the part before (ERR-1.3.3).

    The same land is attacked by aircraft alone in the first part and taken in the third.
    """
    table = table_of(tmp_path)
    table.say("germany", "1 bomber Germany -> Western Europe\nready")
    table.go()
    assert windows(table)[-1] == "r2.germany:moves_of_ships"
    table.say("germany", "4 battleship Baltic Sea -> North Sea\nready")
    table.go()
    assert windows(table)[-1] == "r2.germany:moves_on_land"
    table.say("germany", "12 infantry Germany -> Western Europe\nrest default\nready")
    table.go()
    assert battles(table)[:3] == ["land:western-europe:1", "sea:sz-north-sea:2", "land:western-europe:3"]
    assert table.state.controller("western-europe") == "germany"
    assert "turn/combat_part" not in table.state.marks
    proven(table)


def test_mails_say_which_part_is_meant(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    assert [ask["kind"] for window in table.state.windows.values() for ask in window.asks] == ["combat_part_1"]
    table.say("germany", "ready")
    table.go()
    row = table.referee.store.outbox("classic-9", limit=1000)[0]
    text = " ".join(render(table.referee, row).text.split())
    assert "combat move of ships, the second of three" in text
    assert "Without orders nothing more is moved before these battles." in text


def test_one_mail_for_the_whole_turn(tmp_path: Path) -> None:
    """Lines of all parts may stand in the first mail; nobody is asked again."""
    table = table_of(tmp_path)
    answer = table.say(
        "germany",
        "6 infantry Germany -> Western Europe\n4 battleship Baltic Sea -> North Sea\n"
        "1 bomber Germany -> Karelia S.S.R.\nrest default\nready",
    )
    assert [line.status for line in answer.lines if line.reason] == []
    table.go()
    assert [name for name in windows(table) if name.startswith("r2.germany")] == [
        "r2.germany:moves", "r2.germany:rest",
    ]  # fmt: skip
    assert battles(table)[:2] == ["land:karelia-ssr:1", "sea:sz-north-sea:2"]
    proven(table)


def test_lines_for_a_later_part_answer_for_those_before(tmp_path: Path) -> None:
    """Who wrote land moves in his first mail and nothing for ships is not asked about ships."""
    table = table_of(tmp_path)
    table.say("germany", "6 infantry Germany -> Western Europe\nready")
    table.go()
    assert windows(table)[-1] == "r2.germany:rest"


def test_rest_default_means_no_more_moves(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table.say("germany", "1 bomber Germany -> Western Europe\nrest default\nready")
    table.go()
    assert [name for name in windows(table) if name.startswith("r2.germany")] == [
        "r2.germany:moves", "r2.germany:rest",
    ]  # fmt: skip
    assert table.state.power == "uk"


def test_nobody_is_asked_for_a_part_in_which_he_has_nothing(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    table.say("germany", "rest default\nready")
    table.go()
    assert windows(table)[-1] == "r2.uk:moves"
    table.say("uk", "ready")
    table.go()
    table.say("uk", "ready")  # ships
    table.go()
    table.say("uk", "ready")  # land
    table.go()
    table.say("uk", "ready")
    table.go()
    assert windows(table)[-1] == "r2.japan:moves"
    table.say("japan", "ready")
    table.go()
    assert windows(table)[-1] == "r2.japan:rest", "Japan has neither ships nor land units here"


@pytest.mark.parametrize(
    ("part", "line", "why"),
    [
        (2, "1 bomber Germany -> Western Europe", "No ship of yours fights in Western Europe"),
        (2, "2 fighter Germany -> Baltic Sea -> North Sea", "No ship of yours fights in North Sea"),
        (3, "4 battleship Baltic Sea -> North Sea", "sea battles are fought in the second part"),
        (3, "2 fighter Germany -> Western Europe", "No land unit of yours attacks Western Europe"),
    ],
)
def test_what_a_part_does_not_allow(tmp_path: Path, part: int, line: str, why: str) -> None:
    """Refused when the mail comes in, with the rule."""
    table = table_of(tmp_path)
    for _ in range(part - 1):
        table.say("germany", "ready")
        table.go()
    answer = table.say("germany", line)
    (refused,) = [row for row in answer.lines if row.status == "refused"]
    assert refused.rule == "ERR-1.3.3" and why in (refused.reason or "")


def test_the_same_zone_is_fought_for_twice(tmp_path: Path) -> None:
    """Aircraft attack the ships in the first part, ships those that are left in the second: a battle of its own."""
    ships = {"North Sea": {"units": {"uk": {"transport": 9}}}}
    table = table_of(tmp_path, {**POSITION, "spaces": {**POSITION["spaces"], **ships}})
    table.say("germany", "2 fighter Germany -> Baltic Sea -> North Sea\nready")
    table.say("uk", "fleet North Sea: break off after round 1")
    table.go()
    table.say("germany", "4 battleship Baltic Sea -> North Sea\nready")
    table.go()
    assert battles(table)[:2] == ["sea:sz-north-sea:1", "sea:sz-north-sea:2"]
    proven(table)


def test_standing_orders_count_as_they_are_when_a_part_is_ordered(tmp_path: Path) -> None:
    """Who saw the first part may order his defence of the second anew, as the attacker may his moves (ruling E-12)."""
    ships = {"North Sea": {"units": {"uk": {"transport": 9}}}}
    table = table_of(tmp_path, {**POSITION, "spaces": {**POSITION["spaces"], **ships}})
    table.say("uk", "press on North Sea")
    table.say("germany", "1 bomber Germany -> Western Europe\nready")
    table.go()
    table.say("uk", "cancel standing\nretreat North Sea after round 1 to Karelia Sea Zone")
    table.say("germany", "4 battleship Baltic Sea -> North Sea\nready")
    table.go()
    rows = [row for event in table.events("decisions_taken") for row in event.payload["decisions"]]
    asked = [row for row in rows if row["kind"] == "retreat" and (row["power"], row["space"]) == ("uk", "sz-north-sea")]
    assert [row["by"] for row in asked] == ["standing"]
    assert any(unit.owner == "uk" for unit in table.state.units_in("sz-karelia"))
    proven(table)
