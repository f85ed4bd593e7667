"""Header fields as values: decoded for display, addresses, message ids, dates. They decide nothing alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses, parsedate_tz

from pbem.mail.charset import decode_for_display

_LONGEST = 16_000
"""Characters of one field that are looked at: the library's address parser is slow and recursive on hostile ones."""
_MESSAGE_ID = re.compile(r"<([^<>\s]{1,500})>")
_ADDRESS = re.compile(r"[^\s<>()\",;:@]+@[^\s<>()\",;:@]+")
_FOLD = re.compile(r"[\r\n]+[ \t]*|[\x00-\x1f\x7f]+")
_SUBJECT_PREFIX = re.compile(
    r"\s*(?:re|aw|sv|vs|antw|antwort|odp|ynt|atb|vá|rv|rif|res|ref|r|fw|fwd|wg|tr|vl|enc|i|pd|doorst|videresendt"
    r"|回复|回覆|答复|答覆|回信|转发|轉寄|轉發|返信|転送|회신|전달)\s*(?:[\[(]\d{1,3}[\])]|\^\d{1,3})?\s*[:：]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Headers:
    """Fields in the order of the mail: lower-case name, raw value (bytes beyond ASCII as surrogate escapes)."""

    fields: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, message: Message) -> Headers:
        return cls(tuple((name.lower(), str(value)) for name, value in message.raw_items()))

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for field, value in self.fields if field == name)

    def first(self, name: str) -> str:
        return next(iter(self.all(name)), "")

    def has(self, name: str) -> bool:
        return any(field == name for field, _ in self.fields)


def display(value: str) -> str:
    """A field as people should see it: unfolded, RFC 2047 words decoded, undecodable bytes as `\\xNN`."""
    value = value[:_LONGEST]
    try:
        words = decode_header(_FOLD.sub(" ", value))
    except (HeaderParseError, ValueError):
        words = [(value, None)]
    shown = []
    for word, charset in words:
        data = word.encode("utf-8", "surrogateescape") if isinstance(word, str) else word
        shown.append(decode_for_display(data, charset))
    return _FOLD.sub(" ", "".join(shown)).strip()


def addresses(values: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses of address fields, in lower case, without names. What is not an address is left out."""
    found: list[str] = []
    for value in values:
        shown = display(value) if "=?" not in value else _FOLD.sub(" ", value[:_LONGEST])
        try:
            pairs = getaddresses([shown])
        except RecursionError:  # nested comments
            continue
        except Exception:  # the library's parser fails in several ways on garbage
            continue
        for _, address in pairs:
            address = address.strip().lower()
            if _ADDRESS.fullmatch(address) and address not in found:
                found.append(address)
    return tuple(found)


def message_ids(value: str) -> tuple[str, ...]:
    """The ids of Message-ID, In-Reply-To or References, without angle brackets."""
    return tuple(match.group(1) for match in _MESSAGE_ID.finditer(value[:_LONGEST]))


def claimed_time_ms(value: str) -> int | None:
    """The instant that a Date field claims, in milliseconds, for display only; None when it cannot be told.

    Zone names other than UTC and GMT are not believed: CST is used for UTC-6 and for UTC+8.
    """
    text = _FOLD.sub(" ", value[:200])
    if not re.search(r"[+-]\d{4}\b|\b(?:GMT|UTC?|Z)\b", text):
        return None
    try:
        parsed = parsedate_tz(text)
        if parsed is None:
            return None
        offset = parsed[9] or 0
        moment = datetime(*parsed[:6], tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return int(moment.timestamp() - offset) * 1000


def bare_subject(subject: str) -> str:
    """The subject without any chain of reply and forward prefixes, in whatever language."""
    while match := _SUBJECT_PREFIX.match(subject):
        subject = subject[match.end() :]
    return " ".join(subject.split())


def reply_subject(subject: str) -> str:
    """The subject of an answer: one `Re:`, however long the chain was."""
    return f"Re: {bare_subject(subject)}"
