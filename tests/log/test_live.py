"""Which events still count after rewinds, nested and void ones included."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.log.event import Event
from pbem.log.live import Rewind, is_void, live, rewinds, snapshot_usable, void_ranges


def event(seq: int, to: int | None = None) -> Event:
    kind, payload = ("x", {}) if to is None else ("rewound", {"to": to})
    return Event("c", seq, 1, kind, 0, "service", (), (), payload, "00", None, b"salt")


def history(*tos: int | None) -> list[Event]:
    return [event(seq, to) for seq, to in enumerate(tos)]


def seqs(events: list[Event]) -> list[int]:
    return [one.seq for one in events]


def test_without_rewinds_everything_lives() -> None:
    assert seqs(live(history(None, None, None))) == [0, 1, 2]
    assert seqs(live(history(None, None, None), at=2)) == [0, 1]
    assert live([]) == []


def test_a_rewind_makes_events_up_to_itself_void() -> None:
    events = history(None, None, None, None, 2, None)
    assert seqs(live(events)) == [0, 1, 4, 5]
    assert seqs(live(events, at=4)) == [0, 1, 2, 3]
    assert seqs(live(events, at=5)) == [0, 1, 4]


def test_a_second_rewind_behind_the_first() -> None:
    events = history(None, None, None, 2, None, 1, None)
    assert seqs(live(events)) == [0, 5, 6]
    assert seqs(live(events, at=5)) == [0, 1, 3, 4]


def test_a_second_rewind_after_the_first() -> None:
    assert seqs(live(history(None, None, 1, None, 3, None))) == [0, 2, 4, 5]


def test_what_a_void_rewind_made_void_stays_void() -> None:
    # Event 4 rewinds to 1; event 6 rewinds to 3, which was void already, and makes event 4 void as well.
    assert seqs(live(history(None, None, None, None, 1, None, 3))) == [0, 6]
    # Undoing nothing but the rewind itself does not undo what it did.
    assert seqs(live(history(None, None, None, 1, 3))) == [0, 4]


def test_a_part_of_the_log_is_enough() -> None:
    events = history(None, None, None, None, None, 3, None)
    assert seqs(live(events[2:])) == [2, 5, 6]


def test_rewinds_and_ranges() -> None:
    events = history(None, None, 1, None, 3, None, 4)
    assert rewinds(events) == [Rewind(2, 1), Rewind(4, 3), Rewind(6, 4)]
    assert rewinds(events, at=4) == [Rewind(2, 1)]
    assert void_ranges(rewinds(events)) == [(1, 2), (3, 6)]


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    size = draw(st.integers(1, 30))
    tos = [None if seq < 2 else draw(st.none() | st.integers(1, seq - 1)) for seq in range(size)]
    return history(*tos)


@given(histories(), st.data())
def test_live_is_what_no_rewind_known_has_made_void(events: list[Event], data: st.DataObject) -> None:
    at = data.draw(st.none() | st.integers(0, len(events)))
    known = events if at is None else events[:at]
    void = {seq for one in known if one.type == "rewound" for seq in range(one.payload["to"], one.seq)}
    assert live(events, at) == [one for one in known if one.seq not in void]
    for one in known:
        assert is_void(one.seq, rewinds(events, at)) == (one.seq in void)


@given(histories())
def test_void_is_for_ever(events: list[Event]) -> None:
    for at in range(len(events)):
        gone = set(seqs(events[:at])) - set(seqs(live(events, at)))
        assert gone.isdisjoint(seqs(live(events, at + 1)))


@given(histories(), st.data())
def test_a_usable_snapshot_is_a_prefix_of_what_lives(events: list[Event], data: st.DataObject) -> None:
    size = data.draw(st.integers(0, len(events)))
    # A snapshot of the first `size` events, taken when `known` events were stored.
    known = data.draw(st.integers(size, len(events)))
    seen = rewinds(events, known)
    inside = [one for one in live(events, known) if one.seq < size]
    last = seen[-1].seq if seen else -1
    still = [one for one in live(events) if one.seq < size]
    if snapshot_usable(size, last, rewinds(events)):
        assert inside == still
    elif inside == still:
        # Refused though nothing it holds was lost: only because all that a later rewind took was void before.
        late = [one for one in rewinds(events) if one.seq > last and one.to < size]
        assert late and all(is_void(seq, seen) for one in late for seq in range(one.to, size))
