"""A hidden word is found in any nesting of encodings; a word that is not there is not found."""

from __future__ import annotations

import base64
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.testing.leaks.search import Search, Word
from tests.leaks.disguises import DISGUISES, OF_TEXT, Disguise

HIDDEN = Word("fog", ("fog_of_war", "Fog of War", "戰爭迷霧"))
OTHER = Word("dreadnought", ("dreadnought", "無畏戰艦"))
SEARCH = Search([HIDDEN, OTHER])
"""One for all tests: what it has seen it need not search again."""
SPELLINGS = ("fog_of_war", "Fog of War", "FOG\n  OF WAR", "fog-of-war", "戰爭迷霧")
BEFORE, AFTER = b"USA holds 3 tactics cards:\n- ", b" (ready)\nand nothing else is known. \xe5\xb9\xb3\n"

slow_allowed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def found(data: bytes) -> list[str]:
    return sorted(finding.word for finding in SEARCH.look(data))


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("disguise", [*DISGUISES, *OF_TEXT], ids=lambda disguise: disguise.__name__)
def test_each_disguise_is_seen_through(disguise: Disguise, spelling: str) -> None:
    for seed in range(3):
        assert found(disguise(BEFORE + spelling.encode() + AFTER, Random(seed))) == ["fog"], seed
        assert found(disguise(BEFORE + AFTER, Random(seed))) == []
        assert found(disguise(spelling.encode(), Random(seed))) == ["fog"], "alone"


@pytest.mark.parametrize("charset", ["utf-8", "utf-16-le", "utf-16-be", "utf-16", "utf-32", "big5", "cp950", "gb18030"])
def test_chinese_in_every_charset_of_mails(charset: str) -> None:
    text = "美國持有：戰爭迷霧（已備妥）".encode(charset)
    assert found(text) == ["fog"]
    assert found(b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(text)) == ["fog"]


@given(
    st.sampled_from(SPELLINGS), st.lists(st.sampled_from(DISGUISES), min_size=1, max_size=4), st.integers(0, 10**6),
    st.binary(max_size=30), st.binary(max_size=30),
)  # fmt: skip
@settings(slow_allowed, max_examples=60)
def test_a_word_in_any_nesting_is_found(
    spelling: str, disguises: list[Disguise], seed: int, before: bytes, after: bytes
) -> None:
    chance = Random(seed)
    data = before + b"\n" + spelling.encode() + b"\n" + after
    for disguise in disguises:
        data = disguise(data, chance)
    assert "fog" in found(data)


@given(st.text(max_size=300), st.lists(st.sampled_from(DISGUISES), max_size=3), st.integers(0, 10**6))
@settings(slow_allowed, max_examples=40)
def test_what_is_not_there_is_not_found(text: str, disguises: list[Disguise], seed: int) -> None:
    chance = Random(seed)
    data = text.encode("utf-8", "replace")
    for disguise in disguises:
        data = disguise(data, chance)
    assert found(data) == []


def test_letters_in_other_forms_and_broken_up() -> None:
    for text in (
        "ｆｏｇ＿ｏｆ＿ｗａｒ",
        "fog\u00ad_of\u200b_war",
        "f o g   o f   w a r",
        "戰 爭\u3000迷霧",
        "Fog&shy; of&nbsp;War",
    ):
        assert found(text.encode()) == ["fog"], text
    assert found(b"> long fog\n> of war\n") == ["fog"], "over the line of a quotation"
    assert found(b"fog of wax, log of war") == []


def test_a_passage_that_anybody_may_read_is_not_searched() -> None:
    """The list of a deck's cards names every card; a hand that names one besides is still seen."""
    passage = '"cards":["donation","fog_of_war","scramble"]'
    search = Search([HIDDEN], granted=[passage])
    listed = b'{"deck": "fortune", "cards": [\n "donation",\n "fog_of_war",\n "scramble"\n], "left": 3}'
    assert search.look(listed) == []
    assert [one.word for one in search.look(listed + b'{"name": "fog_of_war"}')] == ["fog"]
    assert [one.word for one in search.look(base64.b64encode(listed + b"fog of war"))] == ["fog"]


def test_a_finding_says_where_it_is() -> None:
    (one,) = SEARCH.look(b"x" * 50 + base64.b64encode(b"the uk holds fog of war, nothing else"), "uk.eml")
    assert (one.artefact, one.steps) == ("uk.eml", ("base64",)) and "ukholdsfogofwar" in one.around
    assert str(one).startswith("uk.eml: fog (base64): ...")


def test_bytes_that_give_a_word_away() -> None:
    salt = bytes(range(16))
    search = Search([Word("salt", (salt.hex(),), (salt,))])
    for data in (salt, b"x" + salt, salt.hex().upper().encode(), base64.b64encode(b"ab" + salt)):
        assert [one.word for one in search.look(data)] == ["salt"], data
    assert search.look(bytes(range(1, 17)).hex().encode()) == []


def test_a_word_that_would_be_found_by_chance_is_refused() -> None:
    with pytest.raises(ValueError, match="too short"):
        Search([Word("ace", ("ace",))])
