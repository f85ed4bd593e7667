"""Mails that machines wrote: delivery reports mark the mail that came back, automatic answers are noted. No answers.

A delivery report counts only if the return path it came to is the one of a mail of ours (see `bounce_tag`); what else
says that a mail failed is only shown to the moderator.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import replace

from pbem.campaign.load import load
from pbem.campaign.mails import players_of
from pbem.campaign.referee import Referee
from pbem.log.event import NewEvent
from pbem.log.store import Conflict, InboxRow, NewOutbox, OutboxRow, Player
from pbem.mail.authenticate import Silent
from pbem.mail.desk_directory import addresses_of, moderator_of
from pbem.mail.desk_rows import moderator_notice

_TAG = re.compile(r"m([0-9]{1,15})\.([0-9a-f]{16})")
_DAY = 86_400_000
_NOTED_PER_DAY = 20
"""Automatic mails that leave an event in a day; more only stay in the inbox."""


_SAID = {
    "automatic": "an automatic mail came; it holds no orders and was not answered",
    "loop": "a mail of ours came back; it was not answered",
    "bounce": "a mail to this player came back as undeliverable",
}


def bounce_tag(row: OutboxRow, player: Player) -> str:
    """What the return path of a mail says: its number, and a proof that only who received it can know."""
    return f"m{row.id}.{_proof(row, player)}"


def _proof(row: OutboxRow, player: Player) -> str:
    return hmac.new(player.token.encode(), row.message_id.encode(), hashlib.sha256).hexdigest()[:16]


def mail_of_tag(referee: Referee, tag: str) -> tuple[OutboxRow, Player] | None:
    """The mail of ours that a return path names, and to whom it went; None if the proof is wrong."""
    match = _TAG.fullmatch(tag)
    row = referee.store.outbox_row(int(match.group(1))) if match else None
    if match is None or row is None or row.campaign is None:
        return None
    player = referee.store.player(row.campaign, row.recipient)
    if player is None:
        return None
    # A player may have a new token since: old ones still prove.
    for token in (player.token, *player.settings.get("revoked", ())):
        if hmac.compare_digest(_proof(row, replace(player, token=token)), match.group(2)):
            return row, player
    return None


def deal_with_silence(referee: Referee, row: InboxRow, outcome: Silent) -> str:
    """Finish a row that nobody is answered about, with its event and notices in the same transaction; says how."""
    if outcome.reason == "bounce":
        return _bounced(referee, row, outcome)
    campaign, player = outcome.campaign, outcome.player
    note = f"{outcome.reason}: {outcome.detail}"
    if campaign is None or player is None or _noted_lately(referee, row, campaign):
        referee.store.finish_inbox(row.id, "silent", note)
        return note
    tell = outcome.tell_moderator or outcome.reason == "loop"
    _note(referee, campaign, player, row, outcome.reason, outcome.detail, note, tell)
    return note


def _noted_lately(referee: Referee, row: InboxRow, campaign: str) -> bool:
    since = row.received_at - _DAY
    silent = referee.store.inbox(campaign, "silent", limit=_NOTED_PER_DAY)
    return sum(other.received_at > since for other in silent) >= _NOTED_PER_DAY


def _bounced(referee: Referee, row: InboxRow, outcome: Silent) -> str:
    found = mail_of_tag(referee, outcome.bounce_tag) if outcome.bounce_tag is not None else None
    if found is None:
        referee.store.finish_inbox(row.id, "silent", "bounce: of no mail of ours")
        return "bounce: of no mail of ours"
    mail, player = found
    campaign = player.campaign
    referee.store.assign_inbox(row.id, campaign)
    failed = outcome.bounce.failed if outcome.bounce is not None else ()
    if not failed:
        note = f"bounce: mail {mail.id} is delayed, or an unreadable answer came to its return path"
        referee.store.finish_inbox(row.id, "silent", note)
        return note
    status = failed[0].status or "failed"
    referee.store.mark_bounced(mail.id, f"came back: {status}")
    flag_unreachable(referee, player, row.received_at, status)
    note = f"bounce: mail {mail.id} ({mail.kind}) did not reach {player.id}: {status}"
    again = _by_other_address(player, mail)
    _note(referee, campaign, player.id, row, "bounce", f"a mail ({mail.kind}) came back: {status}", note, True, again)
    return note


def _by_other_address(player: Player, mail: OutboxRow) -> list[NewOutbox]:
    """The same mail once more to the player's next address, if he registered one."""
    place = int(mail.params.get("reply", {}).get("address", 0)) + 1
    if place >= len(addresses_of(player)):
        return []
    local, _, host = mail.message_id[1:-1].rpartition("@")
    reply = {**mail.params.get("reply", {}), "address": place}
    return [
        NewOutbox(
            kind=mail.kind,
            recipient=mail.recipient,
            message_id=f"<{local}.address{place}@{host}>",
            params={**mail.params, "reply": reply},
            cause=mail.cause,
            campaign=mail.campaign,
        )
    ]


def flag_unreachable(referee: Referee, player: Player, at: int, status: str) -> None:
    """Remember that mail to a player fails: whoever looks at his deadlines must know. Contact clears it."""
    if "unreachable" not in player.settings:
        settings = {**player.settings, "unreachable": {"since": at, "status": status[:60]}}
        referee.store.put_player(replace(player, settings=settings))


def clear_unreachable(referee: Referee, player: Player) -> None:
    """He wrote, so he can be reached by some way."""
    if "unreachable" in player.settings:
        settings = {key: value for key, value in player.settings.items() if key != "unreachable"}
        referee.store.put_player(replace(player, settings=settings))


def _note(
    referee: Referee,
    campaign: str,
    player: str,
    row: InboxRow,
    reason: str,
    detail: str,
    note: str,
    tell: bool,
    also: list[NewOutbox] | None = None,
) -> None:
    """An event `mail_noted` (for the player's own eyes; no address, no text), the notice, the finished row."""
    while True:
        loaded = load(referee, campaign)
        state = loaded.play.now
        event = NewEvent(
            type="mail_noted",
            payload={
                "text": _SAID.get(reason, "a mail was kept without an answer"),
                "player": player,
                "reason": reason,
                "inbox": row.id,
                "received_at": row.received_at,
            },
            at=referee.clock(),
            readers=players_of(state).get(player, ()),
        )
        mails = list(also or ())
        if tell:
            mails += moderator_notice(
                referee, campaign, moderator_of(state), row.id, what=reason, detail=detail, player=player
            )
        try:
            referee.store.append(
                campaign, loaded.size, [event], mails, [row.id], inbox_status="silent", inbox_note=note
            )
        except Conflict:
            continue
        return
