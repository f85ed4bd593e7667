"""Lines about cards as players write them: twice for two copies, again in a later answer, kept where they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.load import load
from tests.games.s42.fov.table import NAME, Table, same_chance

KARELIA: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "combat_move", "from": "nothing",
    "spaces": {
        "Baltic States": {"controller": "germany", "units": {"germany": {"infantry": 4, "tank": 4}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"tank": 3, "infantry": 2}}},
    },
}  # fmt: skip


def standing(table: Table, power: str) -> list[str]:
    return [line["text"] for line in load(table.referee, NAME).play.now.standing.get(power, ())]


def played(table: Table) -> list[str]:
    return [event.payload["name"] for event in table.events() if event.type == "card_played"]


def test_a_line_written_twice_plays_two_copies(tmp_path: Path) -> None:
    """FOV-4.4.3: two Heavy Tanks are two cards, each on a tank of its own, in an answer to the window."""
    table = Table(tmp_path, {**KARELIA, "powers": {"ussr": {"cards": ["heavy_tank", "heavy_tank", "entrenchment"]}}})
    table.go()
    table.say("germany", "4 infantry, 4 tank Baltic States -> Karelia S.S.R.\nready")
    table.go()
    answer = table.say("ussr", "play heavy_tank: 1 tank Karelia S.S.R.\nplay heavy_tank: 1 tank Karelia S.S.R.\nready")
    assert [line.status for line in answer.lines if "heavy" in line.text] == ["accepted", "accepted"]
    table.go()
    assert played(table) == ["heavy_tank", "heavy_tank"]
    body = next(
        event.payload for event in table.events() if event.type == "window_closed" and "answers" in event.payload
    )
    assert len(body["answers"]["ussr"]) == 2
    marked = [event.payload["units"] for event in table.events() if event.type == "units_marked" and
              event.payload["set"].get("card") == "heavy_tank"]  # fmt: skip
    assert len(marked) == 2 and marked[0] != marked[1]


def test_a_line_too_many_is_refused_and_the_first_holds(tmp_path: Path) -> None:
    """FOV-10.2, FOV-4.2.1: with one copy in hand the second line is refused, the first is played."""
    table = Table(tmp_path, {**KARELIA, "powers": {"ussr": {"cards": ["heavy_tank"]}}})
    table.go()
    table.say("germany", "4 infantry, 4 tank Baltic States -> Karelia S.S.R.\nready")
    table.go()
    answer = table.say("ussr", "play heavy_tank: 1 tank Karelia S.S.R.\nplay heavy_tank: 1 tank Karelia S.S.R.\nready")
    lines = [(line.status, line.rule) for line in answer.lines if "heavy" in line.text]
    assert lines == [("accepted", ""), ("refused", "FOV-10.2")]
    table.go()
    assert played(table) == ["heavy_tank"]


def test_standing_plays_are_kept_as_often_as_they_were_written(tmp_path: Path) -> None:
    """FOV-4.4.3, FOV-6.1.5: the same mail again does not add up; what is played is gone, the other stays."""
    cards = ["fog_of_war", "fog_of_war", "entrenchment"]
    table = Table(tmp_path, {**KARELIA, "powers": {"ussr": {"cards": cards}}})
    for _ in range(2):
        table.say("ussr", "play fog_of_war: Karelia S.S.R.\nplay fog_of_war: Karelia S.S.R.")
        assert standing(table, "ussr") == ["play fog_of_war: Karelia S.S.R."] * 2
    table.go()
    table.say("germany", "4 infantry, 4 tank Baltic States -> Karelia S.S.R.\nready")
    table.go()
    table.say("ussr", "ready")
    table.go()
    assert played(table) == ["fog_of_war", "fog_of_war"] and standing(table, "ussr") == []


FIGHTERS: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "combat_move", "from": "nothing",
    "spaces": {
        "Baltic States": {"controller": "germany", "units": {"germany": {"infantry": 6}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 1, "fighter": 3}}},
    },
    "powers": {"ussr": {"cards": ["fighter_ace", "fighter_ace", "donation"]}},
}  # fmt: skip


def test_an_answer_is_good_again_at_the_next_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FOV-FD04, FOV-F01.1: two aces, each answered with the same words when a fighter has missed."""
    same_chance(monkeypatch, "aces")
    table = Table(tmp_path, FIGHTERS)
    table.say("ussr", "ask me fighter_ace")
    table.go()
    table.say("germany", "6 infantry Baltic States -> Karelia S.S.R.\nready")
    asked = 0
    for _ in range(12):
        window = table.go().window
        if window is None or window.kind == "orders":
            break
        kinds = {ask["kind"] for ask in window.asks}
        if "fighter_ace" in kinds:
            asked += 1
            table.say("ussr", "play fighter_ace: first fighter miss Karelia S.S.R.\nready")
        else:
            for power in window.powers:
                table.say(power, "ready")
    assert asked >= 2
    assert played(table) == ["fighter_ace", "fighter_ace"] and table.hand("ussr") == ["donation"]


def test_an_order_for_the_turn_takes_no_standing_order_with_it(tmp_path: Path) -> None:
    """FOV-FD14, FOV-FD16: `research 3` in the mail of a turn is over with the turn, the standing one is not."""
    position: dict[str, Any] = {
        "round": 2, "power": "germany", "phase": "combat_move", "from": "nothing",
        "spaces": {"Belorussia": {"controller": "germany", "units": {"germany": {"tank": 1}}}},
        "powers": {"germany": {"cards": ["donation"]}},
    }  # fmt: skip
    table = Table(tmp_path, position)
    table.say("germany", "research 3")
    assert standing(table, "germany") == ["research 3"]
    table.go()
    table.say("germany", "1 tank Belorussia -> West Russia\nresearch 3\nrest default\nready")
    for _ in range(5):
        window = table.go().window
        if window is None or window.id.startswith("r2.uk"):
            break
        for power in window.powers:
            table.say(power, "ready")
    assert standing(table, "germany") == ["research 3"]


@pytest.mark.parametrize(("goal", "told"), [("West Russia", False), ("Karelia S.S.R.", True)])
def test_a_standing_play_of_a_used_card_is_told_where_it_would_matter(tmp_path: Path, goal: str, told: bool) -> None:
    """FOV-4.4.2, FOV-6.1.8: a weapon that lies face up is missed when its battle comes, not in every enemy turn."""
    position: dict[str, Any] = {
        **KARELIA,
        "spaces": {
            **KARELIA["spaces"],
            "Belorussia": {"controller": "germany", "units": {"germany": {"infantry": 1}}},
            "West Russia": {"controller": "ussr", "units": {"ussr": {"infantry": 1}}},
        },
        "powers": {"ussr": {"cards": [{"id": "heavy_tank", "ready": False}, "donation"]}},
    }
    table = Table(tmp_path, position)
    table.say("ussr", "play heavy_tank: 1 tank Karelia S.S.R.")
    table.go()
    start = "Belorussia" if goal == "West Russia" else "Baltic States"
    table.say("germany", f"1 infantry {start} -> {goal}\nready")
    table.go()
    for power in ("ussr", "uk", "usa"):
        table.say(power, "ready")
    table.go()
    rows = [
        row
        for event in table.events()
        if event.type == "answers_weighed" and event.payload["moment"] == "DEF"
        for row in event.payload["refused"]
    ]
    assert [(row["rule"], bool(row.get("idle"))) for row in rows] == [("FOV-4.4.2", not told)]
