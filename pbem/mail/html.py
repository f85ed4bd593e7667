"""HTML to lines, as a person would see them, each marked as own text, quotation or signature.

A linear scanner: the standard library's HTML parser takes quadratic time on unfinished tags, and tree builders do so on
misnested ones. It follows the HTML tokenizer closely enough for mail and drops what is not shown. No styles are
computed; text hidden by colour or by a style sheet counts as seen.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

LineKind = Literal["own", "quoted", "signature"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a mail. Plain text is `own` until quotation marks are looked at."""

    text: str
    kind: LineKind = "own"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["text", "open", "close"]
    value: str
    attributes: str = ""


@dataclass(frozen=True, slots=True)
class _Frame:
    name: str
    hidden: bool
    kind: LineKind
    keep_space: bool


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NAME = re.compile(r"[a-zA-Z][^\s/>]*")
_STOP = re.compile(r">|=\s*[\"']")
_ATTRIBUTES = 2_000
_ATTRIBUTE = re.compile(r"([^\s\"'>/=]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))|([^\s\"'>/=]+)")
_SPACES = re.compile(r"[ \t\r\n\f]+")
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d]*[1-9])"
    r"|max-height\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])"
)

_RAW_TEXT = _words("script style title textarea xmp iframe noembed noframes")
_NOT_SHOWN = _words("head template select datalist object audio video canvas svg math")
_HEAD_CONTENT = _words("base link meta noscript script style template title")
_VOID = _words("area base br col embed hr img input link meta param source track wbr")
_BLOCKS = _words(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody tfoot thead tr ul"
    " caption"
)
_CELLS = frozenset(("td", "th"))
_CLOSED_BY_SAME = frozenset(("p", "li", "dt", "dd", "tr", "td", "th", "option"))

_QUOTE_CLASSES = _words(
    "gmail_quote gmail_quote_container gmail_attr yahoo_quoted protonmail_quote tutanota_quote moz-cite-prefix"
    " moz-forward-container zmail_extra outlookmessageheader quoted-text mailquote quote"
)
_QUOTE_IDS = _words(
    "reply-intro isreplycontent isforwardcontent mail-editor-reference-message-container olk_src_body_section"
)
_QUOTE_FROM_HERE = frozenset(("appendonsend", "divrplyfwdmsg", "replysplit"))
"""Outlook puts these before what it quotes, beside it and not around it: everything after them is a quotation."""
_SIGNATURE_MARKS = _words(
    "gmail_signature gmail_signature_prefix moz-signature signature ms-outlook-mobile-signature applemailsignature"
    " protonmail_signature_block"
)


def html_lines(source: str) -> list[Line]:
    """The visible lines of an HTML document.

    Block elements and `<br>` end lines, entities are decoded, white space is collapsed outside `<pre>`. A blockquote,
    and what known mail programs put around quotations, is `quoted`.
    """
    builder = _Lines()
    frames: list[_Frame] = [_Frame("", False, "own", False)]
    open_names: Counter[str] = Counter()
    rest_quoted = False
    for token in _tokens(source):
        top = frames[-1]
        if token.kind == "text":
            if not top.hidden:
                kind: LineKind = "quoted" if rest_quoted else top.kind
                builder.text(html.unescape(token.value), kind, top.keep_space)
            continue
        name = token.value
        if token.kind == "close":
            if name in _BLOCKS:
                builder.end_block()
            if open_names[name]:
                while True:
                    gone = frames.pop()
                    open_names[gone.name] -= 1
                    if gone.name == name:
                        break
                    if gone.name in _BLOCKS:
                        builder.end_block()
            continue
        if name in _CLOSED_BY_SAME and top.name == name:
            frames.pop()
            open_names[name] -= 1
            top = frames[-1]
        if top.name == "head" and name not in _HEAD_CONTENT:  # many mails never close it
            frames.pop()
            open_names["head"] -= 1
            top = frames[-1]
        if name == "br":
            if not top.hidden:
                builder.new_line()
            continue
        if name in _BLOCKS:
            builder.end_block()
        elif name in _CELLS:
            builder.text(" ", top.kind, False)
        marks, hidden = _attributes(token.attributes)
        if not marks.isdisjoint(_QUOTE_FROM_HERE):
            builder.end_block()
            rest_quoted = True
        if name in _VOID:
            continue
        kind = top.kind
        if name in ("blockquote", "includetail") or not marks.isdisjoint(_QUOTE_CLASSES | _QUOTE_IDS):
            kind = "quoted"
        elif kind == "own" and not marks.isdisjoint(_SIGNATURE_MARKS):
            kind = "signature"
        frames.append(_Frame(name, top.hidden or hidden or name in _NOT_SHOWN, kind, top.keep_space or name == "pre"))
        open_names[name] += 1
    return builder.finish()


class _Lines:
    """Collects text into lines. A change between own text and quotation ends a line."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._pieces: list[str] = []
        self._kind: LineKind = "own"

    def text(self, text: str, kind: LineKind, keep_space: bool) -> None:
        if keep_space:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self._add(first, kind)
            for line in rest:
                self.new_line()
                self._add(line, kind)
            return
        self._add(_SPACES.sub(" ", text), kind)

    def _add(self, text: str, kind: LineKind) -> None:
        if kind != self._kind and text.strip():
            self.end_block()
            self._kind = kind
        self._pieces.append(text)

    def end_block(self) -> None:
        if any(piece.strip() for piece in self._pieces):
            self.new_line()
        else:
            self._pieces.clear()

    def new_line(self) -> None:
        line = _SPACES.sub(" ", "".join(self._pieces)).lstrip()
        # A delimiter keeps its space, the only one that means something at the end of a line.
        self._lines.append(Line("-- " if line.replace("\xa0", " ") == "-- " else line.rstrip(), self._kind))
        self._pieces.clear()

    def finish(self) -> list[Line]:
        self.end_block()
        return self._lines


def _attributes(source: str) -> tuple[frozenset[str], bool]:
    """Class names, id and name in lower case without Outlook's `x_` prefixes; and whether the element is hidden."""
    if not source or source.isspace():
        return frozenset(), False
    marks: list[str] = []
    hidden = False
    for match in _ATTRIBUTE.finditer(source[:_ATTRIBUTES]):
        name = (match.group(1) or match.group(5)).lower()
        value = html.unescape(match.group(2) or match.group(3) or match.group(4) or "").lower()
        if name == "hidden":
            hidden = True
        elif name == "style":
            hidden = hidden or _HIDING.search(value) is not None
        elif name in ("class", "id", "name"):
            for word in value.split():
                while word.startswith("x_"):
                    word = word[2:]
                # Yahoo numbers its containers.
                marks.append("yahoo_quoted" if "yahoo_quoted" in word else word)
    return frozenset(marks), hidden


def _tokens(source: str) -> Iterator[_Token]:
    """Text, opening and closing tags. Whatever is left open at the end of the document ends with it."""
    position = 0
    while position < len(source):
        start = source.find("<", position)
        if start < 0:
            yield _Token("text", source[position:])
            return
        if start > position:
            yield _Token("text", source[position:start])
        if source.startswith("<!--", start):
            end = source.find("-->", start + 4)
            if end < 0:
                return
            position = end + 3
            continue
        closing = source.startswith("</", start)
        name = _NAME.match(source, start + (2 if closing else 1))
        if name is None:
            if closing or source.startswith(("<!", "<?"), start):  # declarations and conditional comments
                end = source.find(">", start)
                if end < 0:
                    return
                position = end + 1
            else:
                yield _Token("text", "<")
                position = start + 1
            continue
        end = _tag_end(source, name.end())
        if end < 0:
            return
        tag = name.group().lower()
        position = end
        if closing:
            yield _Token("close", tag)
            continue
        yield _Token("open", tag, source[name.end() : end - 1])
        if tag in _RAW_TEXT:
            raw_end = re.compile(rf"</{re.escape(tag)}(?=[\s/>])", re.IGNORECASE).search(source, end)
            if raw_end is None:
                return
            position = raw_end.start()


def _tag_end(source: str, position: int) -> int:
    """The index after the `>` that ends the tag, -1 at the end of the document. Quotes count after `=` only."""
    while True:
        stop = _STOP.search(source, position)
        if stop is None:
            return -1
        if stop.group() == ">":
            return stop.end()
        closing = source.find(stop.group()[-1], stop.end())
        if closing < 0:
            return -1
        position = closing + 1
