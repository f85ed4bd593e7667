"""Campaigns and the log itself, in SQL common to both databases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.log.checkpoint import public_key, verifier_key
from pbem.log.codec import CAMPAIGN_ID, EventError, Stored, check, check_hash, check_opening, decode, encode, entry
from pbem.log.event import ERASED, MODERATOR, PAYLOAD_ERASED, SECRET_OPENED, Event, NewEvent
from pbem.log.merkle import Edge, Tree
from pbem.log.sql import Session, from_json, to_json
from pbem.log.sql_mail import MailSql
from pbem.log.sql_people import PeopleSql
from pbem.log.sql_state import StateSql
from pbem.log.store import (
    SALT_KEY,
    SIGNING_KEY,
    AlreadyExists,
    Conflict,
    Damaged,
    Head,
    InboxStatus,
    NewOutbox,
    NoSuchCampaign,
    Player,
    SignedHead,
    StoreError,
)

_CHUNK: Final = 2000
"""Events fetched at a time; a reader holds no transaction between two chunks."""

_COLUMNS: Final = (
    "SELECT h.seq, h.version, h.type, h.at, h.actor, h.cause, h.rules, h.commitment, p.salt, p.payload "
    "FROM headers h LEFT JOIN payloads p ON p.campaign = h.campaign AND p.seq = h.seq "
    "WHERE h.campaign = ? AND h.seq >= ? AND h.seq < ? ORDER BY h.seq"
)
_INSERT_HEADER: Final = (
    "INSERT INTO headers (campaign, seq, version, type, at, actor, cause, rules, commitment) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_PAYLOAD: Final = "INSERT INTO payloads (campaign, seq, salt, payload) VALUES (?, ?, ?, ?)"


class LogSql(StateSql, MailSql, PeopleSql):
    """The part of the store that deals with campaigns and events."""

    def __init__(self) -> None:
        super().__init__()
        self._salt_keys: dict[str, bytes] = {}

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
        """See `Store`."""
        if not events:
            raise EventError(f"{campaign}: a campaign begins with its event 0")
        if len(salt_key) < 32:
            raise EventError(f"{campaign}: a salt key has at least 32 bytes, this one has {len(salt_key)}")
        first = events[0].payload
        if first.get("log_key") != verifier_key(str(first.get("origin")), public_key(signing_key)):
            raise EventError(f"{campaign}: event 0 must publish the verifier key of the signing key as 'log_key'")
        with self._transaction() as session:
            number = self._add_campaign(session, campaign, Edge(), settings)
            for name, value in sorted({**(keys or {}), SALT_KEY: salt_key, SIGNING_KEY: signing_key}.items()):
                self._put_key(session, campaign, name, value)
            for player in players:
                self._put_player(session, player)
            stored = [encode(new, campaign, seq, salt_key) for seq, new in enumerate(events)]
            return self._append(session, number, campaign, Edge(), stored, outbox, ())

    def _add_campaign(self, session: Session, campaign: str, edge: Edge, settings: Mapping[str, Any] | None) -> int:
        if not CAMPAIGN_ID.fullmatch(campaign):
            raise EventError(f"{campaign!r} cannot name a campaign: use a-z, 0-9, '-' and '_', at most 64")
        row = session.run(
            "INSERT INTO campaigns (id, size, edge, settings) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (id) DO NOTHING RETURNING number",
            (campaign, edge.size, edge.pack(), to_json(settings or {})),
        ).fetchone()
        if row is None:
            raise AlreadyExists(f"there is already a campaign {campaign}")
        return int(row[0])

    def campaigns(self) -> list[str]:
        """See `Store`."""
        return sorted(row[0] for row in self._session().run("SELECT id FROM campaigns").fetchall())

    def settings(self, campaign: str) -> dict[str, Any]:
        """See `Store`."""
        row = self._session().run("SELECT settings FROM campaigns WHERE id = ?", (campaign,)).fetchone()
        if row is None:
            raise NoSuchCampaign(f"there is no campaign {campaign!r}")
        return from_json(row[0])

    def put_settings(self, campaign: str, settings: Mapping[str, Any]) -> None:
        """See `Store`."""
        changed = self._session().run("UPDATE campaigns SET settings = ? WHERE id = ?", (to_json(settings), campaign))
        if changed.rowcount != 1:
            raise NoSuchCampaign(f"there is no campaign {campaign!r}")

    # Writing

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
        """See `Store`."""
        number = self._number(campaign)
        salt_key = self._salt_key(campaign)
        with self._transaction() as session:
            row = session.run(
                f"SELECT size, edge FROM campaigns WHERE number = ?{self.for_update}", (number,)
            ).fetchone()
            if row[0] != expected_seq:
                raise Conflict(campaign, expected_seq, row[0])
            edge = Edge.unpack(row[0], bytes(row[1]))
            stored = [encode(new, campaign, seq, salt_key) for seq, new in enumerate(events, expected_seq)]
            return self._append(
                session, number, campaign, edge, stored, outbox, inbox_done, inbox_status, inbox_note
            )

    def _append(
        self,
        session: Session,
        number: int,
        campaign: str,
        edge: Edge,
        stored: Sequence[Stored],
        outbox: Iterable[NewOutbox],
        inbox_done: Iterable[int],
        inbox_status: InboxStatus = "done",
        inbox_note: str = "",
    ) -> list[Event]:
        appended = [decode(campaign, row) for row in stored]
        self._check_openings(session, number, campaign, edge.size, appended)
        self._insert(session, number, stored)
        grown = edge.extend(entry(campaign, row) for row in stored)
        session.run("UPDATE campaigns SET size = ?, edge = ? WHERE number = ?", (grown.size, grown.pack(), number))
        for row_id in sorted(inbox_done):
            told = f"events {edge.size} to {grown.size - 1}" if stored else ""
            self._finish_inbox(session, row_id, inbox_status, inbox_note or told)
        for mail in outbox:
            self._queue(session, mail, campaign)
        return appended

    def _insert(self, session: Session, number: int, stored: Sequence[Stored]) -> None:
        session.run_many(_INSERT_HEADER, [(number, *row[:8]) for row in stored])
        session.run_many(
            _INSERT_PAYLOAD, [(number, row.seq, row.salt, row.payload) for row in stored if row.payload is not None]
        )

    def _check_openings(
        self, session: Session, number: int, campaign: str, size: int, appended: Sequence[Event]
    ) -> None:
        for event in appended:
            if event.type == SECRET_OPENED:
                of = event.payload["of"]
                opened = appended[of - size] if of >= size else self._one(session, number, campaign, of)
                fault = check_opening(event.payload, opened)
                if fault is not None:
                    raise EventError(f"{campaign}/{event.seq} {event.type}: {fault}")

    def _one(self, session: Session, number: int, campaign: str, seq: int) -> Event:
        return decode(campaign, Stored._make(session.run(_COLUMNS, (number, seq, seq + 1)).fetchone()))

    def _salt_key(self, campaign: str) -> bytes:
        key = self._salt_keys.get(campaign)
        if key is None:
            try:
                key = self._salt_keys[campaign] = self.key(campaign, SALT_KEY)
            except KeyError:
                raise StoreError(f"{campaign} was imported without its keys: it can be read, not continued") from None
        return key

    def erase_payload(self, campaign: str, seq: int, by: int) -> None:
        """See `Store`."""
        number = self._number(campaign)
        with self._transaction() as session:
            size = session.run(f"SELECT size FROM campaigns WHERE number = ?{self.for_update}", (number,)).fetchone()[0]
            if not 0 < by < size:
                raise StoreError(f"{campaign}: there is no event {by} that could allow an erasure")
            leave = self._one(session, number, campaign, by)
            if leave.type != PAYLOAD_ERASED or leave.actor != MODERATOR or leave.payload["of"] != seq:
                raise StoreError(f"{campaign}: event {by} is not the moderator's leave to erase event {seq}")
            done = session.run(
                "INSERT INTO erasures (campaign, seq, by_seq) "
                "SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE campaign = ? AND seq = ?)",
                (number, seq, by, number, seq),
            )
            if done.rowcount == 1:
                session.run("DELETE FROM payloads WHERE campaign = ? AND seq = ?", (number, seq))
        self._scrub()

    def _scrub(self) -> None:
        """Leave no copy of erased bytes in the database's own journal, where the database can do that."""

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
        """See `Store`."""
        stored = list(rows)
        edge = Edge().extend(entry(campaign, row) for row in stored)
        with self._transaction() as session:
            number = self._add_campaign(session, campaign, edge, settings)
            for name, value in sorted((keys or {}).items()):
                self._put_key(session, campaign, name, value)
            self._insert(session, number, stored)
            session.run_many(
                "INSERT INTO erasures (campaign, seq, by_seq) VALUES (?, ?, ?)",
                [(number, seq, by) for seq, by in sorted(erasures.items())],
            )
            for signed in checkpoints:
                self._record_signed(session, number, campaign, signed)
        return Head(edge.size, edge.root())

    # Reading

    def read(
        self, campaign: str, from_seq: int = 0, to_seq: int | None = None, verify: bool = False
    ) -> Iterator[Event]:
        """See `Store`."""
        if verify:
            return self._read_verified(campaign, from_seq, to_seq)
        return self._read_fast(campaign, self._chunks(campaign, from_seq, to_seq))

    def _read_fast(self, campaign: str, chunks: Iterator[list[Any]]) -> Iterator[Event]:
        for chunk in chunks:
            for row in chunk:
                yield decode(campaign, row)

    def _read_verified(self, campaign: str, from_seq: int, to_seq: int | None) -> Iterator[Event]:
        edge = self.edge(campaign)
        end = edge.size if to_seq is None else min(to_seq, edge.size)
        erased = self.erasures(campaign)
        grown, expected = Edge(), from_seq
        for chunk in self._chunks(campaign, from_seq, end):
            rows = [Stored._make(row) for row in chunk]
            for row in rows:
                fault = check_hash(row)
                if fault is None and row.seq != expected:
                    fault = f"event {expected} is missing"
                if fault is None and row.payload is None and row.seq not in erased:
                    fault = "the payload is missing and was never erased"
                if fault is not None:
                    raise Damaged(f"{campaign}/{row.seq}: {fault}")
                expected += 1
            if from_seq == 0:
                grown = grown.extend(entry(campaign, row) for row in rows)
            try:
                yield from [decode(campaign, row, ERASED) for row in rows]
            except (KeyError, TypeError, ValueError) as error:
                raise Damaged(f"{campaign}/{rows[0].seq} or one of the next {len(rows)}: malformed: {error}") from None
        if expected < end:
            raise Damaged(f"{campaign}/{expected}: event is missing")
        if from_seq == 0 and end == edge.size and grown != edge:
            self._name_the_fault(campaign)
            raise Damaged(f"{campaign}: the events do not hash to the stored head of size {edge.size}")

    def _name_the_fault(self, campaign: str) -> None:
        """The tree does not fit: raise Damaged for the first event whose form alone shows that it was changed."""
        for row in self.stored(campaign):
            fault = check(campaign, row)
            if fault is not None:
                raise Damaged(f"{campaign}/{row.seq}: {fault}")

    def stored(self, campaign: str, from_seq: int = 0, to_seq: int | None = None) -> Iterator[Stored]:
        """See `Store`."""
        chunks = self._chunks(campaign, from_seq, to_seq)
        return (Stored._make(row) for chunk in chunks for row in chunk)

    def entries(self, campaign: str, from_seq: int = 0, to_seq: int | None = None) -> Iterator[bytes]:
        """See `Store`."""
        return (entry(campaign, row) for row in self.stored(campaign, from_seq, to_seq))

    def _chunks(self, campaign: str, from_seq: int, to_seq: int | None) -> Iterator[list[Any]]:
        """Rows in pieces, up to the size at the moment of the call; history does not change under the reader."""
        number = self._number(campaign)
        size = self.head_size(campaign)
        end = size if to_seq is None else min(to_seq, size)

        def pieces() -> Iterator[list[Any]]:
            for begin in range(from_seq, end, _CHUNK):
                yield self._session().run(_COLUMNS, (number, begin, min(begin + _CHUNK, end))).fetchall()

        return pieces()

    def head_size(self, campaign: str) -> int:
        """Number of events stored."""
        row = self._session().run("SELECT size FROM campaigns WHERE number = ?", (self._number(campaign),)).fetchone()
        return int(row[0])

    def edge(self, campaign: str) -> Edge:
        """See `Store`."""
        sql = "SELECT size, edge FROM campaigns WHERE number = ?"
        size, packed = self._session().run(sql, (self._number(campaign),)).fetchone()
        return Edge.unpack(size, bytes(packed))

    def head(self, campaign: str) -> Head:
        """See `Store`."""
        edge = self.edge(campaign)
        return Head(edge.size, edge.root())

    def inclusion_proof(self, campaign: str, seq: int, size: int | None = None) -> list[bytes]:
        """See `Store`."""
        return Tree(self.entries(campaign, 0, size)).inclusion(seq, size)

    def consistency_proof(self, campaign: str, old_size: int, size: int | None = None) -> list[bytes]:
        """See `Store`."""
        return Tree(self.entries(campaign, 0, size)).consistency(old_size, size)

    def erasures(self, campaign: str) -> dict[int, int]:
        """See `Store`."""
        sql = "SELECT seq, by_seq FROM erasures WHERE campaign = ? ORDER BY seq"
        return dict(self._session().run(sql, (self._number(campaign),)).fetchall())
