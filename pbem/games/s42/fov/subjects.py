"""Where cards can be played: the battles and raids of the turn, and the numbers that conditions of card orders test."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle.check import planned_battle
from pbem.rules.battle.conditions import side_of_power
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, other_side
from pbem.rules.battle.naming import is_kind
from pbem.rules.battle.planning import plan_battles
from pbem.rules.battle.raids import raiders
from pbem.rules.decisions import Refusal
from pbem.rules.movement.passages import closed_passage
from pbem.rules.movement.ready import NONCOMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Condition
from pbem.rules.query import can, is_air, is_land, is_ship
from pbem.rules.ruleset import RuleSet


def attacked(rules: RuleSet, state: State) -> list[str]:
    """Every space that is attacked now, in the order in which battles will be fought (FOV-4.3.1)."""
    plan = plan_battles(rules, state, state.power or "")
    found = dict.fromkeys(plan.raids)
    for territory, zones in plan.assaults:
        found.update(dict.fromkeys(zone for zone in zones if planned_battle(rules, state, zone) is not None))
        found[territory] = None
    found.update(dict.fromkeys((*plan.seas, *plan.lands)))
    return list(found)


def battle_at(rules: RuleSet, state: State, space: str) -> Battle | None:
    """The battle (or walk-in) that will come of the moves in a space, at the beginning of its first round."""
    battle = planned_battle(rules, state, space)
    if battle is not None:
        battle.round = 1
    return battle


def raided(rules: RuleSet, state: State, space: str) -> bool:
    """Whether bombers raid a territory."""
    return any(unit.mark(marks.JOB) == "raid" for unit in raiders(state, state.power or "", space))


def raiding(state: State, space: str) -> list[Unit]:
    """The bombers that raid a territory."""
    return [unit for unit in raiders(state, state.power or "", space) if unit.mark(marks.JOB) == "raid"]


def of_power(state: State, battle: Battle, power: str) -> list[Unit]:
    """A power's units in a battle."""
    return [unit for side in (ATTACK, DEFEND) for unit in battle.units(state, side) if unit.owner == power]


def enemy_fighters(rules: RuleSet, state: State, battle: Battle) -> list[Unit]:
    """Fighters that defend in a battle."""
    return [unit for unit in battle.units(state, DEFEND) if is_air(rules, unit) and can(rules, unit, "carrier_capable")]


def ships_barred(
    rules: RuleSet, state: State, power: str, units: Iterable[Unit], here: str, there: str
) -> Refusal | None:
    """Why ships among these units cannot go to the next zone: a closed canal or strait (FOV-T10.2, S42-4.5.1)."""
    ships = [unit for unit in units if is_ship(rules, unit)]
    if not ships:
        return None
    canal = closed_passage(Sketch(rules, state, power, NONCOMBAT), here, there)
    if canal is not None:
        return canal
    for ship in ships:
        closed = rules.judge("closed_to", state, power, ship, there)
        if isinstance(closed, Refusal):
            return closed
    return None


def subject_for(rules: RuleSet, state: State, power: str, space: str | None) -> Callable[[Condition], int | None]:
    """The numbers for a card order about a space; a condition may name a space of its own (FOV-10: FD02)."""

    def value(condition: Condition) -> int | None:
        where = condition.space or space
        if condition.subject == "taken":
            return None if where is None else int(_taken(rules, state, where))
        if condition.subject == "round":
            return 0
        if where is None:
            return None
        return _number(rules, state, power, where, condition)

    return value


def _taken(rules: RuleSet, state: State, space: str) -> bool:
    friendly = rules.judge("friendly_territory", state, state.power or "", space)
    return bool(friendly) and marks.taken(space) in state.marks


def _number(rules: RuleSet, state: State, power: str, space: str, condition: Condition) -> int | None:
    raid = raiders(state, state.power or "", space)
    if condition.subject == "bombers":
        return sum(1 for unit in raid if unit.mark(marks.JOB) == "raid")
    if condition.subject == "escorts":
        return sum(1 for unit in raid if unit.mark(marks.JOB) == "escort")
    battle = battle_at(rules, state, space)
    if condition.subject == "attackers":
        there = list(battle.units(state, ATTACK)) if battle is not None else []
        return sum(1 for unit in (*there, *raid) if _meant(rules, unit, condition.kind, battle))
    if battle is None:
        return None
    side = side_of_power(battle, power)
    if condition.subject == "landing":
        return len(battle.landed)
    if condition.subject in ("own_left", "enemy_left"):
        units = battle.units(state, side if condition.subject == "own_left" else other_side(side))
        return sum(1 for unit in units if _meant(rules, unit, condition.kind, battle))
    if condition.subject == "own_land":
        return sum(1 for unit in battle.units(state, side) if is_land(rules, unit))
    if condition.subject == "odds" and "odds" in rules.judgements:
        battle.round = 0
        chance = rules.judge("odds", state, battle)
        if chance is None:
            return None
        return int(chance) if side == ATTACK else 1_000_000 - int(chance)
    return None


def _meant(rules: RuleSet, unit: Unit, kind: str | None, battle: Battle | None) -> bool:
    return kind is None or is_kind(rules, kind, unit, battle)
