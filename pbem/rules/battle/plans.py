"""Plans for a whole battle in the mail clubs' words: when the attacker goes on, and whom he loses first.

`save_air`, `save_air_at_all_costs`, `take_at_all_costs` and `kill_at_all_costs` are the attacker's; `walk_in` says only
that no battle is expected, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State
from pbem.rules.battle.hits import Place
from pbem.rules.battle.loss_orders import keeping_land
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.battle.values import effective_values
from pbem.rules.order_model import BattlePlan
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet


def retreat_planned(order: BattlePlan, battle_round: int) -> bool:
    """Whether a plan says something about pressing on after this round (CLA-D09)."""
    return order.plan != "walk_in" and (order.from_round or 0) <= battle_round


def plan_presses_on(rules: RuleSet, state: State, battle: Battle, order: BattlePlan) -> bool:
    """Whether an attacker with this plan goes on after a round (CLA-D09).

    To save aircraft he breaks off when other units are gone, at all costs already when the enemies' dice could reach
    an aircraft; to take or kill at all costs he never does.
    """
    if order.plan not in ("save_air", "save_air_at_all_costs"):
        return True
    attackers = battle.units(state, ATTACK)
    others = [unit for unit in attackers if not is_air(rules, unit)]
    if len(others) == len(attackers):
        return True
    if order.plan == "save_air":
        return bool(others)
    return sum(value >= 1 for value in effective_values(rules, state, battle, DEFEND).values()) <= len(others)


def losses_planned(order: BattlePlan, side: str) -> bool:
    """Whether a plan says whom a side loses first (CLA-D07)."""
    return side == ATTACK and order.plan in ("take_at_all_costs", "kill_at_all_costs")


def planned_order(
    rules: RuleSet, state: State, battle: Battle, order: BattlePlan, preferred: Sequence[Place]
) -> list[Place]:
    """Places in the order of a plan: one land unit is kept to take the land, or the weakest attackers go first."""
    if order.plan == "take_at_all_costs":
        return keeping_land(rules, state, list(preferred), 1)
    values = effective_values(rules, state, battle, ATTACK)
    return sorted(preferred, key=lambda place: values.get(place.unit, 0))
