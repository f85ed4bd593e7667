"""Who is a friend, what may be entered, flown over and attacked, as far as relations between powers tell.

This is the plain case, two sides at war; a game with neutrals and peace replaces judgements by its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.map import IMPASSABLE, NEUTRAL
from pbem.board.state import State, Unit
from pbem.rules.citations import refuse
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import DeclareWar
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game
from pbem.rules.turn import controller_at_start


def allies(rules: RuleSet, state: State, a: str, b: str) -> bool:
    """Whether two powers fight together: one power, declared allies, or one side of the board."""
    return a == b or state.relation(a, b) == "allied" or rules.board.allied(a, b)


def friends_ground(rules: RuleSet, state: State, power: str, controller: str | None) -> bool:
    """Whether land of that controller is a friend's for a power: its own or an ally's (P40-1.2.3)."""
    return controller is not None and bool(rules.judge("allies", state, power, controller))


def friendly_territory(rules: RuleSet, state: State, power: str, space: str) -> bool:
    """Whether a territory is friendly to a power now (P40-1.2.3)."""
    return not rules.board.spaces[space].is_sea and bool(
        rules.judge("friends_ground", state, power, state.controller(space))
    )


def friendly_at_start(rules: RuleSet, state: State, power: str, space: str) -> bool:
    """Whether a territory was in friendly hands when this turn began (P40-1.2.10), Dutch land too (P40-13-B21)."""
    return not rules.board.spaces[space].is_sea and bool(
        rules.judge("friends_ground", state, power, controller_at_start(state, space))
    )


def hostile_territory(rules: RuleSet, state: State, power: str, space: str) -> bool:
    """Whether a territory is held by a power at war with `power` (P40-1.2.3)."""
    controller = state.controller(space)
    return not rules.board.spaces[space].is_sea and controller is not None and state.at_war(power, controller)


def closed_to(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """Why a power's piece may not enter a space at all, neither as a friend nor fighting; None if it may."""
    printed = rules.board.spaces[space]
    if printed.is_sea:
        return None
    if printed.kind == IMPASSABLE:
        return refuse(rules, "impassable", f"{printed.name} is impassable.", "Go round it.")
    if printed.kind == NEUTRAL and state.controller(space) is None:
        return refuse(rules, "neutral", f"{printed.name} is neutral; no unit may enter it.", "Go round it.")
    if rules.judge("friendly_territory", state, power, space) or rules.judge("hostile_territory", state, power, space):
        return None
    return refuse(
        rules, "peace", f"{printed.name} belongs to a power with which {rules.board.powers[power].name} is at peace."
    )


def fly_over(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """Why a power's aircraft may not pass over a space; None if it may (P40-4.3.1)."""
    refusal: Refusal | None = rules.judge("closed_to", state, power, unit, space)
    return refusal


def may_attack(rules: RuleSet, state: State, power: str, space: str) -> Refusal | None:
    """Why a power may not attack what is in a territory; None if it may."""
    if rules.judge("hostile_territory", state, power, space):
        return None
    name = rules.board.spaces[space].name
    who = rules.board.powers[power].name
    return refuse(rules, "must_fight", f"{name} is not in the hands of an enemy of {who}.")


def may_end_in(rules: RuleSet, state: State, power: str, unit: Unit, zone: str) -> Refusal | None:
    """Why a ship may not end its move in a sea zone although it may sail there; None if it may."""
    return None


def declare_war(game: Game, filed: Sequence[Filed]) -> None:
    """Declarations where everybody is at war from the start: there is nothing to declare."""
    for line in filed:
        if isinstance(line.order, DeclareWar):
            nothing = refuse(game.rules, "war", "In this game the sides are at war from the start.")
            game.refuse(line, "combat_move", nothing)


def capital_lost(rules: RuleSet, state: State, power: str) -> bool:
    """Whether a power has a capital and it is in enemy hands (P40-2.1.5, P40-6.11.4); China has none (P40-2.4.9)."""
    capital = rules.board.powers[power].capital
    if capital is None:
        return False
    holder = state.controller(capital)
    return holder != power and (holder is None or not rules.judge("allies", state, power, holder))
