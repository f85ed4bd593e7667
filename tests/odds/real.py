"""Battles fought by the real battle code on a bare table: with dice from a seed, or with every throw there is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from pbem.board.evolve import HANDLERS, evolve
from pbem.board.map import Board
from pbem.board.state import State
from pbem.odds.setting import Setting, Some, make_battle
from pbem.rules.battle.model import (
    ATTACK,
    BOTH_GONE,
    DEFEND,
    LOST,
    OPENING,
    ROUND,
    WON,
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
        self.rounds = 0
        self.hits = {ATTACK: 0, DEFEND: 0}

    @property
    def board(self) -> Board:
        return self.rules.board

    def run(self, step: str, *args: Any) -> Any:
        return None if step == "capture" else self.rules.steps[step](self, *args)

    def orders(self, *args: Any, **named: Any) -> dict[str, tuple[Filed, ...]]:
        raise AssertionError("a battle opens no orders window")

    def ask(self, decisions: Sequence[Decision]) -> dict[str, Any]:
        return {d.key: {"retreats": False} if d.kind == "retreat" else d.default() for d in decisions}

    def roll(self, count: int, *, dice: Sequence[Mapping[str, Any]] = (), **named: Any) -> tuple[int, ...]:
        needs = [int(die["need"]) for die in dice]
        return tuple(1 if hit else 6 if need < 6 else 7 for hit, need in zip(self.throw(needs), needs, strict=True))

    def emit(self, event_type: str, payload: Mapping[str, Any], rules: Iterable[str] = (), **named: Any) -> None:
        if event_type == "hits_scored":
            self.hits[payload["side"]] += sum(payload["hits"].values())
        if event_type == "battle_round_begun":
            self.rounds += 1
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

    def key(now: State, there: Battle) -> Any:
        return (
            tuple((u.id, u.damage) for u in now.units.values()),
            tuple(there.attackers),
            tuple(there.defenders),
            tuple(there.behind),
            there.result,
        )

    def steps(now: State, there: Battle, when: str, throw: Throw) -> tuple[State, Battle, dict[str, int]]:
        here = copied(there)
        table = Table(rules, now, throw)
        if when == ROUND:
            here.round += 1
        for step in steps_of(rules, here.kind):
            if step.when == when and here.result is None:
                step.function(table, here)
        return table.state, here, table.hits

    def after(now: State, there: Battle, when: str) -> Law:
        total = Law({}, Fraction(1 if when == ROUND else 0), {ATTACK: Fraction(0), DEFEND: Fraction(0)})
        stay = Fraction(0)
        for chance, (later, then, hits) in branches(lambda throw: steps(now, there, when, throw)):
            for side, count in hits.items():
                total.hits[side] += chance * count
            if when == ROUND and key(later, then) == key(now, there):
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
        name = key(now, there)
        if name not in known:
            known[name] = after(now, there, ROUND)
        return known[name]

    return after(state, battle, OPENING) if battle.round == 0 else from_here(state, battle)


# -- throws from a seed ---------------------------------------------------------------------------------------------


def play(rules: RuleSet, state: State, battle: Battle, seed: int, runs: int) -> tuple[Counter[End], list[int]]:
    """How often each end came in so many fights, and the rounds of each fight."""
    chance = random.Random(seed)
    sides = {ATTACK: frozenset(battle.attackers), DEFEND: frozenset(battle.defenders)}

    def throw(needs: Sequence[int]) -> Sequence[bool]:
        return [chance.random() * 6 < need for need in needs]

    ends: Counter[End] = Counter()
    rounds: list[int] = []
    for _ in range(runs):
        here = copied(battle)
        table = Table(rules, state, throw)
        fight(table, here)
        ends[end_of(rules, table.state, here, sides)] += 1
        rounds.append(here.round)
    return ends, rounds


RESULTS = {"attacker_wins": WON, "defender_wins": LOST, "both_gone": BOTH_GONE}
