"""Battles fought by the real battle code on a bare table: with dice from a seed, or with every throw there is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from pbem.board.evolve import HANDLERS, evolve
from pbem.board.map import Board
from pbem.board.state import State
from pbem.odds.setting import Setting, Some, make_battle
from pbem.rules.battle.model import (
    ATTACK,
    DEFEND,
    OPENING,
    ROUND,
    Battle,
    fight,
    steps_of,
)
from pbem.rules.decisions import Decision
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed

Throw = Callable[[Sequence[int]], Sequence[bool]]
"""Which of the dice that need these faces hit."""


@dataclass(frozen=True, slots=True)
class Fact:
    type: str
    payload: Mapping[str, Any]
    seq: int = 0
    at: int = 0


class Table:
    """A `Game` without a tape: default decisions, but nobody retreats."""

    segment = "odds"

    def __init__(self, rules: RuleSet, state: State, throw: Throw) -> None:
        self.rules = rules
        self.state = state
        self.throw = throw
        self.thrown: list[str] = []
        self.hits = {ATTACK: 0, DEFEND: 0}

    @property
    def board(self) -> Board:
        return self.rules.board

    def run(self, step: str, *args: Any) -> Any:
        return None if step == "capture" else self.rules.steps[step](self, *args)

    def orders(self, *args: Any, **named: Any) -> dict[str, tuple[Filed, ...]]:
        raise AssertionError("a battle opens no orders window")

    def ask(self, decisions: Sequence[Decision]) -> dict[str, Any]:
        staying: dict[str, Any] = {
            "retreat": {"retreats": False, "goes": []}, "break_off": {"goes": []}, "withdraw": {},
        }  # fmt: skip
        return {d.key: staying[d.kind] if d.kind in staying else d.default() for d in decisions}

    def roll(self, count: int, *, dice: Sequence[Mapping[str, Any]] = (), **named: Any) -> tuple[int, ...]:
        needs = [int(die["need"]) for die in dice]
        self.thrown = [die["kind"] for die in dice]
        return tuple(1 if hit else 6 if need < 6 else 7 for hit, need in zip(self.throw(needs), needs, strict=True))

    def emit(self, event_type: str, payload: Mapping[str, Any], rules: Iterable[str] = (), **named: Any) -> None:
        if event_type == "hits_scored":
            self.hits[payload["side"]] += sum(payload["hits"].values())
        if event_type in HANDLERS:
            self.state = evolve(self.state, Fact(event_type, payload))

    def boundary(self, name: str) -> None:
        """No corrections here."""

    def refuse(self, *args: Any, **named: Any) -> None:
        raise AssertionError("nothing was ordered")


def some(text: str) -> tuple[Some, ...]:
    """`3 infantry, 1 battleship/damaged`."""
    found = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        count, _, name = part.partition(" ")
        kind, _, damaged = name.partition("/")
        found.append(Some(kind, int(count), 1 if damaged else 0))
    return tuple(found)


def battle_between(
    rules: RuleSet, attack: str, defend: str, *, sea: bool = False, bombard: str = "", amphibious: bool = False
) -> tuple[State, Battle]:
    return make_battle(
        rules,
        Setting(some(attack), some(defend), sea=sea, bombarding=some(bombard), amphibious=amphibious),
    )


def copied(battle: Battle) -> Battle:
    return replace(
        battle,
        attackers=list(battle.attackers),
        defenders=list(battle.defenders),
        behind=list(battle.behind),
        acted=[],
        strikers={},
        landed=list(battle.landed),
        lost={side: list(rows) for side, rows in battle.lost.items()},
        used={},
        notes={},
    )


@dataclass(frozen=True, slots=True)
class End:
    """How a battle ended: losses in IPC, survivors (submerged ones too) by kind and damage."""

    result: str
    attacker_loss: int
    defender_loss: int
    attackers: tuple[tuple[str, int], ...]
    defenders: tuple[tuple[str, int], ...]


def end_of(rules: RuleSet, state: State, battle: Battle, sides: Mapping[str, frozenset[str]]) -> End:
    def loss(side: str) -> int:
        return sum(rules.board.units[kind].cost or 0 for _, kind in battle.lost[side])

    def left(side: str) -> tuple[tuple[str, int], ...]:
        return tuple(sorted((u.kind, u.damage) for u in state.units.values() if u.id in sides[side]))

    assert battle.result is not None
    return End(battle.result, loss(ATTACK), loss(DEFEND), left(ATTACK), left(DEFEND))


# -- every throw ----------------------------------------------------------------------------------------------------


class _More(Exception):
    """The script wants to throw dice that this branch has not decided yet."""

    def __init__(self, needs: Sequence[int]) -> None:
        self.needs = tuple(needs)


def branches(act: Callable[[Throw], Any]) -> list[tuple[Fraction, Any]]:
    """Run `act` under every pattern of hits and misses, with the chance of each."""
    found: list[tuple[Fraction, Any]] = []

    def explore(decided: tuple[tuple[bool, ...], ...], chance: Fraction) -> None:
        at = iter(decided)

        def throw(needs: Sequence[int]) -> Sequence[bool]:
            pattern = next(at, None)
            if pattern is None:
                raise _More(needs)
            return pattern

        try:
            found.append((chance, act(throw)))
            return
        except _More as more:
            needs = more.needs
        for pattern in product((True, False), repeat=len(needs)):
            share = chance
            for hit, need in zip(pattern, needs, strict=True):
                share *= Fraction(need if hit else 6 - need, 6)
            if share:
                explore((*decided, pattern), share)

    explore((), Fraction(1))
    return found


@dataclass(slots=True)
class Law:
    """The exact distribution of a battle's end, its expected rounds and hits."""

    ends: dict[End, Fraction]
    rounds: Fraction
    hits: dict[str, Fraction]

    def chance(self, *results: str) -> Fraction:
        return sum((p for end, p in self.ends.items() if end.result in results), Fraction(0))

    def mean(self, figure: str) -> Fraction:
        return sum((p * getattr(end, figure) for end, p in self.ends.items()), Fraction(0))


def law_of(rules: RuleSet, state: State, battle: Battle) -> Law:
    """Enumerate all dice, round by round; a round that changes nothing is summed as a geometric series."""
    sides = {ATTACK: frozenset(battle.attackers), DEFEND: frozenset(battle.defenders)}
    known: dict[Any, Law] = {}

    def after(now: State, there: Battle, when: str) -> Law:
        total = Law({}, Fraction(1 if when == ROUND else 0), {ATTACK: Fraction(0), DEFEND: Fraction(0)})
        stay = Fraction(0)
        for chance, (later, then, hits) in branches(lambda throw: steps(rules, now, there, when, throw)):
            for side, count in hits.items():
                total.hits[side] += chance * count
            if when == ROUND and key_of(later, then) == key_of(now, there):
                stay += chance
                continue
            law = from_here(later, then)
            total.rounds += chance * law.rounds
            for side in total.hits:
                total.hits[side] += chance * law.hits[side]
            for end, share in law.ends.items():
                total.ends[end] = total.ends.get(end, Fraction(0)) + chance * share
        rest = 1 - stay
        return Law(
            {end: share / rest for end, share in total.ends.items()},
            total.rounds / rest,
            {side: share / rest for side, share in total.hits.items()},
        )

    def from_here(now: State, there: Battle) -> Law:
        if there.result is not None:
            end = end_of(rules, now, there, sides)
            return Law({end: Fraction(1)}, Fraction(0), {ATTACK: Fraction(0), DEFEND: Fraction(0)})
        name = key_of(now, there)
        if name not in known:
            known[name] = after(now, there, ROUND)
        return known[name]

    return after(state, battle, OPENING) if battle.round == 0 else from_here(state, battle)


def key_of(now: State, there: Battle) -> Any:
    """What makes a difference for the rest of a battle."""
    return (
        # Some rule sets have dice of their own in the first round.
        min(there.round, 2),
        tuple((unit.id, unit.damage) for unit in now.units.values()),
        tuple(there.attackers),
        tuple(there.defenders),
        tuple(there.behind),
        there.result,
    )


def steps(rules: RuleSet, now: State, there: Battle, when: str, throw: Throw) -> tuple[State, Battle, dict[str, int]]:
    """The opening, or one round, by the real steps."""
    here = copied(there)
    table = Table(rules, now, throw)
    if when == ROUND:
        here.round += 1
    for step in steps_of(rules, here.kind):
        if step.when == when and here.result is None:
            step.function(table, here)
    return table.state, here, table.hits


# -- throws from a seed ---------------------------------------------------------------------------------------------


def fights(rules: RuleSet, state: State, battle: Battle, seed: int, runs: int) -> list[tuple[End, int]]:
    """How so many fights of the real code ended, and after how many rounds."""
    chance = random.Random(seed)
    sides = {ATTACK: frozenset(battle.attackers), DEFEND: frozenset(battle.defenders)}
    found = []
    for _ in range(runs):
        here = copied(battle)
        table = Table(rules, state, lambda needs: [chance.random() * 6 < need for need in needs])
        fight(table, here)
        found.append((end_of(rules, table.state, here, sides), here.round))
    return found


@dataclass(slots=True)
class Stop:
    """A moment at which a battle throws dice: what they need, and what comes of each count of hits by category."""

    needs: tuple[int, ...]
    kinds: tuple[str, ...]
    later: dict[Any, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Moment:
    """A battle before a round (or its opening): its end if it is over, else the first throw, once it was seen."""

    state: State
    battle: Battle
    end: End | None
    first: Stop | Moment | None = None


class Arena:
    """Many fights of one battle. A round is fought by the real code once for each count of hits by category.

    Which unit of a category scored a hit makes no difference to what follows; so rounds need not be fought again.
    """

    def __init__(self, rules: RuleSet, state: State, battle: Battle) -> None:
        self.rules = rules
        self.sides = {ATTACK: frozenset(battle.attackers), DEFEND: frozenset(battle.defenders)}
        self.known: dict[Any, Moment] = {}
        self.start = self._moment(state, battle)

    def fights(self, seed: int, runs: int) -> list[tuple[End, int]]:
        """As `fights`, for the same seed with the same result."""
        chance = random.Random(seed)
        found = []
        for _ in range(runs):
            here, rounds = self.start, -1
            while here.end is None:
                here, rounds = self._round(here, chance), rounds + 1
            found.append((here.end, rounds))
        return found

    def _moment(self, state: State, battle: Battle) -> Moment:
        end = None if battle.result is None else end_of(self.rules, state, battle, self.sides)
        return Moment(state, battle, end)

    def _round(self, here: Moment, chance: random.Random) -> Moment:
        thrown: list[list[bool]] = []
        before: tuple[Stop | None, Any] = (None, None)
        at = here.first
        while isinstance(at, Stop):
            hits = [chance.random() * 6 < need for need in at.needs]
            thrown.append(hits)
            before = at, self._count(at, hits)
            at = at.later.get(before[1])
        return at if at is not None else self._really(here, thrown, chance)

    def _really(self, here: Moment, thrown: list[list[bool]], chance: random.Random) -> Moment:
        """Let the real code go through the round; note its throws."""
        stops: list[tuple[Stop, Any]] = []

        def throw(needs: Sequence[int]) -> Sequence[bool]:
            fresh = len(stops) == len(thrown)
            hits = [chance.random() * 6 < need for need in needs] if fresh else thrown[len(stops)]
            if fresh:
                thrown.append(hits)
            stop = self._stop(here, stops, tuple(needs), tuple(table.thrown))
            stops.append((stop, self._count(stop, hits)))
            return hits

        table = Table(self.rules, here.state, throw)
        battle = copied(here.battle)
        when = OPENING if here is self.start else ROUND
        battle.round += when == ROUND
        for step in steps_of(self.rules, battle.kind):
            if step.when == when and battle.result is None:
                step.function(table, battle)
        then = self.known.setdefault((key_of(table.state, battle)), self._moment(table.state, battle))
        if stops:
            stops[-1][0].later[stops[-1][1]] = then
        else:
            here.first = then
        return then

    def _stop(
        self, here: Moment, stops: list[tuple[Stop, Any]], needs: tuple[int, ...], kinds: tuple[str, ...]
    ) -> Stop:
        """The stop that is reached now, made if it is new."""
        if not stops:
            if not isinstance(here.first, Stop):
                here.first = Stop(needs, kinds)
            return here.first
        last, count = stops[-1]
        found = last.later.setdefault(count, Stop(needs, kinds))
        assert isinstance(found, Stop) and found.needs == needs
        return found

    def _count(self, stop: Stop, hits: Sequence[bool]) -> Any:
        table = self.rules.board.units
        counts = {"submarine": 0, "air": 0, "other": 0}
        for kind, hit in zip(stop.kinds, hits, strict=True):
            if hit:
                category = "submarine" if table[kind].can("no_hit_on_air") else table[kind].domain
                counts[category if category in counts else "other"] += 1
        return tuple(counts.values())
