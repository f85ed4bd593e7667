"""The rule books are whole: ids are unique, their texts are generated and up to date, and links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.rules.texts import book, books, rule, rule_text

ROOT = Path(__file__).resolve().parents[2]
RULE_BOOKS = sorted(path for path in (ROOT / "docs" / "rules").glob("*.md") if path.name != "README.md")
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


def test_there_is_a_book_for_every_game_and_variant() -> None:
    assert [path.stem for path in RULE_BOOKS] == ["classic", "err", "fov", "p01", "p40", "s42", "wwm"]


@pytest.mark.parametrize("path", RULE_BOOKS, ids=lambda path: path.stem)
def test_anchors_are_unique_and_have_a_text(path: Path) -> None:
    anchors = ANCHOR.findall(path.read_text(encoding="utf-8"))
    assert anchors
    assert len(anchors) == len(set(anchors))
    for anchor in anchors:
        assert rule_text(anchor), anchor


@pytest.mark.parametrize("path", RULE_BOOKS, ids=lambda path: path.stem)
def test_every_rule_in_bold_has_its_anchor(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    prefix = ANCHOR.findall(text)[0].split("-")[0]
    named = set(re.findall(rf"\*\*({prefix}-[A-Z]*\d+(?:\.\d+)*)[*\s]", text))
    assert named <= set(ANCHOR.findall(text))


def test_full_ids_cited_in_the_books_exist() -> None:
    missing = set()
    for path in RULE_BOOKS:
        for cited in re.findall(r"\b((?:P40|S42|FOV|CLA|ERR|P01|WWM)-\d+(?:\.\d+)*)(?![\w-])", path.read_text("utf-8")):
            if rule(cited) is None:
                missing.add((path.stem, cited))
    assert not missing


def test_texts_are_up_to_date() -> None:
    run = subprocess.run(
        [sys.executable, "tools/make_rule_texts.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_an_unknown_rule_has_no_text() -> None:
    assert rule_text("P40-99.99") is None
    assert rule_text("ABC-1") is None
    assert rule_text("") is None


def test_texts_are_plain() -> None:
    for prefix in books():
        for entry, (title, text) in book(prefix).items():
            assert title, entry
            assert "**" not in text and "<a id" not in text and "\n" not in text, entry


def test_a_rule_reads_as_in_its_book() -> None:
    found = rule("P40-4.4.8")
    assert found is not None
    assert found.title == "Ships in general"
    assert found.text.startswith("Leaving under 4.4.6 is ordinary combat movement with the full MP.")
    assert "[" not in found.text
