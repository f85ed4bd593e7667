"""A power's turn in the classic game: seven phases in order, two windows of orders, the end of turn and of round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.board.state import State
from pbem.games.classic import sent_again
from pbem.rules import turn as common
from pbem.rules.ruleset import RuleSet, Segment
from pbem.rules.script import Game
from pbem.rules.turn import (
    COLLECT_INCOME,
    COMBAT_MOVE,
    CONDUCT_COMBAT,
    MOBILIZE,
    NONCOMBAT_MOVE,
    PURCHASE,
    decided,
    pause,
    phases_to_play,
    play,
)

RESEARCH = "research"
PHASES = (RESEARCH, PURCHASE, COMBAT_MOVE, CONDUCT_COMBAT, NONCOMBAT_MOVE, MOBILIZE, COLLECT_INCOME)
"""The seven phases in their order (CLA-2.1)."""


def turn(game: Game) -> None:
    """One power's turn (CLA-2.1); a phase that was closed is never opened again (CLA-2.3).

    Research, purchases and combat moves are one mail, what follows combat another, or all of it one (CLA-14.4).
    """
    seat = (game.state.power or "",)
    own = tuple(phase for phase in PHASES if phase in game.rules.parameter("phases"))
    phases = phases_to_play(game.state, own)
    game.run("begin_turn")
    if not decided(game):
        game.run("moves_and_combat", seat, phases)
    if not decided(game):
        rest_of_turn(game, seat, phases)
    game.run("end_turn")


def moves_and_combat(game: Game, seat: tuple[str, ...], phases: tuple[str, ...]) -> None:
    """Research, purchases and combat moves, ordered in one window, and all battles (CLA-5.1.1)."""
    before = tuple(phase for phase in (RESEARCH, PURCHASE, COMBAT_MOVE) if phase in phases)
    orders = game.orders("moves", seat, before, asks=asked_with_moves(game, seat)) if before else {}
    for phase in before:
        play(game, phase, orders)
    if CONDUCT_COMBAT in phases:
        pause(game, "before_combat")
        play(game, CONDUCT_COMBAT)
        pause(game, "after_combat")


def asked_with_moves(game: Game, seat: tuple[str, ...]) -> list[Any]:
    """What the moves should decide too, as their window tells it: a variant's judgement `asked_with_moves`."""
    if "asked_with_moves" not in game.rules.judgements:
        return []
    return [ask for power in seat for ask in game.rules.judge("asked_with_moves", game.state, power)]


def rest_of_turn(game: Game, seat: tuple[str, ...], phases: tuple[str, ...]) -> None:
    """Noncombat moves, placement and income; orders for them may have been filed before the battles (CLA-14.2)."""
    ordered = tuple(phase for phase in (NONCOMBAT_MOVE, MOBILIZE, COLLECT_INCOME) if phase in phases)
    before = sent_again.ordered_before(game.state, seat[0], ordered)
    orders = game.orders("rest", seat, ordered, may_skip=True)
    if before:
        sent_again.note_who_got_out(game)
    for phase in ordered:
        play(game, phase, orders)
        pause(game, f"after_{phase}")


def next_segment(rules: RuleSet, state: State) -> Segment | None:
    """The next power's turn, the five in their fixed order, one turn each a round (CLA-1.1.1, CLA-2.2)."""
    segment = common.next_segment(rules, state)
    return None if segment is None else replace(segment, run=turn)
