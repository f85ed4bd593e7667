"""What happens in 1942 Second Edition when a player says nothing: the defaults of its decision points.

Losses when the owner is silent are a parameter (`parameters.LOSS_ORDERS`); the rest is here. Without a line nothing
moves but what must (S42-D03, S42-D17).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle import retreat
from pbem.rules.battle.model import ATTACK, Battle
from pbem.rules.movement.berths import Berth
from pbem.rules.movement.carrying_out import emit_deeds
from pbem.rules.movement.citations import cites
from pbem.rules.movement.combat_defaults import silent_intents
from pbem.rules.movement.landings import fighters_at_sea, landing_cargo, may_bomb_here, own_warships
from pbem.rules.movement.passages import courses
from pbem.rules.movement.paths import move_all
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.placement import Sites
from pbem.rules.query import can, is_air, is_land, is_ship, units_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

# -- the combat move --------------------------------------------------------------------------------------------------


def combat_move_defaults(game: Game) -> None:
    """Ships in hostile zones stay and fight (S42-4.10.5); transports alone leave; submarines are ignored (S42-D07).

    Units that merely lie beside enemy submarines or transports do nothing (S42-4.3.7, S42-4.3.9).
    """
    sketch = Sketch(game.rules, game.state, game.state.power or "", COMBAT)
    transports_leave(sketch)
    bombers_raid(sketch)
    silent_intents(sketch)
    emit_deeds(game, sketch.deeds)


def transports_leave(sketch: Sketch) -> None:
    """Transports in a hostile zone with nobody who can fight leave it if they can (S42-4.3.11).

    They go to the friendly zone beside it with the most own warships, among equals the lowest number.
    """
    for zone in sketch.board.in_board_order(sketch.hostile):
        if fighters_at_sea(sketch, zone):
            continue
        for ship in sketch.own_in(zone):
            if not is_ship(sketch.rules, ship) or sketch.points(ship) < 1 or ship.mark(marks.UNLOADED_TO):
                continue
            open_to = courses(sketch, ship, lambda space: space not in sketch.hostile, 1)
            near = [there for there in open_to if there != zone]
            if near:
                goal = min(near, key=lambda there: (-len(own_warships(sketch, there)), number_of(there)))
                move_all(sketch, (ship.id,), (zone, goal), cites(sketch.rules, "silent_ships"))


def bombers_raid(sketch: Sketch) -> None:
    """Bombers that nobody assigned raid the complex where there is no battle to join (S42-D04)."""
    idle: dict[str, list[str]] = {}
    for unit in sketch.state.units.values():
        if unit.owner != sketch.power or unit.mark(marks.MOVED) != COMBAT or unit.mark(marks.JOB) is not None:
            continue
        if not may_bomb_here(sketch, unit) or sketch.enemies_in(unit.space):
            continue
        walking = any(is_land(sketch.rules, other) for other in sketch.own_in(unit.space))
        if not walking and not landing_cargo(sketch, territory=unit.space):
            idle.setdefault(unit.space, []).append(unit.id)
    for bombers in idle.values():
        sketch.do("units_marked", {"units": bombers, "set": {marks.JOB: "raid"}}, cites(sketch.rules, "parts"))


def number_of(zone: str) -> int:
    """The number printed in a sea zone."""
    return int(zone.rpartition("-")[2])


# -- battles ----------------------------------------------------------------------------------------------------------


def presses_on(rules: RuleSet, state: State, battle: Battle) -> bool:
    """Whether a silent attacker presses on (S42-D14): not with aircraft alone on land, nor transports alone at sea.

    Aircraft alone capture nothing; transports left alone cannot fight (S42-5.6.11).
    """
    attackers = battle.units(state, ATTACK)
    if rules.board.spaces[battle.space].is_sea:
        return any(not can(rules, unit, "no_combat_value") for unit in attackers)
    return any(not is_air(rules, unit) for unit in attackers)


def land_retreat_territories(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Where land units may retreat, the default first: most own units, then the alphabet (S42-5.10.2, S42-D15)."""
    return _preferred(rules, state, battle.attacker, retreat.land_retreat_territories(rules, state, battle))


def sea_retreat_zones(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Where ships may retreat, the default first (S42-5.10.8, S42-D15)."""
    return _preferred(rules, state, battle.attacker, retreat.sea_retreat_zones(rules, state, battle))


def _preferred(rules: RuleSet, state: State, power: str, spaces: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        sorted(spaces, key=lambda space: (-len(units_of(state, power, space)), rules.board.spaces[space].name))
    )


# -- landings ---------------------------------------------------------------------------------------------------------


def refuge_order(rules: RuleSet, state: State, unit: Unit, berths: Sequence[Berth]) -> list[Berth]:
    """Where aircraft without a deck come down: the territory with most own units, else a carrier (S42-D16)."""

    def key(berth: Berth) -> tuple[bool, int, str]:
        own = len(units_of(state, unit.owner, berth.space))
        return berth.deck is not None, -own, rules.board.spaces[berth.space].name

    return sorted(berths, key=key)


def landing_order(rules: RuleSet, state: State, unit: Unit, berths: Sequence[Berth]) -> list[Berth]:
    """Where own aircraft land by default: their carrier, a deck beneath them, where they took off, the nearest place.

    S42-D18, S42-4.8.7. A carrier takes its fighters back wherever it is now. Among equally near places the one with
    most own land units goes first, then the alphabet.
    """
    deck, start = unit.mark(marks.DECK), unit.mark(marks.START)

    def key(berth: Berth) -> tuple[int, int, int, str]:
        own_deck = deck is not None and berth.deck == deck
        home = deck is None and berth.deck is None and berth.space == start
        rank = 0 if own_deck else 1 if berth.distance == 0 else 2 if home else 3
        guards = sum(1 for other in units_of(state, unit.owner, berth.space) if is_land(rules, other))
        return rank, berth.distance, -guards, rules.board.spaces[berth.space].name

    return sorted(berths, key=key)


# -- placement --------------------------------------------------------------------------------------------------------


def default_places(rules: RuleSet, state: State, power: str, kind: str, where: Sites) -> list[str]:
    """Where a unit goes that nobody placed (S42-D19).

    On land the capital, then the complex with most room; ships go to the adjacent zone of the lowest number, friendly
    ones first, carriers first of all to where fighters wait (S42-8.1.7).
    """
    capital = rules.board.powers[power].capital
    lands = sorted(where.capacity, key=lambda land: (land != capital, -where.room(land), rules.board.spaces[land].name))
    if not is_sea_kind(rules, kind):
        return lands
    zones = dict.fromkeys(zone for land in where.capacity for zone in rules.board.seas_beside(land))

    def key(zone: str) -> tuple[bool, bool, int]:
        hostile: bool = rules.judge("hostile_zone", state, power, zone)
        return not (carries_fighters(rules, kind) and waiting_in(rules, state, power, zone)), hostile, number_of(zone)

    return sorted(zones, key=key)


def is_sea_kind(rules: RuleSet, kind: str) -> bool:
    """Whether pieces of a kind are ships."""
    return rules.board.units[kind].domain == "sea"


def carries_fighters(rules: RuleSet, kind: str) -> bool:
    """Whether pieces of a kind are carriers."""
    return rules.board.units[kind].figure("carrier_capacity") > 0


def waiting_in(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether own fighters wait in a zone for a new carrier."""
    return any(is_air(rules, unit) and unit.aboard is None for unit in units_of(state, power, zone))


def complex_sites(rules: RuleSet, state: State, power: str, kind: str) -> list[str]:
    """Where a complex goes that nobody placed: dearest territory first, then the alphabet (S42-8.1.1)."""
    spaces: Mapping[str, int] = {
        space.id: space.ipc
        for space in rules.board.spaces.values()
        if rules.judge("may_build", state, power, kind, space.id) is None
    }
    return sorted(spaces, key=lambda space: (-spaces[space], rules.board.spaces[space].name))
