"""Loading transports: in friendly zones, pieces that have not moved, own ships or those of allies that allow it.

Whether what was loaded in the combat move also lands is checked when the phase is planned as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.board.state import Unit
from pbem.board.units import AIR, SEA
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.picks import by_preference, described, domain_of, number, resolve
from pbem.rules.movement.ready import COMBAT, topic_of_rest
from pbem.rules.movement.shipping import fits_aboard, is_transport, unloading_to
from pbem.rules.movement.sketch import Sketch
from pbem.rules.movement.transports import by_move_left, may_handle_cargo
from pbem.rules.order_model import Pick
from pbem.rules.query import is_land, names

Consents = Mapping[str, bool]
"""For each ally with transports: whether units of the moving power may board them (P40-DP-34)."""


def load(
    sketch: Sketch, picks: Sequence[Pick], territory: str, zone: str, onto: Pick | None, consents: Consents
) -> Refusal | tuple[str, ...]:
    """Land units board transports in a zone beside their territory (P40-4.6.1, 4.6.2, 4.6.11; P40-7.6).

    A transport loads before, between and after its moves (S42-4.7.3), from land only (S42-4.7.14), and sinks at the
    first hit (S42-4.7.13). Gives the ids of the ships. Who loads together goes aboard one ship if that is possible.
    """
    rules = sketch.rules
    if sketch.board.spaces[territory].is_sea or not sketch.board.spaces[zone].is_sea:
        return refuse(rules, "load", "Units are loaded from a territory in a sea zone; name them in that order.")
    if not sketch.board.adjacent(territory, zone):
        return refuse(rules, "load", f"{sketch.name(territory)} does not border {sketch.name(zone)}.")
    here = [unit for unit in sketch.here(territory) if is_land(rules, unit)]
    for pick in picks:
        if domain_of(rules, pick) in (AIR, SEA):
            return refuse(
                rules,
                "capacity",
                f"{described(rules, replace(pick, count=None)).capitalize()} do not board transports; land units do.",
            )
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
    if unit.owner not in sketch.acting:
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
            "guns_at_sea",
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
            topic_of_rest(rules, unit) if fought else "load_moved",
            f"This {kind.name.lower()} has {'fought' if fought else 'moved'} in this turn; only a unit that has not "
            "can board a transport.",
        )
    return None


def _zone_bars_loading(sketch: Sketch, zone: str) -> Refusal | None:
    """No loading in a hostile zone, unless the war that made it hostile was declared in this turn (P40-2.3.7).

    A transport leaves the zone first and loads elsewhere (P40-13-A5).

    Where the parameter `loads_among_enemies` is set, units may board there for an assault from there (CLA-5.9.7).
    """
    if zone not in sketch.hostile:
        return None
    declared = sketch.state.marks.get(marks.declared_war(sketch.power))
    before = sketch.state.marks.get(marks.HOSTILE_AT_START, ())
    if sketch.phase == COMBAT and declared and zone not in before:
        return None
    if sketch.phase == COMBAT and sketch.rules.parameters.get("loads_among_enemies"):
        return None
    return refuse(
        sketch.rules,
        "load_hostile",
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
        refusal = may_handle_cargo(sketch, ship, loads=True)
        stopped = zone in sketch.hostile and not rules.parameters.get("loads_among_enemies")
        if refusal is None and ship.mark(marks.MOVED) == sketch.phase and stopped:
            stops = f"{sketch.name(zone)} is hostile: a transport that enters it must stop."
            refusal = refuse(rules, "load_hostile", stops)
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
    if first is not None:
        return first
    idle = next((unit for unit in sketch.own_in(zone) if sketch.board.units[unit.kind].data.get("loads_for")), None)
    if idle is not None and not transports:
        kind = sketch.board.units[idle.kind].plural
        return refuse(rules, "no_carrier", f"{kind} of {sketch.board.powers[idle.owner].name} carry no troops.")
    if _sailed_from(sketch, zone):
        why = f"Your transport has left {sketch.name(zone)} by a line above this one."
        return refuse(rules, "load", why, "Lines run in the order written: first load, then sail, then unload.")
    return refuse(rules, "load", f"There is no transport of yours in {sketch.name(zone)}.")


def _sailed_from(sketch: Sketch, zone: str) -> bool:
    """Whether an own transport began this turn in a zone and has sailed."""
    units = (unit for unit in sketch.state.units.values() if unit.owner == sketch.power and unit.space != zone)
    return any(is_transport(sketch.rules, unit) and unit.mark(marks.START) == zone for unit in units)


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
    carries = "carries" if len(ships) == 1 else "carry"
    full = f", which already {carries} {names(sketch.rules, aboard)}" if aboard else ""
    small = bool(ships) and all(sketch.board.units[ship.kind].data.get("loads_only") for ship in ships)
    called = sketch.board.units[ships[0].kind].name.lower() if small else "transport"
    count = f"{len(ships)} {called}{'' if len(ships) == 1 else 's'}"
    do = "does" if len(cargo) == 1 else "do"
    return refuse(
        sketch.rules,
        "small_carrier" if small else "capacity",
        f"{names(sketch.rules, cargo)} {do} not fit on the {count} in {sketch.name(zone)}{full}: a {called} carries "
        f"{_load_of(sketch, ships)}.",
        "Load fewer units, or bring another transport.",
    )


def _load_of(sketch: Sketch, ships: Sequence[Unit]) -> str:
    """What a transport carries, in the words of the unit table if it has any."""
    said = sketch.board.units[ships[0].kind].data.get("load_text") if ships else None
    return str(said or "one land unit of any kind and one infantry")


def _board(sketch: Sketch, cargo: Sequence[Unit], ship_id: str, territory: str, zone: str) -> None:
    rules = cites(sketch.rules, "load")
    ship = sketch.unit(ship_id)
    for move, group in by_move_left(sketch, cargo).items():
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
