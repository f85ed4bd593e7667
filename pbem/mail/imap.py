"""Fetching from an IMAP mailbox: each mail goes to the same function as over SMTP and is then moved away.

A mail is moved only after it was kept. If we die in between it is fetched again, and the key of `read.dedupe_key`
recognises it.
"""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError

from pbem.mail.headers import Headers, addresses
from pbem.mail.serve import Accept
from pbem.mail.structure import read_headers
from pbem.mail.values import Envelope

_logger = logging.getLogger(__name__)
_DELIVERED_TO = ("delivered-to", "x-original-to", "envelope-to", "x-delivered-to")
"""Fields in which delivering servers note the address that a mail really came to."""
_BELIEVED_MS = 30 * 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Where to look. Fetched mails go to `done_folder`, which is made when it is missing."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str = "INBOX"
    done_folder: str = "Processed"
    tls: bool = True
    timeout_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Polled:
    """How many mails were kept, and how many stay in the mailbox because keeping them failed."""

    kept: int
    failed: int


class MailboxUnavailable(Exception):
    """The mailbox could not be read now; nothing was lost."""


def poll(
    mailbox: Mailbox,
    accept: Accept,
    *,
    hosts: Collection[str],
    clock_ms: Callable[[], int],
    size_limit: int = 1_000_000,
    at_most: int = 200,
    context: ssl.SSLContext | None = None,
) -> Polled:
    """Fetch up to `at_most` waiting mails, oldest first. Raises `MailboxUnavailable`.

    A mail's time of receipt is the mailbox server's (INTERNALDATE), which no sender can write, unless it lies in the
    future or more than 30 days back. Of a mail beyond `size_limit` only so much is fetched that the reader sees it is
    too large and can say so.
    """
    try:
        with IMAPClient(
            mailbox.host, mailbox.port, ssl=mailbox.tls, ssl_context=context, timeout=mailbox.timeout_seconds
        ) as client:
            client.normalise_times = False
            client.login(mailbox.user, mailbox.password)
            if not client.folder_exists(mailbox.done_folder):
                client.create_folder(mailbox.done_folder)
            client.select_folder(mailbox.folder)
            waiting = sorted(client.search(["UNDELETED"]))[:at_most]
            kept = sum(1 for uid in waiting if _take(client, uid, mailbox, accept, hosts, clock_ms, size_limit))
            return Polled(kept, len(waiting) - kept)
    except LoginError as error:
        raise MailboxUnavailable("the mailbox refused our name and password") from error
    except (IMAPClientError, OSError) as error:
        raise MailboxUnavailable(f"{type(error).__name__}: {error}"[:200]) from error


def _take(
    client: Any,
    uid: int,
    mailbox: Mailbox,
    accept: Accept,
    hosts: Collection[str],
    clock_ms: Callable[[], int],
    size_limit: int,
) -> bool:
    whole = f"BODY.PEEK[]<0.{size_limit + 1}>"
    found = client.fetch([uid], [whole, "INTERNALDATE"]).get(uid, {})
    raw = found.get(b"BODY[]<0>", found.get(b"BODY[]"))
    if not isinstance(raw, bytes):
        return False
    headers = read_headers(raw)
    envelope = Envelope(
        sender=envelope_sender(headers),
        recipients=envelope_recipients(headers, hosts),
        peer=f"imap:{mailbox.host}",
        received_at_ms=_received(found.get(b"INTERNALDATE"), clock_ms()),
    )
    try:
        accept(raw, envelope)
    except Exception:  # whatever fails is ours; the mail waits where it is
        _logger.exception("a mail could not be kept")
        return False
    if client.has_capability("MOVE"):
        client.move([uid], mailbox.done_folder)
    else:
        client.copy([uid], mailbox.done_folder)
        client.delete_messages([uid])
        with suppress(IMAPClientError):  # without UIDPLUS the mark must do: deleted mails are not fetched again
            client.uid_expunge([uid])
    return True


def envelope_recipients(headers: Headers, hosts: Collection[str]) -> tuple[str, ...]:
    """Our addresses to which a mail in a mailbox came: as noted by the delivering server, else as the mail says."""
    for names in (_DELIVERED_TO, ("to", "cc")):
        values = tuple(value for name in names for value in headers.all(name))
        ours = tuple(address for address in addresses(values) if address.rpartition("@")[2] in hosts)
        if any("+" in address for address in ours):
            return ours
    return addresses(headers.all("to"))[:1]


def envelope_sender(headers: Headers) -> str:
    """The reverse path as the delivering server noted it, `""` for the null sender; else the From address."""
    noted = headers.first("return-path").strip()
    if noted == "<>":
        return ""
    return next(iter(addresses((noted,)) + addresses(headers.all("from"))), "unknown")


def _received(internal_date: object, now_ms: int) -> int:
    if not isinstance(internal_date, datetime) or internal_date.tzinfo is None:
        return now_ms
    noted = int(internal_date.timestamp() * 1000)
    return noted if now_ms - _BELIEVED_MS <= noted <= now_ms else now_ms
