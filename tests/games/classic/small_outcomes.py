"""What becomes of the pieces on a small map when a retreat is carried out: moved by hand, as at a table.

Nothing of the game is used here but its words for pieces: the rules are those of the book, worked out piece by piece,
so that they can be compared with what the game does over several rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.board.state import Unit
from tests.games.classic.small_rules import Way, rescuers
from tests.games.classic.small_world import World, allied

ORDER_OF_PLAY = ("ussr", "germany", "uk", "japan", "usa")
HEAVY = ("tank", "artillery")
Standing = dict[str, tuple[str, str, bool]]
"""Piece -> its kind, where it is, and whether it is aboard."""


def where_all_are(units: Mapping[str, Unit] | tuple[Unit, ...]) -> Standing:
    """Every piece, its kind, its space, and whether it is aboard a ship."""
    pieces = units.values() if isinstance(units, Mapping) else units
    return {unit.id: (unit.kind, unit.space, unit.aboard is not None) for unit in pieces}


def carried_out(world: World, plan: Mapping[str, Way | None], owner: str) -> World:
    """The map when units went as planned: tanks and artillery that boarded are infantry (ERR-4.4, ERR-8.7)."""
    for uid, way in plan.items():
        if way is None:
            continue
        how, to, zone = way
        unit = next(unit for unit in world.units if unit.id == uid)
        lifted = world.lifted
        if zone is not None:
            ship = _with_a_place(world, owner, zone)
            kind = "infantry" if unit.kind in HEAVY else unit.kind
            unit = replace(unit, kind=kind, space=to, aboard=ship if how == "aboard" else None)
            if how == "ashore":
                lifted = {**lifted, ship: lifted.get(ship, 0) + 1}
        else:
            unit = replace(unit, space=to)
        units = tuple(unit if other.id == uid else other for other in world.units)
        world = replace(world, units=units, lifted=lifted)
    return world


def _with_a_place(world: World, owner: str, zone: str) -> str:
    """A ship of the zone that takes one more of a power's infantry, own ships first."""
    found = []
    for ship in world.at(zone):
        mine = ship.owner == owner
        if ship.kind != "transport" or not allied(owner, ship.owner) or not (mine or ship.owner not in world.unwilling):
            continue
        cargo = [unit.kind for unit in world.units if unit.aboard == ship.id]
        full = len(cargo) + world.lifted.get(ship.id, 0) >= 2 or any(kind != "infantry" for kind in cargo)
        if not full:
            found.append((not mine, ship.id))
    return min(found)[1]


def asked_in_turn(world: World, powers: tuple[str, ...]) -> list[str]:
    """Who decides first where ships are wanted by several: owners of such ships, then by the order of play."""
    return sorted(powers, key=lambda power: (power not in rescuers(world), ORDER_OF_PLAY.index(power)))


def a_round_begins(world: World) -> World:
    """Transports whose passengers went ashore may be used again (ERR-8.5)."""
    return replace(world, lifted={})
