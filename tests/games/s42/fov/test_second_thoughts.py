"""Answers about cards as people give them: changed, half wrong, too early, too late, or `no`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.load import load
from tests.games.s42.fov.table import NAME, Table, same_chance

TWO_FRONTS: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "purchase", "from": "nothing",
    "spaces": {
        "Baltic States": {"controller": "germany", "units": {"germany": {"infantry": 2, "tank": 2}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"tank": 1, "infantry": 2}}},
        "Bulgaria-Romania": {"controller": "germany", "units": {"germany": {"infantry": 2, "tank": 2}}},
        "Ukraine S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 2}}},
        "Germany": {"controller": "germany", "facilities": {"industrial_complex": {"damage": 0}}},
    },
}  # fmt: skip
ATTACK = """2 infantry, 2 tank Baltic States -> Karelia S.S.R.
2 infantry, 2 tank Bulgaria-Romania -> Ukraine S.S.R.
rest default
ready"""


def played(table: Table) -> list[tuple[str, str | None]]:
    return [(event.payload["name"], event.payload["space"]) for event in table.events() if event.type == "card_played"]


def standing(table: Table, power: str) -> list[str]:
    return [line["text"] for line in load(table.referee, NAME).play.now.standing.get(power, ())]


def waiting(table: Table) -> str:
    window = table.go().window
    assert window is not None
    return window.id


def asked_for_cards(folder: Path, orders: str = "play heavy_tank: 1 tank Karelia S.S.R.") -> Table:
    """Germany has ordered a card with its moves and is asked once more, its moves made."""
    table = Table(folder, {**TWO_FRONTS, "powers": {"germany": {"cards": ["heavy_tank", "fog_of_war"]}}})
    table.go()
    table.say("germany", f"{orders}\nask me card\n{ATTACK}")
    assert waiting(table).endswith("cards:attack")
    return table


def test_an_answer_plays_the_card_elsewhere_than_it_was_ordered(tmp_path: Path) -> None:
    """FOV-10.3: card orders may be replaced until their window closes."""
    table = asked_for_cards(tmp_path)
    answer = table.say("germany", "play heavy_tank: 1 tank Ukraine S.S.R.")
    assert [line.status for line in answer.lines] == ["accepted"]
    assert answer.gone == ("play heavy_tank: 1 tank Karelia S.S.R.",)
    assert answer.in_force["germany"]["answers"] == ("play heavy_tank: 1 tank Ukraine S.S.R.",)
    assert answer.in_force["germany"].get("cards", ()) == ()
    table.go()
    assert played(table) == [("heavy_tank", "ukraine-ssr")]


def test_a_card_ordered_with_the_moves_stays_beside_another_answer(tmp_path: Path) -> None:
    table = asked_for_cards(tmp_path)
    answer = table.say("germany", "play fog_of_war: Karelia S.S.R.")
    assert answer.gone == () and answer.in_force["germany"]["cards"] == ("play heavy_tank: 1 tank Karelia S.S.R.",)
    table.go()
    assert sorted(played(table)) == [("fog_of_war", "karelia-ssr"), ("heavy_tank", "karelia-ssr")]


def test_cancelled_cards_are_free_for_the_lines_below(tmp_path: Path) -> None:
    table = asked_for_cards(tmp_path)
    answer = table.say("germany", "cancel cards\nplay heavy_tank: 1 tank Ukraine S.S.R.")
    assert [line.status for line in answer.lines] == ["accepted", "accepted"]
    table.go()
    assert played(table) == [("heavy_tank", "ukraine-ssr")]


def test_no_card_is_played_after_all(tmp_path: Path) -> None:
    """FOV-4.2.1: nobody is ever obliged to play a card."""
    table = asked_for_cards(tmp_path, "always play fog_of_war: Karelia S.S.R.\nplay heavy_tank: 1 tank Karelia S.S.R.")
    answer = table.say("germany", "play none")
    assert [line.status for line in answer.lines] == ["accepted"]
    table.go()
    assert played(table) == [] and standing(table, "germany") == ["always play fog_of_war: Karelia S.S.R."]


@pytest.mark.parametrize("words", ["play none", "no cards", "scramble none"])
def test_a_defender_declines_whatever_he_wrote_in_advance(tmp_path: Path, words: str) -> None:
    """FOV-4.2.1: `ready` leaves it to the standing orders, `play none` does not."""
    table = Table(tmp_path, {**TWO_FRONTS, "powers": {"ussr": {"cards": ["entrenchment", "fog_of_war"]}}})
    table.go()
    early = table.say("ussr", f"if Karelia S.S.R. attacked: play entrenchment: Karelia S.S.R.\n{words}")
    assert [line.status for line in early.lines] == ["accepted", "refused"]
    table.say("germany", ATTACK)
    table.go()
    answer = table.say("ussr", words)
    assert [line.status for line in answer.lines] == ["accepted"]
    table.go()
    assert played(table) == []
    assert standing(table, "ussr") == ["if Karelia S.S.R. attacked: play entrenchment: Karelia S.S.R."]


def test_an_answer_of_which_a_line_was_refused_does_not_close_the_window(tmp_path: Path) -> None:
    """FOV-10.3: what was meant can be sent as it would be right; `ready` says that the rest is all."""
    table = Table(tmp_path, {**TWO_FRONTS, "powers": {"ussr": {"cards": ["entrenchment", "heavy_tank"]}}})
    table.go()
    table.say("germany", ATTACK)
    window = waiting(table)
    answer = table.say("ussr", "play heavy_tank: 1 tank Karelia S.S.R.\nplay entrenchment: Karelya")
    assert [line.status for line in answer.lines] == ["accepted", "refused"]
    assert answer.waiting_for == ("ussr",) and answer.in_force["ussr"]["answers"]
    assert waiting(table) == window and played(table) == []
    table.say("ussr", "play heavy_tank: 1 tank Karelia S.S.R.\nplay entrenchment: Karelia")
    table.go()
    assert sorted(played(table)) == [("entrenchment", "karelia-ssr"), ("heavy_tank", "karelia-ssr")]


def test_ready_closes_it_with_what_was_taken(tmp_path: Path) -> None:
    table = Table(tmp_path, {**TWO_FRONTS, "powers": {"ussr": {"cards": ["entrenchment", "heavy_tank"]}}})
    table.go()
    table.say("germany", ATTACK)
    table.go()
    table.say("ussr", "play heavy_tank: 1 tank Karelia S.S.R.\nplay entrenchment: Karelya")
    table.say("ussr", "ready")
    table.go()
    assert played(table) == [("heavy_tank", "karelia-ssr")]


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("play long_range_fighters: 1 fighter Russia -> Ukraine S.S.R.", "with your combat moves"),
        ("play super_bombers: 1 bomber Karelia S.S.R.", "with your combat moves or after them"),
        ("play air_supremacy: Karelia S.S.R.", "after your own combat moves"),
        ("play foreign_legion: Russia", "when you place new units"),
        ("play donation", "when you collect income"),
    ],
)
def test_a_card_of_one_s_own_turn_is_refused_to_a_defender(tmp_path: Path, line: str, when: str) -> None:
    """FOV-4.1.3: it would never be played, for it was said for this turn only."""
    card = line.split()[1].rstrip(":")
    table = Table(tmp_path, {**TWO_FRONTS, "powers": {"ussr": {"cards": [card]}}})
    table.go()
    table.say("germany", ATTACK)
    table.go()
    answer = table.say("ussr", line)
    assert [(row.status, row.rule) for row in answer.lines] == [("refused", "FOV-4.1.3")]
    assert str(answer.lines[0].reason).endswith(f"is played {when}.")


def test_a_card_for_the_defence_is_refused_to_the_attacker(tmp_path: Path) -> None:
    """FOV-4.1.3; what is played later in the turn is taken."""
    table = Table(tmp_path, {**TWO_FRONTS, "powers": {"germany": {"cards": ["severe_weather", "foreign_legion"]}}})
    table.go()
    table.say("germany", f"ask me card\n{ATTACK}")
    table.go()
    answer = table.say("germany", "play severe_weather: Karelia S.S.R.\nplay foreign_legion: Germany")
    assert [(row.status, row.rule) for row in answer.lines] == [("refused", "FOV-4.1.3"), ("accepted", "")]
    table.say("germany", "ready")
    table.go()
    assert played(table) == [("foreign_legion", "germany")]


def test_a_play_with_a_condition_in_an_answer_stands_for_good(tmp_path: Path) -> None:
    """FOV-6.1.5: it counts now if its condition holds, else in later turns."""
    table = Table(tmp_path, {**TWO_FRONTS, "powers": {"ussr": {"cards": ["entrenchment", "severe_weather"]}}})
    table.go()
    table.say("germany", ATTACK)
    table.go()
    later = "if Archangel attacked: play severe_weather: Archangel"
    table.say("ussr", f"{later}\nif Karelia S.S.R. attacked: play entrenchment: Karelia S.S.R.")
    table.go()
    assert played(table) == [("entrenchment", "karelia-ssr")]
    assert standing(table, "ussr") == [later]


WALK_IN: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "combat_move", "from": "nothing",
    "spaces": {"Belorussia": {"controller": "germany", "units": {"germany": {"tank": 1}}},
               "West Russia": {"controller": "ussr"}},
    "powers": {"germany": {"cards": [], "ipc": 0}},
}  # fmt: skip


def asked_for_dice(folder: Path, monkeypatch: pytest.MonkeyPatch, orders: str = "") -> Table:
    """Germany took a territory and the victory die named the weapons."""
    for seed in range(20):
        same_chance(monkeypatch, f"weapon {seed}")
        table = Table(folder / str(seed), WALK_IN)
        table.go()
        table.say("germany", f"1 tank Belorussia -> West Russia\n{orders}\nrest default\nready")
        window = table.go().window
        faces = [event.payload["face"] for event in table.events() if event.type == "victory_die_rolled"]
        if faces and faces[0] <= 2:
            assert bool(orders) or (window is not None and window.id.endswith("draw:research"))
            return table
    raise AssertionError("no weapon in twenty games")


def test_more_dice_than_money_are_a_slip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FOV-2.4.1: 60 for 6 would spend the whole treasury."""
    table = asked_for_dice(tmp_path, monkeypatch)
    answer = table.say("germany", "research 60")
    assert [(row.status, row.rule) for row in answer.lines] == [("refused", "FOV-2.4.1")]
    assert answer.lines[0].reason == "60 dice cost 60 IPC, and you have 41."
    assert waiting(table).endswith("draw:research")
    table.say("germany", "research 2")
    table.go()
    assert [e.payload["dice"] for e in table.events() if e.type == "weapon_researched"] == [2]


def test_dice_ordered_ahead_buy_what_the_money_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FOV-2.4.1: nobody knows his income to come for certain."""
    table = asked_for_dice(tmp_path, monkeypatch, "research 60")
    assert [e.payload["dice"] for e in table.events() if e.type == "weapon_researched"] == [41]


def test_a_jet_over_a_raid_intercepts_without_the_word(tmp_path: Path) -> None:
    """FOV-W05.1: what a line leaves out is chosen."""
    position: dict[str, Any] = {
        "round": 2, "power": "germany", "phase": "combat_move", "from": "nothing",
        "spaces": {
            "Germany": {"controller": "germany", "units": {"germany": {"bomber": 1}}},
            "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"fighter": 1}},
                               "facilities": {"industrial_complex": {"damage": 0}}},
        },
        "powers": {"ussr": {"cards": ["jet_fighter"]}},
    }  # fmt: skip
    table = Table(tmp_path, position, {"interceptors": True})
    table.go()
    table.say("germany", "1 bomber Germany -> Sea Zone 5 -> Karelia S.S.R. to bomb\nready")
    table.go()
    answer = table.say("ussr", "intercept Karelia S.S.R.: 1 fighter\nplay jet_fighter: 1 fighter Karelia S.S.R.")
    assert [line.status for line in answer.lines] == ["accepted", "accepted"]
    table.go()
    assert played(table) == [("jet_fighter", "karelia-ssr")]


def test_a_concession_is_told_until_it_is_taken_back(tmp_path: Path) -> None:
    """Nobody should concede by accident, and not without hearing how to take it back."""
    table = Table(tmp_path, TWO_FRONTS)
    table.go()
    assert any("Write `do not concede`" in note for note in table.say("germany", "concede").notes)
    assert any("Write `do not concede`" in note for note in table.say("germany", "buy nothing").notes)
    assert table.say("germany", "not concede").notes == ("Germany concedes no more.",)
    assert table.say("germany", "buy nothing").notes == ()


def test_what_another_line_places_is_said_so(tmp_path: Path) -> None:
    """S42-8.1.1: not that nothing was bought."""
    table = Table(tmp_path, {**TWO_FRONTS, "powers": {"germany": {"ipc": 12}}})
    table.go()
    answer = table.say("germany", "buy 1 tank\nplace 1 tank Germany\nplace tank Germany")
    reasons = [line.reason for line in answer.lines if line.status == "refused"]
    assert reasons == ["Another line of yours places the 1 tank that you bought."]
    answer = table.say("germany", "buy 1 infantry\nplace 1 infantry Germany\nplace 1 tank Germany")
    reasons = [line.reason for line in answer.lines if line.status == "refused"]
    assert reasons == ["You bought no tanks that could be placed."]
