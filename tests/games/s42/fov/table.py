"""A table for live games with cards: a store, a referee whose chance can be repeated, players who send lines."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.create import CampaignWanted
from pbem.testing import table as tables
from pbem.testing.campaigns import everybody

POWERS = ("ussr", "germany", "uk", "japan", "usa")
NAME = "fov-1"


class Table(tables.Table):
    """One campaign with the variant, begun from a case's position."""

    def __init__(self, folder: Path, given: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> None:
        super().__init__(
            folder, CampaignWanted(NAME, "s42", None, ("fov",), dict(options or {}), everybody(POWERS)), given
        )
        self.folder = folder

    def hand(self, power: str) -> list[str]:
        """What a power holds."""
        return [
            card.name or ""
            for card in self.state.cards.values()
            if card.power == power and card.place in ("hand", "table")
        ]


def same_chance(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    """Secrets that are the same every time: two campaigns then roll the same dice (nobody's luck is tested here)."""
    counter = iter(range(10**9))

    def token_bytes(length: int) -> bytes:
        return hashlib.shake_256(f"{seed}/{next(counter)}".encode()).digest(length)

    monkeypatch.setattr("secrets.token_bytes", token_bytes)
