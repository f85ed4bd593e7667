"""Recorded dice: the batches of a ruling case or of a game that was played elsewhere.

A recording that does not fit what is rolled is the case writer's mistake, so it is noted and play goes on with
misses; whoever runs the case reads ``problems`` at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll


@dataclass(frozen=True, slots=True)
class Batch:
    """One recorded batch: its faces, or only its number of hits (the first dice show 1, the others 6)."""

    faces: tuple[int, ...] | None = None
    hits: int | None = None


def read_batches(dice: Sequence[Any]) -> tuple[Batch, ...]:
    """Batches from JSON values: a list of faces or ``{"hits": n}``. Raises ValueError with the batch's place."""
    batches: list[Batch] = []
    for at, value in enumerate(dice, start=1):
        if isinstance(value, Mapping):
            hits = value.get("hits")
            if set(value) != {"hits"} or type(hits) is not int or hits < 0:
                raise ValueError(f'dice, batch {at}: {dict(value)!r} is not {{"hits": n}} with a whole number n')
            batches.append(Batch(hits=hits))
        elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
            if any(type(face) is not int or face not in range(1, 7) for face in value):
                raise ValueError(f"dice, batch {at}: faces are whole numbers from 1 to 6, not {list(value)!r}")
            batches.append(Batch(faces=tuple(value)))
        else:
            raise ValueError(f'dice, batch {at}: {value!r} is neither a list of faces nor {{"hits": n}}')
    return tuple(batches)


class RecordedSource:
    """Hands out recorded batches in the order in which they are rolled."""

    name = "recorded"
    __slots__ = ("_batches", "_notes", "_used")

    def __init__(self, batches: Sequence[Batch]) -> None:
        self._batches = tuple(batches)
        self._used = 0
        self._notes: list[str] = []

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        """The next batch; where it is missing or has another length, a note and misses for what is not there."""
        shown = self._next_faces(purpose, count)
        return Roll(None, None, None, purpose.text(), dict(entropy), shown, self.name)

    def problems(self) -> tuple[str, ...]:
        """What did not fit: batches of the wrong length, rolls without a batch, and batches that nobody rolled."""
        left = len(self._batches) - self._used
        unused = f"{left} recorded batch{'es were' if left > 1 else ' was'} not rolled, from batch {self._used + 1} on"
        return (*self._notes, unused) if left else tuple(self._notes)

    def _next_faces(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        where = " ".join(purpose.lines()[2:])
        if self._used == len(self._batches):
            self._notes.append(f"{count} dice were rolled and no batch is left ({where})")
            return (6,) * count
        batch = self._batches[self._used]
        self._used += 1
        if batch.faces is not None:
            if len(batch.faces) != count:
                self._notes.append(
                    f"batch {self._used} has {len(batch.faces)} faces and {count} dice were rolled ({where})"
                )
            return (*batch.faces, *(6,) * count)[:count]
        hits = batch.hits or 0
        if hits > count:
            self._notes.append(f"batch {self._used} has {hits} hits and only {count} dice were rolled ({where})")
        hits = min(hits, count)
        return (1,) * hits + (6,) * (count - hits)
