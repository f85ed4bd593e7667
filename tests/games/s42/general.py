"""A general who sees the map and attacks: plausible turns of 1942 at random, for campaigns that reach all of the rules.

Its lines are often legal and sometimes not; which, the referee must know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from pbem.board.state import State, Unit
from pbem.rules.order_model import (
    AttackHere,
    Bombard,
    Buy,
    Casualties,
    IgnoreHere,
    Load,
    Move,
    Order,
    Pick,
    Place,
    Repair,
    Retreat,
    Submerge,
    Unload,
)
from pbem.rules.ruleset import RuleSet
from tests.games.s42.inspector import SIDES

FOOT = ("infantry", "artillery", "tank")
WARSHIPS = ("submarine", "destroyer", "cruiser", "carrier", "battleship")
SHOPPING = (*FOOT * 3, *FOOT, *WARSHIPS, "transport", "fighter", "bomber", "aa_gun", "industrial_complex")


class General:
    """One power's turn; `orders` gives its lines in the order in which they were thought of."""

    def __init__(self, rules: RuleSet, state: State, power: str, chance: Random) -> None:
        self.board, self.state, self.power, self.chance = rules.board, state, power, chance
        self.used: set[str] = set()
        self.targets: list[str] = []
        self.own = [unit for unit in state.units.values() if unit.owner == power]
        self.here: dict[str, list[Unit]] = {}
        for unit in self.own:
            self.here.setdefault(unit.space, []).append(unit)
        enemies = {u.space for u in state.units.values() if self._enemy(u.owner) and self._sea(u.space)}
        self.prey = [zone for zone in self.board.spaces if zone in enemies]

    def orders(self) -> Iterator[Order]:
        """All lines of the turn."""
        yield from self._shopping()
        for space, units in self.here.items():
            if self._sea(space):
                yield from self._fleet(space, units)
                yield from self._transports(space, units)
            else:
                yield from self._march(space, units)
        yield from self._flights()
        yield from self._afterwards()
        yield from self._standing()

    # -- what the map says --------------------------------------------------------------------------------------------

    def _enemy(self, power: str | None) -> bool:
        return power in SIDES and SIDES[power or ""] != SIDES[self.power]

    def _sea(self, space: str) -> bool:
        return self.board.spaces[space].is_sea

    def _ruled(self, space: str) -> bool:
        return self.state.controller(space) is not None

    def _hostile(self, space: str) -> bool:
        return self._enemy(self.state.controller(space))

    def _often(self, share: float) -> bool:
        return self.chance.random() < share

    def _some(self, units: Sequence[Unit], share: float) -> list[Unit]:
        chosen = [unit for unit in units if unit.id not in self.used and self._often(share)]
        self.used |= {unit.id for unit in chosen}
        return chosen

    def _seas_near(self, zone: str) -> list[str]:
        return [near for near in self.board.neighbours[zone] if self._sea(near)]

    # -- the turn -----------------------------------------------------------------------------------------------------

    def _shopping(self) -> Iterator[Order]:
        money = self.state.counter(self.power)
        if self._often(0.3):
            yield Repair(None, None, None)
        for _ in range(self.chance.randint(0, 6)):
            kind = self.chance.choice(SHOPPING)
            cost = self.board.units[kind].cost or 0
            if cost <= money:
                money -= cost
                yield Buy(kind, self.chance.choice((1, 1, 1, 1, None)))
        if self._often(0.3):
            yield Place((Pick("unit"),), self.chance.choice([s for s in self.board.spaces if not self._sea(s)]))

    def _march(self, space: str, units: Sequence[Unit]) -> Iterator[Order]:
        goals = [near for near in self.board.neighbours[space] if not self._sea(near) and self._hostile(near)]
        if not goals or not self._often(0.7):
            return
        goal = self.chance.choice(goals)
        force = self._some([unit for unit in units if unit.kind in FOOT], 0.8)
        if not force:
            return
        path = [space, goal]
        onward = [near for near in self.board.neighbours[goal] if not self._sea(near) and self._ruled(near)]
        if all(unit.kind == "tank" for unit in force) and onward and self._often(0.6):
            path.append(self.chance.choice(onward))
        self.targets.append(goal)
        yield Move(picks(force), tuple(path))
        if self._often(0.3):
            yield Retreat(goal, None, 1)

    def _fleet(self, zone: str, units: Sequence[Unit]) -> Iterator[Order]:
        near = self._seas_near(zone)
        ways = [(zone, goal) for goal in near if goal in self.prey]
        ways += [(zone, by, goal) for by in near for goal in self._seas_near(by) if goal in self.prey and goal != zone]
        if ways and self._often(0.5):
            force = self._some([unit for unit in units if unit.kind in WARSHIPS], 0.8)
            if force:
                way = self.chance.choice(ways)
                self.targets.append(way[-1])
                yield Move(picks(force), way)
                yield self.chance.choice((AttackHere, AttackHere, IgnoreHere))(way[-1])
        elif zone in self.prey and self._often(0.5):
            yield self.chance.choice((AttackHere, IgnoreHere))(zone)

    def _transports(self, start: str, units: Sequence[Unit]) -> Iterator[Order]:
        for ship in (unit for unit in units if unit.kind == "transport"):
            phase = self.chance.choice(("combat_move", "combat_move", "noncombat_move"))
            cargo = list(self.state.cargo_of(ship.id))
            ashore = [u for land in self.board.lands_beside(start) for u in self.here.get(land, ())]
            if not cargo:
                waiting = [u for u in ashore if u.kind in (*FOOT, "aa_gun") and u.id not in self.used]
                cargo = self.chance.sample(waiting, min(2, len(waiting)))
                self.used |= {unit.id for unit in cargo}
                yield from (Load((Pick(u.kind, 1),), u.space, start, in_phase=phase) for u in cargo)
            zone, near = start, self._seas_near(start)
            if near and self._often(0.7):
                zone = self.chance.choice(near)
                escort = self._some([unit for unit in units if unit.kind in WARSHIPS], 0.7)
                yield Move(picks([ship, *escort]), (start, zone), in_phase=phase)
            beaches = [land for land in self.board.lands_beside(zone) if self._ruled(land)]
            beaches = [land for land in beaches if self._hostile(land) == (phase == "combat_move")]
            if beaches and cargo:
                beach = self.chance.choice(beaches)
                self.targets.append(beach)
                yield from (Unload((Pick(unit.kind, 1),), zone, beach, in_phase=phase) for unit in cargo)
                if self._often(0.2):
                    yield Bombard(beach, zone, (Pick(self.chance.choice(("cruiser", "battleship")), 1),))

    def _flights(self) -> Iterator[Order]:
        complexes = [
            space for space, held in self.state.spaces.items()
            if self._hostile(space) and held.facility("industrial_complex") is not None
        ]  # fmt: skip
        for unit in self.own:
            if unit.kind not in ("fighter", "bomber") or unit.id in self.used or self._often(0.3):
                continue
            raid = unit.kind == "bomber" and self._often(0.5)
            goal = self._fly(unit, complexes if raid else [*self.targets, *self.prey])
            if goal is None:
                continue
            yield Move((Pick(unit.kind, 1),), goal, "bomb" if raid else None)
            if self._sea(goal[-1]):
                yield AttackHere(goal[-1])
            fighters = [other for other in self.own if other.kind == "fighter" and other.id not in self.used]
            if raid and fighters and self._often(0.6):
                way = self._fly(self.chance.choice(fighters), [goal[-1]])
                if way is not None:
                    yield Move((Pick("fighter", 1),), way, "escort")

    def _fly(self, unit: Unit, goals: Sequence[str]) -> tuple[str, ...] | None:
        reach = self.board.units[unit.kind].move
        ways = [self.board.path(unit.space, goal, self._open, reach // 2 + 1) for goal in goals]
        found = [way for way in ways if way is not None and len(way) > 1]
        if not found:
            return None
        self.used.add(unit.id)
        return tuple(self.chance.choice(found))

    def _open(self, space: str) -> bool:
        return self._sea(space) or self._ruled(space)

    def _afterwards(self) -> Iterator[Order]:
        for unit in self.own:
            if unit.id in self.used or unit.aboard or self._often(0.6):
                continue
            kind = self.board.units[unit.kind]
            path = [unit.space]
            for _ in range(self.chance.randint(1, max(1, kind.move))):
                steps = [
                    near for near in self.board.neighbours[path[-1]]
                    if near not in path and (kind.domain == "air" or self._sea(near) == (kind.domain == "sea"))
                    and (self._sea(near) or (self._ruled(near) and not self._hostile(near)))
                ]  # fmt: skip
                if not steps:
                    break
                path.append(self.chance.choice(steps))
            if len(path) > 1:
                yield Move((Pick(unit.kind, 1),), tuple(path), in_phase="noncombat_move")

    def _standing(self) -> Iterator[Order]:
        if self._often(0.4):
            yield self.chance.choice((Submerge(None, ()), Submerge(None)))
        if self._often(0.3):
            yield Retreat(None, None, 2)
        if self._often(0.4):
            kinds = self.chance.sample((*FOOT, *WARSHIPS, "aa_gun", "fighter", "bomber"), 3)
            yield Casualties(None, tuple(Pick(kind) for kind in kinds), first=True)


def picks(units: Iterable[Unit]) -> tuple[Pick, ...]:
    """How many of each kind, as a line says it."""
    return tuple(Pick(kind, count) for kind, count in Counter(unit.kind for unit in units).items())
