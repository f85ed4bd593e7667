"""Reads a text of orders line by line: what was understood, what was refused and why, what was only talk.

Nothing here knows the position. A line that is not understood is never guessed: it is refused with its reason and near
spellings, where there are any. Text without anything that looks like an order is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.orders import read_line, triplea
from pbem.orders.cursor import Cursor, ReadContext, Refusal
from pbem.orders.gazetteer import Gazetteer
from pbem.orders.names import GENERIC_PHASE
from pbem.orders.read_units import some_group
from pbem.orders.results import LineResult, accepted, accepted_orders
from pbem.orders.words import Kind, Token, clean, split_orders, tokens
from pbem.rules.order_model import BattleNote, Entropy, Order

__all__ = ["LineResult", "ReadContext", "accepted_orders", "read_orders"]


@dataclass(slots=True)
class _Page:
    """What headings above a line have said: whose orders, which phase, which battle."""

    power: str | None
    phase: str | None = None
    target: str | None = None
    versus: bool = False
    press: bool = False
    foreign: str | None = None


def read_orders(text: str, names: Gazetteer, context: ReadContext) -> list[LineResult]:
    """Every line of a text and what became of it; see LineResult. Never raises for any text."""
    too_much = _limits(text, context)
    if too_much:
        return [LineResult(0, "", "refused", reason=too_much)]
    if triplea.is_turn_summary(text):
        return triplea.read_turn_summary(text, names, context)
    results: list[LineResult] = []
    page = _Page(_speaker(context))
    for number, line in enumerate(text.splitlines(), 1):
        results += _line(number, line, page, names, context)
    return results


def _limits(text: str, context: ReadContext) -> str:
    if len(text) > context.most_characters:
        return f"the text has {len(text)} characters; at most {context.most_characters} are read"
    lines = text.count("\n") + 1
    if lines > context.most_lines:
        return f"the text has {lines} lines; at most {context.most_lines} are read"
    return ""


def _speaker(context: ReadContext) -> str | None:
    if len(context.powers) == 1:
        return context.powers[0]
    return context.open_powers[0] if len(context.open_powers) == 1 else None


def _line(number: int, line: str, page: _Page, names: Gazetteer, context: ReadContext) -> Iterator[LineResult]:
    text = line.strip()
    upper = text.upper()
    if page.press:
        page.press = not upper.startswith(("ENDPRESS", "ENDBROADCAST"))
        yield LineResult(number, text, "ignored", reason="press")
        return
    if upper.startswith("PRESS TO ") or upper == "BROADCAST":
        page.press = True
        yield LineResult(number, text, "ignored", reason="press")
        return
    if not text:
        page.target, page.versus = None, False
        return
    if len(text) > context.most_line_characters:
        yield LineResult(
            number, text[:80], "refused",
            reason=f"the line has {len(text)} characters; at most {context.most_line_characters} are read",
        )  # fmt: skip
        return
    if upper.startswith("ENTROPY"):
        order = Entropy(text[len("ENTROPY") :].lstrip(" :\t").strip())
        yield accepted(number, text, order, names, page.power)
        return
    cleaned = clean(text)
    if _heading(tokens(cleaned), page, names, context):
        yield LineResult(number, text, "ignored", reason="heading", power=page.power)
        return
    verb = ""
    parts = [part.strip() for part in split_orders(cleaned) if part.strip()]
    for part in parts:
        shown = text if len(parts) == 1 else part
        results, verb = _part(number, part, shown, verb, page, names, context)
        yield from results


def _heading(found: tuple[Token, ...], page: _Page, names: Gazetteer, context: ReadContext) -> bool:
    """Whether the line is only a heading (`COMBAT MOVES`, `----`, `USA:`, `Combat Move - Germans`); kept in `page`."""
    plain = [token for token in found if token.kind in (Kind.WORD, Kind.NUMBER)]
    signs = [token for token in found if token.kind not in (Kind.WORD, Kind.NUMBER)]
    if not plain:
        return bool(found) and not any(token.kind is Kind.BAD_NUMBER for token in found)
    if len(plain) > 8 or any(
        token.kind not in (Kind.DASH, Kind.COLON, Kind.TIMES, Kind.HASH, Kind.OTHER, Kind.COMPARE) for token in signs
    ):
        return False
    if len(plain) == 1 and plain[0].key in ("vs", "v", "versus") and page.target is not None:
        page.versus = True
        return True
    at, phase, power = 0, None, None
    while at < len(plain):
        found_phase = names.find("phase", plain, at) if phase is None else None
        found_power = names.find("power", plain, at) if power is None else None
        if found_phase is not None and len(found_phase.ids) == 1:
            phase, at = found_phase.ids[0], at + found_phase.length
        elif found_power is not None and len(found_power.ids) == 1:
            power, at = found_power.ids[0], at + found_power.length
        elif (
            plain[at].key in ("phase", "round", "turn", "orders", "for", "the", "my")
            and (phase or power)
            or plain[at].kind is Kind.NUMBER
            and plain[at - 1].key in ("round", "turn")
        ):
            at += 1
        else:
            return False
    if phase is None and power is not None and not _is_power_heading(found, plain, names):
        return False
    if power is not None:
        page.foreign = None if not context.powers or power in context.powers else power
        page.power = power
        page.phase = None
    if phase is not None:
        page.phase = GENERIC_PHASE.get(phase, phase)
    page.target, page.versus = None, False
    return True


def _is_power_heading(found: tuple[Token, ...], plain: list[Token], names: Gazetteer) -> bool:
    """A power alone on its line is a heading with a colon behind it, or in capitals."""
    return found[-1].kind is Kind.COLON or all(token.text.isupper() for token in plain if token.text.isascii())


def _part(
    number: int, part: str, text: str, verb: str, page: _Page, names: Gazetteer, context: ReadContext
) -> tuple[list[LineResult], str]:
    """The results of one order of a line, and its verb, which the next one may leave out."""
    power = page.power
    found = _without_bullet(tokens(part))
    inline = _inline_power(found, page, names, context)
    if inline is not None:
        power, found = inline
    if page.foreign is not None and inline is None:
        reason = f"you do not play {page.foreign}"
        return [LineResult(number, text, "refused", reason=reason, power=page.foreign)], ""
    cursor = _cursor(found, power, page, names, context)
    try:
        orders = read_line.read_order(cursor) if not page.versus else _against(cursor)
    except Refusal as refusal:
        again = _with_verb(found, verb, power, page, names, context)
        if again is None:
            return [_refused(number, text, found, refusal, power, names)], verb
        cursor, orders = again
    else:
        if cursor.verb_end:
            verb = part[cursor.tokens[cursor.verb_at].start : cursor.tokens[cursor.verb_end - 1].end]
    for order in orders:
        if isinstance(order, BattleNote) and order.space is not None and order.number is not None:
            page.target = order.space
    if power is None and context.powers:
        held = ", ".join(context.powers)
        reason = f"for which power? you play {held}: write the power's name and a colon above its orders"
        return [LineResult(number, text, "refused", reason=reason)], verb
    note = "; ".join(dict.fromkeys(cursor.notes))
    return [accepted(number, text, order, names, power, note) for order in orders], verb


def _cursor(found: tuple[Token, ...], power: str | None, page: _Page, names: Gazetteer, context: ReadContext) -> Cursor:
    window = GENERIC_PHASE.get(context.phase, context.phase) if context.phase is not None else None
    return Cursor(found, names, context, power, page.phase, target=page.target, window=window)


def _with_verb(
    found: tuple[Token, ...], verb: str, power: str | None, page: _Page, names: Gazetteer, context: ReadContext
) -> tuple[Cursor, list[Order]] | None:
    """`place 5 inf Germany; 1 trn Baltic SZ`: the part behind `;` read with the verb before it."""
    if not verb:
        return None
    lead = tokens(verb + " ")
    cursor = _cursor((*lead, *found), power, page, names, context)
    try:
        return cursor, read_line.read_order(cursor)
    except Refusal:
        return None


def _against(cursor: Cursor) -> list[Order]:
    """The forces below `vs` in a battle's block: a note."""
    units = some_group(cursor)
    cursor.finish()
    return [BattleNote(defending=units)]


def _inline_power(
    found: tuple[Token, ...], page: _Page, names: Gazetteer, context: ReadContext
) -> tuple[str, tuple[Token, ...]] | None:
    """`USA: 2 inf ...`: one line for one of the player's powers."""
    power = names.find("power", found, 0)
    if power is None or len(power.ids) > 1 or power.length >= len(found) or power.ids[0] not in context.powers:
        return None
    if found[power.length].kind is not Kind.COLON or power.length + 1 == len(found):
        return None
    if names.find("space", found, 0) is not None and len(context.powers) < 2:
        return None
    return power.ids[0], found[power.length + 1 :]


def _without_bullet(found: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens without a leading `-`, `*`, `2)` or `2.` that only counts the lines."""
    if len(found) > 2 and found[0].kind is Kind.NUMBER and found[1].kind in (Kind.CLOSE, Kind.DOT):
        return found[2:]
    start = 0
    while start < len(found) - 1 and found[start].kind in (Kind.DASH, Kind.TIMES, Kind.OTHER, Kind.DOT):
        start += 1
    return found[start:]


def _refused(
    number: int, text: str, found: tuple[Token, ...], refusal: Refusal, power: str | None, names: Gazetteer
) -> LineResult:
    if not _like_an_order(found, names):
        return LineResult(number, text, "ignored", reason="no order", power=power)
    status = "unreadable" if refusal.unreadable or refusal.deep == 0 else "refused"
    return LineResult(number, text, status, None, "", refusal.reason, "", refusal.suggestions, power)


_TELLING_VERBS = (
    "attack", "retreat", "buy", "load", "unload", "scramble", "intercept", "submerge", "bombard", "kamikaze",
    "casualties", "declare_war", "repair", "withdraw", "noncombat", "evacuate", "upgrade", "deploy", "bomb",
)  # fmt: skip
_EVERYDAY_WORDS = ("all", "man", "men", "land", "air", "fight", "fit", "guys", "port", "major", "minor", "ground")
_OPENING_VERBS = ("move", "place", "play", "research", "land", "cap", "rocket", "cancel", "ask_me", "convoy", "form")


def _like_an_order(found: tuple[Token, ...], names: Gazetteer) -> bool:
    """Whether anything in a line looks like an order, so that the player must hear of it."""
    if not found:
        return False
    cursor = Cursor(found, names, ReadContext(""))
    first = found[0]
    if first.kind in (Kind.NUMBER, Kind.BAD_NUMBER, Kind.DECIMAL) and len(found) > 1:
        return True
    if cursor.sees(*_OPENING_VERBS):
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
    return places >= 2 or (weak and places > 0)
