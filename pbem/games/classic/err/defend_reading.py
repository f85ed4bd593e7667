"""What a defender's lines mean in a land battle: places, ships and flights, part by part, and why they are refused.

Parts that ask for too much aboard are refused by themselves; the rest of the line counts (ERR-8.3, ERR-8.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.board.map import NEUTRAL
from pbem.board.state import State, Unit
from pbem.games.classic.err.reading import STAYS, before_any_round, meant, refuse, stands, weight
from pbem.games.classic.err.terms import (
    ABOARD,
    ASHORE,
    FLY,
    LAND,
    Goes,
    army,
    friendly,
    is_embattled,
    is_quiet,
    left_behind,
    reach,
    transports_in,
    unresolved_at_sea,
)
from pbem.games.classic.err.ways_out import Ferry, WaysOut, joins_too_early, left_by_choice
from pbem.rules.battle.model import Battle
from pbem.rules.battle.naming import listed, space_name
from pbem.rules.decisions import Refusal
from pbem.rules.marks import RETREATED
from pbem.rules.order_model import BattlePlan, Order, Pick, Retreat, RetreatPart
from pbem.rules.query import can, is_air
from pbem.rules.ruleset import RuleSet

EVACUATE = "evacuate"


def read_lines(
    rules: RuleSet,
    state: State,
    battle: Battle,
    power: str,
    ways: WaysOut,
    unwilling: Sequence[str],
    orders: Sequence[Order],
) -> tuple[dict[str, Any], list[tuple[int, Refusal]]]:
    """The answer that a power's lines give, and what is refused of them, by index.

    A line about evacuation and one about the other units may stand side by side; else the closest line counts.
    """
    refused: list[tuple[int, Refusal]] = []
    ranked = sorted(range(len(orders)), key=lambda index: (-weight(orders[index]), -index))
    for group in _groups(orders, ranked):
        reader = Reader(rules, state, battle, power, ways, unwilling)
        answer = reader.read([orders[index] for index in group])
        refused += [(group[min(place, len(group) - 1)], problem) for place, problem in reader.problems]
        if answer is not None:
            return answer, refused
    return STAYS, refused


def _groups(orders: Sequence[Order], ranked: Sequence[int]) -> Iterator[list[int]]:
    """Lines to be tried, the closest first: evacuations together, with the best other retreat, then each line alone."""
    ships = [index for index in ranked if is_evacuation(orders[index])]
    others = [index for index in ranked if isinstance(orders[index], Retreat) and index not in ships]
    equal = sorted(index for index in ships if weight(orders[index]) == weight(orders[ships[0]]))
    together = [group for group in ([*equal, *others[:1]], equal) if len(group) > 1]
    for index in ranked:
        if isinstance(orders[index], Retreat) and ships:
            yield from together
            together = []
        yield [index]


def is_evacuation(order: Order) -> bool:
    """Whether a line speaks of ships only."""
    return isinstance(order, Retreat) and bool(order.parts) and all(part.how == EVACUATE for part in order.parts)


class Reader:
    """Reads the lines of one power in one battle; `problems` are (number of the line, why it or a part is refused).

    `early`: the battle is still to come, so nobody knows who will be left and which battles will be over.
    """

    def __init__(
        self,
        rules: RuleSet,
        state: State,
        battle: Battle,
        power: str,
        ways: WaysOut,
        unwilling: Sequence[str] = (),
        early: bool = False,
    ) -> None:
        self.rules, self.state, self.battle, self.power = rules, state, battle, power
        self.ways, self.unwilling, self.early = ways, unwilling, early
        self.here = space_name(rules, battle.space)
        self.goes: dict[str, Goes] = {}
        self.open_flights: dict[str, list[str]] = {}
        self.problems: list[tuple[int, Refusal]] = []
        self.places_named = False

    def read(self, orders: Sequence[Order]) -> dict[str, Any] | None:
        """The answer of these lines together; None if they are refused."""
        for number, order in enumerate(orders):
            if stands(order):
                return STAYS
            if isinstance(order, BattlePlan):
                return None
            assert isinstance(order, Retreat)
            problem = self._line(number, order)
            if problem is not None:
                self.problems.append((number, problem))
                return None
        problem = self._whole(orders)
        if problem is not None:
            self.problems.append((len(orders) - 1, problem))
            return None
        answer: dict[str, Any] = {"goes": [list(self.goes[uid]) for uid in self._order() if uid in self.goes]}
        if self.open_flights:
            answer["open_flights"] = self.open_flights
        joiners = self._may_join()
        if joiners:
            answer["may_join"] = joiners
        return answer

    def _order(self) -> list[str]:
        return [unit.id for unit in (*self.ways.army, *self.ways.guns, *self.ways.aircraft)]

    def _left(self) -> list[Unit]:
        units = (*self.ways.army, *self.ways.guns, *self.ways.aircraft)
        return [unit for unit in units if unit.id not in self.goes]

    def _line(self, number: int, order: Retreat) -> Refusal | None:
        if before_any_round(order):
            wrong = f"Nobody retreats from {self.here} before one full round of battle."
            return refuse(self.rules, "err.after_round", wrong, f"retreat {self.here} after round 1")
        for part in order.parts:
            for pick in part.units:
                problem = self._evacuate(number, part, pick) if part.how == EVACUATE else self._part(number, part, pick)
                if problem is not None:
                    return problem
        if order.parts:
            return None
        self.places_named = order.to is not None
        return self._everybody(order.to)

    # -- overland and by air

    def _part(self, number: int, part: RetreatPart, pick: Pick) -> Refusal | None:
        """`1 tank to Caucasus`: units of one description to one place."""
        self.places_named = True
        if part.how is not None:
            return refuse(self.rules, "err.defend_land", f"From {self.here} units retreat to a place, or by ship.")
        kind = self.rules.board.units.get(pick.kind)
        if kind is not None and kind.can("anti_air") and not self.ways.guns:
            wrong = f"Antiaircraft guns do not retreat; the one in {self.here} falls to whoever takes the place."
            self.problems.append((number, refuse(self.rules, "err.guns_stay", wrong, partly=True)))
            return None
        for unit in meant(self.rules, self.state, self.battle, pick, self._left()):
            problem = self._send(unit, part.to or "")
            if problem is not None:
                return problem
        return None

    def _everybody(self, to: str | None) -> Refusal | None:
        """A retreat of the whole force, to one place or to wherever the rules leave it."""
        if to is None:
            self._default_army()
            self._default_aircraft()
            return None
        by_ship = not self.ways.quiet and any(to in ferry.shores for ferry in self.ways.ferries)
        if by_ship and not self._beside(to):
            self._lift_to(to)
        for unit in self._left():
            if is_air(self.rules, unit):
                if to in self.ways.lands[unit.id]:
                    self.goes[unit.id] = Goes(unit.id, FLY, to)
                continue
            if by_ship and not self._beside(to):
                continue
            if can(self.rules, unit, "anti_air") and to not in (self.ways.quiet or self.ways.embattled):
                continue
            problem = self._send(unit, to)
            if problem is not None:
                return problem
        self._default_aircraft()
        return None

    def _send(self, unit: Unit, to: str) -> Refusal | None:
        if is_air(self.rules, unit):
            open_to = self.ways.lands[unit.id] or self.ways.refuges[unit.id]
            if to not in open_to and not (self.early and self._may_be_quiet(to)):
                return self._no_flight(unit, to)
            self.goes[unit.id] = Goes(unit.id, FLY, to)
            return None
        open_land = self.ways.quiet or self.ways.embattled
        if to not in open_land and not (self.early and self._may_be_quiet(to) and self._beside(to)):
            return self._closed(to)
        self.goes[unit.id] = Goes(unit.id, LAND, to)
        return None

    def _may_be_quiet(self, to: str) -> bool:
        """Embattled now, but its battle may be over by then."""
        return is_embattled(self.rules, self.state, self.battle.attacker, self.power, to) and not self.ways.quiet

    def _beside(self, to: str) -> bool:
        return to in self.rules.board.lands_beside(self.battle.space)

    def _closed(self, to: str) -> Refusal:
        """Why land units may not go to a place (ERR-2.5, 6.2, 6.4, 6.6)."""
        rules, there = self.rules, space_name(self.rules, to)
        printed = rules.board.spaces[to]
        nothing = not (self.ways.quiet or self.ways.room or self.ways.embattled)
        hint = f"Open are: {listed(rules, self.ways.quiet)}." if self.ways.quiet else None
        if printed.kind == NEUTRAL and self.state.controller(to) is None:
            return refuse(rules, "err.friendly_only", f"{there} is neutral: nobody retreats there.", hint)
        if nothing:
            wrong = f"{self.here} has no friendly neighbour and no transport with room beside it: nobody gets out."
            return refuse(rules, "err.no_way_out", wrong)
        if printed.is_sea or not self._beside(to):
            return refuse(rules, "err.adjacent", f"{there} is no territory beside {self.here}.", hint)
        if not friendly(rules, self.state, self.power, to):
            return refuse(rules, "err.friendly_only", f"{there} is hostile: nobody retreats there.", hint)
        if self.ways.quiet:
            wrong = f"{there} is under attack, and there is a quiet way out."
        else:
            wrong = f"{there} is under attack, and a transport beside {self.here} has room."
            hint = f"evacuate {self.here} via {space_name(rules, self.ways.ferries[0].zone)}, stay aboard: ..."
        return refuse(rules, "err.last_resort", wrong, hint)

    def _no_flight(self, unit: Unit, to: str) -> Refusal:
        """Why an aircraft may not fly to a place (ERR-7.1, 7.3, 7.4, 7.5, 7.8)."""
        rules, there = self.rules, space_name(self.rules, to)
        kind = rules.board.units[unit.kind].name.lower()
        lands = self.ways.lands[unit.id]
        hint = f"Open are: {listed(rules, lands)}." if lands else None
        if rules.board.spaces[to].is_sea:
            return refuse(rules, "err.no_carriers", f"A retreating {kind} lands in a territory, not on a ship.", hint)
        if not friendly(rules, self.state, self.power, to):
            return refuse(rules, "err.friendly_only", f"{there} is not friendly: no {kind} retreats there.", hint)
        if self.ways.quiet:
            near = f"A retreating {kind} goes to a quiet territory beside {self.here}."
            return refuse(rules, "err.fly_near", near, hint)
        if not lands and to not in reach(rules, self.state, unit):
            return refuse(rules, "err.fly_range", f"No friendly territory lies within the range of this {kind}.")
        if not is_quiet(rules, self.state, self.battle.attacker, self.power, to) and lands:
            return refuse(rules, "err.fly_embattled", f"{there} is under attack, and quiet land is within range.", hint)
        return refuse(rules, "err.closest", f"{there} is not the closest friendly territory for this {kind}.", hint)

    # -- by ship

    def _evacuate(self, number: int, part: RetreatPart, pick: Pick) -> Refusal | None:
        """`via North Sea to United Kingdom: 1 tank`: as many as find room; the others are refused by themselves."""
        rules, zone = self.rules, part.via or ""
        if self.ways.quiet:
            wrong = f"{space_name(rules, self.ways.quiet[0])} beside {self.here} is quiet: units retreat overland."
            return refuse(rules, "err.ships_second", wrong)
        kind = rules.board.units.get(pick.kind)
        if pick.kind == "air" or (kind is not None and (kind.domain == "air" or kind.can("anti_air"))):
            wrong = "Aircraft and antiaircraft guns are not evacuated by ship."
            return refuse(rules, "err.not_shipped", wrong, "Aircraft fly to the closest friendly territory.")
        units = [unit for unit in meant(rules, self.state, self.battle, pick, self._left()) if army(rules, unit)]
        wanted = len(units) if pick.count is None else min(pick.count, len(units))
        taken = 0
        for unit in units[:wanted]:
            ferry = self._ferry(zone, unit)
            if ferry is None or (part.to is not None and part.to not in ferry.shores):
                break
            how, to = (ABOARD, zone) if part.to is None else (ASHORE, part.to)
            self.goes[unit.id] = Goes(unit.id, how, to, ferry.ship)
            taken += 1
        if taken < wanted and not self.early:
            self.problems.append((number, self._no_room(zone, part.to, wanted - taken)))
        return None

    def _ferry(self, zone: str, unit: Unit) -> Ferry | None:
        """The first transport in a zone with a place left for a unit."""
        for ferry in self.ways.ferries:
            used = sum(self.ways.sizes[goes.unit] for goes in self.goes.values() if goes.ship == ferry.ship)
            if ferry.zone == zone and ferry.room - used >= self.ways.sizes[unit.id]:
                return ferry
        return None

    def _no_room(self, zone: str, to: str | None, count: int) -> Refusal:
        """Why units cannot be lifted by the ships of a zone (ERR-8.2, 8.3, 8.6, 8.8, 8.9)."""
        rules, there = self.rules, space_name(self.rules, zone)
        what = f"{count} unit{'s' if count > 1 else ''}"
        ships = transports_in(rules, self.state, self.power, zone)
        if zone not in rules.board.seas_beside(self.battle.space) or not ships:
            wrong = f"No friendly transport lies in {there} beside {self.here}."
            return refuse(rules, "err.ships_where", wrong, partly=True)
        if unresolved_at_sea(rules, self.state, self.battle.attacker, zone):
            wrong = f"A sea battle is still to be fought in {there}: nobody is lifted from there."
            return refuse(rules, "err.ships_battle", wrong, partly=True)
        if all(ship.owner != self.power and ship.owner in self.unwilling for ship in ships):
            wrong = f"The owner of the transports in {there} lets nobody aboard."
            return refuse(rules, "err.agree", wrong, partly=True)
        able = [ferry for ferry in self.ways.ferries if ferry.zone == zone]
        if to is not None and able and all(to not in ferry.shores for ferry in able):
            wrong = f"{space_name(rules, to)} is no quiet friendly territory beside {there}: nobody goes ashore there."
            return refuse(rules, "err.shore", wrong, "Write `stay aboard`.", partly=True)
        evacuees = any(unit.mark(RETREATED) for ship in ships for unit in self.state.cargo_of(ship.id))
        if evacuees:
            wrong = f"Earlier evacuees are still aboard in {there}: {what} more find no place."
            return refuse(rules, "err.places_taken", wrong, partly=True)
        return refuse(rules, "err.room", f"There is no room in {there} for {what} more.", partly=True)

    # -- what nobody named

    def _default_army(self) -> None:
        """Without a place named: quiet land, own original land first; else as many as fit aboard, heavy ones first.

        They go ashore in own original land, else stay aboard (ERR-D06).
        """
        ways, spaces = self.ways, self.rules.board.spaces
        home = sorted(ways.quiet, key=lambda land: spaces[land].original_owner != self.power)
        for unit in sorted(self._left(), key=lambda unit: not left_behind(self.rules, unit)):
            if is_air(self.rules, unit):
                continue
            if home:
                self.goes[unit.id] = Goes(unit.id, LAND, home[0])
                continue
            if can(self.rules, unit, "anti_air"):
                continue
            for ferry in ways.ferries:
                if self._ferry(ferry.zone, unit) is ferry:
                    own = [land for land in ferry.shores if spaces[land].original_owner == self.power]
                    how, to = (ASHORE, own[0]) if own else (ABOARD, ferry.zone)
                    self.goes[unit.id] = Goes(unit.id, how, to, ferry.ship)
                    break

    def _lift_to(self, to: str) -> None:
        """A place that only ships reach: as many as fit are put ashore there, heavy ones first (ERR-8.2, ERR-8.4)."""
        for unit in sorted(self.ways.army, key=lambda unit: not left_behind(self.rules, unit)):
            for ferry in self.ways.ferries:
                if to in ferry.shores and self._ferry(ferry.zone, unit) is ferry:
                    self.goes[unit.id] = Goes(unit.id, ASHORE, to, ferry.ship)
                    break

    def _default_aircraft(self) -> None:
        """Aircraft nobody named go with the rest, to the first of the places open to them (ERR-7.3, ERR-7.9)."""
        for unit in self.ways.aircraft:
            lands = self.ways.lands[unit.id]
            if unit.id not in self.goes and lands:
                self.goes[unit.id] = Goes(unit.id, FLY, lands[0])
                if len(lands) > 1:
                    self.open_flights[unit.id] = list(lands)

    def _whole(self, orders: Sequence[Order]) -> Refusal | None:
        """Everybody who can must go (ERR-3.6), unless the option lets parts go; nobody at all is no retreat."""
        if self.early:
            return None
        partial = bool(self.rules.parameter("err_partial_retreat"))
        if not partial:
            self._default_aircraft()
        plan = list(self.goes.values())
        if joins_too_early(self.ways, plan):
            return self._closed(next(goes.to for goes in plan if goes.how == LAND and goes.to in self.ways.embattled))
        if not self.goes and not self._may_join():
            if any(problem.partly for _, problem in self.problems):
                number, problem = self.problems.pop()
                return Refusal(problem.reason, problem.rule, problem.suggestion)
            wrong = f"{self.here} has no friendly neighbour and no transport with room beside it: nobody gets out."
            if self.ways.aircraft and not self.ways.army:
                return refuse(self.rules, "err.fly_range", f"Nobody in {self.here} has a place within range to fly to.")
            return refuse(self.rules, "err.no_way_out", wrong)
        behind = [] if partial else left_by_choice(self.ways, list(self.goes.values()))
        if behind and not self._room_was_short():
            wrong = f"A retreat from {self.here} covers all units that have a place to go to; nobody stays by choice."
            return refuse(self.rules, "err.whole", wrong, "Say where the rest goes.")
        return None

    def _room_was_short(self) -> bool:
        """Whether some were left because no ship in the zone they named had room for them."""
        return bool(self.ways.ferries) and any(problem.partly for _, problem in self.problems)

    def _may_join(self) -> list[str]:
        """Units without any way but embattled land, whose owner named no place (ERR-6.4, ERR-7.5): he may be asked."""
        if self.places_named:
            return []
        ways = self.ways
        flying = [unit.id for unit in ways.aircraft if ways.refuges[unit.id] and unit.id not in self.goes]
        if ways.quiet or not ways.embattled:
            return flying
        if not ways.choice and sum(ways.sizes[goes.unit] for goes in self.goes.values() if goes.ship) < ways.room:
            return flying
        return [*(unit.id for unit in ways.army if unit.id not in self.goes), *flying]
