"""The turn with its seventh phase, and what cards add to its first and last moments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pbem.board.state import State
from pbem.games.s42.fov import hands
from pbem.games.s42.fov.lending import end_lending
from pbem.games.s42.fov.table import CARDS, DECKS, DRAW_PHASE
from pbem.rules import turn as common
from pbem.rules.ruleset import RuleSet, Segment
from pbem.rules.script import Game

PHASES = (*common.PHASES, DRAW_PHASE)
"""The six phases of the base game, then the draw (FOV-2.1.1)."""


def turn(game: Game) -> None:
    """One power's turn; the draw comes after income and before the victory check of the round (FOV-2.1.1)."""
    power = game.state.power or ""
    phases = common.phases_to_play(game.state, PHASES)
    game.run("begin_turn")
    if not common.decided(game):
        common.first_half(game, (power,), phases)
    if not common.decided(game) and any(phase in phases for phase in common.PHASES[3:]):
        common.second_half(game, (power,), phases)
    if not common.decided(game):
        common.play(game, DRAW_PHASE, None)
    game.run("end_turn")


def next_segment(rules: RuleSet, state: State) -> Segment | None:
    """As in the base game, with this turn."""
    segment = common.next_segment(rules, state)
    return None if segment is None else replace(segment, run=turn)


def begin_turn(base: Callable[..., Any]) -> Callable[..., Any]:
    """The first turn of all tells which cards everybody starts with (FOV-1.2, FOV-1.3)."""

    def step(game: Game) -> None:
        base(game)
        if game.state.round == 1 and game.state.power == common.first_power(game.rules):
            starts = {power: [kind.id for kind in CARDS.values() if power in kind.start] for power in game.board.powers}
            sizes = {deck: game.state.decks[deck]["left"] for deck in DECKS if deck in game.state.decks}
            told = {"cards": {power: names for power, names in starts.items() if names}, "piles": sizes}
            game.emit("cards_dealt", told, ("FOV-1.1", "FOV-1.2", "FOV-1.3"))

    return step


def end_turn(base: Callable[..., Any]) -> Callable[..., Any]:
    """Bombers are lent for one turn only; when the game is over all piles are opened (FOV-4.5.1, FOV-6.1.7)."""

    def step(game: Game) -> None:
        end_lending(game, game.state.power or "")
        base(game)
        if game.state.winner is not None:
            hands.open_all(game)

    return step
