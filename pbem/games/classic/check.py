"""Whether an answer or standing order can ever be legal in the position after the combat moves, before any die."""

from __future__ import annotations

from pbem.board.state import State
from pbem.games.classic.withdrawal import places, submerging_refusal, withdrawal_refusal
from pbem.rules.battle.check import check_battle_answer, planned_battle
from pbem.rules.battle.model import ATTACK, DEFEND
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Order, Submerge
from pbem.rules.ruleset import RuleSet


def check_answer(rules: RuleSet, state: State, power: str, order: Order) -> Refusal | None:
    """Why an answer of a power is illegal in the position after the combat moves; None if it is not (CLA-14.3)."""
    if isinstance(order, Submerge):
        return check_withdrawal(rules, state, power, order)
    return check_battle_answer(rules, state, power, order)


def check_withdrawal(rules: RuleSet, state: State, power: str, order: Submerge) -> Refusal | None:
    """A zone that submarines are told to withdraw to: what the moves tell already (CLA-6.8.1 to CLA-6.8.3)."""
    dives = order.to is None and not order.withdraws and bool(order.units)
    if dives and not rules.parameter("submersible_subs"):
        return submerging_refusal(rules, DEFEND, ())
    if order.space is None or not order.units:
        return None
    battle = planned_battle(rules, state, order.space)
    if battle is None:
        return None
    side = ATTACK if power == battle.attacker else DEFEND
    open_to = places(rules, state, battle, side, power)
    if dives:
        return submerging_refusal(rules, side, open_to) if side == ATTACK else None
    if order.to is None:
        return None
    return None if order.to in open_to else withdrawal_refusal(rules, state, battle, side, order.to, open_to)
