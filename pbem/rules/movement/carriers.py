"""Carriers and the aircraft that stand on them: launching before the ship sails, and decks that are still needed.

Which deck each aircraft gets when it lands is in `decks`.
"""

from __future__ import annotations

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.shipping import deck_room, is_carrier
from pbem.rules.movement.sketch import Sketch
from pbem.rules.query import is_air


def launch_before_sailing(sketch: Sketch, ship: str) -> None:
    """The mover's own aircraft take off before their carrier sails (P40-4.5.1); guests ride (P40-4.5.2).

    In the combat move those that are given no attack wait for the noncombat move, out of any battle in that zone
    (S42-4.8.2); a carrier attacks with or without them (S42-4.8.4).
    Where the parameter `wings_ride` is set they stay aboard and sail with it (CLA-5.4.4, CLA-8.10).
    """
    if sketch.rules.parameters.get("wings_ride"):
        return
    launched = [
        unit
        for unit in sketch.cargo(ship)
        if unit.owner == sketch.power and is_air(sketch.rules, unit) and not trapped(sketch, unit)
    ]
    if not launched:
        return
    zone = sketch.unit(ship).space
    waits = {marks.TASK: "quiet"} if sketch.phase == COMBAT else {}
    sketch.do(
        "units_unloaded",
        {
            "units": [unit.id for unit in launched],
            "from": zone,
            "to": zone,
            "marks": {marks.START: zone, marks.DECK: ship, **waits},
        },
        cites(sketch.rules, "launch_first"),
    )


def trapped(sketch: Sketch, aircraft: Unit) -> bool:
    """Whether an aircraft stands on a deck that was damaged before it could take off (P40-1.3.10, P40-4.5.5).

    Own aircraft are in the air when their carrier is hit in its owner's turn (P40-6.5.13), so a carrier that fought
    in this turn traps guests only.
    """
    if aircraft.aboard is None:
        return False
    ship = sketch.unit(aircraft.aboard)
    if not ship.damage or not sketch.can(ship, "damaged_blocks_flight_ops"):
        return False
    return not (ship.mark(marks.FOUGHT) and ship.owner == aircraft.owner == sketch.power)


def leaves_aircraft_behind(sketch: Sketch, ship_id: str) -> Refusal | None:
    """Why a carrier may not leave: aircraft that landed in its zone need its deck (P40-7.11, P40-7.12)."""
    ship = sketch.unit(ship_id)
    if sketch.phase == COMBAT or not is_carrier(sketch.rules, ship):
        return None
    landed, hovering = [], []
    for unit in sketch.own_in(ship.space):
        if unit.aboard is not None or not sketch.can(unit, "carrier_capable"):
            continue
        if unit.mark(marks.MOVED) == sketch.phase:
            landed.append(unit)
        elif unit.mark(marks.FOUGHT) and sketch.points(unit) <= 0:
            hovering.append(unit)
    needed = len(landed) + len(hovering)
    if not needed:
        return None
    rooms = {
        other.id: deck_room(sketch.rules, other, sketch.cargo(other.id))
        for other in sketch.here(ship.space)
        if is_carrier(sketch.rules, other)
    }
    own = sum(1 for unit in sketch.cargo(ship_id) if unit.owner == sketch.power)
    everywhere = sum(rooms.values())
    without = everywhere - rooms[ship_id]
    if without >= needed or everywhere + own < needed or rooms[ship_id] + own == 0:
        return None
    return refuse(
        sketch.rules,
        "landed_stays" if landed else "forced_carrier",
        f"{needed} aircraft in {sketch.name(ship.space)} need this carrier's deck: it stays with them.",
        "Let the carrier move first and the aircraft fly to where it goes.",
    )
