"""From lines about retreats to one answer: which of several lines counts, which units its words mean.

Whether the retreat is legal is asked of the result by the chapters that use this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import rule_for
from pbem.rules.battle.model import Battle
from pbem.rules.battle.naming import is_meant
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Order, Pick, PressOn, Retreat
from pbem.rules.ruleset import RuleSet

STAYS: dict[str, Any] = {"goes": []}
"""The answer of a side that stands or presses on."""

Reader = Callable[[Order], "Reading"]
Reading = tuple[dict[str, Any] | None, list[Refusal]]
"""An answer (None if there is none) and what was refused: with an answer, parts of the line only."""


def first_legal(orders: Sequence[Order], read: Reader) -> tuple[Any, list[tuple[int, Refusal]]]:
    """The first line that can be followed: named spaces before general ones, later lines before earlier.

    Lines that are refused are told with their index; parts refused of the line that counts are told too.
    """
    refused: list[tuple[int, Refusal]] = []
    order = sorted(range(len(orders)), key=lambda index: (-weight(orders[index]), -index))
    for index in order:
        answer, problems = read(orders[index])
        refused.extend((index, problem) for problem in problems)
        if answer is not None:
            return answer, refused
    return STAYS, refused


def weight(order: Order) -> int:
    """How closely a line names the case: its space counts most, then the round, then a condition."""
    named = 4 * (getattr(order, "space", None) is not None) + 2 * (getattr(order, "after_round", None) is not None)
    return named + (getattr(order, "when", None) is not None)


def stands(order: Order) -> bool:
    """Whether a line says to stay."""
    return isinstance(order, PressOn)


def before_any_round(order: Order) -> bool:
    """Whether a line would retreat before a full round was fought (ERR-3.4)."""
    return isinstance(order, Retreat) and order.after_round == 0


def meant(rules: RuleSet, state: State, battle: Battle, pick: Pick, among: Sequence[Unit]) -> list[Unit]:
    """The units a description takes: at most as many as are left, for some may be lost since it was written.

    Of a kind that is named, overland units come before landed ones.
    """
    fitting = [unit for unit in among if is_meant(rules, state, pick, unit, None, battle)]
    fitting.sort(key=lambda unit: unit.id in battle.landed)
    if pick.count is None:
        return fitting[: len(fitting) - pick.but] if pick.but else fitting
    return fitting[: pick.count]


def refuse(rules: RuleSet, topic: str, reason: str, suggestion: str | None = None, *, partly: bool = False) -> Refusal:
    """A refusal that cites the rule on a topic of the variant's book."""
    return Refusal(reason, rule_for(rules, topic), suggestion, partly)
