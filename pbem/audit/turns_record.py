"""Recorded turns of other programs as values: every name replaced by its id, missing keys by nothing.

`turns_read` makes them from records in the form of docs/turns.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

NEUTRAL = "neutral"
"""The owner of garrisons that belong to no power."""
UPGRADE = "ic_upgrade"
"""A complex bought to replace a smaller one."""


class TurnError(ValueError):
    """A record that cannot be read: the message names the place and what would be right."""


@dataclass(frozen=True, slots=True)
class Some:
    """So many units of a kind. `owner` is None where the acting power's are meant; `damage` counts hits or points."""

    kind: str
    count: int
    owner: str | None = None
    damage: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """One move: the number it has in the record, its phase, the spaces from first to last.

    Ships whose cargo is not named are empty, for records name it (`names_cargo`).
    """

    number: int
    phase: str
    units: tuple[Some, ...]
    path: tuple[str, ...]
    load: bool = False
    unload: bool = False
    names_cargo: bool = True


@dataclass(frozen=True, slots=True)
class Die:
    """One die: its face, the highest face that hits, and the kind of unit that most likely rolled it."""

    face: int
    need: int
    kind: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a battle's timeline.

    `what` is roll, aa_roll, bombard, lost, damaged, retreat, submerge, air_breaks_off or a word of the record's.
    `round` is the battle round of the last roll before (0 before the first); `side` is attack or defend where known.
    """

    what: str
    round: int
    side: str | None
    units: tuple[Some, ...] = ()
    dice: tuple[Die, ...] = ()
    hits: int | None = None
    to: str | None = None
    surplus: bool = False


@dataclass(frozen=True, slots=True)
class Fought:
    """One battle as recorded, with the defenders it names.

    `kind` is land, sea or raid; `winner` a power, None where nothing was fought.
    """

    space: str
    kind: str
    attacker: str | None
    winner: str | None
    survivors: tuple[Some, ...] | None
    defenders: tuple[Some, ...]
    attackers: tuple[Some, ...] | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands in a space: who controls it, units by (owner, kind, hits taken), facilities with their damage."""

    owner: str | None
    units: Mapping[tuple[str, str, int], int] = field(default_factory=dict)
    facilities: Mapping[str, int] = field(default_factory=dict)


Table = dict[str, Standing]
"""A whole board, by space; spaces that are left out are empty."""


@dataclass(frozen=True, slots=True)
class Income:
    """What was collected: land less convoys, each objective's money, convoy losses and the dice by zone."""

    collected: int | None = None
    objectives: tuple[int, ...] | None = None
    convoy_lost: int | None = None
    convoy_rolls: tuple[tuple[str, tuple[int, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Strike:
    """Kamikazes aimed at one kind of ship in a zone, with the faces they rolled."""

    zone: str
    kind: str
    count: int
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One recorded turn, all in ids. Money is in IPC; `divergences` say where the record is not the rule book."""

    game: str
    edition: str
    round: int
    power: str
    money_before: int | None
    money_bought: int | None
    tokens: int | None
    money_after: Mapping[str, int]
    wars: tuple[tuple[str, str], ...]
    was_peace: tuple[tuple[str, str], ...]
    purchases: tuple[Some, ...]
    repairs: tuple[tuple[str, str | None, int], ...]
    moves: tuple[Moved, ...]
    takes: tuple[tuple[str, str | None, str], ...]
    strikes: tuple[Strike, ...]
    battles: tuple[Fought, ...]
    placements: tuple[tuple[Some, str], ...]
    income: Income
    changes: Table | None
    control_changes: tuple[tuple[str, str | None, str | None], ...] | None
    paid: tuple[tuple[str, int], ...]
    stream: tuple[tuple[str, tuple[int, ...]], ...]
    divergences: tuple[str, ...]

    @property
    def declared(self) -> tuple[str, ...]:
        """The powers upon which the acting power declared war in this turn."""
        return tuple(foe for one, foe in self.wars if one == self.power)
