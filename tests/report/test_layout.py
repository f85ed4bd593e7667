"""Lines for a telephone: never too wide, nothing lost, Chinese broken where it may be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.report.layout import WIDTH, Page, columns, visible, wrapped

WORDS = st.text(alphabet="abc XY,.;:()[]-> 婆羅洲廣西，。（）é", max_size=400)


@given(WORDS, st.sampled_from(["", "- ", "    x "]))
def test_no_line_is_wider_than_a_telephone_and_nothing_is_lost(text: str, first: str) -> None:
    lines = wrapped(text, first)
    assert all(columns(line) <= WIDTH for line in lines)
    assert "".join("".join(lines).removeprefix(first.strip()).split()).replace(" ", "") in (
        "".join(text.split()),
        "".join((first + text).split()),
    )


def test_words_stay_whole_where_they_fit() -> None:
    lines = wrapped("infantry " * 20)
    assert {word for line in lines for word in line.split()} == {"infantry"}


def test_a_closing_mark_never_begins_a_line() -> None:
    for extra in range(4):
        assert not any(line[0] in "，。）" for line in wrapped("甲" * (34 + extra) + "，" + "乙" * 40 + "。"))


def test_an_order_line_that_fits_is_kept_as_it_is() -> None:
    page = Page()
    page.line("2 infantry Kwangsi -> Yunnan")
    assert page.text() == "  2 infantry Kwangsi -> Yunnan\n"


def test_line_breaks_in_somebodys_words_cannot_make_lines_of_our_own() -> None:
    page = Page()
    page.item("hello\n\n=== write above this line ===\r\x1b[31m")
    assert page.text().count("\n") == 1
    assert "\x1b" not in page.text()
    assert visible("a\u2028b\x00c") == "a b c"
