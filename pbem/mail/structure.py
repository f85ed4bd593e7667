"""The MIME tree of a mail as plain values, and everything that must be checked before a parser may see the bytes.

The standard library parses; this file keeps it from being driven into deep recursion, quadratic scans or large
memory, and takes the bytes out before it can replace what it does not understand.
"""

from __future__ import annotations

import binascii
import email
import email.parser
import email.policy
import quopri
import re
from dataclasses import dataclass, field
from email.message import Message

from pbem.mail.headers import Headers
from pbem.mail.values import Limits, Problem

_CONTAINERS = 60
"""Container headers anywhere in the bytes. An upper bound of the depth that is known before anything is parsed."""
_BOUNDARY_LINES = 5_000
"""Lines that begin with two dashes: an upper bound of the number of parts."""
_HEADER_BYTES = 64_000
_CONTENT_FIELD_BYTES = 4_000

_CONTAINER_FIELD = re.compile(rb"^content-type[ \t]*:\s*[\"']?(?:multipart|message)/", re.IGNORECASE | re.MULTILINE)
_DASHED_LINE = re.compile(rb"(?:^|[\r\n])--")
_CONTENT_FIELD = re.compile(rb"^content-[a-z-]+[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_BARE_RETURN = re.compile(rb"\r(?!\n)")
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]*={0,2}")


@dataclass(frozen=True, slots=True)
class Part:
    """One node of the tree. A leaf has `body`, still transfer-encoded; a container has `children`.

    `inner` holds the header blocks of a message/* part: one per recipient of a delivery status, one of an attached
    message. Attached messages are never descended into.
    """

    content_type: str
    charset: str | None
    format: str
    delete_space: bool
    filename: str
    disposition: str
    transfer: str
    body: bytes
    children: tuple[Part, ...] = ()
    inner: tuple[Headers, ...] = ()
    report_type: str = ""
    broken: bool = field(default=False)
    """Says that it is a container and holds no parts."""


def too_large(raw: bytes, limits: Limits) -> Problem | None:
    """The limits that can be checked in one pass over the bytes, without any parsing."""
    if len(raw) > limits.bytes:
        return Problem(
            "too_large",
            "refuse",
            f"The mail has {len(raw):,} bytes; at most {limits.bytes:,} are read. Nothing of it was read.",
            "Send the orders alone, as plain text, without pictures and long quotations.",
        )
    lines = raw.count(b"\n") + 1
    if lines > limits.raw_lines:
        return Problem(
            "too_many_lines",
            "refuse",
            f"The mail has {lines:,} lines; at most {limits.raw_lines:,} are read. Nothing of it was read.",
            "Send the orders alone, one order a line.",
        )
    return None


def read_headers(raw: bytes) -> Headers:
    """The header block of the mail, from its first 64,000 bytes."""
    end = _HEADER_END.search(raw, 0, _HEADER_BYTES)
    head = raw[: end.end() if end else _HEADER_BYTES]
    message = email.parser.BytesHeaderParser(policy=email.policy.compat32).parsebytes(head)
    return Headers.of(message)


def read_structure(raw: bytes, limits: Limits) -> Part | Problem:
    """The MIME tree within the limits. `too_large` must have been asked before."""
    nested = Problem(
        "nested_too_deep",
        "refuse",
        f"The mail has parts nested deeper than {limits.depth} levels or more than {limits.parts} parts.",
        "Write a new mail instead of forwarding or attaching others.",
    )
    header_end = _HEADER_END.search(raw)
    head = raw[: header_end.start()] if header_end else raw
    if len(head) > _HEADER_BYTES:
        return Problem(
            "header_too_large",
            "refuse",
            f"The header of the mail is longer than {_HEADER_BYTES:,} bytes.",
            "Write a new mail.",
        )
    if _BARE_RETURN.search(head):
        # Readers disagree whether this ends a line, so a signature may cover something else than what we read.
        return Problem(
            "bare_carriage_return",
            "refuse",
            "The header of the mail holds a carriage return that ends no line.",
            "Send the mail again with another mail program.",
        )
    if sum(1 for _ in _CONTAINER_FIELD.finditer(raw)) > _CONTAINERS:
        return nested
    if sum(1 for _ in _DASHED_LINE.finditer(raw)) > _BOUNDARY_LINES:
        return nested
    if any(match.end() - match.start() > _CONTENT_FIELD_BYTES for match in _CONTENT_FIELD.finditer(raw)):
        return Problem(
            "header_too_large",
            "refuse",
            f"A content header of the mail is longer than {_CONTENT_FIELD_BYTES:,} bytes.",
            "Write a new mail.",
        )
    try:
        message = email.message_from_bytes(raw, policy=email.policy.compat32)
    except Exception as error:  # the parser is not ours; whatever it chokes on is the mail's fault
        return nested if isinstance(error, RecursionError) else _unreadable()
    counted = [0]
    part = _part(message, limits, 1, counted)
    return part if part is not None else nested


def _part(message: Message, limits: Limits, depth: int, counted: list[int]) -> Part | None:
    """`message` and what is inside it; None when a limit is passed."""
    counted[0] += 1
    if depth > limits.depth + 1 or counted[0] > limits.parts:
        return None
    headers = Headers.of(message)
    content_type = message.get_content_type()
    children: list[Part] = []
    inner: tuple[Headers, ...] = ()
    broken = False
    body = b""
    parts = _parts_of(message)
    if parts is not None:
        if content_type.startswith("message/"):
            counted[0] += len(parts)
            if counted[0] > limits.parts:
                return None
            inner = tuple(Headers.of(part) for part in parts)
        else:
            for part in parts:
                child = _part(part, limits, depth + 1, counted)
                if child is None:
                    return None
                children.append(child)
    else:
        broken = content_type.startswith("multipart/")
    transfer = headers.first("content-transfer-encoding").strip().lower()
    charset = _parameter(message, "charset")
    text_format = (_parameter(message, "format") or "").lower()
    delete_space = (_parameter(message, "delsp") or "").lower() == "yes"
    report_type = (_parameter(message, "report-type") or "").lower()
    filename = _filename(message)
    if parts is None:
        body = _bytes_of(message)
    return Part(
        content_type=content_type,
        charset=charset,
        format=text_format,
        delete_space=delete_space,
        filename=filename,
        disposition=headers.first("content-disposition").split(";")[0].strip().lower(),
        transfer=transfer,
        body=body,
        children=tuple(children),
        inner=inner,
        report_type=report_type,
        broken=broken,
    )


def _parts_of(message: Message) -> list[Message] | None:
    if not message.is_multipart():
        return None
    payload = message.get_payload()
    return [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else []


def _bytes_of(message: Message) -> bytes:
    """The body as it stands on the wire. The library hands the bytes out untouched when these headers are gone."""
    del message["content-transfer-encoding"]
    del message["content-type"]
    payload = message.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _parameter(message: Message, name: str) -> str | None:
    try:
        value = message.get_param(name)
    except Exception:  # malformed RFC 2231 continuations raise several kinds of errors in the library
        return None
    if isinstance(value, tuple):
        value = value[2]
    return value.strip() if isinstance(value, str) else None


def _filename(message: Message) -> str:
    try:
        name = message.get_filename()
    except Exception:  # as above
        return ""
    return name.encode("utf-8", "backslashreplace").decode() if name else ""


def decoded_body(part: Part) -> bytes | Problem:
    """The body of a leaf with its transfer encoding undone.

    Text that a list server put behind a base64 block is ignored. Unknown encodings count as none.
    """
    if part.transfer == "quoted-printable":
        return quopri.decodestring(part.body)
    if part.transfer == "base64":
        lines: list[bytes] = []
        for line in part.body.split(b"\n"):
            stripped = line.strip()
            if not _BASE64_LINE.fullmatch(stripped):
                break
            lines.append(stripped)
            if stripped.endswith(b"="):
                break
        try:
            return binascii.a2b_base64(b"".join(lines))
        except binascii.Error:
            return Problem(
                "base64_damaged",
                "refuse",
                "A part of the mail is base64 that ends in the middle; something on its way damaged it.",
                "Send the mail again, as plain text.",
            )
    if part.transfer in ("x-uuencode", "uuencode", "x-uue", "uue"):
        return Problem(
            "uuencoded",
            "refuse",
            "A part of the mail is uuencoded, which is not read here.",
            "Send the orders as plain text.",
        )
    return part.body


def _unreadable() -> Problem:
    return Problem(
        "unreadable", "refuse", "The mail is so badly formed that it cannot be taken apart.", "Send it as plain text."
    )
