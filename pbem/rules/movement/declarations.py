"""Lines of the combat move that move nothing: attack or ignore, which part of an assault, who bombards, in what order.

They are judged after the moves of the phase, wherever they stand, and leave marks that battles read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.landings import (
    bombarders_in,
    fighters_at_sea,
    landing_cargo,
    loose_enemies,
)
from pbem.rules.movement.picks import resolve
from pbem.rules.movement.shipping import unloading_to
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import (
    Assign,
    AttackHere,
    BattleSequence,
    Bombard,
    IgnoreHere,
    LandOnly,
    Order,
    to_json,
)
from pbem.rules.query import is_air, is_ship

SEA_PART, LAND_PART = "sea", "land"


def declare(sketch: Sketch, order: Order) -> Refusal | None:
    """Plan one such line; a kind of line that this phase does not know is refused."""
    if isinstance(order, AttackHere):
        return attack_here(sketch, order)
    if isinstance(order, IgnoreHere):
        return ignore_here(sketch, order)
    if isinstance(order, Assign):
        return assign(sketch, order)
    if isinstance(order, Bombard):
        return bombard(sketch, order)
    if isinstance(order, LandOnly):
        return land_only(sketch, order)
    if isinstance(order, BattleSequence):
        sketch.do("mark_set", {"key": marks.BATTLE_SEQUENCE, "value": list(order.spaces)})
        return None
    return Refusal(f"`{order.type}` is not a line of the combat move in this game.")


# -- attack or ignore -------------------------------------------------------------------------------------------------


def attack_here(sketch: Sketch, order: AttackHere) -> Refusal | None:
    """Fight enemies in a zone that need not be fought, or stay and fight in a hostile one (P40-4.4.5, P40-4.4.6).

    In Pacific 1940 all of them or none (P40-13-B2).
    """
    rules, zone = sketch.rules, order.space
    name = sketch.name(zone)
    if not sketch.board.spaces[zone].is_sea:
        return refuse(rules, "must_fight", f"{name} is no sea zone; a territory is attacked by moving into it.")
    if not sketch.enemies_in(zone):
        others = [u for u in sketch.here(zone) if not rules.judge("allies", sketch.state, sketch.power, u.owner)]
        if others:
            whose = sketch.board.powers[others[0].owner].name
            return refuse(
                rules,
                "peace_at_sea",
                f"{whose}, whose ships lie in {name}, is at peace with you and cannot be attacked.",
            )
        return refuse(rules, "attack_or_ignore", f"There is no enemy in {name} to attack.")
    chosen: tuple[str, ...] = ()
    if order.units:
        found = resolve(rules, sketch.state, sketch.power, order.units, zone, lambda unit: None, sketch.own_in(zone))
        if isinstance(found, Refusal):
            return found
        chosen = found
    if not rules.parameters.get("transports_attack_alone") and not fighters_at_sea(sketch, zone):
        return refuse(
            rules,
            "transports_need_attacker",
            f"No unit of yours in {name} has an attack value; transports do not attack alone.",
            "Send a warship or aircraft along.",
        )
    _rise_from_allied_decks(sketch, zone, chosen)
    if chosen:
        sketch.do("units_marked", {"units": list(chosen), "set": {marks.TASK: "attack"}})
        _others_stay_out(sketch, zone, chosen)
    _intend(sketch, zone, "attack")
    return None


def _rise_from_allied_decks(sketch: Sketch, zone: str, chosen: tuple[str, ...]) -> None:
    """Aircraft on allies' carriers take off to attack where they are, if named or if nothing else of theirs is there.

    They are guests, so the fleet's battle is not theirs by itself (P40-6.12.4, S42-10.6.1).
    """
    fighting = fighters_at_sea(sketch, zone)
    guests = [u for u in fighting if u.aboard is not None and sketch.unit(u.aboard).owner != u.owner]
    rising = [u for u in guests if u.id in chosen] if chosen or len(guests) < len(fighting) else guests
    decks: dict[str, list[str]] = {}
    for unit in rising:
        decks.setdefault(unit.aboard or "", []).append(unit.id)
    for deck, aircraft in decks.items():
        noted = {marks.DECK: deck, marks.START: zone, marks.MOVED: sketch.phase}
        sketch.do(
            "units_unloaded",
            {"units": aircraft, "from": zone, "to": zone, "marks": noted},
            cites(sketch.rules, "from_allied_deck"),
        )


def _others_stay_out(sketch: Sketch, zone: str, chosen: tuple[str, ...]) -> None:
    """Ships that lie in a friendly zone and were not named leave a battle of choice to the others (P40-4.4.3)."""
    must_fight = zone in sketch.hostile and not sketch.rules.parameters.get("shared_zones_are_optional")
    if must_fight or landing_cargo(sketch, zone) or sketch.rules.parameters.get("all_ships_join"):
        return
    idle = [
        unit.id
        for unit in sketch.own_in(zone)
        if is_ship(sketch.rules, unit) and unit.mark(marks.MOVED) is None and unit.id not in chosen
    ]
    if idle:
        sketch.do("units_marked", {"units": idle, "set": {marks.TASK: "quiet"}}, cites(sketch.rules, "end_to_attack"))


def ignore_here(sketch: Sketch, order: IgnoreHere) -> Refusal | None:
    """Leave alone enemy submarines and transports, or let submarines stay quiet (P40-4.4.5, P40-4.4.6)."""
    rules, zone = sketch.rules, order.space
    name = sketch.name(zone)
    if zone in sketch.hostile:
        return _stay_quiet(sketch, order)
    there = loose_enemies(sketch, zone)
    if not there:
        return refuse(rules, "attack_or_ignore", f"There is no enemy in {name} that could be ignored.")
    only_transports = all(sketch.can(unit, "carries_land_units") for unit in there)
    came = [unit for unit in fighters_at_sea(sketch, zone) if unit.mark(marks.MOVED) == sketch.phase]
    must_sink = bool(rules.parameters.get("must_sink_lone_transports"))
    if must_sink and only_transports and came and not landing_cargo(sketch, zone):
        return refuse(
            rules,
            "lone_transports",
            f"Units that end their combat move in {name}, which holds only enemy transports, must sink them unless "
            "they support an assault from there.",
        )
    _intend(sketch, zone, "ignore")
    return None


def _stay_quiet(sketch: Sketch, order: IgnoreHere) -> Refusal | None:
    """Submarines may do nothing in a hostile zone without an enemy destroyer (P40-4.4.6, P40-DP-08)."""
    rules, zone = sketch.rules, order.space
    name = sketch.name(zone)
    own = [unit for unit in sketch.own_in(zone) if is_ship(rules, unit)]
    quiet = [unit for unit in own if sketch.can(unit, "passes_hostile_sea") and unit.mark(marks.MOVED) is None]
    if order.units:
        found = resolve(rules, sketch.state, sketch.power, order.units, zone, lambda unit: None, own)
        if isinstance(found, Refusal):
            return found
        quiet = [sketch.unit(unit_id) for unit_id in found]
    may = rules.parameters.get("submarines_may_stay_quiet", True)
    if not quiet or not may or any(not sketch.can(unit, "passes_hostile_sea") for unit in quiet):
        enemies = rules.parameters.get("hostile_ships", "enemy surface warships").capitalize()
        return refuse(
            rules,
            "attack_or_ignore",
            f"{enemies} lie in {name}: nothing there can be ignored.",
            "Move your ships away if they are not to fight.",
        )
    if zone in sketch.destroyers:
        return refuse(
            rules,
            "start_in_hostile",
            f"An enemy destroyer lies in {name}: submarines there must fight or leave.",
        )
    sketch.do(
        "units_marked",
        {"units": [unit.id for unit in quiet], "set": {marks.TASK: "quiet"}},
        cites(rules, "start_in_hostile"),
    )
    return None


def _intend(sketch: Sketch, zone: str, what: str) -> None:
    sketch.do("mark_set", {"key": marks.intent(zone), "value": what}, cites(sketch.rules, "attack_or_ignore"))


# -- sea part or land part --------------------------------------------------------------------------------------------


def assign(sketch: Sketch, order: Assign) -> Refusal | None:
    """Aircraft over an assault fight at sea or on land, not both (P40-4.7.2, P40-DP-06)."""
    rules, space = sketch.rules, order.space
    here = [unit for unit in sketch.own_in(space) if is_air(rules, unit)]
    found = resolve(rules, sketch.state, sketch.power, order.units, space, lambda unit: None, here)
    if isinstance(found, Refusal):
        return found
    raiders = [unit_id for unit_id in found if sketch.unit(unit_id).mark(marks.JOB) is not None]
    if raiders:
        kind = sketch.board.units[sketch.unit(raiders[0]).kind].name.lower()
        return refuse(
            rules,
            "raid_only",
            f"That {kind} flies in the raid on {sketch.name(space)} and takes part in no other battle of this turn.",
        )
    at_sea = sketch.board.spaces[space].is_sea
    if (order.part == SEA_PART) == at_sea:
        return None
    goals = _other_part(sketch, space)
    if len(goals) != 1:
        known = " or ".join(sketch.name(goal) for goal in goals) or "none"
        return refuse(
            rules,
            "parts",
            f"An assault at {sketch.name(space)} has no single {order.part} part to assign aircraft to ({known}).",
            "Write the path of the aircraft to where they shall fight.",
        )
    return _shift(sketch, found, space, goals[0])


def _other_part(sketch: Sketch, space: str) -> list[str]:
    """The zones from which a territory is stormed, or the territories stormed from a zone."""
    if sketch.board.spaces[space].is_sea:
        return list(dict.fromkeys(str(unit.mark(marks.LANDING)) for unit in landing_cargo(sketch, zone=space)))
    return list(dict.fromkeys(unit.space for unit in landing_cargo(sketch, territory=space)))


def _shift(sketch: Sketch, aircraft: tuple[str, ...], space: str, goal: str) -> Refusal | None:
    """Move aircraft over to the other part; turning off a step earlier gives a movement point back."""
    for unit_id in aircraft:
        unit = sketch.unit(unit_id)
        last = unit.mark(marks.FROM)
        if last == goal:
            extra = -1
        elif last is not None and sketch.board.adjacent(last, goal):
            extra = 0
        else:
            extra = 1
        if extra > sketch.points(unit):
            return refuse(
                sketch.rules,
                "one_move",
                f"The {sketch.board.units[unit.kind].name.lower()} over {sketch.name(space)} has no movement left to "
                f"fight in {sketch.name(goal)}.",
            )
        via = list(unit.mark(marks.VIA, ()))
        before = last or space
        if extra == -1:
            before = via[-1] if via else unit.mark(marks.START, space)
            via = via[:-1]
        elif extra == 1:
            via, before = [*via, space], space
        sketch.do(
            "units_moved",
            {
                "units": [unit_id],
                "from": space,
                "to": goal,
                "spent": extra,
                "phase": sketch.phase,
                "marks": {marks.FROM: before, marks.VIA: via, marks.MOVED: sketch.phase},
            },
            cites(sketch.rules, "parts"),
        )
    return None


# -- bombardment and conditions ---------------------------------------------------------------------------------------


def bombard(sketch: Sketch, order: Bombard) -> Refusal | None:
    """Name the ships that bombard a territory (P40-4.7.1, P40-6.3.4, P40-6.3.5, P40-DP-17)."""
    rules = sketch.rules
    if order.space is None:
        if order.units:
            return refuse(rules, "bombardment", "Say which territory the ships bombard.")
        for territory in dict.fromkeys(str(unit.mark(marks.LANDING)) for unit in landing_cargo(sketch)):
            sketch.do("mark_set", {"key": marks.bombarders(territory), "value": []})
        return None
    territory = order.space
    name = sketch.name(territory)
    landing = landing_cargo(sketch, territory=territory)
    zones = list(dict.fromkeys(unit.space for unit in landing))
    if order.zone is not None and order.zone not in zones:
        return refuse(
            rules,
            "bombardment",
            f"Nobody lands in {name} from {sketch.name(order.zone)}, so no ship there may bombard it.",
            "Only ships in a zone from which the landing comes can bombard.",
        )
    if not zones:
        return refuse(rules, "bombardment", f"Nobody lands in {name} from the sea: no ship may bombard it.")
    ships: list[str] = []
    zones = [order.zone] if order.zone is not None else zones
    if order.units and rules.parameters.get("battle_bars_bombardment") and all(_fought(sketch, z) for z in zones):
        return refuse(
            rules,
            "bombardment_after_battle",
            f"Enemy ships lie in {sketch.name(zones[0])}: the ships there fight them, and none of them bombards "
            f"{name} after that.",
            "Leave the line out."
            if zones[0] in sketch.hostile
            else f"Or leave them alone: `ignore {sketch.name(zones[0])}`.",
        )
    here = [unit for zone in zones for unit in sketch.own_in(zone) if is_ship(rules, unit)]
    able = {unit.id for zone in zones for unit in bombarders_in(sketch, zone)}

    def legal(unit: Any) -> Refusal | None:
        if unit.id not in able:
            kind = sketch.board.units[unit.kind].name.lower()
            return refuse(rules, "bombardment", f"A {kind} cannot bombard.", "Battleships and cruisers do.")
        if unloading_to(sketch.state, unit) is not None:
            kind = sketch.board.units[unit.kind].name.lower()
            landed = f"This {kind} lands its cargo; a ship that does so does not bombard."
            return refuse(rules, "bombard_or_land", landed)
        return _fires_elsewhere(sketch, unit.id, territory)

    if order.units:
        found = resolve(rules, sketch.state, sketch.power, order.units, zones[0], legal, here)
        if isinstance(found, Refusal):
            return found
        ships = list(found)
    known = sketch.state.marks.get(marks.bombarders(territory), ())
    ships = list(dict.fromkeys((*known, *ships))) if ships else []
    by_zone = rules.parameters.get("bombardment_by_zone")
    limited = not rules.parameters.get("bombard_unlimited")
    for some in (zones if by_zone else [None]) if limited else ():
        ashore = sum(1 for unit in landing if some in (None, unit.space))
        firing = sum(1 for ship in ships if some in (None, sketch.unit(ship).space))
        if firing > ashore and not rules.parameters.get("bombard_unlimited"):
            where = "the sea" if some is None else sketch.name(some)
            return refuse(
                rules,
                "bombardment_limit",
                f"{ashore} unit{'' if ashore == 1 else 's'} land in {name} from {where}, so at most that many ships "
                f"may bombard it{'' if some is None else ' from there'}.",
            )
    sketch.do(
        "mark_set",
        {"key": marks.bombarders(territory), "value": ships},
        cites(rules, "bombardment", "bombardment_limit"),
    )
    return None


def _fought(sketch: Sketch, zone: str) -> bool:
    """Whether a sea battle is certain in a zone: enemy warships lie there, or an attack on others was ordered."""
    ordered = sketch.state.marks.get(marks.intent(zone)) == "attack" and bool(loose_enemies(sketch, zone))
    return zone in sketch.hostile or ordered


def _fires_elsewhere(sketch: Sketch, ship: str, territory: str) -> Refusal | None:
    """Each ship fires at one territory only (P40-6.3.5)."""
    for key, ids in sketch.state.marks.items():
        other = key.removeprefix(marks.bombarders(""))
        if key.startswith(marks.bombarders("")) and other != territory and ship in ids:
            return refuse(
                sketch.rules,
                "bombardment_limit",
                f"That ship already bombards {sketch.name(other)}; it fires at one only.",
            )
    return None


def land_only(sketch: Sketch, order: LandOnly) -> Refusal | None:
    """Keep the condition on which an assault goes on after its sea battle."""
    condition: Mapping[str, Any] = to_json(order)["when"]
    sketch.do("mark_set", {"key": marks.land_only(order.space), "value": condition})
    return None
