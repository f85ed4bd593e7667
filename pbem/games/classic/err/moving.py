"""Carrying out retreats: over land, through the air, aboard and ashore, to other zones, or by breaking off contact.

A retreat is one step that needs no movement and draws no fire (ERR-2.4); who retreated does nothing more (ERR-3.11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pbem.games.classic.err.terms import ABOARD, ASHORE, BREAK_OFF, FLY, LAND, SEA, Goes, left_behind
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.model import ATTACK, Battle, announce
from pbem.rules.marks import LANDING, RETREATED
from pbem.rules.movement.shipping import is_transport
from pbem.rules.query import is_air
from pbem.rules.script import Game

STEP = {ATTACK: "press_or_retreat"}


def leave(game: Game, battle: Battle, plan: Sequence[Goes], side: str) -> None:
    """Units leave the battle as planned, all at once (ERR-3.1, ERR-3.12)."""
    announce(game, battle, STEP.get(side, "defenders_retreat"))
    if any(goes.how in (ABOARD, ASHORE) for goes in plan):
        _board(game, battle, [goes for goes in plan if goes.how in (ABOARD, ASHORE)], side)
    for to, units in _grouped(plan, LAND, lambda goes: goes.to):
        _step(game, battle, units, to, f"err.go_land.{side}")
    for to, units in _grouped(plan, SEA, lambda goes: goes.to):
        sail(game, battle, units, to, side)
    staying = [goes.unit for goes in plan if goes.how == BREAK_OFF]
    if staying:
        break_off(game, battle, staying, side)
    _fly(game, battle, [goes for goes in plan if goes.how == FLY], side)
    battle.leave([goes.unit for goes in plan])


def _grouped(plan: Iterable[Goes], how: str, key: Callable[[Goes], Any]) -> list[tuple[Any, list[str]]]:
    groups: dict[Any, list[str]] = {}
    for goes in plan:
        if goes.how == how:
            groups.setdefault(key(goes), []).append(goes.unit)
    return list(groups.items())


def _step(game: Game, battle: Battle, units: Sequence[str], to: str, topic: str) -> None:
    moved: dict[str, Any] = {
        "units": list(units),
        "from": battle.space,
        "to": to,
        "why": "retreat",
        "battle": battle.id,
        "marks": {RETREATED: True},
    }
    game.emit("units_moved", moved, rules_for(game.rules, topic))


def _fly(game: Game, battle: Battle, plan: Sequence[Goes], side: str) -> None:
    """Attacking aircraft stop fighting and land later (ERR-4.13); defending ones fly to where they land (ERR-7.1)."""
    hovering = [goes.unit for goes in plan if goes.to == battle.space]
    if hovering:
        broke = {"battle": battle.id, "space": battle.space, "units": hovering}
        game.emit("aircraft_broke_off", broke, rules_for(game.rules, "err.air_stops"))
    for to, units in _grouped(plan, FLY, lambda goes: goes.to):
        if to != battle.space:
            _step(game, battle, units, to, "err.fly")


# -- by ship ----------------------------------------------------------------------------------------------------------


def _board(game: Game, battle: Battle, plan: Sequence[Goes], side: str) -> None:
    """Units board; tanks and artillery are left behind and their crews go on as infantry (ERR-4.4, ERR-8.7).

    Those told to go ashore do so at once; it is no unloading in the ships' own turn (ERR-4.6, ERR-8.10).
    """
    heavy = [goes.unit for goes in plan if left_behind(game.rules, game.state.units[goes.unit])]
    if heavy:
        changed = {"space": battle.space, "units": heavy, "kind": "infantry", "why": "weapons_abandoned"}
        game.emit("units_converted", changed, rules_for(game.rules, f"err.weapons.{side}"))
    ships = list(dict.fromkeys(goes.ship or "" for goes in plan))
    for ship in ships:
        crew = [goes.unit for goes in plan if goes.ship == ship]
        loaded: dict[str, Any] = {
            "units": crew,
            "onto": ship,
            "from": battle.space,
            "zone": game.state.units[ship].space,
            "why": "retreat",
            "battle": battle.id,
            "marks": {RETREATED: True, LANDING: None},
        }
        game.emit("units_loaded", loaded, rules_for(game.rules, f"err.board.{side}"))
    for (ship, to), units in _grouped(plan, ASHORE, lambda goes: (goes.ship, goes.to)):
        ashore = {"units": units, "from": game.state.units[ship].space, "to": to, "why": "retreat", "battle": battle.id}
        game.emit("units_unloaded", ashore, rules_for(game.rules, f"err.ashore.{side}"))
    if side == ATTACK:
        game.emit("units_marked", {"units": ships, "set": {RETREATED: True}}, rules_for(game.rules, "err.ships_rest"))


# -- at sea -----------------------------------------------------------------------------------------------------------


def sail(game: Game, battle: Battle, ships: Sequence[str], to: str, side: str) -> None:
    """Ships go to another zone with what is aboard; the attacker's own aircraft take off and stay (ERR-9.1, 10.2)."""
    if side == ATTACK:
        _take_off(game, battle, ships)
    _step(game, battle, ships, to, f"err.go_sea.{side}")
    _rest_cargo(game, ships, side)


def break_off(game: Game, battle: Battle, ships: Sequence[str], side: str) -> None:
    """Ships leave the battle and stay in its zone (ERR-2.6, ERR-3.3)."""
    stay = {"units": list(ships), "set": {RETREATED: True}, "why": "broke_off", "battle": battle.id,
            "space": battle.space}  # fmt: skip
    game.emit("units_marked", stay, rules_for(game.rules, f"err.break_off.{side}"))
    _rest_cargo(game, ships, side)


def _take_off(game: Game, battle: Battle, ships: Sequence[str]) -> None:
    flying = [
        unit.id
        for ship in ships
        for unit in game.state.cargo_of(ship)
        if is_air(game.rules, unit) and unit.owner == battle.attacker
    ]
    if flying:
        up = {"units": flying, "from": battle.space, "to": battle.space, "why": "airborne"}
        game.emit("units_unloaded", up, rules_for(game.rules, "err.air_stops"))


def _rest_cargo(game: Game, ships: Sequence[str], side: str) -> None:
    """Cargo stays aboard and lands nowhere in this turn (ERR-9.8, ERR-10.6)."""
    cargo = [
        unit.id
        for ship in ships
        if is_transport(game.rules, game.state.units[ship])
        for unit in game.state.cargo_of(ship)
    ]
    if cargo:
        resting = {"units": cargo, "set": {RETREATED: True, LANDING: None}}
        game.emit("units_marked", resting, rules_for(game.rules, f"err.cargo.{side}"))
