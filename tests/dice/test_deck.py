"""Piles are whole, repeatable, and follow the link, the deck, the number and the players' texts."""

import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.dice import Chain, ChainDecks, RecordedDecks, ThrowawayDecks, deck_message, shuffled, text_hash

CARDS = ["fighter_ace", "heavy_tank", "heavy_tank", "hidden_factory", "jet_power"]


def decks(seed: int = 7) -> ChainDecks:
    return ChainDecks({"red": Chain(bytes([seed]) * 32, 64), "blue": Chain(bytes([seed + 1]) * 32, 64)})


def test_the_message_is_five_lines() -> None:
    assert deck_message("c1", "red", 2, ["b", "a", "b"]) == b'pbem/deck/v1\nc1\nred\n2\n["a","b","b"]'


@given(st.binary(min_size=32, max_size=32), st.lists(st.sampled_from(CARDS), max_size=60))
def test_a_shuffle_keeps_every_card_and_ignores_the_order_it_was_given(key: bytes, cards: list[str]) -> None:
    order = shuffled(key, cards)
    assert Counter(order) == Counter(cards)
    assert shuffled(key, list(reversed(cards))) == order


def test_a_shuffle_by_hand() -> None:
    key = bytes(range(32))
    block = hmac.digest(key, (0).to_bytes(4, "big"), "sha256")
    words = [int.from_bytes(block[at : at + 4], "big") for at in (0, 4)]
    order = ["a", "b", "c"]
    for size, word in zip((3, 2), words, strict=True):
        order[size - 1], order[word % size] = order[word % size], order[size - 1]
    assert shuffled(key, ["c", "a", "b"]) == tuple(order)


def test_all_orders_come_about_as_often() -> None:
    seen = Counter(shuffled(number.to_bytes(32, "big"), ["a", "b", "c", "d"]) for number in range(4_800))
    assert len(seen) == 24
    chi_squared = sum((count - 200) ** 2 / 200 for count in seen.values())
    assert chi_squared < 49.8  # 23 degrees of freedom, one in a thousand


def test_a_pile_follows_everything_that_makes_it() -> None:
    cards = [f"card_{number:02}" for number in range(30)]
    first = decks().pile("c1", "red", 1, cards, {}).order
    assert decks().pile("c1", "red", 1, cards, {}).order == first
    others = [
        decks().pile("c2", "red", 1, cards, {}).order,
        decks().pile("c1", "blue", 1, cards, {}).order,
        decks().pile("c1", "red", 2, cards, {}).order,
        decks().pile("c1", "red", 1, cards, {"japan": text_hash("")}).order,
        decks(9).pile("c1", "red", 1, cards, {}).order,
    ]
    assert first not in others
    assert len(set(others)) == len(others)


def test_a_link_is_opened_by_number() -> None:
    assert decks().link("red", 1) == Chain(bytes([7]) * 32, 64).link(1).hex()


def test_recorded_piles_begin_with_what_is_recorded() -> None:
    recorded = RecordedDecks({"red": ["jet_power", "heavy_tank"]})
    assert recorded.pile("c1", "red", 1, CARDS, {}).order == (
        "jet_power", "heavy_tank", "fighter_ace", "heavy_tank", "hidden_factory",
    )  # fmt: skip
    assert recorded.pile("c1", "red", 2, ["b", "a"], {}).order == ("a", "b")
    with pytest.raises(ValueError, match="jet_power is recorded"):
        recorded.pile("c1", "red", 1, ["heavy_tank"], {})


def test_throw_away_piles_repeat_by_seed() -> None:
    cards = [f"card_{number:02}" for number in range(30)]
    assert ThrowawayDecks(1).pile("c1", "red", 1, cards, {}) == ThrowawayDecks(1).pile("c1", "red", 1, cards, {})
    assert ThrowawayDecks(1).pile("c1", "red", 1, cards, {}) != ThrowawayDecks(2).pile("c1", "red", 1, cards, {})


@pytest.mark.parametrize(("deck", "number"), [("red\n", 1), ("", 1), ("紅", 1), ("red", 0)])
def test_what_could_be_spelled_two_ways_is_refused(deck: str, number: int) -> None:
    with pytest.raises(ValueError, match="deck: "):
        deck_message("c1", deck, number, ["a"])
