"""Events as values, and what each viewer may see of a sealed one."""

from __future__ import annotations

import dataclasses

import pytest

from pbem.log.codec import EventError, check, check_opening, decode, encode, entry, from_header
from pbem.log.event import (
    CLOSED,
    ERASED,
    EVERYTHING,
    Event,
    NewEvent,
    Unreadable,
    Viewer,
    may_read,
    opened_by,
    reduce,
    secret_opened,
    visible,
)
from tests.log.kit import CAMPAIGN, SALT_KEY, START, created, said

SPECTATOR: Viewer = frozenset()


def stored(new: NewEvent, seq: int = 5) -> Event:
    return decode(CAMPAIGN, encode(new, CAMPAIGN, seq, SALT_KEY))


SEALED = stored(said("dawn", ["japan", "china"], actor="anna", rules=["p40.1"], cause=[2, 1]))
PUBLIC = stored(said("hello", actor="anna"))


def test_events_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        PUBLIC.seq = 6  # type: ignore[misc]
    assert not hasattr(PUBLIC, "__dict__")


def test_the_public_header_has_nine_members() -> None:
    assert PUBLIC.header() == {
        "campaign": CAMPAIGN,
        "seq": 5,
        "version": 1,
        "type": "press_said",
        "at": START + 1,
        "actor": "anna",
        "cause": [],
        "rules": [],
        "commitment": PUBLIC.commitment,
    }


def test_the_sealed_header_has_five_members() -> None:
    assert SEALED.header() == {
        "campaign": CAMPAIGN,
        "seq": 5,
        "version": 1,
        "type": "sealed",
        "commitment": SEALED.commitment,
    }
    assert reduce(SEALED, SPECTATOR).header() == SEALED.header()


def test_everything_else_of_a_sealed_event_is_committed_to() -> None:
    assert SEALED.committed() == {
        "type": "press_said",
        "at": START + 1,
        "actor": "anna",
        "cause": [1, 2],
        "rules": ["p40.1"],
        "readers": ["china", "japan"],
        "payload": {"text": "dawn"},
    }


@pytest.mark.parametrize(
    ("viewer", "opened", "expected"),
    [
        (frozenset({"japan"}), (), True),
        (frozenset({"usa", "china"}), (), True),
        (frozenset({"usa"}), (), False),
        (SPECTATOR, (), False),
        (SPECTATOR, {4}, False),
        (SPECTATOR, {5}, True),
        (EVERYTHING, (), True),
    ],
)
def test_who_may_read(viewer: Viewer, opened: set[int], expected: bool) -> None:
    assert may_read(SEALED, viewer, opened) is expected
    assert may_read(PUBLIC, viewer, opened)
    assert (reduce(SEALED, viewer, opened) == SEALED) is expected
    assert reduce(PUBLIC, viewer, opened) is PUBLIC


def test_a_closed_event_gives_nothing_away() -> None:
    closed = reduce(SEALED, SPECTATOR)
    shown = repr([getattr(closed, name) for name in closed.__slots__])
    for secret in ("dawn", "japan", "china", "anna", "press_said", "p40.1", str(START + 1), SEALED.salt.hex()):
        assert secret not in shown
    assert closed.closed and closed.sealed and not closed.readable and not closed.erased
    assert closed.at == -1 and closed.cause == () and closed.readers == ()
    with pytest.raises(Unreadable, match="no 'text' to read: the event is sealed"):
        closed.payload["text"]
    with pytest.raises(Unreadable):
        closed.payload.get("text", "nothing")
    with pytest.raises(Unreadable):
        dict(closed.payload)
    with pytest.raises(Unreadable):
        closed.committed()
    # The powers that may not read it cannot even tell two closed events of the same seq apart.
    other = stored(said("noon", ["usa"]))
    assert dataclasses.replace(reduce(other, SPECTATOR), commitment=closed.commitment) == closed


def test_no_printed_event_gives_a_secret_away() -> None:
    """Error texts and log lines are read by people who may not see what is sealed."""
    for shown in (repr(SEALED), repr(said("dawn", ["japan"], actor="anna"))):
        for secret in ("dawn", "japan", "anna", "press_said", SEALED.salt.hex()):
            assert secret not in shown
    assert "dawn" in repr(said("dawn")) and "hello" in repr(PUBLIC)


def test_nobody_may_read_an_event_without_readers() -> None:
    nobody = stored(said("link", []))
    assert nobody.sealed and nobody.readers == ()
    assert not may_read(nobody, frozenset({"japan", "china", "usa"}))
    assert may_read(nobody, EVERYTHING)


def test_an_opening_makes_an_event_readable() -> None:
    opening = stored(secret_opened(SEALED, at=START + 9, cause=[5]), 8)
    assert opening.payload == {"of": 5, "payload": dict(SEALED.committed()), "salt": SEALED.salt.hex()}
    assert check_opening(opening.payload, SEALED) is None
    assert check_opening(opening.payload, reduce(SEALED, SPECTATOR)) is None
    assert opened_by([SEALED, PUBLIC, opening]) == {5}
    assert visible([SEALED, PUBLIC], SPECTATOR) == [reduce(SEALED, SPECTATOR), PUBLIC]
    assert visible([SEALED, PUBLIC, opening], SPECTATOR) == [SEALED, PUBLIC, opening]


@pytest.mark.parametrize(
    "change",
    [{"salt": "00" * 16}, {"salt": "zz"}, {"salt": SEALED.salt.hex().upper()}, {"payload": {}}, {"payload": [0.5]}],
)
def test_an_opening_must_fit(change: dict[str, object]) -> None:
    payload = dict(secret_opened(SEALED, at=START).payload) | change
    assert check_opening(payload, SEALED) is not None


def test_only_what_is_sealed_and_readable_is_opened() -> None:
    with pytest.raises(ValueError, match="not sealed"):
        secret_opened(PUBLIC, at=START)
    with pytest.raises(Unreadable):
        secret_opened(reduce(SEALED, SPECTATOR), at=START)


def test_the_two_markers_are_told_apart() -> None:
    assert CLOSED != ERASED and not CLOSED and not ERASED
    assert "erased" in repr(ERASED) and "sealed" in repr(CLOSED)


def test_the_bytes_of_the_header() -> None:
    new = said("x", actor='anna "A" 雲', rules=["b", "a"], cause=[3, 0])
    row = encode(new, CAMPAIGN, 5, SALT_KEY)
    assert entry(CAMPAIGN, row).decode() == (
        '{"actor":"anna \\"A\\" 雲","at":1700000000001,"campaign":"p40-17","cause":[0,3],"commitment":"COMMITMENT",'
        '"rules":["b","a"],"seq":5,"type":"press_said","version":1}'
    ).replace("COMMITMENT", row.commitment)
    assert check(CAMPAIGN, row) is None
    event = decode(CAMPAIGN, row)
    assert from_header(event.header(), event.salt, event.committed()) == row


@pytest.mark.parametrize(
    ("new", "seq", "complaint"),
    [
        (NewEvent(type="Press", payload={}, at=0), 1, "'Press' cannot be a type"),
        (NewEvent(type="sealed", payload={}, at=0), 1, "'sealed' cannot be a type"),
        (NewEvent(type="x", payload={}, at=-1), 1, "at is -1"),
        (NewEvent(type="x", payload={}, at=1.0), 1, "at is 1.0"),  # type: ignore[arg-type]
        (NewEvent(type="x", payload={}, at=True), 1, "at is True"),
        (NewEvent(type="x", payload={}, at=0, version=0), 1, "version is 0"),
        (NewEvent(type="x", payload={}, at=0, actor=""), 1, "actor is ''"),
        (NewEvent(type="x", payload={}, at=0, actor="a\nb"), 1, "actor is 'a\\\\nb'"),
        (NewEvent(type="x", payload={}, at=0, actor="\ud800"), 1, "actor is"),
        (NewEvent(type="x", payload=[], at=0), 1, "payload is list, not a dict"),  # type: ignore[arg-type]
        (NewEvent(type="x", payload={}, at=0, cause=[1]), 1, "cause 1 is not the seq of an earlier event"),
        (NewEvent(type="x", payload={}, at=0, cause=[-1]), 1, "cause -1"),
        (NewEvent(type="x", payload={}, at=0, cause=[0, "a"]), 1, "cause mixes"),  # type: ignore[list-item]
        (NewEvent(type="x", payload={}, at=0, rules=[""]), 1, "'' is not a rule id"),
        (NewEvent(type="x", payload={}, at=0, readers=[""]), 1, "'' in readers"),
        (created(), 1, "event 0 and no other"),
        (NewEvent(type="x", payload={}, at=0), 0, "event 0 and no other"),
        (NewEvent(type="campaign_created", payload={"origin": "o"}, at=0), 0, "needs 'log_key'"),
        (NewEvent(type="campaign_created", payload={"origin": "o", "log_key": "k"}, at=0, readers=[]), 0, "public"),
        (NewEvent(type="rewound", payload={"to": 0}, at=0), 5, "'to' is 0, not an integer from 1 to 4"),
        (NewEvent(type="rewound", payload={"to": 5}, at=0), 5, "'to' is 5"),
        (NewEvent(type="rewound", payload={}, at=0), 5, "'to' is None"),
        (NewEvent(type="rewound", payload={"to": True}, at=0), 5, "'to' is True"),
        (NewEvent(type="rewound", payload={"to": 1}, at=0, readers=["japan"]), 5, "always public"),
        (NewEvent(type="secret_opened", payload={"of": 5}, at=0), 5, "'of' is 5"),
        (NewEvent(type="secret_opened", payload={"of": 1}, at=0), 5, "needs 'payload' and 'salt'"),
        (NewEvent(type="payload_erased", payload={"of": 1}, at=0), 5, "only the moderator"),
        (NewEvent(type="payload_erased", payload={"of": 0}, at=0, actor="moderator"), 5, "'of' is 0"),
        (NewEvent(type="restored", payload={"lost_from": 5, "lost_size": 5}, at=0), 5, "'lost_size' is 5"),
        (NewEvent(type="restored", payload={"lost_from": 5, "lost_size": 6, "lost_root": "x"}, at=0), 5, "lost_root"),
    ],
)
def test_malformed_events_are_refused(new: NewEvent, seq: int, complaint: str) -> None:
    with pytest.raises(EventError, match=complaint):
        encode(new, CAMPAIGN, seq, SALT_KEY)
