"""A table for live games with cards: a store, a referee whose chance can be repeated, players who send lines."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.advance import Advanced, advance
from pbem.campaign.answer import Answer
from pbem.campaign.create import CampaignWanted
from pbem.campaign.load import load
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.log.checkpoint import Signer
from pbem.log.event import Event
from pbem.log.store import open_store
from pbem.testing.campaigns import campaign_from, everybody

POWERS = ("ussr", "germany", "uk", "japan", "usa")
NAME = "fov-1"


class Table:
    """One campaign with the variant, begun from a case's position, played by `say` and `go`."""

    def __init__(self, folder: Path, given: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        store = open_store(f"sqlite:///{folder}/cards.sqlite3")
        self.ticks = iter(range(1_785_000_000_000, 10**15, 1000))
        self.referee = Referee(store, Signer(store), lambda: next(self.ticks))
        wanted = CampaignWanted(NAME, "s42", None, ("fov",), dict(options or {}), everybody(POWERS))
        campaign_from(self.referee, wanted, given)
        self.number = 0

    def go(self) -> Advanced:
        """Adjudicate as far as it goes now."""
        done = advance(self.referee, NAME)
        assert done.stopped is None, done.stopped
        return done

    def say(self, power: str, text: str) -> Answer:
        """A player's mail."""
        self.number += 1
        lines = Submission(NAME, power, text, next(self.ticks), self.number)
        return submit(self.referee, lines)

    def events(self) -> list[Event]:
        """Everything, fully readable."""
        return list(self.referee.store.read(NAME))

    def hand(self, power: str) -> list[str]:
        """What a power holds."""
        cards = load(self.referee, NAME).play.now.cards.values()
        return [card.name or "" for card in cards if card.power == power and card.place in ("hand", "table")]


def same_chance(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    """Secrets that are the same every time: two campaigns then roll the same dice (nobody's luck is tested here)."""
    counter = iter(range(10**9))

    def token_bytes(length: int) -> bytes:
        return hashlib.shake_256(f"{seed}/{next(counter)}".encode()).digest(length)

    monkeypatch.setattr("secrets.token_bytes", token_bytes)
