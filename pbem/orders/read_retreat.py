"""Reads retreats: of everything or of parts, breaking off, re-embarking and evacuation by sea.

Plain games know only the first; which parts a rule set allows is judged elsewhere.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.read_battle import both, rounds_said, side_and_domain, withdraw_submarines
from pbem.orders.read_conditions import condition
from pbem.orders.read_moves import trailing_condition
from pbem.orders.read_units import group, some_group
from pbem.orders.words import Kind
from pbem.rules.order_model import Condition, Order, Pick, PressOn, Retreat, RetreatPart, Submerge

_SCOPES = {"scope_overland_and_air": "overland_and_air", "scope_overland": "overland", "scope_landed": "landed",
           "scope_air": "air"}  # fmt: skip


def retreat(cursor: Cursor) -> list[Order]:
    """`retreat Hunan after round 1 to Kiangsi`, `retreat if odds < 40%`, `retreat S after round 1: 3 infantry to T`."""
    side, _ = side_and_domain(cursor)
    if not cursor.sees("after_round"):
        cursor.word("from")
    space = cursor.named("space")
    scope = _scope(cursor)
    return _rest_of_retreat(cursor, Retreat(space, scope=scope, side=side))


def _scope(cursor: Cursor) -> str | None:
    start = cursor.at
    if cursor.take(Kind.OPEN) is None:
        return None
    word = cursor.word(*_SCOPES)
    if word == "scope_overland" and cursor.separator() and cursor.word("scope_air"):
        word = "scope_overland_and_air"
    if word is None or cursor.take(Kind.CLOSE) is None:
        cursor.at = start
        return None
    return _SCOPES[word]


def _rest_of_retreat(cursor: Cursor, order: Retreat) -> list[Order]:
    """What follows the space, in any order: `never`, the round, the condition, the destination, the parts."""
    rounds, to, when, parts = order.after_round, order.to, order.when, order.parts
    space, side, since = order.space, order.side, None
    while not cursor.end() and not cursor.is_kind(Kind.DOT):
        start = cursor.at
        if cursor.word("never"):
            return [PressOn(space, trailing_condition(cursor))]
        if cursor.sees("after_round", "at_start_of_round", "at_once"):
            rounds, since = rounds_said(cursor)
        elif cursor.shown().lower() == "after":
            cursor.at += 1
            number = cursor.take(Kind.NUMBER)
            if number is None:
                raise Refusal("after which round? write `after round 2`", deep=cursor.at)
            rounds = int(number.text)
        elif cursor.word("if"):
            when = condition(cursor)
        elif cursor.arrow():
            to = cursor.space("where to retreat")
        elif cursor.take(Kind.COLON, Kind.COMMA):
            if parts and not cursor.end():
                raise Refusal(f'"{cursor.shown()}" was not understood', deep=cursor.at)
            if not cursor.sees("after_round", "if", "never", "to"):
                parts = retreat_parts(cursor)
        elif not parts and cursor.at > 0:
            units = group(cursor)
            if not units:
                raise _not_understood(cursor)
            cursor.at = start
            parts = retreat_parts(cursor)
        else:
            raise _not_understood(cursor)
    when = both(when, since)
    if len(parts) == 1 and parts[0].how is None and parts[0].to is not None and space is None and to is None:
        whole = parts[0].units
        if whole == (Pick("unit"),):
            return [Retreat(None, parts[0].to, rounds, (), order.scope, when, side)]
    return [Retreat(space, to, rounds, parts, order.scope, when, side)]


def _not_understood(cursor: Cursor) -> Refusal:
    if cursor.is_kind(Kind.WORD) and cursor.find("space") is None:
        return cursor.unknown("space", "a space, a round or a condition")
    return Refusal(
        f'"{cursor.shown()}" was not understood; write `retreat SPACE after round 1 to SPACE`', deep=cursor.at
    )


def retreat_parts(cursor: Cursor) -> tuple[RetreatPart, ...]:
    """`3 infantry to Karelia S.S.R., 1 carrier break off, landed re-embark, unload all Syria-Iraq, rest aboard`."""
    parts: list[RetreatPart] = []
    while True:
        start = cursor.at
        if parts:
            cursor.separator()
        part = _part(cursor)
        if part is None:
            cursor.at = start
            if not parts:
                raise cursor.unknown("unit", "a unit that retreats")
            return tuple(parts)
        parts.append(part)


def _part(cursor: Cursor) -> RetreatPart | None:
    if cursor.end() or cursor.sees("if", "after_round"):
        return None
    if cursor.word("unload"):
        units = _units(cursor)
        cursor.arrow()
        cursor.word("in")
        return RetreatPart(units, cursor.space("where they go ashore"), "unload")
    if cursor.word("reembark"):
        return RetreatPart((Pick("landed"),), None, "re_embark")
    if cursor.word("aboard"):
        return RetreatPart((Pick("unit"),), None, "aboard")
    if cursor.word("break_off"):
        return RetreatPart(_units(cursor) if not cursor.end() else (Pick("unit"),), None, "break_off")
    units = _units(cursor) if not cursor.sees("to") else (Pick("unit"),)
    if not units:
        return None
    if cursor.word("break_off"):
        return RetreatPart(units, None, "break_off")
    if cursor.word("reembark"):
        return RetreatPart(units, None, "re_embark")
    if cursor.word("aboard"):
        return RetreatPart(units, None, "aboard")
    cursor.arrow()
    return RetreatPart(units, cursor.space("where they go"))


def _units(cursor: Cursor) -> tuple[Pick, ...]:
    if cursor.word("rest"):
        return (Pick("unit"),)
    return group(cursor, "part")


def withdraw(cursor: Cursor) -> list[Order]:
    """Classic submarines (`withdraw 1 submarine A -> B`, `withdraw A: 1 submarine to B`), else the same as `retreat`.

    Pacific 2001 calls a retreat so.
    """
    start, notes = cursor.at, len(cursor.notes)
    side_and_domain(cursor)
    try:
        units = group(cursor)
    except Refusal:
        units = ()
    cursor.at = start
    del cursor.notes[notes:]
    if units and all(pick.kind == "submarine" for pick in units):
        return withdraw_submarines(cursor)
    found = retreat(cursor)
    return _submarines_alone(found) if cursor.context.game == "classic" else found


def _submarines_alone(found: list[Order]) -> list[Order]:
    """A retreat of which every part is submarines that go to a zone, as their withdrawals."""
    out: list[Order] = []
    for order in found:
        parts = order.parts if isinstance(order, Retreat) else ()
        if parts and all(part.how is None and all(p.kind == "submarine" for p in part.units) for part in parts):
            assert isinstance(order, Retreat)
            out += [Submerge(order.space, part.units, order.after_round, part.to, order.when, order.side)
                    for part in parts]  # fmt: skip
        else:
            out.append(order)
    return out


def reembark(cursor: Cursor) -> list[Order]:
    """`re-embark Anglo-Egypt Sudan after round 1, unload 1 infantry Syria-Iraq, rest aboard`."""
    space = cursor.named("space")
    rounds, since = rounds_said(cursor)
    when: Condition | None = trailing_condition(cursor)
    parts: tuple[RetreatPart, ...] = (RetreatPart((Pick("landed"),), None, "re_embark"),)
    if cursor.separator() or cursor.take(Kind.COLON):
        parts = (*parts, *retreat_parts(cursor))
    if when is None:
        when = trailing_condition(cursor)
    return [Retreat(space, None, rounds, parts, None, both(when, since))]


def evacuate(cursor: Cursor) -> list[Order]:
    """`evacuate Western Europe after round 1 via North Sea to United Kingdom: 1 tank` (or `stay aboard`)."""
    space = cursor.named("space")
    rounds, since = rounds_said(cursor)
    when = trailing_condition(cursor)
    parts: list[RetreatPart] = []
    while cursor.word("via"):
        via = cursor.space("the zone of the ships")
        to: str | None = None
        cursor.take(Kind.COMMA)
        if cursor.arrow():
            to = cursor.space("where they go ashore")
        else:
            cursor.word("aboard")
        if cursor.take(Kind.COLON) is None:
            raise Refusal("which units? write `evacuate S after round 1 via ZONE to SPACE: 1 tank`", deep=cursor.at)
        parts.append(RetreatPart(some_group(cursor), to, "evacuate", via))
        cursor.separator()
    while not parts or (cursor.at > 0 and not cursor.end() and not cursor.sees("if")):
        units = group(cursor)
        if not units:
            raise Refusal("by which ships? write `via` and their zone", deep=cursor.at)
        via = cursor.space("the zone of the ships")
        cursor.word("aboard")
        parts.append(RetreatPart(units, cursor.space() if cursor.arrow() else None, "evacuate", via))
        cursor.separator()
        cursor.word("aboard")
    if when is None:
        when = trailing_condition(cursor)
    return [Retreat(space, None, rounds, tuple(parts), None, both(when, since))]


def break_off(cursor: Cursor) -> list[Order] | None:
    """`1 fighter break off Okinawa at start of round 2`; None if the line is something else."""
    start = cursor.at
    units = group(cursor, "part")
    if not units or not cursor.word("break_off"):
        cursor.at = start
        return None
    cursor.word("in")
    space = cursor.named("space")
    rounds, since = rounds_said(cursor)
    part = RetreatPart(units, None, "break_off")
    return [Retreat(space, None, rounds, (part,), None, both(trailing_condition(cursor), since))]


def all_break_off(cursor: Cursor) -> list[Order]:
    """`break off Baltic Sea after round 1`: everybody there."""
    cursor.word("in")
    space = cursor.named("space")
    rounds, since = rounds_said(cursor)
    part = RetreatPart((Pick("unit"),), None, "break_off")
    return [Retreat(space, None, rounds, (part,), None, both(trailing_condition(cursor), since))]


def defend(cursor: Cursor) -> list[Order]:
    """`defend Karelia S.S.R.: retreat after round 1 to Russia, ftr to Caucasus`, `defend Russia: stand`."""
    space = cursor.space("the space to defend")
    cursor.take(Kind.COLON)
    if cursor.word("press_on", "stand"):
        return [PressOn(space, trailing_condition(cursor))]
    if not cursor.word("retreat", "withdraw"):
        raise Refusal("stand or retreat? write `defend SPACE: stand` or `defend SPACE: retreat ...`", deep=cursor.at)
    return _with_extra_parts(cursor, Retreat(space, side="defend"))


def fleet(cursor: Cursor) -> list[Order]:
    """`fleet Baltic SZ: break off after round 1 if odds < 35%`, `fleet: retreat to North Sea SZ`."""
    space = cursor.named("space")
    cursor.take(Kind.COLON)
    if cursor.word("press_on", "stand"):
        return [PressOn(space, trailing_condition(cursor))]
    word = cursor.word("retreat", "withdraw", "break_off")
    if word is None:
        raise Refusal("write `fleet: break off`, `fleet: retreat to ZONE` or `fleet: stand`", deep=cursor.at)
    return leaving(cursor, space, word, "defend")


def leaving(cursor: Cursor, space: str | None, word: str, side: str | None = None) -> list[Order]:
    """What follows a space and `retreat` or `break off`: the round, the condition, the destinations, in any order."""
    if word != "break_off":
        return _with_extra_parts(cursor, Retreat(space, side=side))
    part = RetreatPart((Pick("unit"),), None, "break_off")
    found = _rest_of_retreat(cursor, Retreat(space, side=side))
    return [replace(order, parts=(part,)) if isinstance(order, Retreat) else order for order in found]


def _with_extra_parts(cursor: Cursor, order: Retreat) -> list[Order]:
    """A destination followed by exceptions becomes parts, the exceptions first: `to Russia, ftr to Caucasus`."""
    found = _rest_of_retreat(cursor, order)
    out: list[Order] = []
    for item in found:
        if isinstance(item, Retreat) and item.parts and item.to is not None:
            rest = RetreatPart((Pick("unit"),), item.to)
            item = replace(item, to=None, parts=(*item.parts, rest))
        out.append(item)
    return out
