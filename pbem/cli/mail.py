"""`pbem mail receive`: one mail from a file or a pipe, taken in as if it had come by SMTP, or only tried."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    Mistake,
    database_option,
    echo_json,
    json_option,
    now,
    nudge,
    open_referee,
    read_moment,
    settings_with,
)
from pbem.cli.orders import print_lines, row_of

if TYPE_CHECKING:
    from pbem.campaign.referee import Referee
    from pbem.log.store import NewOutbox
    from pbem.mail.addresses import Scheme
    from pbem.mail.desk import Arrival, Handled
    from pbem.mail.dkim import TextLookup
    from pbem.mail.values import Envelope

LARGEST = 32_000_000
"""Bytes read from the pipe at most; what may be in a mail is for the desk to say."""


@click.group(no_args_is_help=True)
def mail() -> None:
    """Take in one mail from a file or a pipe."""


@mail.command()
@click.option("--dry-run", is_flag=True, help="Keep nothing and send nothing: only say what would become of it.")
@click.option(
    "--to", "recipients", multiple=True, metavar="ADDRESS",
    help="The address it came to. Default: what the headers say (Delivered-To, X-Original-To, To, Cc).",
)  # fmt: skip
@click.option("--sender", metavar="ADDRESS", help="The envelope's sender. Default: Return-Path, else From.")
@click.option("--received", metavar="MOMENT", help="When it came, such as 2026-08-03T12:30Z. Default: now.")
@database_option
@json_option
def receive(
    dry_run: bool, recipients: tuple[str, ...], sender: str | None, received: str | None, database: str, as_json: bool
) -> None:
    """Take in the mail on the standard input: keep its bytes, read and answer it. The answer is queued, not sent.

    With --dry-run nothing is kept or queued; the answer is printed. With --json the outcome is an object
    {"campaign", "player", "authenticated", "orders_text", "cut", "lines", "reply"}.

    \b
    Example:
      pbem mail receive --dry-run < file.eml
      pbem mail receive --to orders+p40-17.k3v9x2mqw7bd@pbem.example < file.eml
    """
    raw = sys.stdin.buffer.read(LARGEST + 1)
    if not raw.strip():
        raise Mistake("there is no mail on the standard input; write `pbem mail receive < file.eml`")
    if len(raw) > LARGEST:
        raise Mistake(f"the mail has more than {LARGEST} bytes")
    referee = open_referee(database)
    from pbem.mail.desk_directory import scheme_of

    scheme = scheme_of(referee)
    envelope = envelope_of(raw, scheme, recipients, sender, now() if received is None else read_moment(received))
    lookup = _lookup(database, raw)
    rows = (_tried if dry_run else _taken)(referee, raw, envelope, scheme, lookup)
    for row in [] if dry_run else rows:
        nudge(database, row["campaign"])
    if as_json:
        echo_json(rows[0] if len(rows) == 1 else rows)
        return
    for row in rows:
        _print(row, dry_run)


def envelope_of(
    raw: bytes, scheme: Scheme, recipients: tuple[str, ...], sender: str | None, received_at: int
) -> Envelope:
    """The envelope of a mail that came without one: from options, else from the headers that mail servers write."""
    from email.parser import BytesHeaderParser
    from email.utils import getaddresses

    from pbem.mail.addresses import parse_secret_address
    from pbem.mail.read import without_from_line
    from pbem.mail.values import Envelope

    headers = BytesHeaderParser().parsebytes(without_from_line(raw))

    def addresses(*names: str) -> list[str]:
        found = [str(value) for name in names for value in headers.get_all(name, [])]
        return [address.lower() for _, address in getaddresses(found) if "@" in address]

    to = list(recipients)
    if not to:
        named = addresses("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
        ours = [address for address in named if parse_secret_address(scheme, address) is not None]
        here = [address for address in named if address.rpartition("@")[2] in scheme.hosts]
        to = list(dict.fromkeys(ours or here or named))[:1] if not ours else list(dict.fromkeys(ours))
    if not to:
        raise Mistake("the mail does not say to which address it came; name it with --to")
    if sender is None:
        sender = next(iter(addresses("Return-Path") or addresses("From")), "")
    return Envelope(sender=sender, recipients=tuple(to), peer="file", received_at_ms=received_at)


def _lookup(database: str, raw: bytes) -> TextLookup | None:
    """How DKIM keys are asked for; None where no signature is there to be checked, or the settings say not to."""
    if b"dkim-signature:" not in raw.lower() or not settings_with(database).check_dkim:
        return None
    from pbem.mail.dkim import dns_lookup

    return dns_lookup(5.0)


# -- really -----------------------------------------------------------------------------------------------------------


def _taken(
    referee: Referee, raw: bytes, envelope: Envelope, scheme: Scheme, lookup: TextLookup | None
) -> list[dict[str, Any]]:
    """Kept, dealt with, and answered by the outbox."""
    from pbem.mail.desk import handle, keep, look_at

    rows = []
    for row_id in keep(referee, raw, envelope, "file", scheme):
        stored = referee.store.inbox_row(row_id)
        assert stored is not None
        seen = look_at(referee, stored, scheme, lookup) if stored.raw is not None else None
        handled = handle(referee, row_id, scheme, lookup)
        rows.append({**_row(seen, handled), "inbox": row_id, "status": handled.status})
    return rows


# -- tried ------------------------------------------------------------------------------------------------------------


class TryingStore:
    """A database that is read and never written: what would be written is remembered."""

    def __init__(self, store: Any, inbox: Any) -> None:
        self._store = store
        self._inbox = inbox
        self.mails: list[NewOutbox] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def inbox_row(self, row_id: int) -> Any:
        """The mail on trial."""
        return self._inbox if row_id == self._inbox.id else self._store.inbox_row(row_id)

    def append(
        self, campaign: str, expected_seq: int, events: Any, outbox: Any = (), inbox_done: Any = (), **other: Any
    ) -> list[Any]:
        """Remember the mails; the events are forgotten."""
        self.mails.extend(replace(row, campaign=campaign) for row in outbox)
        return []

    def finish_inbox(self, row_id: int, status: str, note: str = "", outbox: Any = (), **other: Any) -> None:
        """Remember the mails."""
        self.mails.extend(outbox)

    def put_outbox(self, rows: Any) -> list[int]:
        """Remember the mails."""
        self.mails.extend(rows)
        return []

    def put_player(self, player: Any) -> None:
        """Nothing: a new address, for instance, is given by the real mail only."""

    def put_settings(self, campaign: str, settings: Any) -> None:
        """Nothing."""

    def record_signed(self, campaign: str, signed: Any) -> None:
        """Nothing: a checkpoint of a trial is not handed out."""


class LastNote:
    """Signs nothing: gives the last checkpoint that was signed."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def sign(self, campaign: str, at: int) -> str:
        """The last checkpoint, or a word in its place."""
        last = self._store.last_signed(campaign)
        return last.note if last is not None else "(here follows the checkpoint)\n"


def _tried(
    referee: Referee, raw: bytes, envelope: Envelope, scheme: Scheme, lookup: TextLookup | None
) -> list[dict[str, Any]]:
    """The very same way as a real mail, on a database that only remembers."""
    from hashlib import sha256

    from pbem.log.store import InboxRow
    from pbem.mail.desk import handle, look_at
    from pbem.mail.desk_directory import campaign_of

    rows = []
    for recipient in envelope.recipients:
        inbox = InboxRow(
            id=0,
            campaign=campaign_of(referee, scheme, recipient),
            source="file",
            received_at=envelope.received_at_ms,
            raw=raw,
            sha256=sha256(raw).hexdigest(),
            envelope={"sender": envelope.sender, "recipient": recipient, "peer": envelope.peer},
            status="unread",
            dedupe_key="",
            note="",
        )
        store = TryingStore(referee.store, inbox)
        trying = replace(referee, store=store, signer=LastNote(referee.store))  # type: ignore[arg-type]
        seen = look_at(trying, inbox, scheme, lookup)
        handled = handle(trying, 0, scheme, lookup)
        rows.append({**_row(seen, handled), "reply": _reply(trying, store.mails, handled, scheme)})
    return rows


def _reply(referee: Referee, outbox: list[NewOutbox], handled: Handled, scheme: Scheme) -> str | None:
    """The text of the answer to the sender; None where he gets none."""
    from pbem.log.store import OutboxRow
    from pbem.mail.desk_rows import KINDS
    from pbem.mail.letters import render_letter
    from pbem.report.render import render

    for new in outbox:
        campaign = new.campaign or handled.campaign
        if new.kind == "moderator_notice" or campaign is None:
            continue
        player = referee.store.player(campaign, new.recipient)
        if player is None:
            continue
        row = OutboxRow(
            id=0, campaign=campaign, recipient=new.recipient, kind=new.kind, message_id=new.message_id,
            cause=new.cause, params=new.params, attempts=0, state="queued", sent_at=None, next_attempt_at=0,
            claim="", error="",
        )  # fmt: skip
        letter = render_letter(referee, row, player, scheme) if new.kind in KINDS else render(referee, row)
        return letter.text
    return None


def _row(seen: Arrival | None, handled: Handled) -> dict[str, Any]:
    from pbem.mail.authenticate import Accepted

    lines = [row_of(line) for line in handled.answer.lines] if handled.answer is not None else []
    return {
        "campaign": handled.campaign,
        "player": handled.player,
        "authenticated": seen is not None and isinstance(seen.outcome, Accepted),
        "outcome": handled.why,
        "orders_text": seen.mail.orders_text if seen is not None else "",
        "cut": [asdict(cut) for cut in seen.mail.cut] if seen is not None else [],
        "lines": lines,
        "reply": None,
    }


def _print(row: dict[str, Any], dry_run: bool) -> None:
    who = f"{row['player']} in {row['campaign']}" if row["player"] else "nobody we know"
    click.echo(f"from {who}{'' if row['authenticated'] else ' (not accepted)'}: {row['outcome']}")
    for cut in row["cut"]:
        click.echo(f"cut    {cut['lines']} lines, {cut['what']}")
    print_lines(row["lines"])
    if row["reply"]:
        click.echo("")
        click.echo(row["reply"], nl=False)
    elif dry_run:
        click.echo("no answer would be sent")
