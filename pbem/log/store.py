"""The one storage interface of the service: log, inbox, outbox, snapshots, players and keys in one database.

Only the interface and its values live here; `sqlite` and `postgres` implement it, `open_store` chooses. All times
are integer milliseconds since 1970 UTC. Every method is one transaction and may be called from any thread or process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, Protocol

from pbem.log.codec import Stored
from pbem.log.event import Event, NewEvent
from pbem.log.merkle import Edge

InboxStatus = Literal["unread", "held", "done", "refused", "silent", "duplicate"]
"""`unread` and `held` rows wait for somebody; the others are finished."""
OutboxState = Literal["queued", "sent", "failed"]

SALT_KEY: Final = "salt"
"""Name of the key from which every payload's salt is derived."""
SIGNING_KEY: Final = "signing"
"""Name of the raw 32-byte Ed25519 private key that signs checkpoints."""


class StoreError(Exception):
    """The service's fault, or somebody else was faster. Never a player's mistake."""


class Conflict(StoreError):
    """Somebody else appended first: read on from `expected`, decide anew, append again."""

    def __init__(self, campaign: str, expected: int, actual: int) -> None:
        super().__init__(f"{campaign}: append expected {expected} stored events and found {actual}")
        self.campaign = campaign
        self.expected = expected
        self.actual = actual


class NoSuchCampaign(StoreError):
    """The database holds no campaign of this name."""


class AlreadyExists(StoreError):
    """A campaign, key or message id of this name is already there, with different contents."""


class InboxTaken(StoreError):
    """An inbox row that this append wanted to finish has already been finished by somebody else."""


class LockBusy(StoreError):
    """Another worker holds the campaign and did not let go in time."""


class Damaged(StoreError):
    """What is stored does not hash to what was promised."""


class Head(NamedTuple):
    """Size and root of the tree over a campaign's headers."""

    size: int
    root: bytes


class SignedHead(NamedTuple):
    """A checkpoint that was signed: the tree's right edge at that size, the note itself, and when."""

    edge: Edge
    note: str
    at: int

    @property
    def size(self) -> int:
        """Events in the tree."""
        return self.edge.size


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInbox:
    """Bytes that arrived. Stored before the sender is told that we have them."""

    source: str
    """Way in: smtp, lmtp, imap, http, file."""
    received_at: int
    """When the last byte came."""
    raw: bytes = field(repr=False)
    dedupe_key: str
    """Two rows with the same key are the same message."""
    campaign: str | None = None
    envelope: Mapping[str, Any] = field(default_factory=dict)
    """Sender, recipients, peer and the like."""
    status: InboxStatus = "unread"


@dataclass(frozen=True, slots=True)
class InboxRow:
    """A stored arrival. `raw` is None once it was purged; `sha256` (lower-case hex) stays."""

    id: int
    campaign: str | None
    source: str
    received_at: int
    raw: bytes | None = field(repr=False)
    sha256: str
    envelope: Mapping[str, Any]
    status: InboxStatus
    dedupe_key: str
    note: str
    """Why it was finished as it was, for the operator."""


class Received(NamedTuple):
    """What became of bytes handed to the inbox: the row, and whether they are new."""

    id: int
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOutbox:
    """A mail to be sent. It is rendered when it is sent; the row says what to render and for whom."""

    kind: str
    recipient: str
    """A player id, or `inbox:ID` for an answer to somebody who is no player."""
    message_id: str
    """Stable and unique: a second sending of the same row carries the same Message-ID."""
    params: Mapping[str, Any] = field(default_factory=dict)
    cause: int | None = None
    """Seq of the event that caused it."""
    campaign: str | None = None
    """Filled in by `append`; given by hand only in `put_outbox` and `finish_inbox`."""
    not_before: int = 0


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A mail and how far it is. `claim` is the token of the sender that holds it now, else empty."""

    id: int
    campaign: str | None
    recipient: str
    kind: str
    message_id: str
    cause: int | None
    params: Mapping[str, Any]
    attempts: int
    state: OutboxState
    sent_at: int | None
    next_attempt_at: int
    claim: str
    error: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A cached state: of the first `seq` events, as known after the rewind at `rewind_seq` (-1: none)."""

    seq: int
    rewind_seq: int
    rules_version: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A person in one campaign. Kept beside the log, never in it; may be changed and deleted."""

    id: str
    campaign: str
    name: str = field(default="", repr=False)
    address: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    """Secret part of the reply address, unique in the database."""
    language: str = "en"
    time_zone: str = "UTC"
    settings: Mapping[str, Any] = field(default_factory=dict)


class Store(Protocol):
    """What the rest of the service may ask of its database."""

    # Campaigns

    def create_campaign(
        self,
        campaign: str,
        *,
        salt_key: bytes,
        signing_key: bytes,
        events: Sequence[NewEvent],
        keys: Mapping[str, bytes] | None = None,
        settings: Mapping[str, Any] | None = None,
        players: Iterable[Player] = (),
        outbox: Iterable[NewOutbox] = (),
    ) -> list[Event]:
        """Campaign, keys, players and first events (event 0 first) in one transaction. Raises AlreadyExists."""

    def campaigns(self) -> list[str]:
        """All campaign ids, sorted."""

    def settings(self, campaign: str) -> dict[str, Any]:
        """The campaign's settings outside the log. Raises NoSuchCampaign."""

    def put_settings(self, campaign: str, settings: Mapping[str, Any]) -> None:
        """Replace them."""

    # Log

    def append(
        self,
        campaign: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        outbox: Iterable[NewOutbox] = (),
        inbox_done: Iterable[int] = (),
        inbox_status: InboxStatus = "done",
        inbox_note: str = "",
    ) -> list[Event]:
        """Store these events, mails and finished arrivals, all or nothing; durable on return.

        Arrivals in `inbox_done` are finished with that status and note (a note of "": which events they became).
        `expected_seq` is the number of events stored. Raises Conflict if it is another, InboxTaken if a row of
        `inbox_done` has been finished, AlreadyExists for a message id used before, CanonicalError for a payload
        that is not JSON with safe integers. The first of the returned events has seq `expected_seq`.
        """

    def read(
        self, campaign: str, from_seq: int = 0, to_seq: int | None = None, verify: bool = False
    ) -> Iterator[Event]:
        """Events from_seq .. to_seq - 1 with everything inside, in order, as of the moment of the call.

        With `verify` each header and commitment is computed again, and for a read from 0 to the end the tree
        as well; raises Damaged at the first difference.
        """

    def head(self, campaign: str) -> Head:
        """Size and root. Raises NoSuchCampaign."""

    def edge(self, campaign: str) -> Edge:
        """The right edge of the tree over all that is stored."""

    def entries(self, campaign: str, from_seq: int = 0, to_seq: int | None = None) -> Iterator[bytes]:
        """The hashed headers themselves, byte for byte."""

    def inclusion_proof(self, campaign: str, seq: int, size: int | None = None) -> list[bytes]:
        """RFC 6962 audit path of an event in the tree of that size (default: all)."""

    def consistency_proof(self, campaign: str, old_size: int, size: int | None = None) -> list[bytes]:
        """RFC 6962 proof that the tree of `size` extends the one of `old_size`."""

    def erase_payload(self, campaign: str, seq: int, by: int) -> None:
        """Erase payload and salt of an event for good; `by` is the moderator's `payload_erased {of: seq}`.

        A sealed event that was opened stands a second time in its `secret_opened`, which is to be erased as well.
        """

    def stored(self, campaign: str, from_seq: int = 0, to_seq: int | None = None) -> Iterator[Stored]:
        """The columns of each event as they are stored, salt and payload included, for export."""

    def erasures(self, campaign: str) -> dict[int, int]:
        """For each erased event the seq of the moderator's event that erased it."""

    def import_campaign(
        self,
        campaign: str,
        rows: Iterable[Stored],
        *,
        erasures: Mapping[int, int],
        checkpoints: Iterable[SignedHead] = (),
        keys: Mapping[str, bytes] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Head:
        """Take over a campaign that was exported elsewhere, in one transaction; `export.import_` verifies it first.

        Without its salt key it can be read and not continued.
        """

    # Checkpoints (signed by `checkpoint.Signer`)

    def last_signed(self, campaign: str) -> SignedHead | None:
        """The largest checkpoint ever signed from this database."""

    def record_signed(self, campaign: str, signed: SignedHead) -> None:
        """Remember a checkpoint; raises Damaged if one of that size with another root is already there."""

    def checkpoints(self, campaign: str) -> list[SignedHead]:
        """All checkpoints signed, smallest first."""

    # Snapshots: a cache, deletable at any time

    def put_snapshot(self, campaign: str, seq: int, rewind_seq: int, rules_version: int, data: bytes) -> None:
        """Keep a state; replaces one with the same numbers."""

    def get_snapshot(
        self,
        campaign: str,
        seq: int | None = None,
        *,
        rules_version: int | None = None,
        usable: Callable[[int, int], bool] | None = None,
    ) -> Snapshot | None:
        """The latest one of at most `seq` events; `usable(seq, rewind_seq)` refuses those a rewind made stale."""

    def delete_snapshots(self, campaign: str | None = None) -> None:
        """Forget them, for one campaign or all."""

    # Inbox

    def put_inbox(self, row: NewInbox) -> Received:
        """Store an arrival, durably; one with a known dedupe key gives the old row's id and `fresh=False`."""

    def inbox_row(self, row_id: int) -> InboxRow | None:
        """One arrival."""

    def unread(self, campaign: str | None = None, before: int | None = None) -> list[InboxRow]:
        """Unread arrivals in the order they came; of one campaign; received before a moment."""

    def inbox(self, campaign: str | None = None, status: InboxStatus | None = None, limit: int = 100) -> list[InboxRow]:
        """Arrivals, newest first, for the operator."""

    def assign_inbox(self, row_id: int, campaign: str) -> None:
        """Say which campaign an arrival belongs to."""

    def finish_inbox(self, row_id: int, status: InboxStatus, note: str = "", outbox: Iterable[NewOutbox] = ()) -> None:
        """Finish (or hold) an arrival that causes no event, with the mails it causes. Raises InboxTaken."""

    def purge_inbox(self, before: int) -> int:
        """Drop the raw bytes of finished arrivals received before a moment; returns how many."""

    # Outbox

    def put_outbox(self, rows: Iterable[NewOutbox]) -> list[int]:
        """Queue mails that no event causes (reports rendered later); a known message id is not queued again."""

    def due(self, now: int, limit: int = 100) -> list[OutboxRow]:
        """Queued mails whose time has come and that no sender holds. Only a look: `claim_outbox` takes them."""

    def claim_outbox(self, now: int, *, lease: int = 120_000, limit: int = 20) -> list[OutboxRow]:
        """Take due mails for `lease` milliseconds; nobody else gets them until then."""

    def outbox_row(self, row_id: int) -> OutboxRow | None:
        """One mail."""

    def outbox_by_message_id(self, message_id: str) -> OutboxRow | None:
        """The mail of ours that carries this id."""

    def outbox(
        self, campaign: str | None = None, state: OutboxState | None = None, limit: int = 100
    ) -> list[OutboxRow]:
        """Mails, newest first."""

    def mark_sent(self, row_id: int, claim: str, now: int) -> bool:
        """The mail server took it. False if the claim had run out and somebody else has it now."""

    def mark_failed(self, row_id: int, claim: str, now: int, error: str, retry_at: int | None) -> bool:
        """It did not; try again at `retry_at`, or give up (None). False as for `mark_sent`."""

    def mark_bounced(self, row_id: int, error: str) -> bool:
        """A mail that was sent came back as undeliverable. False if it is not among the sent ones."""

    # Players and keys

    def put_player(self, player: Player) -> None:
        """Add or replace. Raises AlreadyExists for a token another player has."""

    def player(self, campaign: str, player_id: str) -> Player | None:
        """One player."""

    def players(self, campaign: str) -> list[Player]:
        """All of a campaign, sorted by id."""

    def player_by_token(self, token: str) -> Player | None:
        """Whose secret reply address this is."""

    def players_by_address(self, address: str) -> list[Player]:
        """All with this mail address, letter case ignored."""

    def delete_player(self, campaign: str, player_id: str) -> None:
        """Forget the person; the log keeps the id."""

    def put_key(self, campaign: str, name: str, value: bytes) -> None:
        """Keep a secret. Raises AlreadyExists if another value has that name: keys are never replaced."""

    def key(self, campaign: str, name: str) -> bytes:
        """A secret. Raises KeyError. Never exported, never logged."""

    # Life

    def campaign_lock(self, campaign: str, wait: float | None = 10.0) -> AbstractContextManager[None]:
        """Hold the campaign so that one worker adjudicates it; raises LockBusy after `wait` seconds (None: for ever).

        It only saves work: correctness rests on `expected_seq`.
        """

    def close(self) -> None:
        """Close every connection this process has opened; a later call opens a new one."""


def open_store(url: str) -> Store:
    """`sqlite:///relative/path`, `sqlite:////absolute/path` or `postgresql://...`; creates or migrates the tables."""
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        from pbem.log.sqlite import SqliteStore

        if not rest.startswith("/") or len(rest) < 2:
            raise ValueError(f"{url!r} names no file; write sqlite:///path/of/file.db")
        return SqliteStore(rest[1:])
    if scheme in ("postgresql", "postgres"):
        from pbem.log.postgres import PostgresStore

        return PostgresStore(url)
    raise ValueError(f"unknown kind of database {scheme!r}; use sqlite:///path or postgresql://user@host/name")
