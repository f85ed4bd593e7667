"""What defenders of several powers are asked: whose units may be lost, which lines they may write, and who decides."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case
from pbem.games.catalog import rule_set
from pbem.report.examples import _answers
from pbem.report.phrases import ask_lines
from pbem.report.words import Words

BOARD = rule_set("s42").board
GIVEN: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "combat_move", "from": "nothing",
    "spaces": {
        "Baltic States": {"controller": "germany", "units": {"germany": {"tank": 2}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 1}, "uk": {"infantry": 1}}},
    },
}  # fmt: skip


def ruled(answers: dict[str, str], dice: list[list[int]], **expect: Any) -> Any:
    case = {
        "id": "x", "game": "s42", "given": GIVEN, "orders": {"germany": "2 tank Baltic States -> Karelia S.S.R."},
        "answers": answers, "dice": dice, "until": "end of conduct_combat", "expect": expect,
    }  # fmt: skip
    return run_case(case_from_json(case))


def questions() -> list[dict[str, Any]]:
    """What both are asked when a hit falls."""
    told = ruled({"ussr": "ask me", "uk": "ask me"}, [[3, 6]])
    return [ask for event in told.events if event.type == "window_opened" for ask in event.payload.get("asks", ())]


def test_the_question_names_the_owners() -> None:
    lines = ask_lines(questions()[0], Words(BOARD))
    assert lines[0] == "United Kingdom: casualties at Karelia S.S.R., battle round 1"
    assert "units that may be chosen: Soviet Union 1 infantry, United Kingdom 1 infantry" in lines
    assert lines[-1] == "whoever answers is followed; if two answers differ, the attacker chooses"


@pytest.mark.parametrize("owner", ["ussr", "uk"])
def test_each_line_offered_is_taken_at_its_word(owner: str) -> None:
    offered = list(_answers(questions()[0], BOARD))
    line = f"casualties Karelia S.S.R.: {owner} infantry first"
    assert line in offered
    other = {"ussr": "uk", "uk": "ussr"}[owner]
    answers = {"uk": line, "germany": "retreat Karelia S.S.R. after round 1 to Baltic States"}
    told = ruled(answers, [[3, 6], [6, 6]], spaces={"Karelia S.S.R.": {"units": {other: {"infantry": 1}}}})
    assert told.differences == ()


def test_one_power_alone_is_not_told_of_agreement() -> None:
    ask = {**questions()[0]}
    del ask["owners"]
    assert ask_lines(ask, Words(BOARD))[-1] == "units that may be chosen: 2 infantry"
