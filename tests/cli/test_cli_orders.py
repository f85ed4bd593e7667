"""`orders check`: for the meaning alone, against the set-up, and in a campaign."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli

KEYS = ["line", "text", "status", "canonical", "reason", "rule", "suggestions"]
LINES = "3 inf Kwangsi -> Yunnan\n2 inf Kwangsii -> Yunnan\nhello there\n2 infx Siam -> Hunan\n"


def test_the_meaning_of_lines(cli: Cli) -> None:
    rows = cli.good("orders", "check", "--game", "p40", "--no-board", "--json", stdin=LINES).json()
    assert [list(row) for row in rows] == [KEYS] * 4
    assert [row["line"] for row in rows] == [1, 2, 3, 4]
    assert rows[0] | {"reason": None} == {
        "line": 1, "text": "3 inf Kwangsi -> Yunnan", "status": "accepted", "canonical": "3 infantry Kwangsi -> Yunnan",
        "reason": None, "rule": None, "suggestions": [],
    }  # fmt: skip
    assert rows[1]["status"] == "refused" and "Kwangsi" in rows[1]["suggestions"] and rows[1]["canonical"] is None
    assert rows[2]["status"] == "ignored"
    assert rows[3]["status"] in ("refused", "unreadable") and rows[3]["reason"]


@pytest.mark.parametrize("game", ["p40", "s42", "classic", "p01"])
def test_every_game_can_be_asked_for_meanings(cli: Cli, game: str) -> None:
    (row,) = cli.good("orders", "check", "--game", game, "--no-board", "--json", stdin="buy 2 infantry").json()
    assert (row["status"], row["canonical"]) == ("accepted", "buy 2 infantry")


def test_the_published_set_up_refuses_what_is_not_there(cli: Cli) -> None:
    lines = "3 infantry Kwangsi -> Yunnan\n9 infantry Siam -> Burma\nbuy 2 infantry\nbuy 99 battleship\n"
    rows = cli.good(
        "orders", "check", "--game", "p40", "--edition", "2e", "--power", "japan", "--json", stdin=lines
    ).json()
    assert [row["status"] for row in rows] == ["accepted", "refused", "accepted", "refused"]
    assert rows[1]["rule"].startswith("P40-") and rows[1]["reason"].endswith(".")
    assert rows[1]["canonical"] == "9 infantry Siam -> Burma"


def test_a_later_phase_and_another_power(cli: Cli) -> None:
    said = cli.good(
        "orders", "check", "--game", "p40", "--power", "USA", "--phase", "noncombat move", "--json",
        stdin="1 fighter Hawaiian Islands -> Midway\n",
    ).json()  # fmt: skip
    assert said[0]["canonical"].startswith("noncombat: ")
    assert said[0]["status"] == "accepted", said


def test_without_a_power_it_is_the_first_one_s_turn(cli: Cli) -> None:
    (row,) = cli.good("orders", "check", "--game", "p40", "--json", stdin="3 inf Kwangsi -> Yunnan").json()
    assert row["status"] == "accepted"


def test_what_was_assumed_is_the_reason_of_an_accepted_line(cli: Cli) -> None:
    for board in ((), ("--no-board",)):
        (row, *_) = cli.good(
            "orders", "check", "--game", "p40", "--json", *board, stdin="1 infantry Japan -> Sea Zone 6"
        ).json()
        assert row["canonical"] == "load 1 infantry Japan -> Sea Zone 6"
    assert row["status"] == "accepted" and row["reason"] == "read as `load`"


def test_in_a_campaign_nothing_is_kept(begun: Cli) -> None:
    size = begun.good("campaign", "show", "--json").json()["size"]
    rows = begun.good("orders", "check", "-c", "p40-17", "--json", stdin="3 inf Kwangsi -> Yunnan\nready").json()
    assert [row["status"] for row in rows] == ["accepted", "accepted"]
    assert begun.good("campaign", "show", "--json").json()["size"] == size


def test_in_a_campaign_who_is_not_to_order_hears_so(begun: Cli) -> None:
    (row,) = begun.good(
        "orders", "check", "-c", "p40-17", "--power", "china", "--json", stdin="1 infantry Yunnan -> Kwangsi"
    ).json()
    assert row["status"] == "refused" and "waits for Japan" in row["reason"]


def test_for_people_each_line_has_a_sign_and_a_reason(cli: Cli) -> None:
    out = cli.good("orders", "check", "--game", "p40", "--no-board", stdin=LINES).out.splitlines()
    assert out[0] == "   1 ok  3 infantry Kwangsi -> Yunnan"
    assert out[1].startswith("   2 NO") and "did you mean Kwangsi" in out[2] and out[3].strip() == "perhaps: Kwangsi"


def test_a_near_word_is_offered_as_the_line_that_it_would_make(cli: Cli) -> None:
    lines = "atack Sea Zone 6\nnocombat: 1 inf Kwangsi -> Yunnan"
    said = cli.good("orders", "check", "--game", "p40", "--power", "japan", "--json", stdin=lines).json()
    assert said[0]["suggestions"] == ["attack Sea Zone 6"]
    assert said[1]["suggestions"] == ["noncombat move: 1 inf Kwangsi -> Yunnan"]


@pytest.mark.parametrize("stdin", [b"", b"\x00\x00\n", "\ufeff3 inf Kwangsi -> Yunnan".encode(), b"\r\n\r\n"])
def test_odd_input_is_read_without_a_fault(cli: Cli, stdin: bytes) -> None:
    assert isinstance(cli.good("orders", "check", "--game", "p40", "--json", stdin=stdin).json(), list)


def test_ten_thousand_lines_and_more(cli: Cli) -> None:
    said = cli.good("orders", "check", "--game", "p40", "--no-board", "--json", stdin="x\n" * 20_000).json()
    assert said[0]["status"] == "refused" and "lines" in said[0]["reason"]


def test_what_is_no_text_is_told(cli: Cli) -> None:
    said = cli("orders", "check", "--game", "p40", "--no-board", stdin=b"3 inf \xff\xfe")
    assert said.code == 1 and "no UTF-8" in said.err
