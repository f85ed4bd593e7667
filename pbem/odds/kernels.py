"""What a volley does: the chances that one side's fire turns a state of the other into another state.

Everything here follows from the two tables alone; nothing knows how often a pair of states comes up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pbem.odds.amounts import Amounts, Array, Ints
from pbem.odds.dice import Table

BLOCK = 400_000
"""About how many chances are worked out at a time."""


@dataclass(frozen=True, slots=True)
class _Fire:
    """The defenders' states that aim alike and what they throw: the hits possible at all, and their chances.

    For each of the attackers' states `order` sorts these hits by the state that follows, `after` are those states in
    that order, and `new` tells where another one begins.
    """

    columns: Ints
    chances: Array
    order: Ints
    after: Ints
    new: Array


class Kernels:
    """The fire of both sides, worked out when it is first asked for."""

    def __init__(self, amounts: Amounts, ours: Table, theirs: Table) -> None:
        self.amounts = amounts
        self.ours, self.theirs = ours, theirs
        self.size = len(ours), len(theirs)
        self._flat = [np.arange(self.size[1], dtype=np.int64)[:, None] * self.size[1] + table for table in theirs.after]
        self._block = max(1, BLOCK // max(1, max(table.size for table in theirs.after)))
        self._fires: dict[str, dict[int, Array]] = {}
        self._stays: dict[str, Array] = {}
        self._losses: dict[str, list[_Fire]] = {}

    def fire(self, who: str, row: int) -> Array:
        """From each of the defenders' states to each after the fire of the attackers' state `row`.

        Rows that follow each other and aim alike are worked out together.
        """
        known = self._fires.setdefault(who, {})
        if row not in known:
            known.clear()
            columns = self.size[1]
            aims = self.ours.aimed[row : row + self._block].tolist()
            count = next((index for index, aim in enumerate(aims) if aim != aims[0]), len(aims))
            chances = np.stack(self.ours.chances[who][row : row + count])
            some = np.flatnonzero((chances != 0).any(axis=0))
            chances, flat = chances[:, some], self._flat[aims[0]][:, some]
            where = flat[None, :, :] + (columns * columns * np.arange(count, dtype=np.int64))[:, None, None]
            summed = self.amounts.scatter(where, chances[:, None, :], count * columns * columns)
            known.update(zip(range(row, row + count), summed.reshape(count, columns, columns), strict=True))
        return known[row]

    def stay(self, who: str, row: int) -> Array:
        """By the defenders' state, the chance that their fire leaves the attackers' state `row` as it is."""
        if who not in self._stays:
            found = self.amounts.zeros(*self.size)
            for fire in self._fired(who):
                same = np.zeros((self.size[0], fire.chances.shape[1]), dtype=np.int64)
                np.put_along_axis(same, fire.order, fire.after == np.arange(self.size[0])[:, None], axis=1)
                found[:, fire.columns] = np.dot(fire.chances, same.T).T
            self._stays[who] = found
        found_row: Array = self._stays[who][row]
        return found_row

    def losses(self, who: str, row: int, flow: Array) -> list[tuple[Ints, Array, Ints]]:
        """What the defenders' fire makes of the attackers' state `row`, for a flow by the defenders' state.

        Parts of it: the attackers' states after the fire, the flow to each of them by the defenders' state, and which
        of the defenders' states these are.
        """
        parts = []
        for fire in self._fired(who):
            here = flow[fire.columns]
            some = np.flatnonzero(here)
            if not len(some):
                continue
            cuts = np.flatnonzero(fire.new[row])
            summed = np.add.reduceat(fire.chances[some[:, None], fire.order[row]], cuts, axis=1)
            weighted = self.amounts.times(summed, here[some][:, None])
            parts.append((fire.after[row, cuts], weighted.T, fire.columns[some]))
        return parts

    def _fired(self, who: str) -> list[_Fire]:
        if who not in self._losses:
            self._losses[who] = [
                self._fire_of(who, aim, columns)
                for aim in range(len(self.theirs.aims))
                if len(columns := np.flatnonzero(self.theirs.aimed == aim))
            ]
        return self._losses[who]

    def _fire_of(self, who: str, aim: int, columns: Ints) -> _Fire:
        chances = np.stack([self.theirs.chances[who][column] for column in columns.tolist()])
        hits = np.flatnonzero((chances != 0).any(axis=0))
        after = self.ours.after[aim][:, hits]
        order = np.argsort(after, axis=1, kind="stable")
        after = np.take_along_axis(after, order, axis=1)
        new = np.ones(after.shape, dtype=bool)
        new[:, 1:] = after[:, 1:] != after[:, :-1]
        return _Fire(columns, chances[:, hits], order, after, new)
