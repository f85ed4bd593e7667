"""Mobilization: bought units are placed at complexes, facilities are built, what finds no room is paid back.

Where a piece may stand and how much a complex can place is in `placement`; this file carries the lines out.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.units import AIR, FACILITY, SEA
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal
from pbem.rules.movement.picks import kind_fits
from pbem.rules.order_model import KIND_CLASSES, NothingTo, Pick, Place, Refund
from pbem.rules.placement import Site, Sites, deck_for
from pbem.rules.purchase import UPGRADE, pay
from pbem.rules.query import acting, can, enemy_units, is_air
from pbem.rules.script import Filed, Game


def mobilize(game: Game, filed: Sequence[Filed]) -> None:
    """Place, build, place what was not named by default, pay back the rest (P40-8.1 to P40-8.10).

    Powers of one seat do so one after the other, each for its own (P01-2.1.2). Where the parameter
    `unplaced_units_wait` is set, what finds no room is kept for a later turn (P01-9.1.8).
    """
    for power in acting(game.rules, game.state.power or ""):
        _mobilize_one(game, power, [line for line in filed if line.power == power])


def _mobilize_one(game: Game, power: str, filed: Sequence[Filed]) -> None:
    if game.rules.judge("capital_lost", game.state, power):
        _nothing_without_capital(game, filed)
        return
    sites: Sites = game.rules.judge("sites", game.state, power)
    _upgrade(game, power)
    for line in filed:
        if isinstance(line.order, Place):
            _place_line(game, sites, line, line.order)
        elif not isinstance(line.order, Refund | NothingTo):
            game.refuse(line, "mobilize", refuse(game.rules, "place", "This cannot be done in the mobilization phase."))
    first_back = [item for line in filed if isinstance(line.order, Refund) for item in line.order.items]
    _place_by_default(game, sites, power, first_back)
    if not game.rules.parameters.get("unplaced_units_wait"):
        _pay_back(game, power)
    _land_waiting_aircraft(game, power)


def _nothing_without_capital(game: Game, filed: Sequence[Filed]) -> None:
    for line in filed:
        if isinstance(line.order, Place):
            game.refuse(
                line, "mobilize",
                refuse(game.rules, "no_capital_place", "Your capital is in enemy hands: you place nothing."),
            )  # fmt: skip


# -- lines of the player ----------------------------------------------------------------------------------------------


def _place_line(game: Game, sites: Sites, line: Filed, order: Place) -> None:
    """One `place` line: as many of its pieces as may stand there; what does not fit is paid back later (P40-8.9)."""
    placed = wanted = 0
    why: Refusal | None = None
    for pick, kind in _kinds_meant(game, line.power, order):
        if kind == "ic_major" and order.space in game.state.marks.get(marks.meant_for(UPGRADE), ()):
            continue
        waiting = game.state.purchased(line.power).get(kind, 0)
        count = waiting if pick.count is None else pick.count
        wanted += count
        if not waiting or count > waiting:
            bought = f"You bought {waiting or 'no'} {_called(game, kind, waiting)}"
            reason = f"{bought}: {count} cannot be placed." if waiting else f"{bought} that could be placed."
            placed_before = 0 if waiting else _placed_before(game, line.power, kind)
            if placed_before:
                called = f"{placed_before} {_called(game, kind, placed_before)}"
                reason = f"Another line of yours places the {called} that you bought."
            why = refuse(game.rules, "place_bought" if cites(game.rules, "place_bought") else "place", reason)
        for _ in range(min(count, waiting)):
            site = site_for(game, sites, line.power, kind, order.space)
            if isinstance(site, Refusal):
                why = site
                break
            put(game, sites, line.power, kind, order.space, site)
            placed += 1
    if why is not None and not placed:
        game.refuse(line, "mobilize", why)
    elif why is not None:
        note = f"{placed} of {wanted}: {why.reason}"
        game.emit(
            "order_accepted",
            {"power": line.power, "phase": "mobilize", "text": line.text, "note": note},
            (why.rule,) if why.rule else (),
        )


def _kinds_meant(game: Game, power: str, order: Place) -> list[tuple[Pick, str]]:
    """Each description with the kind of piece it means; `place all Japan` with every kind that was bought."""
    meant: list[tuple[Pick, str]] = []
    for pick in order.units:
        bought = [kind for kind in game.state.purchased(power) if kind in game.board.units]
        if pick.kind not in game.board.units and pick.kind in KIND_CLASSES and pick.count is None and bought:
            fitting = [kind for kind in bought if kind_fits(game.rules, kind, pick.kind)]
            meant.extend((pick, kind) for kind in fitting if game.board.units[kind].domain != FACILITY)
        else:
            meant.append((pick, _bought_kind(game, power, pick.kind)))
    return meant


def _bought_kind(game: Game, power: str, kind: str) -> str:
    """The kind of piece a line means: `industrial_complex` is whichever size was bought."""
    if kind in game.board.units:
        return kind
    complexes = [item for item in game.state.purchased(power) if item in game.board.units]
    return next((item for item in complexes if game.board.units[item].can("produces_units")), kind)


def _placed_before(game: Game, power: str, kind: str) -> int:
    """How many pieces of a kind that a power bought stand on the board already."""
    units = game.state.units.values()
    return sum(1 for unit in units if unit.owner == power and unit.kind == kind and unit.mark(marks.PLACED))


def _called(game: Game, kind: str, count: int) -> str:
    unit = game.board.units.get(kind)
    return kind if unit is None else (unit.name if count == 1 else unit.plural).lower()


def site_for(game: Game, sites: Sites, power: str, kind: str, space: str) -> Site | Refusal:
    """How a bought piece may be placed in a space now (by which complexes, on which deck); else why not."""
    domain = game.board.units[kind].domain if kind in game.board.units else None
    if domain == FACILITY:
        barred: Refusal | None = game.rules.judge("may_build", game.state, power, kind, space)
        return barred if barred is not None else Site(space, (), None)
    found: Site | Refusal = game.rules.judge("site", game.state, power, sites, kind, space)
    return found


def put(game: Game, sites: Sites, power: str, kind: str, space: str, site: Site, *, silent: bool = False) -> None:
    """Place one bought piece or build one bought facility; `silent` where no line of the player said so."""
    by_default = ("silent_place",) if silent else ()
    game.emit("purchases_changed", {"power": power, "items": {kind: -1}, "why": "placed"})
    if "piece_placed" in game.rules.steps:
        game.run("piece_placed", power, kind, site)
    if game.board.units[kind].domain == FACILITY:
        topic = "build_complex" if game.board.units[kind].can("produces_units") else "build_base"
        built = {"space": space, "kind": kind, "damage": 0, "why": "built"}
        game.emit("facility_changed", built, cites(game.rules, topic, *by_default))
        return
    sites.use(site)
    extra: dict[str, object] = {"marks": {marks.PLACED: True}}
    if site.deck is not None:
        extra["aboard"] = site.deck
    domain = game.board.units[kind].domain
    topic = "place_ships" if domain == SEA else "place_aircraft" if domain == AIR else "place_land"
    if domain == SEA and enemy_units(game.state, power, space):
        by_default = (*by_default, "place_among_enemies")
    game.emit(
        "units_created",
        {
            "space": space, "owner": power, "units": [[f"u{game.state.next_unit}", kind, extra]], "why": "mobilized",
        },
        cites(game.rules, topic if site.complexes else "place_freely", *by_default),
    )  # fmt: skip


def _upgrade(game: Game, power: str) -> None:
    """Minor complexes whose upgrade was paid become major ones (P40-3.6); they place as minor ones this turn."""
    for space in game.state.marks.get(marks.meant_for(UPGRADE), ()):
        damage = game.state.spaces[space].facility("ic_minor")
        if damage is None or game.state.controller(space) != power:
            continue
        game.emit("purchases_changed", {"power": power, "items": {UPGRADE: -1}, "why": "placed"})
        game.emit(
            "facility_changed",
            {"space": space, "kind": "ic_minor", "damage": damage, "becomes": "ic_major", "why": "upgraded"},
            cites(game.rules, "upgrade"),
        )


# -- what nobody named ---------------------------------------------------------------------------------


def _place_by_default(game: Game, sites: Sites, power: str, first_back: Sequence[str]) -> None:
    """All that can be placed must be (P40-8.9, P40-DP-30): dearest first, so that the cheapest go back (P40-DP-31).

    `first_back` are the items the player would rather have back; they are placed last.
    """
    for kind in _in_placing_order(game, power, first_back):
        while game.state.purchased(power).get(kind, 0):
            for space in _places_to_try(game, power, kind, sites):
                site = site_for(game, sites, power, kind, space)
                if not isinstance(site, Refusal):
                    put(game, sites, power, kind, space, site, silent=True)
                    break
            else:
                break


def _in_placing_order(game: Game, power: str, first_back: Sequence[str]) -> list[str]:
    units = game.board.units
    bought = [kind for kind in game.state.purchased(power) if kind in units]

    # Where the dearest go back first (S42-D20), a carrier goes before the others only if aircraft wait for it.
    dearest_back = game.rules.parameters.get("refund_first", "cheapest") == "dearest"
    carriers_first = not dearest_back or _somebody_waits(game, power)

    def order(kind: str) -> tuple[int, int, int, int]:
        back = len(first_back) - first_back.index(kind) if kind in first_back else 0
        first = 0 if carriers_first and units[kind].figure("carrier_capacity") else 1
        cost = units[kind].cost or 0
        return (back, first, cost if dearest_back else -cost, units[kind].rank)

    return sorted(bought, key=order)


def _somebody_waits(game: Game, power: str) -> bool:
    flying = (unit for unit in game.state.units.values() if unit.owner == power and is_air(game.rules, unit))
    return any(unit.aboard is None and game.board.spaces[unit.space].is_sea for unit in flying)


def _places_to_try(game: Game, power: str, kind: str, sites: Sites) -> Sequence[str]:
    """Where a piece goes that nobody placed: where it was meant for, else by the rule set's own preference."""
    meant: Sequence[str] = game.state.marks.get(marks.meant_for(kind), ())
    if game.board.units[kind].domain == FACILITY:
        if "complex_sites" not in game.rules.judgements:
            return meant
        return [*meant, *game.rules.judge("complex_sites", game.state, power, kind)]
    wanted: Sequence[str] = game.rules.judge("default_places", game.state, power, kind, sites)
    return [*meant, *wanted]


def _pay_back(game: Game, power: str) -> None:
    """What cannot be placed goes back at full price (P40-8.9); nothing waits for another turn (P40-6.11.2)."""
    if game.rules.parameters.get("unplaced_is_lost"):
        _lose_unplaced(game, power)
        return
    for item, count in game.state.purchased(power).items():
        upgraded = item == UPGRADE
        price = game.board.units["ic_major"].figure("upgrade_cost") if upgraded else game.board.units[item].cost or 0
        items = {item: -count}
        game.emit(
            "purchases_changed",
            {"power": power, "items": items, "why": "returned"},
            cites(game.rules, "refund", "refund_order"),
        )
        pay(game, power, -price * count, "refund")


def _lose_unplaced(game: Game, power: str) -> None:
    """What cannot be placed is gone without money back (CLA-9.5), where the parameter `unplaced_is_lost` is set."""
    left = game.state.purchased(power)
    if left:
        gone = {"power": power, "items": {item: -count for item, count in left.items()}, "why": "lost"}
        game.emit("purchases_changed", gone, cites(game.rules, "refund"))


# -- aircraft that waited for a new deck ------------------------------------------------------------------------------


def _land_waiting_aircraft(game: Game, power: str) -> None:
    """Aircraft that waited over a zone land on a carrier placed there, or are lost (P40-7.10)."""
    for zone in game.board.spaces.values():
        if not zone.is_sea:
            continue
        waiting = [
            unit.id
            for unit in game.state.units_in(zone.id)
            if unit.owner == power and unit.aboard is None and is_air(game.rules, unit) and not unit.mark(marks.CAP)
        ]
        lost = []
        for unit_id in waiting:
            deck = _deck(game, power, zone.id, unit_id)
            if deck is None:
                lost.append(unit_id)
                continue
            game.emit(
                "units_loaded",
                {"units": [unit_id], "onto": deck, "from": zone.id, "zone": zone.id},
                cites(game.rules, "new_carrier"),
            )
        if lost:
            game.emit(
                "units_removed", {"space": zone.id, "units": lost, "why": "no deck"},
                cites(game.rules, "new_carrier", "lost_aircraft"),
            )  # fmt: skip


def _deck(game: Game, power: str, zone: str, unit_id: str) -> str | None:
    if not can(game.rules, game.state.units[unit_id], "carrier_capable"):
        return None
    return deck_for(game.rules, game.state, power, zone)
