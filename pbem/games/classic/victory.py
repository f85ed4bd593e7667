"""Winning the classic game: capitals at the end of a turn, the Axis economy at the end of a round."""

from __future__ import annotations

from pbem.board.state import State
from pbem.games.classic.parameters import AXIS_ECONOMY, CAPITALS_TO_WIN
from pbem.games.classic.research import delayed_weapons
from pbem.rules import turn
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def begin_turn(game: Game) -> None:
    """The turn begins; battleships hit before are whole again, where the option repairs them now (CLA-13.2)."""
    turn.begin_turn(game)
    if game.rules.parameter("two_hit_battleship") == "start_of_turn":
        repair_battleships(game)


def end_turn(game: Game) -> None:
    """The turn ends after its income: victory is looked for, then marks are wiped (CLA-11.1)."""
    delayed_weapons(game)
    if game.rules.parameter("two_hit_battleship") == "end_of_turn":
        repair_battleships(game)
    last = game.state.power == turn.turn_order(game.rules)[-1]
    if game.state.winner is None and (last or game.rules.parameter("victory_check") == "booklet"):
        declare_military(game)
    if game.state.winner is None and last:
        declare_economic(game)
    turn.end_turn(game)


def repair_battleships(game: Game) -> None:
    """Damaged battleships of the active power are whole again (CLA-13.2)."""
    for space in game.board.spaces:
        hurt = [u.id for u in game.state.units_in(space) if u.damage and u.owner == game.state.power]
        if hurt:
            whole = {"space": space, "damage": dict.fromkeys(hurt, 0), "why": "repair"}
            game.emit("units_damaged", whole, ("CLA-13.2",))


def declare_military(game: Game) -> None:
    """Two enemy capitals win for either side; both cannot come true in one turn (CLA-11.2, CLA-11.3, CLA-11.6)."""
    for side, rule in (("axis", "CLA-11.2"), ("allies", "CLA-11.3")):
        if holds_capitals(game.rules, game.state, side):
            game.emit("game_won", {"side": side, "how": "victory"}, (rule, "CLA-11.1"))
            return


def holds_capitals(rules: RuleSet, state: State, side: str) -> bool:
    """Whether a side holds enough enemy capitals, and with `total_victory` all its own (CLA-11.2, CLA-11.3)."""
    own = rules.board.sides[side]
    capitals = {space.id: space.capital_of for space in rules.board.spaces.values() if space.capital_of}
    taken = sum(owner not in own and state.controller(space) in own for space, owner in capitals.items())
    kept = all(state.controller(space) in own for space, owner in capitals.items() if owner in own)
    return taken >= CAPITALS_TO_WIN[side] and (kept or not rules.parameter("total_victory"))


def declare_economic(game: Game) -> None:
    """At the end of a round the Axis win with land worth 84 (CLA-11.4, CLA-11.8); the Allies only by option (11.5)."""
    if game.rules.parameter("economic_victory") and economy(game.rules, game.state, "axis") >= AXIS_ECONOMY:
        game.emit("game_won", {"side": "axis", "how": "economy"}, ("CLA-11.4", "CLA-11.1"))
        return
    needed = int(game.rules.parameter("allied_economic_victory"))
    if needed and economy(game.rules, game.state, "allies") >= needed:
        game.emit("game_won", {"side": "allies", "how": "economy"}, ("CLA-11.5", "CLA-11.1"))


def economy(rules: RuleSet, state: State, side: str) -> int:
    """What the territories of a side are worth together, in IPC."""
    own = rules.board.sides[side]
    return sum(space.ipc for space in rules.board.spaces.values() if state.controller(space.id) in own)
