"""What a teller remembers while it reads events in order: every piece's kind and owner, damage, and who chose last.

It keeps just enough to name units that the events mention by id only; it is no second reducer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State
from pbem.report.model import Force
from pbem.rules.tape import TapeEvent

Seen = TapeEvent
"""An event as the reader may see it, stored or still in memory."""


class Ledger:
    """Kinds, owners and damage of all pieces seen so far."""

    def __init__(self, board: Board, state: State) -> None:
        self.board = board
        self.kind: dict[str, str] = {unit.id: unit.kind for unit in state.units.values()}
        self.owner: dict[str, str] = {unit.id: unit.owner for unit in state.units.values()}
        self.damage: dict[str, int] = {unit.id: unit.damage for unit in state.units.values()}
        self.card: dict[str, str] = {unit.id: unit.mark("card", "") for unit in state.units.values()}
        """The victory card that a unit is under."""
        self._powers = {power: place for place, power in enumerate(board.powers)}

    def see(self, event: Seen) -> None:
        """Take in one event."""
        body = event.payload
        if event.type == "units_created":
            for row in body["units"]:
                self.kind[row[0]], self.owner[row[0]] = row[1], body["owner"]
                self.damage[row[0]] = row[2].get("damage", 0) if len(row) > 2 else 0
        elif event.type == "units_converted":
            for unit in body["units"]:
                self.kind[unit] = body.get("kind", self.kind.get(unit, ""))
                self.owner[unit] = body.get("owner", self.owner.get(unit, ""))
        elif event.type == "units_damaged":
            self.damage.update(body["damage"])
        elif event.type in ("units_marked", "units_moved") and "card" in (body.get("set") or body.get("marks") or ()):
            card = (body.get("set") or body["marks"])["card"]
            self.card.update(dict.fromkeys(body["units"], card or ""))
        elif event.type == "units_refreshed":
            self.card.clear()

    def force(self, units: Iterable[str]) -> Force:
        """Units by owner and kind, those the ledger never saw left out."""
        return self.sorted_force((self.owner[unit], self.kind[unit], 1) for unit in units if unit in self.kind)

    def sorted_force(self, rows: Iterable[tuple[str, str, int]]) -> Force:
        """Rows added up, in the order of powers and of the unit table."""
        counts: dict[tuple[str, str], int] = {}
        for owner, kind, count in rows:
            counts[(owner, kind)] = counts.get((owner, kind), 0) + count
        ordered = sorted(counts, key=lambda key: (self._powers.get(key[0], 99), self.rank(key[1]), key))
        return tuple((owner, kind, counts[(owner, kind)]) for owner, kind in ordered if counts[(owner, kind)])

    def rank(self, kind: str) -> int:
        """A kind's place in the unit table."""
        known = self.board.units.get(kind)
        return known.rank if known is not None else 999

    def worth(self, kind: str) -> int:
        """A kind's price in IPC; 0 for what cannot be bought."""
        known = self.board.units.get(kind)
        return (known.cost or 0) if known is not None else 0

    def mentioned(self, value: Any) -> tuple[list[str], list[str]]:
        """Unit ids and space ids anywhere in a plain value, in order of appearance."""
        units: list[str] = []
        spaces: list[str] = []
        self._walk(value, units, spaces)
        return units, spaces

    def _walk(self, value: Any, units: list[str], spaces: list[str]) -> None:
        if isinstance(value, str):
            if value in self.kind:
                if value not in units:
                    units.append(value)
            elif value in self.board.spaces and value not in spaces:
                spaces.append(value)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                self._walk(key, units, spaces)
                self._walk(item, units, spaces)
        elif isinstance(value, list | tuple):
            for item in value:
                self._walk(item, units, spaces)
