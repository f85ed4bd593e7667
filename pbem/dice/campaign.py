"""A source as one campaign's scripts see it: they name a purpose without the campaign and get what the event adds.

The runner's purposes spell what is absent as ``-`` or 0; here they become the exact lines that are hashed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pbem.dice.purpose import Purpose
from pbem.dice.source import DiceSource


class PlacedPurpose(Protocol):
    """A purpose within a campaign, absent fields ``-``."""

    @property
    def round(self) -> int: ...
    @property
    def power(self) -> str: ...
    @property
    def phase(self) -> str: ...
    @property
    def space(self) -> str: ...
    @property
    def battle_round(self) -> int: ...
    @property
    def step(self) -> str: ...
    @property
    def attempt(self) -> int: ...


class CampaignDice:
    """The dice of one campaign, from any source."""

    __slots__ = ("_campaign", "source")

    def __init__(self, campaign: str, source: DiceSource) -> None:
        self._campaign = campaign
        self.source = source

    def purpose(self, placed: PlacedPurpose) -> Purpose:
        """The full purpose, as it is hashed."""
        return Purpose(
            campaign=self._campaign,
            round=placed.round,
            power=_present(placed.power),
            phase=_present(placed.phase),
            space=_present(placed.space),
            battle_round=placed.battle_round,
            step=placed.step,
            attempt=placed.attempt,
        )

    def roll(self, purpose: PlacedPurpose, entropy: Mapping[str, str], count: int) -> dict[str, Any]:
        """Roll and give what the event adds to purpose, map and count (see ``Roll.result``)."""
        return self.source.roll(self.purpose(purpose), entropy, count).result()


def _present(text: str) -> str | None:
    return None if text == "-" else text
