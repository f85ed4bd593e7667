"""The thirty-one victory cards as data: decks, counts, when and by whom a card is played, the rules it stands under.

What a card does is in the chapters of this package; its line in `cards.json` is what they have in common.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

WEAPONS, TACTICS, FORTUNE = "weapons", "tactics", "fortune"
DECKS = (WEAPONS, TACTICS, FORTUNE)
"""The three decks; two faces of the victory die stand for each, in this order (FOV-1.1, FOV-1.7)."""

MOVE, ATT, DEF, DMG, ROLL, MOB, INC = "MOVE", "ATT", "DEF", "DMG", "ROLL", "MOB", "INC"
"""When cards are played: with the moves, after them by the attacker, then by the defenders, before the damage of a
raid, after the dice of a fire step, at mobilization, when income is collected (FOV-4.1.3)."""

DRAW_PHASE = "draw_card"
HAND_LIMIT, TYPE_LIMIT = 7, 5
"""A hand holds no more cards in all, and no more of one deck (FOV-3.1.1)."""


@dataclass(frozen=True, slots=True)
class CardKind:
    """One line of the table: a card's id and name, its deck and number, who starts with one, and its moments.

    `one_use` cards go to the discard pile when played, weapons lie face up until the owner's next draw (FOV-3.2.1,
    FOV-3.2.2). `rules` are the rules of its text, `order` is an order that plays it.
    """

    id: str
    name: str
    deck: str
    count: int
    start: tuple[str, ...]
    moments: tuple[str, ...]
    one_use: bool
    rules: tuple[str, ...]
    order: str

    @property
    def for_battle(self) -> bool:
        """Whether it tells in a battle or raid: rockets, disasters and lent bombers belong to none."""
        return self.id not in ("rocket_strike", "force_majeure", "combined_bomber_offensive")

    def moments_under(self, chosen: Mapping[str, Any]) -> tuple[str, ...]:
        """When it is played with the switches of a campaign: Fog of War may be a reaction to a miss (FOV-R25)."""
        return (ROLL,) if self.id == "fog_of_war" and chosen["fog_as_reaction"] else self.moments

    def own_turn(self, chosen: Mapping[str, Any]) -> bool:
        """Whether it may be played in its holder's own turn at a fixed moment."""
        return any(moment in (MOVE, ATT, MOB, INC) for moment in self.moments_under(chosen))


def _read() -> dict[str, CardKind]:
    text = resources.files(__package__).joinpath("cards.json").read_text(encoding="utf-8")
    return {
        row["id"]: CardKind(
            row["id"], row["name"], row["deck"], row["count"], tuple(row["start"]), tuple(row["window"]),
            row["one_use"], tuple(row["rules"]), row["order"],
        )
        for row in json.loads(text)
    }  # fmt: skip


CARDS: Mapping[str, CardKind] = _read()
"""Every card by its id, in the order of the table (FOV-1.1: 33 + 35 + 35 cards)."""

OPTIONS: Mapping[str, Any] = {
    "starting_cards_extra": False,
    "draw_needs_foreign_land": False,
    "fighter_ace_own_only": False,
    "one_card_per_battle": False,
    "rail_gun_exact": False,
    "long_range_distinct_bases": False,
    "torpedoes_one_of_each": False,
    "fortification_land_only": False,
    "fog_as_reaction": False,
    "weather_spares_landings": False,
}
"""What a table may choose otherwise (FOV-R01, R05, R10, R11, R14, R16, R18, R23, R25, R28)."""


def deck_of_face(face: int) -> str:
    """The deck that a face of the victory die names (FOV-1.7, FOV-R03)."""
    return DECKS[(face - 1) // 2]


def whole_deck(deck: str) -> list[str]:
    """Every card of a deck as printed, sorted."""
    return sorted(kind.id for kind in CARDS.values() if kind.deck == deck for _ in range(kind.count))


def draw_pile_at_start(deck: str, extra_starting_cards: bool) -> list[str]:
    """A deck without the starting cards, which are among the printed counts (FOV-1.3, FOV-R01)."""
    pile = whole_deck(deck)
    if not extra_starting_cards:
        for kind in CARDS.values():
            for _ in kind.start if kind.deck == deck else ():
                pile.remove(kind.id)
    return pile
