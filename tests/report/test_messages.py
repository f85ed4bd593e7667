"""The catalogues: the same sentences in both languages, with the same values, and every sentence that is asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import Formatter

import pytest

import pbem
from pbem.report.templating import SENTENCES
from pbem.report.words import TEMPLATES, catalogue

PACKAGE = Path(pbem.__file__).parent / "report"
TERMS = json.loads((PACKAGE.parent / "board" / "names" / "zh_terms.json").read_text("utf-8"))
BY_TERMS = {f"phase.{phase}" for phase in TERMS["phases"]} | {f"side.{side}" for side in TERMS["sides"]}
"""Keys that Chinese takes from the game's own words."""
ASKED = re.compile(r"""\bsay\(\s*["']([a-z_.]+)["']""")


def fields(sentence: str) -> set[str]:
    """The names of a sentence's values."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_both_languages_say_the_same_things() -> None:
    english, chinese = catalogue("en"), catalogue("zh")
    assert set(chinese) - set(english) == set()
    assert set(english) - set(chinese) <= BY_TERMS


@pytest.mark.parametrize("key", sorted(catalogue("zh")))
def test_a_sentence_takes_the_same_values_in_both_languages(key: str) -> None:
    english, chinese = fields(catalogue("en")[key]), fields(catalogue("zh")[key])
    if key.endswith(".one"):
        assert chinese - {"n"} == english - {"n"}
    else:
        assert chinese == english


def test_chinese_sentences_use_chinese_marks() -> None:
    wrong = [key for key, said in catalogue("zh").items() if re.search(r"[\u4e00-\u9fff][,;:!?()]", said)]
    assert wrong == []


def test_every_sentence_that_is_asked_for_exists() -> None:
    files = [*PACKAGE.glob("*.py"), *TEMPLATES.rglob("*.html")]
    asked = {key for file in files for key in ASKED.findall(file.read_text("utf-8"))}
    assert len(asked) > 80
    assert {key for key in asked if not key.endswith(".")} <= set(catalogue("en"))


def test_every_phrase_that_a_template_uses_is_found() -> None:
    used = {name for file in TEMPLATES.rglob("*.html") for name in re.findall(r"\bph\.(\w+)", file.read_text("utf-8"))}
    assert len(used) > 30
    assert used <= set(SENTENCES)
