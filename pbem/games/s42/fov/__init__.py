"""Fortunes of Victory: victory cards on top of 1942 Second Edition, composed as a variant of its rule set.

`table` holds the cards as data, `hands` and `plays` what is held and what was played, `weighing` with `weapons`,
`tactics`, `fortune` and `moves` what may be played, `windows`, `phases` and `draw` when, `chances` what it means for
odds, the other files what it does.
"""

from __future__ import annotations

from pbem.games.s42.fov.rules import compose
from pbem.games.s42.fov.table import OPTIONS

LINES = ("play", "draw", "discard", "research")
"""Kinds of lines that the base game has not and the cards bring (`pbem.rules.vocabulary`)."""

__all__ = ["LINES", "OPTIONS", "compose"]
