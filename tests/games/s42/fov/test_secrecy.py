"""Hidden hands: no public event tells anything of them, and nothing that leaves the service shows one to others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.board.evolve import fold
from pbem.board.state import State
from pbem.board.view import public_view, view
from pbem.log.event import visible
from tests.games.s42.fov.table import Table, same_chance

POSITION: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "purchase", "from": "setup",
    "spaces": {
        "Baltic States": {"controller": "germany", "units": {"germany": {"tank": 9, "fighter": 1}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 1, "fighter": 5}}},
        "West Russia": {"controller": "ussr", "units": {}},
    },
    "decks": {
        "weapons": {"draw": ["jet_fighter", "rail_gun", "heavy_tank"]},
        "tactics": {"draw": ["scramble", "fortification"]},
        "fortune": {"draw": ["donation", "eureka"]},
    },
}  # fmt: skip
HANDS = (
    {"ussr": ["entrenchment", "scramble", "fighter_ace"], "germany": ["rail_gun", "air_supremacy", "donation"],
     "uk": ["hidden_factory", "fog_of_war"], "japan": ["donation"], "usa": ["combined_arms"]},
    {"ussr": ["fortification", "hidden_factory", "donation"], "germany": ["jet_fighter", "combined_arms", "eureka"],
     "uk": ["scramble", "eureka"], "japan": ["severe_weather"], "usa": ["entrenchment"]},
)  # fmt: skip


def play(folder: Path, hands: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A German turn and the British one after it, in which everybody keeps all cards; the public log of it."""
    same_chance(monkeypatch, "swap")
    table = Table(folder, {**POSITION, "powers": {power: {"cards": cards} for power, cards in hands.items()}})
    table.go()
    # Standing orders about cards of the hand, none of which comes true; one player is asked at every chance.
    for power, held in hands.items():
        own = held[1] if len(held) > 1 else held[0]
        table.say(power, f"if Karelia S.S.R. attacked by >= 90: play {own}")
    table.say("ussr", "ask me card\nask me fighter_ace")
    table.say("germany", "9 tank Baltic States -> Karelia S.S.R.\n1 fighter Baltic States -> Karelia S.S.R.\nready")
    for _ in range(30):
        done = table.go()
        if done.window is None or done.window.id.startswith("r2.japan"):
            break
        for power in done.window.powers:
            asked = {ask["kind"] for ask in done.window.asks if ask["power"] == power}
            table.say(power, "research 0\nready" if "research" in asked else "rest default\nready")
    log = []
    for event in visible(table.events(), frozenset()):
        header = event.header()
        header.pop("commitment")
        body = None if event.closed else {name: value for name, value in event.payload.items() if name != "log_key"}
        log.append((header, body))
    return log


def test_swapped_hands_leave_all_public_events_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FOV-6.1.5, FOV-6.1.6, FOV-6.1.8: play stops at the same moments, for the same powers, with the same words."""
    logs = [play(tmp_path / str(place), hands, monkeypatch) for place, hands in enumerate(HANDS)]
    kinds = [header["type"] for header, _ in logs[0]]
    assert kinds.count("window_opened") > 5 and "dice_rolled" in kinds
    asked = [ask for header, body in logs[0] if header["type"] == "window_opened" for ask in body.get("asks", ())]
    assert {"card", "fighter_ace"} <= {ask["kind"] for ask in asked}, "the test must come to the windows of cards"
    assert len(logs[0]) == len(logs[1])
    for one, other in zip(*logs, strict=True):
        assert one == other


def test_waiting_is_the_same_for_whoever_holds_a_card(tmp_path: Path) -> None:
    """FOV-6.1.6: whoever holds a face-down card and is attacked is waited for, whoever holds none is not."""
    position = {**POSITION, "powers": {"ussr": {"cards": ["donation"]}, "uk": {"cards": []}}}
    table = Table(tmp_path, position)
    table.go()
    table.say("germany", "4 tank Baltic States -> Karelia S.S.R.\nready")
    window = table.go().window
    assert window is not None and window.kind == "reactions"
    assert [ask["power"] for ask in window.asks if ask["kind"] == "card"] == ["ussr"]


def test_each_sees_his_own_hand_and_the_counts_of_others(tmp_path: Path) -> None:
    """FOV-6.1.1, FOV-6.1.2, FOV-6.1.9: own cards, counts of all others, allies too; weapons once seen are known."""
    table = Table(tmp_path, {**POSITION, "powers": {power: {"cards": cards} for power, cards in HANDS[0].items()}})
    everything = table.events()
    for power in ("ussr", "uk", None):
        viewer = frozenset((power,)) if power else frozenset[str]()
        seen = fold(State(), visible(everything, viewer))
        for card in seen.cards.values():
            known = card.power == power or bool(card.data.get("public"))
            assert (card.name is not None) == known, (power, card)
        assert len(seen.cards) == sum(len(cards) for cards in HANDS[0].values())
        full = fold(State(), everything)
        assert view(full, viewer).cards == view(seen, viewer).cards
    assert public_view(fold(State(), everything)).cards == fold(State(), visible(everything, frozenset())).cards


def test_a_refused_play_is_told_to_its_sender_only(tmp_path: Path) -> None:
    """FOV-6.1.8, FOV-10.2: in the answer to the mail, and in no event that others can read."""
    table = Table(tmp_path, {**POSITION, "powers": {"germany": {"cards": ["donation"]}}})
    table.go()
    answer = table.say("germany", "play rail_gun: 1 aa_gun Germany -> Karelia S.S.R.\nplay donation")
    assert [line.status for line in answer.lines] == ["refused", "accepted"]
    assert answer.lines[0].rule == "FOV-10.2"
    public = [event.payload for event in visible(table.events(), frozenset()) if not event.closed]
    assert "rail_gun: 1" not in json.dumps(public) and "play donation" not in json.dumps(public)


def test_card_orders_are_replaced_until_their_window_closes(tmp_path: Path) -> None:
    """FOV-10.3, FOV-FD01: the later mail counts; after the reveal the play stands."""
    table = Table(tmp_path, {**POSITION, "powers": {"germany": {"cards": ["heavy_tank", "fog_of_war"]}}})
    table.go()
    table.say("germany", "4 tank Baltic States -> Karelia S.S.R.\nplay heavy_tank: 1 tank Karelia S.S.R.")
    answer = table.say("germany", "play fog_of_war: Karelia S.S.R.\nready")
    assert answer.in_force["germany"]["cards"] == ("play fog_of_war: Karelia S.S.R.",)
    assert answer.gone == ("play heavy_tank: 1 tank Karelia S.S.R.",)
    table.go()
    played = [event.payload["name"] for event in table.events() if event.type == "card_played"]
    assert played == ["fog_of_war"]
    late = table.say("germany", "play heavy_tank: 1 tank Karelia S.S.R.")
    table.go()
    assert late.in_force["germany"].get("cards", ()) == ()


def test_a_whole_turn_takes_three_mails_at_most(tmp_path: Path) -> None:
    """FOV-10.4: moves with cards and the rest, the defender's answer, and one mail for the weapon just drawn."""
    table = Table(tmp_path, {**POSITION, "powers": {"ussr": {"cards": ["donation"]}}})
    table.go()
    table.say("germany", "4 tank Baltic States -> Karelia S.S.R.\nrest default\nready")
    asked = []
    while (window := table.go().window) is not None and not window.id.startswith("r2.uk"):
        assert window.kind != "orders", window.id
        for power in window.powers:
            asked.append(power)
            table.say(power, "research 2\nready")
    assert asked.count("germany") <= 1 and asked.count("ussr") == 1


# -- what a window opens ----------------------------------------------------------------------------------------------


def opened_and_played(table: Table) -> list[tuple[str, list[str], list[str]]]:
    """For each window that opened plays, or after whose closing cards were laid: the power, the cards opened, laid."""
    rows: list[tuple[str, list[str], list[str]]] = []
    events = visible(table.events(), frozenset())
    for place, event in enumerate(events):
        if event.type != "window_closed" or "answers" not in event.payload:
            continue
        laid: dict[str, list[str]] = {}
        for later in events[place + 1 :]:
            if later.type in ("dice_rolled", "window_closed", "segment_ended"):
                break
            if later.type == "card_played":
                laid.setdefault(later.payload["power"], []).append(later.payload["name"])
        for power, lines in event.payload["answers"].items():
            opened = [line["order"]["card"] for line in lines if line["order"]["type"] == "play"]
            rows.append((power, opened, laid.get(power, [])))
    return rows


FIGHTER_IN_TWO_FIGHTS: dict[str, Any] = {
    "round": 2, "power": "uk", "phase": "purchase", "from": "nothing",
    "spaces": {
        "Germany": {"controller": "germany", "units": {"germany": {"fighter": 1}},
                    "facilities": {"industrial_complex": {"damage": 0}}},
        "France": {"controller": "uk", "units": {"uk": {"tank": 2, "infantry": 1, "fighter": 1}}},
        "United Kingdom": {"controller": "uk", "units": {"uk": {"bomber": 2}}},
    },
    "powers": {"germany": {"cards": ["fog_of_war"]}, "uk": {"cards": ["air_supremacy", "combined_arms"]}},
}  # fmt: skip


def test_a_window_opens_the_lines_that_are_played(tmp_path: Path) -> None:
    """FOV-4.1.2, FOV-6.1.7: they are the player's share in the dice that follow."""
    table = Table(tmp_path, FIGHTER_IN_TWO_FIGHTS, {"interceptors": True})
    table.go()
    table.say("uk", "2 tank France -> Germany\nready")
    table.go()
    answer = table.say("germany", "play fog_of_war: Germany if attackers >= 2\nready")
    assert answer.texts == {"germany": "if attackers >= 2: play fog_of_war: Germany\n"}
    table.go()
    assert opened_and_played(table) == [("germany", ["fog_of_war"], ["fog_of_war"])]
    closed = [event.payload for event in table.events() if event.type == "window_closed" and "answers" in event.payload]
    assert closed[0]["texts"] == answer.texts


def test_a_play_that_an_interception_makes_impossible_stays_sealed(tmp_path: Path) -> None:
    """FOV-6.1.5, FOV-6.1.8: the only defender rises against the raid, so the card is refused and nobody hears of it."""
    table = Table(tmp_path, FIGHTER_IN_TWO_FIGHTS, {"interceptors": True})
    table.go()
    table.say("uk", "2 tank France -> Germany\n2 bomber United Kingdom -> sz 6 -> sz 5 -> Germany to bomb\nready")
    table.go()
    answer = table.say("germany", "intercept Germany: 1 fighter\nplay fog_of_war: Germany\nready")
    assert answer.texts == {"germany": "intercept Germany: 1 fighter\n"}
    table.go()
    assert table.hand("germany") == ["fog_of_war"]
    assert opened_and_played(table) == [("germany", [], [])]
    public = [event.payload for event in visible(table.events(), frozenset()) if not event.closed]
    assert "fog_of_war: Germany" not in json.dumps(public)
    told = [event.payload for event in table.events() if event.type == "answers_weighed"]
    assert "FOV-F02.1" in [row["rule"] for body in told if body["power"] == "germany" for row in body["refused"]]


def test_a_play_that_the_orders_of_the_turn_make_impossible_is_refused_at_once(tmp_path: Path) -> None:
    """FOV-5.1.2, FOV-6.1.8: a tactics card is ordered with the turn; a second one for that battle is refused."""
    spaces = {
        **FIGHTER_IN_TWO_FIGHTS["spaces"],
        "Germany": {"controller": "germany", "units": {"germany": {"tank": 1}}},
    }
    table = Table(tmp_path, {**FIGHTER_IN_TWO_FIGHTS, "spaces": spaces})
    table.go()
    table.say("uk", "2 tank France -> Germany\n1 infantry France -> Germany\n1 fighter France -> Germany\n"
                    "play combined_arms: Germany\nask me card\nready")  # fmt: skip
    assert table.go().window is not None
    answer = table.say("uk", "play air_supremacy: Germany\nready")
    assert [line.rule for line in answer.lines if line.status == "refused"] == ["FOV-5.1.2"]
    table.go()
    assert table.hand("uk") == ["air_supremacy"]
    assert ("uk", [], ["combined_arms"]) in opened_and_played(table)


def test_others_sealed_answers_do_not_show_in_what_would_be_opened(tmp_path: Path) -> None:
    """FOV-4.1.2, FOV-6.1.5: the text that an answer prints as one's own depends on nobody else's answer."""
    position: dict[str, Any] = {
        **FIGHTER_IN_TWO_FIGHTS,
        "spaces": {
            **FIGHTER_IN_TWO_FIGHTS["spaces"],
            "Germany": {"controller": "germany", "units": {"germany": {"infantry": 1}, "japan": {"fighter": 3}},
                        "facilities": {"industrial_complex": {"damage": 0}}},
        },
    }  # fmt: skip
    texts = []
    for place, words in enumerate(("intercept none", "intercept Germany: 3 fighter")):
        table = Table(tmp_path / str(place), position, {"interceptors": True})
        table.go()
        table.say("uk", "2 tank France -> Germany\n2 bomber United Kingdom -> sz 6 -> sz 5 -> Germany to bomb\nready")
        table.go()
        assert [line.status for line in table.say("japan", words).lines] == ["accepted"]
        texts.append(table.say("germany", "play fog_of_war: Germany if odds > 50%").texts)
        table.say("germany", "ready")
        table.go()
        assert opened_and_played(table)[0][1] == ["fog_of_war"] * (1 - place), "fewer defenders, smaller odds"
    assert texts == [{"germany": "if odds > 50%: play fog_of_war: Germany\n"}] * 2
