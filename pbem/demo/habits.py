"""What players of a demonstration do with victory cards: a table of lines, read from a file of this package."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

ATTACK, DEFENCE, TURN, DICE = "attack", "defence", "turn", "dice"
"""When a line is written: for an attack of one's own, when attacked, with every turn, when dice were seen."""
ASKED, STANDING = "asked", "standing"
"""Styles: waits to be asked for cards in his own turn; says with his turn what can be said in advance."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Lines by card, the places that each power thinks of, the dice that are bought for a weapon, and styles by power.

    A line names its card, `when` it is written, `on` what (land, sea or raid), a `unit` that must be there, and what
    to write: `line`, and `standing` where it can be said in advance.
    """

    lines: Sequence[Mapping[str, Any]]
    places: Mapping[str, Mapping[str, str]]
    research: str
    styles: Mapping[str, str]


def habits(name: str, styles: Mapping[str, str]) -> Habits:
    """The habits in a file; `styles` says which power plays in a style of its own."""
    read = json.loads(resources.files("pbem.demo.data").joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return Habits(read["lines"], read["places"], read["research"], styles)
