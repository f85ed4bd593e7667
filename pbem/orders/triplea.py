"""Reads moves, purchases and placements as TripleA's turn summaries print them.

A summary tells what happened; only its purchases, moves, placements and declarations are orders, the rest is passed
over. It names the ends of a move and not the spaces between. Its one move of land units into or out of a sea zone is
loading or unloading here; cargo that it lists beside its transport moves with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.orders.cursor import Cursor, ReadContext, Refusal
from pbem.orders.gazetteer import Gazetteer
from pbem.orders.read_economy import purchases
from pbem.orders.read_units import some_group
from pbem.orders.results import LineResult, accepted
from pbem.orders.words import Kind, clean, tokens
from pbem.rules.order_model import DeclareWar, Load, Move, Order, Pick, Place, Unload

_SECTIONS = {
    "purchase units": "purchase",
    "combat move": "combat_move",
    "non combat move": "noncombat_move",
    "noncombat move": "noncombat_move",
    "place units": "mobilize",
    "politics": "politics",
}
_SECTION = re.compile(r"(?P<name>[A-Za-z &]+?)\s+-\s+(?P<power>[A-Za-z ]+)")
_OWNED = re.compile(r"\s+owned by the\s+[A-Z]\w+")
_WAR = re.compile(r"\bTo War With (?P<power>\w+)")


def is_turn_summary(text: str) -> bool:
    """Whether a text is a turn summary: it begins with TripleA's title line."""
    return text.lstrip("\ufeff \t\r\n").startswith("TripleA Turn Summary")


def read_turn_summary(text: str, names: Gazetteer, context: ReadContext) -> list[LineResult]:
    """The orders in a turn summary, line by line; battles, dice and income are `ignored`."""
    results: list[LineResult] = []
    section, power = "", None
    for number, line in enumerate(text.splitlines(), 1):
        shown = line.strip()
        if not shown:
            continue
        heading = _SECTION.fullmatch(shown)
        if heading is not None and heading["name"].lower() not in ("", "battle"):
            section = _SECTIONS.get(heading["name"].lower(), "")
            found = names.lookup("power", heading["power"])
            power = found[0] if len(found) == 1 else None
            results.append(LineResult(number, shown, "ignored", reason="heading", power=power))
            continue
        results += _line(number, shown, section, power, names, context)
    return results


def _line(
    number: int, text: str, section: str, power: str | None, names: Gazetteer, context: ReadContext
) -> list[LineResult]:
    told = LineResult(number, text, "ignored", reason="tells what happened", power=power)
    war = _WAR.search(text) if section in ("politics", "combat_move") else None
    if war is None and not _is_order(text, section):
        return [told]
    if power is None or (context.powers and power not in context.powers):
        whose = names.powers.get(power, power) if power else "this power"
        return [LineResult(number, text, "refused", reason=f"you do not play {whose}", power=power)]
    try:
        if war is not None:
            enemy = names.lookup("power", war["power"])
            orders: list[Order] = [DeclareWar(enemy)] if len(enemy) == 1 else []
        else:
            orders = _orders(text, section, power, names, context)
    except Refusal as refusal:
        return [LineResult(number, text, "refused", None, "", refusal.reason, "", refusal.suggestions, power)]
    return [accepted(number, text, order, names, power) for order in orders] or [told]


def _is_order(text: str, section: str) -> bool:
    if section == "purchase":
        return " buy " in text or " buys " in text
    if section == "mobilize":
        return " placed in " in text
    return section in ("combat_move", "noncombat_move") and " moved from " in text


def _orders(text: str, section: str, power: str, names: Gazetteer, context: ReadContext) -> list[Order]:
    body = _OWNED.sub("", clean(text).split(";")[0])
    if section == "purchase":
        body = re.split(r"\bbuys?\b", body, maxsplit=1)[1]
    cursor = Cursor(tokens(body), names, context, power, section)
    if section == "purchase":
        orders = purchases(cursor)
        cursor.finish()
        return orders
    units = some_group(cursor)
    _skip(cursor, "placed" if section == "mobilize" else "moved")
    if section == "mobilize":
        _skip(cursor, "in")
        space = cursor.space()
        cursor.finish()
        return [Place(units, space)]
    _skip(cursor, "from")
    first = cursor.space()
    _skip(cursor, "to")
    last = cursor.space()
    cursor.finish()
    return moves(units, (first, last), section, names)


def _skip(cursor: Cursor, word: str) -> None:
    token = cursor.peek()
    if token is None or token.key != word:
        raise Refusal(f'"{word}" is expected before "{cursor.shown()}"', deep=cursor.at)
    cursor.take(Kind.WORD)


def moves(units: Sequence[Pick], path: Sequence[str], phase: str, names: Gazetteer) -> list[Order]:
    """The orders for one move of TripleA's: its units, the spaces from first to last, and the phase.

    Land units that begin or end in a sea zone board or land; beside a transport they are its cargo and need no order.
    """
    land = tuple(pick for pick in units if names.units.get(pick.kind) == "land")
    others = tuple(pick for pick in units if names.units.get(pick.kind) != "land")
    starts_at_sea, ends_at_sea = path[0] in names.seas, path[-1] in names.seas
    orders: list[Order] = []
    if land and not starts_at_sea and ends_at_sea:
        orders.append(Load(land, path[0], path[-1], None, phase))
    elif land and starts_at_sea and not ends_at_sea:
        orders.append(Unload(land, path[0], path[-1], phase))
    elif land and not (starts_at_sea and ends_at_sea):
        others = tuple(units)
    if others:
        orders.append(Move(others, tuple(path), None, None, phase))
    return orders
