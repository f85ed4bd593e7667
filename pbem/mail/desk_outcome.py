"""What the desk hands from one hand to the next: a mail as it was read and judged, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pbem.campaign.answer import Answer
from pbem.campaign.referee import Referee
from pbem.log.store import InboxRow, InboxStatus, NewOutbox
from pbem.mail.authenticate import Outcome
from pbem.mail.desk_directory import addresses_of
from pbem.mail.desk_rows import within_limit
from pbem.mail.dkim import DkimResult
from pbem.mail.values import ReadMail


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of an inbox row. `status` is the row's new one; `later` leaves it unread for another try, `already`
    means that somebody else had dealt with it. `why` is for the operator.
    """

    row: int
    status: InboxStatus | Literal["later", "already"]
    why: str
    campaign: str | None = None
    player: str | None = None
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """One kept mail, read, with what authentication says of it."""

    row: InboxRow
    mail: ReadMail
    outcome: Outcome
    dkim: DkimResult | None


def finish(
    referee: Referee,
    row: InboxRow,
    status: InboxStatus,
    why: str,
    mails: Iterable[NewOutbox],
    campaign: str,
    player: str,
) -> Handled:
    """Finish a row that causes no event, with its mails, in one transaction."""
    referee.store.finish_inbox(row.id, status, why, within_limit(referee, mails, referee.clock()))
    return Handled(row.id, status, why, campaign, player)


def place_of(referee: Referee, campaign: str, player_id: str, address: str) -> int:
    """The place of a registered address among those of a player; 0 is where mail goes by default."""
    player = referee.store.player(campaign, player_id)
    known = addresses_of(player) if player is not None else ()
    return known.index(address) if address in known else 0


def seen(mail: ReadMail) -> list[str]:
    """What a player is shown of a mail that he is asked about."""
    lines = [line.strip() for line in mail.orders_text.split("\n") if line.strip()]
    return lines + [f"(attached) {attachment.filename}" for attachment in mail.json_attachments]


def choices(mail: ReadMail, row: InboxRow) -> list[tuple[str, str]]:
    """The lines that confirm it, each with what it does."""
    if mail.orders_source != "ask":
        return [(f"confirm {row.id}", "to take it")]
    return [
        (f"confirm {row.id} text", "to take the orders in the text"),
        (f"confirm {row.id} attachment", "to take the attached document"),
    ]
