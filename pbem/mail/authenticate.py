"""Who sent a mail, for which campaign, and may it count? One pure function over look-ups; it reads no order.

The token of the secret address identifies; From, DKIM and the mail it answers can only make us more careful. Nothing
that is useful goes to an address that is not registered. The reasons are explained in docs/mail-policy.md.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pbem.campaign.naming import window_in_words
from pbem.mail.addresses import Scheme, is_service_address, parse_bounce_address, parse_secret_address
from pbem.mail.dkim import DkimResult
from pbem.mail.headers import bare_subject
from pbem.mail.values import Bounce, ReadMail

AskReason = Literal["unknown_sender", "dkim_missing", "older_window", "other_campaign"]
HoldReason = Literal["from_header", "other_player"]
RefuseReason = Literal["no_secret_address", "revoked_address"]
SilentReason = Literal["loop", "bounce", "automatic", "unknown_address", "unknown_sender"]
NoticeCode = Literal["unknown_sender", "dkim_failed", "older_window", "sent_to_others", "campaign_by_sender", "subject"]


@dataclass(frozen=True, slots=True)
class MailPolicy:
    """What a campaign demands of mail.

    `unknown_sender`: the right secret address, an unregistered From. `older_window`: the mail answers one of ours about
    a window that is closed. `without_address`: no secret address, but DKIM and a single open window tell the rest.
    """

    require_dkim: bool = False
    unknown_sender: Literal["ask", "accept"] = "ask"
    older_window: Literal["ask", "accept"] = "ask"
    without_address: Literal["refuse", "accept"] = "refuse"


@dataclass(frozen=True, slots=True)
class Secret:
    """One token of a campaign and whose it is. A revoked one still tells its owner that it no longer works."""

    player: str
    token: str
    revoked: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """A player or the moderator of a campaign. The first address is where mail to them goes."""

    id: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Issued:
    """One of our own mails: to whom it went, and the window that it asks about (None: it asks nothing)."""

    campaign: str
    player: str
    window: str | None


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """A window that waits for somebody."""

    campaign: str
    player: str
    window: str


class Directory(Protocol):
    """What authentication must be able to look up. Addresses in it are in lower case."""

    def secrets(self, campaign: str) -> Sequence[Secret]: ...
    def people(self, campaign: str) -> Sequence[Person]: ...
    def policy(self, campaign: str) -> MailPolicy: ...
    def open_windows(self, campaign: str, player: str) -> Sequence[str]: ...
    def issued(self, message_id: str) -> Issued | None: ...

    def windows_of(self, address: str) -> Sequence[OpenWindow]:
        """Open windows, in all campaigns, of whoever registered the address."""

    def is_registered(self, address: str) -> bool:
        """Whether somebody in any campaign registered the address."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the confirmation must mention."""

    code: NoticeCode
    detail: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The mail is the player's. The confirmation goes to `confirm_to` and `also_confirm_to`, nowhere else."""

    campaign: str
    player: str
    confirm_to: str
    also_confirm_to: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """Nothing counts until the player confirms what is shown; `reply_to` is a registered address of his."""

    reason: AskReason
    campaign: str
    player: str
    reply_to: str
    detail: str
    answered: Issued | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Refuse:
    """Nothing counts; one answer goes to a registered address and says what would be right."""

    reason: RefuseReason
    reply_to: str
    detail: str
    campaign: str | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """Kept for the moderator; nothing goes to the sender. `notify` is the owner whose address seems to have leaked."""

    reason: HoldReason
    campaign: str
    player: str
    detail: str
    notify: str | None = None


@dataclass(frozen=True, slots=True)
class Silent:
    """Kept, no answer to anybody. `tell_moderator` when a person may have written it after all."""

    reason: SilentReason
    detail: str
    campaign: str | None = None
    player: str | None = None
    tell_moderator: bool = False
    bounce: Bounce | None = None
    bounce_tag: str | None = None


Outcome = Accepted | Ask | Refuse | Hold | Silent


def authenticate(
    recipient: str,
    mail: ReadMail,
    directory: Directory,
    *,
    scheme: Scheme,
    dkim: DkimResult | None,
) -> Outcome:
    """What to do with a mail that came to `recipient`, one of the envelope's recipients.

    `dkim` is None when signatures were not checked. Machines come first: no answer ever goes to a loop, a bounce or an
    automatic mail (RFC 3834), whatever else the mail says.
    """
    tag = parse_bounce_address(scheme, recipient)
    if mail.bounce is not None or tag is not None:
        detail = "a delivery report" if mail.bounce is not None else "an unreadable answer to a return path of ours"
        return Silent("bounce", detail, bounce=mail.bounce, bounce_tag=tag)
    secret = parse_secret_address(scheme, recipient)
    owner = _owner(secret.token, directory.secrets(secret.campaign)) if secret else None
    campaign = secret.campaign if secret and owner else None
    player = owner.player if owner else None
    if mail.message_id is not None and directory.issued(mail.message_id) is not None:
        return Silent("loop", "a mail of ours came back", campaign, player)
    if any(is_service_address(scheme, address) for address in mail.from_addresses):
        return Silent("loop", "the sender is one of our own addresses", campaign, player)
    if mail.automatic is not None:
        return Silent("automatic", mail.automatic.text, campaign, player, tell_moderator=not mail.automatic.certain)
    if secret is None or owner is None:
        # A mistyped token is never made good by anything else.
        return _without_address(mail, directory, dkim, "+" in recipient)
    return _with_address(secret.campaign, owner, mail, directory, dkim)


def _owner(token: str, known: Sequence[Secret]) -> Secret | None:
    """Whose token it is. Every one is compared, each in constant time, so the answer takes the same time for all."""
    found: Secret | None = None
    for secret in known:
        if hmac.compare_digest(secret.token.encode("utf-8"), token.encode("utf-8")):
            found = secret
    return found


def _with_address(
    campaign: str, secret: Secret, mail: ReadMail, directory: Directory, dkim: DkimResult | None
) -> Outcome:
    people = directory.people(campaign)
    owner = next((person for person in people if person.id == secret.player), None)
    if owner is None or not owner.addresses:
        return Silent("unknown_address", "the owner of the reply address has left", campaign, tell_moderator=True)
    player, home = owner.id, owner.addresses[0]
    if mail.from_fields != 1 or len(mail.from_addresses) != 1:
        count = f"{mail.from_fields} From headers with {len(mail.from_addresses)} addresses"
        return Hold("from_header", campaign, player, f"{count}; exactly one is allowed")
    sender = mail.from_addresses[0]
    is_owner = sender in owner.addresses
    other = next((person for person in people if sender in person.addresses), None)
    if not is_owner and other is not None:
        detail = f"{other.id} wrote to the reply address of {player}"
        return Hold("other_player", campaign, player, detail, notify=home)
    if secret.revoked:
        if not is_owner:
            return Silent("unknown_address", "a reply address that was replaced", campaign, player, tell_moderator=True)
        return Refuse("revoked_address", home, "this reply address was replaced", campaign, player)
    policy = directory.policy(campaign)
    notices = _notices(campaign, owner, sender, mail, people, dkim)
    if not is_owner and policy.unknown_sender == "ask":
        return Ask("unknown_sender", campaign, player, home, f"it came from {sender}", notices=notices)
    if policy.require_dkim and not (dkim is not None and dkim.vouches_for(sender)):
        detail = f"this campaign demands a DKIM signature by the domain of {sender}"
        return Ask("dkim_missing", campaign, player, home, detail, notices=notices)
    confirm_to = sender if is_owner else home
    answered = _answered(mail, directory)
    if answered is not None and answered.campaign != campaign:
        detail = f"it answers a mail of campaign {answered.campaign}"
        return Ask("other_campaign", campaign, player, confirm_to, detail, answered, notices)
    open_windows = directory.open_windows(campaign, player)
    if answered is not None and answered.window is not None and answered.window not in open_windows:
        detail = f"it answers the mail about {window_in_words(answered.window)}"
        # With nothing open there is nothing else it could be taken for; the caller tells him that he is late.
        if policy.older_window == "ask" and open_windows:
            now = " and ".join(window_in_words(window) for window in open_windows)
            detail += f", which is closed, while {now} is open for you"
            return Ask("older_window", campaign, player, confirm_to, detail, answered, notices)
        notices = (Notice("older_window", detail), *notices)
    return Accepted(campaign, player, confirm_to, (home,) if confirm_to != home else (), notices)


def _without_address(mail: ReadMail, directory: Directory, dkim: DkimResult | None, mistyped: bool) -> Outcome:
    """A mail to the plain or a wrong address. From proves nothing, so an answer goes only to a registered address."""
    if mail.from_fields != 1 or len(mail.from_addresses) != 1:
        return Silent("unknown_sender", "not exactly one sender")
    sender = mail.from_addresses[0]
    if not directory.is_registered(sender):
        return Silent("unknown_sender", "a sender nobody registered")
    windows = directory.windows_of(sender)
    vouched = dkim is not None and dkim.vouches_for(sender)
    if len(windows) == 1 and vouched and not mistyped:
        window = windows[0]
        if directory.policy(window.campaign).without_address == "accept":
            notice = Notice("campaign_by_sender", f"taken for campaign {window.campaign}, your only open window")
            return Accepted(window.campaign, window.player, sender, notices=(notice,))
    return Refuse("no_secret_address", sender, "write to the reply address of your campaign")


def _answered(mail: ReadMail, directory: Directory) -> Issued | None:
    """Our mail that this one answers: In-Reply-To first, then References from the last to the first."""
    candidates = [mail.in_reply_to, *reversed(mail.references)]
    for message_id in candidates[:50]:
        if message_id is not None and (issued := directory.issued(message_id)) is not None:
            return issued
    return None


def _notices(
    campaign: str, owner: Person, sender: str, mail: ReadMail, people: Sequence[Person], dkim: DkimResult | None
) -> tuple[Notice, ...]:
    notices: list[Notice] = []
    if sender not in owner.addresses:
        notices.append(Notice("unknown_sender", f"it came from {sender}, which is not registered"))
    if dkim is not None and dkim.disowns(sender):
        notices.append(Notice("dkim_failed", "the DKIM signature of the sender's domain does not hold"))
    copied = {*mail.to_addresses, *mail.cc}
    others = [person.id for person in people if person.id != owner.id and not copied.isdisjoint(person.addresses)]
    if others:
        notices.append(Notice("sent_to_others", ", ".join(others)))
    tag = subject_campaign(mail.subject)
    if tag is not None and tag != campaign:
        notices.append(Notice("subject", f"the subject names campaign {tag}, the address {campaign}"))
    return tuple(notices)


def subject_campaign(subject: str) -> str | None:
    """The campaign that a subject names, `[p40-17] ...`, behind any chain of reply prefixes. It decides nothing."""
    bare = bare_subject(subject)
    if bare.startswith("[") and "]" in bare[:60]:
        return bare[1 : bare.index("]")].strip().lower()
    return None
