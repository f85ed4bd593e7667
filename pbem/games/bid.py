"""A bid: extra money and units at the start, as the players agreed (S42-1.5.4, CLA-D19)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.games.catalog import UnknownGame
from pbem.rules.names import UnknownName, find_kind, find_power, find_space

MOST = 99
"""The highest number in a bid."""
WhyNot = Callable[[Board, str, str, str], str]
"""Why units of a kind cannot be placed for a power in a space; empty where they can."""


def with_bid(board: Board, bid: Mapping[str, Any], why_not: WhyNot, error: type[UnknownGame]) -> Board:
    """The board with a bid, {power: {"ipc": number, "units": {space: {kind: number}}}}.

    Raises `error`, whose message says what does not fit and what would.
    """
    powers = dict(board.powers)
    setup = {space: {owner: dict(kinds) for owner, kinds in row.items()} for space, row in board.facts["setup"].items()}
    try:
        for name, extra in bid.items():
            power = find_power(board, name)
            unknown = sorted(set(extra) - {"ipc", "units"})
            if unknown:
                raise error(f"option bid: {unknown[0]!r} is neither ipc nor units")
            money = _number(extra.get("ipc", 0), "IPC", 0, error)
            powers[power] = replace(powers[power], starting_ipc=powers[power].starting_ipc + money)
            for where, kinds in extra.get("units", {}).items():
                space = find_space(board, where)
                for kind_name, count in kinds.items():
                    kind = find_kind(board, kind_name)
                    if wrong := why_not(board, power, kind, space):
                        raise error(f"option bid: {wrong}")
                    there = setup.setdefault(space, {}).setdefault(power, {})
                    there[kind] = there.get(kind, 0) + _number(count, board.units[kind].plural.lower(), 1, error)
    except (UnknownName, AttributeError, TypeError) as failure:
        raise error(f"option bid cannot be read: {failure}") from None
    return replace(board, powers=powers, facts={**board.facts, "setup": setup})


def _number(value: Any, what: str, least: int, error: type[UnknownGame]) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
        raise error(f"option bid: {value!r} is no number of {what}; it is from {least} to {MOST}")
    return value
