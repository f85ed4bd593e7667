"""Swapped hands at the level of everything that leaves the service: not a byte of it depends on what others hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.service.twin_worlds import CAMPAIGN, Hands, World, world

pytestmark = pytest.mark.slow

HANDS: Hands = {
    "ussr": ("entrenchment", "scramble", "fighter_ace"), "germany": ("rail_gun", "combined_arms", "foreign_legion"),
    "uk": ("hidden_factory", "fog_of_war"), "japan": ("donation",), "usa": ("combined_bomber_offensive",),
}  # fmt: skip
OTHERS_OF_GERMANY: Hands = {
    **HANDS, "ussr": ("fortification", "hidden_factory", "severe_weather"), "uk": ("signals_intelligence", "eureka"),
    "japan": ("military_support",),
}  # fmt: skip
OTHERS_OF_USSR: Hands = {
    **HANDS, "germany": ("jet_fighter", "air_supremacy", "merchant_marine"), "japan": ("supreme_excellence",),
    "usa": ("mechanized_offensive",),
}  # fmt: skip


def differences(one: World, other: World, reader: str) -> list[str]:
    """What a reader is given in one world and not in the other."""
    first, second = one.of(reader), other.of(reader)
    assert len(first) > 20
    wrong = [name for name in first | second if first.get(name) != second.get(name)]
    return [f"{name}: {_first_difference(first.get(name, b''), second.get(name, b''))}" for name in wrong]


def _first_difference(a: bytes, b: bytes) -> str:
    place = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"{len(a)} and {len(b)} bytes; {a[max(0, place - 60) : place + 60]!r} and {b[place : place + 60]!r}"


PROBERS = ("germany", "ussr", "uk", "usa")
NEVER = {card for hands in (HANDS, OTHERS_OF_GERMANY, OTHERS_OF_USSR) for who in PROBERS for card in hands[who]}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The world that the others are compared with."""
    with pytest.MonkeyPatch.context() as patch:
        return world(
            tmp_path_factory.mktemp("base") / "a",
            HANDS,
            patch,
            probers=PROBERS,
            observers=(*PROBERS, "mod"),
            never=NEVER,
        )


def test_the_attacker_learns_nothing(base: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FOV-6.1.2 to FOV-6.1.9: Germany attacks and probes; its enemies hold, and one draws, other cards."""
    observers = ("germany", "usa", "mod")
    other = world(
        tmp_path / "b",
        OTHERS_OF_GERMANY,
        monkeypatch,
        probers=PROBERS,
        observers=observers,
        never=NEVER,
        bottom_up=True,
    )
    assert base.held("uk") != other.held("uk") and len(base.held("uk")) == 3, "the test must come to a draw"
    assert [name for reader in (*observers, "public") for name in differences(base, other, reader)] == []
    for victim in ("ussr", "uk", "japan"):
        assert any("/state" in name for name in differences(base, other, victim)), "what is compared shows hands"


def test_the_defender_learns_nothing(base: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FOV-6.1.6, FOV-6.1.8: the Soviet Union is attacked, is asked and probes; others hold other cards."""
    observers = ("ussr", "uk", "mod")
    other = world(tmp_path / "b", OTHERS_OF_USSR, monkeypatch, probers=PROBERS, observers=observers, never=NEVER)
    assert [name for reader in (*observers, "public") for name in differences(base, other, reader)] == []
    for victim in ("germany", "japan", "usa"):
        assert any("/state" in name for name in differences(base, other, victim)), "what is compared shows hands"


def test_everything_was_asked_for(base: World) -> None:
    """The worlds come to the windows of cards, and mails, files, pages and refusals are among what is compared."""
    asked = [ask["kind"] for event in base.referee.store.read(CAMPAIGN) if event.type == "window_opened"
             for ask in event.payload.get("asks", ())]  # fmt: skip
    assert {"card", "fighter_ace"} <= set(asked)
    assert not [event for event in base.referee.store.read(CAMPAIGN) if event.type == "card_played"]
    for prober in PROBERS:
        given = base.of(prober)
        assert sum(" mail report." in name for name in given) >= 3
        assert any(name.endswith(".pdf") and b"%PDF" in data for name, data in given.items())
        (first, *_) = [json.loads(data) for name, data in given.items() if " answer " in name]
        refused = {line["rule"] for line in first["result"]["lines"] if line["status"] == "refused"}
        assert "FOV-10.2" in refused, "cards that are not in the hand are refused in the same words"
