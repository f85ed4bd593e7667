"""The noncombat move: opponents' aircraft land, the active power moves what has not fought, its aircraft land.

Planned on a sketch like the combat move; land units, ships and aircraft use the same ways with the phase's own limits.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.auto_landing import land_the_rest
from pbem.rules.movement.carrying_out import Consents, ask_consents, carry_out_plan, condition_unmet
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.combat_move import SpecialLines
from pbem.rules.movement.landing_room import homeless
from pbem.rules.movement.orders import carry_out
from pbem.rules.movement.planning import Done, Fault, Plan, ended_by, make_plan
from pbem.rules.movement.ready import NONCOMBAT
from pbem.rules.movement.shipping import is_carrier
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Load, Move, NothingTo, RestDefault, Unload
from pbem.rules.query import is_air, is_ship
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game


def noncombat_move(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 4 (P40-7.1-7.16): (a) defenders' aircraft land, (b) the active power's moves, (c) the loss check.

    Nothing moves without a line but what must (P40-DP-28, P40-DP-33).
    """
    game.run("land_defenders")
    make_moves(game, filed)
    land_the_rest(game)


def make_moves(game: Game, filed: Sequence[Filed]) -> None:
    """The active power's moves by these lines; what does not hold is refused."""
    lines = [line for line in filed if not isinstance(line.order, NothingTo | RestDefault)]
    power = game.state.power
    assert power is not None, "a turn belongs to a power"
    consents = Consents(game.rules.parameters.get("allied_cargo_needs_consent", True))
    plan = plan_noncombat(game.rules, game.state, power, lines, consents)
    if ask_consents(game, consents, NONCOMBAT):
        plan = plan_noncombat(game.rules, game.state, power, lines, consents)
    carry_out_plan(game, plan, NONCOMBAT, lambda state, rest: plan_noncombat(game.rules, state, power, rest, consents))


def plan_noncombat(rules: RuleSet, state: State, power: str, lines: Sequence[Filed], consents: Consents) -> Plan:
    """What becomes of these lines in a position, without emitting anything."""
    before = Sketch(rules, state, power, NONCOMBAT)
    could_land = set(state.units) - set(homeless(before))
    special: SpecialLines = rules.parameters.get("special_lines", {})

    def act(sketch: Sketch, line: Filed) -> Refusal | None:
        order = line.order
        if isinstance(order, Move | Load | Unload):
            return condition_unmet(sketch, order.when) or carry_out(sketch, order, consents)
        if order.type in special:
            return special[order.type](sketch, line)
        return Refusal(f"`{order.type}` is not a line of the noncombat move in this game.")

    def check(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
        faults = _ships_by_treaty(sketch, done)
        if not rules.parameters.get("aircraft_may_be_lost"):
            faults += _no_deliberate_loss(sketch, done, could_land)
        if "move_faults" in rules.judgements:
            faults += rules.judgements["move_faults"](sketch, done)
        return faults

    return make_plan(rules, state, power, NONCOMBAT, lines, act, check)


def _ships_by_treaty(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """Zones in which a power's ships may not end a move (P40-2.3.9)."""
    faults = []
    for line, units in ended_by(done):
        for unit_id in units:
            unit = sketch.state.units[unit_id]
            if not is_ship(sketch.rules, unit) or unit.mark(marks.START) in (None, unit.space):
                continue
            barred = sketch.rules.judge("may_end_in", sketch.state, sketch.power, unit, unit.space)
            if isinstance(barred, Refusal):
                faults.append(Fault(line.filed, barred, (unit.space,)))
                break
    return faults


def _needed_elsewhere(sketch: Sketch, line: Done, aircraft: Unit) -> Fault:
    """A carrier that could save aircraft may not go where it does not (P40-7.11, S42-7.2.5)."""
    kind = sketch.board.units[aircraft.kind].name.lower()
    wrong = refuse(
        sketch.rules,
        "forced_carrier",
        f"The {kind} over {sketch.name(aircraft.space)} has no other place to land than this carrier.",
        f"Let the carrier stay where the {kind} can reach it, or send it there.",
    )
    return Fault(line.filed, wrong)


def _no_deliberate_loss(sketch: Sketch, done: Sequence[Done], could_land: set[str]) -> list[Fault]:
    """No aircraft may be sent where it cannot land while it could land elsewhere (P40-7.8, P40-7.13)."""
    moved_by = {unit_id: line for line in done for unit_id in line.units if is_air(sketch.rules, sketch.unit(unit_id))}
    sailed = [line for line in done if any(is_carrier(sketch.rules, sketch.unit(unit_id)) for unit_id in line.units)]
    if not moved_by and not sailed:
        return []
    order = sorted(moved_by, key=lambda unit_id: done.index(moved_by[unit_id]))
    faults: list[Fault] = []
    told: set[int] = set()
    for unit_id in homeless(sketch, order):
        line = moved_by.get(unit_id)
        unit = sketch.state.units[unit_id]
        if line is None and unit_id in could_land and sailed and not faults:
            faults.append(_needed_elsewhere(sketch, sailed[-1], unit))
            continue
        if line is None or unit_id not in could_land or id(line) in told or unit.mark(marks.MOVED) != NONCOMBAT:
            continue
        told.add(id(line))
        kind = sketch.board.units[unit.kind].name.lower()
        faults.append(
            Fault(
                line.filed,
                refuse(
                    sketch.rules,
                    "no_suicide",
                    f"No deck is free for this {kind} in {sketch.name(unit.space)}, and it could land elsewhere.",
                    "Send it to a territory that was friendly when the turn began, or to a carrier with room.",
                ),
                (unit.space,),
            )
        )
    return faults
