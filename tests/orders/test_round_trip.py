"""Whatever can be ordered can be printed and read back to the same order, in both languages, in every game."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.write import write
from pbem.rules.order_model import ORDER_TYPES, Order, from_json, to_json
from tests.orders.strategies import Orders

GAMES = {"p40": ("2e", ()), "s42": ("", ("fov",)), "classic": ("2e", ("err",)), "p01": ("", ("wwm",))}


@cache
def strategies(game: str) -> dict[str, st.SearchStrategy[Order]]:
    edition, variants = GAMES[game]
    return Orders(gazetteer(game, edition), variants).types()


def test_every_type_of_order_has_a_strategy() -> None:
    covered = set().union(*(strategies(game) for game in GAMES))
    assert covered == set(ORDER_TYPES) - {"retreat_part", "battle_note"}, "parts and notes are no orders of their own"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_printed_reads_back(game: str, language: str, data: st.DataObject) -> None:
    edition, variants = GAMES[game]
    names = gazetteer(game, edition)
    types = strategies(game)
    kind = data.draw(st.sampled_from(sorted(types)))
    order = data.draw(types[kind])
    text = write(order, names, language)
    context = ReadContext(game, edition, variants, powers=("usa",), phase="combat_move")
    results = read_orders(text, names, context)
    assert [(item.status, item.reason, item.order) for item in results] == [("accepted", "", order)], text


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_json_round_trip(game: str, data: st.DataObject) -> None:
    types = strategies(game)
    order = data.draw(types[data.draw(st.sampled_from(sorted(types)))])
    assert from_json(to_json(order)) == order
