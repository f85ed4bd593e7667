"""The way ashore: whether cargo may land once its sea zone is settled, and the landing itself."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import rules_for
from pbem.rules.marks import LANDING, RETREATED, SCRAMBLED_FROM, UNLOADED_TO
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

LANDED_FROM = "landed_from"
"""Mark of a land unit that came ashore in this phase: the zone it came from."""


def landings(state: State, power: str) -> dict[str, list[str]]:
    """Territories to be assaulted from the sea, each with the zones of its cargo, in order of the units (P40-4.7.1).

    They are announced with the combat moves (P40-13-A13).
    """
    found: dict[str, list[str]] = {}
    for unit in state.units.values():
        target = unit.mark(LANDING)
        if target is not None and unit.owner == power and unit.aboard is not None:
            zones = found.setdefault(target, [])
            if unit.space not in zones:
                zones.append(unit.space)
    return found


def assaults_from(state: State, power: str, zone: str) -> tuple[str, ...]:
    """Territories that the power assaults from a zone."""
    return tuple(territory for territory, zones in landings(state, power).items() if zone in zones)


def waiting_cargo(state: State, power: str, zone: str, territory: str) -> list[Unit]:
    """Cargo in a zone that is to land in a territory."""
    return [
        unit
        for unit in state.units_in(zone)
        if unit.owner == power and unit.aboard is not None and unit.mark(LANDING) == territory
    ]


def zone_is_open(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether landings may start from a zone: nobody is left there who had to be fought (P40-4.7.4, P40-6.3.8).

    Enemy submarines and transports do not hinder it; surface warships and scrambled aircraft do. A kamikaze alone
    does not (P40-5.1.10). A rule set may say otherwise with the judgement `landing_open` (state, power, zone).
    """
    if "landing_open" in rules.judgements:
        return bool(rules.judge("landing_open", state, power, zone))
    if rules.judge("hostile_zone", state, power, zone):
        return False
    return not any(
        state.at_war(power, unit.owner) and is_air(rules, unit) and unit.mark(SCRAMBLED_FROM)
        for unit in state.units_in(zone)
    )


def land_cargo(game: Game, power: str, territory: str, zones: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Put cargo ashore from every zone that is open; what cannot land stays aboard (P40-6.3.8, P40-6.3.17, 4.6.4).

    Cargo that stays aboard takes no part in the battle and no hits (P40-6.4.10).

    Returns the ids of the units that landed and the zones they came from. A transport that unloaded does nothing
    more in this turn (P40-4.6.7).
    """
    landed: list[str] = []
    used: list[str] = []
    for zone in zones:
        cargo = waiting_cargo(game.state, power, zone, territory)
        if not cargo:
            continue
        open_now = zone_is_open(game.rules, game.state, power, zone)
        ashore = [unit for unit in cargo if open_now and not unit.mark(RETREATED)]
        aboard = [unit.id for unit in cargo if unit not in ashore]
        if aboard:
            game.emit(
                "units_marked",
                {"units": aboard, "set": {LANDING: None}, "why": "landing_off", "space": zone, "to": territory},
                rules_for(game.rules, "landing.off"),
            )
        if not ashore:
            continue
        ships = list(dict.fromkeys(unit.aboard for unit in ashore))
        game.emit(
            "units_unloaded",
            {
                "units": [unit.id for unit in ashore],
                "from": zone,
                "to": territory,
                "marks": {LANDING: None, LANDED_FROM: zone},
                "why": "assault",
            },
            rules_for(game.rules, "landing.go"),
        )
        game.emit("units_marked", {"units": ships, "set": {UNLOADED_TO: territory}})
        landed += [unit.id for unit in ashore]
        used.append(zone)
    return landed, tuple(used)
