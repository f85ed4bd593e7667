"""What is wrong with a player's lines about cards before their window closes, as far as he may know it (FOV-10.2).

Only what can never be followed is refused here; what depends on others or on dice is weighed when its time comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.state import State
from pbem.games.s42.fov import hands
from pbem.games.s42.fov.table import ATT, CARDS, DEF, DMG, INC, MOB, MOVE, ROLL
from pbem.games.s42.fov.weapons import intercepted, land_fight
from pbem.games.s42.fov.weighing import Line, Weighing, lines_of, meant_for, named_space, says_none
from pbem.games.s42.fov.windows import turn_lines
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Order, PlayCard, Research, from_json
from pbem.rules.ruleset import RuleSet

Row = Mapping[str, Any]

TO_COME: Mapping[str, tuple[str, ...]] = {ATT: (ATT, ROLL, MOB, INC), DEF: (DEF, DMG, ROLL)}
"""When cards may still be played in a turn, from the question to the attacker or to the defenders on (FOV-4.1.3)."""

PLAYED: Mapping[tuple[str, ...], str] = {
    (MOVE,): "with your combat moves",
    (MOVE, ATT): "with your combat moves or after them",
    (ATT,): "after your own combat moves",
    (DEF,): "when you are attacked",
    (DEF, DMG): "when you are attacked",
    (MOB,): "when you place new units",
    (INC,): "when you collect income",
}
"""When a card is played, in words."""


def check_sealed(rules: RuleSet, state: State, power: str, rows: Sequence[Row]) -> list[tuple[Row, Refusal]]:
    """Answers and standing orders about cards that can never be followed."""
    found: list[tuple[Row, Refusal]] = []
    left: list[Row] = []
    for row in (row for row in rows if not says_none(row)):
        order = from_json(row["order"])
        refusal = (
            _not_held(state, power, order) or _too_many_dice(state, power, order) or _late(rules, state, power, order)
        )
        if refusal is None:
            left.append(row)
        else:
            found.append((row, refusal))
    return [*found, *_weighed(rules, state, power, left)] if _asks(state, power, "card") else found


def _asks(state: State, power: str, kind: str) -> Mapping[str, Any] | None:
    """What an open window asks a power, if it asks this."""
    asks = (ask for window in state.windows.values() for ask in window.asks)
    return next((ask for ask in asks if ask["kind"] == kind and ask["power"] == power), None)


def _not_held(state: State, power: str, order: Order) -> Refusal | None:
    """Cards that are not in the hand, or lie face up (FOV-4.4.2)."""
    if isinstance(order, PlayCard):
        names: Sequence[str] = [order.card]
    else:
        names = list(getattr(order, "cards", ())) if _asks(state, power, "discard") else []
    held = {card.name for card in hands.cards_of(state, power)}
    return next((hands.not_in_hand(state, power, name) for name in names if name not in held), None)


def _too_many_dice(state: State, power: str, order: Order) -> Refusal | None:
    """More dice than the treasury pays for are a slip of the pen: what was written ahead buys what it can."""
    ask = _asks(state, power, "research")
    if ask is None or not isinstance(order, Research) or order.dice <= ask["treasury"]:
        return None
    money = ask["treasury"]
    why = f"{order.dice} dice cost {order.dice} IPC, and you have {money}."
    return Refusal(why, "FOV-2.4.1", f"Order for at most {money} IPC.")


def _late(rules: RuleSet, state: State, power: str, order: Order) -> Refusal | None:
    """A plain play for which this turn has no more time; with `if` or `always` it is meant for good."""
    lasting = getattr(order, "when", None) is not None or "always" in getattr(order, "words", ())
    if not isinstance(order, PlayCard) or lasting or _asks(state, power, "card") is None:
        return None
    own = power == state.power
    if any(meant_for(rules, order, moment) for moment in TO_COME[ATT if own else DEF]):
        return None
    if own and order.card == "long_range_fighters":
        return None  # it may go with the noncombat moves, too (FOV-W06.3)
    kind = CARDS[order.card]
    moments = kind.moments_under(rules.parameters)
    return Refusal(f"{kind.name} is played {PLAYED[moments]}.", "FOV-4.1.3")


def _weighed(rules: RuleSet, state: State, power: str, rows: Sequence[Row]) -> list[tuple[Row, Refusal]]:
    """What the question about cards would refuse of these answers, behind what was ordered with the turn."""
    w = Weighing(rules, state, power, ATT if power == state.power else DEF)
    w.weigh(turn_lines(state, power) if power == state.power else [])
    read = lines_of(rows, "player")
    w.weigh([line for line in read if not _needs_interceptors(w, line)])
    found: list[tuple[Row, Refusal]] = []
    for faulty, told in zip(w.faulty, w.refused, strict=True):
        refusal = Refusal(told["reason"], told["rule"], told["suggestion"])
        found += [(row, refusal) for row, line in zip(rows, read, strict=True) if line is faulty]
    return found


def _needs_interceptors(w: Weighing, line: Line) -> bool:
    """Whether a play is on fighters that intercept: they are known when all have answered."""
    order = line.order
    if not isinstance(order, PlayCard) or order.card != "jet_fighter":
        return False
    space = named_space(order)
    over_a_raid = space is not None and intercepted(w, space) and land_fight(w, space) is None
    return "intercepting" in order.words or over_a_raid
