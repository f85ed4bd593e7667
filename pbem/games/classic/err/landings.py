"""Which transport each landed unit came from: kept when it goes ashore, read when it comes back aboard."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State, Unit
from pbem.games.classic.err.terms import free_places, size_afterwards
from pbem.rules.battle.amphibious import waiting_cargo
from pbem.rules.battle.model import Battle
from pbem.rules.movement.shipping import is_transport, unloading_to
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

LANDED_BY = "landed_by"
"""Mark of a land unit that came ashore in this phase: the transport it came from."""


def before_landing(game: Game, power: str, territory: str, zones: Sequence[str]) -> None:
    """Note whose transport each unit leaves (ERR-4.3)."""
    ships: dict[str, list[str]] = {}
    for zone in zones:
        for unit in waiting_cargo(game.state, power, zone, territory):
            ships.setdefault(unit.aboard or "", []).append(unit.id)
    for ship, cargo in ships.items():
        game.emit("units_marked", {"units": cargo, "set": {LANDED_BY: ship}})


def berths_aboard(rules: RuleSet, state: State, battle: Battle) -> dict[str, str]:
    """Landed unit -> transport that takes it back: its own, else free places of the assault's others (ERR-4.3).

    A unit for which there is no place is missing; it stays and fights (ERR-4.14).
    """
    landed = [state.units[unit_id] for unit_id in battle.landed if unit_id in state.units]
    fleet = assault_fleet(rules, state, battle)
    room = {ship.id: free_places(rules, state, ship) for ship in fleet}
    found: dict[str, str] = {}
    own = [unit for unit in landed if unit.mark(LANDED_BY) in room]
    for unit in (*own, *(unit for unit in landed if unit not in own)):
        size = size_afterwards(rules, unit)
        for ship in (unit.mark(LANDED_BY), *room):
            if room.get(ship, 0) >= size:
                room[ship] -= size
                found[unit.id] = ship
                break
    return found


def assault_fleet(rules: RuleSet, state: State, battle: Battle) -> list[Unit]:
    """The transports that landed troops for this battle, in the zones of the assault."""
    return [
        unit
        for zone in battle.zones
        for unit in state.units_in(zone)
        if is_transport(rules, unit) and unloading_to(state, unit) == battle.space
    ]
