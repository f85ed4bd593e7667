"""Transports: loading in friendly zones, landing as an assault, unloading among friends, cargo of allies.

What a whole phase must satisfy (cargo that must land, escorts, enemy submarines) is checked at its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.guardians import take_over
from pbem.rules.movement.picks import by_preference, fits, number, resolve, too_few
from pbem.rules.movement.ready import COMBAT, foreign
from pbem.rules.movement.shipping import fits_aboard, is_transport, unloading_key, unloading_to
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Pick
from pbem.rules.query import is_land, names
from pbem.rules.ruleset import RuleSet

Consents = Mapping[str, bool]
"""For each ally with transports: whether units of the moving power may board them (P40-DP-34)."""


def may_unload_here(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether nothing at sea forbids a power to unload in a zone now (P40-4.6.4, P40-4.7.4)."""
    return not rules.judge("hostile_zone", state, power, zone)


# -- loading ----------------------------------------------------------------------------------------------------------


def load(
    sketch: Sketch, picks: Sequence[Pick], territory: str, zone: str, onto: Pick | None, consents: Consents
) -> Refusal | tuple[str, ...]:
    """Land units board transports in a zone beside their territory (P40-4.6.1, 4.6.2, 4.6.11; P40-7.6).

    Gives the ids of the ships. Who loads together goes aboard one ship if that is possible.
    """
    rules = sketch.rules
    if sketch.board.spaces[territory].is_sea or not sketch.board.spaces[zone].is_sea:
        return refuse(rules, "load", "Units are loaded from a territory in a sea zone; name them in that order.")
    if not sketch.board.adjacent(territory, zone):
        return refuse(rules, "load", f"{sketch.name(territory)} does not border {sketch.name(zone)}.")
    here = [unit for unit in sketch.here(territory) if is_land(rules, unit)]
    chosen = resolve(rules, sketch.state, sketch.power, picks, territory, lambda unit: _may_board(sketch, unit), here)
    if isinstance(chosen, Refusal):
        return chosen
    barred = _zone_bars_loading(sketch, zone)
    if barred is not None:
        return barred
    ships = _ships_for(sketch, zone, onto, consents)
    if isinstance(ships, Refusal):
        return ships
    plan = _stow(sketch, [sketch.unit(unit_id) for unit_id in chosen], ships)
    if plan is None:
        return _no_room(sketch, chosen, zone, ships)
    for ship, aboard in plan:
        _board(sketch, aboard, ship, territory, zone)
    return tuple(ship for ship, _ in plan)


def _may_board(sketch: Sketch, unit: Unit) -> Refusal | None:
    """Whether a land unit may still be loaded: it has not moved, and may be shipped at all."""
    rules = sketch.rules
    kind = sketch.board.units[unit.kind]
    if unit.owner != sketch.power:
        return refuse(
            rules,
            "allied_cargo",
            f"That {kind.name.lower()} belongs to {sketch.board.powers[unit.owner].name}, which loads it itself.",
        )
    if unit.owner in rules.parameters.get("never_shipped", ()):
        return refuse(
            rules, "never_shipped", f"Units of {sketch.board.powers[unit.owner].name} never board transports."
        )
    if kind.can("noncombat_move_only") and sketch.phase == COMBAT:
        return refuse(
            rules,
            "guns_stay",
            f"{kind.plural} do not move, load or land in the combat move.",
            "Load them in the noncombat move: write `noncombat:` before the line.",
        )
    if unit.mark(marks.CAPTURED):
        return refuse(rules, "captured_guns", f"This {kind.name.lower()} was captured in this turn and stays.")
    if not kind.figure("transport_cost"):
        return refuse(rules, "capacity", f"A {kind.name.lower()} cannot be carried by transport.")
    if unit.spent or unit.mark(marks.MOVED) is not None or unit.mark(marks.FOUGHT):
        fought = sketch.phase != COMBAT and unit.mark(marks.FOUGHT)
        return refuse(
            rules,
            "moved_or_fought" if fought else "load",
            f"This {kind.name.lower()} has {'fought' if fought else 'moved'} in this turn; only a unit that has not "
            "can board a transport.",
        )
    return None


def _zone_bars_loading(sketch: Sketch, zone: str) -> Refusal | None:
    """No loading in a hostile zone, unless the war that made it hostile was declared in this turn (P40-2.3.7)."""
    if zone not in sketch.hostile:
        return None
    declared = sketch.state.marks.get(marks.declared_war(sketch.power))
    before = sketch.state.marks.get(marks.HOSTILE_AT_START, ())
    if sketch.phase == COMBAT and declared and zone not in before:
        return None
    return refuse(
        sketch.rules,
        "load",
        f"{sketch.name(zone)} is hostile: transports load in friendly zones only.",
        "Sail to a friendly zone first and load there.",
    )


def _ships_for(sketch: Sketch, zone: str, onto: Pick | None, consents: Consents) -> list[Unit] | Refusal:
    """Transports in the zone that may load now: own ones, else those of allies that allow it."""
    rules = sketch.rules
    transports = [unit for unit in sketch.here(zone) if is_transport(rules, unit)]
    wanted_owner = onto.owner if onto is not None and onto.owner else None
    own = [unit for unit in transports if unit.owner == (wanted_owner or sketch.power)]
    if onto is not None and onto.ids:
        own = [unit for unit in own if unit.id in onto.ids]
    allied = [
        unit
        for unit in transports
        if unit.owner != sketch.power and wanted_owner is None and unit.owner not in sketch.enemies
        and rules.judge("allies", sketch.state, sketch.power, unit.owner)
    ]  # fmt: skip
    if wanted_owner not in (None, sketch.power):
        own, allied = [], own
    first: Refusal | None = None
    usable: list[Unit] = []
    for ship in _half_laden_first(sketch, own):
        refusal = may_handle_cargo(sketch, ship)
        if refusal is None and ship.mark(marks.MOVED) == sketch.phase and zone in sketch.hostile:
            refusal = refuse(rules, "load", f"{sketch.name(zone)} is hostile: a transport that enters it must stop.")
        if refusal is None:
            usable.append(ship)
        first = first or refusal
    if usable:
        return usable
    welcome = [ship for ship in by_preference(allied) if consents.get(ship.owner)]
    if welcome:
        refusal = _both_at_war(sketch, welcome[0].owner)
        return welcome if refusal is None else refusal
    if allied:
        names_of = sketch.board.powers[allied[0].owner].name
        return refuse(
            rules,
            "allied_cargo",
            f"The transport in {sketch.name(zone)} belongs to {names_of}, which has not allowed "
            f"{sketch.board.powers[sketch.power].name}'s units aboard.",
            f"Ask {names_of} for `allow {sketch.power} cargo`.",
        )
    return first or refuse(rules, "load", f"There is no transport of yours in {sketch.name(zone)}.")


def _half_laden_first(sketch: Sketch, ships: Sequence[Unit]) -> list[Unit]:
    """Ships that began to load in this phase are filled up before others begin; then the usual preference."""
    loading = {
        unit.aboard
        for ship in ships
        for unit in sketch.cargo(ship.id)
        if unit.mark(marks.LOADED) == sketch.phase and unit.mark(marks.LANDING) is None
    }
    ordered = by_preference(ships, sketch.spent_first(ships))
    return sorted(ordered, key=lambda ship: ship.id not in loading)


def _both_at_war(sketch: Sketch, ally: str) -> Refusal | None:
    """Guests aboard need both powers at war (P40-2.3.4, P40-4.6.11)."""
    for power in (sketch.power, ally):
        if not any(sketch.state.at_war(power, other) for other in sketch.board.powers):
            return refuse(
                sketch.rules,
                "allied_cargo_war",
                f"{sketch.board.powers[power].name} is not at war: guests are carried only between powers at war.",
            )
    return None


def may_handle_cargo(sketch: Sketch, ship: Unit) -> Refusal | None:
    """Why a transport may neither load nor unload now (P40-4.6.7, P40-6.9.9, P40-7.6)."""
    rules = sketch.rules
    where = sketch.name(ship.space)
    if ship.mark(marks.RETREATED):
        return refuse(
            rules, "after_retreat", f"The transport in {where} retreated in this turn: its cargo stays aboard."
        )
    unloaded = unloading_to(sketch.state, ship)
    if unloaded is not None and (sketch.phase == COMBAT or ship.mark(marks.MOVED) != sketch.phase):
        return refuse(
            rules,
            "after_unloading",
            f"The transport in {where} unloads in {sketch.name(unloaded)} in this turn and does no more.",
        )
    used = bool(ship.mark(marks.FOUGHT)) or ship.mark(marks.MOVED) not in (None, sketch.phase)
    if used and sketch.phase != COMBAT and ship.owner == sketch.power:
        return refuse(
            rules,
            "transport_used",
            f"The transport in {where} moved, loaded, unloaded or fought in the combat phases; it loads and unloads no "
            "more in this turn.",
        )
    return None


def _stow(sketch: Sketch, cargo: Sequence[Unit], ships: Sequence[Unit]) -> list[tuple[str, list[Unit]]] | None:
    """Who goes aboard which ship: all on one if possible, else largest first wherever there is room."""
    holds = {ship.id: list(sketch.cargo(ship.id)) for ship in ships}
    loadable = [ship for ship in ships if unloading_to(sketch.state, ship) is None]
    for ship in loadable:
        if fits_aboard(sketch.rules, ship, [*holds[ship.id], *cargo]):
            return [(ship.id, list(cargo))]
    plan: dict[str, list[Unit]] = {}
    by_size = sorted(cargo, key=lambda unit: (-sketch.board.units[unit.kind].figure("transport_cost"), number(unit)))
    for unit in by_size:
        for ship in loadable:
            aboard = [*holds[ship.id], *plan.get(ship.id, ())]
            if fits_aboard(sketch.rules, ship, [*aboard, unit]):
                plan.setdefault(ship.id, []).append(unit)
                break
        else:
            return None
    return list(plan.items())


def _no_room(sketch: Sketch, chosen: Sequence[str], zone: str, ships: Sequence[Unit]) -> Refusal:
    cargo = [sketch.unit(unit_id) for unit_id in chosen]
    aboard = [unit for ship in ships for unit in sketch.cargo(ship.id)]
    full = f", which already carry {names(sketch.rules, aboard)}" if aboard else ""
    count = f"{len(ships)} transport{'' if len(ships) == 1 else 's'}"
    return refuse(
        sketch.rules,
        "capacity",
        f"{names(sketch.rules, cargo)} do not fit on the {count} in {sketch.name(zone)}{full}: a transport carries "
        "one land unit of any kind and one infantry.",
        "Load fewer units, or bring another transport.",
    )


def _board(sketch: Sketch, cargo: Sequence[Unit], ship_id: str, territory: str, zone: str) -> None:
    rules = cites(sketch.rules, "load")
    ship = sketch.unit(ship_id)
    for move, group in _by_move(sketch, cargo).items():
        noted: dict[str, Any] = {marks.START: territory, marks.LOADED: sketch.phase, marks.MOVED: sketch.phase}
        sketch.do(
            "units_loaded",
            {"units": group, "onto": ship_id, "from": territory, "zone": zone, "spent": move, "marks": noted},
            rules,
        )
    if ship.owner == sketch.power and ship.mark(marks.MOVED) is None:
        sketch.do(
            "units_marked",
            {"units": [ship_id], "set": {marks.START: ship.mark(marks.START, zone), marks.MOVED: sketch.phase}},
            rules,
        )


def _by_move(sketch: Sketch, cargo: Sequence[Unit]) -> dict[int, list[str]]:
    """Pieces by what boarding or landing costs them: all the movement they have (P40-4.6.1)."""
    groups: dict[int, list[str]] = {}
    for unit in cargo:
        groups.setdefault(max(0, sketch.points(unit)), []).append(unit.id)
    return groups


# -- unloading --------------------------------------------------------------------------------------------------------


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
            return too_few(rules, sketch.state, sketch.power, pick, zone, len(fitting))
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
    """Whether a transport may unload in this territory: once, one place, not after a retreat."""
    other = unloading_to(sketch.state, ship)
    if other is not None and other != territory and (sketch.phase == COMBAT or ship.mark(marks.MOVED) == sketch.phase):
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
            rules, "guns_stay", f"{kind.plural} cannot land in an assault; this one stays aboard.", "Land it later."
        )
    if ship.owner != sketch.power and unit.mark(marks.LOADED) is not None:
        return refuse(
            rules,
            "allied_cargo",
            "Cargo on an ally's transport is unloaded in a later turn than the one in which it was loaded.",
        )
    hostile = rules.judge("hostile_territory", sketch.state, sketch.power, territory)
    closed = rules.judge("closed_to", sketch.state, sketch.power, unit, territory)
    if isinstance(closed, Refusal):
        return closed
    if sketch.phase == COMBAT:
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
        return refuse(
            rules, "transport_used", f"{sketch.name(ship.space)} is hostile: transports unload in friendly zones only."
        )
    return None


def _declare_landing(sketch: Sketch, landing: Sequence[str], territory: str) -> None:
    """Cargo is told where to storm ashore; it stays aboard until its zone is free (P40-4.7.1, P40-4.7.4)."""
    rules = cites(sketch.rules, "assault_only")
    sketch.do(
        "units_marked", {"units": list(landing), "set": {marks.LANDING: territory, marks.MOVED: sketch.phase}}, rules
    )
    _mark_ships(sketch, landing, territory, rules)


def _put_ashore(sketch: Sketch, landing: Sequence[str], zone: str, territory: str) -> None:
    rules = cites(sketch.rules, "unload_friendly")
    _mark_ships(sketch, landing, territory, rules)
    for move, group in _by_move(sketch, [sketch.unit(unit_id) for unit_id in landing]).items():
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
