"""The search itself: words in some bytes and in everything that can be unpacked out of them.

A word is found whatever its case and whatever stands between its letters: blanks, line breaks, hyphens, quotation
marks. So short words are found by chance; take words of eight letters or more, or of three Chinese characters.
"""

from __future__ import annotations

import hashlib
import html
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pbem.testing.leaks.unpack import inside

MOST = 400_000_000
"""Bytes that may come out of one artefact before the search gives up, loudly."""
LEAST = 6
"""Bytes that a word must have when nothing but letters and digits is left of it."""
_DELETED = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_LOWER = bytes(range(256)).lower()


class TooMuch(RuntimeError):
    """More came out of an artefact than could be searched: nothing can be said of it."""


@dataclass(frozen=True, slots=True)
class Word:
    """Something to look for: its name in findings, and all its spellings. `raw` are bytes that give it away as well."""

    name: str
    spellings: tuple[str, ...]
    raw: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A word that was found: in which artefact, by which steps of unpacking, and what stands around it."""

    word: str
    artefact: str
    steps: tuple[str, ...]
    around: str

    def __str__(self) -> str:
        way = " > ".join(self.steps) or "in clear"
        return f"{self.artefact}: {self.word} ({way}): ...{self.around}..."


@dataclass(frozen=True, slots=True)
class _Node:
    """What was found in some bytes themselves, and what they hold (step, key of the content)."""

    found: tuple[tuple[str, str], ...]
    holds: tuple[tuple[str, bytes], ...]
    size: int


@dataclass
class Search:
    """Looks for words; contents that were seen before are not searched again.

    `granted` are passages that anybody may read, such as the list of a deck's cards or the text of a rule: what stands
    in them is not found. `also` is called with every content that was not seen before.
    """

    words: Iterable[Word]
    granted: Iterable[str] = ()
    also: Callable[[bytes], None] = lambda content: None
    _needles: list[tuple[str, bytes]] = field(default_factory=list)
    _raw: list[tuple[str, bytes]] = field(default_factory=list)
    _passages: list[bytes] = field(default_factory=list)
    _known: dict[bytes, _Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for word in self.words:
            squeezed = dict.fromkeys(_squeezed(unicodedata.normalize("NFKC", one).encode()) for one in word.spellings)
            short = [one.decode() for one in squeezed if len(one) < LEAST]
            if short:
                raise ValueError(f"{', '.join(short) or word.name!r} is too short: it would be found by chance")
            self._needles.extend((word.name, one) for one in squeezed)
            foreign = [one for one in word.spellings if not one.isascii()]
            others = dict.fromkeys(raw for one in foreign for raw in _in_other_charsets(one) if len(raw) >= LEAST)
            self._raw.extend((word.name, raw) for raw in (*others, *word.raw))
        passages = {_squeezed(text.encode()) for passage in self.granted for text in _written(passage)}
        needles = {needle for _, needle in self._needles}
        if needles & passages:
            raise ValueError("a passage that anybody may read is nothing but a word that is looked for")
        of_interest = (one for one in passages if any(needle in one for needle in needles))
        self._passages = sorted(of_interest, key=len, reverse=True)

    def look(self, data: bytes, artefact: str = "") -> list[Finding]:
        """Every word that can be got out of these bytes, each once by its shortest way. Raises TooMuch."""
        found: dict[str, Finding] = {}
        for steps, node in self._walk(data):
            for word, around in node.found:
                if word not in found:
                    found[word] = Finding(word, artefact, steps, around)
        return list(found.values())

    def _walk(self, data: bytes) -> Iterator[tuple[tuple[str, ...], _Node]]:
        """All contents with the way to them, nearest first."""
        queue: list[tuple[tuple[str, ...], bytes]] = [((), self._learn(data))]
        seen = {queue[0][1]}
        size = 0
        for steps, key in queue:
            node = self._known[key]
            size += node.size
            if size > MOST:
                raise TooMuch(f"more than {MOST} bytes came out of it")
            yield steps, node
            for step, inner in node.holds:
                if inner not in seen:
                    seen.add(inner)
                    queue.append(((*steps, step), inner))

    def _learn(self, data: bytes) -> bytes:
        """Search some bytes and everything in them; their key."""
        top = _key(data)
        waiting = [data] if top not in self._known else []
        while waiting:
            content = waiting.pop()
            key = _key(content)
            if key in self._known:
                continue
            self.also(content)
            holds: dict[bytes, str] = {}
            for step, inner in inside(content):
                inner_key = _key(inner)
                if inner_key not in holds:
                    holds[inner_key] = step
                    if inner_key not in self._known:
                        waiting.append(inner)
            pairs = tuple((step, inner) for inner, step in holds.items())
            self._known[key] = _Node(tuple(self._in(content)), pairs, len(content))
        return top

    def _in(self, data: bytes) -> Iterator[tuple[str, str]]:
        squeezed = _squeezed(data)
        found = [(word, needle) for word, needle in self._needles if needle in squeezed]
        if found:
            for passage in self._passages:
                squeezed = squeezed.replace(passage, b" ")
        for word, needle in found:
            place = squeezed.find(needle)
            if place >= 0:
                yield word, _around(squeezed, place, len(needle))
        for word, raw in self._raw:
            place = data.find(raw)
            if place >= 0:
                yield word, _around(data, place, len(raw))


def _around(data: bytes, place: int, length: int) -> str:
    return data[max(0, place - 40) : place + length + 40].decode("utf-8", "replace")


def _written(passage: str) -> Iterator[str]:
    """A passage as it stands in text, and in HTML before that is read."""
    yield passage
    yield html.escape(passage)
    yield html.escape(passage).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")


def _squeezed(data: bytes) -> bytes:
    """Letters and digits only, in small letters; what is not ASCII stays."""
    return data.translate(_LOWER, _DELETED)


def _in_other_charsets(text: str) -> Iterator[bytes]:
    for charset in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp950", "big5hkscs", "gb18030"):
        try:
            yield text.encode(charset)
        except UnicodeEncodeError:
            continue


def _key(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
