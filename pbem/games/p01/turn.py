"""The turn of a seat in Pacific (2001): nine phases in order, and whose turn comes next.

Two phases have no orders: resurfacing and repairs belong to the beginning of the collection of income.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.state import State
from pbem.games.p01.income import divide_fund
from pbem.games.p01.money import purse
from pbem.games.p01.parameters import CONVOY_FUND, JAPAN, UK
from pbem.games.p01.victory import SEATS, seat_of
from pbem.rules import marks
from pbem.rules.citations import cites
from pbem.rules.query import acting, can
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
    end_turn,
    hostile_zones,
    phases_to_play,
    play,
)

LAND_CAP = "land_cap"
PHASES = (PURCHASE, LAND_CAP, COMBAT_MOVE, CONDUCT_COMBAT, NONCOMBAT_MOVE, MOBILIZE, COLLECT_INCOME)
"""The phases that have a name of their own (P01-2.1.1)."""
FIRST_SPLIT = "convoys"


def turn(game: Game) -> None:
    """One seat's turn; both countries of a seat do each phase before the next (P01-2.1.2, P01-12.1.1).

    What is ordered for a phase that is over comes too late (P01-2.1.3): it is never looked at.
    """
    seat = acting(game.rules, game.state.power or "")
    phases = phases_to_play(game.state, PHASES)
    begin_turn(game)
    if not decided(game):
        _first_half(game, seat, phases)
    if not decided(game):
        second_half(game, seat, phases)
    _end(game, seat[0])


def begin_turn(game: Game) -> None:
    """A turn's first moment; a round begins with Japan's (P01-1.2.1). A case may begin with convoy money undivided."""
    power = game.state.power or ""
    if marks.BEGINS_AT in game.state.marks:
        begins: Mapping[str, Any] = game.state.marks[marks.BEGINS_AT]
        game.emit("mark_set", {"key": marks.BEGINS_AT, "value": None})
        if begins["phase"] == PURCHASE and power == JAPAN:
            game.emit("round_begun", {"round": game.state.round})
    elif power == JAPAN:
        game.emit("round_begun", {"round": game.state.round})
    if game.state.counter(*purse(CONVOY_FUND)):
        at_start = game.state.round == 1 and power == JAPAN
        lines = game.orders(FIRST_SPLIT, (UK,), (COLLECT_INCOME,), may_skip=True) if at_start else {}
        divide_fund(game, lines.get(COLLECT_INCOME, ()))
    hostile = hostile_zones(game.rules, game.state, power)
    if hostile:
        game.emit("mark_set", {"key": marks.HOSTILE_AT_START, "value": hostile})


def first_split(game: Game) -> None:
    """Before anything else Britain says how its first convoy money is divided; then Japan's turn begins."""
    lines = game.orders(FIRST_SPLIT, (UK,), (COLLECT_INCOME,), may_skip=True)
    divide_fund(game, lines[COLLECT_INCOME])
    game.emit("mark_set", {"key": marks.BEGINS_AT, "value": {"round": 1, "power": JAPAN, "phase": PURCHASE}})


def _first_half(game: Game, seat: tuple[str, ...], phases: tuple[str, ...]) -> None:
    """Purchases, landings of patrols, combat moves, reactions, combat (P01-5.1.1)."""
    ordered = tuple(phase for phase in (PURCHASE, LAND_CAP, COMBAT_MOVE) if phase in phases)
    orders = game.orders("moves", seat, ordered) if ordered else {}
    for phase in (PURCHASE, LAND_CAP):
        if phase in phases:
            play(game, phase, orders)
    if COMBAT_MOVE in phases:
        fight_after_moves(game, orders, phases)
    elif CONDUCT_COMBAT in phases:
        play(game, CONDUCT_COMBAT)
        game.boundary("after_combat")


def fight_after_moves(game: Game, orders: Mapping[str, Any], phases: tuple[str, ...]) -> None:
    """Combat moves, the opponents' reactions (P01-5.1.6, P01-13.1.3) and all battles."""
    play(game, COMBAT_MOVE, orders)
    game.boundary("before_combat")
    game.run("reactions")
    if CONDUCT_COMBAT in phases:
        play(game, CONDUCT_COMBAT)
        game.boundary("after_combat")


def second_half(game: Game, seat: tuple[str, ...], phases: tuple[str, ...]) -> None:
    """Noncombat moves, placement, phase 8 and income, ordered in one window."""
    ordered = tuple(phase for phase in (NONCOMBAT_MOVE, MOBILIZE, COLLECT_INCOME) if phase in phases)
    orders = game.orders("rest", seat, ordered, may_skip=True)
    for phase in ordered:
        play(game, phase, orders)
        game.boundary(f"after_{phase}")
        if phase == MOBILIZE:
            game.run("resurface")


def resurface(game: Game) -> None:
    """Phase 8: the seat's submarines come up, its battleships are righted, free and anywhere (P01-10.1.1, P01-10.1.2).

    Submarines of others stay down until their own seat's phase 8 (P01-10.1.3).
    """
    seat = acting(game.rules, game.state.power or "")
    own = [unit for unit in game.state.units.values() if unit.owner in seat]
    under = [unit.id for unit in own if unit.mark(marks.SUBMERGED)]
    if under:
        game.emit("units_marked", {"units": under, "set": {marks.SUBMERGED: None}}, cites(game.rules, "resurface"))
    by_space: dict[str, list[str]] = {}
    for unit in own:
        if unit.damage and can(game.rules, unit, "repairs_end_of_turn"):
            by_space.setdefault(unit.space, []).append(unit.id)
    for space, damaged in by_space.items():
        righted = {"space": space, "damage": dict.fromkeys(damaged, 0), "why": "repair"}
        game.emit("units_damaged", righted, cites(game.rules, "righted"))


def _end(game: Game, seat: str) -> None:
    """A turn's last moment: victories of those who hold a capital, and everything fresh again."""
    game.run("turn_completed", seat)
    end_turn(game)


# -- whose turn it is -------------------------------------------------------------------------------------------------


def next_segment(rules: RuleSet, state: State) -> Segment | None:
    """The next seat's turn, in an order that never changes (P01-1.2.1 to P01-1.2.3); None when the game is won."""
    if state.winner is not None:
        return None
    begins: Mapping[str, Any] | None = state.marks.get(marks.BEGINS_AT)
    if begins is not None:
        return turn_of(rules, seat_of(begins["power"]), begins["round"])
    if state.power is None and state.counter(*purse(CONVOY_FUND)):
        return Segment(f"r1.{FIRST_SPLIT}", 1, (UK,), first_split)
    if state.power is None:
        return turn_of(rules, SEATS[0], max(state.round, 1))
    place = SEATS.index(seat_of(state.power)) + 1
    if place == len(SEATS):
        return turn_of(rules, SEATS[0], state.round + 1)
    return turn_of(rules, SEATS[place], state.round)


def turn_of(rules: RuleSet, seat: str, round_number: int) -> Segment:
    """The segment that is one seat's turn."""
    return Segment(f"r{round_number}.{seat}", round_number, acting(rules, seat), turn)
