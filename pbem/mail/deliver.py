"""Out of the outbox: claim due rows, render them, compose, hand them to the relay, and note how it ended.

Delivery is at least once, with a stable Message-ID. A checkpoint is signed, and so stored, before a mail may name it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pbem.campaign.faults import fault_text
from pbem.campaign.load import load
from pbem.campaign.mails import message_id
from pbem.campaign.referee import Referee
from pbem.log.store import NoSuchCampaign, OutboxRow, Player
from pbem.mail.addresses import Scheme, bounce_address, secret_address
from pbem.mail.compose import Composed, Outgoing, OutgoingAttachment, compose
from pbem.mail.desk_bounces import bounce_tag, flag_unreachable
from pbem.mail.desk_directory import addresses_of, moderator_of
from pbem.mail.desk_rows import KINDS, moderator_notice
from pbem.mail.letters import render_letter
from pbem.mail.send import Delivered, Delivery, PermanentFailure

_logger = logging.getLogger(__name__)

_MINUTE = 60_000
_BACKOFF = (1, 2, 5, 15, 30, 60, 120, 240)
"""Minutes until the next try, the last one for all further tries."""
_GIVE_UP = 36
"""Tries, which is about five days."""
LEASE = 90_000
"""Milliseconds for which a claimed row is left alone: longer than a rendering and a slow relay together."""
_ANSWERS = frozenset(("answer", "mail_question", "mail_refused", "address_changed"))
"""Kinds that answer a mail; the others begin or continue a thread of their own."""


class Rendered(Protocol):
    """What a mail says."""

    @property
    def subject(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def html(self) -> str | None: ...
    @property
    def attachments(self) -> Sequence[Any]:
        """Values with `filename`, `content_type` and `data`."""


Render = Callable[[Referee, OutboxRow], Rendered]
"""Makes a mail about the game from its row; see `pbem.report.render`."""


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where mail goes and how it looks: `send` hands one composed mail on, `sign` puts a DKIM signature in front."""

    scheme: Scheme
    send: Callable[[Composed], Delivery]
    render: Render
    sender_name: str = "The referee"
    sign: Callable[[bytes], bytes] | None = None


def deliver_due(referee: Referee, outlet: Outlet, limit: int = 20) -> int:
    """Try to send up to `limit` due mails; how many were tried. Call it again until it gives 0."""
    for tried in range(limit):
        # One at a time: a sender that is killed holds up one mail, not twenty.
        rows = referee.store.claim_outbox(referee.clock(), lease=LEASE, limit=1)
        if not rows:
            return tried
        deliver(referee, outlet, rows[0])
    return limit


def deliver(referee: Referee, outlet: Outlet, row: OutboxRow) -> Delivery | None:
    """Try to send one claimed mail and note how it ended; None if it could not even be made."""
    player = referee.store.player(row.campaign, row.recipient) if row.campaign is not None else None
    if player is None or not player.address or not player.token:
        referee.store.mark_failed(row.id, row.claim, referee.clock(), "its receiver has left", None)
        return None
    try:
        mails = compose_row(referee, outlet, row, player)
        delivery = [outlet.send(mail) for mail in mails][0]
    except Exception as error:  # whatever goes wrong with one mail must not keep the others
        _logger.error("mail %d (%s) of %s was not made: %s", row.id, row.kind, row.campaign, fault_text(error))
        _again(referee, row, f"{type(error).__name__}: not rendered")
        return None
    now = referee.clock()
    if isinstance(delivery, Delivered):
        referee.store.mark_sent(row.id, row.claim, now)
    elif isinstance(delivery, PermanentFailure):
        referee.store.mark_failed(row.id, row.claim, now, f"{delivery.code} {delivery.detail}", None)
        _unreachable(referee, row, player, str(delivery.code))
    else:
        _again(referee, row, f"{delivery.code} {delivery.detail}")
    return delivery


def _again(referee: Referee, row: OutboxRow, error: str) -> None:
    now = referee.clock()
    wait = _BACKOFF[min(row.attempts, len(_BACKOFF)) - 1] * _MINUTE
    referee.store.mark_failed(row.id, row.claim, now, error, None if row.attempts >= _GIVE_UP else now + wait)


def _unreachable(referee: Referee, row: OutboxRow, player: Player, status: str) -> None:
    """The relay refuses the receiver for good: his deadlines and the moderator must know."""
    flag_unreachable(referee, player, referee.clock(), status)
    if row.kind == "moderator_notice":
        return
    moderator = moderator_of(load(referee, player.campaign).play.now)
    detail = f"the mail server refused a mail ({row.kind}): {status}"
    notice = moderator_notice(
        referee, player.campaign, moderator, f"m{row.id}", what="bounce", detail=detail, player=player.id
    )
    referee.store.put_outbox(notice)


# -- from a row to bytes ----------------------------------------------------------------------------------------------


def compose_row(referee: Referee, outlet: Outlet, row: OutboxRow, player: Player) -> list[Composed]:
    """The mail of a row; a second one if the answer goes to another address than the player's first, which gets a copy.

    The campaign's head is signed first: what a report says of a checkpoint is then in the database.
    """
    scheme = outlet.scheme
    referee.signer.sign(player.campaign, referee.clock())
    rendered = render_letter(referee, row, player, scheme) if row.kind in KINDS else outlet.render(referee, row)
    reply: Mapping[str, Any] = row.params.get("reply", {})
    addresses = addresses_of(player)
    place = int(reply.get("address", 0))
    wanted = dict.fromkeys((addresses[place] if place < len(addresses) else addresses[0], addresses[0]))
    answered = reply.get("message_id") if row.kind in _ANSWERS else None
    root = turn_thread(row, player, referee.host)
    references = [*([root] if root is not None else []), *reply.get("references", ())]
    mails: list[Composed] = []
    for to in wanted:
        mail = compose(
            Outgoing(
                message_id=row.message_id.strip("<>"),
                sender_name=outlet.sender_name,
                sender=f"{scheme.orders}@{scheme.host}",
                to=to,
                reply_to=secret_address(scheme, player.campaign, player.token),
                bounce_to=bounce_address(scheme, bounce_tag(row, player)),
                subject=str(reply.get("subject") or rendered.subject) if answered else rendered.subject,
                text=rendered.text,
                html=rendered.html,
                attachments=tuple(
                    OutgoingAttachment(each.filename, each.content_type, each.data) for each in rendered.attachments
                ),
                date_ms=_date(referee, row),
                automatic="auto-replied" if row.kind in _ANSWERS else "auto-generated",
                in_reply_to=answered,
                references=tuple(dict.fromkeys(references)),
            )
        )
        raw = outlet.sign(mail.raw) if outlet.sign is not None else mail.raw
        mails.append(Composed(mail.message_id, mail.sender, mail.recipient, raw))
    return mails


def turn_thread(row: OutboxRow, player: Player, host: str) -> str | None:
    """The id that all mails about one turn refer to, without brackets; mail programs then show them as one thread.

    It is made from the window that the mail is about, so every mail knows it without looking for the first one.
    """
    window = row.params.get("window")
    if not isinstance(window, str):
        return None
    segment = window.split(":", 1)[0]
    if not segment.isascii() or any(ch in "<>@ " for ch in segment):
        return None
    return message_id("turn", player.campaign, segment, player.id, host).strip("<>")


def _date(referee: Referee, row: OutboxRow) -> int:
    """The instant of what caused the mail, so that a second sending is the same mail."""
    if row.cause is not None and row.campaign is not None:
        try:
            event = next(iter(referee.store.read(row.campaign, row.cause, row.cause + 1)), None)
        except NoSuchCampaign:
            event = None
        if event is not None:
            return event.at
    at = row.params.get("at") or row.params.get("reply", {}).get("received_at")
    return int(at) if at else referee.clock()
