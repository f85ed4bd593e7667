"""What may move in each part of a turn with three combats, and what it may do there (ERR-1.3.3).

Limits on top of those of the classic combat move, asked of the sketch when all lines of a part have been tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.board.state import State, Unit
from pbem.games.classic import moves
from pbem.games.classic.err.part_of_lines import AIRCRAFT, ARMY, SHIPS
from pbem.games.classic.err.shared_zones import battle_is_due
from pbem.games.classic.sea import cleared
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.landings import landing_cargo
from pbem.rules.movement.planning import Done, Fault
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Move, Unload
from pbem.rules.query import is_air, is_land, is_ship
from pbem.rules.ruleset import RuleSet

USED = "used_in"
"""Mark of a piece that moved or fought in a part of this turn: the number of that part."""


def move_faults(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """Lines that a part does not allow, beside those that the classic game refuses (ERR-1.3.3)."""
    part = sketch.state.marks.get(marks.COMBAT_PART) if sketch.phase == COMBAT else None
    checks: list[Callable[[Sketch, Done], Refusal | None]] = [_used_before]
    if part == SHIPS:
        checks.append(_goes_with_ships)
    if part == ARMY:
        checks += [_goes_with_the_army, _no_battle_at_sea, _lands_from_open_water]
    found = []
    for line in done:
        refusal = next((wrong for check in checks if (wrong := check(sketch, line)) is not None), None)
        if refusal is not None:
            found.append(Fault(line.filed, refusal))
    return [*moves.move_faults(sketch, done), *found]


def _refuse(sketch: Sketch, wrong: str, hint: str | None = None) -> Refusal:
    return refuse(sketch.rules, "combat_parts", wrong, hint)


def _moved(sketch: Sketch, line: Done) -> list[Unit]:
    """The pieces that a line moves, without what it only loads or lands."""
    return [sketch.unit(unit) for unit in line.units] if isinstance(line.filed.order, Move) else []


def _used_before(sketch: Sketch, line: Done) -> Refusal | None:
    """Who moved or fought in one part moves in no other, nor in the noncombat move."""
    for unit in _moved(sketch, line):
        if unit.mark(USED) and unit.aboard is None:
            kind = sketch.board.units[unit.kind].name.lower()
            what = {AIRCRAFT: "with the aircraft", SHIPS: "with the ships", ARMY: "on land"}[unit.mark(USED)]
            return _refuse(sketch, f"This {kind} moved or fought in this turn already, {what}: it does no more.")
    return None


def _flights(sketch: Sketch, line: Done) -> list[Unit]:
    return [unit for unit in _moved(sketch, line) if is_air(sketch.rules, unit) and unit.aboard is None]


def _goes_with_ships(sketch: Sketch, line: Done) -> Refusal | None:
    """Aircraft of the second part fight beside own ships."""
    for unit in _flights(sketch, line):
        beside = (other for other in sketch.own_in(unit.space) if is_ship(sketch.rules, other))
        if not any(other.mark(marks.TASK) != "quiet" and not other.mark(marks.RETREATED) for other in beside):
            kind, name = sketch.board.units[unit.kind].name.lower(), sketch.name(unit.space)
            return _refuse(
                sketch,
                f"No ship of yours fights in {name}: with the ships this {kind} goes only where they fight.",
                "Aircraft alone strike in the first part of the turn.",
            )
    return None


def _goes_with_the_army(sketch: Sketch, line: Done) -> Refusal | None:
    """Aircraft of the third part fight beside land units, from next door or from ships."""
    for unit in _flights(sketch, line):
        beside = (other for other in sketch.own_in(unit.space) if is_land(sketch.rules, other))
        on_foot = any(other.aboard is None and not other.mark(marks.FOUGHT) for other in beside)
        if not on_foot and not landing_cargo(sketch, territory=unit.space):
            kind, name = sketch.board.units[unit.kind].name.lower(), sketch.name(unit.space)
            return _refuse(
                sketch,
                f"No land unit of yours attacks {name}: on land this {kind} goes only where they attack.",
                "Aircraft alone strike in the first part of the turn.",
            )
    return None


def _no_battle_at_sea(sketch: Sketch, line: Done) -> Refusal | None:
    """Ships that come for a landing enter no hostile zone: sea battles are over by then."""
    for unit in _moved(sketch, line):
        if is_ship(sketch.rules, unit) and unit.space in sketch.hostile and unit.mark(marks.START) != unit.space:
            name = sketch.name(unit.space)
            return _refuse(
                sketch,
                f"Enemy ships lie in {name}, and sea battles are fought in the second part of the turn only.",
                "Send the ships there with the others, in the second part.",
            )
    return None


def _lands_from_open_water(sketch: Sketch, line: Done) -> Refusal | None:
    """A landing starts from water without enemies, or where the sea battle of this turn was won (ERR-10.7, ERR-9.8)."""
    order = line.filed.order
    if not isinstance(order, Unload):
        return None
    name = sketch.name(order.zone)
    if any(sketch.unit(unit).mark(marks.RETREATED) for unit in line.units):
        wrong = f"The transports in {name} retreated or broke off: their cargo lands nowhere in this turn."
        return refuse(sketch.rules, "after_retreat", wrong)
    if order.zone in sketch.hostile and not sketch.state.marks.get(cleared(order.zone)):
        wrong = f"Enemy ships lie in {name}: nobody lands from there before they are beaten in the second part."
        return _refuse(sketch, wrong)
    return None


# -- ships that take position -----------------------------------------------------------------------------------------


def takes_position(rules: RuleSet, state: State, ship: Unit) -> bool:
    """Whether a ship of the second part has business in a zone without enemies: a landing that may follow from there.

    Transports with troops beside land that is not friendly take position, and ships that cover them.
    """
    if state.marks.get(marks.COMBAT_PART) != SHIPS:
        return False
    beside = [unit for unit in state.units_in(ship.space) if unit.owner == ship.owner]
    return any(unit.aboard is not None and cargo_may_wait(rules, state, unit) for unit in beside)


def cargo_may_wait(rules: RuleSet, state: State, cargo: Unit) -> bool:
    """Whether troops that board in the second part may wait for a landing in the third."""
    if state.marks.get(marks.COMBAT_PART) != SHIPS or not is_land(rules, cargo):
        return False
    lands = rules.board.lands_beside(cargo.space)
    return any(
        rules.judge("hostile_territory", state, cargo.owner, land) or rules.judge("neutral_ground", state, land)
        for land in lands
    )


def sea_battle_due(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Sea battles arise as ever, but none in the third part (ERR-1.3.3)."""
    return state.marks.get(marks.COMBAT_PART) != ARMY and battle_is_due(rules, state, power, zone)
