"""Unloading transports: storming ashore in the combat move, going ashore among friends afterwards.

Cargo that storms a beach stays aboard, marked with its target, until its zone is free; battles put it ashore.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.guardians import take_over
from pbem.rules.movement.neutrals import is_neutral_ground, pay_toll
from pbem.rules.movement.picks import fits, number, too_few
from pbem.rules.movement.ready import COMBAT, foreign
from pbem.rules.movement.shipping import is_transport, unloading_key, unloading_to
from pbem.rules.movement.sketch import Sketch
from pbem.rules.movement.transports import by_move_left, may_handle_cargo
from pbem.rules.order_model import Pick
from pbem.rules.query import is_land

IN_THAT_ORDER = "Lines run in the order written: first load, then sail, then unload."


def unload(sketch: Sketch, picks: Sequence[Pick], zone: str, territory: str) -> Refusal | None:
    """Cargo goes ashore: as an assault in the combat move, later among friends (P40-4.6.3-4.6.7; P40-7.6, 7.7)."""
    rules = sketch.rules
    if not sketch.board.spaces[zone].is_sea or sketch.board.spaces[territory].is_sea:
        return refuse(rules, "borders", "Cargo is unloaded from a sea zone into a territory; name them in that order.")
    if not sketch.board.adjacent(zone, territory):
        return refuse(rules, "borders", f"{sketch.name(territory)} does not border {sketch.name(zone)}.")
    landing = _cargo_meant(sketch, picks, zone, territory)
    if isinstance(landing, Refusal):
        return landing
    for unit_id in landing:
        refusal = _may_go_ashore(sketch, sketch.unit(unit_id), territory)
        if refusal is not None:
            return refusal
    if sketch.phase == COMBAT:
        refusal = pay_toll(sketch, (territory,), topic="neutral_landing")
        if refusal is not None:
            return refusal
        _declare_landing(sketch, landing, territory)
    else:
        _put_ashore(sketch, landing, zone, territory)
        take_over(sketch, territory, landing)
    return None


def _cargo_meant(sketch: Sketch, picks: Sequence[Pick], zone: str, territory: str) -> tuple[str, ...] | Refusal:
    """Which cargo a line takes: of ships that land there already, else of as few ships as possible, best fitting."""
    rules = sketch.rules
    ships = [unit for unit in sketch.here(zone) if is_transport(rules, unit)]
    cargo = [
        unit
        for ship in ships
        for unit in sketch.cargo(ship.id)
        if is_land(rules, unit) and unit.mark(marks.LANDING) is None
    ]
    guests = [pick.owner for pick in picks if pick.owner not in (None, sketch.power)]
    foreigners = [unit for unit in cargo if unit.owner in guests]
    if foreigners:
        return foreign(sketch, foreigners[0])
    own = [unit for unit in cargo if unit.owner == sketch.power]
    if not own:
        afloat = [unit for unit in sketch.here(zone) if is_land(rules, unit) and unit.owner == sketch.power]
        if afloat:
            refusal = _ship_may_unload(sketch, sketch.unit(afloat[0].aboard or ""), territory)
            if refusal is not None:
                return refusal
    barred = {ship.id: _ship_may_unload(sketch, ship, territory) for ship in ships}
    ranked = sorted(
        own,
        key=lambda unit: (
            barred[unit.aboard or ""] is not None,
            unloading_to(sketch.state, sketch.unit(unit.aboard or "")) != territory,
            _misfit(sketch, unit.aboard or "", picks),
            number(sketch.unit(unit.aboard or "")),
            number(unit),
        ),
    )
    chosen: list[str] = []
    for pick in picks:
        fitting = [u for u in ranked if u.id not in chosen and fits(rules, sketch.state, u, pick, sketch.power)]
        wanted = len(fitting) - pick.but if pick.count is None else pick.count
        if wanted > len(fitting) or not fitting:
            refusal = too_few(rules, sketch.state, sketch.power, pick, zone, len(fitting))
            return refusal if fitting or refusal.rule else replace(refusal, suggestion=IN_THAT_ORDER)
        free = [unit for unit in fitting if barred[unit.aboard or ""] is None]
        if len(free) < wanted and (pick.count is not None or not free):
            return next(found for unit in fitting if (found := barred[unit.aboard or ""]) is not None)
        chosen.extend(unit.id for unit in free[:wanted])
    return tuple(chosen)


def _misfit(sketch: Sketch, ship: str, picks: Sequence[Pick]) -> int:
    """How badly a ship's cargo fits the line: pieces aboard that it does not name."""
    wanted: dict[str, int] = {}
    for pick in picks:
        wanted[pick.kind] = 99 if pick.count is None else wanted.get(pick.kind, 0) + pick.count
    excess = 0
    for unit in sketch.cargo(ship):
        if wanted.get(unit.kind, 0) > 0:
            wanted[unit.kind] -= 1
        else:
            excess += 1
    return excess


def _ship_may_unload(sketch: Sketch, ship: Unit, territory: str) -> Refusal | None:
    """Whether a transport may unload in this territory: once, one place, not after a retreat.

    Where the parameter `beaches_may_differ` is set, cargo may go to several territories in the noncombat move
    (CLA-5.9.5).
    """
    other = unloading_to(sketch.state, ship)
    same_phase = sketch.phase == COMBAT or ship.mark(marks.MOVED) == sketch.phase
    if sketch.phase != COMBAT and same_phase and sketch.rules.parameters.get("beaches_may_differ"):
        other = territory if other is not None else None
    if other is not None and other != territory and same_phase:
        return refuse(
            sketch.rules,
            "one_beach",
            f"This transport lands its cargo in {sketch.name(other)}; all its cargo goes to one territory.",
            f"Land in {sketch.name(other)}, or use another transport.",
        )
    if other == territory and sketch.phase == COMBAT:
        return None
    if other == territory and ship.mark(marks.MOVED) == sketch.phase:
        return None
    return may_handle_cargo(sketch, ship)


def _may_go_ashore(sketch: Sketch, unit: Unit, territory: str) -> Refusal | None:
    """Whether a piece of cargo may land there in this phase."""
    rules, kind, name = sketch.rules, sketch.board.units[unit.kind], sketch.name(territory)
    ship = sketch.unit(unit.aboard or "")
    if kind.can("noncombat_move_only") and sketch.phase == COMBAT:
        return refuse(
            rules, "guns_at_sea", f"{kind.plural} cannot land in an assault; this one stays aboard.", "Land it later."
        )
    if ship.owner != sketch.power and unit.mark(marks.LOADED) is not None:
        return refuse(
            rules,
            "allied_same_turn",
            "Cargo on an ally's transport is unloaded in a later turn than the one in which it was loaded.",
        )
    hostile = rules.judge("hostile_territory", sketch.state, sketch.power, territory)
    closed = rules.judge("closed_to", sketch.state, sketch.power, unit, territory)
    if isinstance(closed, Refusal):
        return closed
    if sketch.phase == COMBAT:
        if is_neutral_ground(sketch, territory):
            return None
        # What was blitzed in this phase was hostile when it began (P40-4.1.2).
        blitzed = rules.parameters.get("taken_land_is_entered") and marks.taken(territory) in sketch.state.marks
        if blitzed and not hostile:
            return None
        if not hostile:
            return refuse(
                rules,
                "assault_only",
                f"{name} is not hostile: in the combat move cargo lands only to attack.",
                "Unload in the noncombat move: write `noncombat:` before the line.",
            )
        attack = rules.judge("may_attack", sketch.state, sketch.power, territory)
        return attack if isinstance(attack, Refusal) else None
    if hostile or not rules.judge("friendly_territory", sketch.state, sketch.power, territory):
        return refuse(
            rules,
            "unload_friendly",
            f"{name} is not friendly; in the noncombat move cargo goes ashore in friendly territory only.",
        )
    if ship.space in sketch.hostile:
        topic = "unload_hostile" if cites(rules, "unload_hostile") else "transport_used"
        where = sketch.name(ship.space)
        return refuse(rules, topic, f"{where} is hostile: transports unload in friendly zones only.")
    return None


def _declare_landing(sketch: Sketch, landing: Sequence[str], territory: str) -> None:
    """Cargo is told where to storm ashore; it stays aboard until its zone is free (P40-4.7.1, P40-4.7.4)."""
    zone = sketch.unit(landing[0]).space
    topics = ["assault_only"]
    if zone in sketch.submarines and zone not in sketch.hostile:
        topics.append("submarine_escorted")
    if any(sketch.unit(sketch.unit(one).aboard or "").owner != sketch.power for one in landing):
        topics.append("allied_assault")
    rules = cites(sketch.rules, *topics)
    sketch.do(
        "units_marked", {"units": list(landing), "set": {marks.LANDING: territory, marks.MOVED: sketch.phase}}, rules
    )
    _mark_ships(sketch, landing, territory, rules)


def _put_ashore(sketch: Sketch, landing: Sequence[str], zone: str, territory: str) -> None:
    rules = cites(sketch.rules, "unload_friendly")
    _mark_ships(sketch, landing, territory, rules)
    for move, group in by_move_left(sketch, [sketch.unit(unit_id) for unit_id in landing]).items():
        sketch.do(
            "units_unloaded",
            {
                "units": group,
                "from": zone,
                "to": territory,
                "spent": move,
                "marks": {marks.MOVED: sketch.phase, marks.FROM: zone},
            },
            rules,
        )


def _mark_ships(sketch: Sketch, landing: Sequence[str], territory: str, rules: Sequence[str]) -> None:
    ships = dict.fromkeys(sketch.unit(unit_id).aboard or "" for unit_id in landing)
    fresh = [ship for ship in ships if unloading_to(sketch.state, sketch.unit(ship)) is None]
    for ship in fresh:
        unit = sketch.unit(ship)
        if unit.owner != sketch.power:
            sketch.do("mark_set", {"key": unloading_key(ship), "value": territory}, rules)
            continue
        noted = {
            marks.UNLOADED_TO: territory,
            marks.MOVED: sketch.phase,
            marks.START: unit.mark(marks.START, unit.space),
        }
        sketch.do("units_marked", {"units": [ship], "set": noted}, rules)
