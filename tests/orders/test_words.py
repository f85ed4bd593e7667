"""Lines are cut into words and numbers, whatever signs a mail client has made of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.orders.words import Kind, clean, fold, key_of, split_orders, tokens


def kinds(line: str) -> list[tuple[Kind, str]]:
    return [(token.kind, token.text) for token in tokens(clean(line))]


@pytest.mark.parametrize("arrow", ["->", "→", "–>", "—>", "=>", "-->", "==>", "➔"])
def test_arrows_of_every_kind(arrow: str) -> None:
    assert [kind for kind, _ in kinds(f"Kwangsi {arrow} Yunnan")] == [Kind.WORD, Kind.ARROW, Kind.WORD]
    assert [kind for kind, _ in kinds(f"Kwangsi{arrow}Yunnan")] == [Kind.WORD, Kind.ARROW, Kind.WORD]


@pytest.mark.parametrize("line", ["3 inf", "３ inf", "3\u00a0inf", "3\u3000inf", "3inf", "\ufeff3 inf"])
def test_full_width_digits_and_odd_blanks_are_plain_ones(line: str) -> None:
    assert kinds(line) == [(Kind.NUMBER, "3"), (Kind.WORD, "inf")]


@pytest.mark.parametrize("text", ["³", "٣", "-3", "½", "1234567890123"])
def test_what_only_looks_like_a_number_is_named_as_such(text: str) -> None:
    assert kinds(f"{text} inf")[0] == (Kind.BAD_NUMBER, text)


def test_a_decimal_is_a_token_of_its_own() -> None:
    assert kinds("3.5 inf")[0] == (Kind.DECIMAL, "3.5")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Indo-China", "Indo\u2011China"),
        ("Indo-China", "Indochina"),
        ("S.S.R.", "ssr"),
        ("Kwangsi", "KWANGSI"),
        ("Malmö", "Malmo"),
        ("\uff2b\uff57\uff41\uff4e\uff47", "Kwang"),
    ],
)
def test_spellings_that_are_the_same(one: str, other: str) -> None:
    assert fold(clean(one)) == fold(clean(other))


def test_numbers_that_meet_stay_apart() -> None:
    assert key_of("Sea Zone 6 2") != key_of("Sea Zone 62")


def test_semicolons_separate_orders_but_not_inside_parentheses() -> None:
    assert split_orders("a; b (c; d); e") == ["a", " b (c; d)", " e"]
    assert split_orders("a；b") == ["a", "b"]


@given(st.text(max_size=80))
def test_every_line_has_tokens_in_order(line: str) -> None:
    found = tokens(clean(line))
    assert all(first.end <= second.start for first, second in zip(found, found[1:], strict=False))
    assert all(clean(line)[token.start : token.end] == token.text for token in found)
