"""Piles and draws within a run: what is on the tape is taken from there, what is new comes from the committed decks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pbem.board.state import State
from pbem.dice.deck import DeckSource, Pile, laid, opened
from pbem.rules.tape import ASIDE, TapeEvent, VoidCards


class Run(Protocol):
    """What is needed of a run: its campaign and position, the event next on its tape, and to state one."""

    campaign: str

    @property
    def state(self) -> State: ...
    def next_script(self) -> TapeEvent | None: ...
    def emit(
        self,
        event_type: str,
        payload: Mapping[str, Any],
        rules: Iterable[str] = (),
        *,
        readers: Iterable[str] | None = None,
    ) -> None: ...


@dataclass
class CardTable:
    """The decks of one run. `void` tells what rewinds took back of them (FOV-6.1.7, FOV-R57)."""

    run: Run
    source: DeckSource
    void: VoidCards
    _piles: dict[tuple[str, int], Pile] = field(default_factory=dict)

    def lay_pile(self, deck: str, cards: Sequence[str], rules: Iterable[str]) -> None:
        """A new pile of these cards; its link was never used, not even in a void stretch."""
        held = self.run.state.decks.get(deck, {})
        number = max(held.get("pile", 0), self.void.piles.get(deck, 0)) + 1
        recorded = self.run.next_script()
        if recorded is not None and recorded.type == "deck_changed" and recorded.payload["deck"] == deck:
            number = recorded.payload["set"].get("pile", number)
        contents = laid(deck, number, cards, dict(sorted(self.run.state.entropy.items())))
        contents["set"]["unopened"] = [*held.get("unopened", ()), number]
        self.run.emit("deck_changed", contents, rules)

    def set_aside(self, deck: str, rules: tuple[str, ...]) -> None:
        """Take off the pile what somebody drew before a rewind: who knows it would know another's hand."""
        while self._was_seen(deck):
            card, place = self._top(deck)
            self.run.emit("card_drawn", {"card": card, "deck": deck, "power": None, "place": ASIDE}, rules)
            self._identify(deck, card, place, rules, ())

    def draw(self, deck: str, power: str, rules: tuple[str, ...]) -> tuple[str, str]:
        """The top card into a hand: its copy's id and its name, sealed to that power."""
        card, place = self._top(deck)
        self.run.emit("card_drawn", {"card": card, "deck": deck, "power": power, "place": "hand"}, rules)
        return card, self._identify(deck, card, place, rules, (power,))

    def open_pile(self, deck: str, number: int, rules: Iterable[str]) -> None:
        """Publish the link of a pile of which nothing is hidden any more, if the decks give it."""
        recorded = self.run.next_script()
        if recorded is not None and recorded.type == "deck_changed" and recorded.payload["set"].get("opened") == number:
            link: str | None = recorded.payload["set"]["link"]
        else:
            link = self.source.link(deck, number)
        if link is not None:
            contents = opened(deck, number, link)
            left = self.run.state.decks[deck].get("unopened", ())
            contents["set"]["unopened"] = [pile for pile in left if pile != number]
            self.run.emit("deck_changed", contents, rules)

    def _was_seen(self, deck: str) -> bool:
        """Whether the top card was drawn in a void stretch; on the tape, whether it was set aside there."""
        recorded = self.run.next_script()
        if recorded is not None:
            body = recorded.payload
            return recorded.type == "card_drawn" and body["deck"] == deck and body["place"] == ASIDE
        held = self.run.state.decks[deck]
        return bool(held["left"]) and self._top(deck)[1] < self.void.places.get((deck, held["pile"]), 0)

    def _top(self, deck: str) -> tuple[str, int]:
        """The copy on top of a deck's pile, and its place in the pile."""
        held = self.run.state.decks[deck]
        place = len(held["cards"]) - held["left"]
        return f"{deck}-{held['pile']}-{place + 1}", place

    def _identify(self, deck: str, card: str, place: int, rules: tuple[str, ...], readers: tuple[str, ...]) -> str:
        """Seal which card a copy is, for those who may know it; its name."""
        recorded = self.run.next_script()
        if recorded is not None and recorded.type == "card_identified" and recorded.payload.get("card") == card:
            name = str(recorded.payload["name"])
        else:
            name = self._pile(deck, self.run.state.decks[deck]).order[place]
        self.run.emit("card_identified", {"card": card, "name": name}, rules, readers=readers)
        return name

    def _pile(self, deck: str, held: Mapping[str, Any]) -> Pile:
        key = (deck, held["pile"])
        if key not in self._piles:
            self._piles[key] = self.source.pile(self.run.campaign, deck, held["pile"], held["cards"], held["entropy"])
        return self._piles[key]
