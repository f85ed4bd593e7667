"""The numbers probabilities are made of: floating point, exact fractions, or integers that are never too great.

The same calculation runs on each of them. It only adds, multiplies and divides what is not negative, so that
`Scaled`, which rounds every product and quotient down, gives a lower bound of every probability; what is missing to
1 in all bounds the error of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]

FACES = 6


class Amounts(Protocol):
    """A kind of number, and arrays of it."""

    @property
    def one(self) -> Any:
        """Certainty."""
        ...

    def zeros(self, *shape: int) -> Array:
        """An array of impossibilities."""
        ...

    def hits(self, needs: Sequence[tuple[int, int]], size: int) -> Array:
        """The chances of 0, 1, ... `size` - 1 hits of dice given as (highest hitting face, how many)."""
        ...

    def mean(self, needs: Sequence[tuple[int, int]]) -> Any:
        """The expected hits of such dice."""
        ...

    def times(self, a: Any, b: Any) -> Any:
        """Products of the elements of two arrays."""
        ...

    def matmul(self, a: Array, b: Array) -> Array:
        """The matrix product."""
        ...

    def scatter(self, flat: Ints, weights: Array, size: int) -> Array:
        """`size` sums: the sum of the weights (n x m) whose place in `flat` (n x m) it is."""
        ...

    def solve(self, inflow: Array, loop: Array) -> Array:
        """x with x = inflow + x @ loop, for an upper triangular `loop`."""
        ...

    def value(self, amount: Any) -> float:
        """As a floating point number."""
        ...


class Floats:
    """Double precision."""

    one: Any = 1.0

    def zeros(self, *shape: int) -> Array:
        return np.zeros(shape)

    def hits(self, needs: Sequence[tuple[int, int]], size: int) -> Array:
        found = np.ones(1)
        for need, count in needs:
            some = _binomial(need, count)
            found = some if len(found) == 1 else np.convolve(found, some)
        if len(found) == size:
            return found
        whole = np.zeros(size)
        whole[: len(found)] = found
        return whole

    def mean(self, needs: Sequence[tuple[int, int]]) -> Any:
        return sum(need * count for need, count in needs) / FACES

    def times(self, a: Any, b: Any) -> Any:
        return a * b

    def matmul(self, a: Array, b: Array) -> Array:
        return a @ b

    def scatter(self, flat: Ints, weights: Array, size: int) -> Array:
        return np.bincount(flat.ravel(), weights=np.broadcast_to(weights, flat.shape).ravel(), minlength=size)

    def solve(self, inflow: Array, loop: Array) -> Array:
        found: Array = np.linalg.solve(np.eye(len(inflow)) - loop.T, inflow)
        return found

    def value(self, amount: Any) -> float:
        return float(amount)


@cache
def _binomial(need: int, count: int) -> Array:
    weights = _weights(need, count)
    whole = FACES**count
    found = np.array([weight / whole for weight in weights])
    found.flags.writeable = False
    return found


@cache
def _weights(need: int, count: int) -> tuple[int, ...]:
    """How many of the 6 ** count ways to throw the dice give 0, 1, ... count hits."""
    hit = min(max(need, 0), FACES)
    row = [1]
    for _ in range(count):
        row = [
            (row[n] * (FACES - hit) if n < len(row) else 0) + (row[n - 1] * hit if n else 0)
            for n in range(len(row) + 1)
        ]
    return tuple(row)


def _ways(needs: Sequence[tuple[int, int]], size: int) -> tuple[list[int], int]:
    """The same for several kinds of dice together, and how many ways there are in all."""
    row, dice = [1], 0
    for need, count in needs:
        some = _weights(need, count)
        new = [0] * (len(row) + len(some) - 1)
        for n, a in enumerate(row):
            for m, b in enumerate(some):
                new[n + m] += a * b
        row, dice = new, dice + count
    return row + [0] * (size - len(row)), FACES**dice


class _Objects:
    """What fractions and scaled integers share: arrays of Python numbers."""

    one: Any
    nothing: Any

    def zeros(self, *shape: int) -> Array:
        found = np.empty(shape, dtype=object)
        found.fill(self.nothing)
        return found

    def scatter(self, flat: Ints, weights: Array, size: int) -> Array:
        found = self.zeros(size)
        np.add.at(found, flat.ravel(), np.broadcast_to(weights, flat.shape).ravel())
        return found

    def times(self, a: Any, b: Any) -> Any:
        raise NotImplementedError

    def over(self, a: Any, b: Any) -> Any:
        raise NotImplementedError

    def solve(self, inflow: Array, loop: Array) -> Array:
        found = inflow.copy()
        for index in range(len(found)):
            if found[index]:
                found[index] = self.over(found[index], self.one - loop[index, index])
                for other in range(index + 1, len(found)):
                    if loop[index, other]:
                        found[other] += self.times(found[index], loop[index, other])
        return found


class Fractions(_Objects):
    """Exact fractions: for small battles, whose numerators stay printable."""

    one: Any = Fraction(1)
    nothing: Any = Fraction(0)

    def hits(self, needs: Sequence[tuple[int, int]], size: int) -> Array:
        ways, whole = _ways(needs, size)
        found = self.zeros(size)
        found[:] = [Fraction(way, whole) for way in ways]
        return found

    def mean(self, needs: Sequence[tuple[int, int]]) -> Any:
        return Fraction(sum(need * count for need, count in needs), FACES)

    def times(self, a: Any, b: Any) -> Any:
        return a * b

    def over(self, a: Any, b: Any) -> Any:
        return a / b

    def matmul(self, a: Array, b: Array) -> Array:
        found: Array = np.dot(a, b)
        return found

    def value(self, amount: Any) -> float:
        return float(amount)


class Scaled(_Objects):
    """Whole multiples of 2 ** -bits, rounded down in every operation: lower bounds."""

    nothing: Any = 0

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.one = 1 << bits

    def hits(self, needs: Sequence[tuple[int, int]], size: int) -> Array:
        ways, whole = _ways(needs, size)
        found = self.zeros(size)
        found[:] = [(way << self.bits) // whole for way in ways]
        return found

    def mean(self, needs: Sequence[tuple[int, int]]) -> Any:
        return (sum(need * count for need, count in needs) << self.bits) // FACES

    def times(self, a: Any, b: Any) -> Any:
        return (a * b) >> self.bits

    def over(self, a: Any, b: Any) -> Any:
        return (a << self.bits) // b

    def matmul(self, a: Array, b: Array) -> Array:
        found: Array = np.dot(a, b) >> self.bits
        return found

    def value(self, amount: Any) -> float:
        return float(Fraction(int(amount), self.one))
