"""Where new units and facilities may be placed, and how many each complex can still place. It changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.board.state import State, Unit
from pbem.board.units import AIR, SEA, UnitType
from pbem.rules import marks
from pbem.rules.citations import refuse
from pbem.rules.decisions import Refusal
from pbem.rules.facilities import figure_there
from pbem.rules.flow import largest_flow
from pbem.rules.query import can, enemy_units
from pbem.rules.ruleset import RuleSet
from pbem.rules.turn import controller_at_start


@dataclass(frozen=True, slots=True)
class Site:
    """One way to place a piece in a space: complexes any of which may place it (none: no complex is needed), a deck."""

    space: str
    complexes: tuple[str, ...]
    deck: str | None


@dataclass
class Sites:
    """The complexes of a power this turn: how many units each can place, and what was placed so far.

    Every piece placed may come from any complex that could place it, as long as all of them together can.
    """

    capacity: dict[str, int]
    used: list[Sequence[str]] = field(default_factory=list)

    def has_room(self, complexes: Sequence[str]) -> bool:
        """Whether one piece more can be placed by one of these complexes."""
        demands = [(1, options) for options in (*self.used, complexes)]
        return largest_flow(demands, self.capacity) == len(demands)

    def room(self, land: str) -> int:
        """How many more units a complex can surely place: pieces that others could have placed count for the first."""
        return self.capacity[land] - sum(1 for options in self.used if options[0] == land)

    def use(self, site: Site) -> None:
        """Count a piece that was placed."""
        if site.complexes:
            self.used.append(site.complexes)


def sites(rules: RuleSet, state: State, power: str) -> Sites:
    """Complexes in territories held since the turn began, with their limits less damage (P40-8.1, P40-8.2, P40-13-A11).

    Captured or liberated ones (P40-6.10.3) and allied ones (P40-8.10) do not count, nor those built this turn.
    """
    capacity: dict[str, int] = {}
    for space in rules.board.spaces:
        if not held_since_start(state, power, space):
            continue
        for kind, damage in state.spaces[space].facilities:
            if rules.board.units[kind].can("produces_units"):
                capacity[space] = max(0, figure_there(rules, kind, "produces", space) - damage)
    return Sites(capacity)


def held_since_start(state: State, power: str, space: str) -> bool:
    """Whether a power holds a territory now and held it when its turn began."""
    return state.controller(space) == power and controller_at_start(state, space) == power


def site(rules: RuleSet, state: State, power: str, where: Sites, kind: str, space: str) -> Site | Refusal:
    """How a bought unit may be placed in a space now; else why it may not (P40-8.1 to P40-8.5, P40-8.10)."""
    unit, printed = rules.board.units[kind], rules.board.spaces[space]
    deck = None
    if printed.is_sea:
        if unit.domain not in (SEA, AIR) or (unit.domain == AIR and not unit.can("carrier_capable")):
            return refuse(rules, "place_land", f"{unit.plural} are placed on land, in the territory of the complex.")
        near = [land for land in rules.board.lands_beside(space) if land in where.capacity]
        if unit.domain == AIR:
            deck = deck_for(rules, state, power, space)
            if deck is None:
                return refuse(
                    rules, "place_aircraft",
                    f"There is no undamaged carrier of yours with room in {printed.name}.",
                    "Place it in the territory of the complex, or a carrier first.",
                )  # fmt: skip
            if _slots(rules, state, power, space) <= len(_waiting_for_decks(rules, state, power, space)):
                return refuse(
                    rules, "new_carrier",
                    f"The room left on carriers in {printed.name} is for the aircraft that wait there.",
                    "Place it in the territory of the complex.",
                )  # fmt: skip
    elif unit.domain == SEA:
        return refuse(rules, "place_ships", f"{unit.plural} are placed in a sea zone beside a complex.")
    else:
        near = [space] if space in where.capacity else []
    if not near:
        return _no_complex(rules, state, power, unit, space)
    if not where.has_room(near):
        limit = sum(where.capacity[land] for land in near)
        names = " or ".join(rules.board.spaces[land].name for land in near)
        return refuse(
            rules, "capacity",
            f"The complex at {names} can place no more units this turn (limit {limit} with its damage).",
            "Place fewer, or repair the complex when you buy.",
        )  # fmt: skip
    return Site(space, tuple(near), deck)


def _no_complex(rules: RuleSet, state: State, power: str, unit: UnitType, space: str) -> Refusal:
    topic = "place_ships" if unit.domain == SEA else "place"
    name = rules.board.spaces[space].name
    lands = rules.board.lands_beside(space) if rules.board.spaces[space].is_sea else (space,)
    taken = [
        land
        for land in lands
        if state.controller(land) == power
        and any(rules.board.units[kind].can("produces_units") for kind, _ in state.spaces[land].facilities)
    ]
    if taken:
        there = rules.board.spaces[taken[0]].name
        return refuse(
            rules, topic, f"The complex in {there} was not yours when this turn began: it places nothing this turn."
        )
    return refuse(rules, topic, f"No complex that you have held since your turn began can place units in {name}.")


def deck_for(rules: RuleSet, state: State, power: str, zone: str) -> str | None:
    """The first own undamaged carrier with room in a zone (P40-8.5); guests take room too."""
    decks = free_decks(rules, state, power, zone)
    return decks[0] if decks else None


def free_decks(rules: RuleSet, state: State, power: str, zone: str) -> list[str]:
    """Own undamaged carriers with room in a zone, in order of age."""
    return [deck for deck, room in _room_on_decks(rules, state, power, zone).items() if room > 0]


def _room_on_decks(rules: RuleSet, state: State, power: str, zone: str) -> dict[str, int]:
    """Own undamaged carriers in a zone, in order of age, and how much may still land on each."""
    room: dict[str, int] = {}
    for unit in state.units_in(zone):
        capacity = rules.board.units[unit.kind].figure("carrier_capacity")
        if unit.owner != power or not capacity or (unit.damage and can(rules, unit, "damaged_blocks_flight_ops")):
            continue
        aboard = state.cargo_of(unit.id)
        room[unit.id] = capacity - sum(rules.board.units[cargo.kind].figure("carrier_cost", 1) for cargo in aboard)
    return room


def _slots(rules: RuleSet, state: State, power: str, zone: str) -> int:
    """How many aircraft may still land on own carriers in a zone."""
    return sum(room for room in _room_on_decks(rules, state, power, zone).values() if room > 0)


def _waiting_for_decks(rules: RuleSet, state: State, power: str, zone: str) -> list[Unit]:
    """Own aircraft over a zone that land on carriers placed there before new ones do (P40-7.10, S42-8.1.7)."""
    return [
        unit
        for unit in state.units_in(zone)
        if unit.owner == power and unit.aboard is None and can(rules, unit, "carrier_capable")
        and not unit.mark(marks.CAP)
    ]  # fmt: skip


def may_build(rules: RuleSet, state: State, power: str, kind: str, space: str) -> Refusal | None:
    """Why a facility may not be built in a territory; None if it may (P40-1.2.6, P40-8.6, P40-8.7, P40-2.5.7).

    Where the table has no such ability, islands and land captured in earlier turns are no bar (S42-8.2.2).
    """
    unit, printed = rules.board.units[kind], rules.board.spaces[space]
    is_complex = unit.can("produces_units")
    topic = "build_complex" if is_complex else "build_base"
    name, what = printed.name, unit.name.lower()
    if printed.is_sea:
        return refuse(rules, topic, f"A {what} is built in a territory, not in {name}.")
    if not held_since_start(state, power, space):
        return refuse(rules, topic, f"You have not held {name} since your turn began: no {what} may be built there.")
    standing = [other for other, _ in state.spaces[space].facilities]
    if kind in standing or (is_complex and any(rules.board.units[other].can("produces_units") for other in standing)):
        return refuse(rules, topic, f"{name} has such a facility already.")
    if not is_complex:
        if unit.can("sea_move_bonus") and not rules.board.seas_beside(space):
            return refuse(rules, topic, f"{name} has no coast: no {what} may be built there.")
        return None
    if printed.island and unit.data.get("not_on_islands"):
        return refuse(rules, topic, f"{name} is an island: no complex may be built there.")
    if printed.ipc < unit.figure("min_ipc"):
        return refuse(
            rules, topic, f"{name} is worth {printed.ipc}; a {what} needs a territory worth {unit.figure('min_ipc')}."
        )
    if unit.id == "ic_major" and rules.parameter("major_ic_only_original") and printed.original_owner != power:
        return refuse(rules, topic, f"{name} was not yours originally: no {what} may be built there.")
    return None


def default_places(rules: RuleSet, state: State, power: str, kind: str, where: Sites) -> list[str]:
    """Where a unit goes that nobody placed: the capital's complex first, else in the board's order (P40-DP-30).

    Ships go to a zone where no enemy lies if there is one, carriers first to where aircraft wait for a deck.
    """
    capital = rules.board.powers[power].capital
    lands = sorted(where.capacity, key=lambda land: land != capital)
    if rules.board.units[kind].domain != SEA:
        return lands
    zones = list(dict.fromkeys(zone for land in lands for zone in rules.board.seas_beside(land)))
    waited_for = bool(rules.board.units[kind].figure("carrier_capacity"))

    def order(zone: str) -> tuple[bool, bool]:
        waiting = waited_for and _aircraft_waiting(rules, state, power, zone)
        return (not waiting, bool(enemy_units(state, power, zone)))

    return sorted(zones, key=order)


def _aircraft_waiting(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    waiting = sum(
        1
        for unit in state.units_in(zone)
        if unit.owner == power and unit.aboard is None and rules.board.units[unit.kind].domain == AIR
    )
    return waiting > 0 and not free_decks(rules, state, power, zone)
