"""Orders as JSON: the same reading as text, strict shapes, limits, and problems that say where they are."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.orders.document import read_entries, same_orders
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, accepted_orders, read_orders
from pbem.rules.order_model import Entropy, Load, Move, Order, Pick, PressOn, to_json
from schemas.loading import JsonRefused, load_json_bytes
from schemas.orders import LineResultSchema, OrdersDocument, OrdersDocumentSchema, read_orders_document

NAMES = gazetteer("p40", "2e")
CONTEXT = ReadContext("p40", "2e", powers=("japan",), phase="combat_move")
GOOD: list[Order] = [
    Move((Pick("infantry", 3),), ("kwangsi", "yunnan")),
    Move((Pick("infantry", 2),), ("siam", "shan-state")),
]
DOCUMENT = {"campaign": "p40-17", "power": "japan", "orders": [to_json(order) for order in GOOD]}


def bytes_of(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_makes_no_difference(mark: bytes) -> None:
    document, problems = read_orders_document(mark + bytes_of(DOCUMENT))
    assert problems == ()
    assert document == OrdersDocument(tuple(GOOD), None, "p40-17", "japan", None)
    assert accepted_orders(read_entries(document.orders, NAMES, CONTEXT)) == tuple(GOOD)


def test_entries_may_be_lines_of_text() -> None:
    document, problems = read_orders_document(bytes_of({"orders": ["3 inf Kwangsi -> Yunnan", to_json(GOOD[1])]}))
    assert document is not None, problems
    results = read_entries(document.orders, NAMES, CONTEXT)
    assert accepted_orders(results) == tuple(GOOD)
    assert [item.line for item in results] == [1, 2]


@pytest.mark.parametrize(
    ("value", "where", "words"),
    [
        ({"orders": [], "colour": "red"}, "colour", "Unknown field"),
        ({"power": "japan"}, "", "missing"),
        ({"orders": "3 inf"}, "orders", "list"),
        ({"orders": [{"type": "march"}]}, "orders[0]", "no kind of order"),
        ({"orders": ["x", {"type": "buy", "item": "infantry", "count": "2"}]}, "orders[1]", "whole number"),
        ({"orders": ["x", {"type": "buy", "item": "infantry", "price": 2}]}, "orders[1]", "unknown field 'price'"),
        ({"orders": [{"type": "buy"}]}, "orders[0]", "item is missing"),
        ({"orders": [{"type": "move", "units": [{"kind": "infantry", "count": True}], "path": ["a", "b"]}]},
         "orders[0]", "order.units[0].count"),
        ({"orders": [3]}, "orders[0]", '"type"'),
        ({"orders": [""]}, "orders[0]", "empty"),
        ({"orders": ["x" * 5000]}, "orders[0]", "4000"),
        ({"orders": ["x"] * 2001}, "orders", "2000"),
        ({"text": "x" * 1_000_001}, "text", "1000000"),
        ({"orders": [], "ready": 1}, "ready", "boolean"),
        ({"orders": [], "campaign": "../etc"}, "campaign", "letters"),
        ([], "", "object"),
    ],
)  # fmt: skip
def test_each_problem_says_where_and_what(value: object, where: str, words: str) -> None:
    document, problems = read_orders_document(bytes_of(value))
    if document is None:
        assert [problem.where for problem in problems] == [where]
        assert words in problems[0].what
    else:
        pytest.fail("accepted")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[" * 100_000, "levels deep"),
        (b'{"a":' * 60 + b"1" + b"}" * 60, "levels deep"),
        (b'{"orders": [], "orders": []}', "twice"),
        (b'{"orders": [NaN]}', "no number"),
        (b'{"orders": [1.5]}', "whole number"),
        (b'{"orders": [' + b"9" * 400 + b"]}", "too many digits"),
        (b"\xff\xfe{\x00}\x00", "UTF-8"),
        (b'{"orders": [', "line 1"),
        (b"", "line 1"),
        (b" " * 4_000_001, "at most"),
    ],
)
def test_bytes_that_are_no_document(data: bytes, words: str) -> None:
    with pytest.raises(JsonRefused, match=words):
        load_json_bytes(data)
    assert read_orders_document(data)[0] is None


def test_brackets_in_strings_do_not_nest() -> None:
    assert load_json_bytes(bytes_of({"text": "[" * 100 + '"\\'}))["text"].startswith("[[")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    document, problems = read_orders_document(data)
    assert (document is None) == bool(problems)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "units", "path", "kind", "count", "space", "when", "op", "of"]), inner
        )
    ),
    max_leaves=8,
)


@settings(max_examples=200)
@given(st.lists(JSON_VALUES, max_size=3))
def test_no_document_raises(entries: list[object]) -> None:
    document, problems = read_orders_document(bytes_of({"orders": entries}))
    assert (document is None) == bool(problems)
    if document is not None:
        results = read_entries(document.orders, NAMES, CONTEXT)
        assert {item.line for item in results} <= set(range(1, len(entries) + 1))


def test_unknown_names_in_json_are_refused_like_text() -> None:
    (result,) = read_entries([Move((Pick("infantry", 2),), ("siam", "atlantis"))], NAMES, CONTEXT)
    assert (result.status, result.reason) == ("refused", 'unknown space "atlantis"')


@pytest.mark.parametrize(
    "order",
    [
        PressOn("hunan\nready"),
        Move((Pick("infantry", 2),), ("kwangsi -> yunnan; ready", "hunan")),
        Move((Pick("infantry -> hunan", 2),), ("kwangsi", "hunan")),
        Entropy("a\nready"),
        PressOn("hunan if odds < 3%"),
    ],
)
def test_a_value_cannot_smuggle_in_another_order(order: Order) -> None:
    results = read_entries([order], NAMES, CONTEXT)
    assert [item.status for item in results] == ["refused"]


def test_values_that_no_order_knows_are_refused() -> None:
    from pbem.rules.order_model import Casualties, Condition, Retreat

    for order in (
        Casualties("hunan", (Pick("infantry"),), which="dessert"),
        Retreat("hunan", side="upstairs"),
        PressOn("hunan", Condition("maybe", "odds", 3)),
        PressOn("hunan", Condition("lt", "weather", 3)),
    ):
        (result,) = read_entries([order], NAMES, CONTEXT)
        assert result.status == "refused", order
        assert result.reason


def test_json_boarding_is_boarding_however_it_is_said() -> None:
    (result,) = read_entries([Move((Pick("infantry", 2),), ("japan", "sz-6"))], NAMES, CONTEXT)
    assert result.order == Load((Pick("infantry", 2),), "japan", "sz-6")


def test_a_text_and_a_document_that_differ_are_told_apart() -> None:
    text = read_orders("3 inf Kwangsi -> Yunnan", NAMES, CONTEXT)
    assert same_orders(text, read_entries([GOOD[0]], NAMES, CONTEXT))
    assert not same_orders(text, read_entries([GOOD[1]], NAMES, CONTEXT))


def test_the_answer_lists_every_line() -> None:
    results = read_orders("3 inf Kwangsi -> Yunnan\n2 inf Siam -> Yunan\nThanks", NAMES, CONTEXT)
    listed = LineResultSchema(many=True).dump(results)
    assert [set(row) for row in listed] == [
        {"line", "text", "status", "canonical", "reason", "rule", "suggestions"}
    ] * 3  # fmt: skip
    assert [row["status"] for row in listed] == ["accepted", "refused", "ignored"]
    assert listed[1]["suggestions"] == ["Yunnan", "Hunan"]
    assert not LineResultSchema(many=True).validate(listed)


def test_a_document_can_be_written() -> None:
    written = OrdersDocumentSchema().dump(OrdersDocument(tuple(GOOD), campaign="p40-17", power="japan"))
    assert written["orders"] == DOCUMENT["orders"]
