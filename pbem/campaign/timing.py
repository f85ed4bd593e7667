"""Which open window a player's line belongs to, and whether it comes in time for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.map import Board
from pbem.board.state import SEALED_PHASES, State, Window
from pbem.campaign.filing import STANDING_PHASE
from pbem.campaign.naming import powers_in_words, window_in_words
from pbem.campaign.play import Play
from pbem.orders.respond import ANSWERED_BY
from pbem.rules.order_model import NO_CARD, CancelPhase, Entropy, Order, PlayCard, Ready, RestDefault, phase_of
from pbem.rules.ruleset import RuleSet

Line = Mapping[str, Any]


def window_for(state: State, power: str, *, orders: bool) -> Window | None:
    """The open window that addresses a power: one for orders, or one for answers."""
    for window in state.windows.values():
        if (window.kind == "orders") == orders and power in window.powers:
            return window
    return None


def in_time(
    play: Play, power: str, entries: Sequence[tuple[int, Order, str]], received_at: int
) -> tuple[list[tuple[int, Order, str]], list[tuple[int, str]]]:
    """Orders for phases need an open orders window of that power that still waits for these phases; what fits
    is kept, the rest comes back with the reason."""
    state, board = play.now, play.rules.board
    name = powers_in_words(board, (power,))
    window = window_for(state, power, orders=True)
    late = window is not None and window.deadline is not None and received_at > window.deadline
    kept: list[tuple[int, Order, str]] = []
    refused: list[tuple[int, str]] = []
    for index, order, text in entries:
        if isinstance(order, Ready) and window is None and window_for(state, power, orders=False) is None:
            refused.append((index, f"nothing is awaited from {name} now ({who_is_awaited(state, board)})"))
            continue
        if _declines_nothing(state, power, order):
            why = f"{name} is not asked for cards now; `cancel standing` takes standing orders back"
            refused.append((index, why))
            continue
        phase = order.of_phase if isinstance(order, CancelPhase) else phase_of(order)
        secret = phase in SEALED_PHASES or isinstance(order, PlayCard)
        if (phase is None or phase == STANDING_PHASE or secret) and not isinstance(order, RestDefault):
            if secret and late and getattr(order, "when", None) is None:
                refused.append((index, f"it came after the deadline of {window_in_words(window.id) if window else ''}"))
            else:
                kept.append((index, order, text))
        elif window is None and phase is not None and _may_wait(play, power, phase):
            kept.append((index, order, text))
        elif window is None:
            refused.append((index, _why_not_now(state, power, board)))
        elif late:
            refused.append((index, f"it came after the deadline of {window_in_words(window.id)}; nothing was recorded"))
        elif phase is not None and _is_past(play, window, phase):
            refused.append(
                (
                    index,
                    f"the {phase.replace('_', ' ')} of this turn is over; now is the time for "
                    f"{', '.join(each.replace('_', ' ') for each in window.phases)}",
                )
            )
        else:
            kept.append((index, order, text))
    return kept, refused


def _declines_nothing(state: State, power: str, order: Order) -> bool:
    """Whether a line says that no card is played, while nothing asks for cards."""
    if not isinstance(order, PlayCard) or order.card != NO_CARD or window_for(state, power, orders=True) is not None:
        return False
    return order.type not in asked_types(window_for(state, power, orders=False), power)


def _why_not_now(state: State, power: str, board: Board) -> str:
    """Why orders for a phase of a power cannot be taken while no window asks for them."""
    name = powers_in_words(board, (power,))
    deciding = window_for(state, power, orders=False)
    if deciding is not None:
        asked = [ask["kind"].replace("_", " ") for ask in deciding.asks if ask["power"] == power]
        return (
            f"the battles are not over: {name} is asked about {' and '.join(dict.fromkeys(asked))} first; orders for "
            "a phase are taken again when that is decided, and you will be asked for them"
        )
    return f"no orders are awaited from {name} now ({who_is_awaited(state, board)}); nothing was recorded"


def who_is_awaited(state: State, board: Board) -> str:
    """Whom the campaign waits for, as words."""
    waits = dict.fromkeys(power for window in state.windows.values() for power in window.powers)
    return f"the campaign waits for {powers_in_words(board, waits) or 'nobody'}"


def _may_wait(play: Play, power: str, phase: str) -> bool:
    """Whether orders for a later action may be filed while others act: they stay sealed until their turn (WWM-3.7)."""
    others_act = window_for(play.now, power, orders=False) is None
    may = bool(play.rules.parameters.get("orders_may_wait")) and others_act
    return may and phase in phases_of(play.rules, power)


def _is_past(play: Play, window: Window, phase: str) -> bool:
    """Whether a phase lies before those an open window asks for, or its own window of this segment was closed."""
    order = phases_of(play.rules, window.powers[0])
    if phase not in order or not window.phases:
        return False
    return order.index(phase) < order.index(window.phases[0]) or (
        phase not in window.phases and _was_closed(play, phase)
    )


def _was_closed(play: Play, phase: str) -> bool:
    opened = {
        event.payload["window"]: event.payload.get("phases", ()) for event in play.tape if event.type == "window_opened"
    }
    closed = (event.payload["window"] for event in play.tape if event.type == "window_closed")
    return any(phase in opened.get(window, ()) for window in closed)


def phases_of(rules: RuleSet, power: str) -> tuple[str, ...]:
    """The phases of a power's turn in their order: as the rule set says, else as the board's facts do."""
    known: Sequence[str] = rules.parameters.get("phases") or rules.board.facts.get("phases", {}).get(power, ())
    return tuple(known)


def asked_types(window: Window | None, power: str) -> frozenset[str]:
    """Types of orders that an open decision window asks of a power."""
    asks = [ask for ask in window.asks if ask["power"] == power] if window is not None else []
    return frozenset(name for ask in asks for name in ANSWERED_BY.get(ask["kind"], (ask["kind"],)))


def fits_window(line: Line, window: Window, power: str) -> bool:
    """Whether a line answers something that an open decision window asks of a power."""
    order = line["order"]
    if order["type"] == Entropy.type:
        return True
    for ask in window.asks:
        if ask["power"] != power or order["type"] not in ANSWERED_BY.get(ask["kind"], (ask["kind"],)):
            continue
        space = order.get("space")
        if space is None or ask.get("space") is None or space == ask["space"]:
            return True
    return False
