"""Windows in words for sentences in mails, where an id like `r1.usa:moves` would tell a player nothing."""

from __future__ import annotations

import re

_WINDOW = re.compile(r"r(\d+)\.([^:]+):([^:]+)(?::.*)?")


def window_in_words(window: str) -> str:
    """`usa, round 1 (moves)` for `r1.usa:moves`; an id of another form as it is."""
    match = _WINDOW.fullmatch(window)
    if match is None:
        return window
    number, whose, part = match.groups()
    return f"{whose.replace('.', ' ')}, round {number} ({part.replace('_', ' ')})"
