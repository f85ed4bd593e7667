"""The numbers that conditions of standing orders test inside a battle: rounds, losses, units left, odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pbem.board.state import Unit
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, other_side
from pbem.rules.battle.naming import is_kind
from pbem.rules.order_model import Condition
from pbem.rules.query import can, is_land
from pbem.rules.script import Game


def side_of_power(battle: Battle, power: str) -> str:
    """The side a power fights on."""
    return ATTACK if power == battle.attacker else DEFEND


def battle_subject(game: Game, battle: Battle, power: str) -> Callable[[Condition], int | None]:
    """The value of a condition's subject for a power in a battle, None where it is not known.

    `own_left` and `own_lost` count the whole side; `kind` narrows to one kind. Odds are parts per million of the
    side's own chance, from the judgement `odds(state, battle)` (the attacker's chance) where the rule set has one.
    """
    side = side_of_power(battle, power)

    def value(condition: Condition) -> int | None:
        if condition.space is not None and condition.subject != "taken" and condition.space != battle.space:
            return None
        return _subject(game, battle, side, condition)

    return value


def odds_now(game: Game, battle: Battle, power: str) -> Callable[[], Mapping[str, int]]:
    """A power's own chance in parts per million, as `odds`, for a question that is really asked; nothing if unknown."""

    def told() -> Mapping[str, int]:
        chance = _odds(game, battle, side_of_power(battle, power))
        return {} if chance is None else {"odds": chance}

    return told


def _subject(game: Game, battle: Battle, side: str, condition: Condition) -> int | None:
    state = game.state
    enemy = other_side(side)
    match condition.subject:
        case "round":
            return battle.round
        case "own_lost" | "enemy_lost":
            lost = battle.lost[side if condition.subject == "own_lost" else enemy]
            return sum(1 for _, kind in lost if condition.kind in (None, "unit", kind))
        case "own_left" | "enemy_left":
            units = battle.unhurt(state, side if condition.subject == "own_left" else enemy)
            return _count(game, battle, units, condition.kind)
        case "own_land":
            return sum(1 for unit in battle.unhurt(state, side) if is_land(game.rules, unit))
        case "attackers":
            return _count(game, battle, battle.unhurt(state, ATTACK), condition.kind)
        case "bombers" | "escorts":
            escorting = condition.subject == "escorts"
            return sum(1 for unit in battle.units(state, ATTACK) if can(game.rules, unit, "escort") == escorting)
        case "landing":
            return sum(1 for unit_id in battle.landed if unit_id in state.units)
        case "taken":
            if condition.space is None:
                return None
            return int(state.controller(condition.space) == battle.attacker)
        case "odds":
            return _odds(game, battle, side)
    return None


def _count(game: Game, battle: Battle, units: Iterable[Unit], kind: str | None) -> int:
    return sum(1 for unit in units if kind is None or is_kind(game.rules, kind, unit, battle))


def _odds(game: Game, battle: Battle, side: str) -> int | None:
    if "odds" not in game.rules.judgements:
        return None
    chance = game.rules.judge("odds", game.state, battle)
    if chance is None:
        return None
    return int(chance) if side == ATTACK else 1_000_000 - int(chance)
