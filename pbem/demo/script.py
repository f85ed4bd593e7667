"""What the players of a demonstration say, turn by turn: recorded games as mails, and a few slips that people make."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Script:
    """A demonstration: the game, its players, how many rounds, and each turn's mail by (round, power).

    `notes` says what the reader of the demonstration should look at. `other` answers windows that are not a turn's
    first: by kind of window.
    """

    game: str
    edition: str | None
    variants: tuple[str, ...]
    title: str
    rounds: int
    seats: Mapping[str, tuple[str, ...]]
    turns: Mapping[tuple[int, str], str]
    languages: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    standing: Mapping[str, str] = field(default_factory=dict)


NOTHING = "nothing to do\nready"
"""What a player says whose turn is not in the script."""


def turns_of(game: str) -> dict[tuple[int, str], str]:
    """The recorded turns of a game as texts of mails."""
    text = resources.files("pbem.demo.data").joinpath(f"{game}.json").read_text(encoding="utf-8")
    return {(row["round"], row["power"]): row["text"] for row in json.loads(text)}


def pacific_1940() -> Script:
    """Two rounds of a recorded game of Pacific 1940, second edition; the dice are rolled anew."""
    turns = turns_of("p40")
    slip = turns[(1, "japan")]
    turns[(1, "japan")] = f"Good evening, my first turn:\n\n{slip}\n3 infx Kwangsi -> Yunnan\n2 inf Siam -> Atlantis"
    turns[(1, "china")] = f"{turns[(1, 'china')]}\n1 步兵 雲南 -> 緬甸"
    return Script(
        game="p40",
        edition="2e",
        variants=(),
        title="A demonstration of Pacific 1940",
        rounds=2,
        seats={power: (power,) for power in ("japan", "usa", "china", "uk", "anzac")},
        turns=turns,
        languages={"china": "zh"},
        standing={"uk": "retreat if odds < 30%", "china": "casualties: infantry first"},
        notes=(
            "Japan's first mail holds two lines that cannot be read or carried out; its answer says why.",
            "China's player writes one line in Chinese and gets his reports in Chinese.",
            "The recorded game's dice were not ours: later orders that no longer fit are refused with their rule.",
        ),
    )


SCRIPTS = {"p40": pacific_1940}
"""The games that can be demonstrated."""
