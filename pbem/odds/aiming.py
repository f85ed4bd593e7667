"""Who takes the hits of a volley: for every state of a side and every count of hits, the state after them.

The rule is the one of `pbem.rules.battle.hits`: places are tried in the order of loss, each is taken if all taken so
far can be matched with different hits. By Hall's theorem a place may be taken as long as, for every set of kinds of
targets, no more of them are taken than there are hits that may go to one of the set; so counts suffice, and all
states and counts of hits are worked out together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import combinations
from math import prod

import numpy as np

from pbem.odds.amounts import Array, Ints
from pbem.odds.force import (
    BOTH,
    DAMAGE,
    HURT,
    NO_FLYERS,
    ONLY_AIRCRAFT,
    OUT,
    SEVERAL_OWNERS,
    SINK,
    SINK_HURT,
    WHOLE,
    Force,
    Preference,
)
from pbem.odds.outcome import OddsUnknown
from pbem.rules.battle.firing import may_take
from pbem.rules.ruleset import RuleSet

TOO_MANY_STATES = 40_000
"""So many states of one side are not worked out: the forces are too mixed."""


Row = list[list[int]]
"""One state of a side: for each stack how many units are whole, damaged, out of the fight."""

Fall = Callable[[RuleSet, Force, Row], None]
"""What one hit of a category does to a state, where a game has its own rule for it; it changes the row."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What hits of the other side can be: groups of categories that reach the same stacks, and their counts.

    `group_of` gives a category's group; a category that reaches nobody has none. `reach` are a group's stacks as
    bits, `sizes` the numbers of hits a group may score plus one, `grid` all counts of hits, one row each. `aircraft`
    tells that nobody but aircraft fires, where that makes a difference. Hits of the first group fall by a rule of
    their own, before all others, if there is a `fall`.
    """

    group_of: Mapping[str, int]
    reach: tuple[int, ...]
    sizes: tuple[int, ...]
    grid: Ints
    aircraft: bool = False
    fall: Callable[[Row], None] | None = None


def aim_at(rules: RuleSet, target: Force, dice: Mapping[str, int], finds: bool) -> Aim:
    """Hits of so many dice by category on a side; `finds` tells whether aircraft find submarines (P40-6.5.7)."""
    falls = falling(rules)
    groups: dict[tuple[str, int], list[str]] = {}
    for category in sorted(dice, key=lambda name: name not in falls):
        reach = target.mask(lambda stack, hit=category: may_take(rules, hit, finds, stack.units[0]))  # type: ignore[misc]
        reach &= ~target.able("never_casualty")
        if reach:
            groups.setdefault((category if category in falls else "", reach), []).append(category)
    sizes = tuple(sum(dice[category] for category in group) + 1 for group in groups.values())
    own = [category for category, _ in groups if category]
    if len(own) > 1:
        raise OddsUnknown("odds know one kind of hits at a time that fall by a rule of their own")
    return Aim(
        group_of={category: number for number, group in enumerate(groups.values()) for category in group},
        reach=tuple(reach for _, reach in groups),
        sizes=sizes,
        grid=grid_of(sizes),
        fall=partial(falls[own[0]], rules, target) if own else None,
    )


def falling(rules: RuleSet) -> dict[str, Fall]:
    """Categories of hits whose losses a game chooses by a rule of its own (parameter `odds_falls`: `module:name`)."""
    found: dict[str, Fall] = {}
    for category, said in rules.parameters.get("odds_falls", {}).items():
        module, _, name = said.partition(":")
        found[category] = getattr(import_module(module), name)
    return found


def grid_of(sizes: tuple[int, ...]) -> Ints:
    """All counts of hits, one row each, the last group's count changing fastest."""
    axes = np.indices(sizes).reshape(len(sizes), -1).T if sizes else np.zeros((1, 0), dtype=np.int64)
    return np.ascontiguousarray(axes, dtype=np.int64)


class Keys:
    """A number for each state of a force, and back."""

    def __init__(self, force: Force, submerging: int) -> None:
        most = force.start.sum(axis=1)
        radices = []
        for number, stack in enumerate(force.stacks):
            count = int(most[number]) + 1
            radices += [count, count if stack.two else 1, count if submerging >> number & 1 else 1]
        whole = prod(radices)
        self.kind = np.int64 if whole < 2**62 else np.object_
        self.radices = radices
        self.weights = np.array([prod(radices[at + 1 :]) for at in range(len(radices))], dtype=self.kind)

    def of(self, states: Array) -> Array:
        """The keys of states (n x stacks x 3)."""
        found: Array = np.dot(states.reshape(len(states), -1).astype(self.kind), self.weights)
        return found

    def states(self, keys: Array) -> Ints:
        """The states of keys."""
        if not self.radices:
            return np.zeros((len(keys), 0, 3), dtype=np.int64)
        columns = []
        for radix, weight in zip(self.radices, self.weights, strict=True):
            columns.append((keys // weight) % radix)
        return np.stack(columns, axis=1).astype(np.int64).reshape(len(keys), -1, 3)


@dataclass(frozen=True, slots=True)
class Reached:
    """All states a side can come to, the one with most hits to take first, and after which hits which follows.

    `after` holds for each aim a table: state x row of the aim's grid -> number of the state after those hits.
    """

    states: Ints
    number: Mapping[bytes, int]
    after: tuple[Ints, ...]


def explore(
    force: Force,
    keys: Keys,
    starts: Ints,
    aims: Sequence[Aim],
    more: Callable[[Ints], Iterable[Ints]],
) -> Reached:
    """Every state that hits of these aims lead to from `starts`; `more` gives what states turn into otherwise."""
    tables: list[list[Array]] = [[] for _ in aims]
    layers: list[Array] = []
    seen: set[int] = set()
    frontier = _new(keys.of(starts), seen)
    while len(frontier):
        layers.append(frontier)
        states = keys.states(frontier)
        found: list[Array] = []
        for table, aim in zip(tables, aims, strict=True):
            after = hit_keys(force, keys, states, aim)
            table.append(after)
            found.append(np.unique(after))
        found += [keys.of(changed) for changed in more(states) if len(changed)]
        frontier = _new(np.concatenate(found) if found else frontier[:0], seen)
        if len(seen) > TOO_MANY_STATES:
            raise OddsUnknown("so many different units take part that the odds are not worked out")
    known = np.concatenate(layers)
    states = keys.states(known)
    rank = np.lexsort((known.astype(np.float64), -hits_left(force, states)))
    number = {states[old].tobytes(): new for new, old in enumerate(rank.tolist())}
    order = np.argsort(known, kind="stable")
    place = np.empty(len(known), dtype=np.int64)
    place[rank] = np.arange(len(known))
    after_tables = []
    for table in tables:
        wanted = np.concatenate(table)[rank]
        after_tables.append(place[order[np.searchsorted(known[order], wanted)]])
    return Reached(states[rank], number, tuple(after_tables))


def _new(keys: Array, seen: set[int]) -> Array:
    fresh = [key for key in np.unique(keys).tolist() if key not in seen]
    seen.update(fresh)
    return np.array(fresh, dtype=keys.dtype)


def hits_left(force: Force, states: Ints) -> Ints:
    """How many hits the units still fighting can take."""
    two = np.array([2 if stack.two else 1 for stack in force.stacks], dtype=np.int64)
    found: Ints = states[:, :, WHOLE] @ two + states[:, :, HURT].sum(axis=1)
    return found


def hit_keys(force: Force, keys: Keys, states: Ints, aim: Aim, allowed: int = -1) -> Array:
    """The keys of the states after each row of hits of an aim (states x rows); only stacks in `allowed` take any."""
    if aim.fall is not None:
        return _fallen_keys(force, keys, states, aim, allowed)
    found = _after(force, keys, states, aim, force.preferences[0], allowed)
    for preference in force.preferences[1:]:
        holds = _holds(force, preference, states, aim, allowed)
        if holds.any():
            found = np.where(holds, _after(force, keys, states, aim, preference, allowed), found)
    return found


def _fallen_keys(force: Force, keys: Keys, states: Ints, aim: Aim, allowed: int) -> Array:
    """The same where hits of the first group fall one by one, by their own rule, before the others are given out."""
    assert aim.fall is not None
    rest = replace(aim, reach=aim.reach[1:], sizes=aim.sizes[1:], grid=grid_of(aim.sizes[1:]), fall=None)
    found = np.zeros((len(states), len(aim.grid)), dtype=keys.kind)
    rows: list[Row] = states.tolist()
    for count in range(aim.sizes[0]):
        if count:
            for row in rows:
                aim.fall(row)
        fallen = np.array(rows, dtype=np.int64).reshape(states.shape)
        found[:, aim.grid[:, 0] == count] = hit_keys(force, keys, fallen, rest, allowed)
    return found


def _holds(force: Force, preference: Preference, states: Ints, aim: Aim, allowed: int) -> Array:
    """For which states (and hits) a preference is the one that counts."""
    here = states[:, :, WHOLE] + states[:, :, HURT]
    if preference.when == NO_FLYERS:
        flyers = [number for number, stack in enumerate(force.stacks) if stack.flyer]
        gone: Array = here[:, flyers].sum(axis=1) == 0
        return gone[:, None]
    if preference.when == ONLY_AIRCRAFT:
        return np.full((1, 1), aim.aircraft)
    assert preference.when == SEVERAL_OWNERS
    owners = list(dict.fromkeys(stack.owner for stack in force.stacks))
    hit = np.zeros((len(states), len(aim.grid), len(owners)), dtype=bool)
    for group, reach in enumerate(aim.reach):
        scored = aim.grid[:, group] > 0
        for number, stack in enumerate(force.stacks):
            if reach & allowed & (1 << number):
                hit[:, :, owners.index(stack.owner)] |= (here[:, number] > 0)[:, None] & scored[None, :]
    several: Array = hit.sum(axis=2) > 1
    return several


def _after(force: Force, keys: Keys, states: Ints, aim: Aim, preference: Preference, allowed: int) -> Array:
    count, rows = len(states), len(aim.grid)
    used = tuple(dict.fromkeys(run.stack for run in preference.runs))
    left = {number: (states[:, number, WHOLE][:, None], states[:, number, HURT][:, None]) for number in used}
    kinds = {number: tuple(bool(reach & allowed & (1 << number)) for reach in aim.reach) for number in used}
    sets, room = _rooms(set(kinds.values()), aim)
    for run in preference.runs:
        kind = kinds[run.stack]
        if not any(kind):
            continue
        whole, hurt = left[run.stack]
        offered = {DAMAGE: whole, SINK: whole + hurt, SINK_HURT: hurt, BOTH: 2 * whole}[run.does]
        limits = [room[number] for number, some in enumerate(sets) if kind in some]
        taken = offered
        for limit in limits:
            taken = np.minimum(taken, limit)
        for number, some in enumerate(sets):
            if kind in some:
                room[number] = room[number] - taken
        if run.does == DAMAGE:
            left[run.stack] = whole - taken, hurt + taken
        elif run.does == BOTH:
            left[run.stack] = whole - taken // 2 - taken % 2, hurt + taken % 2
        else:
            damaged = np.minimum(hurt, taken)
            left[run.stack] = whole - (taken - damaged), hurt - damaged
    found = np.zeros((count, rows), dtype=keys.kind)
    for number in range(len(force.stacks)):
        whole, hurt = left.get(number, (states[:, number, WHOLE][:, None], states[:, number, HURT][:, None]))
        at = 3 * number
        found = found + whole * keys.weights[at] + hurt * keys.weights[at + 1]
        found = found + states[:, number, OUT][:, None] * keys.weights[at + 2]
    return found


def _rooms(kinds: set[tuple[bool, ...]], aim: Aim) -> tuple[list[frozenset[tuple[bool, ...]]], list[Array]]:
    """For every set of kinds of targets, how many hits of each row may go to one of the set: Hall's condition.

    Sets whose room another set with more kinds shares are left out, for the greater set says more.
    """
    real = sorted(kind for kind in kinds if any(kind))
    widest: dict[tuple[bool, ...], frozenset[tuple[bool, ...]]] = {}
    for size in range(1, len(real) + 1):
        for some in combinations(real, size):
            reached = tuple(any(column) for column in zip(*some, strict=True))
            widest[reached] = frozenset(some) | widest.get(reached, frozenset())
    sets = list(widest.values())
    rooms = [
        (aim.grid[:, [number for number, yes in enumerate(reached) if yes]].sum(axis=1))[None, :] for reached in widest
    ]
    return sets, rooms
