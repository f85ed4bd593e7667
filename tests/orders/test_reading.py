"""A text of orders is read line by line: headings, phases, powers, refusals; nothing is guessed and nothing hangs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import LineResult, ReadContext, accepted_orders, read_orders
from pbem.rules.order_model import Entropy, Move, NothingTo, phase_of

NAMES = gazetteer("p40", "2e")
JAPAN = ReadContext("p40", "2e", powers=("japan",), open_powers=("japan",), phase="combat_move")
ALLIES = ReadContext("p40", "2e", powers=("uk", "usa"), phase="combat_move")


def read(text: str, context: ReadContext = JAPAN) -> list[LineResult]:
    return read_orders(text, NAMES, context)


def canonical(text: str, context: ReadContext = JAPAN) -> list[str]:
    return [item.canonical for item in read(text, context) if item.status == "accepted"]


GOOD = ["3 infantry Kwangsi -> Yunnan", "2 infantry Siam -> Shan State"]


@pytest.mark.parametrize(
    "text",
    [
        "COMBAT MOVES\n-----\n3 inf Kwangsi -> Yunnan\n-----\n2 inf Siam -> Shan State\n",
        "3\u00a0inf Kwangsi → Yunnan\r\n２ inf Siam –> Shan State",
        "3 步兵 廣西 -> 雲南\n2 步兵 暹羅 -> 撣邦",
        "戰鬥移動\n3步兵從廣西到雲南\n2個步兵 暹羅 至 撣邦",
        "3 inf Kwangsi -> Yunnan; 2 inf Siam -> Shan State",
        "- 3 inf Kwangsi -> Yunnan\n* 2 inf Siam -> Shan State",
        "1) 3 inf Kwangsi to Yunnan.\n2) 2 inf from Siam to Shan State.",
        "Hello everybody,\n\nthree infantry Kwangsi -> Yunnan\n2x inf Siam => Shan State\n\nCheers",
        "inf*3 Kwangsi -> Yunnan\ninf x2 Siam -> Shan State",
        "JAPAN - COMBAT MOVE\n3 INF KWANGSI -> YUNNAN\nKSI is no place\n2 inf SIA -> SHN".replace(
            "KSI is no place\n", ""
        ),
    ],
)
def test_the_same_two_orders(text: str) -> None:
    results = read(text)
    assert [item.canonical for item in results if item.status == "accepted"] == GOOD
    assert not [item for item in results if item.status in ("refused", "unreadable")]


def test_a_name_with_another_hyphen() -> None:
    text = "1 inf French Indo\u2011China -> Yunnan\n1 inf French Indochina -> Yunnan"
    assert canonical(text) == ["1 infantry French Indo-China -> Yunnan"] * 2


def test_a_unit_word_with_a_letter_too_many_is_refused_with_the_near_word() -> None:
    (result,) = read("3 infx Kwangsi -> Yunnan")
    assert result.status == "refused"
    assert 'unknown unit "infx"' in result.reason
    assert result.suggestions == ("infantry",)


@pytest.mark.parametrize("token", ["³", "٣", "-3", "0", "3.5"])
def test_numbers_that_are_no_counts_are_refused_by_name(token: str) -> None:
    (result,) = read(f"{token} inf Kwangsi -> Yunnan")
    assert (result.status, result.order) == ("refused", None)
    assert f'"{token}"' in result.reason


def test_a_bad_line_does_not_spoil_its_neighbours() -> None:
    results = read("3 inf Kwangsi -> Yunnan\n2 inf Siam -> Atlantis\n2 inf Siam -> Shan State")
    assert [item.status for item in results] == ["accepted", "refused", "accepted"]
    bad = results[1]
    assert (bad.line, bad.text, bad.reason, bad.suggestions) == (
        2, "2 inf Siam -> Atlantis", 'unknown space "Atlantis"', (),
    )  # fmt: skip


def test_a_part_of_a_line_that_is_wrong_spoils_only_itself() -> None:
    results = read("3 inf Kwangsi -> Yunnan; 2 inf Atlantis -> Yunnan; 2 inf Siam -> Shan State")
    assert [item.status for item in results] == ["accepted", "refused", "accepted"]
    assert results[1].text == "2 inf Atlantis -> Yunnan"


def test_a_group_is_read_whole_or_not_at_all() -> None:
    (result,) = read("3 inf Kwangsi + 2 inf Atlantis -> Yunnan")
    assert result.status == "refused"


def test_several_origins_are_several_orders() -> None:
    assert canonical("3 inf Kwangsi + 2 inf Siam -> Yunnan") == [
        "3 infantry Kwangsi -> Yunnan", "2 infantry Siam -> Yunnan",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Hi Kim, good luck in India!", "ignored"),
        ("Sorry for the delay, I was away.", "ignored"),
        ("Best regards", "ignored"),
        ("2026-08-03", "refused"),
        ("Remainder of air whacks Burma, China, and India", "refused"),
        ("maybe attack Hunan later", "unreadable"),
        ("-> Hunan", "unreadable"),
        ("I never roll the victory die this turn", "unreadable"),
    ],
)
def test_talk_is_ignored_only_if_nothing_in_it_looks_like_an_order(line: str, status: str) -> None:
    (result,) = read(line)
    assert result.order is None
    assert (result.status == "ignored") == (status == "ignored")


def test_headings_choose_the_phase_until_the_next_one() -> None:
    text = (
        "PURCHASE\n3 transports, 3 infantry\nCombat moves:\n3 inf Kwangsi -> Yunnan\n** NONCOMBAT **\n2 inf Siam -> "
        "Shan State\nPLACEMENT\n3 inf Japan\nSTANDING ORDERS\nretreat if odds < 40%\n"
    )
    orders = accepted_orders(read(text))
    assert [phase_of(order) for order in orders] == [
        "purchase", "purchase", "combat_move", "noncombat_move", "mobilize", None,
    ]  # fmt: skip


def test_a_prefix_chooses_the_phase_of_its_own_line() -> None:
    text = "noncombat: 2 inf Siam -> Shan State\n3 inf Kwangsi -> Yunnan\nNCM 1 art Kwangsi -> Hunan"
    phases = [order.in_phase for order in accepted_orders(read(text)) if isinstance(order, Move)]
    assert phases == ["noncombat_move", "combat_move", "noncombat_move"]


def test_moves_belong_to_the_open_window() -> None:
    window = ReadContext("p40", "2e", powers=("japan",), phase="noncombat_move")
    (order,) = accepted_orders(read("2 inf Siam -> Shan State", window))
    assert isinstance(order, Move)
    assert order.in_phase == "noncombat_move"


def test_a_list_of_units_is_a_purchase_only_where_purchases_are_asked_for() -> None:
    assert canonical("3 transports, 3 infantry", ReadContext("p40", "2e", powers=("japan",), phase="purchase")) == [
        "buy 3 transport", "buy 3 infantry",
    ]  # fmt: skip
    assert read("3 transports, 3 infantry")[0].status == "refused"


@pytest.mark.parametrize("text", ["Placement: Nothing to place.", "place nothing", "PLACE\nnone", "部署: 無"])
def test_nothing_is_something(text: str) -> None:
    assert accepted_orders(read(text)) == (NothingTo("mobilize"),)


def test_the_power_above_heads_the_lines_below() -> None:
    text = "USA:\n1 fighter Alaska -> Hawaii\nUK:\n3 inf Malaya -> Siam\nbuy 2 inf"
    assert [(item.power, item.status) for item in read(text, ALLIES)] == [
        ("usa", "ignored"), ("usa", "accepted"), ("uk", "ignored"), ("uk", "accepted"), ("uk", "accepted"),
    ]  # fmt: skip


def test_a_power_before_a_line_heads_that_line_alone() -> None:
    text = "UK:\nUSA: 1 fighter Alaska -> Hawaii\n3 inf Malaya -> Siam"
    assert [item.power for item in read(text, ALLIES) if item.order] == ["usa", "uk"]


def test_without_a_heading_the_only_open_window_counts() -> None:
    context = ReadContext("p40", "2e", powers=("uk", "usa"), open_powers=("usa",), phase="combat_move")
    assert [item.power for item in read("1 fighter Alaska -> Hawaii", context)] == ["usa"]


def test_two_open_windows_and_no_heading_is_a_question() -> None:
    (result,) = read("1 fighter Alaska -> Hawaii", ALLIES)
    assert (result.status, result.order) == ("refused", None)
    assert "United Kingdom and United States" in result.reason and "`uk:`" in result.reason


def test_orders_below_a_foreign_powers_heading_are_refused() -> None:
    results = read("CHINA:\n1 inf Hunan -> Kwangsi\nJAPAN:\n3 inf Kwangsi -> Yunnan")
    assert [item.status for item in results] == ["ignored", "refused", "ignored", "accepted"]
    assert "China" in results[1].reason


def test_press_is_not_read_for_orders() -> None:
    text = (
        "3 inf Kwangsi -> Yunnan\nPRESS TO china\nIf you leave Hunan I will not play\n1 art Kwangsi -> Hunan\n"
        "ENDPRESS\n2 inf Siam -> Shan State"
    )
    assert canonical(text) == GOOD


def test_entropy_keeps_the_players_own_words() -> None:
    (order,) = accepted_orders(read("ENTROPY  Fish; -> 3 inf Kwangsi!  "))
    assert order == Entropy("Fish; -> 3 inf Kwangsi!")


def test_a_verb_carries_over_a_semicolon() -> None:
    assert canonical("place 3 inf Japan; 1 dd SZ 6") == ["place 3 infantry Japan", "place 1 destroyer Sea Zone 6"]


@pytest.mark.parametrize(
    ("line", "candidates"),
    [
        ("1 ss SZ 6 -> SZ 7", ("submarine", "battleship")),
        ("buy 1 factory Korea", ("ic_minor", "ic_major")),
        ("fighters Japan -> Korea", ("1 fighter", "all fighter")),
        ("1 inf Kwangsi-Yunnan", ("Kwangsi -> Yunnan",)),
    ],
)
def test_what_may_mean_two_things_is_refused_with_the_candidates(line: str, candidates: tuple[str, ...]) -> None:
    (result,) = read(line)
    assert (result.status, result.suggestions) == ("refused", candidates)


def test_one_line_of_two_thousand_characters() -> None:
    line = "; ".join(["3 inf Kwangsi -> Yunnan", "2 inf Siam -> Shan State"] * 39)
    assert 1900 < len(line) < 2100
    assert canonical(line) == GOOD * 39


def test_a_flood_is_refused_as_a_whole_and_at_once() -> None:
    text = "3 inf Kwangsi -> Yunnan\n" * 450_000
    start = time.process_time()
    (result,) = read(text)
    assert time.process_time() - start < 2
    assert (result.line, result.status) == (0, "refused")
    assert "at most" in result.reason


def test_ten_thousand_lines_are_read() -> None:
    start = time.process_time()
    results = read("3 inf Kwangsi -> Yunnan\n" * 5_000 + "3 inf Kwansi -> Yunnan\nwhatever Hunan, Yunnan\n" * 2_500)
    assert time.process_time() - start < 30
    assert [item.status for item in results] == ["accepted"] * 5_000 + ["refused", "unreadable"] * 2_500


def test_ten_thousand_different_unknown_names_do_not_hang() -> None:
    start = time.process_time()
    results = read("\n".join(f"3 inf Kwansi{number} -> Yunnan" for number in range(9_999)))
    assert time.process_time() - start < 30
    assert {item.status for item in results} == {"refused"}


@pytest.mark.parametrize("text", ["(" * 3999, "if " + "(" * 3000, "if " + "not " * 900, "a" * 1_000_000, "->" * 1900])
def test_hostile_lines_are_only_lines(text: str) -> None:
    start = time.process_time()
    assert not accepted_orders(read(text))
    assert time.process_time() - start < 5


ORDER_LIKE = st.lists(
    st.sampled_from(
        [
            "3", "0", "inf", "2 inf", "Kwangsi", "Yunnan", "SZ 6", "->", "to", "if", "odds", "<", "40%", "(", ")", ":",
            ",", ";", "all", "buy", "place", "retreat", "casualties", "first", "noncombat:", "USA:", "not", "and",
            "from", "scramble", "after round", "load", "play", "form", "carrier", "廣西", "步兵", "到", "->", "#", "-",
            "\n", "submerge", "kamikaze", "on", "with", "keep", "via", "convoy", "bid", "round", "taken", "max", "*",
        ]
    ),
    max_size=14,
).map(" ".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), ORDER_LIKE))
def test_no_text_raises_and_what_is_accepted_reads_back(text: str) -> None:
    for item in read(text):
        assert item.status in ("accepted", "refused", "unreadable", "ignored")
        assert (item.order is not None) == (item.status == "accepted")
        if item.status in ("refused", "unreadable"):
            assert item.reason
        if item.order is not None:
            assert accepted_orders(read(item.canonical)) == (item.order,)


def test_orders_of_a_power_that_somebody_else_plays_are_refused_by_name() -> None:
    (result,) = read("USA: buy 1 destroyer")
    assert (result.status, result.reason) == ("refused", "you do not play United States; you play Japan")


def test_small_words_and_signs_that_people_write() -> None:
    assert canonical("Declare war on the USA and the UK", JAPAN) == canonical("declare war on usa, uk", JAPAN)
    assert canonical("attack: 3 inf Kwangsi -> Yunnan", JAPAN) == ["3 infantry Kwangsi -> Yunnan"]


def test_the_colon_behind_a_condition_may_be_left_out_before_a_verb() -> None:
    wanted = canonical("if odds < 30%: retreat Yunnan to Kwangsi")
    assert wanted and canonical("if odds < 30% retreat Yunnan to Kwangsi") == wanted


def test_cancel_says_what_it_takes() -> None:
    """One order of several is taken back by writing the others anew."""
    (result,) = read("cancel sub sz 6")
    assert result.status == "refused" and result.reason.startswith("`cancel` takes back what is ordered for a whole")
    (near,) = read("cancel comabt move")
    assert near.suggestions[0] == "combat_move"


def test_a_long_list_of_losses_is_told_to_be_one_name_for_each_hit() -> None:
    """Most who write so mean an order of preference, which is said by `first`."""
    (listed,) = read("casualties: inf, art, fighter")
    assert listed.status == "accepted" and listed.note.startswith("read as one name for each hit")
    for line in ("casualties: inf, art, fighter first", "casualties: carrier, fighter", "casualties: 2 inf, 1 art"):
        assert [result.note for result in read(line)] == [""]
