"""Winning 1942 Second Edition: victory cities, counted when a round is complete."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.board.state import State
from pbem.rules import turn
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def end_turn(game: Game) -> None:
    """The turn ends; after the last power's the round is complete and victory is checked (S42-2.1.6, S42-9.2.1)."""
    if game.state.power == turn.turn_order(game.rules)[-1] and game.state.winner is None:
        declare_victory(game)
    turn.end_turn(game)


def declare_victory(game: Game) -> None:
    """A side that holds enough victory cities now has won; what it held before counts for nothing (S42-1.2.3)."""
    needed: Mapping[str, int] = game.rules.parameter("victory_cities")
    for side in game.board.sides:
        if cities_of(game.rules, game.state, side) >= needed[side]:
            rule = "S42-1.2.4" if game.rules.parameter("total_victory") else "S42-1.2.2"
            game.emit("game_won", {"side": side, "how": "victory"}, (rule, "S42-1.2.3", "S42-9.2.1"))
            return


def cities_of(rules: RuleSet, state: State, side: str) -> int:
    """Victory cities that powers of a side control, whichever of them does (S42-1.2.1, S42-10.8.1)."""
    members = rules.board.sides[side]
    cities = (space.id for space in rules.board.spaces.values() if space.victory_city)
    return sum(1 for city in cities if state.controller(city) in members)
