"""Prints orders as canonical text, in English or Traditional Chinese: what is printed reads back to the same order.

The English spellings are those of the ruling cases. Conditions stand in front (`if Hunan taken: ...`), a phase other
than the usual one before them (`noncombat: ...`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pbem.orders import write_battle, write_turn
from pbem.orders.gazetteer import Gazetteer
from pbem.orders.pen import Pen
from pbem.orders.read_conditions import asks_for_capture
from pbem.rules.order_model import Order

_WRITERS: dict[str, Callable[[Pen, Any], str]] = {**write_turn.WRITERS, **write_battle.WRITERS}

# Phases that go without saying, by type of order; others are printed before the order.
_USUAL_PHASE = {"cap": "noncombat_move", "research": "", "land": "", "nothing": ""}


def write(order: Order, names: Gazetteer, language: str = "en") -> str:
    """The canonical text of an order, in one line."""
    pen = Pen(names, language)
    text = _WRITERS[order.type](pen, order)
    when = getattr(order, "when", None)
    if when is not None and order.type != "land_only":
        text = f"{pen.word('if')} {pen.condition(when)}: {text}"
    phase = getattr(order, "in_phase", None)
    usual = _USUAL_PHASE.get(order.type, "combat_move")
    if phase and usual and phase != usual and not (order.type == "move" and phase == "deploy_air"):
        text = f"{pen.phase(phase)}: {text}"
    elif order.type in ("move", "load", "unload", "drop") and phase == "combat_move" and asks_for_capture(when):
        # Without a phase such a move is read as a noncombat move.
        text = f"{pen.phase(phase)}: {text}"
    return text


def write_all(orders: Iterable[Order], names: Gazetteer, language: str = "en") -> str:
    """The canonical text of several orders, each line ended by a line feed; nothing is the empty text."""
    return "".join(f"{write(order, names, language)}\n" for order in orders)


@dataclass(frozen=True, slots=True)
class Writer:
    """Orders printed for one game and language, for callers that print many."""

    names: Gazetteer
    language: str = "en"

    def __call__(self, order: Order) -> str:
        return write(order, self.names, self.language)
