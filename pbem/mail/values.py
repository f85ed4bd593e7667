"""The values that mail intake hands on: what arrived, what was read, what was cut and what is wrong with it.

Values only. A mistake of the sender is a `Problem`, never an exception.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["refuse", "ask", "note"]
"""refuse: nothing of this mail may count. ask: show what was seen and let the player confirm. note: only tell him."""

OrdersSource = Literal["text", "attachment", "ask", "nothing"]
"""Where the orders stand. `ask`: the text holds order lines and there is a JSON attachment too; the caller compares."""

AttachmentKind = Literal["json", "text", "tnef", "encrypted", "message", "other"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one mail may cost us. All are inclusive; a mail beyond one of them is refused as a whole."""

    bytes: int = 1_000_000
    """Size of the whole mail."""
    raw_lines: int = 50_000
    """Lines of the whole mail, encoded attachments included."""
    parts: int = 100
    """MIME parts, containers included."""
    depth: int = 10
    """MIME containers inside one another."""
    lines: int = 2_000
    """Lines of text that are left when quotations have been cut."""
    line_length: int = 10_000
    """Characters of one such line."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the receiving server knows about a mail and the sender cannot write into it.

    `sender` is the reverse path, `""` for the null sender. `received_at_ms` is the instant of the last byte, in
    milliseconds since 1970 UTC, taken once by our clock: it alone decides about deadlines.
    """

    sender: str
    recipients: tuple[str, ...]
    peer: str
    received_at_ms: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a mail that the player must be told: what, why, and what would be right."""

    code: str
    severity: Severity
    text: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class Cut:
    """Lines that were not read as orders, and why. `text` is an excerpt; `order_like` counts lines like orders."""

    what: str
    text: str
    lines: int
    order_like: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A decoded attachment. JSON comes as UTF-8 without a byte order mark, whatever it was sent as."""

    kind: AttachmentKind
    filename: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Automatic:
    """Why a mail counts as written by a machine (RFC 3834). Not certain: a header that people's mails can have too."""

    code: str
    text: str
    certain: bool


@dataclass(frozen=True, slots=True)
class FailedRecipient:
    """One recipient block of a delivery status notification (RFC 3464)."""

    address: str
    action: str
    status: str
    diagnostic: str


@dataclass(frozen=True, slots=True)
class Bounce:
    """A delivery status notification: who was not reached, and with which of our mails."""

    recipients: tuple[FailedRecipient, ...]
    original_message_id: str | None
    original_subject: str

    @property
    def failed(self) -> tuple[FailedRecipient, ...]:
        """The recipients that were given up; a mere delay is not a failure."""
        return tuple(recipient for recipient in self.recipients if recipient.action == "failed")


@dataclass(frozen=True, slots=True)
class ReadMail:
    """One mail, read.

    `orders_text` has LF line ends; a cut line leaves an empty line behind when text follows it, so line numbers are
    those of the mail as the player wrote it. It is empty when a problem says `refuse`. `from_fields` counts the From
    header fields, which must be one (RFC 5322). Addresses are in lower case. `date_display` and `date_claimed_ms`
    come from the Date header and serve display only.
    """

    subject: str
    from_addresses: tuple[str, ...]
    from_fields: int
    to_addresses: tuple[str, ...]
    cc: tuple[str, ...]
    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    date_display: str
    date_claimed_ms: int | None
    orders_text: str
    orders_source: OrdersSource
    which_part: str | None
    cut: tuple[Cut, ...]
    attachments: tuple[Attachment, ...]
    automatic: Automatic | None
    bounce: Bounce | None
    problems: tuple[Problem, ...]

    @property
    def refused(self) -> bool:
        """Whether a problem forbids to take anything from this mail."""
        return any(problem.severity == "refuse" for problem in self.problems)

    @property
    def json_attachments(self) -> tuple[Attachment, ...]:
        return tuple(attachment for attachment in self.attachments if attachment.kind == "json")
