"""What a map shows, as plain values that any part of the service can fill in.

No geometry and no drawing here; ids are the board's own (space, power and unit ids).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ArrowKind = Literal["move", "attack", "air", "sea"]
Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class SpaceView:
    """One space: who controls it and what stands there.

    `units` are (power, unit, count, how many of them are damaged); `facilities` are (kind, damage in IPCs or points).
    `captured`: changed hands this turn. `changed`: anything else of note happened here this turn.
    """

    controller: str | None = None
    units: tuple[tuple[str, str, int, int], ...] = ()
    facilities: tuple[tuple[str, int], ...] = ()
    captured: bool = False
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move from one space over others (`via`) to another; `units` (kind, count) or else the label say what moves.

    `quiet`: not an act of combat, so drawn below the others and thinner.
    """

    power: str
    start: str
    via: tuple[str, ...]
    end: str
    label: str = ""
    kind: ArrowKind = "move"
    units: tuple[tuple[str, int], ...] = ()
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class MapView:
    """Everything one map shows. `board` is a scenario id such as `p40_2e`; `note` stands below the map's page."""

    board: str
    spaces: Mapping[str, SpaceView] = field(default_factory=dict)
    arrows: tuple[Arrow, ...] = ()
    battles: tuple[str, ...] = ()
    language: Language = "en"
    title: str = ""
    note: str = ""
