"""Mail that waits in a mailbox at a provider: fetched now and then, and always before a deadline closes a window."""

from __future__ import annotations

import logging

from pbem.mail.desk import keep
from pbem.mail.imap import Mailbox, MailboxUnavailable, poll
from pbem.mail.values import Envelope
from workers.surroundings import Surroundings

_logger = logging.getLogger(__name__)


def mailbox_of(here: Surroundings) -> Mailbox | None:
    """The mailbox that the settings name."""
    settings = here.settings
    if settings.imap_host is None:
        return None
    return Mailbox(
        host=settings.imap_host,
        port=settings.imap_port,
        user=settings.imap_user,
        password=settings.imap_password,
        folder=settings.imap_folder,
        done_folder=settings.imap_done_folder,
        tls=settings.imap_tls,
    )


def fetch(here: Surroundings) -> int | None:
    """Keep what waits in the mailbox; how many mails that was, None if it cannot be read now or there is none."""
    mailbox = mailbox_of(here)
    if mailbox is None:
        return None

    def accept(raw: bytes, envelope: Envelope) -> str:
        rows = keep(here.referee, raw, envelope, "imap", here.scheme)
        for row in rows:
            here.jobs.put("handle", row)
        return ", ".join(map(str, rows))

    try:
        polled = poll(mailbox, accept, hosts=here.scheme.hosts, clock_ms=here.referee.clock)
    except MailboxUnavailable as error:
        _logger.warning("the mailbox cannot be read: %s", error)
        return None
    if polled.failed:
        _logger.warning("%d mails of the mailbox could not be kept", polled.failed)
        return None
    return polled.kept


def mailbox_is_read(here: Surroundings) -> bool:
    """Whether nothing that came in time can still lie in a mailbox; fetches it. True where there is none."""
    return mailbox_of(here) is None or fetch(here) is not None
