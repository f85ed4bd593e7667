"""Reports as mail text and as HTML: order of things, width, and that somebody's words stay words."""

from __future__ import annotations

import hashlib
import re
from html.parser import HTMLParser

import pytest

from pbem.report.answer import answer_html, answer_text, answer_view
from pbem.report.html import report_html
from pbem.report.layout import WIDTH, columns
from pbem.report.model import Private
from pbem.report.notices import KINDS, notice_html, notice_of, notice_text
from pbem.report.phrases import ask_lines
from pbem.report.text import report_text
from pbem.report.words import Words
from tests.report.kit import BEN, NOON, NOTE, PRESS, a_report, board

EN, ZH = Words(board(), "en", "America/Chicago"), Words(board(), "zh", "Asia/Taipei")


class Tags(HTMLParser):
    """The elements and the text of a document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "background")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_first_what_happened_then_what_is_due_then_how_to_answer() -> None:
    text = report_text(a_report(), BEN, EN, NOTE, "https://pbem.example")
    assert text.startswith("Japan took Hunan, destroyed 2 units and lost 2 units.\n")
    places = [text.index(word) for word in ("DUE NEXT", "HOW TO ANSWER", "BATTLE 1", "MONEY", "CHECKPOINT")]
    assert places == sorted(places)
    assert places[1] < 700
    assert "\n  1 infantry Hawaiian Islands -> Sea Zone 26\n" in text
    assert "Sun 17 Mar 2024, 08:00 (America/Chicago, UTC-05:00)" in text
    assert NOTE.strip() in text


@pytest.mark.parametrize("words", [EN, ZH])
def test_no_line_is_too_wide_but_the_signed_note(words: Words) -> None:
    text = report_text(a_report(), BEN, words, NOTE, "https://pbem.example")
    wide = [line for line in text.split("\n") if columns(line) > WIDTH and not line.startswith("— ")]
    assert wide == []


def test_what_is_not_due_from_the_reader_is_said() -> None:
    text = report_text(a_report(), Private(("china",)), EN, NOTE)
    assert "Nothing is due from you now." in text
    assert "That is you" not in text


def test_a_question_begins_with_the_question() -> None:
    text = report_text(a_report(), BEN, EN, NOTE, asked=True)
    assert text.startswith("United States: you are asked for orders for purchase and combat move.\n")
    assert "So far this turn: Japan took Hunan" in text


def test_hits_are_told_by_brackets() -> None:
    text = report_text(a_report(), BEN, EN, NOTE)
    assert "China 2 infantry at 2: [1] [2]" in text
    assert "Japan 2 infantry at 1: 5 4" in text
    assert "lost: China 1 infantry (standing order)" in text


@pytest.mark.parametrize("words", [EN, ZH])
def test_markup_in_press_appears_literally(words: Words) -> None:
    document = report_html(a_report(), BEN, words, NOTE, "https://pbem.example", pdf=True)
    seen = Tags(document)
    assert " ".join(PRESS.split()) in " ".join(seen.text.split())
    assert not {"script", "img", "link"} & set(seen.tags)
    assert seen.addresses == ["https://pbem.example/c/p40-17"]


def test_html_fetches_nothing_and_opens_on_a_telephone() -> None:
    document = report_html(a_report(), BEN, EN, NOTE)
    assert not re.search(r"url\(|@import|srcset|<iframe", document)
    assert 'name="viewport"' in document and 'content="light dark"' in document
    assert Tags(document).addresses == []


def test_the_same_values_give_the_same_mail() -> None:
    assert report_html(a_report(), BEN, ZH, NOTE) == report_html(a_report(), BEN, ZH, NOTE)
    assert report_text(a_report(), BEN, ZH, NOTE) == report_text(a_report(), BEN, ZH, NOTE)


# -- answers ----------------------------------------------------------------------------------------------------------

TAKEN = {
    "campaign": "p40-17", "player": "aki", "powers": ["japan"],
    "lines": [
        {"line": 1, "text": "3 inf kiangsi to hunan", "status": "accepted", "canonical": "3 infantry Kiangsi -> Hunan",
         "reason": None, "rule": None, "suggestions": [], "power": None, "condition": None},
        {"line": 2, "text": "2 tank <b>Manchuria</b> -> Amur", "status": "refused", "canonical": None,
         "reason": "There are no tanks in Manchuria.", "rule": "P40-6.4.5",
         "suggestions": ["2 infantry Manchuria -> Amur"], "power": None, "condition": None},
        {"line": 3, "text": "hello all", "status": "ignored", "canonical": None, "reason": None, "rule": None,
         "suggestions": [], "power": None, "condition": None},
    ],
    "gone": ["buy 2 infantry"], "in_force": {"japan": {"combat_move": ["3 infantry Kiangsi -> Hunan"], "purchase": []}},
    "standing": {"japan": ["casualties Hunan: infantry first"]}, "asks": {"japan": ["ask me retreat"]},
    "window": "r3.japan:moves", "deadline": NOON, "ready": [], "waiting_for": ["japan"], "seq": 120,
    "notes": ["2 lines below a quotation were cut."], "texts": {"japan": "3 infantry Kiangsi -> Hunan\n"},
}  # fmt: skip
PHASES = ("purchase", "combat_move")
LINK = "https://pbem.example/c/p40-17/ready/abc"


def test_the_answer_says_first_what_is_gone() -> None:
    text = answer_text(answer_view(TAKEN, PHASES, EN, NOTE, LINK), EN)
    assert text.startswith("No longer in force: buy 2 infantry.\n1 line recorded, 1 line not.\n")


def test_the_answer_holds_everything_that_counts() -> None:
    text = answer_text(answer_view(TAKEN, PHASES, EN, NOTE, LINK), EN)
    refused = text.index("x 2 tank <b>Manchuria</b> -> Amur")
    assert text.index("REFUSED: There are no tanks in Manchuria.") > refused
    assert "P40-6.4.5: Step 4: units behind the line are removed." in text
    assert "Right would be: 2 infantry Manchuria -> Amur" in text
    assert text.index("Japan, purchase:\n  nothing\n") < text.index(
        "Japan, combat move:\n  3 infantry Kiangsi -> Hunan"
    )
    for told in ("casualties Hunan: infantry first", "ask me retreat", "Japan: not ready.", LINK, "held 120 events",
                 "2 lines below a quotation were cut.", "13:00 UTC", NOTE.strip()):  # fmt: skip
        assert told in text
    assert hashlib.sha256(b"3 infantry Kiangsi -> Hunan\n").hexdigest() in text.replace("\n", "")


def test_a_line_that_was_taken_as_it_stands_is_not_repeated() -> None:
    text = answer_text(answer_view(TAKEN, PHASES, EN, NOTE, LINK), EN)
    assert "3 inf kiangsi to hunan" not in text and "read as" not in text
    noted = {**TAKEN["lines"][0], "text": "3 guys kiangsi to hunan", "reason": '"guys" was read as infantry'}
    talk = {**TAKEN["lines"][2], "reason": "no order"}
    text = answer_text(answer_view({**TAKEN, "lines": [noted, talk]}, PHASES, EN, NOTE, LINK), EN)
    said = ("- 3 guys kiangsi to hunan", "    read as: 3 infantry Kiangsi -> Hunan", '    "guys" was read as infantry')
    assert "\n".join(said) in text
    assert 'Read, but no order: "hello all".' in text


def test_a_rule_is_put_in_words_once() -> None:
    text = answer_text(
        answer_view({**TAKEN, "lines": [{**TAKEN["lines"][1], "line": n} for n in range(3)]}, PHASES, EN, NOTE, LINK),
        EN,
    )
    assert text.count("P40-6.4.5") == 3 and text.count("units behind the line") == 1


def test_orders_are_told_in_the_readers_words() -> None:
    filed = {**TAKEN, "in_force": {"japan": {"combat_move": ["2 tac_bomber Kiangsi -> Hunan"]}}}
    english = answer_text(answer_view(filed, PHASES, EN, NOTE, LINK), EN)
    assert "\n  2 tactical bombers Kiangsi -> Hunan\n" in english
    assert "2 攻擊機 江西 -> 湖南" in answer_text(answer_view(filed, PHASES, ZH, NOTE, LINK), ZH)
    assert "\n  3 infantry Kiangsi -> Hunan\n" in english.split("NEXT DICE")[1], "the text of the dice is exact"


def test_an_empty_set_is_a_set() -> None:
    nothing = {**TAKEN, "lines": [], "gone": [], "in_force": {}, "texts": {"japan": ""}, "ready": ["japan"],
               "waiting_for": []}  # fmt: skip
    text = answer_text(answer_view(nothing, PHASES, EN, NOTE, LINK), EN)
    assert text.startswith("Nothing was recorded")
    assert "Japan: no orders are in force." in text
    assert "(the empty text)" in text
    assert "Japan: ready." in text and LINK not in text


def test_only_powers_that_are_to_order_hear_that_they_ordered_nothing() -> None:
    idle = {**TAKEN, "powers": ["japan", "china"], "in_force": {}, "window_powers": ["japan"]}
    text = answer_text(answer_view(idle, PHASES, EN, NOTE), EN)
    assert "Japan: no orders are in force." in text and "China: no orders" not in text


def test_in_a_question_nothing_is_said_of_orders_and_ready() -> None:
    asked = {**TAKEN, "in_force": {}, "window_kind": "decisions", "window_powers": ["japan"]}
    text = answer_text(answer_view(asked, PHASES, EN, NOTE, LINK), EN)
    assert "Nothing, and no orders are due from you now." in text and "If the window closes" not in text
    assert "Japan: your answer is awaited." in text and LINK not in text


def test_when_nobody_is_awaited_no_deadline_is_told() -> None:
    done = {**TAKEN, "ready": ["japan"], "waiting_for": []}
    text = answer_text(answer_view(done, PHASES, EN, NOTE, LINK), EN)
    assert "Japan: ready. Play goes on now." in text and "13:00 UTC" not in text


def test_hits_that_anything_may_take_are_a_number() -> None:
    ask = {"kind": "casualties", "power": "japan", "space": "yunnan", "round": 1, "hits": {"other": 2}}
    assert "hits to take: 2" in ask_lines(ask, EN)
    asked = ask_lines({**ask, "hits": {"air": 1, "other": 2}}, EN)
    assert "hits to take: by aircraft: 1, by any other unit: 2" in asked


def test_the_answer_as_html_escapes_the_players_words() -> None:
    document = answer_html(answer_view(TAKEN, PHASES, ZH, NOTE, LINK), ZH)
    seen = Tags(document)
    assert "2 tank <b>Manchuria</b> -> Amur" in seen.text
    assert seen.addresses == [LINK]


# -- notices ----------------------------------------------------------------------------------------------------------

PARAMS = {
    "reason": "the table <i>rests</i>", "deadlines": {"w": NOON}, "what": "the start of r3.japan", "to": 400,
    "offered": {"japan": ["buy 3 infantry"]}, "deadline": NOON, "text": "The tank may blitz.", "about": 12,
    "rules": ["P40-6.4.5"], "powers": ["japan"], "by": "eve", "player": "aki", "moved": True,
}  # fmt: skip


@pytest.mark.parametrize("words", [EN, ZH])
@pytest.mark.parametrize("kind", KINDS)
def test_every_notice_can_be_said(kind: str, words: Words) -> None:
    notice = notice_of(kind, "p40-17", PARAMS, words)
    text = notice_text(notice, words, NOTE)
    assert NOTE.strip() in text
    assert all(columns(line) <= WIDTH for line in text.split("\n") if not line.startswith("— "))
    assert "i" not in Tags(notice_html(notice, words, NOTE)).tags


def test_a_rewind_offers_the_orders_again() -> None:
    text = notice_text(notice_of("rewound", "p40-17", PARAMS, EN), EN, NOTE)
    assert "one word same" in text.replace("\n", " ")
    assert "\n  buy 3 infantry\n" in text


def test_a_stop_does_not_tell_what_may_be_sealed() -> None:
    difference = {"reason": "at event 512: recorded {'type': 'card_identified', 'name': 'heavy_tank'}; the rules"}
    text = notice_text(notice_of("stopped", "p40-17", difference, EN), EN, NOTE)
    assert "at event 512" in text and "heavy_tank" not in text
