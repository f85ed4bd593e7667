"""One fact of a campaign: the event as it is proposed, as it is stored, and as a viewer may read it.

Only values live here. Numbering, salts and hashes are in `commitment`, bytes on disk in the stores.
"""

from __future__ import annotations

import enum
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

MODERATOR: Final = "moderator"
"""Actor of events that the moderator caused."""
SERVICE: Final = "service"
"""Actor of events that the service itself caused."""

SEALED: Final = "sealed"
"""Type shown in the public header of every sealed event; no real event may use it."""

# The five types the log itself understands. Every other type belongs to the board and the campaign.
CAMPAIGN_CREATED: Final = "campaign_created"
"""Event 0. Its payload holds at least `origin` and `log_key` (see `checkpoint.verifier_key`)."""
REWOUND: Final = "rewound"
"""`{to: n}`: events n up to this one become void (see `live`)."""
SECRET_OPENED: Final = "secret_opened"
"""`{of, payload, salt}`: from now on everybody may read sealed event `of`."""
PAYLOAD_ERASED: Final = "payload_erased"
"""`{of}`, by the moderator: leave to erase the payload and salt of event `of`."""
RESTORED: Final = "restored"
"""`{lost_from, lost_size, lost_root}`: a restore from backup lost events whose head was signed (see `checkpoint`)."""


class Everything(enum.Enum):
    """The viewer for whom nothing is sealed: the service's own eyes, or a moderator who does not play."""

    EVERYTHING = "everything"


EVERYTHING: Final = Everything.EVERYTHING
Viewer = frozenset[str] | Everything
"""The powers somebody plays (empty for a spectator), or `EVERYTHING`."""


class Unreadable(LookupError):
    """Somebody looked into a payload that this reader may not see or that has been erased."""


class Withheld(Mapping[str, Any]):
    """Stands where a payload would be, and says at the first touch why it is not there."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __getitem__(self, key: str) -> Any:
        raise Unreadable(f"no {key!r} to read: {self.reason}")

    def __iter__(self) -> Iterator[str]:
        raise Unreadable(f"no payload to read: {self.reason}")

    def __len__(self) -> int:
        raise Unreadable(f"no payload to read: {self.reason}")

    def get(self, key: str, default: Any = None) -> Any:
        """Raises as well: a default in place of a hidden value would pass for the truth."""
        raise Unreadable(f"no {key!r} to read: {self.reason}")

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Withheld) and other.reason == self.reason

    def __hash__(self) -> int:
        return hash(self.reason)

    def __repr__(self) -> str:
        return f"<withheld: {self.reason}>"


CLOSED: Final = Withheld("the event is sealed")
ERASED: Final = Withheld("the payload was erased")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NewEvent:
    """An event that has no number yet.

    `payload` is a JSON object with integers only. `readers` is None for a public event; for a sealed one it
    names the powers that may read it (empty: nobody but the service until it is opened). `cause` holds the seqs
    that led to it, `rules` the rule ids in order of citation, `at` integer milliseconds since 1970 UTC, `version`
    the version of the payload's format for this type.
    """

    type: str
    payload: Mapping[str, Any]
    at: int
    actor: str = SERVICE
    cause: Iterable[int] = ()
    rules: Iterable[str] = ()
    readers: Iterable[str] | None = None
    version: int = 1

    def __repr__(self) -> str:
        """Tells nothing of a sealed event: error texts and log lines are read by people who may not see it."""
        if self.readers is not None:
            return "<new event, sealed>"
        return f"<new event {self.type} {self.payload!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """A stored event, as one reader sees it.

    A reader who may not look into a sealed event gets `type == "sealed"`, `at == -1`, an empty actor and the
    payload `CLOSED`. After an erasure the payload is `ERASED`; the public header stays as it was. Treat the
    payload as read-only: it may be shared.
    """

    campaign: str
    seq: int
    version: int
    type: str
    at: int
    actor: str
    cause: tuple[int, ...]
    rules: tuple[str, ...]
    payload: Mapping[str, Any]
    commitment: str
    readers: tuple[str, ...] | None = None
    """None: public. Else sorted powers that may read it; empty in a closed view too."""
    salt: bytes = b""
    """16 bytes for those who may read the payload, else empty."""

    def __repr__(self) -> str:
        """Tells nothing of a sealed event, not even to those who may read it: see `NewEvent`."""
        if self.readers is not None:
            return f"<event {self.campaign}/{self.seq} sealed>"
        return f"<event {self.campaign}/{self.seq} {self.type} {self.payload!r}>"

    @property
    def sealed(self) -> bool:
        """True if the log holds this event sealed, whether or not this reader can look inside."""
        return self.readers is not None

    @property
    def closed(self) -> bool:
        """True if this reader cannot look inside a sealed event."""
        return self.payload is CLOSED

    @property
    def erased(self) -> bool:
        """True if payload and salt are gone for everybody."""
        return self.payload is ERASED

    @property
    def readable(self) -> bool:
        """True if the payload is here."""
        return self.salt != b""

    def header(self) -> dict[str, Any]:
        """The header exactly as it is hashed: nine members for a public event, five for a sealed one."""
        if self.readers is not None:
            return {
                "campaign": self.campaign,
                "seq": self.seq,
                "version": self.version,
                "type": SEALED,
                "commitment": self.commitment,
            }
        return {
            "campaign": self.campaign,
            "seq": self.seq,
            "version": self.version,
            "type": self.type,
            "at": self.at,
            "actor": self.actor,
            "cause": list(self.cause),
            "rules": list(self.rules),
            "commitment": self.commitment,
        }

    def committed(self) -> Mapping[str, Any]:
        """The value the commitment binds: the payload, or for a sealed event the envelope around it.

        Raises Unreadable when this reader does not have it.
        """
        if not self.readable:
            raise Unreadable(f"{self.campaign}/{self.seq}: {self.payload!r}")
        if self.readers is None:
            return self.payload
        return {
            "type": self.type,
            "at": self.at,
            "actor": self.actor,
            "cause": list(self.cause),
            "rules": list(self.rules),
            "readers": list(self.readers),
            "payload": self.payload,
        }


def may_read(event: Event, viewer: Viewer, opened: Container[int] = ()) -> bool:
    """Whether this viewer may look inside; `opened` holds the seqs that `secret_opened` events have published."""
    if event.readers is None or viewer is EVERYTHING or event.seq in opened:
        return True
    return not viewer.isdisjoint(event.readers)


def reduce(event: Event, viewer: Viewer, opened: Container[int] = ()) -> Event:
    """The event as this viewer may see it: itself, or a sealed event's public header and nothing more."""
    if may_read(event, viewer, opened):
        return event
    return replace(event, type=SEALED, at=-1, actor="", cause=(), rules=(), payload=CLOSED, readers=(), salt=b"")


def opened_by(events: Iterable[Event]) -> frozenset[int]:
    """The seqs of all sealed events that these events have opened. What was opened stays so, void or not."""
    return frozenset(event.payload["of"] for event in events if event.type == SECRET_OPENED and event.readable)


def visible(events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """These events as this viewer may see them, openings among them taken into account."""
    known = list(events)
    opened = opened_by(known)
    return [reduce(event, viewer, opened) for event in known]


def secret_opened(event: Event, *, at: int, actor: str = SERVICE, cause: Iterable[int] = ()) -> NewEvent:
    """The public event that opens this sealed one; it carries everything needed to check the commitment."""
    if not event.sealed:
        raise ValueError(f"{event.campaign}/{event.seq} is not sealed: there is nothing to open")
    payload = {"of": event.seq, "payload": event.committed(), "salt": event.salt.hex()}
    return NewEvent(type=SECRET_OPENED, payload=payload, at=at, actor=actor, cause=cause)
