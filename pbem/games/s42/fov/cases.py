"""Positions of ruling cases: hands, piles and effects as a case's `given` describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.s42.fov import hands
from pbem.games.s42.fov.plays import PLAYS, Play, lent_by
from pbem.games.s42.fov.table import CARDS, DECKS, draw_pile_at_start, whole_deck
from pbem.rules.names import find_power, find_space
from pbem.rules.ruleset import RuleSet

Fact = tuple[str, dict[str, Any]]


def case_facts(rules: RuleSet, given: Mapping[str, Any]) -> list[Fact]:
    """Cards in hand, draw and discard piles, effects in force; without a set-up only what is named is held.

    A deck that the case does not name holds what is in nobody's hand. Raises KeyError for a card that there is not.
    """
    from_setup = given.get("from", "nothing") == "setup"
    held: dict[str, list[tuple[str, bool]]] = {}
    if from_setup:
        for power in rules.board.powers:
            held[power] = [(kind.id, True) for kind in CARDS.values() if power in kind.start]
    for name, row in (given.get("powers") or {}).items():
        if "cards" in row:
            held[find_power(rules.board, name)] = [_card(card) for card in row["cards"]]
    dealt = [(CARDS[name].deck, power, name) for power, cards in held.items() for name, _ in cards]
    ready = [is_ready for cards in held.values() for _, is_ready in cards]
    used = [place for place, is_ready in enumerate(ready) if not is_ready]
    piles = hands.pile_facts(_piles(rules, given, dealt, from_setup))
    return [*piles, *hands.hand_facts(dealt, used, starting=from_setup), *_discards(given), *_effects(rules, given)]


def _card(said: Any) -> tuple[str, bool]:
    name, ready = (said, True) if isinstance(said, str) else (said["id"], bool(said.get("ready", True)))
    return CARDS[name].id, ready


def _piles(
    rules: RuleSet, given: Mapping[str, Any], dealt: list[tuple[str, str, str]], setup: bool
) -> dict[str, list[str]]:
    piles = {}
    named = given.get("decks") or {}
    for deck in DECKS:
        if "draw" in named.get(deck, {}):
            piles[deck] = list(named[deck]["draw"])
            continue
        pile = draw_pile_at_start(deck, bool(rules.parameter("starting_cards_extra"))) if setup else whole_deck(deck)
        for other, _, name in dealt if not setup else ():
            if other == deck and name in pile:
                pile.remove(name)
        piles[deck] = pile
    return piles


def _discards(given: Mapping[str, Any]) -> list[Fact]:
    facts: list[Fact] = []
    for deck, row in (given.get("decks") or {}).items():
        for place, name in enumerate(row.get("discard", ()), start=1):
            facts.append((
                "card_drawn",
                {"card": f"{deck}-discard-{place}", "deck": deck, "power": None, "place": hands.DISCARD, "name": name,
                 "from": "case", "data": dict(hands.KNOWN)},
            ))  # fmt: skip
    return facts


def _effects(rules: RuleSet, given: Mapping[str, Any]) -> list[Fact]:
    """Card effects in force: lent bombers, and cards that were laid on a battle of this turn."""
    facts: list[Fact] = []
    rows: list[dict[str, Any]] = []
    for effect in given.get("effects") or ():
        by = find_power(rules.board, effect["by"])
        if effect["card"] == "combined_bomber_offensive":
            partner = find_power(rules.board, effect["partner"])
            facts.append(("mark_set", {"key": lent_by(by, partner), "value": True}))
        else:
            space = find_space(rules.board, effect["space"]) if effect.get("space") else None
            rows.append(Play(CARDS[effect["card"]].id, by, f"effect-{len(rows)}", space).to_json())
    if rows:
        facts.append(("mark_set", {"key": PLAYS, "value": rows}))
    return facts
