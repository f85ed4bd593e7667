"""Examples of how to answer, taken from the reader's own position: guesses that somebody else tries out.

The candidates come from what the reader may see; whether one would be accepted now is asked of the very function that
takes orders in. So an example is never a line that would be refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State
from pbem.board.units import LAND
from pbem.report.model import Due

ALTERNATIVES = 4
"""Answers to a question shown at most."""
TRIES = 16
"""Candidates tried at most: each costs a dry run."""


def example_for(
    state: State,
    board: Board,
    powers: Sequence[str],
    due: Due | None,
    accepted: Callable[[Sequence[str]], bool],
) -> tuple[str, ...]:
    """The first orders whose every line would be accepted; for a question a few lines each of which would be.

    () if there is none, or nothing to answer.
    """
    if due is None:
        return ()
    mine = [power for power in powers if power in due.powers]
    if not mine:
        return ()
    power = mine[0]
    heading = [f"{power}:"] if len(powers) > 1 else []
    if due.kind != "orders":
        lines = (line for ask in due.asks if ask.get("power") == power for line in _answers(ask, board))
        each = (line for line in islice(lines, TRIES) if accepted([*heading, line]))
        return (*heading, *found) if (found := list(islice(each, ALTERNATIVES))) else ()
    for orders in islice(_candidates(state, board, power, due), TRIES):
        if accepted([*heading, *orders]):
            return (*heading, *orders)
    return ()


def _candidates(state: State, board: Board, power: str, due: Due) -> Iterator[list[str]]:
    if "combat_move" in due.phases:
        yield from _combat(state, board, power)
    elif "noncombat_move" in due.phases or "mobilize" in due.phases:
        yield from _rest(state, board, power)
    yield ["ready"]


def _combat(state: State, board: Board, power: str) -> Iterator[list[str]]:
    buy = "buy 1 infantry"
    moves = list(border_moves(state, board, power, hostile=True))
    for move in moves[:5]:
        yield [buy, move, "ready"]
    for move in moves[:3]:
        yield [move, "ready"]
    yield [buy, "ready"]


def _rest(state: State, board: Board, power: str) -> Iterator[list[str]]:
    moves = list(border_moves(state, board, power, hostile=False))
    for move in moves[:5]:
        yield [move, "ready"]
    yield ["rest default"]


def border_moves(state: State, board: Board, power: str, *, hostile: bool) -> Iterator[str]:
    """Moves of one land unit kind over one border: into enemy land, or between the power's own territories."""
    for space in board.spaces.values():
        if space.is_sea:
            continue
        counts: dict[str, int] = {}
        for unit in state.units_in(space.id):
            kind = board.units.get(unit.kind)
            fits = kind is not None and kind.domain == LAND and kind.move > 0 and (kind.attack > 0 or not hostile)
            if fits and unit.owner == power and unit.aboard is None and not unit.spent:
                counts[unit.kind] = counts.get(unit.kind, 0) + 1
        if not counts:
            continue
        kind_id = max(counts, key=lambda name: (counts[name], -board.units[name].rank))
        for there in board.lands_beside(space.id):
            holder = state.controller(there)
            enemy = holder is not None and state.at_war(power, holder)
            if enemy if hostile else holder == power:
                number = min(counts[kind_id], 2)
                kind = board.units[kind_id]
                name = (kind.name if number == 1 else kind.plural).lower()
                yield f"{number} {name} {space.name} -> {board.spaces[there].name}"


def _answers(ask: Mapping[str, Any], board: Board) -> Iterator[str]:
    """Lines that may answer a question, from what it shows to everybody."""
    kind, place = str(ask.get("kind")), str(ask.get("space"))
    where = board.spaces[place].name if place in board.spaces else ""
    if kind in ("casualties", "air_losses", "aa_losses", "choose"):
        word = {"aa_losses": "aa losses", "air_losses": "air losses"}.get(kind, kind)
        for unit in ask.get("units", ()):
            if unit in board.units:
                yield f"{word} {where}: {board.units[unit].name.lower()} first"
    elif kind == "retreat":
        for target in ask.get("to", ()):
            if target in board.spaces:
                yield f"retreat {where} to {board.spaces[target].name}"
        yield f"press on {where}"
    elif kind == "submerge":
        yield f"submerge {where}: all"
    elif kind == "intercept":
        yield f"intercept {where}: 1 fighter"
        yield f"intercept {where}: none"
    elif kind == "scramble":
        for base in ask.get("bases", ()):
            for zone in base.get("zones", ()):
                for unit in base.get("units", ()):
                    if unit in board.units and zone in board.spaces and base.get("space") in board.spaces:
                        name, start = board.units[unit].name.lower(), board.spaces[base["space"]].name
                        yield f"scramble 1 {name} {start} -> {board.spaces[zone].name}"
        yield "scramble none"
    elif kind == "kamikaze":
        for zone in ask.get("zones", ()):
            for unit in zone.get("targets", ()):
                if unit in board.units and zone.get("zone") in board.spaces:
                    yield f"kamikaze {board.spaces[zone['zone']].name}: 1 on {board.units[unit].name.lower()}"
        yield "kamikaze none"
