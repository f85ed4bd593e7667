"""Numbering and placing the first pieces of a campaign or of a case. It only builds payloads of `units_created`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.board.map import Board
from pbem.board.units import AIR

Fact = tuple[str, dict[str, Any]]
"""A type of event and its payload."""


@dataclass
class Roster:
    """Pieces in the order in which they get their ids, `u1` first."""

    board: Board
    next_id: int = 1
    rows: dict[tuple[str, str], list[list[Any]]] = field(default_factory=dict)
    room: dict[str, int] = field(default_factory=dict)

    def add(self, space: str, owner: str, kind: str, **extra: Any) -> str:
        """One piece more; `extra` is what `units_created` may say of it (aboard, damage, spent, marks)."""
        unit_id = f"u{self.next_id}"
        self.next_id += 1
        row: list[Any] = [unit_id, kind]
        said = {key: value for key, value in extra.items() if value}
        if said:
            row.append(said)
        self.rows.setdefault((space, owner), []).append(row)
        self.room[unit_id] = self.board.units[kind].figure("carrier_capacity")
        return unit_id

    def board_aircraft(self) -> None:
        """Put aircraft that stand in a sea zone without a deck onto carriers there, own ones first, in order."""
        decks: dict[str, list[tuple[str, str]]] = {}
        for (space, owner), rows in self.rows.items():
            for row in rows:
                if self.room.get(row[0]):
                    decks.setdefault(space, []).append((owner, row[0]))
                carrier = row[2].get("aboard") if len(row) > 2 else None
                if carrier in self.room and self.board.units[row[1]].domain == AIR:
                    self.room[carrier] -= 1
        for (space, owner), rows in self.rows.items():
            for row in rows:
                unit_type = self.board.units[row[1]]
                ashore = space in self.board.spaces and not self.board.spaces[space].is_sea
                if unit_type.domain != AIR or ashore or "aboard" in _said(row):
                    continue
                for _, carrier in sorted(decks.get(space, ()), key=lambda deck: deck[0] != owner):
                    if self.room[carrier] > 0 and unit_type.can("carrier_capable"):
                        self.room[carrier] -= 1
                        row[2:] = [{**_said(row), "aboard": carrier}]
                        break

    def facts(self, why: str) -> list[Fact]:
        """One `units_created` for each space and owner, carriers and transports before what stands on them."""
        return [
            ("units_created", {"space": space, "owner": owner, "units": rows, "why": why})
            for (space, owner), rows in self.rows.items()
        ]


def _said(row: list[Any]) -> Mapping[str, Any]:
    said: Mapping[str, Any] = row[2] if len(row) > 2 else {}
    return said
