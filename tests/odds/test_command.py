"""`pbem odds` as it is called."""

from __future__ import annotations

import json

import pytest

from pbem.cli import run
from pbem.games.catalog import rule_set
from pbem.odds.calculate import odds_of
from tests.odds.real import battle_between

BASE = ("odds", "--game", "p40", "--edition", "2e")


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run([*BASE, *arguments]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_json_has_the_figures_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    out = answered(
        capsys, "--attack", "3 inf 2 tank 3 fig", "--defend", "5 inf 2 art 1 tank", "--attacker-losses",
        "inf,art,tank,fighter", "--json",
    )  # fmt: skip
    found = json.loads(out)
    assert list(found) == [
        "attacker_wins", "defender_wins", "both_gone", "rounds", "attacker_loss_ipc", "defender_loss_ipc", "survivors",
    ]  # fmt: skip
    assert found["attacker_wins"] + found["defender_wins"] + found["both_gone"] == pytest.approx(1, abs=1e-12)
    assert sum(row["probability"] for row in found["survivors"]["defender"]) == pytest.approx(1, abs=1e-12)


def test_forces_are_read_as_in_orders(capsys: pytest.CaptureFixture[str]) -> None:
    rules = rule_set("p40", "2e")
    state, battle = battle_between(
        rules, "2 submarine, 1 battleship/damaged, 1 battleship", "1 destroyer, 1 carrier/damaged, 2 fighter", sea=True
    )
    expected = odds_of(rules, state, battle).to_json()
    out = answered(
        capsys, "--sea", "--attack", "2 subs, 1 damaged bb and 1 bb", "--defend", "1 dd 1 cv damaged 2 ftr", "--json"
    )
    found = json.loads(out)
    for name in ("attacker_wins", "rounds", "defender_loss_ipc"):
        assert found[name] == pytest.approx(expected[name], abs=1e-12)


def test_an_order_of_loss_makes_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    forces = ("--attack", "2 inf 2 ftr", "--defend", "3 inf")
    usual = json.loads(answered(capsys, *forces, "--json"))
    planes_first = json.loads(answered(capsys, *forces, "--attacker-losses", "ftr, inf", "--json"))
    assert planes_first["attacker_wins"] < usual["attacker_wins"]
    assert planes_first["attacker_loss_ipc"] > usual["attacker_loss_ipc"]


def test_text_is_short_and_says_who_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    out = answered(
        capsys, "--attack", "3 inf 1 tank", "--defend", "2 inf 1 aa", "--bombard", "1 cruiser", "--landed", "2 inf"
    )
    lines = out.splitlines()
    assert lines[0] == "p40-2e, from the sea"
    assert "bombard  1 cruiser" in out and "attacker wins" in out and "nobody" in out
    assert len(lines) < 22 and max(map(len, lines)) <= 120


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--attack", "3 infx", "--defend", "1 inf"), "infantry"),
        (("--attack", "3 inf", "--defend", "1 bb"), "battleships take no part in a land battle"),
        (("--attack", "3 inf", "--defend", "1 dd", "--sea"), "infantry take no part in a sea battle"),
        (("--attack", "1 aa", "--defend", "1 inf"), "do not attack"),
        (("--attack", "", "--defend", "1 inf"), "nobody is there to attack"),
        (("--attack", "2 inf", "--defend", "1 inf", "--bombard", "1 dd"), "destroyers do not bombard"),
        (("--attack", "2 ftr", "--defend", "1 inf", "--amphibious"), "needs land units"),
        (("--attack", "2 inf", "--defend", "1 inf", "--landed", "3 inf"), "only 2 of them attack"),
        (("--attack", "2 inf", "--defend", "1 inf", "--attacker-losses", "2 inf"), "without numbers"),
        (("--attack", "2 japan inf", "--defend", "1 inf"), "leave the power out"),
        (("--attack", "1 damaged cruiser", "--defend", "1 dd", "--sea"), "never damaged"),
    ],
)
def test_bad_usage_is_one_clear_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str) -> None:
    assert run([*BASE, *arguments]) == 2
    err = capsys.readouterr().err
    assert told in err and err.count("\n") == 1


def test_an_unknown_game_or_edition_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["odds", "--game", "p41", "--attack", "1 inf", "--defend", "1 inf"]) == 2
    assert "there are p40" in capsys.readouterr().err
    assert run(["odds", "--game", "p40", "--edition", "9e", "--attack", "1 inf", "--defend", "1 inf"]) == 2
    assert "card, 1e, 2e" in capsys.readouterr().err
