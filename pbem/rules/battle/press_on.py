"""Whether an attacker whose player is silent presses on: a comparison of expected losses in whole numbers."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.rules.battle.hits import SINKS, places
from pbem.rules.battle.loss_orders import default_order
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, other_side
from pbem.rules.battle.values import effective_values
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def default_presses_on(game: Game, battle: Battle) -> bool:
    """The default of the decision to retreat: what the judgement `presses_on` of the rule set says."""
    return bool(game.rules.judge("presses_on", game.state, battle))


def presses_on(rules: RuleSet, state: State, battle: Battle) -> bool:
    """Pacific 1940: compare losses on land; at sea and in assaults press on (P40-DP-23, P40-DP-24, P40-DP-25).

    Lone attacking transports, and whoever else cannot hit anything, retreat.
    """
    if sum(effective_values(rules, state, battle, ATTACK).values()) == 0:
        return False
    if rules.board.spaces[battle.space].is_sea or battle.landed:
        return True
    return expected_loss(rules, state, battle, ATTACK) <= expected_loss(rules, state, battle, DEFEND)


def expected_loss(rules: RuleSet, state: State, battle: Battle, side: str) -> int:
    """IPC cost of the first ceil(S / 6) units of a side's default order of loss (P40-DP-23).

    S is the sum of the other side's effective values.
    """
    strength = sum(effective_values(rules, state, battle, other_side(side)).values())
    offered = [place for place in places(rules, battle.units(state, side)) if place.effect == SINKS]
    first = default_order(rules, state, battle, side, offered)[: -(-strength // 6)]
    return sum(_cost(rules, state.units[place.unit]) for place in first)


def _cost(rules: RuleSet, unit: Unit) -> int:
    return rules.board.units[unit.kind].cost or 0
