"""Reads where aircraft land: of single aircraft, of those back from patrol, and preferences for whole groups."""

from __future__ import annotations

from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.read_moves import origins, trailing_condition
from pbem.orders.words import Kind
from pbem.rules.order_model import LandAircraft, LandingPreference, Order, Pick

_GROUPS = {"stranded_group": "stranded", "scrambled_group": "scrambled", "interceptors_group": "interceptors",
           "retreating_group": "retreating"}  # fmt: skip


def land(cursor: Cursor) -> list[Order]:
    """`land 2 fighter Sea Zone 31 -> Wake Island`, `land lost-carrier fighters: India`, `land bomber: Germany`."""
    word = cursor.word(*_GROUPS)
    if word is not None:
        return [LandingPreference(_GROUPS[word], places(cursor))]
    start, notes = cursor.at, len(cursor.notes)
    found = cursor.find("unit")
    if found is not None and len(found.ids) == 1:
        cursor.at += found.length
        if cursor.take(Kind.COLON) or not _is_move(cursor):
            return [LandingPreference(found.ids[0], places(cursor))]
        cursor.at = start
        del cursor.notes[notes:]
    found_origins = origins(cursor)
    if not found_origins:
        raise cursor.unknown("unit", "an aircraft")
    if not cursor.arrow():
        raise Refusal("where to? write the space behind an arrow", deep=cursor.at)
    target = cursor.space("a space behind the arrow")
    when = trailing_condition(cursor)
    phase = "land_cap" if _from_patrol(cursor) else None
    return [LandAircraft(units, space, target, when, phase) for units, space in found_origins]


def _is_move(cursor: Cursor) -> bool:
    return any(token.kind is Kind.ARROW or token.key == "to" for token in cursor.tokens[cursor.at :])


def _from_patrol(cursor: Cursor) -> bool:
    return cursor.phase == "land_cap" or (cursor.names.facts_id == "p01" and cursor.phase == "purchase")


def land_cap(cursor: Cursor) -> list[Order]:
    """`land cap: 1 fighter Sea Zone 25 -> Guam`, `LANDCAP sz25->Mariana` (all that patrol there)."""
    cursor.take(Kind.COLON)
    cursor.phase = "land_cap"
    cursor.word("land")
    if cursor.find("space") is not None and not cursor.is_kind(Kind.NUMBER):
        zone = cursor.space()
        if not cursor.arrow():
            raise Refusal("where to? write the space behind an arrow", deep=cursor.at)
        return [LandAircraft((Pick("fighter"),), zone, cursor.space(), None, "land_cap")]
    return land(cursor)


def places(cursor: Cursor) -> tuple[str, ...]:
    """Landing places in order: spaces, `carrier`, `island`, `nearest`; commas, `>`, `else` and arrows separate."""
    cursor.take(Kind.COLON)
    listed: list[str] = []
    while True:
        carrier = cursor.find("unit")
        if cursor.word("nearest", "island"):
            listed.append(cursor.tokens[cursor.at - 1].key if cursor.tokens[cursor.at - 1].text.isascii() else
                          ("island" if cursor.tokens[cursor.at - 1].key in ("嶼",) else "nearest"))  # fmt: skip
        elif carrier is not None and carrier.ids == ("carrier",):
            cursor.at += carrier.length
            zone = cursor.find("space")
            if zone is not None and len(zone.ids) == 1 and zone.ids[0] in cursor.names.seas:
                cursor.at += zone.length
                listed.append(zone.ids[0])
            else:
                listed.append("carrier")
        else:
            listed.append(cursor.space("a landing place"))
        cursor.word("first_mark")
        token = cursor.peek()
        if token is not None and (token.key == "else" or token.kind in (Kind.ARROW, Kind.COMPARE)):
            cursor.at += 1
        elif not cursor.separator():
            return tuple(listed)
