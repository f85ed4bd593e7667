"""The judgement `check_answer`: answers about reactions and battles, before any die is rolled."""

from __future__ import annotations

from pbem.board.state import State
from pbem.rules.battle.check import check_battle_answer
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Intercept, Kamikaze, Order, Scramble
from pbem.rules.reactions.intercept import intercept_refusal
from pbem.rules.reactions.kamikaze import kamikaze_refusal
from pbem.rules.reactions.scramble import read_scrambles, scramble_refusal
from pbem.rules.ruleset import RuleSet


def check_answer(rules: RuleSet, state: State, power: str, order: Order) -> Refusal | None:
    """Why an answer or standing order of a power is illegal in the position after the combat moves; None if it is not.

    Orders without a space may be meant for later turns and are not judged by what happens now. Neither are reactions
    while no window asks for them: then they are standing orders for a turn whose moves nobody knows yet.
    """
    later = is_for_later(state, power, order.type)
    if isinstance(order, Scramble):
        if later:
            return scramble_refusal(rules, state, power, order, later=True)
        if order.space is None and order.zone is None:
            return None
        refusals = read_scrambles(rules, state, power, [order])[1]
        return refusals[0][1] if refusals else None
    if isinstance(order, Intercept):
        return intercept_refusal(rules, state, power, order, later=later)
    if isinstance(order, Kamikaze):
        return kamikaze_refusal(rules, state, power, order, later=later) if order.space is not None else None
    return check_battle_answer(rules, state, power, order)


def is_for_later(state: State, power: str, kind: str) -> bool:
    """Whether a reaction of this kind is not for now: play waits for something, and not for it.

    A position in which no window is open, as ruling cases have it, is taken as the moment itself.
    """
    return bool(state.windows) and not any(
        ask.get("power") == power and ask.get("kind") == kind
        for window in state.windows.values()
        for ask in window.asks
    )
