"""Task forces as they stand on the table: which ship belongs to which, and where ships wait off the map.

A task force is a group of the state; its `data` holds the zone it was formed in and what else its rules wrote down.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.board.state import Group, State, Unit
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

CARRIER, BOMBARDMENT, AMPHIBIOUS = "carrier", "bombardment", "amphibious"
KIDO_BUTAI_ZONE = "sz-20"
FREE = "free"
"""In `data`: a force that cost no oil and counts toward no limit (WWM-8.12)."""
EASTERN = "eastern"
"""In `data`: the Eastern Operation (WWM-12.1)."""


def pool_of(power: str) -> str:
    """Where a power's capital ships wait off the map; it is no space (WWM-1.3, WWM-1.9)."""
    return f"pool:{power}"


def refit_of(power: str) -> str:
    """Where destroyers and transports of a broken-down force wait for their placement (WWM-10.4)."""
    return f"refit:{power}"


def is_capital(unit_kind: str) -> bool:
    """Whether a kind is a capital ship: battleship or carrier (WWM-1.2)."""
    return unit_kind in ("battleship", "carrier")


def forces_of(state: State, power: str) -> list[Group]:
    """A power's task forces, in the order in which they were formed."""
    return [group for group in state.groups.values() if group.power == power]


def force_of(state: State, unit_id: str) -> Group | None:
    """The task force of a ship; a ship belongs to at most one (WWM-7.11)."""
    return next((group for group in state.groups.values() if unit_id in group.units), None)


def is_lone_capital(state: State, unit: Unit) -> bool:
    """Whether a capital ship is in no task force, so that it neither moves nor fights (WWM-7.13)."""
    return is_capital(unit.kind) and force_of(state, unit.id) is None


def surface_ships(rules: RuleSet, units: Iterable[Unit]) -> list[Unit]:
    """Battleships, carriers, destroyers and transports among these (P01-1.6.8)."""
    return [unit for unit in units if rules.board.units[unit.kind].domain == "sea" and not can(rules, unit, "submerge")]


def settle(game: Game) -> None:
    """After ships were moved or sunk: each force knows its ships that are left and where they are."""
    for group in list(game.state.groups.values()):
        left = [unit_id for unit_id in group.units if unit_id in game.state.units]
        if not left:
            game.emit("group_dissolved", {"group": group.id, "why": "sunk"})
            continue
        places = [game.state.units[unit_id].space for unit_id in left]
        where = group.space if group.space in places else max(dict.fromkeys(places), key=places.count)
        if tuple(left) != group.units or where != group.space:
            renew(game, group, units=left, space=where)


def renew(game: Game, group: Group, *, units: Iterable[str], space: str, data: dict[str, Any] | None = None) -> None:
    """Write a force down anew under its id."""
    body = {"group": group.id, "kind": group.kind, "power": group.power, "space": space, "units": list(units)}
    game.emit("group_formed", {**body, "data": dict(group.data) if data is None else data})
