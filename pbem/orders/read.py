"""Reads a text of orders line by line: what was understood, what was refused and why, what was only talk.

Nothing here knows the position. A line that is not understood is never guessed: it is refused with its reason and near
spellings, where there are any. Text without anything that looks like an order is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.orders import read_line, slips, talk, triplea
from pbem.orders.cursor import Cursor, ReadContext, Refusal
from pbem.orders.gazetteer import Gazetteer
from pbem.orders.page import Page, foreign_power, heading, inline_power
from pbem.orders.read_units import some_group
from pbem.orders.results import LineResult, accepted, accepted_orders
from pbem.orders.words import Kind, Token, clean, split_orders, tokens
from pbem.rules.order_model import BattleNote, Entropy, Order

__all__ = ["UNSAID_POWER", "LineResult", "ReadContext", "accepted_orders", "read_orders"]

UNSAID_POWER = "for which power?"
"""How the refusal of a line begins that does not say for which of the player's powers it is."""
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class _Part:
    """One order of a line: the line's number, the cleaned text, its tokens, and the text to show to the player."""

    number: int
    text: str
    found: Sequence[Token]
    shown: str


def read_orders(text: str, names: Gazetteer, context: ReadContext) -> list[LineResult]:
    """Every line of a text and what became of it; see LineResult. Never raises for any text."""
    too_much = _limits(text, context)
    if too_much:
        return [LineResult(0, "", "refused", reason=too_much)]
    if triplea.is_turn_summary(text):
        return triplea.read_turn_summary(text, names, context)
    results: list[LineResult] = []
    page = Page(names, context, _speaker(context))
    for number, line in enumerate(_LINE_END.split(text), 1):
        results += _line(number, line.strip(), page)
    return results


def _limits(text: str, context: ReadContext) -> str:
    if len(text) > context.most_characters:
        return f"the text has {len(text)} characters; at most {context.most_characters} are read"
    lines = len(_LINE_END.findall(text)) + (not text.endswith(("\n", "\r")))
    if lines > context.most_lines:
        return f"the text has {lines} lines; at most {context.most_lines} are read"
    return ""


def _speaker(context: ReadContext) -> str | None:
    if len(context.powers) == 1:
        return context.powers[0]
    return context.open_powers[0] if len(context.open_powers) == 1 else None


def _line(number: int, text: str, page: Page) -> Iterator[LineResult]:
    upper = text.upper()
    if page.press or upper.startswith("PRESS TO ") or upper == "BROADCAST":
        page.press = not upper.startswith(("ENDPRESS", "ENDBROADCAST"))
        yield LineResult(number, text, "ignored", reason="press")
        return
    if not text:
        page.target, page.versus = None, False
        return
    most = page.context.most_line_characters
    if len(text) > most:
        reason = f"the line has {len(text)} characters; at most {most} are read"
        yield LineResult(number, text[:80], "refused", reason=reason)
        return
    if upper.startswith("ENTROPY"):
        order = Entropy(text[len("ENTROPY") :].lstrip(" :\t").strip())
        yield accepted(number, text, order, page.names, page.power)
        return
    cleaned = clean(text)
    whole = tokens(cleaned)
    if heading(whole, page):
        yield LineResult(number, text, "ignored", reason="heading", power=page.power)
        return
    verb = ""
    parts = [part.strip() for part in split_orders(cleaned) if part.strip()]
    for part in parts:
        found = _without_bullet(whole if part == cleaned else tokens(part))
        if len(parts) > 1 and heading(found, page):
            yield LineResult(number, part, "ignored", reason="heading", power=page.power)
            continue
        results, verb = _read(_Part(number, part, found, text if len(parts) == 1 else part), verb, page)
        yield from results


def _read(part: _Part, verb: str, page: Page) -> tuple[list[LineResult], str]:
    """The results of one order of a line, and its verb, which the next order may leave out."""
    power, found = page.power, part.found
    inline = inline_power(found, page)
    if inline is not None:
        power, found = inline
    elif (foreign := foreign_power(found, page) or page.foreign) is not None:
        mine = _listed(page.context.powers, page.names)
        theirs = page.names.powers.get(foreign, foreign)
        reason = f"you do not play {theirs}; you play {mine}" if mine else f"you do not play {theirs}"
        return [LineResult(part.number, part.shown, "refused", reason=reason, power=foreign)], ""
    cursor = page.cursor(found, power)
    try:
        orders = _against(cursor) if page.versus else read_line.read_order(cursor)
    except Refusal as refusal:
        again = _with_verb(found, verb, power, page)
        if again is None:
            return [_slip(part, found, power, page) or _refused(part, found, refusal, power, page.names)], verb
        cursor, orders = again
    else:
        if cursor.verb_end:
            verb = part.text[cursor.tokens[cursor.verb_at].start : cursor.tokens[cursor.verb_end - 1].end]
    for order in orders:
        if isinstance(order, BattleNote) and order.number is not None:
            page.target = order.space
    held = page.context.powers
    if power is None and held:
        return [LineResult(part.number, part.shown, "refused", reason=_for_whom(held, page.names))], verb
    note = "; ".join(dict.fromkeys(cursor.notes))
    return [accepted(part.number, part.shown, order, page.names, power, note) for order in orders], verb


def _for_whom(held: Sequence[str], names: Gazetteer) -> str:
    first = names.name("power", held[0])
    return (
        f"{UNSAID_POWER} you play {_listed(held, names)}: write, say, `{first}:` on a line of its own above the orders"
    )


def _listed(powers: Sequence[str], names: Gazetteer) -> str:
    known = [names.powers.get(each, each) for each in powers]
    return " and ".join(filter(None, (", ".join(known[:-1]), *known[-1:])))


def _with_verb(found: Sequence[Token], verb: str, power: str | None, page: Page) -> tuple[Cursor, list[Order]] | None:
    """`place 5 inf Germany; 1 trn Baltic SZ`: the order behind `;` read with the verb before it."""
    if not verb:
        return None
    cursor = page.cursor((*tokens(verb), *found), power)
    try:
        return cursor, read_line.read_order(cursor)
    except Refusal:
        return None


def _slip(part: _Part, found: Sequence[Token], power: str | None, page: Page) -> LineResult | None:
    """The refusal of a line that would be right if its first word, or the heading it is, were the near one."""
    number, shown = part.number, part.shown
    for words, last, line in slips.nearly_an_order(page.cursor(found, power)):
        try:
            read_line.read_order(page.cursor(line, power))
        except Refusal:
            continue
        reason = f'"{part.text[found[0].start : last.end]}" was not understood, did you mean {words}?'
        return LineResult(number, shown, "refused", reason=reason, suggestions=(words,), power=power)
    meant = slips.nearly_a_heading(page.cursor(found, power))
    if meant is None:
        return None
    reason = f"is this the heading {meant}? It was not understood, and what stands below it was read without it"
    return LineResult(number, shown, "refused", reason=reason, suggestions=(f"{meant}:",), power=power)


def _against(cursor: Cursor) -> list[Order]:
    """The forces below `vs` in a battle's block: a note."""
    units = some_group(cursor)
    cursor.finish()
    return [BattleNote(defending=units)]


def _without_bullet(found: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens without a leading `-`, `*`, `2)` or `2.` that only counts the lines."""
    if len(found) > 2 and found[0].kind is Kind.NUMBER and found[1].kind in (Kind.CLOSE, Kind.DOT):
        return found[2:]
    start = 0
    while start < len(found) - 1 and found[start].kind in (Kind.DASH, Kind.TIMES, Kind.OTHER, Kind.DOT):
        start += 1
    return found[start:]


def _refused(part: _Part, found: Sequence[Token], refusal: Refusal, power: str | None, names: Gazetteer) -> LineResult:
    if not talk.like_an_order(found, names):
        return LineResult(part.number, part.shown, "ignored", reason="no order", power=power)
    if talk.says_ready(found):
        reason = "to say that the window need not wait for you, write `ready` on a line of its own"
        right = "not ready" if found[0].key == "not" else "ready"
        return LineResult(part.number, part.shown, "unreadable", None, "", reason, "", (right,), power)
    status = "refused" if talk.begins_an_order(found, names) and not refusal.unreadable else "unreadable"
    return LineResult(
        part.number, part.shown, status, None, "", refusal.reason, "", refusal.suggestions, power
    )  # fmt: skip
