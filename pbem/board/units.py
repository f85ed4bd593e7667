"""What kinds of pieces a game has: the unit table as data. No rule is decided here; ability tags name rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LAND, AIR, SEA, FACILITY = "land", "air", "sea", "facility"


@dataclass(frozen=True, slots=True)
class UnitType:
    """One line of a game's unit table. Costs are in IPC, moves in spaces, values are the highest hitting face.

    `cost` is None for what cannot be bought. `rank` is the line's place in the table: it breaks ties in the order
    of dice and in lists. `data` holds the figures that only some rules read (by their names in the facts).
    """

    id: str
    name: str
    plural: str
    domain: str
    cost: int | None
    attack: int
    defense: int
    move: int
    hits: int
    abilities: frozenset[str]
    rank: int
    data: Mapping[str, Any]

    def can(self, ability: str) -> bool:
        """Whether the table gives this kind of piece the ability of that tag."""
        return ability in self.abilities

    def figure(self, name: str, default: int = 0) -> int:
        """A whole-number figure of the table, such as `transport_capacity`; `default` where there is none."""
        value = self.data.get(name, default)
        return value if isinstance(value, int) else default


_COMMON = {"id", "name", "plural", "domain", "cost", "attack", "defense", "move", "hits", "abilities"}


def unit_types(table: Mapping[str, Mapping[str, Any]]) -> dict[str, UnitType]:
    """The unit table of a facts file, in its order."""
    return {
        kind: UnitType(
            id=kind,
            name=row["name"],
            plural=row.get("plural", row["name"]),
            domain=FACILITY if row["domain"] in ("facility", "structure") else row["domain"],
            cost=row["cost"],
            attack=row.get("attack") or 0,
            defense=row.get("defense") or 0,
            move=row.get("move") or 0,
            hits=row.get("hits") or 0,
            abilities=frozenset(row.get("abilities", ())),
            rank=rank,
            data={key: value for key, value in row.items() if key not in _COMMON},
        )
        for rank, (kind, row) in enumerate(table.items())
    }
