"""From read lines to what is kept: which lines are orders of a phase, standing orders, requests or remarks.

A mail replaces the orders of every phase for which it has a line and leaves the others; `add` as first line adds,
`cancel PHASE` empties. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.board.state import CARD_ORDERS, SEALED_PHASES, State, orders_key
from pbem.orders.respond import asking_after
from pbem.rules.order_model import (
    NO_CARD,
    AddOnly,
    AskMe,
    CancelPhase,
    Concede,
    Discard,
    DrawCard,
    Entropy,
    Order,
    PlayCard,
    Ready,
    Research,
    RestDefault,
    Same,
    from_json,
    phase_of,
)
from pbem.rules.tape import filed_line

Line = Mapping[str, Any]
STANDING_PHASE = "standing"
"""The word players use to empty their standing orders: `cancel standing`."""


@dataclass(frozen=True, slots=True)
class Filing:
    """What one power's lines of one mail come to, against what was in force.

    `phases` are complete new lists for every phase that changes; `standing` the complete new standing orders or None;
    `asks` the complete new `ask me` settings or None; `gone` what was in force before and is not any more.
    """

    power: str
    phases: Mapping[str, tuple[Line, ...]]
    standing: tuple[Line, ...] | None
    asks: tuple[tuple[str | None, str | None], ...] | None
    ready: bool | None
    same: bool
    concede: bool | None
    gone: tuple[str, ...] = ()
    answers: tuple[Line, ...] = field(default=())
    """Lines that could answer an open decision window, in order (they are also among the standing orders)."""

    @property
    def empty(self) -> bool:
        """Whether nothing at all was said."""
        return not (
            self.phases or self.standing is not None or self.asks is not None or self.ready is not None or self.same
            or self.concede is not None or self.answers
        )  # fmt: skip


def file_lines(
    power: str,
    orders: Sequence[tuple[Order, str]],
    state: State,
    *,
    turn: bool = False,
    turn_cards: Collection[str] = (),
    asked: Collection[str] = (),
) -> Filing:
    """Sort one power's accepted lines (order, canonical text) and lay them over what is in force.

    `turn`: its own turn waits for its orders, so plain plays of `turn_cards` and lines for the draw are meant for this
    turn, not for good. `asked` are types of orders that an open decision window asks of it.
    """
    adding = any(isinstance(order, AddOnly) for order, _ in orders)
    fresh: dict[str, list[Line]] = {}
    standing: list[Line] | None = None
    asks = [list(ask) for ask in state.marks.get(f"asking/{power}", ())]
    asks_before = [list(ask) for ask in asks]
    ready: bool | None = None
    same, concede = False, None
    answers: list[Line] = []
    for order, text in orders:
        line = filed_line(order, text)
        if isinstance(order, AddOnly):
            continue
        if isinstance(order, Ready):
            ready = order.is_ready
        elif isinstance(order, Same):
            same = True
        elif isinstance(order, Concede):
            concede = order.conceding
        elif isinstance(order, AskMe):
            asks = asking_after(asks, order)
        elif isinstance(order, Entropy):
            fresh["entropy"] = [line]
            answers.append(line)
        elif isinstance(order, RestDefault):
            fresh.setdefault("rest", []).append(line)
        elif isinstance(order, CancelPhase):
            if order.of_phase == STANDING_PHASE:
                standing = []
            elif order.of_phase in SEALED_PHASES:
                fresh.update({phase: fresh.get(phase, []) for phase in SEALED_PHASES})
            else:
                fresh.setdefault(order.of_phase, [])
        else:
            phase = phase_of(order)
            if turn and isinstance(order, PlayCard) and _for_this_turn(order, turn_cards):
                phase = CARD_ORDERS
            if phase in SEALED_PHASES and not turn:
                phase = None
            if turn and isinstance(order, PlayCard) and order.card == NO_CARD:
                fresh.setdefault(CARD_ORDERS, [])
            elif order.type in asked and isinstance(order, PlayCard | DrawCard | Discard | Research):
                answers.append(line)
                if _lasts(order):
                    standing = _standing_with(standing, power, state, line, answers)
            elif phase is not None:
                fresh.setdefault(phase, []).append(line)
            else:
                answers.append(line)
                standing = _standing_with(standing, power, state, line, answers)
    if not adding and CARD_ORDERS not in fresh:
        fresh.update(_cards_left(state.orders.get(orders_key(power, CARD_ORDERS), ()), answers, asked))
    phases: dict[str, tuple[Line, ...]] = {}
    gone: list[str] = []
    for phase, lines in fresh.items():
        before = state.orders.get(orders_key(power, phase), ())
        if adding and phase not in ("rest", "entropy"):
            phases[phase] = (*before, *lines)
            continue
        phases[phase] = tuple(lines)
        kept = [line["text"] for line in lines]
        gone.extend(line["text"] for line in before if line["text"] not in kept)
    return Filing(
        power=power,
        phases=phases,
        standing=None if standing is None else tuple(standing),
        asks=None if asks == asks_before else tuple((kind, space) for kind, space in asks),
        ready=ready,
        same=same,
        concede=concede,
        gone=tuple(gone),
        answers=tuple(answers),
    )


def _for_this_turn(order: PlayCard, turn_cards: Collection[str]) -> bool:
    return order.card in turn_cards and not _lasts(order)


def _lasts(order: Order) -> bool:
    """Whether a play is meant for good, so that it stands although it also answers a question."""
    return isinstance(order, PlayCard) and (order.when is not None or "always" in order.words)


def lasts(line: Line) -> bool:
    """Whether a kept line is a play that is meant for good."""
    order = line["order"]
    return order["type"] == PlayCard.type and _lasts(from_json(order))


def _standing_with(
    standing: list[Line] | None, power: str, state: State, line: Line, answers: Sequence[Line]
) -> list[Line]:
    """The standing orders with one more line, which takes the place of what it is about."""
    before = standing if standing is not None else list(state.standing.get(power, ()))
    return [old for old in before if not _gives_way(old, line, answers)] + [line]


def _cards_left(ordered: Sequence[Line], answers: Sequence[Line], asked: Collection[str]) -> dict[str, list[Line]]:
    """The cards ordered with the turn without those that an answer plays otherwise; nothing if all are left."""
    otherwise = {
        line["order"]["card"] for line in answers if PlayCard.type in asked and line["order"]["type"] == "play"
    }
    left = [line for line in ordered if line["order"].get("card") not in otherwise]
    return {} if len(left) == len(ordered) else {CARD_ORDERS: left}


def _gives_way(old: Line, new: Line, fresh: Sequence[Line]) -> bool:
    """Whether a standing order is replaced by a new one; a card play written twice in one mail is two plays."""
    return _same_subject(old, new) and not (new["order"]["type"] == "play" and any(old is line for line in fresh))


def _same_subject(old: Line, new: Line) -> bool:
    """Whether a new standing order takes the place of an old one: same kind, same place, same round and condition."""
    a, b = old["order"], new["order"]
    if a["type"] != b["type"] or a["type"] in ("scramble", "kamikaze", "land", "bomb_targets", "play"):
        return bool(a == b)
    keys = ("space", "round", "after_round", "which", "side", "domain", "when", "power", "zone", "technology")
    return all(a.get(key) == b.get(key) for key in keys)


def phase_of_window(state: State, powers: Sequence[str]) -> str | None:
    """The phase that lines without one belong to, by the open window of these powers; None if none is open."""
    for window in state.windows.values():
        if window.kind == "orders" and set(window.powers) & set(powers):
            return "noncombat_move" if "noncombat_move" in window.phases else window.phases[-1]
    return None
