"""Windows and powers in words for sentences in mails, where an id like `r1.usa:moves` would tell a player nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.board.map import Board

_WINDOW = re.compile(r"r(\d+)\.([^:]+):([^:]+)(?::.*)?")


_SHORT = frozenset(("usa", "uk", "ussr", "anzac"))
"""Powers that are known by their initials."""


def window_in_words(window: str) -> str:
    """`USA, round 1 (moves)` for `r1.usa:moves`; an id of another form as it is."""
    match = _WINDOW.fullmatch(window)
    if match is None:
        return window
    number, whose, part = match.groups()
    named = " ".join(part.upper() if part in _SHORT else part.capitalize() for part in whose.split("."))
    return f"{named}, round {number} ({part.replace('_', ' ')})"


def powers_in_words(board: Board, powers: Iterable[str]) -> str:
    """`Japan`, `United Kingdom and ANZAC`: the names of powers, for a sentence."""
    names = [board.powers[power].name if power in board.powers else power for power in powers]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
