"""Recorded games of another program replay to the very same boards, and the check sees whatever is changed in them."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.audit.turns import check_path, check_turn

GAMES = Path(__file__).resolve().parents[1] / "data" / "turns"
Record = dict[str, Any]


def game(name: str) -> Record:
    value = json.loads((GAMES / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def board_before(played: Record, number: int) -> Record:
    board = dict(played["setup"])
    for turn in played["turns"][: number - 1]:
        board |= turn["board_after_changes"]
    return board


@pytest.mark.parametrize(("name", "turns"), [("p40_2e", 15), ("p40_1e", 5), ("s42", 15), ("classic_2e", 15)])
def test_a_whole_game_replays(name: str, turns: int) -> None:
    results = check_path(GAMES / f"{name}.json")
    assert len(results) == turns
    assert {
        result.file: [*map(str, result.refused), *result.differences] for result in results if not result.passed
    } == {}


def test_the_referee_names_the_rule_of_a_listed_divergence() -> None:
    results = check_path(GAMES / "p40_2e.json")
    told = {
        index: [(line.move, line.rule) for line in result.refused]
        for index, result in enumerate(results, 1)
        if result.refused
    }
    assert told == {
        2: [(7, "P40-2.3.9"), (8, "P40-2.3.9"), (18, "P40-2.3.9")],
        6: [(3, "P40-2.5.8")],
    }
    assert all(line.known for result in results for line in result.refused)


@pytest.mark.parametrize("number", [2, 5, 7, 12])
def test_a_turn_replays_alone(number: int) -> None:
    """Without the records before it: what was declared is concluded from the board and from the turn."""
    played = game("p40_2e")
    record = {**played["turns"][number - 1], "ruleset": played["ruleset"]}
    result = check_turn(record, board_before(played, number))
    assert result.passed, (result.refused, result.differences)


def test_turns_in_a_folder_find_their_board(tmp_path: Path) -> None:
    played = game("p40_1e")
    boards: Record = {"setup": played["setup"], "pus_at_start": played["pus_at_start"], "after": {}}
    for number, turn in enumerate(played["turns"], 1):
        boards["after"][f"r{turn['round']}.{turn['power']}"] = board_before(played, number + 1)
        record = {**turn, "ruleset": played["ruleset"]}
        (tmp_path / f"{number:02}.json").write_text(json.dumps(record), encoding="utf-8")
    (tmp_path / "board.json").write_text(json.dumps(boards), encoding="utf-8")
    assert [result.passed for result in check_path(tmp_path)] == [True] * 5
    assert [result.passed for result in check_path(tmp_path / "03.json")] == [True]


def test_a_voyage_over_two_phases_is_one_move() -> None:
    result = check_path(GAMES / "s42.json")[6]
    assert result.passed
    assert any("15" in note and "T-1" in note for note in result.notes)


# -- what is changed is seen ---------------------------------------------------------------------------------------


def _battle(turn: Record, what: str) -> Record:
    """The first line of that sort in the first battle that has one."""
    return next(entry for battle in turn["battles"] for entry in battle["timeline"] if entry["t"] == what)


def _needs(turn: Record) -> None:
    _battle(turn, "roll")["dice"][0][1] += 1


def _hits(turn: Record) -> None:
    _battle(turn, "roll")["hits"] += 1


def _face(turn: Record) -> None:
    die = _battle(turn, "roll")["dice"][0]
    die[0] = 6 if die[0] <= die[1] else 1


def _lost(turn: Record) -> None:
    _battle(turn, "lost")["units"][0]["count"] += 1


def _winner(turn: Record) -> None:
    battle = next(battle for battle in turn["battles"] if battle.get("winner"))
    battle["winner"] = battle["defenders"][0]["power"]


def _survivors(turn: Record) -> None:
    battle = next(battle for battle in turn["battles"] if battle.get("winner"))
    kind = next(iter(battle["survivors"]))
    battle["survivors"][kind] += 1


def _bought(turn: Record) -> None:
    turn["remaining_after_purchase"]["PUs"] += 1


def _collected(turn: Record) -> None:
    turn["income"]["collected"] += 1


def _objective(turn: Record) -> None:
    turn["income"]["objectives"].append({"name": "Another", "power": turn["power"], "pus": 5})


def _convoy(turn: Record) -> None:
    turn["income"]["convoy_lost"] += 1


def _money(turn: Record) -> None:
    turn["pus_after"]["ANZAC"] += 1


def _board(turn: Record) -> None:
    turn["board_after_changes"]["Japan"]["units"]["Japanese"]["infantry"] = 77


def _owner(turn: Record) -> None:
    turn["board_after_changes"]["Japan"]["owner"] = "British"


def _control(turn: Record) -> None:
    turn["control_changes"].pop()


def _refused(turn: Record) -> None:
    turn["moves"][0]["units"]["infantry"] = 99


@pytest.mark.parametrize(
    "change",
    [
        _needs, _hits, _face, _lost, _winner, _survivors, _bought, _collected, _objective, _convoy, _money, _board,
        _owner, _control, _refused,
    ],
)  # fmt: skip
def test_every_change_is_seen(change: Callable[[Record], None]) -> None:
    played = game("p40_2e")
    turn = copy.deepcopy({**played["turns"][0], "ruleset": played["ruleset"]})
    turn["income"].setdefault("convoy_lost", 0)
    assert check_turn(turn, played["setup"], money=played["pus_at_start"]).passed
    change(turn)
    assert not check_turn(turn, played["setup"], money=played["pus_at_start"]).passed


# -- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"power": "Martians"}, "there is no power 'Martians'"),
        ({"ruleset": "chess", "edition": ""}, "which game is this"),
        ({"moves": [{"units": {"infantry": 1}, "from": "Japn", "to": "Korea"}]}, "there is no space 'Japn'"),
        ({"moves": 5}, "cannot be read"),
        ({"board_after_changes": None}, "board_after_changes"),
    ],
)
def test_what_cannot_be_read_is_said(change: Record, told: str) -> None:
    played = game("p40_2e")
    result = check_turn({**played["turns"][0], "ruleset": played["ruleset"], **change}, played["setup"])
    assert not result.passed
    assert told in result.differences[0]


def test_files_that_are_no_turns(tmp_path: Path) -> None:
    (tmp_path / "torn.json").write_text('{"power": ', encoding="utf-8")
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    (tmp_path / "alone.json").write_text(json.dumps({"power": "Japanese", "ruleset": "P40-2e"}), encoding="utf-8")
    told = {Path(result.file).name: result.differences[0] for result in check_path(tmp_path)}
    assert "is no JSON" in told["torn.json"]
    assert "is an object" in told["list.json"]
    assert "board" in told["alone.json"]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no recorded turn" in check_path(empty)[0].differences[0]
