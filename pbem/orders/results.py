"""What became of each line of a text of orders, as values for acknowledgements and for the interface."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.orders.gazetteer import Gazetteer
from pbem.orders.write import write
from pbem.rules.order_model import BattleNote, Order


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of a line, or of one order of it.

    `status` is `accepted` (then `order` is set and `canonical` its text), `refused` (an order that cannot be),
    `unreadable` (something like an order that was not understood) or `ignored` (talk, headings, blank rules). `text` is
    the player's own, `line` counts from 1; `note` says what was assumed. A line may give several results.
    A line that only tells (a battle's header, the forces a player counts) is ignored, and `remark` is what it says.
    """

    line: int
    text: str
    status: str
    order: Order | None = None
    canonical: str = ""
    reason: str = ""
    rule: str = ""
    suggestions: tuple[str, ...] = ()
    power: str | None = None
    note: str = ""
    remark: BattleNote | None = None


def accepted(number: int, text: str, order: Order, names: Gazetteer, power: str | None, note: str = "") -> LineResult:
    """The result of a line that was understood."""
    if isinstance(order, BattleNote):
        told = write(order, names)
        return LineResult(number, text, "ignored", None, told, "a note that orders nothing", power=power, remark=order)
    return LineResult(number, text, "accepted", order, write(order, names), power=power, note=note)


def accepted_orders(results: Iterable[LineResult]) -> tuple[Order, ...]:
    """The orders of the lines that were accepted, in the order written."""
    return tuple(item.order for item in results if item.status == "accepted" and item.order is not None)
