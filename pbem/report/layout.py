"""Plain text for a telephone: lines of at most 72 columns, where a Chinese character counts two."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

WIDTH = 72
_PIECES = re.compile(r"\s+|[^\s]")
_NO_START = frozenset(",.;:!?)\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff09\u300d\u300f\u300b\u3011")
"""Marks that may not begin a line."""


def columns(text: str) -> int:
    """How many columns a text takes."""
    return sum(
        0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in text
    )


def visible(text: str) -> str:
    """Somebody's words on one line: control characters and line breaks become blanks."""
    return " ".join("".join(ch if ch.isprintable() else " " for ch in text).split())


def wrapped(text: str, first: str = "", rest: str | None = None, width: int = WIDTH) -> list[str]:
    """A text in lines no wider than `width`, `first` before the first line and `rest` before the others.

    Chinese may break between any two characters but not before a closing mark; a word too long for a line is cut.
    """
    rest = " " * columns(first) if rest is None else rest
    lines: list[str] = []
    line, room = first, width - columns(first)
    empty = True
    for word, glued in _words(text):
        need = columns(word)
        gap = 0 if empty or glued else 1
        if need + gap > room and not empty:
            lines.append(line)
            line, room, gap, empty = rest, width - columns(rest), 0, True
        while need > room and empty:
            cut = _fitting(word, room)
            lines.append(line + word[:cut])
            word, line, room = word[cut:], rest, width - columns(rest)
            need = columns(word)
        line += " " * gap + word
        room -= need + gap
        empty = False
    lines.append(line)
    return [one.rstrip() for one in lines]


def _words(text: str) -> Iterable[tuple[str, bool]]:
    """Pieces that may not be broken, each with whether it follows the one before without a blank."""
    word = ""
    blank = False
    started = False
    for piece in _PIECES.findall(text):
        if piece.isspace():
            if word:
                yield word, not blank and started
                started, word = True, ""
            blank = True
            continue
        if word and piece not in _NO_START and (_is_wide(piece) or _is_wide(word[-1])):
            yield word, not blank and started
            started, blank, word = True, False, piece
        else:
            word += piece
    if word:
        yield word, not blank and started


def _is_wide(ch: str) -> bool:
    return unicodedata.east_asian_width(ch) in "WF"


def _fitting(word: str, room: int) -> int:
    """How many characters of a word fit, at least one."""
    used = 0
    for index, ch in enumerate(word):
        used += columns(ch)
        if used > room:
            return max(index, 1)
    return len(word)


class Page:
    """Lines of a mail, written from top to bottom."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def blank(self) -> None:
        """An empty line, never two in a row and none at the top."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def heading(self, text: str) -> None:
        """A heading with a line under it, after an empty line."""
        self.blank()
        self._lines += [text, "-" * min(columns(text), WIDTH)]

    def say(self, text: str, indent: int = 0) -> None:
        """A paragraph."""
        self._lines += wrapped(visible(text), " " * indent)

    def item(self, text: str, mark: str = "-", indent: int = 0) -> None:
        """One entry of a list, its later lines under the text."""
        self._lines += wrapped(visible(text), f"{' ' * indent}{mark} ")

    def line(self, text: str, indent: int = 2) -> None:
        """An order line, which must be found again as it is: kept whole where it fits."""
        text = visible(text)
        pad = " " * indent
        if columns(text) + indent <= WIDTH:
            self._lines.append(pad + text)
        else:
            self._lines += wrapped(text, pad, pad + "    ")

    def verbatim(self, text: str, indent: int = 0) -> None:
        """Lines as they are, such as a signed note."""
        self._lines += [" " * indent + line for line in text.rstrip("\n").split("\n")]

    def text(self) -> str:
        """Everything, ended by one line end."""
        return "\n".join(self._lines).rstrip("\n") + "\n"
