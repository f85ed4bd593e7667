"""The board of 1942 Second Edition as the options change it: fighters that escort, a bid, the closed Black Sea.

The board itself is facts: powers, sides and the order of play (S42-1.1.1, S42-1.1.2), treasuries, emblems and capitals
(S42-1.1.4, S42-1.1.7, S42-1.1.8), borders and islands (S42-1.3.1 to 1.3.3), the table of units (S42-1.4.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State, Unit
from pbem.board.units import FACILITY, SEA
from pbem.games.bid import with_bid
from pbem.games.s42.parameters import UnknownOption
from pbem.rules import politics
from pbem.rules.decisions import Refusal
from pbem.rules.query import is_ship
from pbem.rules.ruleset import RuleSet

BLACK_SEA = "sz-16"


def with_options(printed: Board, chosen: Mapping[str, Any]) -> Board:
    """The printed board with what options change on it: units that escort and intercept, a bid."""
    board = printed
    if chosen["interceptors"]:
        board = _fighters_escort(board)
    return with_bid(board, chosen["bid"], _why_no_bid, UnknownOption) if chosen["bid"] else board


def _fighters_escort(board: Board) -> Board:
    """Fighters escort raids and intercept them (S42-1.5.1, S42-5.4.1)."""
    fighter = board.units["fighter"]
    able = replace(fighter, abilities=fighter.abilities | {"escort", "intercept"})
    return replace(board, units={**board.units, "fighter": able})


def _why_no_bid(board: Board, power: str, kind: str, space: str) -> str:
    """Extra units stand where units of their kind can: ships at sea, others in land of their own side.

    S42-1.3.4, S42-1.5.4.
    """
    unit, printed = board.units[kind], board.spaces[space]
    if unit.domain == FACILITY:
        return "complexes are not part of a bid"
    if (unit.domain == SEA) != printed.is_sea:
        return f"{unit.plural.lower()} do not stand in {printed.name}"
    if not printed.is_sea and printed.start_controller not in board.sides[board.side_of(power) or ""]:
        return f"{printed.name} is not in the hands of {board.powers[power].name} or an ally"
    return ""


def closed_black_sea(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """No ship enters or leaves the Black Sea; units may still be mobilized and fight there (S42-1.5.2)."""
    if is_ship(rules, unit) and (space == BLACK_SEA) != (unit.space == BLACK_SEA):
        name = rules.board.spaces[BLACK_SEA].name
        return Refusal(
            f"{name} is closed: in this campaign no ship enters or leaves it.", "S42-1.5.2", "Stay on this side of it."
        )
    return politics.closed_to(rules, state, power, unit, space)
