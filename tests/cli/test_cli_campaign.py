"""Starting, listing and showing campaigns."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import CAMPAIGN, Cli


def test_a_campaign_is_started_from_options(cli: Cli) -> None:
    said = cli.good(
        "campaign", "new", "club-1", "--game", "p40", "--edition", "card", "--player", "japan", "anna@example.org",
        "--player", "china,usa", "ben@example.org", "--others", "cleo@example.org", "--moderator", "mod@example.org",
        "--orders-hours", "0", "--title", "The club's first", "--json",
    ).json()  # fmt: skip
    assert said["title"] == "The club's first" and said["edition"] == "card"
    assert {row["id"]: row["powers"] for row in said["players"]} == {
        "japan": ["japan"], "china": ["china", "usa"], "uk": ["uk", "anzac"], "moderator": [],
    }  # fmt: skip
    (window,) = said["windows"]
    assert window["waits_for"] == ["japan"] and window["deadline"] is None
    assert "first window is open" in cli.good("campaign", "new", "c2", "--game", "p40", "--others", "a@b.example").out


def test_a_file_may_be_yaml_and_options_win_over_it(cli: Cli) -> None:
    (cli.folder / "c.yaml").write_text(
        "id: from-file\ngame: p40\nedition: 2e\noptions: {}\nplayers:\n"
        "  - {id: anna, powers: [japan], address: anna@example.org, language: zh, time_zone: Asia/Taipei}\n",
        encoding="utf-8",
    )
    said = cli.good(
        "campaign", "new", "other-name", "--from", "c.yaml", "--edition", "1e", "--others", "b@example.org", "--json"
    ).json()
    assert (said["campaign"], said["edition"]) == ("other-name", "1e")
    assert said["players"][0]["time_zone"] == "Asia/Taipei"


def test_options_of_the_rules_are_given_by_name(cli: Cli) -> None:
    """Words, numbers and JSON."""
    powers = ("--player", "germany,japan", "anna@example.org", "--others", "ben@example.org")
    said = cli.good(
        "campaign", "new", "classic-1", "--game", "classic", *powers, "--option", "kamikaze=on",
        "--option", "ic_limit=4", "--option", 'bid={"germany": {"ipc": 3}}', "--json",
    ).json()  # fmt: skip
    assert said["options"] == {"kamikaze": "on", "ic_limit": 4, "bid": {"germany": {"ipc": 3}}}


@pytest.mark.parametrize(("game", "rule"), [("classic", "CLA-1.1.3"), ("s42", "S42-1.1.6")])
def test_a_player_has_powers_of_one_side(cli: Cli, game: str, rule: str) -> None:
    """Where the rule book says so (CLA-1.1.3, S42-1.1.6)."""
    both = cli("campaign", "new", "both-1", "--game", game, "--others", "ben@example.org")
    assert both.code != 0 and f"powers of one side only ({rule})" in both.err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"colour": "red"}, "unknown field 'colour'"),
        ({"players": [{"powers": ["japan"]}]}, "the mail address is missing"),
        ({"players": [{"id": "a", "powers": ["japan"], "address": "a@b.example"}]}, "nobody plays usa"),
        ({"players": [{"id": "a", "powers": ["mars"], "address": "a@b.example"}]}, "'mars'"),
        ({"players": "japan"}, "players is a list"),
        ({"orders_hours": "many"}, "whole number of hours"),
        ({"closing": "never"}, "ready or at_once"),
        ({"id": "No Good"}, "is no name for a campaign"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"edition": "9e"}, "no edition '9e'"),
        ({"variants": ["err"]}, "no variant 'err'"),
        ({"options": {"luck": True}}, "no option 'luck'"),
        ({"game": "s42", "edition": None, "options": {"luck": True}}, "no option 'luck'"),
        ({"game": "p01", "edition": None, "options": {"luck": True}}, "no option 'luck'"),
        ({"game": "classic", "edition": None, "options": {"luck": True}}, "no option 'luck'"),
        ({"game": "classic", "edition": None, "options": {"victory_check": "never"}}, "booklet or round"),
        ({"players": [{"powers": ["japan"], "address": "a@b.example", "time_zone": "Mars"}]}, "no time zone"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_wrong_with_a_file_is_said(cli: Cli, change: dict[str, object], told: str) -> None:
    (cli.folder / "c.json").write_text(json.dumps({**CAMPAIGN, **change}), encoding="utf-8")
    said = cli("campaign", "new", "--from", "c.json")
    assert said.code == 1 and told in said.err and said.err.count("\n") == 1
    assert cli("campaign", "list").err or cli("campaign", "list", "--json").json() == []


def test_broken_json_is_told_with_its_place(cli: Cli) -> None:
    (cli.folder / "c.json").write_text('{"id": "x1",\n "game" "p40"}', encoding="utf-8")
    assert "line 2" in cli("campaign", "new", "--from", "c.json").err


def test_a_campaign_may_begin_in_the_position_of_a_case(cli: Cli) -> None:
    given = {
        "round": 3, "power": "japan", "phase": "combat_move", "relations": "war",
        "spaces": {"Kwangsi": {"controller": "japan", "units": {"japan": {"infantry": 3}}}},
    }  # fmt: skip
    case = {"game": "p40", "given": given, "expect": {}}
    (cli.folder / "position.json").write_text(json.dumps(case), encoding="utf-8")
    (cli.folder / "c.json").write_text(json.dumps(CAMPAIGN), encoding="utf-8")
    said = cli.good("campaign", "new", "--from", "c.json", "--position", "position.json", "--json").json()
    assert said["round"] == 3 and said["windows"][0]["phases"] == ["combat_move"]
    assert "Kwangsi [japan]: japan 3 infantry" in cli.good("replay").out
    given["spaces"]["Kwangsii"] = {}  # type: ignore[index]
    (cli.folder / "position.json").write_text(json.dumps(case), encoding="utf-8")
    wrong = cli("campaign", "new", "other", "--from", "c.json", "--position", "position.json")
    assert wrong.code == 1 and "near: Kwangsi" in wrong.err


def test_list_and_show_tell_what_is_waited_for(begun: Cli) -> None:
    (row,) = begun.good("campaign", "list", "--json").json()
    assert row["windows"][0]["window"] == "r1.japan:moves"
    assert "waits for japan (r1.japan:moves)" in begun.good("campaign", "list").out
    shown = begun.good("campaign", "show").out
    assert "china@players.example" in shown and row["root"] in shown


def test_secret_addresses_are_shown_only_when_asked_for(begun: Cli) -> None:
    assert "jp7k2q" not in begun.good("campaign", "show").out + begun.good("campaign", "show", "--json").out
    assert "orders+p40-17.jp7k2q@pbem.example" in begun.good("campaign", "show", "--addresses").out


def test_with_several_campaigns_one_must_be_named(begun: Cli) -> None:
    begun.good("campaign", "new", "second", "--game", "p40", "--others", "a@example.org")
    assert "which campaign? Name one with --campaign: p40-17, second" in begun("replay").err
    assert begun.good("replay", "--campaign", "second").out.startswith("second")
