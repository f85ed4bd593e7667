"""The reaction window: all opponents decide at once, sealed, and their decisions take effect before any battle."""

from __future__ import annotations

from pbem.rules.decisions import Decision
from pbem.rules.reactions.intercept import fly_interceptions, intercept_decisions
from pbem.rules.reactions.kamikaze import kamikaze_decisions, strike
from pbem.rules.reactions.scramble import fly_scrambles, scramble_decisions
from pbem.rules.script import Game


def reactions(game: Game) -> None:
    """Ask all powers in one window, then carry out what they decided (P40-5.0.1 to 5.0.3, P40-2.1.3, P40-11.1).

    Combat moves are frozen; kamikazes, scrambles and interceptions are all committed before any of their dice, which
    are rolled next (P40-13-B3). No reaction changes what the attacker assigned.
    """
    decisions = list(game.run("reaction_decisions"))
    if not decisions:
        return
    answers = game.ask(decisions)
    fly_scrambles(game, answers)
    fly_interceptions(game, answers)
    strike(game, answers)


def reaction_decisions(game: Game) -> list[Decision]:
    """The questions of the window: only where by public information something other than none is legal."""
    return [*kamikaze_decisions(game), *scramble_decisions(game), *intercept_decisions(game)]
