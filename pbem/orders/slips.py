"""Slips of the pen in the words that carry a line: `atack Sea Zone 60`, `palce 3 infantry Japan`, `Comabt moves:`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from pbem.orders.cursor import Cursor
from pbem.orders.keywords import BY_FIRST_WORD
from pbem.orders.words import Kind, Token, tokens

_SHORTEST_WORD = 3
_SHORTEST_HEADING = 6
_MOST_WORDS_OF_A_HEADING = 4
_NEAR = 0.75
_MOST = 5
_FIRST_WORDS = tuple(word for word in BY_FIRST_WORD if word.isascii() and len(word) >= _SHORTEST_WORD)


def nearly_an_order(cursor: Cursor) -> Iterator[tuple[str, Token, Sequence[Token]]]:
    """What the beginning of a line may have been meant for, nearest first: the words, the last token that they replace,
    and the line put right.

    A beginning is the first word (`atack`), or all that stands before a colon (`nocombat move:`). Nothing is found if
    the word is short or known, or if the text has used up what may be searched.
    """
    first, *rest = cursor.tokens
    if not rest or first.kind is not Kind.WORD or len(first.key) < _SHORTEST_WORD or first.key in BY_FIRST_WORD:
        return
    if not _may_search(cursor):
        return
    for word in _near_words(first.key):
        yield word, first, (*tokens(word), *rest)
    colon = next((at for at, token in enumerate(cursor.tokens) if token.kind is Kind.COLON), 0)
    if not 0 < colon < _MOST_WORDS_OF_A_HEADING:
        return
    before = " ".join(token.text for token in cursor.tokens[:colon])
    for phase in cursor.names.near("phase", before):
        said = phase.replace("_", " ")
        yield said, cursor.tokens[colon - 1], (*tokens(said), *cursor.tokens[colon:])


def _near_words(key: str) -> list[str]:
    """The words that open lines and are spelled nearly like this one, or with its letters in another order."""
    near = get_close_matches(key, _FIRST_WORDS, n=_MOST, cutoff=_NEAR)
    letters = sorted(key)
    return near + [word for word in _FIRST_WORDS if word not in near and sorted(word) == letters]


def nearly_a_heading(cursor: Cursor) -> str | None:
    """The phase, or with a colon behind it the power, that a line of words only may have been meant to name."""
    *words, last = cursor.tokens
    colon = last.kind is Kind.COLON
    if not colon:
        words.append(last)
    if not 0 < len(words) <= _MOST_WORDS_OF_A_HEADING or any(token.kind is not Kind.WORD for token in words):
        return None
    text = " ".join(token.text for token in words)
    if len(text) < _SHORTEST_HEADING or not _may_search(cursor):
        return None
    if phases := cursor.names.near("phase", text):
        return phases[0].replace("_", " ")
    powers = cursor.names.near("power", text) if colon else ()
    return cursor.names.powers.get(powers[0], powers[0]) if powers else None


def _may_search(cursor: Cursor) -> bool:
    if cursor.searches[0] <= 0:
        return False
    cursor.searches[0] -= 1
    return True
