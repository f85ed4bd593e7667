"""Reads orders that came as JSON: each is printed and read like text, so that all ways in accept and refuse alike.

The shape of the document is checked before (package `schemas`); here its orders are compared with the names of the
game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pbem.orders.gazetteer import Gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.results import LineResult, accepted_orders
from pbem.orders.write import write
from pbem.rules.order_model import Entropy, Order, to_json

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._'-]{0,59}")


class UnprintableOrder(ValueError):
    """An order of the model holds a value that no line of orders can hold; the message says which."""


def line_of(order: Order, names: Gazetteer) -> str:
    """The order as one line of text; raises UnprintableOrder for what must not come in: no ids, unknown choices.

    Whether the ids exist in the game is seen when the line is read.
    """
    if isinstance(order, Entropy):
        if len(order.words) > 500 or not order.words.isprintable():
            raise UnprintableOrder("entropy is one line of at most 500 printable characters")
        return f"ENTROPY {order.words}"
    for path, text in _strings(to_json(order), "order"):
        if _NAME.fullmatch(text) is None:
            raise UnprintableOrder(f"{path}: {text[:60]!r} is no id")
    try:
        return write(order, names)
    except (KeyError, ValueError, AssertionError) as error:
        raise UnprintableOrder(f"the {order.type} order holds a value that it does not know: {error}") from None


def read_entries(entries: Sequence[Order | str], names: Gazetteer, context: ReadContext) -> list[LineResult]:
    """What became of each entry of a document's `orders` (an order, or a line of text); `line` counts from 1."""
    results: list[LineResult] = []
    for number, entry in enumerate(entries, 1):
        try:
            text = entry if isinstance(entry, str) else line_of(entry, names)
        except UnprintableOrder as error:
            results.append(LineResult(number, "", "refused", reason=str(error)))
            continue
        if len(text.splitlines()) != 1:
            results.append(LineResult(number, text, "refused", reason="an entry is one order, in one line"))
            continue
        results += [replace(item, line=number, text=text) for item in read_orders(text, names, context)]
    return results


def _strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, f"{path}.{key}")


def same_orders(first: Sequence[LineResult], second: Sequence[LineResult]) -> bool:
    """Whether two readings (a text and a JSON document beside it) hold the same orders in the same sequence."""
    return accepted_orders(first) == accepted_orders(second)
