"""What comes of a battle: chances, expected rounds and losses, who survives; and chances in parts per million."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

MILLION = 1_000_000


class OddsUnknown(ValueError):
    """Odds that are not worked out here: the message says why. The fault of nobody: the battle goes on without."""


class WrongForces(ValueError):
    """Forces that cannot meet in such a battle: the message says what is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class Left:
    """One way in which a side may end: units alive by kind, those of them that are damaged, and how probable it is."""

    units: Mapping[str, int]
    damaged: Mapping[str, int]
    probability: float

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; `damaged` only where something is."""
        found: dict[str, Any] = {"units": dict(self.units), "probability": self.probability}
        if self.damaged:
            found["damaged"] = dict(self.damaged)
        return found


@dataclass(frozen=True, slots=True)
class Odds:
    """The distribution of a battle's end. Losses are expected IPC, hits the expected hits scored (wasted ones too).

    The four chances add up to 1. `standoff` is where neither side can hit the other and both stay; `survivors` lists
    by side what may be left, most probable first, each side for itself.
    """

    attacker_wins: float
    defender_wins: float
    both_gone: float
    standoff: float
    rounds: float
    attacker_loss_ipc: float
    defender_loss_ipc: float
    attacker_hits: float
    defender_hits: float
    survivors: Mapping[str, tuple[Left, ...]]
    exact: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON for programs; `standoff` only where one is possible."""
        found: dict[str, Any] = {
            "attacker_wins": self.attacker_wins,
            "defender_wins": self.defender_wins,
            "both_gone": self.both_gone,
            "rounds": self.rounds,
            "attacker_loss_ipc": self.attacker_loss_ipc,
            "defender_loss_ipc": self.defender_loss_ipc,
            "survivors": {side: [left.to_json() for left in rows] for side, rows in self.survivors.items()},
        }
        if self.standoff:
            found["standoff"] = self.standoff
        return found


@dataclass(frozen=True, slots=True)
class Expected:
    """What a whole battle was expected to bring, for comparing it with what happened. Hits count wasted ones too."""

    attacker_wins: float
    rounds: float
    attacker_hits: float
    defender_hits: float
    attacker_loss_ipc: float
    defender_loss_ipc: float


def half_up(chance: Fraction) -> int:
    """A chance in parts per million, halves up."""
    return (2 * MILLION * chance.numerator + chance.denominator) // (2 * chance.denominator)


def near_half(chance: float, within: float = 1e-9) -> bool:
    """Whether a chance is so near to a boundary between two values of `half_up` that floating point cannot tell."""
    parts = chance * MILLION
    return abs(parts - int(parts) - 0.5) <= within * MILLION
