"""What each state of a side throws: the chances of its hits, and what it could hit at all.

Values come from the rule set's judgements, asked for every state with the units that are left in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pbem.board.state import State, Unit
from pbem.odds.aiming import Aim, Reached
from pbem.odds.amounts import Amounts, Array, Ints
from pbem.odds.force import HURT, WHOLE, Force, with_side
from pbem.rules.battle.model import ATTACK, Battle
from pbem.rules.ruleset import RuleSet

ALL, STRIKERS, REST = "all", "strikers", "rest"
"""Who fires: everybody, those that strike by surprise, everybody but them."""


@dataclass(frozen=True, slots=True)
class Table:
    """A side, state by state.

    `present` are the stacks that still fight, `armed` the enemy's stacks that an armed unit of this state could hit,
    both as bits. `finds` is 1 where aircraft find submarines; it chooses the aim in `aims` (and with it the table of
    what follows, `aim_of`). `chances[who][state]` are the chances of the rows of that aim's grid. `means[who]` are
    the expected hits by group and state, with the enemy's stacks which that group reaches.
    """

    force: Force
    states: Ints
    number: Mapping[bytes, int]
    after: tuple[Ints, ...]
    present: Ints
    armed: Ints
    finds: Ints
    aims: tuple[Aim, ...]
    aim_of: tuple[int, int]
    chances: Mapping[str, list[Array]]
    means: Mapping[str, list[tuple[Ints, Array]]]

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
    aim_of: tuple[int, int],
    whos: Sequence[str],
) -> Table:
    """The table of a side; `aims` are its aims at the enemy, `aim_of` which of them holds without and with `finds`."""
    states = reached.states
    present = present_in(states)
    finds = ((present & force.able("anti_submarine")) != 0).astype(np.int64)
    striking = force.able("surprise_strike")
    chances: dict[str, list[Array]] = {who: [] for who in whos}
    groups = 1 + max(len(aim.sizes) for aim in aims)
    means = {
        who: [(np.zeros(len(states), dtype=np.int64), amounts.zeros(len(states))) for _ in range(groups)]
        for who in whos
    }
    armed = np.zeros(len(states), dtype=np.int64)
    known: dict[tuple[int, Dice], tuple[Array, list[Any]]] = {}
    for number, row in enumerate(states.tolist()):
        which = aim_of[int(finds[number])]
        aim = aims[which]
        needs = needs_of(rules, state, battle, force, row)
        for stack, _ in needs:
            group = aim.group_of.get(force.stacks[stack].category)
            if group is not None:
                armed[number] |= aim.reach[group]
        for who in whos:
            some = _grouped(force, aim, needs, who, striking)
            key = which, some
            if key not in known:
                known[key] = chances_of(amounts, aim, some), [amounts.mean(dice) for dice in some]
            found, expected = known[key]
            chances[who].append(found)
            for group, (reaches, mean) in enumerate(zip((*aim.reach, 0), expected, strict=True)):
                means[who][group][0][number], means[who][group][1][number] = reaches, mean
    return Table(
        force, states, reached.number, reached.after, present, armed, finds, tuple(aims), aim_of, chances, means
    )


Needs = dict[tuple[int, int], int]
"""How many units of each (stack, highest hitting face) fire."""


def needs_of(rules: RuleSet, state: State, battle: Battle, force: Force, row: Sequence[Sequence[int]]) -> Needs:
    """What the units of one state need to hit, from the rule set's judgement."""
    members: list[tuple[int, Unit]] = []
    for stack, (whole, hurt, _) in enumerate(row):
        if whole or hurt:
            members += [(stack, unit) for unit in force.members(stack, whole, hurt)]
    units = tuple(unit for _, unit in members)
    ids = [unit.id for unit in units]
    name = "attack_values" if force.side == ATTACK else "defense_values"
    values = rules.judge(name, state, with_side(battle, force.side, ids), units)
    needs: Needs = {}
    for stack, unit in members:
        need = values.get(unit.id, 0)
        if need >= 1:
            needs[stack, need] = needs.get((stack, need), 0) + 1
    return needs


Dice = tuple[tuple[tuple[int, int], ...], ...]
"""For each group of an aim, and last for hits that reach nobody, dice as (need, count)."""


def _grouped(force: Force, aim: Aim, needs: Needs, who: str, striking: int) -> Dice:
    rows: list[dict[int, int]] = [{} for _ in range(len(aim.sizes) + 1)]
    for (stack, need), count in needs.items():
        strikes = bool(striking >> stack & 1)
        if (who == STRIKERS and not strikes) or (who == REST and strikes):
            continue
        row = rows[aim.group_of.get(force.stacks[stack].category, -1)]
        row[need] = row.get(need, 0) + count
    return tuple(tuple(sorted(row.items())) for row in rows)


def chances_of(amounts: Amounts, aim: Aim, dice: Dice) -> Array:
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
