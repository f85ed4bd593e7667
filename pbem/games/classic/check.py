"""Whether an answer or standing order can ever be legal in the position after the combat moves, before any die.

Battles that come before may go either way; only what no outcome of them can make legal is refused (CLA-14.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from pbem.board.state import State, Unit
from pbem.games.classic.flak import gun_there
from pbem.games.classic.withdrawal import places, submerging_refusal, withdrawal_refusal
from pbem.rules import marks
from pbem.rules.battle.check import check_battle_answer, planned_battle
from pbem.rules.battle.model import ATTACK, DEFEND
from pbem.rules.battle.planning import sea_battle_due
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Order, Retreat, Submerge
from pbem.rules.query import is_air, is_land
from pbem.rules.ruleset import RuleSet


def check_answer(rules: RuleSet, state: State, power: str, order: Order) -> Refusal | None:
    """Why an answer of a power is illegal whatever happens after the combat moves; None if it may become legal."""
    if isinstance(order, Submerge):
        return check_withdrawal(rules, state, power, order)
    wrong = check_battle_answer(rules, state, power, order)
    if wrong is None or not isinstance(order, Retreat):
        return wrong
    later = outcomes(rules, state, order.space)
    return None if any(check_battle_answer(rules, one, power, order) is None for one in later) else wrong


def check_withdrawal(rules: RuleSet, state: State, power: str, order: Submerge) -> Refusal | None:
    """Submarines are told to submerge where nobody does, or to go where they never can (CLA-6.8.1 to CLA-6.8.6)."""
    dives = order.to is None and not order.withdraws and bool(order.units)
    if dives and not rules.parameter("submersible_subs"):
        return submerging_refusal(rules, DEFEND, ())
    battle = planned_battle(rules, state, order.space) if order.space is not None else None
    if battle is None or not order.units:
        return None
    side = ATTACK if power == battle.attacker else DEFEND
    open_to = places(rules, state, battle, side, power)
    if dives:
        return submerging_refusal(rules, side, open_to) if side == ATTACK else None
    if order.to is None or order.to in open_to:
        return None
    for one in outcomes(rules, state, order.space):
        other = planned_battle(rules, one, order.space or "")
        if other is not None and order.to in places(rules, one, other, side, power):
            return None
    return withdrawal_refusal(rules, state, battle, side, order.to, open_to)


# -- what may happen before a battle ----------------------------------------------------------------------------------


def outcomes(rules: RuleSet, state: State, space: str | None) -> Iterator[State]:
    """Positions in which a battle may begin that is to be fought in a space: every mixture of three things.

    Territories under attack are taken, landings whose zone is not clear yet do not come about, and aircraft that pass
    guns are shot down.
    """
    power = state.power or ""
    taken = _under_attack(rules, state, power, space)
    afloat = _uncertain_cargo(rules, state, power)
    shot = _exposed(rules, state, power)
    for captures, stays, falls in product((False, True), repeat=3):
        if (captures and not taken) or (stays and not afloat) or (falls and not shot):
            continue
        spaces, units = dict(state.spaces), dict(state.units)
        for territory in taken if captures else ():
            spaces[territory] = replace(spaces[territory], controller=power)
        for unit in afloat if stays else ():
            units[unit.id] = replace(unit, marks=tuple(m for m in unit.marks if m[0] != marks.LANDING))
        for unit in shot if falls else ():
            del units[unit.id]
        yield replace(state, spaces=spaces, units=units)


def _under_attack(rules: RuleSet, state: State, power: str, but: str | None) -> list[str]:
    """Hostile territories in which land units of the power fight or land."""
    own = (unit for unit in state.units.values() if unit.owner == power and is_land(rules, unit))
    attacked = (str(unit.mark(marks.LANDING)) if unit.aboard is not None else unit.space for unit in own)
    return [
        territory
        for territory in dict.fromkeys(attacked)
        if territory != but
        and territory in rules.board.spaces
        and rules.judge("hostile_territory", state, power, territory)
    ]


def _uncertain_cargo(rules: RuleSet, state: State, power: str) -> list[Unit]:
    """Cargo whose landing may not come about: its zone is to be fought for, or a condition holds it back (CLA-D12)."""
    cargo = (unit for unit in state.units.values() if unit.owner == power and unit.mark(marks.LANDING) is not None)
    return [
        unit
        for unit in cargo
        if sea_battle_due(rules, state, power, unit.space)
        or any(marks.land_only(space) in state.marks for space in (unit.mark(marks.LANDING), None))
    ]


def _exposed(rules: RuleSet, state: State, power: str) -> list[Unit]:
    """Aircraft that pass enemy guns on their way (CLA-5.6.1)."""
    flying = (unit for unit in state.units.values() if unit.owner == power and is_air(rules, unit))
    return [
        unit
        for unit in flying
        if unit.mark(marks.MOVED) == "combat_move"
        and any(gun_there(rules, state, power, space, passing=True) for space in unit.mark(marks.VIA, ()))
    ]
