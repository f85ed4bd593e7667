"""The tactical turn under War Without Mercy: who may sail, how a force divides, what a landing needs, silent Hawaii.

Destroyers, submarines and transports that land nobody need neither force nor oil (WWM-7.12). Withdrawals follow the
base game and are not limited by division (WWM-9.11); so do kamikazes, interceptors, submarines, losses (WWM-D10). The
surprise of Japan's first turn is that of its tactical turn (WWM-14.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.board.state import Group, State, Unit
from pbem.games.p01 import battles as base_battles
from pbem.games.p01 import moves as base
from pbem.games.p01.wwm.breakdown import break_down
from pbem.games.p01.wwm.forces import (
    BOMBARDMENT,
    EASTERN,
    KIDO_BUTAI_ZONE,
    force_of,
    forces_of,
    is_capital,
    is_lone_capital,
    settle,
)
from pbem.rules import marks, politics
from pbem.rules.battle.model import Battle
from pbem.rules.citations import refuse as refuse_phase
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.planning import Done, Fault
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import CarrierWing, Move, Pick, Unload
from pbem.rules.query import can, is_air, is_land, is_ship
from pbem.rules.reactions import window
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

HAWAII, HAWAII_ZONE = "hawaiian-islands", "sz-9"
COMBAT = "combat_move"


# -- the two move phases ----------------------------------------------------------------------------------------------


def combat_move(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 3 (WWM-D08): forces move and divide by their lines; the Eastern Operation sails even in silence."""
    lines = _eastern(game, [base.spoken(line) for line in filed])
    base.combat_move(game, with_ships_of_forces(game.state, game.state.power or "", lines))
    settle(game)


def conduct_combat(game: Game) -> None:
    """Phase 4 of the base game; afterwards forces know who is left."""
    base_battles.conduct_combat(game)
    settle(game)


def reactions(game: Game) -> None:
    """Phase 3a as in the base game (WWM-14.4); a struck force knows who is left."""
    window.reactions(game)
    settle(game)


def noncombat_move(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 6: moves, landings and patrols of the base game, then the seat's forces break down (WWM-10.1)."""
    power = game.state.power or ""
    lines = [line for line in filed if not isinstance(line.order, CarrierWing)]
    base.noncombat_move(game, with_ships_of_forces(game.state, power, lines))
    break_down(game, power, filed)


def with_ships_of_forces(state: State, power: str, lines: Sequence[Filed]) -> list[Filed]:
    """Lines in which ships of a kind are told apart by their task force, so that one line moves one force's ships.

    A line that names a whole force moves it; one that names part of a force takes ships of the force that has most of
    what is named left over.
    """
    left = {group.id: list(group.units) for group in forces_of(state, power)}
    chosen: dict[int, Group] = {}
    for whole in (True, False):
        for place, line in enumerate(lines):
            order = line.order
            if place in chosen or not isinstance(order, Move) or not _ships_of(order):
                continue
            group = _force_meant(state, power, order, left, whole)
            if group is not None:
                chosen[place] = group
                _use_up(state, left[group.id], order)
    out: list[Filed] = []
    for place, line in enumerate(lines):
        group = chosen.get(place)
        out.append(line if group is None else replace(line, order=_narrowed(state, line.order, group)))
    return out


def _ships_of(order: Move) -> dict[str, int]:
    """The kinds of ships that a line names, with their numbers."""
    kinds = ("battleship", "carrier", "destroyer", "transport")
    return {pick.kind: pick.count if pick.count is not None else 99 for pick in order.units if pick.kind in kinds}


def _force_meant(state: State, power: str, order: Move, left: dict[str, list[str]], whole: bool) -> Group | None:
    wanted = _ships_of(order)
    best: tuple[int, Group] | None = None
    for group in forces_of(state, power):
        here = [one for one in left[group.id] if one in state.units and state.units[one].space == order.path[0]]
        counts: dict[str, int] = {}
        for one in here:
            counts[state.units[one].kind] = counts.get(state.units[one].kind, 0) + 1
        complete = counts == {kind: min(number, counts.get(kind, 0)) for kind, number in wanted.items()}
        if whole and complete and len(here) == len(group.units):
            return group
        if not whole and all(counts.get(kind, 0) >= (1 if number == 99 else number) for kind, number in wanted.items()):
            begun = len(here) < len(group.units)
            capital = any(is_capital(kind) for kind in wanted)
            outside = not capital and not begun and _enough_outside(state, power, order, wanted)
            if not outside and (best is None or len(here) > best[0]):
                best = (len(here), group)
    return best[1] if best is not None else None


def _enough_outside(state: State, power: str, order: Move, wanted: dict[str, int]) -> bool:
    """Whether ships outside all forces answer a line that names no cargo: then those are meant."""
    if len(wanted) != len(order.units):
        return False
    free = [unit for unit in state.units_in(order.path[0]) if unit.owner == power and force_of(state, unit.id) is None]
    return all(sum(unit.kind == kind for unit in free) >= number for kind, number in wanted.items())


def _use_up(state: State, left: list[str], order: Move) -> None:
    for kind, number in _ships_of(order).items():
        for one in [one for one in left if one in state.units and state.units[one].kind == kind][:number]:
            left.remove(one)


def _narrowed(state: State, order: object, group: Group) -> Move:
    """The same move with its ships taken from one force."""
    assert isinstance(order, Move)
    picks: list[Pick] = []
    for pick in order.units:
        members = tuple(one for one in group.units if one in state.units and state.units[one].kind == pick.kind)
        picks.append(replace(pick, ids=members) if pick.kind in _ships_of(order) and not pick.ids else pick)
    return replace(order, units=tuple(picks))


# -- what a move must keep --------------------------------------------------------------------------------------------


def closed_to(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """Capital ships outside a task force do not move (WWM-7.13), nothing takes off from them (WWM-7.14)."""
    if is_ship(rules, unit) and is_lone_capital(state, unit) and unit.space != space:
        kind = rules.board.units[unit.kind].name.lower()
        return refuse(
            rules, "lone_capital", f"This {kind} belongs to no task force: it neither moves nor fights.",
            "Assign it to a task force when you fuel them.",
        )  # fmt: skip
    if is_air(rules, unit) and unit.aboard is not None and is_lone_capital(state, state.units[unit.aboard]):
        return refuse(rules, "lone_deck", "Its carrier belongs to no task force: nothing takes off from it.")
    return politics.closed_to(rules, state, power, unit, space)


def move_faults(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """Lines that divide a force wrongly, or land troops from a transport that is in none."""
    if sketch.phase != COMBAT:
        return []
    faults = [fault for group in forces_of(sketch.state, sketch.power) for fault in _divided(sketch, group, done)]
    return faults or [*_assault_faults(sketch, done), *_eastern_faults(sketch, done)]


def _divided(sketch: Sketch, group: Group, done: Sequence[Done]) -> Iterator[Fault]:
    """Undivided a force moves together up to two zones; in two groups each moves one at most (WWM-9.3, WWM-9.4).

    Who stays counts as a group that moved none (WWM-9.10).
    """
    ships = [sketch.state.units[one] for one in group.units if one in sketch.state.units]
    places = dict.fromkeys(ship.space for ship in ships)
    if len(places) < 2:
        return
    moves = [(line, _moved_by(line, ships)) for line in done if isinstance(line.filed.order, Move)]
    moves = [(line, moved) for line, moved in moves if moved]
    if len(places) > 2 and moves:
        line, moved = moves[-1]
        wrong = refuse(
            sketch.rules,
            "two_groups",
            f"The task force of {sketch.name(group.data['zone'])} would be in {len(places)} zones; it divides into two "
            "groups at most, and those that stay are one of them.",
        )
        yield Fault(line.filed, wrong, (moved[0].space,))
        return
    for line, moved in moves:
        far = [ship for ship in moved if ship.spent > 1]
        if far:
            wrong = refuse(
                sketch.rules,
                "one_zone_each",
                f"A task force that divides moves no ship more than one zone; {sketch.name(far[0].space)} is "
                f"{far[0].spent} away.",
                "Move it together, or each group by one zone.",
            )
            yield Fault(line.filed, wrong, (far[0].space,))


def _moved_by(line: Done, ships: Sequence[Unit]) -> list[Unit]:
    return [ship for ship in ships if ship.id in line.units and ship.mark(marks.MOVED) == COMBAT]


def _assault_faults(sketch: Sketch, done: Sequence[Done]) -> Iterator[Fault]:
    """A transport assaults only as part of a task force (WWM-9.5); destroyers need none (WWM-9.6)."""
    for line in done:
        for unit_id in line.units:
            unit = sketch.state.units[unit_id]
            if unit.mark(marks.LANDING) is None or unit.aboard is None or not is_land(sketch.rules, unit):
                continue
            ship = sketch.state.units[unit.aboard]
            if can(sketch.rules, ship, "carries_land_units") and force_of(sketch.state, ship.id) is None:
                yield Fault(line.filed, refuse(
                    sketch.rules, "transport_alone",
                    f"This transport belongs to no task force: it cannot land troops in "
                    f"{sketch.name(str(unit.mark(marks.LANDING)))}.",
                    "Fuel an amphibious task force for it.",
                ), (ship.space,))  # fmt: skip
                break


# -- the Eastern Operation ------------------------------------------------------------------------------------------


def eastern_force(state: State, power: str) -> Group | None:
    """The force that must attempt the Hawaiian Islands (WWM-12.5)."""
    return next((group for group in forces_of(state, power) if group.data.get(EASTERN)), None)


def _eastern(game: Game, filed: Sequence[Filed]) -> list[Filed]:
    """Lines that send the Eastern Operation elsewhere are refused; without a line it sails to Hawaii by itself."""
    group = eastern_force(game.state, game.state.power or "")
    if group is None:
        return list(filed)
    lines: list[Filed] = []
    told = False
    for line in filed:
        order = line.order
        from_start = isinstance(order, Move) and order.path[0] == KIDO_BUTAI_ZONE and _names_transports(order)
        if isinstance(order, Unload) and order.zone in (KIDO_BUTAI_ZONE, HAWAII_ZONE) and order.space != HAWAII:
            game.refuse(line, COMBAT, _must_go(game))
            continue
        if isinstance(order, Move) and from_start:
            if HAWAII_ZONE not in order.path or order.path[-1] not in (HAWAII, HAWAII_ZONE):
                game.refuse(line, COMBAT, _must_go(game))
                continue
            told = True
        lines.append(line)
    return lines if told else [*lines, *_by_itself(game, group)]


def _names_transports(order: Move) -> bool:
    return any(pick.kind in ("transport", "sea", "unit") for pick in order.units)


def _must_go(game: Game) -> Refusal:
    return refuse_phase(
        game.rules, "eastern_goal", "The Eastern Operation must attempt a landing on the Hawaiian Islands.",
        "Send its ships to Sea Zone 9 and unload there, or order nothing: then they go by themselves.",
    )  # fmt: skip


def _by_itself(game: Game, group: Group) -> list[Filed]:
    """The orders that the service gives in Japan's place (WWM-12.5)."""
    ships = [game.state.units[one] for one in group.units if one in game.state.units]
    cargo = [unit for ship in ships for unit in game.state.cargo_of(ship.id) if is_land(game.rules, unit)]
    picks = tuple(
        Pick(kind, len(same), ids=tuple(same))
        for kind in dict.fromkeys(ship.kind for ship in ships)
        for same in [[ship.id for ship in ships if ship.kind == kind]]
    )
    kinds = dict.fromkeys(unit.kind for unit in cargo)
    landing = tuple(Pick(kind, sum(unit.kind == kind for unit in cargo)) for kind in kinds)
    by_itself = [Filed(group.power, "Eastern Operation", Move(picks, (KIDO_BUTAI_ZONE, HAWAII_ZONE)))]
    if landing:
        by_itself.append(Filed(group.power, "Eastern Operation", Unload(landing, HAWAII_ZONE, HAWAII)))
    return by_itself


def _eastern_faults(sketch: Sketch, done: Sequence[Done]) -> Iterator[Fault]:
    """Its cargo lands on the Hawaiian Islands or nowhere."""
    group = eastern_force(sketch.state, sketch.power)
    if group is None:
        return
    for line in done:
        for unit_id in line.units:
            unit = sketch.state.units[unit_id]
            if unit.aboard in group.units and unit.mark(marks.LANDING) not in (None, HAWAII):
                goal = refuse(sketch.rules, "eastern_goal", "The Eastern Operation lands on the Hawaiian Islands only.")
                yield Fault(line.filed, goal, (unit.space,))
                break


# -- battle -----------------------------------------------------------------------------------------------------------


def stays_out(rules: RuleSet, state: State, unit: Unit) -> bool:
    """Capital ships outside a task force never attack (WWM-7.13); nor do fighters on them."""
    if is_ship(rules, unit):
        return is_lone_capital(state, unit)
    return unit.aboard is not None and is_lone_capital(state, state.units[unit.aboard])


def may_bombard(rules: RuleSet, state: State, unit: Unit) -> bool:
    """Only ships of a bombardment force fire at the shore (WWM-9.8)."""
    group = force_of(state, unit.id)
    return group is not None and group.kind == BOMBARDMENT


def defense_values(rules: RuleSet, state: State, battle: Battle, units: Sequence[Unit]) -> dict[str, int]:
    """Capital ships outside a task force and fighters on them roll no dice, but take hits (WWM-7.14).

    The switch `lone_capital_defends` lets them fire.
    """
    present = list(units)
    numbers = base_battles.defense_values(rules, state, battle, present)
    if rules.parameter("wwm_lone_capitals_defend"):
        return numbers
    return {unit.id: 0 if stays_out(rules, state, unit) else numbers[unit.id] for unit in present}


def fire_topics(rules: RuleSet, state: State, battle: Battle, side: str) -> tuple[str, ...]:
    """As in the base game, and capital ships that cannot fire."""
    topics = base_battles.fire_topics(rules, state, battle, side)
    idle = any(stays_out(rules, state, unit) for unit in battle.units(state, side) if is_ship(rules, unit))
    return (*topics, "fire.lone_capital") if idle else topics
