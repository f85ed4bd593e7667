"""Which lines of a mail its sender wrote now, and which are quoted, forwarded or a signature.

Everything cut is counted and named, because what was cut may be an order; nothing else is decided here. The rules
prefer losing a line, and saying so, to reading somebody else's line as an order: no reply-cutting library does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pbem.mail import phrases
from pbem.mail.html import Line
from pbem.mail.values import Cut, Problem

LooksLikeOrder = Callable[[str], bool]
"""Whether a line could be an order or a command (`ready`, `PRESS TO china`). May say yes too often, not too rarely."""

_EXCERPT = 300
_COUNTED_LINES = 2_000
"""Lines of one cut that are shown to the predicate; a longer quotation is not worth the time."""
_ATTRIBUTION_LINES = 5
_ATTRIBUTION_LENGTH = 600
_HEADER_RUN = 8

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_SPACE_OR_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_QUOTE_MARK = re.compile(r" {0,3}[>＞]")
_LETTERS = re.compile(r"[\W_]+")
_YEAR_OR_TIME = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[:.h]\d\d(?!\d)|年")
_ADDRESS = re.compile(r"[^\s<>@:]{1,64}@[^\s<>@:]{1,200}")
_LABEL = re.compile(r"[\s*_>]*([^\W\d_](?:[^\W\d_]|[ \-']){0,18}?)[\s*_]*[:：][\s*_]*(.*)")
_SEPARATOR = re.compile(r"\s*[-_=*]{3,}\s*")


@dataclass(frozen=True, slots=True)
class CutText:
    """What is left, line by line, and what is gone. A cut line is left as an empty one, so numbers stay."""

    lines: tuple[str, ...]
    cuts: tuple[Cut, ...]
    problems: tuple[Problem, ...]
    order_lines: int


def tidy(text: str) -> str:
    """A line without invisible characters, every kind of space as a space, no space at its end (but in `-- `).

    Line and paragraph separators become spaces too: split there, the rest of a quoted line would lose its mark.
    """
    text = _SPACE_OR_CONTROL.sub(" ", _INVISIBLE.sub("", text))
    return "-- " if text.rstrip() == "--" and text.endswith(" ") else text.rstrip()


def cut_quotes(source: Iterable[Line], looks_like_order: LooksLikeOrder, markers: Sequence[str]) -> CutText:
    """Separate what the sender wrote from what he quotes.

    In this order: everything from our own line (`markers`) down is gone; then, from the top, lines marked as
    quotations, attributions ("On ... wrote:", wrapped or not), forwarded and original message blocks, header blocks,
    the signature delimiter of RFC 3676 and everything below it, signatures of mobile programs. Unmarked lines between
    quoted ones are the sender's answers.
    """
    lines = [_marked(line) for line in source]
    record = _Record(looks_like_order)
    problems: list[Problem] = []
    kept: list[str] = []
    end = _marker_line(lines, markers)
    below = lines[end:]
    lines = lines[:end]
    if below:
        record.add("below the line you were asked to write above", below, own_only=True)
    attributions = _attributions(lines, looks_like_order)
    index = 0
    while index < len(lines):
        line = lines[index]
        if index in attributions:
            after = attributions[index]
            following = next((later for later in lines[after:] if later.text), None)
            if following is None or following.kind == "quoted":
                record.add("attribution", lines[index:after])
                kept.extend("" for _ in range(index, after))
                index = after
                continue
            record.add("quotation without marks", lines[index:])
            break
        if line.kind == "quoted":
            record.add("quotation", [line])
        elif line.kind == "signature" or phrases.MOBILE_SIGNATURE.fullmatch(line.text.strip()):
            record.add("signature", [line])
        elif block := _foreign_block(lines, index):
            record.add(block, lines[index:])
            break
        elif line.text == "-- ":
            record.add("signature", lines[index:])
            break
        elif line.text == "--":
            record.add("signature", lines[index:])
            if record.order_like(lines[index:]):
                problems.append(_ambiguous_dashes())
            break
        else:
            kept.append(line.text)
            index += 1
            continue
        kept.append("")
        index += 1
    while kept and not kept[-1]:
        kept.pop()
    orders = sum(1 for line in kept if line and looks_like_order(line))
    return CutText(tuple(kept), record.cuts(), tuple(problems), orders)


def _marked(line: Line) -> Line:
    text = tidy(line.text)
    return Line(text, "quoted" if line.kind == "own" and _QUOTE_MARK.match(text) else line.kind)


def unmarked(text: str) -> str:
    """A quoted line without its quotation marks."""
    return text.lstrip(">＞ ")


class _Record:
    """Cut lines by reason, in the order in which the reasons first came up."""

    def __init__(self, looks_like_order: LooksLikeOrder) -> None:
        self._looks_like_order = looks_like_order
        self._lines: dict[str, list[str]] = {}
        self._weighed: dict[str, list[str]] = {}

    def add(self, what: str, lines: Sequence[Line], *, own_only: bool = False) -> None:
        """`own_only`: marked quotations, which below our line are our own words, cannot be orders gone astray."""
        self._lines.setdefault(what, []).extend(line.text for line in lines)
        weighed = [line.text for line in lines if not own_only or line.kind == "own"]
        self._weighed.setdefault(what, []).extend(weighed)

    def order_like(self, lines: Sequence[Line]) -> int:
        return self._count([line.text for line in lines])

    def _count(self, lines: Sequence[str]) -> int:
        return sum(1 for line in lines[:_COUNTED_LINES] if line and self._looks_like_order(unmarked(line)))

    def cuts(self) -> tuple[Cut, ...]:
        return tuple(
            Cut(what, _excerpt(lines), len(lines), self._count(self._weighed[what]))
            for what, lines in self._lines.items()
        )


def _excerpt(lines: Sequence[str]) -> str:
    text = "\n".join(line[:_EXCERPT] for line in lines[:20] if line)
    return text if len(text) <= _EXCERPT else text[:_EXCERPT] + "..."


def _marker_line(lines: Sequence[Line], markers: Sequence[str]) -> int:
    """The index of our own line, quoted or not, also when it was wrapped in two; the number of lines if absent."""
    wanted = {_letters(marker) for marker in markers}
    if "" in wanted:
        raise ValueError("a marker line needs letters")
    before = ""
    for index, line in enumerate(lines):
        letters = _letters(line.text) if len(line.text) <= _ATTRIBUTION_LENGTH else ""
        if letters in wanted:
            return index
        if before and letters and before + letters in wanted:
            return index - 1
        before = letters
    return len(lines)


def _letters(text: str) -> str:
    return _LETTERS.sub("", text).casefold()


def _attributions(lines: Sequence[Line], looks_like_order: LooksLikeOrder) -> dict[int, int]:
    """Where attributions begin, and the index after each. Mail programs wrap them over up to five lines."""
    found: dict[int, int] = {}
    for last, line in enumerate(lines):
        if line.kind != "own" or not line.text.endswith((":", "：")):
            continue
        text = ""
        start: int | None = None
        for first in range(last, max(last - _ATTRIBUTION_LINES, -1), -1):
            above = lines[first]
            if above.kind != "own" or not above.text:
                break
            if first < last and (looks_like_order(above.text) or above.text.endswith((":", "："))):
                break
            text = f"{above.text.strip()} {text}".strip()
            if len(text) > _ATTRIBUTION_LENGTH:
                break
            if is_attribution(text):
                opened = phrases.ATTRIBUTION_OPENER.match(text) is not None
                if start is None or opened:
                    start = first
                if opened:
                    break
        if start is not None:
            found[start] = last + 1
    return found


def is_attribution(text: str) -> bool:
    """Whether an unwrapped line introduces a quotation.

    Either it ends with a verb of writing and names a time or an address, or it names both and ends with a colon:
    that holds in the languages whose words are not in the list.
    """
    if not text.endswith((":", "：")):
        return False
    address = _ADDRESS.search(text) is not None
    time = _YEAR_OR_TIME.search(text) is not None
    if address and time:
        return True
    return (address or time) and phrases.ATTRIBUTION_VERB.search(text) is not None


def _foreign_block(lines: Sequence[Line], index: int) -> str | None:
    """The kind of block of another mail that begins here, if one does. It reaches to the end of the text."""
    text = lines[index].text
    if not text or len(text) > _ATTRIBUTION_LENGTH:
        return None
    words = " ".join(text.casefold().replace("’", "'").strip(" -_=*#~>:：.·|—–").split())
    if words in phrases.FORWARDED or words.startswith(phrases.FORWARDED_BEGINNING):
        return "forwarded message"
    if words in phrases.ORIGINAL:
        return "original message"
    start = index
    if _SEPARATOR.fullmatch(text):
        start = next((later for later in range(index + 1, min(index + 3, len(lines))) if lines[later].text), index)
    return "header block of another message" if _header_block(lines, start) else None


def _header_block(lines: Sequence[Line], start: int) -> bool:
    """Whether `From: ... Sent: ... To: ... Subject: ...` stands here, in any known language and order.

    A sender line with a date or a subject makes one, or a sender line with an address and a receiver line. `From:`
    and `To:` alone could be an order. One line between may be the rest of a wrapped one.
    """
    if label_of(lines[start].text) is None:
        return False
    kinds: set[str] = set()
    sender = ""
    strangers = 0
    for line in lines[start : start + _HEADER_RUN]:
        if not line.text:
            continue
        label = label_of(line.text)
        if label is None:
            strangers += 1
            if strangers > 1:
                break
            continue
        kinds.add(label)
        if label == "from":
            sender = line.text
    return "from" in kinds and ("subject" in kinds or "date" in kinds or ("to" in kinds and "@" in sender))


def label_of(text: str) -> str | None:
    """Which header field a line shows: from, date, to, subject, or none."""
    match = _LABEL.match(text[:_ATTRIBUTION_LENGTH])
    if match is None:
        return None
    return phrases.HEADER_LABELS.get(" ".join(match.group(1).casefold().split()))


def _ambiguous_dashes() -> Problem:
    return Problem(
        "ambiguous_dashes",
        "ask",
        "Below a line of two dashes, which usually begins a signature, stand lines that look like orders.",
        "Separate blocks with an empty line or with more dashes; two dashes end the orders.",
    )
