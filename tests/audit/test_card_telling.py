"""Events about victory cards in words, for a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.audit.telling import TELLERS, Teller

PLAYED = {
    "power": "usa", "card": "fortune-1-2", "name": "fighter_ace", "deck": "fortune", "moment": "ROLL", "space": "egypt",
    "units": [["usa", "fighter", 1]], "ids": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "payload", "said"),
    [
        ("card_played", PLAYED, "usa plays fighter_ace (fortune-1-2) in Egypt"),
        ("card_played", {**PLAYED, "space": None}, "usa plays fighter_ace (fortune-1-2)"),
        (
            "card_worked",
            {"power": "uk", "card": "c", "name": "fortification", "space": "egypt", "result": "halved", "rolled": 3},
            "fortification of uk in Egypt: halved, rolled 3",
        ),
        ("card_moved", {"card": "c", "place": "hand", "ready": True}, "card c: hand, ready"),
        ("card_moved", {"card": "c", "place": "discard"}, "card c: discard"),
        ("deck_changed", {"deck": "fortune", "set": {"pile": 1, "cards": ["a", "b"]}}, "fortune: pile 1 of 2 cards"),
        (
            "deck_changed",
            {"deck": "fortune", "set": {"opened": 1, "link": "ab12"}},
            "fortune: the link of pile 1 is opened: ab12",
        ),
        (
            "victory_die_rolled",
            {"power": "uk", "face": 4, "deck": "tactics"},
            "uk rolls 4 with the victory die: tactics",
        ),
        (
            "secret_opened",
            {"of": 12, "payload": {"type": "card_identified", "payload": {"card": "c"}}},
            'event 12 is opened: card_identified {"card": "c"}',
        ),
    ],
)
def test_a_card_event_in_words(kind: str, payload: dict[str, Any], said: str) -> None:
    teller = Teller("s42", None)
    assert TELLERS[kind](teller, payload)[0] == said


def test_refused_plays_are_told_with_their_reason() -> None:
    refused = [{"text": "play donation", "reason": "You hold no Donation.", "rule": "FOV-10.2"}]
    payload = {"power": "uk", "moment": "INC", "refused": refused, "spent": []}
    assert TELLERS["answers_weighed"](Teller("s42", None), payload) == [
        "card orders of uk are weighed (INC)",
        "    refused: play donation: You hold no Donation. FOV-10.2",
    ]
