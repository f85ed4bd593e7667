"""Which transport each landed unit came from: kept when it goes ashore, read when it comes back aboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Berths:
    """Landed unit -> its own transport, where that is still there; transport -> places left over for others."""

    own: Mapping[str, str]
    free: Mapping[str, int]


def berths_aboard(rules: RuleSet, state: State, battle: Battle) -> Berths:
    """Who goes back to which transport: each unit to its own, those whose ship is gone to places left over (ERR-4.3).

    A unit for which there is no place stays and fights (ERR-4.14).
    """
    room = {ship.id: free_places(rules, state, ship) for ship in assault_fleet(rules, state, battle)}
    own: dict[str, str] = {}
    for unit in (state.units[unit_id] for unit_id in battle.landed if unit_id in state.units):
        ship = unit.mark(LANDED_BY)
        size = size_afterwards(rules, unit)
        if room.get(ship, 0) >= size:
            room[ship] -= size
            own[unit.id] = ship
    return Berths(own, {ship: places for ship, places in room.items() if places})


def assault_fleet(rules: RuleSet, state: State, battle: Battle) -> list[Unit]:
    """The transports that landed troops for this battle, in the zones of the assault."""
    return [
        unit
        for zone in battle.zones
        for unit in state.units_in(zone)
        if is_transport(rules, unit) and unloading_to(state, unit) == battle.space
    ]
