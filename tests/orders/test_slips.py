"""Slips of the pen: no line that was meant as an order passes in silence, and the reason told is the real one."""

from __future__ import annotations

import pytest

from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import LineResult, ReadContext, read_orders


def read(text: str) -> LineResult:
    context = ReadContext(game="s42", powers=("japan",), open_powers=("japan",), phase="combat_move")
    (result,) = read_orders(text, gazetteer("s42", None), context)
    return result


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("order: Yunnan, Narnia", 'unknown space "Narnia"'),
        ("ignore Narnia", 'unknown space "Narnia"'),
        ("press on Narnia", '"Narnia" was not understood'),
        ("refund narnias", 'unknown unit "narnias"'),
        ("casualties Narnia: infantry first", 'unknown space "Narnia"'),
        ("choose Narnia: infantry first", 'unknown space "Narnia"'),
        ("submerge Narnia: all", 'unknown space "Narnia"'),
        ("buy 9999 infantry", '"9999" is too many; the highest count is 999'),
        ("add: 1 infantry Manchuria -> Buryatia S.S.R.", "`add` stands alone on the first line"),
    ],
)
def test_what_is_wrong_is_told(line: str, reason: str) -> None:
    told = read(line)
    assert told.status in ("refused", "unreadable")
    assert told.reason.startswith(reason)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("casualties Yunan: infantry first", ("Yunnan",)),
        ("redy", ("ready",)),
        ("not redy", ("not ready",)),
        ("atack Sea Zone 60", ("attack",)),
        ("retrreat Yunnan if odds < 40%", ("retreat",)),
        ("byu 2 inf, 1 art", ("buy",)),
        ("palce 3 infantry Japan", ("place",)),
        ("ancel combat move", ("cancel",)),
        ("rxpair Japan 2", ("repair",)),
        ("assign figter Manchuria to sea", ("fighter",)),
        ("nocombat moves: 2 inf Manchuria -> Kwangtung", ("noncombat move",)),
        ("Comabt moves", ("combat move:",)),
        ("Non-combat movs:", ("noncombat move:",)),
        ("I buy 2 infantry", ()),
        ("buy max infantry", ()),
        ("add up all infantry", ()),
    ],
)
def test_what_would_be_right_is_offered(line: str, offered: tuple[str, ...]) -> None:
    told = read(line)
    assert told.status in ("refused", "unreadable")
    assert told.suggestions == offered


@pytest.mark.parametrize(
    "line",
    [
        "please read this", "the order of the day: be brave", "thanks, well played", "Regards, Sam", "Atlas wins",
        "Hold Yunnan", "now what", "Sent from my telephone",
    ],
)  # fmt: skip
def test_talk_is_left_alone(line: str) -> None:
    assert read(line).status == "ignored"


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("準備好了", "ready"),
        ("就緒", "ready"),
        ("還沒準備好", "not ready"),
        ("1 轟炸機 日本 -> 印度 轟炸", "1 bomber Japan -> India to bomb"),
        ("1 戰鬥機 日本 -> 印度 護航", "1 fighter Japan -> India to escort"),
    ],
)
def test_what_a_chinese_player_would_write(line: str, canonical: str) -> None:
    assert (read(line).status, read(line).canonical) == ("accepted", canonical)


def test_rest_default_may_stand_below_its_phase() -> None:
    told = read("noncombat: rest default")
    assert (told.status, told.canonical) == ("accepted", "rest default")


@pytest.mark.parametrize("heading", ["combat move:", "noncombat move:", "mobilize:", "purchase:"])
def test_a_heading_that_is_offered_is_one(heading: str) -> None:
    assert read(heading).reason == "heading"


def test_a_misspelt_heading_of_a_power_is_told_with_a_colon_only() -> None:
    assert read("Germony:").suggestions == ("Germany:",)
    assert read("Germony").status == "ignored"


def test_a_heading_between_orders_of_one_line_counts() -> None:
    context = ReadContext(game="s42", powers=("japan",), open_powers=("japan",), phase="combat_move")
    text = "2 inf Manchuria -> Yunnan; noncombat; 1 inf Kwangtung -> Yunnan"
    results = read_orders(text, gazetteer("s42", None), context)
    assert [result.reason for result in results] == ["", "heading", ""]
    assert [getattr(result.order, "in_phase", None) for result in results] == ["combat_move", None, "noncombat_move"]


@pytest.mark.parametrize(
    "line",
    [
        "load 2 infantry Japan -> Sea Zone 60 onto 1 transport",
        "load 2 infantry Japan onto transport Sea Zone 60",
        "load 2 infantry Japan on 1 transport in Sea Zone 60",
    ],
)
def test_ways_to_name_the_transport(line: str) -> None:
    assert read(line).canonical == "load 2 infantry Japan -> Sea Zone 60 aboard 1 transport"
