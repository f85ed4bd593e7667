"""Whether a published hash gives a hidden card away: every plausible text about a card is hashed and looked for.

There are few cards, so a hash of one without a secret salt is as good as its name. The attacker here knows everything
that a reader knows: the form of sealed events, their neighbours' times, and every salt, link and digest he has seen.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.dice.deck import deck_message, shuffled
from pbem.dice.entropy import entropy_digest
from pbem.dice.faces import derive_key
from pbem.log.canonical import canonical
from pbem.log.commitment import SALT_BYTES, commitment
from pbem.log.event import Event, may_read, opened_by
from pbem.testing.leaks.words import Powers

_HEX = re.compile(rb"(?<![0-9A-Fa-f])[0-9A-Fa-f]{16,128}(?![0-9A-Fa-f])")
_BASE64 = re.compile(rb"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{22,88}=*(?![A-Za-z0-9+/_-])")
_HASHES: tuple[Callable[[bytes], Any], ...] = (
    hashlib.md5, hashlib.sha1, hashlib.sha224, hashlib.sha256, hashlib.sha384, hashlib.sha512, hashlib.blake2b,
    hashlib.blake2s, hashlib.sha3_256,
)  # fmt: skip
_LEAST = 8
"""Bytes of a digest that are enough to recognise it: some are shown cut short."""
HEADINGS = (b"", b"pbem/payload/v1\n", b"pbem/deck/v1\n", b"pbem/card/v1\n")


@dataclass
class Digests:
    """All that looks like a digest, collected from contents of artefacts; call it with each of them."""

    found: dict[int, set[bytes]] = field(default_factory=dict)

    def __call__(self, content: bytes) -> None:
        for text in _HEX.findall(content):
            self._keep(bytes.fromhex(text[: len(text) // 2 * 2].decode()))
        for text in _BASE64.findall(content):
            plain = text.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
            try:
                self._keep(base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True))
            except ValueError:
                continue

    def _keep(self, digest: bytes) -> None:
        if len(digest) >= _LEAST:
            self.found.setdefault(len(digest), set()).add(digest)

    def has(self, digest: bytes) -> bool:
        """Whether a digest, or the beginning of it, was among what was collected."""
        return any(digest[:size] in known for size, known in self.found.items() if size <= len(digest))


@dataclass(frozen=True, slots=True)
class Hidden:
    """A card that a reader may not know: its copy, its name, who holds it, and the sealed event that names it."""

    card: str
    name: str
    power: str
    event: Event | None = None


def hidden(events: Sequence[Event], reader: Powers) -> list[Hidden]:
    """The cards that sealed events name and no reader but their own may know."""
    opened = opened_by(events)
    return [
        Hidden(event.payload["card"], event.payload["name"], (event.readers or ("",))[0], event)
        for event in events
        if event.type == "card_identified" and not may_read(event, reader, opened)
    ]


def texts_about(card: Hidden, campaign: str) -> Iterator[bytes]:
    """What somebody could have hashed to commit to a card."""
    copy, name, power = card.card, card.name, card.power
    pair = {"card": copy, "name": name}
    for text in (
        name, f"{name}\n", name.upper(), name.replace("_", " ").title(), f"{copy}:{name}", f"{copy} {name}",
        f"{copy}{name}", f"{power}:{name}", f"{power}/{name}", f"{campaign}:{copy}:{name}", f"{campaign}/{copy}/{name}",
        f"{campaign}\n{copy}\n{name}", f"{campaign}\n{power}\n{name}", f"{name}:{copy}", str(pair), f'"{name}"',
    ):  # fmt: skip
        yield text.encode()
    for value in (pair, {"name": name}, {"card": name}, {**pair, "power": power}, [copy, name], [power, name]):
        yield canonical(value)
    if card.event is not None:
        yield from envelopes(card.event, card)


def envelopes(event: Event, card: Hidden) -> Iterator[bytes]:
    """The sealed event as it is committed: all of it but the card can be known from its neighbours."""
    yield canonical({**event.committed(), "payload": {"card": card.card, "name": card.name}})
    yield canonical({"card": card.card, "name": card.name})


def unsalted(digests: Digests, cards: Iterable[Hidden], campaign: str, keys: Iterable[bytes] = ()) -> list[str]:
    """Cards behind a digest without a salt, or keyed with something that everybody knows."""
    known = list(keys)
    hits: list[str] = []
    for card in cards:
        for text in dict.fromkeys(texts_about(card, campaign)):
            for heading in HEADINGS:
                for made in _HASHES:
                    if digests.has(made(heading + text).digest()):
                        hits.append(f"{made.__name__} of {(heading + text)!r}")
            for key in known:
                if digests.has(hmac.digest(key, text, "sha256")) or digests.has(hashlib.sha256(key + text).digest()):
                    hits.append(f"sha256 of {text!r} with {key.hex()}")
    return hits


def salts_to_try(events: Sequence[Event], reader: Powers, campaign: str) -> list[bytes]:
    """Salts that a reader might think of: those he has seen, what is derived from numbers, and from public texts."""
    opened = opened_by(events)
    seen = [event.salt for event in events if may_read(event, reader, opened)]
    plain = [bytes(SALT_BYTES), b"\xff" * SALT_BYTES]
    made = []
    for key in (b"", bytes(32), campaign.encode(), *_public_texts(events)):
        made += [hmac.digest(key, event.seq.to_bytes(8, "big"), "sha256")[:SALT_BYTES] for event in events]
        made += [hashlib.sha256(key).digest()[:SALT_BYTES], key[:SALT_BYTES].ljust(SALT_BYTES, b"\0")]
    numbers = [event.seq.to_bytes(SALT_BYTES, "big") for event in events]
    numbers += [event.seq.to_bytes(SALT_BYTES, "little") for event in events]
    return list(dict.fromkeys([*seen, *plain, *made, *numbers]))


def _public_texts(events: Sequence[Event]) -> list[bytes]:
    first: Mapping[str, Any] = events[0].payload
    starts = [bytes.fromhex(row["start"]) for row in first["dice"]["chains"]]
    starts += [bytes.fromhex(row["start"]) for row in first["dice"].get("decks", {}).values()]
    return [first["origin"].encode(), first["log_key"].encode(), *starts]


def salted(events: Sequence[Event], reader: Powers, salts: Iterable[bytes]) -> list[str]:
    """Hidden cards that somebody finds who tries all names with these salts against the commitments in the headers.

    He succeeds if he does with the right name, so that one is enough here.
    """
    tried = list(salts)
    return [
        f"{card.power}'s {card.card} is {card.name}: event {card.event.seq}"
        for card in hidden(events, reader)
        if card.event is not None
        for text in envelopes(card.event, card)
        if any(commitment(salt, text) == card.event.commitment for salt in tried)
    ]


def orders_of_piles(events: Sequence[Event], links: Iterable[bytes]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """(deck, number, order) of every pile that was laid out, as it would be if one of these were its link."""
    tried = list(links)
    for event in events:
        contents = event.payload.get("set", {}) if event.type == "deck_changed" else {}
        if "entropy" in contents:
            deck, number, cards = event.payload["deck"], contents["pile"], contents["cards"]
            message = deck_message(event.campaign, deck, number, cards)
            for link in tried:
                yield deck, number, shuffled(derive_key(link, message, entropy_digest(contents["entropy"])), cards)
