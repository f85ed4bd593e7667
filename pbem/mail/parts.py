"""Which parts of a MIME tree are the text, in which versions, and which are attachments."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pbem.mail.charset import Undecodable, decode
from pbem.mail.flowed import unflow
from pbem.mail.html import Line, html_lines
from pbem.mail.structure import Part, decoded_body
from pbem.mail.values import Attachment, AttachmentKind, Problem

_LINE_END = re.compile(r"\r*\n|\r")
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TNEF_SIGNATURE = b"\x78\x9f\x3e\x22"
_TNEF_TYPES = ("application/ms-tnef", "application/vnd.ms-tnef")
_PLAIN_TYPES = ("text/plain", "text/markdown", "text/x-markdown", "text/x-web-markdown")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the text in the versions in which the mail offers it. One of the two may be empty."""

    plain: tuple[Part, ...]
    html: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """The pieces of text in order, and the leaves that are not text."""

    segments: tuple[Segment, ...]
    attached: tuple[Part, ...]


def contents(root: Part, whole: bool = True) -> Contents:
    """Sort the leaves of the tree into text and attachments.

    multipart/alternative offers versions of one piece; of everything else the parts follow one another. A text part
    with a file name, or marked as an attachment, is an attachment, unless it is the whole mail.
    """
    if not root.children:
        attached_text = root.disposition == "attachment" or (bool(root.filename) and not whole)
        if root.content_type in _PLAIN_TYPES and not attached_text:
            return Contents((Segment((root,), ()),), ())
        if root.content_type == "text/html" and not attached_text:
            return Contents((Segment((), (root,)),), ())
        return Contents((), (root,))
    inner = [contents(child, whole=False) for child in root.children]
    attached = tuple(part for child in inner for part in child.attached)
    if root.content_type == "multipart/alternative":
        plain = next((found for child in inner if (found := _version(child.segments, "plain"))), ())
        html = next((found for child in inner if (found := _version(child.segments, "html"))), ())
        return Contents((Segment(plain, html),) if plain or html else (), attached)
    return Contents(tuple(segment for child in inner for segment in child.segments), attached)


def _version(segments: Iterable[Segment], which: str) -> tuple[Part, ...]:
    return tuple(part for segment in segments for part in (segment.plain if which == "plain" else segment.html))


def plain_lines(part: Part) -> list[Line] | Problem:
    """The lines of a text/plain part: decoded strictly, unfolded if it is format=flowed."""
    text = _text(part, part.charset)
    if isinstance(text, Problem):
        return text
    lines = _LINE_END.split(text)
    if part.format == "flowed":
        lines = unflow(lines, part.delete_space)
    return [Line(line) for line in lines]


def html_part_lines(part: Part) -> list[Line] | Problem:
    """The visible lines of a text/html part. Without a declared charset the document's own declaration counts."""
    label = part.charset
    if label is None:
        body = decoded_body(part)
        found = _META_CHARSET.search(body[:4096]) if isinstance(body, bytes) else None
        label = found.group(1).decode("ascii") if found else None
    text = _text(part, label)
    return text if isinstance(text, Problem) else html_lines(text)


def _text(part: Part, label: str | None) -> str | Problem:
    body = decoded_body(part)
    if isinstance(body, Problem):
        return body
    text = decode(body, label)
    if isinstance(text, Undecodable):
        claimed = f"the character set {text.label[:40]!r}" if text.label else "no character set (so UTF-8 was tried)"
        unknown = "" if text.known else ", which is not known here, and are not UTF-8 either"
        return Problem(
            "undecodable",
            "refuse",
            f"The text declares {claimed}{unknown}, but its bytes cannot be read so (from byte {text.offset} on).",
            "Send the mail again as UTF-8.",
        )
    if "\0" in text:
        return Problem(
            "nul_bytes", "refuse", "The text of the mail holds NUL characters.", "Send the mail again as UTF-8 text."
        )
    return text


def attachment(part: Part) -> Attachment | Problem:
    """A leaf that is not text, decoded."""
    name = part.filename.lower()
    if part.content_type.startswith("message/"):
        return Attachment("message", part.filename, part.content_type, b"")
    if part.broken:
        return Problem(
            "broken_structure",
            "refuse",
            "The mail says that it has several parts, but none can be found.",
            "Send the orders as plain text.",
        )
    data = decoded_body(part)
    if isinstance(data, Problem):
        return data
    kind: AttachmentKind = "other"
    if part.content_type == "application/json" or part.content_type.endswith("+json") or name.endswith(".json"):
        kind = "json"
        decoded = _without_mark(data)
        if decoded is None:
            return Problem(
                "undecodable_attachment",
                "refuse",
                f"The attachment {part.filename!r} begins with a byte order mark but is not Unicode text.",
                "Save it as UTF-8 and send it again.",
            )
        data = decoded
    elif part.content_type in _TNEF_TYPES or name == "winmail.dat" or data.startswith(_TNEF_SIGNATURE):
        kind = "tnef"
    elif part.content_type in ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"):
        kind = "encrypted"
    elif part.content_type.startswith("text/"):
        kind = "text"
    return Attachment(kind, part.filename, part.content_type, data)


def _without_mark(data: bytes) -> bytes | None:
    for mark, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                return data.decode(codec).removeprefix("\ufeff").encode("utf-8")
            except UnicodeError:
                return None
    return data
