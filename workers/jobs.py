"""The jobs that workers run. Each takes ids only, reads the rest from the database, and may run any number of times."""

from __future__ import annotations

import logging

from pbem.campaign.advance import advance as advance_campaign
from pbem.campaign.faults import fault_text
from pbem.log.store import InboxTaken, LockBusy, NewOutbox, NoSuchCampaign
from pbem.mail.deliver import deliver_due
from pbem.mail.desk import Handled
from pbem.mail.desk import handle as handle_mail
from pbem.mail.desk_directory import StoreDirectory, moderator_of
from pbem.mail.desk_rows import moderator_notice
from pbem.web.intake import SOURCE as HTTP
from pbem.web.intake import handle_body
from workers.mailbox import mailbox_is_read
from workers.surroundings import Surroundings, surroundings

_logger = logging.getLogger(__name__)

_REST_SECONDS = 60
"""Before a mail that could not be dealt with is tried again."""
_PATIENCE = 3_600_000
"""Milliseconds for which a mail that breaks our code is tried again; then it is held, and no window waits for it."""


def handle(row_id: int) -> None:
    """Deal with one arrival, then let its campaign go on."""
    handle_in(surroundings(), row_id)


def advance(campaign: str) -> None:
    """Bring one campaign as far as it can go."""
    advance_in(surroundings(), campaign)


def send() -> None:
    """Send due mails."""
    send_in(surroundings())


# -- the same with everything named ---------------------------------------------------------------------------------


def handle_in(here: Surroundings, row_id: int) -> Handled | None:
    """Deal with one arrival: a mail at the desk, a body that came over HTTP at the web's counter."""
    here.jobs.begun("handle", row_id)
    row = here.referee.store.inbox_row(row_id)
    if row is None or row.status != "unread":
        return None
    try:
        if row.source == HTTP:
            handle_body(here.referee, row_id)
            handled = None
        else:
            handled = handle_mail(here.referee, row_id, here.scheme, here.dkim_lookup)
    except Exception as error:  # our own fault: the arrival stays unread, and no other one may suffer
        _logger.error("arrival %d could not be dealt with: %s", row_id, fault_text(error))
        here.jobs.rest("handle", row_id, _REST_SECONDS)
        if here.referee.clock() - row.received_at > _PATIENCE:
            _hold(here, row_id, row.campaign, type(error).__name__)
        return None
    if handled is not None and handled.status == "later":
        here.jobs.rest("handle", row_id, _REST_SECONDS)
        return handled
    here.jobs.put("send")
    campaign = row.campaign if handled is None else handled.campaign
    if campaign is not None:
        here.jobs.put("advance", campaign)
    return handled


def _hold(here: Surroundings, row_id: int, campaign: str | None, error: str) -> None:
    """Set an arrival aside for the moderator."""
    mails: list[NewOutbox] = []
    if campaign is not None:
        try:
            moderator = moderator_of(StoreDirectory(here.referee).state(campaign))
        except Exception:  # the campaign itself may be what is broken
            moderator = None
        mails = moderator_notice(here.referee, campaign, moderator, row_id, what="failed", detail=error, player="-")
    try:
        here.referee.store.finish_inbox(row_id, "held", f"failed: {error}", mails)
    except InboxTaken:
        return


def advance_in(here: Surroundings, campaign: str) -> None:
    """Bring one campaign as far as it can go, and say up to where that was."""
    here.jobs.begun("advance", campaign)
    seen = here.jobs.seen(campaign)
    deadline = seen is None or (seen[1] is not None and here.referee.clock() >= seen[1])
    if deadline and not mailbox_is_read(here):
        # What came in time counts, so no window may close before we know what came.
        here.jobs.rest("advance", campaign, _REST_SECONDS)
        return
    try:
        size = here.referee.store.head(campaign).size
        done = advance_campaign(here.referee, campaign)
    except NoSuchCampaign:
        return
    except LockBusy:  # somebody else is at it; what he may have missed the tick finds
        return
    except Exception as error:  # a campaign that breaks our code must not keep the others
        _logger.error("campaign %s could not be advanced: %s", campaign, fault_text(error))
        here.jobs.rest("advance", campaign, _REST_SECONDS)
        return
    here.jobs.saw(campaign, size + done.appended, done.next_look)
    if done.appended:
        here.jobs.put("send")


def send_in(here: Surroundings) -> int:
    """Send a handful of due mails, and queue the rest behind whatever else waits."""
    here.jobs.begun("send")
    if here.outlet is None:
        return 0
    tried = deliver_due(here.referee, here.outlet)
    if tried:
        here.jobs.put("send")
    return tried
