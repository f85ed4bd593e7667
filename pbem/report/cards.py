"""Victory cards as everybody may see them: what was played and what it did, draws, discards, sizes of hands and piles.

Which cards a hand holds is told to its owner alone, by `pbem.report.private`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State
from pbem.report.ledger import Ledger, Seen
from pbem.report.model import CardNews, CardPile, HandCount

PLAYED, WORKED, ROLLED, DRAWN, DISCARDED, RESEARCHED, NOTHING = (
    "played", "worked", "rolled", "drawn", "discarded", "researched", "nothing",
)  # fmt: skip
NO_NEWS = ("in_force",)
"""Results that say no more than that a card was played."""


class CardBook:
    """Reads events in order and keeps what they say of cards."""

    def __init__(self, ledger: Ledger, before: State) -> None:
        self.ledger = ledger
        self.news: list[CardNews] = []
        self._names: dict[str, str] = {card.id: card.name for card in before.cards.values() if card.name}
        self._owners: dict[str, str] = {card.id: card.power for card in before.cards.values() if card.power}
        self._played: set[str] = set()

    def see(self, event: Seen) -> None:
        """Take in one public event."""
        reader = _READERS.get(event.type)
        if reader is not None:
            reader(self, event.payload, tuple(event.rules))

    def _say(self, kind: str, body: Mapping[str, Any], rules: tuple[str, ...], **more: Any) -> None:
        self.news.append(CardNews(kind, body["power"], rules=rules, **more))

    def _dealt_or_drawn(self, body: Mapping[str, Any], rules: tuple[str, ...]) -> None:
        if body.get("name"):
            self._names[body["card"]] = body["name"]
        if body.get("power"):
            self._owners[body["card"]] = body["power"]
        if body.get("from", "pile") == "pile":
            self._say(DRAWN, body, rules, deck=body["deck"])

    def _identified(self, body: Mapping[str, Any], rules: tuple[str, ...]) -> None:
        self._names[body["card"]] = body["name"]

    def _on_played(self, body: Mapping[str, Any], rules: tuple[str, ...]) -> None:
        self._played.add(body["card"])
        force = self.ledger.sorted_force((row[0], row[1], row[2]) for row in body.get("units", ()))
        self._say(PLAYED, body, rules, name=body["name"], space=body.get("space"), force=force)

    def _on_worked(self, body: Mapping[str, Any], rules: tuple[str, ...]) -> None:
        if body["result"] in NO_NEWS:
            return
        number = body.get("amount", body.get("counted", 0))
        self._say(
            WORKED, body, rules, name=body["name"], space=body.get("space"), result=body["result"], number=number,
            of=body.get("rolled", 0),
        )  # fmt: skip

    def _on_moved(self, body: Mapping[str, Any], rules: tuple[str, ...]) -> None:
        card = body["card"]
        if body.get("place") != "discard" or card in self._played:
            return
        owner = self._owners.get(card, "")
        self.news.append(CardNews(DISCARDED, owner, name=self._names.get(card, ""), rules=rules))

    def _on_rolled(self, body: Mapping[str, Any], rules: tuple[str, ...]) -> None:
        self._say(ROLLED, body, rules, deck=body["deck"], number=body["face"])

    def _on_researched(self, body: Mapping[str, Any], rules: tuple[str, ...]) -> None:
        result = "success" if body["success"] else "failure"
        self._say(RESEARCHED, body, rules, number=body["dice"], result=result)

    def _on_nothing(self, body: Mapping[str, Any], rules: tuple[str, ...]) -> None:
        self._say(NOTHING, body, rules, deck=body["deck"], result=body["why"])


_READERS: Mapping[str, Callable[[CardBook, Mapping[str, Any], tuple[str, ...]], None]] = {
    "card_drawn": CardBook._dealt_or_drawn,
    "card_identified": CardBook._identified,
    "card_played": CardBook._on_played,
    "card_worked": CardBook._on_worked,
    "card_moved": CardBook._on_moved,
    "victory_die_rolled": CardBook._on_rolled,
    "weapon_researched": CardBook._on_researched,
    "nothing_drawn": CardBook._on_nothing,
}


def hand_counts(board: Board, public: State) -> tuple[HandCount, ...]:
    """How many cards of each deck each power holds, and those of them that everybody knows."""
    rows = []
    for power in board.powers:
        held = [card for card in public.cards.values() if card.power == power and card.place in ("hand", "table")]
        if not held:
            continue
        decks = tuple((deck, sum(card.deck == deck for card in held)) for deck in public.decks)
        known = tuple((card.name, card.ready) for card in held if card.name)
        rows.append(HandCount(power, tuple(row for row in decks if row[1]), known))
    return tuple(rows)


def piles(public: State) -> tuple[CardPile, ...]:
    """The draw pile's size and the discards of every deck."""
    rows = []
    for deck, held in public.decks.items():
        names: dict[str, int] = {}
        for card in public.cards.values():
            if card.deck == deck and card.place == "discard" and card.name:
                names[card.name] = names.get(card.name, 0) + 1
        rows.append(CardPile(deck, held.get("left", 0), tuple(names.items())))
    return tuple(rows)

