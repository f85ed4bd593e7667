"""Whether all aircraft can land: the demonstration asked for before combat, and the decks that remain after it.

Each aircraft needs a territory within reach or a place on a carrier that can be where it comes down. Carriers that
have not moved may still go somewhere (P40-7.11), carriers bought in this turn appear beside an own complex (P40-7.10).
Before combat one may assume that all own dice hit and all others miss (P40-4.3.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.facilities import figure_there
from pbem.rules.movement.carriers import trapped
from pbem.rules.movement.passages import courses
from pbem.rules.movement.ready import COMBAT, may_sail_after_battle
from pbem.rules.movement.shipping import deck_room, is_carrier
from pbem.rules.movement.sketch import Sketch
from pbem.rules.movement.skies import ashore, within_reach
from pbem.rules.query import is_air
from pbem.rules.turn import controller_at_start


@dataclass(frozen=True, slots=True)
class Deck:
    """A carrier that could take `room` aircraft in any one of `zones`; `id` is empty for one not built yet."""

    id: str
    zones: frozenset[str]
    room: int


@dataclass(frozen=True, slots=True)
class Guest:
    """An aircraft that needs a deck, and the zones in which it could come down on one."""

    id: str
    zones: frozenset[str]


def homeless(sketch: Sketch, first: Sequence[str] = ()) -> list[str]:
    """Own aircraft for which no landing can be shown, the last ordered ones first to be left out (P40-4.3.4).

    `first` are aircraft in the order in which lines moved them; those that no line moved count before them.
    """
    stranded, guests = _needing_decks(sketch, first)
    if not guests:
        return stranded
    decks = decks_to_be(sketch)
    placed: list[Guest] = []
    for guest in guests:
        if all_fit((*placed, guest), decks):
            placed.append(guest)
        else:
            stranded.append(guest.id)
    return stranded


def _needing_decks(sketch: Sketch, last: Sequence[str]) -> tuple[list[str], list[Guest]]:
    rank = {unit_id: place for place, unit_id in enumerate(last)}
    aircraft = [
        unit
        for unit in sketch.state.units.values()
        if unit.owner == sketch.power
        and is_air(sketch.rules, unit)
        and unit.space in sketch.board.spaces
        and not unit.mark(marks.CAP)
    ]
    aircraft.sort(key=lambda unit: rank.get(unit.id, -1))
    stranded: list[str] = []
    guests: list[Guest] = []
    for unit in aircraft:
        if unit.aboard is not None and trapped(sketch, unit):
            continue
        ended = sketch.phase != COMBAT and unit.mark(marks.MOVED) == sketch.phase
        points = 0 if ended else max(0, sketch.points(unit))
        if ashore(sketch, unit, points):
            continue
        if not sketch.can(unit, "carrier_capable"):
            stranded.append(unit.id)
            continue
        zones = (space for space in within_reach(sketch, unit, points) if sketch.board.spaces[space].is_sea)
        guests.append(Guest(unit.id, frozenset(zones)))
    return stranded, guests


def decks_to_be(sketch: Sketch) -> list[Deck]:
    """Carriers of the mover and its allies with room for the mover's aircraft, and where each could be."""
    decks: list[Deck] = []
    for unit in sketch.state.units.values():
        if not is_carrier(sketch.rules, unit) or unit.owner in sketch.enemies or unit.space not in sketch.board.spaces:
            continue
        others = [aboard for aboard in sketch.cargo(unit.id) if aboard.owner != sketch.power]
        room = deck_room(sketch.rules, unit, [*others, *(u for u in sketch.cargo(unit.id) if trapped(sketch, u))])
        if not room:
            continue
        if unit.owner != sketch.power:
            if sketch.rules.judge("allies", sketch.state, sketch.power, unit.owner):
                decks.append(Deck(unit.id, frozenset((unit.space,)), room))
            continue
        decks.append(Deck(unit.id, frozenset(_zones_for(sketch, unit)), room))
    decks.extend(new_decks(sketch))
    return decks


def _zones_for(sketch: Sketch, carrier: Unit) -> Iterable[str]:
    """Where an own carrier can be when the noncombat move ends: here, or anywhere in reach if it may still move.

    Where the parameter `landings_follow_combat` is set aircraft land when their combat is over, before it can move.
    """
    sails = may_sail_after_battle(sketch.rules, carrier)
    stays = carrier.mark(marks.MOVED) is not None or (carrier.mark(marks.FOUGHT) and not sails)
    if sketch.phase == COMBAT and sketch.rules.parameters.get("landings_follow_combat"):
        return (carrier.space,)
    if stays or (sketch.phase == COMBAT and not sails and embattled(sketch, carrier.space)):
        return (carrier.space,)
    cleared = {zone for zone in sketch.hostile if sketch.phase == COMBAT and embattled(sketch, zone)}
    points = max(0, sketch.points(carrier))

    def may_enter(space: str) -> bool:
        return sketch.board.spaces[space].is_sea and (space not in sketch.hostile or space in cleared)

    reach = courses(sketch, carrier, may_enter, points)
    return [
        zone
        for zone in reach
        if zone == carrier.space or sketch.rules.judge("may_end_in", sketch.state, sketch.power, carrier, zone) is None
    ]


def embattled(sketch: Sketch, zone: str) -> bool:
    """Whether own pieces that can fight lie in a zone that is hostile, or in which others are to be attacked."""
    if zone not in sketch.hostile and sketch.state.marks.get(marks.intent(zone)) != "attack":
        return False
    return any(sketch.board.units[unit.kind].attack > 0 for unit in sketch.own_in(zone))


def new_decks(sketch: Sketch) -> list[Deck]:
    """Carriers bought in this turn: beside any complex that can place them (P40-7.10, P40-8.4).

    None where the parameter `new_carriers_are_empty` is set (CLA-9.4.3).
    """
    if sketch.rules.parameters.get("new_carriers_are_empty"):
        return []
    bought = [
        (kind, count)
        for kind, count in sketch.state.purchased(sketch.power).items()
        if kind in sketch.board.units and sketch.board.units[kind].figure("carrier_capacity")
    ]
    if not bought:
        return []
    zones: dict[str, None] = {}
    for space, held in sketch.state.spaces.items():
        if held.controller != sketch.power or controller_at_start(sketch.state, space) != sketch.power:
            continue
        for kind, damage in held.facilities:
            table = sketch.board.units[kind]
            if table.can("produces_units") and figure_there(sketch.rules, kind, "produces", space, 99) - damage > 0:
                zones.update(dict.fromkeys(sketch.board.seas_beside(space)))
    return [
        Deck("", frozenset(zones), sketch.board.units[kind].figure("carrier_capacity"))
        for kind, count in bought
        for _ in range(count)
    ]


def all_fit(guests: Sequence[Guest], decks: Sequence[Deck], tries: int = 20_000) -> bool:
    """Whether carriers can be where they can be so that every aircraft comes down on a deck.

    A search with the tightest aircraft first; `tries` bounds it (then the answer is yes: no order is refused for want
    of computing time).
    """
    order = sorted(guests, key=lambda guest: len(guest.zones))
    left = [tries]

    def place(index: int, at: tuple[str | None, ...], rooms: tuple[int, ...]) -> bool:
        if index == len(order):
            return True
        left[0] -= 1
        if left[0] <= 0:
            return True
        zones = order[index].zones
        for number, deck in enumerate(decks):
            if rooms[number] <= 0:
                continue
            fewer = (*rooms[:number], rooms[number] - 1, *rooms[number + 1 :])
            here = at[number]
            if here is not None:
                if here in zones and place(index + 1, at, fewer):
                    return True
                continue
            for zone in sorted(zones & deck.zones):
                if place(index + 1, (*at[:number], zone, *at[number + 1 :]), fewer):
                    return True
        return False

    return place(0, (None,) * len(decks), tuple(deck.room for deck in decks))
