"""The board of the classic game as editions and options change it: more kinds of units, a bid, one zone at Panama.

Units that only some rule sets know stand in the facts as `optional_units`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.board.units import FACILITY, SEA, unit_types
from pbem.games.bid import with_bid
from pbem.games.classic.parameters import UnknownOption

PANAMA = ("sz-caribbean", "sz-west-panama")
"""The two zones of the canal; where they are one, the second is part of the first (CLA-1.2.11)."""

IRON_BLITZ_DESTROYER: Mapping[str, Any] = {
    "cost": 8, "attack": 2, "defense": 2, "abilities": frozenset(("surface_warship",)),
}  # fmt: skip
"""A destroyer without power against submarines (CLA-1.3.1 and the unit table, CLA-6.8.8)."""


def with_options(printed: Board, parameters: Mapping[str, Any]) -> Board:
    """The printed board with what editions and options change on it."""
    board = printed
    kinds = [*parameters["extra_units"]]
    if parameters["destroyers_and_artillery"]:
        kinds += ["destroyer", "artillery"]
    board = with_units(board, kinds)
    if "marine" in parameters["extra_units"]:
        board = _changed(board, "destroyer", **IRON_BLITZ_DESTROYER)
    if parameters["destroyers_and_artillery"]:
        board = supported_by_artillery(board)
    if parameters["two_hit_battleship"] != "off":
        board = _changed(board, "battleship", hits=2)
    if parameters["one_panama_zone"]:
        board = _one_zone_at_panama(board)
    return with_bid(board, parameters["bid"], _why_no_bid, UnknownOption) if parameters["bid"] else board


def with_units(board: Board, kinds: Iterable[str]) -> Board:
    """The board with some of the optional kinds of units of its facts, which every power may buy."""
    optional: Mapping[str, Any] = board.facts.get("optional_units", {})
    table = dict(board.units)
    new = [kind for kind in kinds if kind not in table]
    for offset, (kind, unit) in enumerate(unit_types({kind: optional[kind] for kind in new}).items()):
        table[kind] = replace(unit, rank=_rank(board, kind, len(board.units) + offset))
    lists = {power: [*row, *new] for power, row in board.facts["build_lists"].items()}
    return replace(board, units=table, facts={**board.facts, "build_lists": lists})


def _rank(board: Board, kind: str, otherwise: int) -> int:
    """Optional units roll after the unit they resemble: marines and artillery after infantry."""
    return board.units["infantry"].rank if kind in ("marine", "artillery") else otherwise


def _changed(board: Board, kind: str, **figures: Any) -> Board:
    return replace(board, units={**board.units, kind: replace(board.units[kind], **figures)})


def supported_by_artillery(board: Board) -> Board:
    """Infantry that artillery supports attacks at 2, one for one, as the option's source has it."""
    infantry, artillery = board.units["infantry"], board.units["artillery"]
    board = _changed(
        board, "infantry",
        abilities=infantry.abilities | {"artillery_supportable"}, data={**infantry.data, "attack_supported": 2},
    )  # fmt: skip
    return _changed(board, "artillery", abilities=artillery.abilities | {"supports_infantry"})


def _one_zone_at_panama(board: Board) -> Board:
    """The two zones at Panama are one, and there is no canal (CLA-1.2.11)."""
    kept, gone = PANAMA
    beside = {
        space: tuple(dict.fromkeys(kept if other == gone else other for other in near))
        for space, near in board.neighbours.items()
        if space != gone
    }
    joined = board.in_board_order(o for o in (*board.neighbours[kept], *board.neighbours[gone]) if o not in PANAMA)
    beside[kept] = joined
    spaces = {space: row for space, row in board.spaces.items() if space != gone}
    canals = tuple(canal for canal in board.canals if set(canal.between) != set(PANAMA))
    return replace(board, spaces=spaces, neighbours=beside, canals=canals)


def _why_no_bid(board: Board, power: str, kind: str, space: str) -> str:
    """Units of a bid stand in own territory, and at sea beside own ships (CLA-D19)."""
    printed, unit = board.spaces[space], board.units[kind]
    if unit.domain == FACILITY:
        return f"{unit.plural.lower()} are no units to place by a bid"
    if printed.is_sea != (unit.domain == SEA):
        return f"{unit.plural.lower()} are not placed in {printed.name}"
    beside_own = printed.is_sea and power in board.facts["setup"].get(space, {})
    if printed.start_controller != power and not beside_own:
        return f"{board.powers[power].name} has nothing in {printed.name} to place a bid beside"
    return ""
