"""Outgoing mail: values to bytes. The same values always give the same bytes, so a repeated sending is the same mail.

Every mail begins with the "write above this line" line, marks itself as automatic and is made so that nothing on its
way needs to change it: ASCII only on the wire, no line that begins with `>` or `From `.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.generator import BytesGenerator
from email.header import Header
from email.message import Message
from email.policy import compat32
from email.quoprimime import body_encode
from email.utils import format_datetime, formataddr
from io import BytesIO
from typing import Literal

from pbem.mail.headers import reply_subject
from pbem.mail.phrases import MARKER

_POLICY = compat32.clone(linesep="\r\n", max_line_length=76)
_BODY_TAG = re.compile(r"<body\b[^>]*>", re.IGNORECASE)
_REFERENCES = 20
"""Message ids kept in References: the first, which names the thread, and the last ones."""


@dataclass(frozen=True, slots=True)
class OutgoingAttachment:
    """A file to send along; `content_type` such as `application/pdf`."""

    filename: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One mail to one receiver. Message ids are without angle brackets.

    `reply_to` is the receiver's own secret address and `bounce_to` the return path that names this mail. `automatic`
    is `auto-replied` for an answer to a mail and `auto-generated` for everything else (RFC 3834). An answer gives the
    subject of what it answers: it gets exactly one `Re:`.
    """

    message_id: str
    sender_name: str
    sender: str
    to: str
    reply_to: str | None
    bounce_to: str
    subject: str
    text: str
    date_ms: int
    automatic: Literal["auto-replied", "auto-generated"]
    html: str | None = None
    attachments: tuple[OutgoingAttachment, ...] = ()
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    marker: str = MARKER


@dataclass(frozen=True, slots=True)
class Composed:
    """Bytes ready to be sent, with CRLF line ends, and their envelope."""

    message_id: str
    sender: str
    recipient: str
    raw: bytes


def compose(mail: Outgoing) -> Composed:
    """The mail as bytes. Raises `ValueError` for ids or addresses that cannot stand in a header."""
    root = _body(mail)
    fields: list[tuple[str, str]] = [
        ("From", formataddr((_one_line(mail.sender_name), _plain(mail.sender)))),
        ("To", _plain(mail.to)),
        ("Subject", _encoded(_subject(mail), "Subject")),
        ("Date", format_datetime(datetime.fromtimestamp(mail.date_ms / 1000, UTC))),
        ("Message-ID", f"<{_plain(mail.message_id)}>"),
    ]
    if mail.reply_to is not None:
        fields.append(("Reply-To", _plain(mail.reply_to)))
    if mail.in_reply_to is not None:
        fields.append(("In-Reply-To", f"<{_plain(mail.in_reply_to)}>"))
    thread = _thread(mail)
    if thread:
        fields.append(("References", "\r\n ".join(f"<{_plain(message_id)}>" for message_id in thread)))
    fields.append(("Auto-Submitted", mail.automatic))
    fields.append(("X-Auto-Response-Suppress", "All"))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    raw = head.encode("ascii") + b"MIME-Version: 1.0\r\n" + _flat(root)
    return Composed(mail.message_id, mail.bounce_to, mail.to, raw)


def _subject(mail: Outgoing) -> str:
    return reply_subject(mail.subject) if mail.in_reply_to is not None else _one_line(mail.subject)


def _thread(mail: Outgoing) -> tuple[str, ...]:
    ids = [message_id for message_id in mail.references if message_id != mail.in_reply_to]
    if mail.in_reply_to is not None:
        ids.append(mail.in_reply_to)
    return tuple(ids) if len(ids) <= _REFERENCES else (ids[0], *ids[-_REFERENCES + 1 :])


def _body(mail: Outgoing) -> Message:
    parts: list[Message] = [_text_part(_with_marker(mail.text, mail.marker), "plain")]
    if mail.html is not None:
        parts.append(_text_part(_html_with_marker(mail.html, mail.marker), "html"))
    body = parts[0] if len(parts) == 1 else _container("alternative", parts, mail.message_id)
    if not mail.attachments:
        return body
    return _container("mixed", [body, *(_attachment(each) for each in mail.attachments)], mail.message_id)


def _container(subtype: str, parts: list[Message], message_id: str) -> Message:
    # "=_" occurs in neither quoted-printable nor base64, so the boundary is in no part.
    boundary = f"=_{subtype}_{hashlib.sha256(message_id.encode()).hexdigest()[:24]}"
    container = Message(policy=_POLICY)
    container.add_header("Content-Type", f"multipart/{subtype}", boundary=boundary)
    for part in parts:
        container.attach(part)
    return container


def _text_part(text: str, subtype: str) -> Message:
    part = Message(policy=_POLICY)
    part.add_header("Content-Type", f"text/{subtype}", charset="utf-8")
    part.add_header("Content-Transfer-Encoding", "quoted-printable")
    part.set_payload(_quoted_printable(text))
    return part


def _attachment(attachment: OutgoingAttachment) -> Message:
    part = Message(policy=_POLICY)
    part.add_header("Content-Type", _plain(attachment.content_type))
    part.add_header("Content-Transfer-Encoding", "base64")
    name = _one_line(attachment.filename)
    part.add_header("Content-Disposition", "attachment", filename=name if name.isascii() else ("utf-8", "", name))
    part.set_payload(base64.encodebytes(attachment.data).decode("ascii"))
    return part


def _flat(root: Message) -> bytes:
    out = BytesIO()
    BytesGenerator(out, mangle_from_=False, policy=_POLICY).flatten(root)
    return out.getvalue()


def _with_marker(text: str, marker: str) -> str:
    return f"{marker}\n\n{harmless(text)}\n"


def harmless(text: str) -> str:
    """Text with LF ends in which no line looks like a quotation or the beginning of a mail in a mailbox file."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
    return "\n".join(f" {line}" if line.startswith((">", "From ")) else line for line in lines)


def _html_with_marker(document: str, marker: str) -> str:
    line = f"<div>{html.escape(marker)}</div>"
    body = _BODY_TAG.search(document)
    position = body.end() if body else 0
    return f"{document[:position]}\n{line}\n{document[position:]}\n"


def _quoted_printable(text: str) -> str:
    """Quoted-printable (RFC 2045) whose own lines begin with neither `>`, `From ` nor a dot."""
    data = text.encode("utf-8").decode("latin-1")
    # Room for the two extra characters below within the 76 that a line may have.
    lines = body_encode(data, maxlinelen=74, eol="\n").split("\n")
    return "\n".join(
        f"={ord(line[0]):02X}{line[1:]}" if line.startswith((">", "From ", ".")) else line for line in lines
    )


def _encoded(value: str, name: str) -> str:
    header = Header(value, None if value.isascii() else "utf-8", header_name=name, maxlinelen=76)
    return header.encode(linesep="\r\n")


def _one_line(value: str) -> str:
    return " ".join("".join(ch if ch.isprintable() else " " for ch in value).split())


def _plain(value: str) -> str:
    if not value or not value.isascii() or any(ch <= " " or ch in "<>\x7f" for ch in value):
        raise ValueError(f"{value!r} cannot stand in a mail header")
    return value
