"""A mail's bytes to a `ReadMail`: what its sender wrote, what was cut and why, what is attached, what is wrong.

Pure. Any bytes give a value, in time and memory bounded by the limits. Orders are not parsed: the caller says by a
predicate what could be one, which settles only where the orders stand.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.mail.automatic import automatic_reason, read_bounce
from pbem.mail.headers import Headers, addresses, claimed_time_ms, display, message_ids
from pbem.mail.html import Line
from pbem.mail.parts import Segment, attachment, contents, html_part_lines, plain_lines
from pbem.mail.phrases import MARKER
from pbem.mail.quotes import CutText, LooksLikeOrder, cut_quotes
from pbem.mail.structure import Part, read_headers, read_structure, too_large
from pbem.mail.values import Attachment, Bounce, Cut, Limits, OrdersSource, Problem, ReadMail

_FROM_LINE = re.compile(rb"From [^\r\n]{0,500}\r?\n")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class _Text:
    """One version of the text, cut."""

    which: str
    cut: CutText


@dataclass(frozen=True, slots=True)
class _Body:
    """Everything that was found below the header."""

    text: _Text | None
    attachments: tuple[Attachment, ...]
    cuts: tuple[Cut, ...]
    problems: tuple[Problem, ...]
    bounce: Bounce | None


def read_mail(
    raw: bytes,
    *,
    looks_like_order: LooksLikeOrder,
    envelope_sender: str | None = None,
    limits: Limits | None = None,
    markers: Sequence[str] = (MARKER,),
) -> ReadMail:
    """Read one mail.

    `looks_like_order` must say yes to every line that the order parser would take, commands and press headings
    included. `envelope_sender` is the reverse path (`""` for the null sender) if it is known. `markers` are the "write
    above this line" lines that our mails have or had.
    """
    limits = limits or Limits()
    raw = without_from_line(raw)
    headers = read_headers(raw)
    problem = too_large(raw, limits)
    if problem is not None:
        body = _Body(None, (), (), (problem,), None)
    else:
        root = read_structure(raw, limits)
        if isinstance(root, Problem):
            body = _Body(None, (), (), (root,), None)
        else:
            body = _read_body(root, looks_like_order, markers)
    automatic = automatic_reason(headers, envelope_sender, body.bounce)
    problems = [*body.problems, *_header_problems(headers)]
    lines: tuple[str, ...] = ()
    source: OrdersSource = "nothing"
    if not (automatic is not None and automatic.certain):
        lines = body.text.cut.lines if body.text else ()
        problems.extend(_line_problems(lines, limits))
        source = _source(body)
        problems.extend(_told(body, source))
    if any(problem.severity == "refuse" for problem in problems):
        lines, source = (), "nothing"
    return ReadMail(
        subject=display(headers.first("subject")),
        from_addresses=addresses(headers.all("from")),
        from_fields=len(headers.all("from")),
        to_addresses=addresses(headers.all("to")),
        cc=addresses(headers.all("cc")),
        message_id=next(iter(message_ids(headers.first("message-id"))), None),
        in_reply_to=next(iter(message_ids(headers.first("in-reply-to"))), None),
        references=message_ids(headers.first("references")),
        date_display=display(headers.first("date"))[:100],
        date_claimed_ms=claimed_time_ms(headers.first("date")),
        orders_text="\n".join(lines),
        orders_source=source,
        which_part=body.text.which if body.text else None,
        cut=body.cuts,
        attachments=body.attachments,
        automatic=automatic,
        bounce=body.bounce,
        problems=tuple(problems),
    )


def without_from_line(raw: bytes) -> bytes:
    """The mail without the `From ` line that mbox files and pipes put in front."""
    match = _FROM_LINE.match(raw)
    return raw[match.end() :] if match else raw


def dedupe_key(raw: bytes, sender: str, recipient: str) -> str:
    """Lower-case hex SHA-256 that is the same for two deliveries of one mail, and else different.

    Over the envelope's sender and recipient, Date, Subject, Message-ID (if there is one) and the body. Received,
    Return-Path and whatever else is added on the way do not count, nor do line ends and empty lines at the end.
    """
    raw = without_from_line(raw)
    headers = read_headers(raw)
    blank = _BLANK_LINE.search(raw)
    digest = hashlib.sha256(b"pbem/mail/v1\n")
    named = (headers.first(name) for name in ("date", "subject", "message-id"))
    for text in (sender.lower(), recipient.lower(), *named):
        data = " ".join(text.split()).encode("utf-8", "surrogateescape")
        digest.update(len(data).to_bytes(8, "big") + data)
    body = raw[blank.end() :] if blank else b""
    digest.update(body.replace(b"\r\n", b"\n").rstrip(b"\n"))
    return digest.hexdigest()


def _read_body(root: Part, looks_like_order: LooksLikeOrder, markers: Sequence[str]) -> _Body:
    bounce = read_bounce(root)
    if bounce is not None:
        return _Body(None, (), (), (), bounce)
    found = contents(root)
    text, problems = _choose(found.segments, looks_like_order, markers)
    attachments: list[Attachment] = []
    cuts = list(text.cut.cuts) if text else []
    for part in found.attached:
        read = attachment(part)
        if isinstance(read, Problem):
            problems.append(read)
            continue
        attachments.append(read)
        if read.kind == "message":
            subject = display(part.inner[0].first("subject")) if part.inner else ""
            cuts.append(Cut("attached message", subject[:200], 0, 0))
    if text:
        problems.extend(text.cut.problems)
    return _Body(text, tuple(attachments), tuple(cuts), tuple(problems), None)


def _choose(
    segments: Sequence[Segment], looks_like_order: LooksLikeOrder, markers: Sequence[str]
) -> tuple[_Text | None, list[Problem]]:
    """The version of the text to read: plain, unless it holds no order and the HTML does, or it cannot be read."""
    if not segments:
        return None, []
    plain = _version(segments, True, looks_like_order, markers)
    if not any(segment.plain and segment.html for segment in segments):
        return (None, [plain]) if isinstance(plain, Problem) else (plain, [])
    if isinstance(plain, _Text) and plain.cut.order_lines:
        return plain, []
    html = _version(segments, False, looks_like_order, markers)
    if isinstance(plain, Problem):
        return (None, [plain]) if isinstance(html, Problem) else (html, [])
    if isinstance(html, Problem):
        return plain, []
    return (html if html.cut.order_lines or not plain.cut.lines else plain), []


def _version(
    segments: Sequence[Segment], prefer_plain: bool, looks_like_order: LooksLikeOrder, markers: Sequence[str]
) -> _Text | Problem:
    lines: list[Line] = []
    types: list[str] = []
    for segment in segments:
        use_plain = bool(segment.plain) if prefer_plain else not segment.html
        for part in segment.plain if use_plain else segment.html:
            read = plain_lines(part) if use_plain else html_part_lines(part)
            if isinstance(read, Problem):
                return read
            lines.extend(read)
            if part.content_type not in types:
                types.append(part.content_type)
    return _Text(" and ".join(types), cut_quotes(lines, looks_like_order, markers))


def _source(body: _Body) -> OrdersSource:
    has_lines = body.text is not None and body.text.cut.order_lines > 0
    has_json = any(attachment.kind == "json" for attachment in body.attachments)
    if has_lines:
        return "ask" if has_json else "text"
    if has_json:
        return "attachment"
    return "text" if body.text is not None and body.text.cut.lines else "nothing"


def _header_problems(headers: Headers) -> list[Problem]:
    count = len(headers.all("from"))
    if count > 1:
        return [
            Problem(
                "several_from",
                "refuse",
                f"The mail has {count} From headers; exactly one is allowed (RFC 5322).",
                "Send it again with another mail program.",
            )
        ]
    return []


def _line_problems(lines: Sequence[str], limits: Limits) -> list[Problem]:
    problems = []
    if len(lines) > limits.lines:
        problems.append(
            Problem(
                "too_many_lines",
                "refuse",
                f"The mail has {len(lines):,} lines of text; at most {limits.lines:,} are read.",
                "Send the orders of one phase in one mail.",
            )
        )
    longest = max((len(line) for line in lines), default=0)
    if longest > limits.line_length:
        problems.append(
            Problem(
                "line_too_long",
                "refuse",
                f"A line of the mail has {longest:,} characters; at most {limits.line_length:,} are read.",
                "Write one order a line.",
            )
        )
    damaged = next((number for number, line in enumerate(lines, 1) if "\ufffd" in line), None)
    if damaged is not None:
        problems.append(
            Problem(
                "damaged_characters",
                "refuse",
                f"Line {damaged} holds the sign for a character that could not be read; it came so from your side.",
                "Type the line anew and send the mail as UTF-8.",
            )
        )
    return problems


def _told(body: _Body, source: OrdersSource) -> list[Problem]:
    """What the player must know about where we looked and where we did not."""
    problems: list[Problem] = []
    kinds = {attachment.kind for attachment in body.attachments}
    has_lines = source == "ask" or (source == "text" and body.text is not None and body.text.cut.order_lines > 0)
    if source == "ask":
        problems.append(
            Problem(
                "text_and_attachment",
                "ask",
                "The text holds orders and a JSON document is attached too.",
                "Send one of the two alone.",
            )
        )
    if sum(attachment.kind == "json" for attachment in body.attachments) > 1:
        problems.append(
            Problem("several_documents", "ask", "More than one JSON document is attached.", "Attach one alone.")
        )
    if has_lines or source == "attachment":
        return problems
    if "tnef" in kinds:
        problems.append(
            Problem(
                "winmail",
                "refuse",
                "The mail came as winmail.dat, a format of Outlook that is not read here, so no orders were seen.",
                "Send it as plain text or HTML.",
            )
        )
    if "encrypted" in kinds:
        problems.append(
            Problem("encrypted", "refuse", "The mail is encrypted, so no orders were seen.", "Send it unencrypted.")
        )
    if "text" in kinds:
        problems.append(
            Problem(
                "text_attachment",
                "note",
                "A text file is attached; attached text is not read.",
                "Put the orders into the mail itself, or attach JSON.",
            )
        )
    for cut in body.cuts:
        if cut.order_like or cut.what == "attached message":
            forwarded = cut.what in ("forwarded message", "attached message")
            lines = _lines_stand(cut.order_like) if cut.order_like else "There is text"
            problems.append(
                Problem(
                    "orders_only_in_cut",
                    "refuse" if forwarded else "note",
                    f"{lines} in a part that is not read ({cut.what}).",
                    "Write your orders yourself, at the top of the mail.",
                )
            )
    if source == "nothing" and not problems and not body.problems:
        problems.append(
            Problem("empty", "note", "The mail holds no text of its own.", "Write the orders at the top of the mail.")
        )
    return problems


def _lines_stand(count: int) -> str:
    return "1 line that looks like an order stands" if count == 1 else f"{count} lines that look like orders stand"
