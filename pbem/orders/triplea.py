"""Reads moves, purchases and placements as TripleA's turn summaries print them."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.orders.cursor import ReadContext
from pbem.orders.gazetteer import Gazetteer
from pbem.rules.order_model import Order


@dataclass(frozen=True, slots=True)
class SummaryLine:
    line: int
    text: str
    status: str
    order: Order | None = None
    reason: str = ""
    suggestions: tuple[str, ...] = ()
    power: str | None = None


def is_turn_summary(text: str) -> bool:
    return text.lstrip().startswith("TripleA Turn Summary")


def read_turn_summary(text: str, names: Gazetteer, context: ReadContext) -> list[SummaryLine]:
    return []
