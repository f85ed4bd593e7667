"""Which events still count after rewinds. The only place that decides it: folds, tapes, snapshots and dice ask here.

`rewound {to: n}` at seq r makes events n .. r-1 void. Void is for ever: a later rewind that makes the first one void
too does not bring them back. `at` is the number of events known: 0 .. at-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.log.event import REWOUND, Event


class Rewind(NamedTuple):
    """A `rewound` event: its seq, and the first seq it makes void."""

    seq: int
    to: int


def rewinds(events: Iterable[Event], at: int | None = None) -> list[Rewind]:
    """All rewinds among the events known at `at` (None: all), void or not, in order."""
    return [
        Rewind(event.seq, event.payload["to"])
        for event in events
        if event.type == REWOUND and (at is None or event.seq < at)
    ]


def void_ranges(known: Iterable[Rewind]) -> list[tuple[int, int]]:
    """The void stretches as disjoint half-open ranges (first, end), ascending."""
    ranges: list[tuple[int, int]] = []
    for seq, to in sorted(known):
        while ranges and ranges[-1][1] >= to:
            to = min(to, ranges.pop()[0])
        ranges.append((to, seq))
    return ranges


def live(events: Sequence[Event], at: int | None = None) -> list[Event]:
    """The events among 0 .. at-1 that are not void as of `at`, in order.

    The sequence may begin later than event 0, but must hold every rewind after its first event. A `rewound` event
    is itself live until a later one makes it void.
    """
    known = events if at is None else [event for event in events if event.seq < at]
    ranges = void_ranges(rewinds(known))
    if not ranges:
        return list(known)
    kept: list[Event] = []
    pending = iter(ranges)
    begin, end = next(pending)
    for event in known:
        seq = event.seq
        while seq >= end:
            following = next(pending, None)
            begin, end = following if following is not None else (2**63, 2**63)
        if seq < begin:
            kept.append(event)
    return kept


def is_void(seq: int, known: Iterable[Rewind]) -> bool:
    """Whether this event is void under these rewinds."""
    return any(rewind.to <= seq < rewind.seq for rewind in known)


def snapshot_usable(seq: int, rewind_seq: int, known: Iterable[Rewind]) -> bool:
    """Whether a state of the first `seq` events that knew the rewinds up to `rewind_seq` still stands.

    It does unless a later rewind reached back behind it. Bind the third argument for `Store.get_snapshot`.
    """
    return not any(rewind.seq > rewind_seq and rewind.to < seq for rewind in known)
