"""A power's turn from its first moment to its last: the order of the phases, and nothing of what happens in them.

Phases are steps of the rule set; this file calls them in order, opens the two windows of orders and stops the turn
when the game is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.ruleset import RuleSet, Segment
from pbem.rules.script import Filed, Game

PURCHASE, COMBAT_MOVE, CONDUCT_COMBAT = "purchase", "combat_move", "conduct_combat"
NONCOMBAT_MOVE, MOBILIZE, COLLECT_INCOME = "noncombat_move", "mobilize", "collect_income"
PHASES = (PURCHASE, COMBAT_MOVE, CONDUCT_COMBAT, NONCOMBAT_MOVE, MOBILIZE, COLLECT_INCOME)
"""The six phases in their order (P40-2.1.1)."""


def turn(game: Game) -> None:
    """One power's turn: six phases in order (P40-2.1.1); a phase that was closed is never reopened (P40-2.1.2)."""
    seat = (_active(game),)
    phases = phases_to_play(game.state, PHASES)
    game.run("begin_turn")
    if not decided(game):
        first_half(game, seat, phases)
    if not decided(game):
        second_half(game, seat, phases)
    game.run("end_turn")


def first_half(game: Game, seat: tuple[str, ...], phases: tuple[str, ...]) -> None:
    """Purchases, combat moves, the opponents' reactions (P40-2.1.3) and combat."""
    ordered = tuple(phase for phase in (PURCHASE, COMBAT_MOVE) if phase in phases)
    orders = game.orders("moves", seat, ordered) if ordered else {}
    if PURCHASE in phases:
        play(game, PURCHASE, orders)
    if COMBAT_MOVE in phases:
        play(game, COMBAT_MOVE, orders)
        pause(game, "before_combat")
        game.run("reactions")
    if CONDUCT_COMBAT in phases:
        play(game, CONDUCT_COMBAT)
        pause(game, "after_combat")


def second_half(game: Game, seat: tuple[str, ...], phases: tuple[str, ...]) -> None:
    """Noncombat moves, placement and income, ordered in one window that closes at once for who filed before."""
    ordered = tuple(phase for phase in (NONCOMBAT_MOVE, MOBILIZE, COLLECT_INCOME) if phase in phases)
    orders = game.orders("rest", seat, ordered, may_skip=True)
    for phase in ordered:
        play(game, phase, orders)
        pause(game, f"after_{phase}")


def play(game: Game, phase: str, orders: Mapping[str, tuple[Filed, ...]] | None = None) -> None:
    """One phase from its beginning to its end; only phases with orders are given lines."""
    power = _active(game)
    game.emit("phase_begun", {"power": power, "phase": phase})
    if orders is None:
        game.run(phase)
    else:
        game.run(phase, orders.get(phase, ()))
    game.emit("phase_ended", {"power": power, "phase": phase})


def pause(game: Game, name: str) -> None:
    """A place where a moderator's corrections take effect; what they do to a victory being held is noted."""
    game.boundary(name)
    game.run("watch_victory")


def decided(game: Game) -> bool:
    """Whether the game is over, by victory or because a side conceded."""
    game.run("concession")
    return game.state.winner is not None


def begin_turn(game: Game) -> None:
    """A turn's first moment: the round is named, a victory that was held long enough is declared (P40-10.4).

    The start-of-turn snapshot (P40-1.2.10) is kept as what changes against it: `marks.taken` remembers who held a
    space that was taken since; the zones that are hostile now are written down.
    """
    power = _active(game)
    if marks.BEGINS_AT in game.state.marks:
        game.emit("mark_set", {"key": marks.BEGINS_AT, "value": None})
    elif power == first_power(game.rules):
        game.emit("round_begun", {"round": game.state.round})
    game.run("declare_victory")
    hostile = hostile_zones(game.rules, game.state, power)
    if hostile:
        game.emit("mark_set", {"key": marks.HOSTILE_AT_START, "value": hostile})


def end_turn(game: Game) -> None:
    """A turn's last moment: what was written down about it is wiped, every piece is fresh again."""
    for key in [key for key in game.state.marks if key.startswith(marks.TURN_PREFIX)]:
        game.emit("mark_set", {"key": key, "value": None})
    if any(unit.spent or unit.marks for unit in game.state.units.values()):
        game.emit("units_refreshed", {"keep": list(game.rules.parameters.get("marks_kept", ()))})


def hostile_zones(rules: RuleSet, state: State, power: str) -> list[str]:
    """Sea zones hostile to a power now (P40-1.2.5), in the board's order."""
    zones = [space.id for space in rules.board.spaces.values() if space.is_sea]
    return [zone for zone in zones if rules.judge("hostile_zone", state, power, zone)]


def controller_at_start(state: State, space: str) -> str | None:
    """Who controlled a space when this turn began (P40-1.2.10)."""
    before = state.marks.get(marks.taken(space))
    return state.controller(space) if before is None else before or None


# -- whose turn it is -------------------------------------------------------------------------------------------------


def next_segment(rules: RuleSet, state: State) -> Segment | None:
    """The next power's turn (P40-1.1.1, P40-10.6); None when the game is won."""
    if state.winner is not None:
        return None
    begins: Mapping[str, Any] | None = state.marks.get(marks.BEGINS_AT)
    if begins is not None:
        return turn_of(begins["power"], begins["round"])
    order = turn_order(rules)
    if state.power is None:
        return turn_of(order[0], max(state.round, 1))
    place = order.index(state.power) + 1
    if place == len(order):
        return turn_of(order[0], state.round + 1)
    return turn_of(order[place], state.round)


def turn_of(power: str, round_number: int) -> Segment:
    """The segment that is one power's turn."""
    return Segment(f"r{round_number}.{power}", round_number, (power,), turn)


def turn_order(rules: RuleSet) -> tuple[str, ...]:
    """Powers in the order in which they play (P40-1.1.1); those that are no players have no turn (P40-1.1.3)."""
    playing = [power for power in rules.board.powers.values() if power.playable]
    return tuple(power.id for power in sorted(playing, key=lambda power: power.order))


def first_power(rules: RuleSet) -> str:
    """The power that opens every round."""
    return turn_order(rules)[0]


def phases_to_play(state: State, phases: tuple[str, ...]) -> tuple[str, ...]:
    """All phases, or those from where a case begins."""
    begins: Mapping[str, Any] | None = state.marks.get(marks.BEGINS_AT)
    return phases if begins is None else phases[phases.index(begins["phase"]) :]


def _active(game: Game) -> str:
    power = game.state.power
    assert power is not None, "a turn belongs to a power"
    return power
