"""Questions the rules put to players, and why a line is refused. Values only; who answers is decided elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.rules.order_model import BattlePlan, Condition, Order

_TWO_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The player's mistake: what is wrong (`reason`, a full sentence), the rule it breaks, what would be right.

    `partly`: only a part of the line is refused, the rest takes effect (in answers read by `interpret_all`).
    """

    reason: str
    rule: str | None = None
    suggestion: str | None = None
    partly: bool = False

    def __post_init__(self) -> None:
        # A name like `Karelia S.S.R.` at the end brings its own full stop.
        object.__setattr__(self, "reason", _TWO_STOPS.sub(".", self.reason))


def _nothing_known(condition: Condition) -> int | None:
    return None


def _no_plan(order: Order) -> bool:
    return not isinstance(order, BattlePlan)


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer that the rules need in mid-phase.

    `key` is unique within a segment and names the power and the battle round. `kind` is the word players use in
    `ask me KIND` (`casualties`, `retreat`, `scramble`...). `interpret` turns a player's order into the answer's
    value (plain JSON) or refuses it; `default` gives the value nobody had to state. `public` is what a window may
    show to everybody; it holds nothing hidden. `subject` gives the numbers that conditions test, None if unknown.
    `reaction` marks the sealed window of the opponents; `has_choice` is false where, by public information, only
    one answer is legal. Where an answer may take several lines (aircraft from two bases, strikes in two zones)
    `interpret_all` gets every matching order at once and gives the value with the refusals by index; it is then
    used in place of `interpret`, whose lines are tried one after the other until one is not refused. `about` tells
    whether an order of the right type speaks of this question at all (plans for whole battles do only where a
    question knows them); an order that does not is passed over, not refused.

    A `sealed` decision is not recorded: its answer is the list of lines ({by, text, order}) that could answer it, for
    the script to weigh; what it plays of them it emits itself, the rest stays secret. `waits`: play stops for it
    though nobody wrote `ask me`. `when_asked` gives more for `public` that is worked out only if it is really asked.
    """

    key: str
    power: str
    kind: str
    interpret: Callable[[Order], Any]
    default: Callable[[], Any]
    space: str | None = None
    round: int = 0
    rules: tuple[str, ...] = ()
    public: Mapping[str, Any] = field(default_factory=dict)
    subject: Callable[[Condition], int | None] = _nothing_known
    reaction: bool = False
    has_choice: bool = True
    interpret_all: Callable[[Sequence[Order]], tuple[Any, Sequence[tuple[int, Refusal]]]] | None = None
    about: Callable[[Order], bool] = _no_plan
    sealed: bool = False
    waits: bool = False
    when_asked: Callable[[], Mapping[str, Any]] = dict


def holds(condition: Condition | None, subject: Callable[[Condition], int | None]) -> bool:
    """Whether a standing order's condition is met; a test of the unknown is not (nor its negation) (P40-DP-36)."""
    return condition is None or _truth(condition, subject) is True


_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
}


def _truth(condition: Condition, subject: Callable[[Condition], int | None]) -> bool | None:
    if condition.op == "and":
        parts = [_truth(part, subject) for part in condition.of]
        return False if False in parts else None if None in parts else True
    if condition.op == "or":
        parts = [_truth(part, subject) for part in condition.of]
        return True if True in parts else None if None in parts else False
    if condition.op == "not":
        part = _truth(condition.of[0], subject)
        return None if part is None else not part
    value = subject(condition)
    return None if value is None or condition.value is None else _COMPARE[condition.op](value, condition.value)
