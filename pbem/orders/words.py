"""Cuts a line of orders into words, numbers and signs, and folds spellings so that they can be compared.

Nothing here knows names or orders. What looks like a number but is none to count with (superscripts, other digits,
negative, decimal) becomes a token of its own kind, so that a refusal can name it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache


class Kind(Enum):
    """What a token is."""

    WORD = "word"
    NUMBER = "number"
    BAD_NUMBER = "bad number"
    DECIMAL = "decimal"
    ARROW = "arrow"
    DASH = "dash"
    COMMA = "comma"
    AND = "and"
    COLON = "colon"
    OPEN = "open"
    CLOSE = "close"
    COMPARE = "compare"
    PERCENT = "percent"
    TIMES = "times"
    SLASH = "slash"
    HASH = "hash"
    AT = "at"
    DOT = "dot"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a line. `key` is its folded spelling, `start` and `end` its place in the cleaned line."""

    kind: Kind
    text: str
    key: str
    start: int
    end: int


def _translation() -> dict[int, str]:
    table = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    for code in (
        0x00A0,
        0x1680,
        *range(0x2000, 0x200B),
        0x202F,
        0x2028,
        0x2029,
        0x205F,
        0x3000,
        0x0009,
        0x000B,
        0x000C,
        0x0085,
    ):
        table[code] = " "
    for code in (0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF):
        table[code] = ""
    for code in (0x2010, 0x2011, 0xFE63):
        table[code] = "-"
    table.update({0x3001: ",", 0xFF64: ",", 0x3002: ".", 0x2018: "'", 0x2019: "'", 0x02BC: "'", 0x00D7: "*"})
    table.update({0x201C: '"', 0x201D: '"', 0x300C: '"', 0x300D: '"', 0x2264: "<=", 0x2265: ">=", 0x2260: "!="})
    return table


_TABLE = _translation()


def clean(line: str) -> str:
    """The line with full-width signs, other blanks and other hyphens in their plain form; nothing else changes."""
    return line if line.isascii() and "\t" not in line else line.translate(_TABLE)


# Ideographs are tokens of one character each: names are found among them as the longest run, like words.
_IDEOGRAPH = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_LETTER = rf"[^\W\d_{_IDEOGRAPH}]"
_INNER = rf"(?:[^\W{_IDEOGRAPH}]|[.'\-](?=[^\W{_IDEOGRAPH}])(?!-+>))"
_PATTERN = re.compile(
    rf"""
      (?P<ARROW>[-–—―−=~]+>+|[→⇒➔➜➡⟶⇨►▶]|>>+)
    | (?P<COMPARE><=|>=|=<|==|!=|<|>|=)
    | (?P<NEGATIVE>(?<![\w)])[-−](?=[0-9]))
    | (?P<DASH>[-–—―−~]+)
    | (?P<DECIMAL>[0-9]+\.[0-9]+(?![\w]))
    | (?P<NUMBER>[0-9]+)
    | (?P<IDEOGRAPH>[{_IDEOGRAPH}])
    | (?P<WORD>{_LETTER}{_INNER}*\.?)
    | (?P<COMMA>[,])
    | (?P<AND>[&+])
    | (?P<COLON>:)
    | (?P<OPEN>[(\[{{])
    | (?P<CLOSE>[)\]}}])
    | (?P<PERCENT>%)
    | (?P<TIMES>[*])
    | (?P<SLASH>/)
    | (?P<HASH>\#)
    | (?P<AT>@)
    | (?P<DOT>\.)
    | (?P<BLANK>\s+)
    | (?P<OTHER>.)
    """,
    re.VERBOSE | re.DOTALL,
)


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """The spelling to compare by: NFKC, lower case, without accents, blanks and punctuation (`S.S.R.` is `ssr`)."""
    if text.isascii():
        return "".join(letter for letter in text.lower() if letter.isalnum())
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", "".join(letter for letter in plain if letter.isalnum()))


def _is_other_digit(text: str) -> bool:
    return unicodedata.category(text[0]) in ("No", "Nd")


def tokens(line: str) -> tuple[Token, ...]:
    """The tokens of one cleaned line, blanks left out. Never raises; what has no meaning is of kind OTHER."""
    found: list[Token] = []
    negative_from: int | None = None
    for match in _PATTERN.finditer(line):
        name = match.lastgroup
        if name == "BLANK":
            continue
        text = match.group()
        start, end = match.span()
        if name == "NEGATIVE":
            negative_from = start
            continue
        if name in ("NUMBER", "DECIMAL"):
            if negative_from is not None:
                found.append(Token(Kind.BAD_NUMBER, line[negative_from:end], "", negative_from, end))
                negative_from = None
            elif name == "DECIMAL":
                found.append(Token(Kind.DECIMAL, text, text, start, end))
            elif len(text) > 9:
                found.append(Token(Kind.BAD_NUMBER, text, "", start, end))
            else:
                found.append(Token(Kind.NUMBER, text, text, start, end))
        elif name in ("WORD", "OTHER") and not text.isascii() and _is_other_digit(text):
            found.append(Token(Kind.BAD_NUMBER, text, "", start, end))
        elif name in ("WORD", "IDEOGRAPH"):
            found.append(Token(Kind.WORD, text, fold(text), start, end))
        else:
            assert name is not None
            found.append(Token(Kind[name], text, "", start, end))
    return tuple(found)


def joined_key(part: str, key: str) -> str:
    """The key of two tokens read as one name: digits that meet stay apart (`Sea Zone 6` `2` is not zone 62)."""
    if part and key and part[-1].isdigit() and key[0].isdigit():
        return f"{part}_{key}"
    return part + key


def key_of(phrase: str) -> str:
    """The key under which a name of one or several words is filed."""
    key = ""
    for token in tokens(clean(phrase)):
        if token.kind in (Kind.WORD, Kind.NUMBER):
            key = joined_key(key, token.key)
    return key


def split_orders(line: str) -> list[str]:
    """The orders of one line: `;` separates, except inside parentheses."""
    line = line.replace("；", ";")
    if ";" not in line:
        return [line]
    parts: list[str] = []
    current: list[str] = []
    depth = 0
    for letter in line:
        if letter in "([（":
            depth += 1
        elif letter in ")]）":
            depth = max(0, depth - 1)
        if letter == ";" and depth == 0:
            parts.append("".join(current))
            current = []
        else:
            current.append(letter)
    parts.append("".join(current))
    return parts
