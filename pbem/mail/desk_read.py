"""What a mail says, for the desk: read with the campaign's names, its commands found, and the sentences about it.

Orders are not judged here. A mail may hold one command to the desk itself: `confirm 17` or `new address`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pbem.campaign.referee import Referee
from pbem.log.store import InboxRow, NoSuchCampaign
from pbem.mail.authenticate import Accepted, Ask
from pbem.mail.headers import claimed_time_ms
from pbem.mail.read import read_mail
from pbem.mail.structure import read_headers
from pbem.mail.values import Limits, ReadMail
from pbem.orders.likeness import like_orders

_CONFIRM = re.compile(
    r"\s*(?:confirm|確認|确认)\s*#?\s*([0-9]{1,12})(?:\s+(text|attachment))?\s*[.!]?\s*", re.IGNORECASE
)
_NEW_ADDRESS = re.compile(r"\s*(?:new address|新地址)\s*[.!]?\s*", re.IGNORECASE)
_BUDGET = 4_000
"""Different lines of one mail that are read with care to tell whether they look like orders; in more than that only
arrows do, so that a mail of 50,000 lines costs little."""
_ARROW = re.compile(r"->|→|–>|=>")
_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class Confirmation:
    """`confirm 17`, or `confirm 17 text` where the text and an attachment differ."""

    row: int
    which: Literal["text", "attachment"] | None


def read_row(referee: Referee, row: InboxRow, limits: Limits | None = None) -> ReadMail:
    """The mail of an inbox row that still has its bytes."""
    assert row.raw is not None
    return read_mail(
        row.raw,
        looks_like_order=order_test(referee, row.campaign),
        envelope_sender=row.envelope.get("sender"),
        limits=limits,
    )


def order_test(referee: Referee, campaign: str | None) -> Callable[[str], bool]:
    """The predicate for lines of one mail to a campaign; without one the names of the first game serve."""
    game, edition = "p40", None
    if campaign is not None:
        try:
            first = next(iter(referee.store.read(campaign, 0, 1)), None)
        except NoSuchCampaign:
            first = None
        if first is not None:
            game, edition = first.payload["game"], first.payload["edition"] or None
    like = like_orders(game, edition)
    left = _BUDGET

    def looks_like_order(line: str) -> bool:
        nonlocal left
        if is_command(line):
            return True
        left -= 1
        return like(line) if left >= 0 else bool(_ARROW.search(line))

    return looks_like_order


def is_command(line: str) -> bool:
    """Whether a line speaks to the desk itself."""
    return bool(_CONFIRM.fullmatch(line) or _NEW_ADDRESS.fullmatch(line))


def confirmation(mail: ReadMail) -> Confirmation | None:
    """The first `confirm N` of a mail."""
    for line in mail.orders_text.split("\n"):
        if match := _CONFIRM.fullmatch(line):
            which = (match.group(2) or "").lower()
            return Confirmation(int(match.group(1)), "text" if which == "text" else "attachment" if which else None)
    return None


def wants_new_address(mail: ReadMail) -> bool:
    """Whether a mail asks for a new secret address."""
    return any(_NEW_ADDRESS.fullmatch(line) for line in mail.orders_text.split("\n"))


def without_commands(text: str) -> str:
    """The text with its commands to the desk blanked, line numbers kept."""
    return "\n".join("" if is_command(line) else line for line in text.split("\n"))


def own_lines(text: str) -> list[str]:
    """The lines that say something."""
    return [line.strip() for line in text.split("\n") if line.strip()]


# -- sentences for the top of an answer -------------------------------------------------------------------------------


def notes_about(mail: ReadMail, outcome: Accepted | Ask) -> list[str]:
    """What the player must know about how his mail was read and what was strange about it."""
    notes = [*_about_sender(outcome)]
    if mail.orders_source == "attachment":
        notes.append("The orders were read from the attached JSON document.")
    elif mail.which_part is not None and "html" in mail.which_part:
        notes.append("The HTML part of the mail was read.")
    if mail.cut:
        notes.append(_about_cuts(mail))
    for problem in mail.problems:
        if problem.severity == "note":
            notes.append(f"{problem.text} {problem.suggestion}".strip())
    return notes


def _about_sender(outcome: Accepted | Ask) -> list[str]:
    sentences = {
        "unknown_sender": "Attention: {detail}. If it was not you, write `new address`.",
        "dkim_failed": "Attention: {detail}. If these orders are not yours, write at once.",
        "older_window": "Attention: {detail}, which is closed.",
        "sent_to_others": "Attention: you sent this mail to {detail} as well, so your orders are known there.",
        "campaign_by_sender": "The mail did not come to your secret address: {detail}.",
        "subject": "Attention: {detail}. The address decides.",
    }
    return [sentences[notice.code].format(detail=notice.detail) for notice in outcome.notices]


def _about_cuts(mail: ReadMail) -> str:
    cuts = mail.cut
    parts = [f"{cut.what} ({cut.lines} line{'' if cut.lines == 1 else 's'})" if cut.lines else cut.what for cut in cuts]
    sentence = f"Not read: {', '.join(dict.fromkeys(parts))}."
    if any(problem.code == "orders_only_in_cut" for problem in mail.problems):
        return sentence  # said by the problem itself
    alike = sum(cut.order_like for cut in cuts)
    if alike == 1:
        sentence += " 1 of these lines looks like an order and counts for nothing."
    elif alike:
        sentence += f" {alike} of these lines look like orders and count for nothing."
    return sentence


def overtaken_note(referee: Referee, row: InboxRow, mail: ReadMail) -> list[str]:
    """A sentence if the sender's own clock says that an earlier received mail of his was written later.

    The order of receipt decides; a Date far from the time of receipt is believed in nothing.
    """
    if mail.date_claimed_ms is None or abs(mail.date_claimed_ms - row.received_at) > _DAY:
        return []
    for earlier in referee.store.inbox(row.campaign, "done", limit=30):
        if earlier.envelope.get("recipient") != row.envelope.get("recipient") or earlier.raw is None:
            continue
        if earlier.received_at > row.received_at or earlier.id == row.id:
            continue
        claimed = claimed_time_ms(read_headers(earlier.raw).first("date"))
        if claimed is not None and abs(claimed - earlier.received_at) <= _DAY and claimed > mail.date_claimed_ms:
            return [
                "Attention: by its Date this mail was written before one that arrived earlier. The order of arrival "
                "counts, so these orders replaced those; if that is wrong, send the right ones again."
            ]
        return []
    return []
