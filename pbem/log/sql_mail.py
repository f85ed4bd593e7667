"""Inbox and outbox: what came in and what is to go out, in SQL common to both databases."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final

from pbem.log.sql import Session, SqlBase, from_json, to_json
from pbem.log.store import (
    AlreadyExists,
    InboxRow,
    InboxStatus,
    InboxTaken,
    NewInbox,
    NewOutbox,
    OutboxRow,
    OutboxState,
    Received,
    StoreError,
)

_INBOX: Final = "id, campaign, source, received_at, raw, sha256, envelope, status, dedupe_key, note"
_OUTBOX: Final = (
    "id, campaign, recipient, kind, message_id, cause, params, attempts, state, sent_at, next_attempt_at, claim, error"
)
_DUE: Final = "state = 'queued' AND next_attempt_at <= ? AND (claim = '' OR claimed_until <= ?)"


def _arrival(row: Any) -> InboxRow:
    raw = None if row[4] is None else bytes(row[4])
    return InboxRow(row[0], row[1], row[2], row[3], raw, row[5], from_json(row[6]), row[7], row[8], row[9])


def _mail(row: Any) -> OutboxRow:
    before, params, after = row[:6], from_json(row[6]), row[7:]
    return OutboxRow(*before, params, *after)  # type: ignore[call-arg]  # 13 columns, 13 fields


class MailSql(SqlBase):
    """The part of the store that deals with mail."""

    # Inbox

    def put_inbox(self, row: NewInbox) -> Received:
        """See `Store`."""
        with self._transaction() as session:
            added = session.run(
                "INSERT INTO inbox (campaign, source, received_at, raw, sha256, envelope, status, dedupe_key, note) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, '') ON CONFLICT (dedupe_key) DO NOTHING RETURNING id",
                (
                    row.campaign,
                    row.source,
                    row.received_at,
                    row.raw,
                    sha256(row.raw).hexdigest(),
                    to_json(row.envelope),
                    row.status,
                    row.dedupe_key,
                ),
            ).fetchone()
            if added is not None:
                return Received(added[0], True)
            known = session.run("SELECT id FROM inbox WHERE dedupe_key = ?", (row.dedupe_key,)).fetchone()
            return Received(known[0], False)

    def inbox_row(self, row_id: int) -> InboxRow | None:
        """See `Store`."""
        row = self._session().run(f"SELECT {_INBOX} FROM inbox WHERE id = ?", (row_id,)).fetchone()
        return None if row is None else _arrival(row)

    def unread(self, campaign: str | None = None, before: int | None = None) -> list[InboxRow]:
        """See `Store`."""
        sql = f"SELECT {_INBOX} FROM inbox WHERE status = 'unread'"
        arguments: list[object] = []
        if campaign is not None:
            sql += " AND campaign = ?"
            arguments.append(campaign)
        if before is not None:
            sql += " AND received_at < ?"
            arguments.append(before)
        rows = self._session().run(sql + " ORDER BY received_at, id", arguments).fetchall()
        return [_arrival(row) for row in rows]

    def inbox(self, campaign: str | None = None, status: InboxStatus | None = None, limit: int = 100) -> list[InboxRow]:
        """See `Store`."""
        sql, arguments = _filtered(f"SELECT {_INBOX} FROM inbox", campaign=campaign, status=status)
        rows = self._session().run(f"{sql} ORDER BY id DESC LIMIT ?", [*arguments, limit]).fetchall()
        return [_arrival(row) for row in rows]

    def assign_inbox(self, row_id: int, campaign: str) -> None:
        """See `Store`."""
        self._session().run("UPDATE inbox SET campaign = ? WHERE id = ?", (campaign, row_id))

    def finish_inbox(self, row_id: int, status: InboxStatus, note: str = "", outbox: Iterable[NewOutbox] = ()) -> None:
        """See `Store`."""
        if status == "unread":
            raise StoreError(f"arrival {row_id} cannot become unread again")
        with self._transaction() as session:
            self._finish_inbox(session, row_id, status, note)
            for mail in outbox:
                self._queue(session, mail, mail.campaign)

    def _finish_inbox(self, session: Session, row_id: int, status: InboxStatus, note: str) -> None:
        done = session.run(
            "UPDATE inbox SET status = ?, note = ? WHERE id = ? AND status IN ('unread', 'held')",
            (status, note, row_id),
        )
        if done.rowcount != 1:
            raise InboxTaken(f"arrival {row_id} is finished already, or was never there")

    def purge_inbox(self, before: int) -> int:
        """See `Store`."""
        done = self._session().run(
            "UPDATE inbox SET raw = NULL "
            "WHERE received_at < ? AND raw IS NOT NULL AND status NOT IN ('unread', 'held')",
            (before,),
        )
        return done.rowcount

    # Outbox

    def _queue(self, session: Session, mail: NewOutbox, campaign: str | None, twice: bool = False) -> int:
        added = session.run(
            "INSERT INTO outbox (campaign, recipient, kind, message_id, cause, params, attempts, state, sent_at, "
            "next_attempt_at, claim, claimed_until, error) VALUES (?, ?, ?, ?, ?, ?, 0, 'queued', NULL, ?, '', 0, '') "
            "ON CONFLICT (message_id) DO NOTHING RETURNING id",
            (
                campaign,
                mail.recipient,
                mail.kind,
                mail.message_id,
                mail.cause,
                to_json(mail.params),
                mail.not_before,
            ),
        ).fetchone()
        if added is not None:
            return int(added[0])
        if not twice:
            raise AlreadyExists(f"a mail {mail.message_id} was queued before")
        known = session.run("SELECT id FROM outbox WHERE message_id = ?", (mail.message_id,)).fetchone()
        return int(known[0])

    def put_outbox(self, rows: Iterable[NewOutbox]) -> list[int]:
        """See `Store`."""
        with self._transaction() as session:
            return [self._queue(session, mail, mail.campaign, twice=True) for mail in rows]

    def due(self, now: int, limit: int = 100) -> list[OutboxRow]:
        """See `Store`."""
        sql = f"SELECT {_OUTBOX} FROM outbox WHERE {_DUE} ORDER BY next_attempt_at, id LIMIT ?"
        return [_mail(row) for row in self._session().run(sql, (now, now, limit)).fetchall()]

    def claim_outbox(self, now: int, *, lease: int = 120_000, limit: int = 20) -> list[OutboxRow]:
        """See `Store`."""
        claim = secrets.token_hex(8)
        with self._transaction() as session:
            sql = f"SELECT id FROM outbox WHERE {_DUE} ORDER BY next_attempt_at, id LIMIT ?{self.skip_locked}"
            taken = [row[0] for row in session.run(sql, (now, now, limit)).fetchall()]
            for row_id in taken:
                session.run(
                    "UPDATE outbox SET claim = ?, claimed_until = ?, attempts = attempts + 1 WHERE id = ?",
                    (claim, now + lease, row_id),
                )
            rows = [session.run(f"SELECT {_OUTBOX} FROM outbox WHERE id = ?", (one,)).fetchone() for one in taken]
        return [_mail(row) for row in rows]

    def outbox_row(self, row_id: int) -> OutboxRow | None:
        """See `Store`."""
        row = self._session().run(f"SELECT {_OUTBOX} FROM outbox WHERE id = ?", (row_id,)).fetchone()
        return None if row is None else _mail(row)

    def outbox_by_message_id(self, message_id: str) -> OutboxRow | None:
        """See `Store`."""
        row = self._session().run(f"SELECT {_OUTBOX} FROM outbox WHERE message_id = ?", (message_id,)).fetchone()
        return None if row is None else _mail(row)

    def outbox(
        self, campaign: str | None = None, state: OutboxState | None = None, limit: int = 100
    ) -> list[OutboxRow]:
        """See `Store`."""
        sql, arguments = _filtered(f"SELECT {_OUTBOX} FROM outbox", campaign=campaign, state=state)
        rows = self._session().run(f"{sql} ORDER BY id DESC LIMIT ?", [*arguments, limit]).fetchall()
        return [_mail(row) for row in rows]

    def mark_sent(self, row_id: int, claim: str, now: int) -> bool:
        """See `Store`."""
        done = self._session().run(
            "UPDATE outbox SET state = 'sent', sent_at = ?, claim = '', claimed_until = 0, error = '' "
            "WHERE id = ? AND claim = ? AND claim <> '' AND state = 'queued'",
            (now, row_id, claim),
        )
        return done.rowcount == 1

    def mark_failed(self, row_id: int, claim: str, now: int, error: str, retry_at: int | None) -> bool:
        """See `Store`."""
        done = self._session().run(
            "UPDATE outbox SET state = ?, next_attempt_at = ?, claim = '', claimed_until = 0, error = ? "
            "WHERE id = ? AND claim = ? AND claim <> '' AND state = 'queued'",
            ("failed" if retry_at is None else "queued", now if retry_at is None else retry_at, error, row_id, claim),
        )
        return done.rowcount == 1

    def mark_bounced(self, row_id: int, error: str) -> bool:
        """See `Store`."""
        done = self._session().run(
            "UPDATE outbox SET state = 'failed', error = ? WHERE id = ? AND state = 'sent'", (error, row_id)
        )
        return done.rowcount == 1


def _filtered(sql: str, **wanted: str | None) -> tuple[str, list[object]]:
    given = {name: value for name, value in wanted.items() if value is not None}
    if given:
        sql += " WHERE " + " AND ".join(f"{name} = ?" for name in given)
    return sql, list(given.values())
