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

Dice = Sequence[tuple[tuple[int, int], int]]
"""Dice as ((hitting faces, faces), how many); what hits with the better of two dice has 36 faces."""


class Amounts(Protocol):
    """A kind of number, and arrays of it."""

    @property
    def one(self) -> Any:
        """Certainty."""
        ...

    def zeros(self, *shape: int) -> Array:
        """An array of impossibilities."""
        ...

    def hits(self, dice: Dice, size: int) -> Array:
        """The chances of 0, 1, ... `size` - 1 hits of these dice."""
        ...

    def mean(self, dice: Dice) -> Any:
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

    def hits(self, dice: Dice, size: int) -> Array:
        found = np.ones(1)
        for die, count in dice:
            some = _binomial(die, count)
            found = some if len(found) == 1 else np.convolve(found, some)
        if len(found) == size:
            return found
        whole = np.zeros(size)
        whole[: len(found)] = found
        return whole

    def mean(self, dice: Dice) -> Any:
        return float(_mean(dice))

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


def _mean(dice: Dice) -> Fraction:
    return sum((Fraction(hits * count, faces) for (hits, faces), count in dice), Fraction(0))


@cache
def _binomial(die: tuple[int, int], count: int) -> Array:
    weights = _weights(die, count)
    whole = die[1] ** count
    found = np.array([weight / whole for weight in weights])
    found.flags.writeable = False
    return found


@cache
def _weights(die: tuple[int, int], count: int) -> tuple[int, ...]:
    """How many of the ways to throw the dice give 0, 1, ... count hits."""
    hits, faces = die
    row = [1]
    for _ in range(count):
        row = [
            (row[n] * (faces - hits) if n < len(row) else 0) + (row[n - 1] * hits if n else 0)
            for n in range(len(row) + 1)
        ]
    return tuple(row)


def _ways(dice: Dice, size: int) -> tuple[list[int], int]:
    """The same for several kinds of dice together, and how many ways there are in all."""
    row, whole = [1], 1
    for die, count in dice:
        some = _weights(die, count)
        new = [0] * (len(row) + len(some) - 1)
        for n, a in enumerate(row):
            for m, b in enumerate(some):
                new[n + m] += a * b
        row, whole = new, whole * die[1] ** count
    return row + [0] * (size - len(row)), whole


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

    def hits(self, dice: Dice, size: int) -> Array:
        ways, whole = _ways(dice, size)
        found = self.zeros(size)
        found[:] = [Fraction(way, whole) for way in ways]
        return found

    def mean(self, dice: Dice) -> Any:
        return _mean(dice)

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

    def hits(self, dice: Dice, size: int) -> Array:
        ways, whole = _ways(dice, size)
        found = self.zeros(size)
        found[:] = [(way << self.bits) // whole for way in ways]
        return found

    def mean(self, dice: Dice) -> Any:
        mean = _mean(dice)
        return (mean.numerator << self.bits) // mean.denominator

    def times(self, a: Any, b: Any) -> Any:
        return (a * b) >> self.bits

    def over(self, a: Any, b: Any) -> Any:
        return (a << self.bits) // b

    def matmul(self, a: Array, b: Array) -> Array:
        found: Array = np.dot(a, b) >> self.bits
        return found

    def value(self, amount: Any) -> float:
        return float(Fraction(int(amount), self.one))
