"""Purposes and opened texts: spelled one way only, and refused where a spelling could be bent."""

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from pbem.dice import Purpose, entropy_json, first_free_attempt, numbered, opened_text

_word = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0"), min_size=1, max_size=12).filter(
    lambda text: text != "-"
)
purposes = st.builds(
    Purpose,
    campaign=_word,
    round=st.integers(0, 99),
    power=st.none() | _word,
    phase=st.none() | _word,
    space=st.none() | _word,
    battle_round=st.integers(0, 20),
    step=_word,
    attempt=st.integers(1, 9),
)
FIRE = Purpose("c1", 1, "germany", "conduct_combat", "ukraine", 1, "attackers_fire")


@given(purposes)
def test_a_purpose_reads_back(purpose: Purpose) -> None:
    assert Purpose.parse(purpose.text()) == purpose
    assert not purpose.text().endswith("\n")


@given(purposes, purposes)
def test_different_purposes_have_different_messages(one: Purpose, other: Purpose) -> None:
    assert (one == other) == (one.message() == other.message())


def test_absent_fields_are_dashes_and_zero() -> None:
    assert Purpose("c1", 2, None, "initiative", None, 0, "roll").lines()[2:] == (
        "2", "-", "initiative", "-", "0", "roll",
    )  # fmt: skip


def test_the_attempt_is_written_from_the_second_on() -> None:
    again = first_free_attempt(FIRE, {FIRE.text()})
    assert again.lines() == (*FIRE.lines(), "2")
    assert first_free_attempt(FIRE, {FIRE.text(), again.text()}).attempt == 3
    assert again.first_attempt() == FIRE


def test_a_second_roll_with_the_same_lines_is_numbered() -> None:
    second = numbered(FIRE, {FIRE.text()})
    assert second.step == "attackers_fire#2"
    assert numbered(FIRE, {FIRE.text(), second.text()}).step == "attackers_fire#3"
    assert numbered(FIRE, set()) == FIRE


@pytest.mark.parametrize("step", ["", "-", "fire\n2", "fire\0", "fire\r"])
def test_a_field_that_would_change_the_lines_is_refused(step: str) -> None:
    with pytest.raises(ValueError, match="step"):
        Purpose("c1", 1, "germany", "conduct_combat", None, 0, step)


@pytest.mark.parametrize(
    "text", ["", "pbem/dice/v2\nc\n1\n-\np\n-\n0\ns", FIRE.text() + "\n", FIRE.text() + "\n1", FIRE.text() + "\n02"]
)
def test_another_spelling_is_not_a_purpose(text: str) -> None:
    with pytest.raises(ValueError):
        Purpose.parse(text)


_maps = st.dictionaries(
    st.from_regex(r"[a-z0-9_-]{1,10}", fullmatch=True), st.from_regex(r"[0-9a-f]{64}", fullmatch=True)
)


@given(_maps)
def test_the_map_is_written_as_rfc_8785(entropy: dict[str, str]) -> None:
    assert entropy_json(entropy) == rfc8785.dumps(dict(entropy))


@pytest.mark.parametrize("entropy", [{"Japan": "0" * 64}, {"japan": "0" * 63}, {"japan": "A" * 64}, {"": "0" * 64}])
def test_a_map_of_anything_else_is_refused(entropy: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="entropy map"):
        entropy_json(entropy)


def test_opened_text_ends_each_line_and_puts_the_players_own_line_last() -> None:
    assert opened_text(["1 tank Libya -> Egypt"], "ENTROPY 雲南 17") == "1 tank Libya -> Egypt\nENTROPY 雲南 17\n"
    with pytest.raises(ValueError, match="line break"):
        opened_text(["1 tank Libya -> Egypt\r"])
