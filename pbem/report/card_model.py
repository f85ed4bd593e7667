"""What a report says of victory cards, as frozen values: hands, plays with what they did, draws, piles."""

from __future__ import annotations

from dataclasses import dataclass

Force = tuple[tuple[str, str, int], ...]
"""Units as (owner, kind, count), in the order of powers and of the unit table."""


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in the reader's hand; `new` if it came in what is told.

    `moments` are when it may be played, `order` is an example of a line that plays it.
    """

    power: str
    name: str
    deck: str
    ready: bool
    new: bool = False
    moments: tuple[str, ...] = ()
    order: str = ""


@dataclass(frozen=True, slots=True)
class CardOrigin:
    """Where a copy came from: its place in a pile (pile 0: dealt at the start, known to all).

    `sealed` is the event that bound its name when it was drawn, `opened` the one that published that event.
    """

    pile: int
    place: int
    sealed: int | None = None
    opened: int | None = None


@dataclass(frozen=True, slots=True)
class CardResult:
    """One thing that a played card did: `kind` names it; `dice` are (hit, face), `force` units it created."""

    kind: str
    number: int = 0
    of: int = 0
    dice: tuple[tuple[bool, int], ...] = ()
    space: str | None = None
    force: Force = ()


@dataclass(frozen=True, slots=True)
class CardNews:
    """Something that happened with victory cards, as everybody may know it.

    `kind`: `played`, `rolled` (the victory die), `drawn`, `discarded`, `researched`, `nothing` (drawn). `number` and
    `result` are what a roll or research came to; `force` the units a card was played on, `results` what it did there.
    """

    kind: str
    power: str
    name: str = ""
    deck: str = ""
    space: str | None = None
    force: Force = ()
    result: str = ""
    number: int = 0
    rules: tuple[str, ...] = ()
    origin: CardOrigin | None = None
    results: tuple[CardResult, ...] = ()


@dataclass(frozen=True, slots=True)
class HandCount:
    """Cards a power holds: how many of each deck, and those everybody knows as (name, ready)."""

    power: str
    decks: tuple[tuple[str, int], ...]
    known: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class CardPile:
    """A deck: the size of its draw pile, and its discards as (name, count)."""

    deck: str
    left: int
    discards: tuple[tuple[str, int], ...]
