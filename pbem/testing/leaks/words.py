"""What must not be read by whom, at a moment of a campaign: hidden cards, sealed lines, addresses and keys of others.

A name counts as hidden from a reader only where it gives something away: somebody else holds such a card face down, and
nothing that the reader may see names one. A card that was played or discarded is no secret, nor is a name that the
reader holds himself; that a deck's list of cards names every card is taken care of by `open_to_all`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.board.evolve import fold
from pbem.board.state import State
from pbem.log.event import Event, may_read, opened_by
from pbem.log.live import live
from pbem.report.words import Words
from pbem.rules.texts import book, books
from pbem.testing.leaks.search import Word

SENTENCE = 50
"""Letters of a rule's text that make it more than the name of a card."""
LINE = 15
"""Letters that make a line somebody's own; shorter ones are said by everybody."""
Powers = frozenset[str]
"""What a reader plays: empty for the public."""


def hidden_cards(events: Sequence[Event], reader: Powers) -> dict[str, str]:
    """Names of cards that `events` (fully readable) hide from a reader, with who holds one of them.

    Only names that nothing names to this reader: to find one of them in anything of his is to have found a leak.
    """
    known = set(_names_told(events, reader))
    held: dict[str, str] = {}
    for card in fold(State(), live(events)).cards.values():
        if card.name and card.power not in reader and card.power is not None and card.name not in known:
            held.setdefault(card.name, f"{card.power} holds {card.id}")
    return held


def _names_told(events: Sequence[Event], reader: Powers) -> Iterator[str]:
    """Names of cards in what a reader may see: his own cards, those that were ever shown, those in lines of orders."""
    opened = opened_by(events)
    all_names = {str(event.payload["name"]) for event in events if event.type in ("card_drawn", "card_identified")
                 and event.payload.get("name")}  # fmt: skip
    for event in events:
        if may_read(event, reader, opened) and event.type != "deck_changed":
            said = set(_texts(event.payload))
            yield from (name for name in all_names if name in said or any(name in text for text in said if " " in text))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def open_to_all(events: Iterable[Event]) -> list[str]:
    """Passages that name cards and give nothing away: the list of each deck's cards, and the texts of the rules."""
    lists = (event.payload["set"].get("cards") for event in events if event.type == "deck_changed")
    decks = ['"cards":' + json.dumps(names, separators=(",", ":")) for names in lists if names]
    rules = [rule.text for prefix in books() for rule in book(prefix).values() if len(rule.text) > SENTENCE]
    return list(dict.fromkeys([*decks, *rules]))


def sealed_lines(events: Sequence[Event], reader: Powers) -> dict[str, str]:
    """Lines of orders, answers and standing orders of others that nothing has opened, with whose they are."""
    opened = opened_by(events)
    told = "\n".join(text for event in events if may_read(event, reader, opened) for text in _texts(event.payload))
    secret: dict[str, str] = {}
    for event in events:
        if not may_read(event, reader, opened):
            for text in _lines(event.payload):
                if len(text) > LINE and text not in told:
                    secret.setdefault(text, f"{'/'.join(event.readers or ())} said it in event {event.seq}")
    return secret


def _lines(value: Any) -> Iterator[str]:
    """The texts of lines in a payload: what stands beside an order."""
    if isinstance(value, Mapping):
        if "text" in value and "order" in value:
            yield str(value["text"])
        for inner in value.values():
            yield from _lines(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _lines(inner)


def salts(events: Sequence[Event], reader: Powers) -> dict[bytes, str]:
    """The salts of what a reader may not see: with one of them a hidden card could be found by trying all."""
    opened = opened_by(events)
    return {event.salt: f"salt of event {event.seq}" for event in events if not may_read(event, reader, opened)}


# -- as words ---------------------------------------------------------------------------------------------------------


def card_word(name: str, words: Sequence[Words]) -> Word:
    """A card by its id, its names in all languages, and what it does."""
    said = [spelling for one in words for spelling in (one.card(name), one.card_effect(name))]
    return Word(f"card {name}", tuple(dict.fromkeys((name, *said))))


def line_word(text: str) -> Word:
    """A line of orders."""
    return Word(f"line {text!r}", (text,))


def bytes_word(name: str, raw: bytes) -> Word:
    """A key or salt, as it is and in hexadecimal."""
    return Word(name, (raw.hex(),), (raw,))


def words_for(
    events: Sequence[Event], reader: Powers, words: Sequence[Words], others: Iterable[Word] = ()
) -> list[Word]:
    """All that a reader may not find when the campaign has these events; `others` are tokens and keys not his own."""
    return [
        *(card_word(name, words) for name in hidden_cards(events, reader)),
        *(line_word(text) for text in sealed_lines(events, reader)),
        *(bytes_word(name, salt) for salt, name in salts(events, reader).items()),
        *others,
    ]
