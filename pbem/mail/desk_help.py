"""The short guide that goes with an answer when a player asks for help, or his mail holds nothing like an order.

It teaches what a first turn needs and no more; words in capitals stand for names of the board.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_HELP = re.compile(
    r"\s*(?:please\s+)?(?:help|help me|help please|commands|how to play|hilfe|aide|ayuda|幫助|帮助|說明|说明|[?？])"
    r"\s*[.!?。！？]*\s*",
    re.IGNORECASE,
)

GUIDE = (
    "How it goes: reply to a mail of mine and write your orders at the top, one a line, as below. The words in "
    "capitals stand for names on the map. My report shows under HOW TO ANSWER lines that would be taken as they stand.",
    "Moves and attacks: `2 infantry, 1 tank HERE -> THERE`; name the spaces between where the way matters.",
    "Buying and placing: `buy 2 infantry`, `place 2 infantry HERE`, in one mail if you like.",
    "By sea: `load 2 infantry HERE -> ZONE`, then `1 transport ZONE -> OTHER ZONE`, then "
    "`unload 2 infantry OTHER ZONE -> THERE`.",
    "After the battles: `noncombat: 2 infantry HERE -> THERE`, or `rest default`: aircraft land and new units are "
    "placed without another mail from you.",
    "In battle: `casualties THERE: infantry first`, `retreat THERE to HERE if odds < 40%`, or `ask me` to be asked.",
    "Changes: new moves replace your earlier moves, a new purchase the earlier purchase; `add` as first line adds; "
    "`cancel combat move` takes back.",
    "Done: `ready`.",
)
"""Sentences of the guide, in the order in which they are read; each is a paragraph of the answer."""


def guide_for(text: str, looks_like_order: Callable[[str], bool]) -> tuple[str, ...]:
    """The guide if a mail's own text asks for help in a line of its own, or says nothing like an order; else ()."""
    lines = [line for line in text.split("\n") if line.strip()]
    if any(_HELP.fullmatch(line) for line in lines) or not any(looks_like_order(line) for line in lines):
        return GUIDE
    return ()
