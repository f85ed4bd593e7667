"""The end of a task force: capital ships go to the pool, destroyers and transports are placed anew.

Battleships in the pool are righted with all others in phase 8 (WWM-10.8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.board.state import Group, Unit
from pbem.games.p01 import placement as base
from pbem.games.p01.parameters import UK
from pbem.games.p01.wwm.forces import forces_of, is_capital, pool_of, refit_of
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal
from pbem.rules.movement.picks import fits
from pbem.rules.movement.points import end_bonus
from pbem.rules.movement.skies import landing_place
from pbem.rules.order_model import CarrierWing, Pick, Place, Refit
from pbem.rules.query import is_air
from pbem.rules.script import Filed, Game

PHASE = "mobilize"


def break_down(game: Game, power: str, filed: Sequence[Filed]) -> None:
    """At the end of the noncombat move all task forces of the seat end, moved or not (WWM-10.1, WWM-10.7).

    Their moves and unloadings of the phase were made before (WWM-10.12).
    """
    rides = next((line.order.rides for line in reversed(filed) if isinstance(line.order, CarrierWing)), True)
    for group in forces_of(game.state, power):
        if not rides:
            _wing_lands(game, group)
        _leave_map(game, group)
        game.emit("group_dissolved", {"group": group.id, "why": "broken_down"}, cites(game.rules, "breakdown"))


def _leave_map(game: Game, group: Group) -> None:
    """Battleships and carriers to the pool with what stands on them, the others off the map (WWM-10.2 to WWM-10.6)."""
    rows: dict[tuple[str, str], list[str]] = {}
    for unit_id in group.units:
        unit = game.state.units.get(unit_id)
        if unit is not None:
            goal = pool_of(group.power) if is_capital(unit.kind) else refit_of(group.power)
            rows.setdefault((unit.space, goal), []).append(unit_id)
    for (space, goal), ships in rows.items():
        topic = "breakdown" if goal == pool_of(group.power) else "off_map"
        left = {"units": ships, "from": space, "to": goal, "why": "broken_down"}
        game.emit("units_moved", left, cites(game.rules, topic))


def _wing_lands(game: Game, group: Group) -> None:
    """Fighters aboard land ashore if the seat wants that and they can (WWM-10.3, WWM-D11)."""
    aboard = [
        unit
        for unit_id in group.units
        for unit in game.state.cargo_of(unit_id)
        if is_air(game.rules, unit) and unit.owner == group.power
    ]
    for unit in aboard:
        goal = _shore(game, unit)
        if goal is not None:
            flown = {"units": [unit.id], "from": unit.space, "to": goal, "why": "landed", "phase": game.state.phase}
            game.emit("units_moved", flown, cites(game.rules, "wing"))


def _shore(game: Game, unit: Unit) -> str | None:
    points = max(0, int(game.rules.judge("movement_points", game.state, unit)))
    near = game.board.reach(unit.space, lambda space: _may_cross(game, unit, space), points)
    lands = [
        space for space, steps in near.items()
        if landing_place(game.rules, game.state, unit.owner, unit, space)
        and steps <= points + end_bonus(game.rules, game.state, unit, space)
    ]  # fmt: skip
    return lands[0] if lands else None


def _may_cross(game: Game, unit: Unit, space: str) -> bool:
    return game.rules.judge("fly_over", game.state, unit.owner, unit, space) is None


# -- phase 7 ----------------------------------------------------------------------------------------------------------


def place_units(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 7: new capital ships go to the pool, broken-down ships are placed, then all other units (WWM-10.9)."""
    power = game.state.power or ""
    new = _capitals_to_pool(game, power)
    rest: list[Filed] = []
    for line in filed:
        order = line.order
        if isinstance(order, Refit):
            _refit(game, line, order.units, order.zone)
        elif isinstance(order, Place) and _means_refit(game, line, order):
            _refit(game, line, order.units, order.space)
        elif isinstance(order, Place):
            others = tuple(pick for pick in order.units if not is_capital(pick.kind))
            if others and not _aboard_new_carriers(game, line, others, new):
                rest.append(replace(line, order=replace(order, units=others)))
        else:
            rest.append(line)
    _refit_by_default(game, power)
    base.place_units(game, rest)


def _capitals_to_pool(game: Game, power: str) -> list[str]:
    """Battleships and carriers that were bought enter the pool; gives the new carriers."""
    carriers: list[str] = []
    for kind in ("battleship", "carrier"):
        for _ in range(game.state.purchased(power).get(kind, 0)):
            game.emit("purchases_changed", {"power": power, "items": {kind: -1}, "why": "placed"})
            if power == UK:
                base.one_less(game, kind)
            unit_id = f"u{game.state.next_unit}"
            made = {"space": pool_of(power), "owner": power, "units": [[unit_id, kind]], "why": "mobilized"}
            game.emit("units_created", made, cites(game.rules, "new_capitals"))
            if kind == "carrier":
                carriers.append(unit_id)
    return carriers


def _aboard_new_carriers(game: Game, line: Filed, picks: Sequence[Pick], carriers: Sequence[str]) -> bool:
    """With the switch of the base game new fighters may board carriers that enter the pool now (WWM-10.9)."""
    order = line.order
    assert isinstance(order, Place)
    at_sea = game.board.spaces[order.space].is_sea
    if not at_sea or not carriers or not game.rules.parameter("fighters_on_new_carriers"):
        return False
    if any(pick.kind != "fighter" for pick in picks):
        return False
    wanted = sum(pick.count or game.state.purchased(line.power).get("fighter", 0) for pick in picks)
    decks = [deck for deck in carriers for _ in range(2 - sum(1 for _ in game.state.cargo_of(deck)))]
    if wanted > min(len(decks), game.state.purchased(line.power).get("fighter", 0)):
        return False
    for deck in decks[:wanted]:
        game.emit("purchases_changed", {"power": line.power, "items": {"fighter": -1}, "why": "placed"})
        if line.power == UK:
            base.one_less(game, "fighter")
        row = [f"u{game.state.next_unit}", "fighter", {"aboard": deck}]
        made = {"space": pool_of(line.power), "owner": line.power, "units": [row], "why": "mobilized"}
        game.emit("units_created", made, cites(game.rules, "new_capitals"))
    return True


def _means_refit(game: Game, line: Filed, order: Place) -> bool:
    """`place 1 destroyer Sea Zone 9` where none was bought means one that waits after its force broke down."""
    bought = game.state.purchased(line.power)
    return bool(_waiting(game, line.power, order.units)) and not any(bought.get(pick.kind) for pick in order.units)


def _waiting(game: Game, power: str, picks: Sequence[Pick]) -> list[str]:
    """Ships off the map that descriptions mean; all of them where nothing is described."""
    here = [unit for unit in game.state.units_in(refit_of(power)) if unit.aboard is None]
    if not picks:
        return [unit.id for unit in here]
    found: list[str] = []
    for pick in picks:
        fitting = [
            unit.id for unit in here
            if unit.id not in found and fits(game.rules, game.state, unit, pick, power)
        ]  # fmt: skip
        found += fitting if pick.count is None else fitting[: pick.count]
    return found


def _refit(game: Game, line: Filed, picks: Sequence[Pick], zone: str) -> None:
    """Ships of a broken-down force are placed, free, beside a complex of their own (WWM-10.4)."""
    wanted = sum(pick.count or 0 for pick in picks)
    ships = _waiting(game, line.power, picks)
    wrong = _zone_refusal(game, line.power, zone)
    if wrong is None and (not ships or len(ships) < wanted):
        wrong = refuse(game.rules, "refit", f"Only {len(ships)} such ships of yours wait off the map.")
    if wrong is not None:
        game.refuse(line, PHASE, wrong)
        return
    _place(game, line.power, ships, zone, "refit")


def _zone_refusal(game: Game, power: str, zone: str) -> Refusal | None:
    if zone in zones_for_refit(game, power):
        return None
    name = game.board.spaces[zone].name
    return refuse(
        game.rules, "refit", f"{name} is not beside a complex that you have held since your turn began.",
        "Choose a zone beside one of your complexes.",
    )  # fmt: skip


def zones_for_refit(game: Game, power: str) -> list[str]:
    """Zones beside complexes of a power, the lowest number first (WWM-D12)."""
    lands = base.sites(game.rules, game.state, power).capacity
    zones = dict.fromkeys(zone for land in lands for zone in game.board.seas_beside(land))
    open_to = [zone for zone in zones if _may_stand(game, power, zone)]
    return sorted(open_to, key=lambda zone: int(zone.rpartition("-")[2]))


def _may_stand(game: Game, power: str, zone: str) -> bool:
    allowed = game.rules.parameter("placed_among_enemies")
    return bool(allowed or not game.rules.judge("hostile_zone", game.state, power, zone))


def _place(game: Game, power: str, ships: Sequence[str], zone: str, topic: str) -> None:
    noted = {marks.PLACED: True, marks.START: None, marks.VIA: None}
    placed = {"units": list(ships), "from": refit_of(power), "to": zone, "why": "refit", "marks": noted}
    game.emit("units_moved", placed, cites(game.rules, topic))


def _refit_by_default(game: Game, power: str) -> None:
    """What nobody placed goes to the zone of the lowest number; without one it waits (WWM-10.10)."""
    ships = _waiting(game, power, ())
    zones = zones_for_refit(game, power)
    if ships and zones:
        _place(game, power, ships, zones[0], "refit_default")
