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


def read_entries(entries: Sequence[Order | str], names: Gazetteer, context: ReadContext) -> list[LineResult]:
    """What became of each entry of a document's `orders` (an order, or a line of text); `line` counts from 1."""
    results: list[LineResult] = []
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, str):
            found = read_orders(entry, names, context) if "\n" not in entry and "\r" not in entry else []
            text = entry
        else:
            text, found = _printed(entry, names, context)
        if not found:
            reason = "an entry is one order, in one line" if isinstance(entry, str) else text
            results.append(LineResult(number, "" if not isinstance(entry, str) else text, "refused", reason=reason))
        results += [replace(item, line=number, text=text) for item in found]
    return results


def _printed(order: Order, names: Gazetteer, context: ReadContext) -> tuple[str, list[LineResult]]:
    """The order as text and what reading that text gives; or the reason why it cannot be printed, and nothing."""
    if isinstance(order, Entropy):
        if len(order.words) > 500 or not order.words.isprintable():
            return "entropy is one line of at most 500 printable characters", []
        return f"ENTROPY {order.words}", read_orders(f"ENTROPY {order.words}", names, context)
    for path, text in _strings(to_json(order), "order"):
        if _NAME.fullmatch(text) is None:
            return f"{path}: {text[:60]!r} is no id", []
    try:
        text = write(order, names)
    except (KeyError, ValueError, AssertionError) as error:
        return f"the {order.type} order holds a value that it does not know: {error}", []
    return text, read_orders(text, names, context)


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
