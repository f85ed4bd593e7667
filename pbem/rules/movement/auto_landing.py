"""After the noncombat moves every own aircraft must stand somewhere: decks are assigned, the rest land by default.

Own carriers go where their aircraft need them; who finds no place is lost, unless a carrier bought in this turn can
still be placed under it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.movement.berths import Berth, Landing, board_deck, by_space, choose_berths, decks_in, destroy, put_down
from pbem.rules.movement.carrying_out import emit_deeds
from pbem.rules.movement.citations import cites
from pbem.rules.movement.landing_room import Guest, all_fit, new_decks
from pbem.rules.movement.passages import courses
from pbem.rules.movement.paths import move_all
from pbem.rules.movement.ready import NONCOMBAT, may_sail_after_battle
from pbem.rules.movement.shipping import deck_room, is_carrier
from pbem.rules.movement.sketch import Sketch
from pbem.rules.movement.skies import landing_place, may_land, within_reach
from pbem.rules.query import is_air, is_land
from pbem.rules.script import Game


def land_the_rest(game: Game, tag: str = "own") -> None:
    """Decks, forced carriers, default landings, losses (P40-7.8-7.14, P40-DP-29).

    All carriers have finished moving when decks are given out (P40-4.5.4). `tag` names the moment in questions.
    """
    if not airborne(game):
        return
    _decks_where_they_came(game)
    if game.rules.parameters.get("excess_is_lost"):
        _lose_excess(game)
    sent = [unit_id for unit_id in airborne(game) if _sent(game, unit_id)]
    need_deck = _not_waiting(game, sent)
    _carriers_come(game, need_deck)
    patient = [unit_id for unit_id in sent if unit_id not in need_deck]
    _by_default(game, patient, tag)
    _carriers_come(game, [unit_id for unit_id in airborne(game) if unit_id not in patient])
    _lose(game)


def airborne(game: Game) -> list[str]:
    """Own aircraft that stand neither on a deck that works nor in a territory where they may land."""
    power = game.state.power or ""
    return [
        unit.id
        for unit in game.state.units.values()
        if unit.owner == power
        and is_air(game.rules, unit)
        and unit.space in game.board.spaces
        and not unit.mark(marks.CAP)
        and not settled(game, unit)
    ]


def settled(game: Game, unit: Unit) -> bool:
    """Whether an aircraft may stay where it is. Own aircraft are in the air when their carrier is hit (P40-6.5.13)."""
    if unit.aboard is not None:
        ship = game.state.units[unit.aboard]
        blocked = bool(ship.damage) and game.board.units[ship.kind].can("damaged_blocks_flight_ops")
        return not (blocked and ship.mark(marks.FOUGHT) and ship.owner == unit.owner)
    return landing_place(game.rules, game.state, unit.owner, unit, unit.space)


def _sent(game: Game, unit_id: str) -> bool:
    """Whether a line of this phase sent an aircraft where it is."""
    return bool(game.state.units[unit_id].mark(marks.MOVED) == NONCOMBAT)


def _decks_where_they_came(game: Game) -> None:
    """Aircraft that were sent to a zone take the decks there, the ship they came from first (P40-7.12, P40-7.14)."""
    for unit_id in airborne(game):
        unit = game.state.units[unit_id]
        if not _sent(game, unit_id) or not game.board.units[unit.kind].can("carrier_capable"):
            continue
        decks = decks_in(game.rules, game.state, unit.owner, {unit.space: 0})
        if decks:
            same = [berth for berth in decks if berth.deck == unit.mark(marks.DECK)]
            board_deck(game, unit_id, (same or decks)[0].deck or "", cites(game.rules, "landed_stays"))


def _lose_excess(game: Game) -> None:
    """Aircraft that were sent to a zone and find no deck there are lost (CLA-8.11), all of one owner and alike."""
    sent = [unit_id for unit_id in airborne(game) if _sent(game, unit_id)]
    destroy(game, sent, "nowhere_to_land", cites(game.rules, "excess"))


# -- carriers that must come ------------------------------------------------------------------------------------------


def _carriers_come(game: Game, aircraft: Sequence[str]) -> None:
    """Own carriers that neither moved nor fought go where aircraft have no deck, as far as possible (P40-7.11).

    Where the parameter `carriers_stay` is set they go only where they are sent (CLA-8.5).
    """
    if game.rules.parameters.get("carriers_stay"):
        return
    power = game.state.power or ""
    sketch = Sketch(game.rules, game.state, power, NONCOMBAT)
    waiting = [
        game.state.units[unit_id]
        for unit_id in aircraft
        if game.board.units[game.state.units[unit_id].kind].can("carrier_capable")
    ]
    for unit in waiting:
        now = game.state.units[unit.id]
        if now.aboard is not None or not game.board.spaces[now.space].is_sea:
            continue
        decks = decks_in(game.rules, game.state, power, {now.space: 0})
        if not decks:
            path = _carrier_for(sketch, now.space)
            if path is None:
                continue
            carrier, way = path
            move_all(sketch, (carrier,), way, cites(game.rules, "forced_carrier"))
            emit_deeds(game, sketch.deeds)
            sketch = Sketch(game.rules, game.state, power, NONCOMBAT)
            decks = decks_in(game.rules, game.state, power, {now.space: 0})
        if decks:
            board_deck(game, unit.id, decks[0].deck or "", cites(game.rules, "forced_carrier"))


def _carrier_for(sketch: Sketch, zone: str) -> tuple[str, tuple[str, ...]] | None:
    """The nearest own carrier with room that may still sail to a zone, and its way there."""
    best: tuple[int, int, str, tuple[str, ...]] | None = None
    for unit in sketch.state.units.values():
        if unit.owner != sketch.power or not is_carrier(sketch.rules, unit) or unit.mark(marks.MOVED) is not None:
            continue
        if unit.space not in sketch.board.spaces:
            continue
        fought = unit.mark(marks.FOUGHT) and not may_sail_after_battle(sketch.rules, unit)
        if fought or deck_room(sketch.rules, unit, sketch.cargo(unit.id)) <= 0:
            continue
        if sketch.rules.judge("may_end_in", sketch.state, sketch.power, unit, zone) is not None:
            continue
        ways = courses(sketch, unit, lambda space: space not in sketch.hostile, max(0, sketch.points(unit)))
        way = ways.get(zone)
        if way is None or len(way) < 2:
            continue
        row = (len(way), int(unit.id[1:]), unit.id, way)
        if best is None or row[:2] < best[:2]:
            best = row
    return None if best is None else (best[2], best[3])


# -- landings by default ----------------------------------------------------------------------------------------------


def _by_default(game: Game, patient: Sequence[str], tag: str) -> None:
    """Where aircraft land that no line brought home (P40-DP-29); the owner may have said it in advance.

    `patient` are those that a line sent to wait for a new carrier: they stay (P40-7.10).
    """
    power = game.state.power or ""
    rules = cites(game.rules, "landing_place", "silent_landing")
    sketch = Sketch(game.rules, game.state, power, NONCOMBAT)

    def berths(game: Game, unit_id: str) -> Sequence[Berth]:
        return berths_of(game, sketch, unit_id)

    flying = [unit_id for unit_id in airborne(game) if unit_id not in patient]
    able = [game.state.units[unit_id] for unit_id in flying if berths(game, unit_id)]
    landings = [
        Landing(power, space, tuple(aircraft), ("retreating",), rules)
        for (_, space), aircraft in by_space(able).items()
    ]
    wanted = choose_berths(game, landings, berths, tag)
    for landing in landings:
        for unit_id in sorted(landing.aircraft, key=lambda one: len(berths(game, one))):
            put_down(game, unit_id, berths(game, unit_id), wanted[unit_id], rules, spends=True)


def berths_of(game: Game, sketch: Sketch, unit_id: str) -> Sequence[Berth]:
    """Where an own aircraft may land now, in the order of the default.

    `sketch` remembers territories and distances, which do not change while aircraft land; decks are read anew.

    Aircraft whose carrier sailed from under them follow it if they can. Then the nearest legal territory with own land
    units, else the nearest legal territory, else the nearest deck (P40-DP-29). With the parameter
    `nearest_landing_first` the nearest place of any kind, by name (CLA-D17).
    """
    unit = game.state.units[unit_id]
    points = max(0, sketch.rules.judge("movement_points", game.state, unit))
    ashore = _territories(sketch, unit, points)
    decks: list[Berth] = []
    if game.board.units[unit.kind].can("carrier_capable"):
        decks = decks_in(game.rules, game.state, sketch.power, within_reach(sketch, unit, points))
    if "landing_order" in game.rules.judgements:
        ordered: list[Berth] = game.rules.judge("landing_order", game.state, unit, [*ashore, *decks])
        return ordered
    if game.rules.parameters.get("nearest_landing_first"):
        return sorted((*ashore, *decks), key=lambda berth: (berth.distance, game.board.spaces[berth.space].name))
    own = [berth for berth in decks if berth.deck == unit.mark(marks.DECK)]
    if own and not unit.spent and not unit.mark(marks.FOUGHT):
        return [*own, *ashore, *(berth for berth in decks if berth not in own)]
    return [*ashore, *decks]


def _territories(sketch: Sketch, unit: Unit, points: int) -> list[Berth]:
    """Legal territories within reach: those with own land units first, then by distance."""
    key = ("territories", unit.kind, unit.space, points)
    if key not in sketch.memory:
        held = {
            other.space
            for other in sketch.state.units.values()
            if other.owner == sketch.power and other.aboard is None and is_land(sketch.rules, other)
        }
        reach = within_reach(sketch, unit, points)
        lands = [Berth(space, None, distance) for space, distance in reach.items() if may_land(sketch, unit, space)]
        # Sorting is stable: among equals the nearest found first stays first.
        sketch.memory[key] = sorted(lands, key=lambda berth: (berth.space not in held, berth.distance))
    found: list[Berth] = sketch.memory[key]
    return found


# -- losses -----------------------------------------------------------------------------------------------------------


def _lose(game: Game) -> None:
    """Who has no landing place is destroyed (P40-7.9), but for those who wait for a new carrier (P40-7.10)."""
    left = airborne(game)
    if not left:
        return
    destroy(game, _not_waiting(game, left), "nowhere_to_land", cites(game.rules, "lost"))


def _not_waiting(game: Game, aircraft: Sequence[str]) -> list[str]:
    """Those of some aircraft under which no carrier bought in this turn can be placed (P40-7.10)."""
    sketch = Sketch(game.rules, game.state, game.state.power or "", NONCOMBAT)
    coming = new_decks(sketch)
    waiting: list[Guest] = []
    others: list[str] = []
    for unit_id in aircraft:
        unit = game.state.units[unit_id]
        guest = Guest(unit_id, frozenset((unit.space,)))
        if game.board.units[unit.kind].can("carrier_capable") and all_fit((*waiting, guest), coming):
            waiting.append(guest)
        else:
            others.append(unit_id)
    return others
