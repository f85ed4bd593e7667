"""Canonical JSON: the bytes of RFC 8785, and clear words about everything that has none."""

from __future__ import annotations

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from pbem.log import check_log
from pbem.log.canonical import DEEPEST, LARGEST, CanonicalError, canonical, parse

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_the_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(values)
def test_the_stand_alone_checker_writes_the_same_bytes(value: Any) -> None:
    assert check_log.jcs(value) == canonical(value)


@given(values)
def test_what_was_written_is_read_back(value: Any) -> None:
    assert parse(canonical(value)) == value
    assert canonical(parse(canonical(value))) == canonical(value)


def test_keys_are_sorted_by_utf_16() -> None:
    # U+1F600 is D83D DE00 in UTF-16, so it stands before U+FB33, though its code point is larger.
    assert canonical({"\ufb33": 1, "😀": 2, "1": 3, "\u0080": 4}) == '{"1":3,"\u0080":4,"😀":2,"\ufb33":1}'.encode()


def test_tuples_are_arrays() -> None:
    assert canonical({"units": (17, 18)}) == b'{"units":[17,18]}'


def test_control_characters() -> None:
    assert canonical('\x00\x08\t\n\x0b\x0c\r\x1f"\\/\x7f') == b'"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\x7f"'


class Text(str):
    """Looks like text, but its meaning may be another."""


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        (1.0, "$", "1.0 is not an integer"),
        ({"odds": {"attacker": [1, 0.4]}}, "$.odds.attacker[1]", "0.4 is not an integer"),
        ([float("nan")], "$[0]", "nan is not an integer"),
        ({"n": 2**53}, "$.n", "9007199254740992 is beyond"),
        ({"n": [-(2**53)]}, "$.n[0]", "-9007199254740992 is beyond"),
        ({"a": {1: "x"}}, "$.a", "the key 1 is not text but int"),
        ({"a": {"x", "y"}}, "$.a", "set is not a JSON value"),
        ([b"x"], "$[0]", "bytes is not a JSON value"),
        ([Text("x")], "$[0]", "Text is not a JSON value"),
        ({"a": "x\ud800"}, "$.a", "half a surrogate pair at character 1 of the text"),
        ({"\udfff": 1}, "$", "half a surrogate pair at character 0 of the key"),
        ({"ä": ["\ud800"]}, "$.ä[0]", "half a surrogate pair"),
    ],
)
def test_a_bad_value_is_named_by_its_path(value: Any, path: str, reason: str) -> None:
    with pytest.raises(CanonicalError) as caught:
        canonical(value)
    assert caught.value.path == path
    assert reason in caught.value.reason


def test_largest_integers_are_kept() -> None:
    assert canonical([LARGEST, -LARGEST]) == b"[9007199254740991,-9007199254740991]"


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_deep_nesting_is_refused() -> None:
    assert canonical(nested(DEEPEST)) == b"[" * DEEPEST + b"1" + b"]" * DEEPEST
    for depth in (DEEPEST + 1, 100_000):
        with pytest.raises(CanonicalError, match="nested deeper than 64"):
            canonical(nested(depth))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a":1,"a":2}', "a key stands twice"),
        ("[1.5]", "not an integer"),
        ("[1e2]", "not an integer"),
        ("[NaN]", "not an integer"),
        ("{", "not JSON"),
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        (json.dumps([2**60]), "beyond"),
        ('["\\ud800"]', "half a surrogate pair"),
        (b"\xff", "not JSON"),
    ],
)
def test_what_is_not_plain_json_is_not_parsed(text: str | bytes, reason: str) -> None:
    with pytest.raises(CanonicalError, match=reason):
        parse(text)
