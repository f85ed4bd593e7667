"""Everything of a campaign that somebody gets to see, each with its reader and the moment, and what of it leaks."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.log.event import Event
from pbem.report.words import Words
from pbem.testing.leaks.search import Finding, Search, Word
from pbem.testing.leaks.words import Powers, open_to_all, words_for


@dataclass(frozen=True, slots=True)
class Artefact:
    """Some bytes that left the service: for whom (the powers he plays), and how many events there were at that time.

    `owner` is the player whose own token may stand in it; None for the public.
    """

    name: str
    data: bytes
    reader: Powers
    size: int
    owner: str | None = None


def _nothing(content: bytes) -> None:
    """For who does not want to see what is unpacked."""


@dataclass
class Campaign:
    """The log, fully readable, and the secrets that lie beside it."""

    events: Sequence[Event]
    words: Sequence[Words]
    tokens: Mapping[str, str] = field(default_factory=dict)
    """Reply token by player."""
    keys: Iterable[Word] = ()
    """Secrets of the service itself, which nobody may see."""
    _known: dict[tuple[Powers, int, str | None], list[Word]] = field(default_factory=dict)

    def forbidden(self, reader: Powers, size: int, owner: str | None = None) -> list[Word]:
        """What a reader may not find when there were `size` events."""
        key = (reader, size, owner)
        if key not in self._known:
            others = [Word(f"token of {player}", (token,)) for player, token in self.tokens.items() if player != owner]
            self._known[key] = words_for(self.events[:size], reader, self.words, [*others, *self.keys])
        return self._known[key]

    def look(
        self, artefacts: Sequence[Artefact], more: Iterable[Word] = (), also: Callable[[bytes], None] = _nothing
    ) -> dict[str, list[Finding]]:
        """All that is found in each artefact of what is forbidden to anybody, and of `more`, by the artefact's name.

        `also` is called with everything that was unpacked.
        """
        words = {word.name: word for one in artefacts for word in self.forbidden(one.reader, one.size, one.owner)}
        words |= {word.name: word for word in more}
        search = Search(words.values(), open_to_all(self.events), also)
        return {one.name: search.look(one.data, one.name) for one in artefacts}

    def leaks(
        self, artefacts: Sequence[Artefact], found: Mapping[str, Sequence[Finding]] | None = None
    ) -> list[Finding]:
        """What its reader may not find in each artefact; `found` is what `look` gave."""
        known = self.look(artefacts) if found is None else found
        leaking: list[Finding] = []
        for one in artefacts:
            names = {word.name for word in self.forbidden(one.reader, one.size, one.owner)}
            leaking += [finding for finding in known[one.name] if finding.word in names]
        return leaking


_NUMBERED = re.compile(r"<(?:report|ask)\.(\d+)\.")
_CHECKPOINT = re.compile(r"^ *\S+/c/[\w-]+\n *(\d+)\n *[A-Za-z0-9+/=]{44}$", re.MULTILINE)


def size_of_mail(raw: bytes) -> int | None:
    """How many events a mail of ours was made from: by its number, else by the checkpoint that it carries."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    numbered = _NUMBERED.match(str(message["Message-ID"]))
    if numbered is not None:
        return int(numbered[1]) + 1
    body = message.get_body(("plain",))
    signed = _CHECKPOINT.search(str(body.get_content()).replace("\r\n", "\n")) if body is not None else None
    return int(signed[1]) if signed is not None else None


def mails(raws: Iterable[tuple[str, bytes]], reader: Powers, owner: str, last: int) -> Iterator[Artefact]:
    """A player's mails; those that do not tell their moment are taken as the latest."""
    for name, raw in raws:
        size = size_of_mail(raw)
        yield Artefact(name, raw, reader, last if size is None else size, owner)
