"""Why an order was refused, in the reader's language as far as the sentence is known; else as the rules wrote it.

The rules write English sentences with names in them. A catalogue has the most frequent ones with the names left out:
a sentence that fits one of them is said again in the other language, with the names of that language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache

from pbem.board.map import Board
from pbem.orders.names import CARD_NAMES_ZH
from pbem.report.words import TEMPLATES, Words

FILES = ("refusals", "card_refusals", "retreat_refusals")
_PLACE = re.compile(r"\\{(\w+?)(\d*)\\}")
_COUNTED = re.compile(r"(\d+) (.+)")
_PATTERNS = {
    "n": r"\d+|any", "space": r"[^,;:\"]+?", "power": r"[^,;:\"]+?", "unit": r"[^,;:\"]+?", "card": r"[^,;:\"]+?",
}  # fmt: skip


def in_words(reason: str, words: Words) -> str:
    """A reason or a hint for the reader; the same sentence where the catalogue does not know it."""
    for pattern, saying in _catalogue(words.language):
        found = pattern.fullmatch(reason)
        if found is not None:
            said = {name: _said(name, text, words) for name, text in found.groupdict().items()}
            if None not in said.values():
                return saying.format(**said)
    return reason


@lru_cache(maxsize=4)
def _catalogue(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The sentences of a language as patterns; none for a language that has no such catalogue."""
    files = [TEMPLATES / "messages" / f"{name}_{language}.json" for name in FILES]
    rows: dict[str, str] = {}
    for path in files:
        rows |= json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return tuple((re.compile(_PLACE.sub(_group, re.escape(known))), saying) for known, saying in rows.items())


def _group(found: re.Match[str]) -> str:
    kind, number = found.groups()
    return f"(?P<{kind}{number}>{_PATTERNS.get(kind, '.+?')})"


def _said(name: str, text: str, words: Words) -> str | None:
    """A part of a sentence in the reader's words; None if it is no such name on this board."""
    kind, names = name.rstrip("0123456789"), _names(words.board)
    if kind == "reason":
        return in_words(text, words)
    if kind == "spaces":
        some = [_said("space", part, words) for part in re.split(", | or ", text)]
        return "、".join(part or "" for part in some) if all(some) else None
    if kind == "parts":
        return words.joined(in_words(part, words) for part in text.split(", "))
    if kind == "units":
        rows = [_COUNTED.fullmatch(row) for row in text.split(", ")]
        found = [(row and names["unit"].get(row[2]), row and int(row[1])) for row in rows]
        return words.kinds((unit, count or 0) for unit, count in found if unit) if all(u for u, _ in found) else None
    if kind not in names:
        return text
    # `Karelia S.S.R.` at the end of a sentence brings its own full stop.
    known = names[kind].get(text) or names[kind].get(f"{text}.")
    if known is None:
        return None
    if kind == "card":
        return words.card(known)
    return words.space(known) if kind == "space" else words.power(known) if kind == "power" else words.unit(known)


_BY_BOARD: dict[str, Mapping[str, Mapping[str, str]]] = {}


def _names(board: Board) -> Mapping[str, Mapping[str, str]]:
    """Ids by the English names that the rules write."""
    known = _BY_BOARD.get(board.id)
    if known is None:
        units = {name.lower(): unit.id for unit in board.units.values() for name in (unit.name, unit.plural)}
        known = _BY_BOARD[board.id] = {
            "space": {space.name: space.id for space in board.spaces.values()},
            "power": {power.name: power.id for power in board.powers.values()},
            "unit": units,
            "card": {Words(board).card(card): card for card in CARD_NAMES_ZH},
        }
    return known
