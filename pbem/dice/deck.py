"""Decks of cards: the order of a pile from a committed chain and the players' opened texts.

Each deck has its own chain, so that no published die tells anything about a card; the n-th pile uses link n, which
is opened when the pile is exhausted or the game ends (FOV-6.1.7). What cards mean is not known here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pbem.dice.chain import Chain
from pbem.dice.entropy import entropy_digest
from pbem.dice.faces import derive_key, indices

HEADING = "pbem/deck/v1"
DECK_CHAIN_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Pile:
    """One pile of a deck: its cards in the order in which they are drawn, first the top. A secret of the service."""

    deck: str
    number: int
    order: tuple[str, ...]
    source: str


class DeckSource(Protocol):
    """Anything that can lay out the n-th pile of a deck."""

    def pile(self, campaign: str, deck: str, number: int, cards: Sequence[str], entropy: Mapping[str, str]) -> Pile:
        """The pile made of ``cards``; ``number`` counts the deck's piles from 1; ``entropy`` is the map in force."""
        ...

    def link(self, deck: str, number: int) -> str | None:
        """The hex link to publish when a pile is opened; None for a source without chains."""
        ...


def deck_message(campaign: str, deck: str, number: int, cards: Sequence[str]) -> bytes:
    """The lines ``pbem/deck/v1``, campaign, deck, number and the sorted card ids as canonical JSON, joined by LF.

    Raises ValueError for ids that are not printable ASCII, for which sorting and spelling would not be certain.
    """
    for text in (campaign, deck, *cards):
        if not text.isascii() or not text.isprintable() or not text:
            raise ValueError(f"deck: {text!r} is not an id")
    if number < 1:
        raise ValueError(f"deck: piles are numbered from 1, not {number}")
    listed = json.dumps(sorted(cards), separators=(",", ":"))
    return "\n".join((HEADING, campaign, deck, str(number), listed)).encode("ascii")


def shuffled(key: bytes, cards: Sequence[str]) -> tuple[str, ...]:
    """Fisher-Yates over the sorted cards, from the last index down; the result's first card is drawn first."""
    order = sorted(cards)
    sizes = range(len(order), 1, -1)
    for size, chosen in zip(sizes, indices(key, iter(sizes)), strict=True):
        order[size - 1], order[chosen] = order[chosen], order[size - 1]
    return tuple(order)


def laid(deck: str, number: int, cards: Sequence[str], entropy: Mapping[str, str]) -> dict[str, Any]:
    """The payload of the public event ``deck_changed`` that lays out a pile: all that makes its order but the link.

    It must be stored before the pile's first card is drawn; a card's place follows from the order of ``card_drawn``.
    """
    contents = {"cards": sorted(cards), "left": len(cards), "entropy": dict(entropy), "pile": number}
    return {"deck": deck, "set": contents}


def opened(deck: str, number: int, link: str) -> dict[str, Any]:
    """The payload of the public event ``deck_changed`` that opens a pile's link: it is exhausted, or the game ended."""
    return {"deck": deck, "set": {"link": link, "opened": number}}


class ChainDecks:
    """Committed decks: one chain of 64 links for each deck, its start published in the campaign's first event."""

    name = "chain"
    __slots__ = ("_chains",)

    def __init__(self, chains: Mapping[str, Chain]) -> None:
        self._chains = dict(chains)

    def pile(self, campaign: str, deck: str, number: int, cards: Sequence[str], entropy: Mapping[str, str]) -> Pile:
        """Shuffle with link ``number``. Raises KeyError for a deck without a chain, ChainExhausted beyond its end."""
        message = deck_message(campaign, deck, number, cards)
        key = derive_key(self._chains[deck].link(number), message, entropy_digest(entropy))
        return Pile(deck, number, shuffled(key, cards), self.name)

    def link(self, deck: str, number: int) -> str | None:
        """The hex link to publish when the pile is opened."""
        return self._chains[deck].link(number).hex()


class RecordedDecks:
    """Piles whose order is given: ruling cases and games played elsewhere.

    A deck's first pile begins with the recorded cards in their order; what is not recorded follows sorted.
    """

    name = "recorded"
    __slots__ = ("_recorded",)

    def __init__(self, recorded: Mapping[str, Sequence[str]]) -> None:
        self._recorded = {deck: tuple(cards) for deck, cards in recorded.items()}

    def pile(self, campaign: str, deck: str, number: int, cards: Sequence[str], entropy: Mapping[str, str]) -> Pile:
        """The recorded order. Raises ValueError where a recorded card is not among the cards of the pile."""
        left = sorted(cards)
        first: list[str] = []
        for card in self._recorded.get(deck, ()) if number == 1 else ():
            if card not in left:
                raise ValueError(f"deck {deck}: {card} is recorded and not among the cards of pile {number}")
            left.remove(card)
            first.append(card)
        return Pile(deck, number, (*first, *left), self.name)

    def link(self, deck: str, number: int) -> str | None:
        """None: a recorded order has no proof."""
        return None


class ThrowawayDecks:
    """Piles for dry runs and what-if branches: repeatable from a seed, unrelated to the campaign's own piles."""

    name = "throwaway"
    __slots__ = ("_seed",)

    def __init__(self, seed: int | str) -> None:
        self._seed = hashlib.sha256(f"pbem/throwaway-deck/v1\n{seed}".encode()).digest()

    def pile(self, campaign: str, deck: str, number: int, cards: Sequence[str], entropy: Mapping[str, str]) -> Pile:
        """Shuffle from the seed alone."""
        message = deck_message(campaign, deck, number, cards)
        return Pile(deck, number, shuffled(derive_key(self._seed, message, bytes(32)), cards), self.name)

    def link(self, deck: str, number: int) -> str | None:
        """None: what is thrown away is not proved."""
        return None
