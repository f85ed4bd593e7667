"""The divergences that a record lists: remarks on places where the program that played it is not the rule book.

They are sentences; what they are about is found by the move's number, the space and the words in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.audit.turns_compare import Difference
from pbem.audit.turns_record import Moved, Turn
from pbem.board.map import Board

_MOVES = re.compile(r"\bmoves?\s+(?P<numbers>\d+(?:\s*(?:,|and|to)\s*\d+)*)", re.IGNORECASE)


@dataclass(slots=True)
class Divergences:
    """What the listed divergences of one turn are about.

    `moves` are those named by number; `spaces` and `text` are of the other remarks.
    """

    board: Board
    turn: Turn
    moves: frozenset[int] = frozenset()
    spaces: frozenset[str] = frozenset()
    text: str = ""

    def __post_init__(self) -> None:
        said = self.turn.divergences
        numbers = [number for text in said for match in _MOVES.finditer(text) for number in _numbers(match["numbers"])]
        self.moves = frozenset(numbers)
        self.text = " ".join(text for text in said if _MOVES.search(text) is None).lower()
        self.spaces = frozenset(
            space.id
            for space in self.board.spaces.values()
            if any(_names(name, self.text) for name in (space.name, _turned(space.name), *space.aliases))
        )

    def of_move(self, number: int | None) -> bool:
        """Whether a recorded move, or one that continues it, is listed."""
        if number is None or not self.moves:
            return False
        if number in self.moves:
            return True
        listed = [moved for moved in self.turn.moves if moved.number in self.moves]
        mine = [moved for moved in self.turn.moves if moved.number == number]
        return any(_continues(move, before) for move in mine for before in listed)

    def explains(self, difference: Difference, undone: Sequence[Moved]) -> bool:
        """Whether a difference is about a listed divergence.

        That is a space or money that a remark names, or a battle to which a listed move that was refused did not come.
        """
        missed = {moved.path[-1] for moved in undone if moved.phase == "combat_move"}
        fought = {battle.space for battle in self.turn.battles if battle.winner is not None}
        if any(space in self.spaces or space in missed & fought for space in difference.about):
            return True
        money = "money" in difference.text or "objectives" in difference.text or "income" in difference.text
        return money and any(word in self.text for word in ("ipc", "pus", "objective", "pays", "paid", "income"))


def _turned(name: str) -> str:
    """`11 Sea Zone` for `Sea Zone 11`, as records write it."""
    words = name.split()
    return " ".join((words[-1], *words[:-1])) if words[-1].isdigit() else name


def _numbers(text: str) -> list[int]:
    found = [int(part) for part in re.findall(r"\d+", text)]
    return list(range(found[0], found[1] + 1)) if "to" in text and len(found) == 2 else found


def _names(name: str, text: str) -> bool:
    return len(name) > 3 and re.search(rf"\b{re.escape(name.lower())}\b", text) is not None


def _continues(move: Moved, before: Moved) -> bool:
    """Whether a later move takes the same kind of unit on from where a listed one ended, or carried it there."""
    if move.path[0] != before.path[-1] and move.path[-1] != before.path[0]:
        return False
    kinds = {some.kind for some in before.units}
    return any(some.kind in kinds for some in move.units) or move.load
