"""Standing orders and answers as a source of decisions: which filed lines answer which question, in which order.

This file only selects; what a line means in the position, and whether it is legal, the rules decide when they
interpret it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.board.state import State
from pbem.rules.decisions import Decision, holds
from pbem.rules.order_model import AskMe, Casualties, Order, from_json

Line = Mapping[str, Any]

ANSWERED_BY: Mapping[str, tuple[str, ...]] = {
    "aa_losses": ("casualties",),
    "air_losses": ("casualties",),
    "choose": ("casualties",),
    "casualties": ("casualties", "battle_plan"),
    "retreat": ("retreat", "press_on", "battle_plan"),
    "break_off": ("retreat", "press_on"),
    "aim": ("bomb_targets",),
    "withdraw": ("submerge", "retreat"),
    "fog_losses": ("casualties",),
    "heavy_artillery_losses": ("casualties",),
    "halved_hits": ("casualties",),
    "card": ("play",),
    "fighter_ace": ("play",),
    "fog_of_war": ("play",),
    "hidden_factory": ("play",),
    "draw": ("draw", "discard", "research"),
    "discard": ("discard", "draw"),
    "land": ("land", "landing_preference"),
}
"""Order types that answer a kind of decision, where they differ from the kind's own name."""

CASUALTY_KINDS: Mapping[str, str] = {
    "casualties": "losses", "aa_losses": "aa", "air_losses": "air", "choose": "shared", "fog_losses": "fog",
    "heavy_artillery_losses": "heavy_artillery", "halved_hits": "shared",
}  # fmt: skip
"""For each kind of decision about losses, which list of losses it reads."""

WIDER: Mapping[str, str] = {
    "fighter_ace": "card", "fog_of_war": "card", "hidden_factory": "card", "discard": "draw", "research": "draw",
    "aa_losses": "casualties", "air_losses": "casualties",
}  # fmt: skip
"""Kinds of decisions that `ask me` also covers by a wider word."""


class StandingResponder:
    """Answers from the open window first, then standing orders; named spaces before general, later before earlier."""

    def candidates(
        self, decision: Decision, state: State, standing: Sequence[Line], given: Sequence[Line]
    ) -> Iterator[tuple[str, Line]]:
        """(`player` or `standing`, line) pairs in the order in which the rules are to try them."""
        for by, lines in (("player", given), ("standing", standing)):
            if decision.sealed:
                # Whether a line is meant for this moment, and its condition, the script weighs.
                kinds = ANSWERED_BY.get(decision.kind, (decision.kind,))
                yield from ((by, line) for line in lines if line["order"]["type"] in kinds)
                continue
            fitting = [line for line in lines if answers(from_json(line["order"]), decision)]
            if decision.interpret_all is None:
                fitting.reverse()
                fitting.sort(key=lambda line: -_weight(line["order"], decision))
            yield from ((by, line) for line in fitting)


def answers(order: Order, decision: Decision) -> bool:
    """Whether an order is of the kind, place and battle round that a decision asks about, and its condition holds."""
    if order.type not in ANSWERED_BY.get(decision.kind, (decision.kind,)):
        return False
    if not decision.about(order):
        return False
    if isinstance(order, Casualties) and not _reads(decision.kind, order.which):
        return False
    for name, asked in (("side", decision.public.get("side")), ("domain", decision.public.get("domain"))):
        wanted = getattr(order, name, None)
        if wanted is not None and asked is not None and wanted != asked:
            return False
    space = getattr(order, "space", None)
    if space is not None and decision.space is not None and space != decision.space:
        return False
    wanted_round = getattr(order, "round", None)
    if wanted_round is not None and wanted_round != decision.round:
        return False
    if decision.public.get("late") and not getattr(order, "late", False):
        return False
    after = getattr(order, "after_round", None)
    if after is not None and "rounds_fought" in decision.public:
        if decision.public["rounds_fought"] < after:
            return False
    elif after is not None and decision.round and after != decision.round:
        return False
    return holds(getattr(order, "when", None), decision.subject)


def _reads(kind: str, which: str) -> bool:
    """Whether a decision reads such a list of losses; air battles of raids also read the lists for all losses."""
    wanted = CASUALTY_KINDS.get(kind, which)
    return which == wanted or (kind == "air_losses" and which == "losses")


def _weight(order: Mapping[str, Any], decision: Decision) -> int:
    """How closely a line names the decision: kind of losses and space count most, then round, then a condition."""
    exact: bool = order["type"] == "casualties" and order.get("which", "losses") == CASUALTY_KINDS.get(decision.kind)
    named = 4 * (order.get("space") is not None) + 2 * ("round" in order or "after_round" in order)
    return 8 * int(exact) + named + int("when" in order)


def wants_asking(asks: Sequence[Sequence[str | None]], decision: Decision) -> bool:
    """Whether `ask me` (all, a kind, a space) covers a decision; `asks` is public: it was said to everybody."""
    return any(
        (kind in (None, decision.kind, WIDER.get(decision.kind)) or CASUALTY_KINDS.get(decision.kind) == kind)
        and (space is None or space == decision.space)
        for kind, space in asks
    )


def asking_after(asks: Sequence[Sequence[str | None]], order: AskMe) -> list[list[str | None]]:
    """The `ask me` settings after one more such line."""
    entry = [order.decision, order.space]
    if order.ask:
        return [*([list(ask) for ask in asks if list(ask) != entry]), entry]
    if order.decision is None and order.space is None:
        return []
    return [list(ask) for ask in asks if list(ask) != entry]
