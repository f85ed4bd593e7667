"""What each state of a side throws: the chances of its hits, and what it could hit at all.

Values come from the rule set's judgements, asked for every state with the units that are left in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pbem.board.state import State, Unit
from pbem.odds.aiming import Aim, Reached
from pbem.odds.amounts import FACES, Amounts, Array, Ints
from pbem.odds.force import HURT, WHOLE, Force, with_side
from pbem.odds.outcome import OddsUnknown
from pbem.rules.battle import dice_steps
from pbem.rules.battle.firing import Shot, category_of
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet

ALL, STRIKERS, REST = "all", "strikers", "rest"
"""Who fires: everybody, those that strike by surprise, everybody but them."""


@dataclass(frozen=True, slots=True)
class Table:
    """A side, state by state.

    `present` are the stacks that still fight, `armed` the enemy's stacks that an armed unit of this state could hit,
    both as bits; `strength` is the sum of its values, `striking` are the stacks that may strike first. `aimed` tells
    which of `aims` a state has, and with it the enemy's table of what follows.
    `chances[who][state]` are the chances of the rows of that aim's grid, `means[who]` the expected hits by group and
    state, with the enemy's stacks which that group reaches.
    """

    force: Force
    states: Ints
    number: Mapping[bytes, int]
    after: tuple[Ints, ...]
    present: Ints
    armed: Ints
    strength: Ints
    aims: tuple[Aim, ...]
    aimed: Ints
    chances: Mapping[str, list[Array]]
    means: Mapping[str, list[tuple[Ints, Array]]]
    striking: int

    def __len__(self) -> int:
        return len(self.states)

    @property
    def fights(self) -> Array:
        """Whether anybody is left in the battle."""
        found: Array = self.present != 0
        return found

    def any_of(self, bits: int) -> Array:
        """Whether one of these stacks is left."""
        found: Array = (self.present & bits) != 0
        return found

    def only(self, bits: int) -> Array:
        """Whether somebody is left, and nobody but these stacks."""
        found: Array = (self.present != 0) & ((self.present & ~bits) == 0)
        return found

    def any_can(self, ability: str) -> Array:
        """Whether a unit with an ability is left."""
        return self.any_of(self.force.able(ability))

    def all_can(self, ability: str) -> Array:
        """Whether only units with an ability are left, and at least one."""
        return self.only(self.force.able(ability))


def present_in(states: Ints) -> Ints:
    """The stacks that still fight in each state, as bits."""
    here = states[:, :, WHOLE] + states[:, :, HURT] > 0
    bits = np.left_shift(np.int64(1), np.arange(states.shape[1], dtype=np.int64))
    found: Ints = (here * bits).sum(axis=1)
    return found


def make_table(
    amounts: Amounts,
    rules: RuleSet,
    state: State,
    battle: Battle,
    force: Force,
    reached: Reached,
    aims: Sequence[Aim],
    aim_of: Callable[[bool, bool], int],
    whos: Sequence[str],
    striking: int,
) -> Table:
    """The table of a side; `aims` are its aims at the enemy, `aim_of` tells which holds (see `Aims`)."""
    states = reached.states
    present = present_in(states)
    finds = (present & force.able("anti_submarine")) != 0
    flying = (present & ~force.mask(lambda stack: is_air(rules, stack.units[0]))) == 0
    aimed = np.array([aim_of(bool(a), bool(b)) for a, b in zip(finds, flying, strict=True)], dtype=np.int64)
    chances: dict[str, list[Array]] = {who: [] for who in whos}
    groups = 1 + max(len(aim.sizes) for aim in aims)
    means = {
        who: [(np.zeros(len(states), dtype=np.int64), amounts.zeros(len(states))) for _ in range(groups)]
        for who in whos
    }
    armed = np.zeros(len(states), dtype=np.int64)
    strength = np.zeros(len(states), dtype=np.int64)
    known: dict[tuple[int, Grouped], tuple[Array, list[Any]]] = {}
    for number, row in enumerate(states.tolist()):
        which = int(aimed[number])
        aim = aims[which]
        valued = values_of(rules, state, battle, force, row)
        for (stack, value), count in valued.counts.items():
            group = aim.group_of.get(force.stacks[stack].category)
            strength[number] += value * count
            if group is not None and value >= 1:
                armed[number] |= aim.reach[group]
        for who in whos:
            some = _grouped(aim, thrown_by(rules, state, force, valued, who, striking))
            key = which, some
            if key not in known:
                known[key] = chances_of(amounts, aim, some), [amounts.mean(dice) for dice in some]
            found, expected = known[key]
            chances[who].append(found)
            for group, (reaches, mean) in enumerate(zip((*aim.reach, 0), expected, strict=True)):
                means[who][group][0][number], means[who][group][1][number] = reaches, mean
    return Table(
        force, states, reached.number, reached.after, present, armed, strength, tuple(aims), aimed, chances,
        means, striking,
    )  # fmt: skip


Thrown = dict[tuple[str, tuple[int, int]], int]
"""How many dice of each (category of hits, (hitting faces, faces)) are thrown."""


@dataclass(frozen=True, slots=True)
class Valued:
    """One state's units: the battle with them, (stack, unit, value) of each, and how many of each (stack, value)."""

    battle: Battle
    units: list[tuple[int, Unit, int]]
    counts: dict[tuple[int, int], int]


def values_of(rules: RuleSet, state: State, battle: Battle, force: Force, row: Sequence[Sequence[int]]) -> Valued:
    """The units of one state with their values, from the rule set's judgement."""
    members: list[tuple[int, Unit]] = []
    for stack, (whole, hurt, _) in enumerate(row):
        if whole or hurt:
            members += [(stack, unit) for unit in force.members(stack, whole, hurt)]
    here = with_side(battle, force.side, [unit.id for _, unit in members])
    name = "attack_values" if force.side == ATTACK else "defense_values"
    values = rules.judge(name, state, here, tuple(unit for _, unit in members))
    counts: dict[tuple[int, int], int] = {}
    valued = []
    for stack, unit in members:
        value = values.get(unit.id, 0)
        valued.append((stack, unit, value))
        counts[stack, value] = counts.get((stack, value), 0) + 1
    return Valued(here, valued, counts)


def thrown_by(rules: RuleSet, state: State, force: Force, valued: Valued, who: str, striking: int) -> Thrown:
    """The dice of one state's fire: one for each unit, unless judgements say otherwise (`dice_of`, `shots`)."""

    def fires(stack: int, value: int) -> bool:
        return value >= 1 and (who == ALL or bool(striking >> stack & 1) == (who == STRIKERS))

    found: Thrown = {}
    if "shots" in rules.judgements:
        step = STEPS[force.side, who == STRIKERS]
        firing = {unit.id: value for stack, unit, value in valued.units if fires(stack, value)}
        shots = rules.judge("shots", state, valued.battle, force.side, step, firing) if firing else []
        for category, die in _dice_of_shots(rules, state, shots):
            found[category, die] = found.get((category, die), 0) + 1
        return found
    several = rules.judgements.get("dice_of")
    if several is None:
        rows = [(stack, value, count) for (stack, value), count in valued.counts.items()]
    else:
        rows = [(stack, value, several(rules, state, valued.battle, unit)) for stack, unit, value in valued.units]
    for stack, value, count in rows:
        if fires(stack, value):
            key = force.stacks[stack].category, (min(value, FACES), FACES)
            found[key] = found.get(key, 0) + count
    return found


def _dice_of_shots(rules: RuleSet, state: State, shots: Sequence[Shot]) -> list[tuple[str, tuple[int, int]]]:
    """Listed dice as (category, die); dice of which a unit's best counts become one die with more faces."""
    found: list[tuple[str, tuple[int, int]]] = []
    best: dict[str, tuple[str, int, int]] = {}
    for shot in shots:
        category = shot.category or category_of(rules, state.units[shot.unit])
        need = min(max(shot.need, 0), FACES)
        if not shot.best:
            found.append((category, (need, FACES)))
            continue
        first, misses, faces = best.get(shot.unit, (category, 1, 1))
        if first != category:
            raise OddsUnknown("odds do not know dice of one unit that hit in different ways")
        best[shot.unit] = category, misses * (FACES - need), faces * FACES
    return found + [(category, (faces - misses, faces)) for category, misses, faces in best.values()]


STEPS = {
    (ATTACK, False): dice_steps.ATTACKERS_FIRE,
    (DEFEND, False): dice_steps.DEFENDERS_FIRE,
    (ATTACK, True): dice_steps.ATTACKING_SUBMARINES,
    (DEFEND, True): dice_steps.DEFENDING_SUBMARINES,
}
"""The steps in which a side fires, as judgements know them."""


Grouped = tuple[tuple[tuple[tuple[int, int], int], ...], ...]
"""For each group of an aim, and last for hits that reach nobody, its dice."""


def _grouped(aim: Aim, thrown: Thrown) -> Grouped:
    rows: list[dict[tuple[int, int], int]] = [{} for _ in range(len(aim.sizes) + 1)]
    for (category, die), count in thrown.items():
        row = rows[aim.group_of.get(category, -1)]
        row[die] = row.get(die, 0) + count
    for size, row in zip(aim.sizes, rows, strict=False):
        if sum(row.values()) >= size:
            raise OddsUnknown("odds do not know units that throw more dice when others are lost")
    return tuple(tuple(sorted(row.items())) for row in rows)


def chances_of(amounts: Amounts, aim: Aim, dice: Grouped) -> Array:
    """The chances of each row of an aim's grid."""
    found: Array | None = None
    for size, row in zip(aim.sizes, dice, strict=False):
        some = amounts.hits(row, size)
        found = some if found is None else amounts.times(found[:, None], some[None, :]).reshape(-1)
    if found is None:
        found = amounts.zeros(1)
        found[0] = amounts.one
    return found


def thrown(rules: RuleSet, table: Table, who: str, states: Any, targets: Any) -> Any:
    """The expected hits of the dice that states throw at targets (stacks as bits); nobody fires at nobody.

    The parameter `fire_needs_target` narrows it as in `pbem.rules.battle.firing.with_targets`.
    """
    needs = rules.parameters.get("fire_needs_target")
    rows = [(reaches[states], mean[states]) for reaches, mean in table.means[who]]
    everything = sum(mean for _, mean in rows)
    if needs == "unit":
        return sum(mean * ((reaches & targets) != 0) for reaches, mean in rows)
    if needs == "side":
        able = np.any([(mean != 0) & ((reaches & targets) != 0) for reaches, mean in rows], axis=0)
        return everything * (able & (targets != 0))
    return everything * (targets != 0)
