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
from pbem.games.s42.parameters import UnknownOption
from pbem.rules import politics
from pbem.rules.decisions import Refusal
from pbem.rules.names import UnknownName, find_kind, find_power, find_space
from pbem.rules.query import is_ship
from pbem.rules.ruleset import RuleSet

BLACK_SEA = "sz-16"
MOST = 99
"""The highest number in a bid."""


def with_options(printed: Board, chosen: Mapping[str, Any]) -> Board:
    """The printed board with what options change on it: units that escort and intercept, a bid."""
    board = printed
    if chosen["interceptors"]:
        board = _fighters_escort(board)
    return _with_bid(board, chosen["bid"]) if chosen["bid"] else board


def _fighters_escort(board: Board) -> Board:
    """Fighters escort raids and intercept them (S42-1.5.1, S42-5.4.1)."""
    fighter = board.units["fighter"]
    able = replace(fighter, abilities=fighter.abilities | {"escort", "intercept"})
    return replace(board, units={**board.units, "fighter": able})


def _with_bid(board: Board, bid: Mapping[str, Any]) -> Board:
    """Extra money and units at the start, as the players agreed (S42-1.5.4).

    `bid` is {power: {"ipc": number, "units": {space: {kind: number}}}}; UnknownOption says what does not fit.
    """
    powers = dict(board.powers)
    setup = {space: {owner: dict(kinds) for owner, kinds in row.items()} for space, row in board.facts["setup"].items()}
    try:
        for name, extra in bid.items():
            power = find_power(board, name)
            unknown = sorted(set(extra) - {"ipc", "units"})
            if unknown:
                raise UnknownOption(f"option bid: {unknown[0]!r} is neither ipc nor units")
            money = _number(extra.get("ipc", 0), "IPC", least=0)
            powers[power] = replace(powers[power], starting_ipc=powers[power].starting_ipc + money)
            for where, kinds in extra.get("units", {}).items():
                space = find_space(board, where)
                there = setup.setdefault(space, {}).setdefault(power, {})
                for kind_name, count in kinds.items():
                    kind = find_kind(board, kind_name)
                    _may_stand(board, power, kind, space)
                    there[kind] = there.get(kind, 0) + _number(count, board.units[kind].plural.lower(), least=1)
    except (UnknownName, AttributeError, TypeError) as error:
        raise UnknownOption(f"option bid cannot be read: {error}") from None
    return replace(board, powers=powers, facts={**board.facts, "setup": setup})


def _number(value: Any, what: str, least: int) -> int:
    """A whole number of a bid, within reason."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        raise UnknownOption(f"option bid: {value!r} is no number of {what}; it is from {least} to {MOST}")
    return value


def _may_stand(board: Board, power: str, kind: str, space: str) -> None:
    """Extra units stand where units of their kind can: ships at sea, others in land of their own side (S42-1.3.4)."""
    unit, printed = board.units[kind], board.spaces[space]
    wrong = ""
    if unit.domain == FACILITY:
        wrong = "complexes are not part of a bid"
    elif (unit.domain == SEA) != printed.is_sea:
        wrong = f"{unit.plural.lower()} do not stand in {printed.name}"
    elif not printed.is_sea and printed.start_controller not in board.sides[board.side_of(power) or ""]:
        wrong = f"{printed.name} is not in the hands of {board.powers[power].name} or an ally"
    if wrong:
        raise UnknownOption(f"option bid: {wrong}")


def closed_black_sea(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """No ship enters or leaves the Black Sea; units may still be mobilized and fight there (S42-1.5.2)."""
    if is_ship(rules, unit) and (space == BLACK_SEA) != (unit.space == BLACK_SEA):
        name = rules.board.spaces[BLACK_SEA].name
        return Refusal(
            f"{name} is closed: in this campaign no ship enters or leaves it.", "S42-1.5.2", "Stay on this side of it."
        )
    return politics.closed_to(rules, state, power, unit, space)
