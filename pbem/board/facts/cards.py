"""Decks and cards: piles, hands, plays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.board.draft import Fact, Payload, on
from pbem.board.state import SEALED_PHASES, Card, orders_key, without_lines


@on("deck_changed", "decks")
def _deck_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{deck, set: {...}}: sizes of piles, number of the pile, links opened."""
    draft.decks[p["deck"]] = {**draft.decks.get(p["deck"], {}), **p["set"]}


@on("card_drawn", "cards", "decks")
def _card_drawn(draft: Any, p: Payload, event: Fact) -> None:
    """{card, deck, power, place, name?, ready?, data?, from?}: a copy comes into play; its name is public where given.

    It is the top card of its deck's pile, unless `from` says otherwise; with place `aside` it is nobody's.
    """
    draft.cards[p["card"]] = Card(
        p["card"], p["deck"], p["place"], p["power"], p.get("name"), p.get("ready", True), p.get("data", {})
    )
    deck = draft.decks.get(p["deck"])
    if deck is not None and deck.get("left") and p.get("from", "pile") == "pile":
        draft.decks[p["deck"]] = {**deck, "left": deck["left"] - 1}


@on("card_identified", "cards")
def _card_identified(draft: Any, p: Payload, event: Fact) -> None:
    """{card, name}: sealed to the holder, or public when a card is played."""
    draft.cards[p["card"]] = replace(draft.cards[p["card"]], name=p["name"])


@on("card_moved", "cards")
def _card_moved(draft: Any, p: Payload, event: Fact) -> None:
    """{card, place, power?, ready?, data?}."""
    card = draft.cards[p["card"]]
    draft.cards[p["card"]] = replace(
        card,
        place=p.get("place", card.place),
        power=p.get("power", card.power),
        ready=p.get("ready", card.ready),
        data=p.get("data", card.data),
    )


@on("cards_shuffled", "cards")
def _cards_shuffled(draft: Any, p: Payload, event: Fact) -> None:
    """{deck, cards}: these copies leave play, to lie unknown in the deck's next pile."""
    for card in p["cards"]:
        del draft.cards[card]


@on("answers_weighed", "standing", "orders")
def _answers_weighed(draft: Any, p: Payload, event: Fact) -> None:
    """{power, moment, played, refused: [{text, reason, rule, suggestion}], spent, ordered}: sealed to its power.

    What its sealed lines came to at one moment; lines spent are in force no more: `spent` of its answers and standing
    orders, `ordered` of its orders for the turn.
    """
    power = p["power"]
    if p["spent"] and power in draft.standing:
        draft.standing[power] = without_lines(draft.standing[power], p["spent"])
    for phase in SEALED_PHASES if p["ordered"] else ():
        key = orders_key(power, phase)
        if key in draft.orders:
            left = without_lines(draft.orders[key], p["ordered"])
            if left:
                draft.orders[key] = left
            else:
                del draft.orders[key]
