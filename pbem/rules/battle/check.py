"""Whether an answer or standing order can ever be legal in the position after the combat moves, before any die."""

from __future__ import annotations

from pbem.board.state import State
from pbem.rules.battle.amphibious import landings, waiting_cargo
from pbem.rules.battle.citations import refuse
from pbem.rules.battle.land_battle import new_land_battle
from pbem.rules.battle.model import DEFEND, Battle
from pbem.rules.battle.naming import space_name
from pbem.rules.battle.planning import sea_battle_due
from pbem.rules.battle.raids import raiders, targets_meant
from pbem.rules.battle.retreat import retreat_refusal
from pbem.rules.battle.sea_battle import new_sea_battle
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import BombTargets, Casualties, Order, Retreat
from pbem.rules.ruleset import RuleSet


def planned_battle(rules: RuleSet, state: State, space: str) -> Battle | None:
    """The battle that the active power's moves have caused in a space, as it would begin; None if there is none.

    Cargo that is to land counts as landed.
    """
    active = state.power or ""
    if space not in rules.board.spaces:
        return None
    if rules.board.spaces[space].is_sea:
        return new_sea_battle(rules, state, active, space) if sea_battle_due(rules, state, active, space) else None
    battle = new_land_battle(rules, state, active, space)
    zones = landings(state, active).get(space, [])
    cargo = [unit.id for zone in zones for unit in waiting_cargo(state, active, zone, space)]
    battle.attackers += cargo
    battle.landed += cargo
    return battle if battle.attackers and rules.judge("hostile_territory", state, active, space) else None


def check_retreat(rules: RuleSet, state: State, power: str, order: Retreat) -> Refusal | None:
    """Only the attacker retreats (P40-6.9.1); where to and who, as far as the moves already tell (P40-6.9.2-6.9.5)."""
    battle = planned_battle(rules, state, order.space) if order.space is not None else None
    if order.space is None or battle is None:
        return None
    if power != battle.attacker or order.side == DEFEND:
        return refuse(
            rules,
            "retreat.defender",
            f"Only the attacker may retreat; in {space_name(rules, order.space)} that is "
            f"{rules.board.powers[battle.attacker].name}.",
        )
    return retreat_refusal(rules, state, battle, order)


def check_casualties(rules: RuleSet, state: State, power: str, order: Casualties) -> Refusal | None:
    """A list that puts transports before other ships can never be followed (P40-6.8.3)."""
    if not order.picks or order.which != "losses" or len(order.picks) < 2:
        return None
    kinds = [rules.board.units.get(pick.kind) for pick in order.picks]
    first = kinds[0]
    if first is None or not first.can("casualty_last"):
        return None
    if all(kind is not None and kind.can("casualty_last") for kind in kinds):
        return None
    return refuse(
        rules,
        "losses.transports_last",
        f"{first.plural} may be lost only when no other unit is left that can take the hit.",
        "Name them last.",
    )


def check_bomb_targets(rules: RuleSet, state: State, power: str, order: BombTargets) -> Refusal | None:
    """Bombers there, facilities there, and the kinds each may bomb (P40-6.2.1, P40-6.2.5)."""
    if order.space is None or power != state.power:
        return None
    bombers = [unit for unit in raiders(state, power, order.space) if unit.mark("job") == "raid"]
    if not bombers:
        return None
    found = targets_meant(rules, state, order.space, bombers, order, {})
    return found if isinstance(found, Refusal) else None


def check_battle_answer(rules: RuleSet, state: State, power: str, order: Order) -> Refusal | None:
    """The verdict on an answer about battles; None for kinds of answers that nothing here can refuse."""
    if isinstance(order, Retreat):
        return check_retreat(rules, state, power, order)
    if isinstance(order, Casualties):
        return check_casualties(rules, state, power, order)
    if isinstance(order, BombTargets):
        return check_bomb_targets(rules, state, power, order)
    return None
