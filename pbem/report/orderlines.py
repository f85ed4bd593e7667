"""Orders as people read them: unit ids become names in English, the whole line becomes Chinese for Chinese readers.

The log and the dice keep the canonical text; what is shown here reads back to the same order.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pbem.board.map import Board
from pbem.orders.gazetteer import Gazetteer, build
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.write import write

_NAMES: dict[str, tuple[Gazetteer, re.Pattern[str]]] = {}


def shown(text: str, board: Board, language: str) -> str:
    """A canonical line in the words of a reader. A text that is no canonical line stays as it is."""
    return _in_chinese(text, board.id, _known(board)[0]) if language == "zh" else _in_english(text, board)


def _known(board: Board) -> tuple[Gazetteer, re.Pattern[str]]:
    """The names of a board and the pattern of its unit ids behind their count, kept for the next line."""
    known = _NAMES.get(board.id)
    if known is None:
        ids = "|".join(sorted(board.units, key=len, reverse=True))
        known = _NAMES[board.id] = (build(board.facts), re.compile(rf"\b(?:(\d+) )?({ids})\b(?!:)"))
    return known


def _in_english(text: str, board: Board) -> str:
    """`2 tac_bomber` becomes `2 tactical bombers`; a kind without a count is named only where its id is no word."""

    def named(found: re.Match[str]) -> str:
        count, kind = found.groups()
        unit = board.units[kind]
        if count is None:
            return unit.name.lower() if "_" in kind else kind
        return f"{count} {(unit.name if count == '1' else unit.plural).lower()}"

    return text if text.startswith("ENTROPY") else _known(board)[1].sub(named, text)


@lru_cache(maxsize=4096)
def _in_chinese(text: str, board: str, names: Gazetteer) -> str:
    results = read_orders(text, names, ReadContext(board))
    if len(results) != 1 or results[0].order is None:
        return text
    return write(results[0].order, names, "zh")
