"""The desk: where mail becomes input of a campaign. Bytes are kept, then read, authenticated, answered and finished.

`keep` is what every way in ends in; nothing is acknowledged before it returns. `handle` deals with one kept mail; what
it records, what it answers and that the mail is finished are one transaction, so it may be killed and called again.
"""

from __future__ import annotations

from pbem.campaign.referee import Referee
from pbem.log.store import AlreadyExists, InboxRow, InboxTaken, NewInbox, NewOutbox
from pbem.mail.addresses import Scheme, parse_bounce_address
from pbem.mail.authenticate import Accepted, Ask, Hold, Refuse, authenticate
from pbem.mail.desk_accept import accepted
from pbem.mail.desk_bounces import deal_with_silence, mail_of_tag
from pbem.mail.desk_directory import StoreDirectory, campaign_of, moderator_of, scheme_of
from pbem.mail.desk_outcome import Arrival, Handled, choices, finish, place_of, seen
from pbem.mail.desk_read import notes_about, read_row
from pbem.mail.desk_rows import leak, moderator_notice, no_thread, question, refusal, reply_to_mail
from pbem.mail.dkim import TextLookup, verify
from pbem.mail.read import dedupe_key, without_from_line
from pbem.mail.values import Envelope, Limits, Problem

__all__ = ["Arrival", "Handled", "handle", "keep", "knows", "look_at"]

_DNS_PATIENCE = 1_800_000
"""Milliseconds for which a mail waits when its DKIM key could not be asked for."""


# -- keeping ----------------------------------------------------------------------------------------------------------


def keep(referee: Referee, raw: bytes, envelope: Envelope, source: str, scheme: Scheme | None = None) -> list[int]:
    """Keep a mail durably, one inbox row for each recipient; the rows' ids, those of earlier deliveries included.

    The row names its campaign if the address is right, so that the campaign's window waits for it.
    """
    scheme = scheme or scheme_of(referee)
    rows: list[int] = []
    for recipient in dict.fromkeys(address.lower() for address in envelope.recipients):
        received = referee.store.put_inbox(
            NewInbox(
                source=source,
                received_at=envelope.received_at_ms,
                raw=raw,
                dedupe_key=dedupe_key(raw, envelope.sender, recipient),
                campaign=campaign_of(referee, scheme, recipient),
                envelope={"sender": envelope.sender, "recipient": recipient, "peer": envelope.peer},
            )
        )
        rows.append(received.id)
    return rows


def knows(referee: Referee, address: str, scheme: Scheme | None = None) -> bool:
    """Whether mail to an address is taken: plain order addresses, secret ones with a right token, our return paths."""
    scheme = scheme or scheme_of(referee)
    local, _, host = address.lower().rpartition("@")
    if host not in scheme.hosts:
        return False
    if local in ("postmaster", scheme.orders):
        return True
    tag = parse_bounce_address(scheme, address)
    if tag is not None:
        return mail_of_tag(referee, tag) is not None
    return campaign_of(referee, scheme, address) is not None


# -- dealing with a mail ----------------------------------------------------------------------------------------------


def handle(
    referee: Referee,
    row_id: int,
    scheme: Scheme | None = None,
    dkim_lookup: TextLookup | None = None,
    limits: Limits | None = None,
) -> Handled:
    """Deal with one kept mail. Safe to call at any time, by anybody, any number of times; LookupError for no row."""
    row = referee.store.inbox_row(row_id)
    if row is None:
        raise LookupError(f"there is no arrival {row_id}")
    if row.status != "unread":
        return Handled(row.id, "already", row.note, row.campaign)
    if row.raw is None:
        referee.store.finish_inbox(row.id, "refused", "its bytes are gone")
        return Handled(row.id, "refused", "its bytes are gone", row.campaign)
    scheme = scheme or scheme_of(referee)
    arrival = look_at(referee, row, scheme, dkim_lookup, limits)
    if _dns_may_yet_answer(referee, arrival):
        return Handled(row.id, "later", "the sender's DKIM key cannot be asked for now", row.campaign)
    try:
        return _deal(referee, arrival, scheme)
    except (InboxTaken, AlreadyExists):
        return Handled(row.id, "already", "somebody else dealt with it", row.campaign)


def look_at(
    referee: Referee, row: InboxRow, scheme: Scheme, dkim_lookup: TextLookup | None, limits: Limits | None = None
) -> Arrival:
    """Read and authenticate a kept mail; nothing is stored."""
    assert row.raw is not None
    mail = read_row(referee, row, limits)
    dkim = verify(without_from_line(row.raw), dkim_lookup) if dkim_lookup is not None else None
    recipient = row.envelope["recipient"]
    return Arrival(row, mail, authenticate(recipient, mail, StoreDirectory(referee), scheme=scheme, dkim=dkim), dkim)


def _dns_may_yet_answer(referee: Referee, arrival: Arrival) -> bool:
    if not (isinstance(arrival.outcome, Ask) and arrival.outcome.reason == "dkim_missing" and arrival.dkim):
        return False
    waited = referee.clock() - arrival.row.received_at
    return waited < _DNS_PATIENCE and any(map(arrival.dkim.may_yet_vouch_for, arrival.mail.from_addresses))


def _deal(referee: Referee, arrival: Arrival, scheme: Scheme) -> Handled:
    row, outcome = arrival.row, arrival.outcome
    match outcome:
        case Accepted():
            return accepted(referee, arrival, outcome, scheme)
        case Ask():
            return _asked(referee, arrival, outcome)
        case Refuse():
            return _refused_address(referee, arrival, outcome)
        case Hold():
            return _held(referee, arrival, outcome)
        case _:
            note = deal_with_silence(referee, row, outcome)
            return Handled(row.id, "silent", note, outcome.campaign, outcome.player)


def _held(referee: Referee, arrival: Arrival, outcome: Hold) -> Handled:
    row = arrival.row
    why = f"hold:{outcome.reason} {outcome.detail}"
    mails = _tell_moderator(referee, outcome.campaign, row, outcome.reason, outcome.detail, outcome.player)
    if outcome.notify is not None:
        mails.append(leak(referee, outcome.campaign, outcome.player, row, outcome.detail))
    return finish(referee, row, "held", why, mails, outcome.campaign, outcome.player)


def _tell_moderator(
    referee: Referee, campaign: str, row: InboxRow, what: str, detail: str, player: str
) -> list[NewOutbox]:
    moderator = moderator_of(StoreDirectory(referee).state(campaign))
    return moderator_notice(referee, campaign, moderator, row.id, what=what, detail=detail, player=player)


def _refused_address(referee: Referee, arrival: Arrival, outcome: Refuse) -> Handled:
    """No or an old secret address: the right ones go to the registered address, whose owner they belong to."""
    row = arrival.row
    campaign, player = outcome.campaign, outcome.player
    if campaign is None or player is None:
        known = referee.store.players_by_address(outcome.reply_to)
        campaign, player = known[0].campaign, known[0].id
    reply = reply_to_mail(arrival.mail, row, place_of(referee, campaign, player, outcome.reply_to))
    problem = Problem(outcome.reason, "refuse", f"Nothing was read: {outcome.detail}.", "")
    mail = refusal(referee, campaign, player, row, reason=outcome.reason, problems=[problem], reply=reply)
    return finish(referee, row, "refused", f"refuse:{outcome.reason}", [mail], campaign, player)


def _asked(referee: Referee, arrival: Arrival, outcome: Ask) -> Handled:
    """The sender is in doubt: the owner is shown what was seen, at his registered address, and may confirm it."""
    row, mail = arrival.row, arrival.mail
    campaign, player = outcome.campaign, outcome.player
    stranger = outcome.reason == "unknown_sender"
    place = place_of(referee, campaign, player, outcome.reply_to)
    reply = no_thread(row) if stranger else reply_to_mail(mail, row, place)
    notes = notes_about(mail, outcome)
    bad = [problem for problem in mail.problems if problem.severity == "refuse"]
    if bad:
        letter = refusal(
            referee,
            campaign,
            player,
            row,
            reason=outcome.reason,
            problems=bad,
            reply=reply,
            notes=[*notes, outcome.detail],
        )
        return finish(referee, row, "refused", f"refuse:{bad[0].code}", [letter], campaign, player)
    letter = question(
        referee,
        campaign,
        player,
        row,
        reason=outcome.reason,
        detail=outcome.detail,
        seen=seen(mail),
        choices=choices(mail, row),
        reply=reply,
        notes=notes,
    )
    return finish(referee, row, "held", f"ask:{outcome.reason} {outcome.detail}", [letter], campaign, player)
