"""The mails that the desk causes itself, as rows of the outbox: questions, refusals, notices, and their limit.

Rows hold no address and no secret: who is written to, and how, is looked up when the mail is sent. `letters` renders
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.campaign.mails import message_id
from pbem.campaign.referee import Referee
from pbem.log.store import InboxRow, NewOutbox
from pbem.mail.headers import bare_subject
from pbem.mail.values import Problem, ReadMail

KINDS = ("mail_question", "mail_refused", "leak_notice", "address_changed", "moderator_notice")
"""Kinds of mail about mail; all others are about the game."""

_LIMITED = frozenset(("mail_question", "mail_refused", "leak_notice", "address_changed"))
_HOUR = 3_600_000
_PER_HOUR = 12
"""Questions and refusals that one player gets in an hour: whoever floods an address must not flood its owner."""
_SEEN_LINES = 60
_REFERENCES = 20


def reply_to_mail(mail: ReadMail, row: InboxRow, address: int = 0) -> dict[str, Any]:
    """What an answer needs to stand in the mail's thread; `address` is the place of the registered address to use."""
    return {
        "message_id": mail.message_id,
        "references": list(mail.references[-_REFERENCES:]),
        "subject": bare_subject(mail.subject)[:200],
        "received_at": row.received_at,
        "address": address,
    }


def no_thread(row: InboxRow) -> dict[str, Any]:
    """The same for a mail about a mail that its receiver never saw."""
    return {"message_id": None, "references": [], "subject": "", "received_at": row.received_at, "address": 0}


def question(
    referee: Referee,
    campaign: str,
    player: str,
    row: InboxRow,
    *,
    reason: str,
    detail: str,
    seen: Sequence[str],
    choices: Sequence[tuple[str, str]],
    reply: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> NewOutbox:
    """Nothing counts yet: what was seen, why it is asked, and the line for each choice, with what it does."""
    params = {
        "reason": reason,
        "detail": detail,
        "row": row.id,
        "seen": list(seen[:_SEEN_LINES]),
        "more": max(0, len(seen) - _SEEN_LINES),
        "choices": [list(choice) for choice in choices],
        "notes": list(notes),
        "reply": dict(reply),
    }
    return _row(referee, "mail_question", campaign, player, row.id, params)


def refusal(
    referee: Referee,
    campaign: str,
    player: str,
    row: InboxRow,
    *,
    reason: str,
    problems: Iterable[Problem],
    reply: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> NewOutbox:
    """Nothing of the mail counts: what is wrong with it and what would be right."""
    told = [[problem.text, problem.suggestion] for problem in problems]
    params = {"reason": reason, "problems": told, "notes": list(notes), "reply": dict(reply)}
    return _row(referee, "mail_refused", campaign, player, row.id, params)


def leak(referee: Referee, campaign: str, player: str, row: InboxRow, detail: str) -> NewOutbox:
    """Somebody else wrote to the player's secret address."""
    return _row(referee, "leak_notice", campaign, player, row.id, {"detail": detail, "reply": no_thread(row)})


def address_changed(referee: Referee, campaign: str, player: str, row: InboxRow, reply: Mapping[str, Any]) -> NewOutbox:
    """The player has a new secret address; the mail's own Reply-To is it."""
    return _row(referee, "address_changed", campaign, player, row.id, {"reply": dict(reply)})


def moderator_notice(
    referee: Referee, campaign: str, moderator: str | None, number: int | str, *, what: str, detail: str, player: str
) -> list[NewOutbox]:
    """Something that the moderator should look at; never what stood in the mail. Empty if there is no moderator."""
    if moderator is None:
        return []
    params = {"what": what, "detail": detail, "player": player, "row": number}
    return [_row(referee, "moderator_notice", campaign, moderator, f"{what}.{number}", params)]


def within_limit(referee: Referee, rows: Iterable[NewOutbox], now: int) -> list[NewOutbox]:
    """The rows without those that would be too many for their receiver in this hour."""
    kept: list[NewOutbox] = []
    for row in rows:
        if row.kind in _LIMITED and _sent_lately(referee, row, now) >= _PER_HOUR:
            continue
        kept.append(row)
    return kept


def _sent_lately(referee: Referee, wanted: NewOutbox, now: int) -> int:
    return sum(
        1
        for row in referee.store.outbox(wanted.campaign, limit=500)
        if row.kind in _LIMITED
        and row.recipient == wanted.recipient
        and row.params.get("reply", {}).get("received_at", 0) > now - _HOUR
    )


def _row(
    referee: Referee, kind: str, campaign: str, player: str, number: int | str, params: Mapping[str, Any]
) -> NewOutbox:
    return NewOutbox(
        kind=kind,
        recipient=player,
        message_id=message_id(kind, campaign, number, player, referee.host),
        params={"at": referee.clock(), **params},
        campaign=campaign,
    )
