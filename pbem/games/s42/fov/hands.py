"""Hands, draw piles and discard piles: who holds what, and how a card is drawn, played, discarded and turned.

Which card a face-down copy is, only its holder knows; everything else about it is public (FOV-6.1.1, FOV-6.1.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.board.state import Card, State
from pbem.games.s42.fov.table import CARDS, DECKS, HAND_LIMIT, TYPE_LIMIT, draw_pile_at_start
from pbem.rules.decisions import Refusal
from pbem.rules.script import Game
from pbem.rules.tape import ASIDE

HAND, TABLE, DISCARD = "hand", "table", "discard"
"""Places of a card: in the hand face down, a used weapon face up, the discard pile of its deck."""

KNOWN: Mapping[str, Any] = {"public": True}
"""What is noted of a copy whose name everybody has seen."""

# -- looking ----------------------------------------------------------------------------------------------------------


def cards_of(state: State, power: str) -> list[Card]:
    """All cards a power holds, used weapons too (FOV-1.5, FOV-3.1.1), whatever it lost on the board (FOV-3.2.4).

    Nothing ever gives a card to another power, nor shows one to an ally (FOV-1.6, FOV-6.1.9).
    """
    return [card for card in state.cards.values() if card.power == power and card.place in (HAND, TABLE)]


def unused(state: State, power: str, deck: str | None = None) -> int:
    """How many cards of a power lie face down, of one deck or of all: everybody sees that (FOV-6.1.1)."""
    return sum(1 for card in cards_of(state, power) if card.place == HAND and deck in (None, card.deck))


def ready_copies(state: State, power: str, name: str) -> list[str]:
    """Copies of a card that a power may play now: a face-up weapon may not be (FOV-4.4.2, FOV-4.4.3)."""
    return [card.id for card in cards_of(state, power) if card.name == name and card.place == HAND]


def not_in_hand(state: State, power: str, name: str, used: Sequence[str] = ()) -> Refusal | None:
    """Why a power cannot play a card now; `used` are copies that are played already (FOV-10.2, FOV-4.4.2)."""
    title = CARDS[name].name
    held = cards_of(state, power)
    if any(copy not in used for copy in ready_copies(state, power, name)):
        return None
    if any(card.name == name and card.place == TABLE for card in held):
        return Refusal(f"{title} lies face up: it was used and is ready again after your next draw phase.", "FOV-4.4.2")
    gone = any(card.name == name and card.id in used for card in held)
    why = f"You hold no more {title} than those you play already." if gone else f"You hold no {title}."
    return Refusal(why, "FOV-10.2", "Your hand is in your last report.")


def limit_reached(state: State, power: str, deck: str, leaving: int = 0) -> str | None:
    """`type` if a power must discard a card of that deck before it draws one, `any` if a card of any, else None.

    `leaving` cards of another deck are played before the draw (FOV-3.1.2, FOV-3.1.3, FOV-3.1.6).
    """
    held = cards_of(state, power)
    if sum(1 for card in held if card.deck == deck) >= TYPE_LIMIT:
        return "type"
    return "any" if len(held) - leaving >= HAND_LIMIT else None


def can_draw(state: State, deck: str) -> bool:
    """Whether a card is left in a deck's draw pile or, if that is empty, in its discard pile (FOV-2.3.2)."""
    return bool(state.decks[deck]["left"]) or bool(_discards(state, deck))


def _discards(state: State, deck: str) -> list[Card]:
    """What makes the next pile: the discards, and what was set aside because somebody had seen it."""
    return [card for card in state.cards.values() if card.deck == deck and card.place in (DISCARD, ASIDE)]


# -- the cards at the start -------------------------------------------------------------------------------------------


def set_up(extra_starting_cards: bool) -> list[tuple[str, dict[str, Any]]]:
    """Three draw piles and the starting cards, which are ready and known to all (FOV-1.1 to FOV-1.4, FOV-R01)."""
    piles = {deck: draw_pile_at_start(deck, extra_starting_cards) for deck in DECKS}
    dealt = [(kind.deck, power, kind.id) for kind in CARDS.values() for power in kind.start]
    return [*pile_facts(piles), *hand_facts(dealt)]


def pile_facts(piles: Mapping[str, Sequence[str]]) -> list[tuple[str, dict[str, Any]]]:
    """Draw piles whose order is not made before their first card is needed."""
    return [
        ("deck_changed", {"deck": deck, "set": {"pile": 0, "cards": sorted(cards), "left": len(cards)}})
        for deck, cards in piles.items()
    ]


def hand_facts(
    dealt: Iterable[tuple[str, str, str]], used: Sequence[int] = (), *, starting: bool = True
) -> list[tuple[str, dict[str, Any]]]:
    """Cards that powers hold from the beginning: (deck, power, name); those at the places `used` lie face up.

    Everybody knows those that lie face up and, with `starting`, those that this power starts with (FOV-6.1.1).
    """
    facts: list[tuple[str, dict[str, Any]]] = []
    counts: dict[str, int] = {}
    for place, (deck, power, name) in enumerate(dealt):
        counts[deck] = counts.get(deck, 0) + 1
        up = place in used
        known = up or (starting and power in CARDS[name].start)
        card = f"{deck}-0-{counts[deck]}"
        place_of = TABLE if up else HAND
        told = {"card": card, "deck": deck, "power": power, "place": place_of, "ready": not up, "from": "start"}
        facts.append(("card_drawn", {**told, "name": name, "data": dict(KNOWN)} if known else told))
        if not known:
            facts.append(("card_identified", {"card": card, "name": name}))
    return facts


# -- acts -------------------------------------------------------------------------------------------------------------


def draw(game: Game, power: str, deck: str, rules: Sequence[str]) -> tuple[str, str]:
    """A power draws a deck's top card; an empty pile is made anew of its discards first (FOV-2.3.1, FOV-2.3.2).

    The deck is public, the card is sealed (FOV-6.1.7). Gives the copy's id and its name. What was drawn before a
    rewind is not drawn again, for somebody knows it (FOV-6.1.2).
    """
    game.set_aside(deck, ("FOV-6.1.2",))
    held = game.state.decks[deck]
    if not held["left"]:
        discards = _discards(game.state, deck)
        game.emit("cards_shuffled", {"deck": deck, "cards": [card.id for card in discards]}, ("FOV-2.3.2",))
        game.lay_pile(deck, [card.name or "" for card in discards], ("FOV-2.3.2",))
    elif not held["pile"]:
        game.lay_pile(deck, held["cards"], ("FOV-1.4", "FOV-6.1.7"))
    drawn = game.draw(deck, power, rules)
    open_finished(game, deck)
    return drawn


def reveal(game: Game, copy: str, rules: Sequence[str] = ()) -> None:
    """Everybody may see which card a copy is."""
    card = game.state.cards[copy]
    if not card.data.get("public"):
        game.emit("card_identified", {"card": copy, "name": card.name}, rules)


def put_away(game: Game, copy: str, rules: Sequence[str]) -> None:
    """A card goes face up to the discard pile of its deck (FOV-3.2.1, FOV-6.1.4)."""
    reveal(game, copy)
    game.emit("card_moved", {"card": copy, "place": DISCARD, "power": None, "data": dict(KNOWN)}, rules)
    open_finished(game, game.state.cards[copy].deck)


def use(game: Game, copy: str) -> None:
    """A played card is discarded, a weapon turned face up (FOV-3.2.1, FOV-3.2.2)."""
    card = game.state.cards[copy]
    if CARDS[card.name or ""].one_use:
        put_away(game, copy, ("FOV-3.2.1",))
        return
    reveal(game, copy)
    face_up = {"card": copy, "place": TABLE, "ready": False, "data": dict(KNOWN)}
    game.emit("card_moved", face_up, ("FOV-3.2.2", "FOV-R35"))
    open_finished(game, card.deck)


def turn_down(game: Game, power: str) -> None:
    """The power's used weapons are ready again: on any turn one use between two own draw phases (FOV-2.2.1)."""
    for card in cards_of(game.state, power):
        if card.place == TABLE:
            game.emit("card_moved", {"card": card.id, "place": HAND, "ready": True}, ("FOV-2.2.1", "FOV-3.2.2"))


def open_finished(game: Game, deck: str) -> None:
    """Open the links of piles that are exhausted and of which no card is hidden in a hand any more (FOV-6.1.7).

    They are opened in their order: a link hashes to the one before it, and would show what is hidden of that pile.
    """
    for number in game.state.decks[deck].get("unopened", ()):
        held = game.state.decks[deck]
        if number == held["pile"] and held["left"]:
            return
        start = f"{deck}-{number}-"
        hidden = (card for card in game.state.cards.values() if card.place == HAND and not card.data.get("public"))
        if any(card.id.startswith(start) for card in hidden):
            return
        game.open_pile(deck, number, ("FOV-6.1.7",))


def open_all(game: Game) -> None:
    """The game is over: every pile that was laid out can be checked now (FOV-6.1.7)."""
    for deck in DECKS:
        for number in game.state.decks[deck].get("unopened", ()):
            game.open_pile(deck, number, ("FOV-6.1.7",))
