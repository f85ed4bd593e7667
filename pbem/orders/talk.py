"""Tells talk from orders: whether the author must hear of a line that could not be read.

Mail intake has a wider question, which `likeness` answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from pbem.orders.cursor import Cursor, ReadContext
from pbem.orders.gazetteer import Gazetteer
from pbem.orders.read_line import VERBS
from pbem.orders.words import Kind, Token


def begins_an_order(found: Sequence[Token], names: Gazetteer) -> bool:
    """Whether a line begins like an order: with a number, a verb, a unit or a name of the board."""
    if found[0].kind is not Kind.WORD:
        return True
    cursor = Cursor(found, names, ReadContext(""))
    return cursor.sees("if", "all", *VERBS) or any(
        cursor.find(category) is not None for category in ("unit", "space", "power", "phase")
    )


def says_ready(found: Sequence[Token]) -> bool:
    """Whether a short line is about being ready (`I am ready now`, `redy`), which is a line of its own: `ready`."""
    if len(found) <= 2 and any(_nearly_ready(token.key) for token in found):
        return True
    return len(found) <= 6 and any(token.key == "ready" for token in found)


def _nearly_ready(word: str) -> bool:
    return word not in ("read", "reads") and SequenceMatcher(None, word, "ready").ratio() >= 0.8


_TELLING_VERBS = (
    "attack", "retreat", "buy", "load", "unload", "scramble", "intercept", "submerge", "bombard", "kamikaze",
    "casualties", "declare_war", "repair", "withdraw", "noncombat", "evacuate", "upgrade", "deploy", "bomb",
)  # fmt: skip
_EVERYDAY_WORDS = (
    "all",
    "everything",
    "piece",
    "pieces",
    "forces",
    "man",
    "men",
    "land",
    "air",
    "fight",
    "fit",
    "guys",
    "port",
    "major",
    "minor",
    "ground",
)
_OPENING_VERBS = (
    "move",
    "place",
    "play",
    "research",
    "land",
    "cap",
    "rocket",
    "drop",
    "cancel",
    "ask_me",
    "convoy",
    "form",
    "ignore",
    "press_on",
    "refund",
    "discard",
)


def like_an_order(found: Sequence[Token], names: Gazetteer) -> bool:
    """Whether anything in a line looks like an order, so that the player must hear of it."""
    if not found:
        return False
    cursor = Cursor(found, names, ReadContext(""))
    first = found[0]
    if first.kind in (Kind.NUMBER, Kind.BAD_NUMBER, Kind.DECIMAL) and len(found) > 1:
        return True
    if cursor.sees(*_OPENING_VERBS) or says_ready(found):
        return True
    opens_with_a_verb = cursor.sees(*VERBS)
    if opens_with_a_verb and any(token.kind is Kind.COLON for token in found):
        return True
    if any((one.key, two.key) == ("victory", "die") for one, two in pairwise(found)):
        return True
    if cursor.sees("battle_order") and any(token.kind is Kind.COLON for token in found[:3]):
        return True
    places = 0
    weak = False
    at = 0
    while at < len(found):
        token = found[at]
        cursor.at = at
        if token.kind is Kind.ARROW:
            return True
        if cursor.sees(*(verb for verb in _TELLING_VERBS if verb != "noncombat")):
            return True
        unit = names.find("unit", found, at)
        counted = at > 0 and found[at - 1].kind in (Kind.NUMBER, Kind.BAD_NUMBER, Kind.DECIMAL)
        if unit is not None and (counted or len(token.key) >= 3 or not token.text.isascii() or len(found) <= 2):
            if token.key not in _EVERYDAY_WORDS:
                return True
            weak = True
        place = names.find("space", found, at)
        if place is not None and (len(token.key) > 3 or place.length > 1):
            places += 1
            at += place.length
            continue
        at += 1
    return places >= 2 or ((weak or opens_with_a_verb) and places > 0)
