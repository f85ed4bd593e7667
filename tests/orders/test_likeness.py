"""What counts as a line of orders for mail intake, and what is talk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.orders.gazetteer import gazetteer
from pbem.orders.likeness import like_orders
from pbem.orders.read import ReadContext, read_orders

ORDERS = (
    "3 inf Kwangsi -> Yunnan",
    "3 步兵 廣西 -> 雲南",
    "2 inf Siam -> Atlantis",
    "3 infx Kwangsi -> Yunnan",
    "ready",
    "same",
    "rest default",
    "cancel combat_move",
    "retreat if odds < 40%",
    "casualties Yunnan: infantry first",
    "ENTROPY the quick brown fox",
    "PRESS TO china",
    "ENDPRESS",
)
TALK = (
    "",
    "   ",
    "-----",
    "Thanks, see you tomorrow",
    "orders attached",
    "This message is in HTML. Please enable HTML to read it.",
    "Sent from my telephone",
    "I am away until 20 August. You wrote:",
)


@pytest.mark.parametrize("line", ORDERS)
def test_orders_and_commands_look_like_orders(line: str) -> None:
    assert like_orders("p40", "2e")(line)


@pytest.mark.parametrize("line", TALK)
def test_talk_does_not(line: str) -> None:
    assert not like_orders("p40", "2e")(line)


@given(st.text(max_size=60))
def test_whatever_the_reader_takes_looks_like_an_order(line: str) -> None:
    line = " ".join(line.splitlines())
    results = read_orders(line, gazetteer("p40", "2e"), ReadContext(game="p40", edition="2e", powers=(), phase=None))
    if any(result.status == "accepted" for result in results):
        assert like_orders("p40", "2e")(line)
