"""Mails that went wrong somewhere, at the desk: what is in force afterwards, what is answered, and to whom."""

from __future__ import annotations

import functools
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.log.store import OutboxRow
from pbem.mail.desk_help import GUIDE, GUIDE_ZH, guide_for, without_help
from pbem.mail.dkim import DnsUnavailable
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from tests.mail.letters import (
    CHINA,
    CHINA_ADDRESS,
    DECOY,
    GOOD,
    GOOD_1,
    GOOD_2,
    JAPAN_ADDRESS,
    KIM,
    base64_of,
    letter,
)
from tests.service.kit import CAMPAIGN, DEADLINE, HALF_PAST, Table, open_table

GOOD_TEXT = "\n".join(GOOD) + "\n"
TAKEN_1 = "3 infantry Kwangsi -> Yunnan"
TAKEN_2 = "2 infantry Siam -> Shan State"
TAKEN = [TAKEN_1, TAKEN_2]


def one(rows: list[OutboxRow]) -> OutboxRow:
    (row,) = rows
    return row


def statuses(row: OutboxRow) -> list[str]:
    return [line["status"] for line in row.params["lines"]]


def test_good_orders_are_in_force_and_answered_once(table: Table) -> None:
    handled = table.receive(letter(GOOD_TEXT))
    answer = one(table.replies())
    assert handled.status == "done" and table.in_force() == TAKEN
    assert (answer.kind, answer.recipient) == ("answer", "japan")
    assert answer.params["in_force"]["japan"]["combat_move"] == TAKEN
    assert answer.params["deadline"] == DEADLINE
    assert table.row(handled.row).raw is not None and table.row(handled.row).status == "done"
    (received,) = table.events("orders_received")
    assert received.payload["received_at"] == HALF_PAST and received.readers == ("japan",)


def test_m01_to_m45_end_as_orders_refusals_or_questions(table: Table) -> None:
    quoted = f"{GOOD_TEXT}\nOn Mon, Aug 3, 2026 at 2:00 PM The referee\n<{JAPAN_ADDRESS}> wrote:\n\n> {DECOY}\n"
    table.receive(letter(quoted, message_id="<m01@players.example>"))
    assert table.in_force() == TAKEN
    assert any("1 of these lines looks like an order" in note for note in one(table.replies()).params["notes"])
    forwarded = f"FYI:\n\n---------- Forwarded message ---------\nFrom: Friend <f@elsewhere.example>\n\n{DECOY}\n"
    handled = table.receive(letter(forwarded, message_id="<m09@players.example>"))
    assert (handled.status, table.in_force()) == ("refused", TAKEN)
    assert "forwarded" in json.dumps(table.mails("mail_refused")[0].params)


def test_help_and_mere_talk_are_answered_with_a_short_guide(table: Table) -> None:
    for text in ("Help!", "Hi! How does this work?", f"help\n{GOOD_1}", "\n"):
        table.receive(letter(text, message_id=f"<{len(table.handled)}@players.example>"))
        assert set(GUIDE) <= set(table.replies()[-1].params["notes"])
    assert table.in_force() == [TAKEN_1]
    assert all(line["text"].lower() != "help" for line in table.replies()[-1].params["lines"])
    table.receive(letter(GOOD_TEXT, message_id="<last@players.example>"))
    assert not set(GUIDE) & set(table.replies()[-1].params["notes"])


def test_the_guide_speaks_the_reader_s_language_and_leaves_who_is_asked_alone() -> None:
    def looks_like_order(line: str) -> bool:
        return line.startswith("3 inf")

    assert guide_for("說明", looks_like_order, "zh") == GUIDE_ZH
    assert guide_for("hm, let me think", looks_like_order) == GUIDE
    assert guide_for("hm, let me think", looks_like_order, asked=True) == ()
    assert guide_for("help", looks_like_order, asked=True) == GUIDE
    assert without_help("help\n3 inf A -> B\nHelp!") == "\n3 inf A -> B\n"


@pytest.mark.parametrize("paragraph", GUIDE_ZH)
def test_what_the_chinese_guide_teaches_is_read(paragraph: str) -> None:
    names = gazetteer("s42", None)
    context = ReadContext("s42", None, powers=("germany",), open_powers=("germany",), phase="combat_move")
    for line in re.findall("`(.*?)`", paragraph):
        for word, place in (("另一海區", "海區14"), ("海區 ->", "海區15 ->"), ("-> 海區", "-> 海區15"),
                            ("此地", "德國本土"), ("彼地", "義大利")):  # fmt: skip
            line = re.sub(f"{word}(?![0-9])", place, line)
        assert [result.status for result in read_orders(line, names, context)] == ["accepted"], line


def test_a_quoted_report_below_our_line_is_no_reason_to_warn(table: Table) -> None:
    table.receive(letter(f"{GOOD_TEXT}\n> === write above this line ===\n>   {DECOY}\n"))
    assert all("count" not in note for note in one(table.replies()).params["notes"])


def test_lines_without_a_heading_are_for_the_one_power_that_is_awaited(table: Table) -> None:
    """Kim plays two powers; while only one is to order, its name need not be written."""
    table.receive(letter("ready"))
    for _ in range(10):
        table.advance()
        if {"usa", "uk"} & set(table.window.powers):
            break
        table.clock.now = (table.window.deadline or 0) + 1
    (awaited,) = table.window.powers
    address = JAPAN_ADDRESS.replace("jp7k2q", "km8w3z")
    table.receive(letter("buy nothing\nready", **{"from": KIM}), sender=KIM, to=address)
    assert awaited in table.window.ready
    assert {line["power"] for line in table.replies()[-1].params["lines"]} == {awaited}


def orders_json(*lines: str) -> str:
    return base64_of(b"\xef\xbb\xbf" + json.dumps({"orders": list(lines)}).encode())


def with_attachment(text: str, document: str) -> bytes:
    return letter(
        f"--b\nContent-Type: text/plain; charset=utf-8\n\n{text}\n--b\n"
        'Content-Type: application/json; name="orders.json"\n'
        'Content-Disposition: attachment; filename="orders.json"\nContent-Transfer-Encoding: base64\n\n'
        f"{document}\n--b--\n",
        content_type='multipart/mixed; boundary="b"',
    )


def test_m41_json_attachment_with_a_byte_order_mark(table: Table) -> None:
    table.receive(with_attachment("orders attached", orders_json(*GOOD)))
    assert table.in_force() == TAKEN
    assert any("attached JSON" in note for note in one(table.replies()).params["notes"])


def test_m41_json_pasted_into_the_mail(table: Table) -> None:
    table.receive(letter(json.dumps({"orders": GOOD, "ready": True}, indent=1)))
    assert table.in_force() == TAKEN and table.window.ready == ("japan",)


def test_m41_a_broken_document_is_refused_with_its_place(table: Table) -> None:
    handled = table.receive(with_attachment("orders attached", base64_of(b'{"orders": [1]}')))
    assert handled.status == "refused" and table.in_force() == []
    assert "orders[0]" in json.dumps(one(table.replies()).params)


def test_m43_text_and_attachment_that_differ_are_asked_about_and_never_added_up(table: Table) -> None:
    handled = table.receive(with_attachment(GOOD_1, orders_json(GOOD_2)))
    assert handled.status == "held" and table.in_force() == []
    question = one(table.replies())
    assert [choice[0] for choice in question.params["choices"]] == [
        f"confirm {handled.row} text",
        f"confirm {handled.row} attachment",
    ]
    table.receive(letter(f"confirm {handled.row} attachment\n", message_id="<c@players.example>"))
    assert table.in_force() == [TAKEN_2]
    assert table.row(handled.row).status == "done"


def test_m43_text_and_attachment_that_say_the_same_are_taken(table: Table) -> None:
    table.receive(with_attachment(GOOD_TEXT, orders_json(*TAKEN)))
    assert table.in_force() == TAKEN


def test_m47_reply_prefixes(table: Table) -> None:
    table.receive(letter(GOOD_1, subject="AW: Re: SV: [p40-17] Japan, round 3: combat move"))
    assert table.in_force() == [TAKEN_1]
    assert one(table.replies()).params["reply"]["subject"] == "[p40-17] Japan, round 3: combat move"


def test_m49_no_campaign_anywhere(table: Table) -> None:
    handled = table.receive(letter(GOOD_1, to="orders@pbem.example", subject="my moves"), to="orders@pbem.example")
    refusal = one(table.replies())
    assert (handled.status, refusal.kind, refusal.recipient) == ("refused", "mail_refused", "japan")
    assert table.in_force() == [] and refusal.params["reason"] == "no_secret_address"


def test_m49_a_stranger_gets_no_answer(table: Table) -> None:
    stranger = "someone@elsewhere.example"
    raw = letter(GOOD_1, to="orders@pbem.example", **{"from": f"<{stranger}>"})
    assert table.receive(raw, sender=stranger, to="orders@pbem.example").status == "silent"
    assert table.replies() == [] and table.in_force() == []


WORK = "j.player@work.example"


def at_work(body: str = GOOD_1, number: int = 1) -> bytes:
    return letter(body, message_id=f"<w{number}@work.example>", **{"from": f"Japan at work <{WORK}>"})


def test_m51_an_unregistered_sender_is_asked_about_at_the_registered_address(table: Table) -> None:
    held = table.receive(at_work(), sender=WORK)
    question = one(table.replies())
    assert (held.status, table.in_force()) == ("held", [])
    assert (question.kind, question.recipient, question.params["reply"]["address"]) == ("mail_question", "japan", 0)
    assert question.params["seen"] == [GOOD_1]
    table.receive(letter(f"confirm {held.row}", message_id="<c1@players.example>"))
    assert table.in_force() == [TAKEN_1]
    assert (table.row(held.row).status, len(table.mails("answer"))) == ("done", 1)


def test_m51_only_the_owner_confirms_and_only_once(table: Table) -> None:
    held = table.receive(at_work(), sender=WORK)
    assert table.receive(at_work(f"confirm {held.row}", 2), sender=WORK).status == "held"
    from_china = letter(
        f"confirm {held.row}", to=CHINA_ADDRESS, **{"from": CHINA, "message_id": "<c2@players.example>"}
    )
    assert table.receive(from_china, sender=CHINA, to=CHINA_ADDRESS).status == "refused"
    assert table.in_force() == []
    table.receive(letter(f"confirm {held.row}", message_id="<c3@players.example>"))
    again = table.receive(letter(f"confirm {held.row}", message_id="<c4@players.example>"))
    assert (again.status, table.in_force()) == ("refused", [TAKEN_1])


def test_m51_a_confirmation_holds_no_orders_of_its_own(table: Table) -> None:
    held = table.receive(at_work(), sender=WORK)
    table.receive(letter(f"confirm {held.row}\n{GOOD_2}\n", message_id="<c5@players.example>"))
    assert table.in_force() == [TAKEN_1]
    assert any(GOOD_2 in note for note in table.mails("answer")[0].params["notes"])


def test_m51_with_the_policy_to_accept_the_answer_goes_home(table: Table) -> None:
    store = table.referee.store
    store.put_settings(CAMPAIGN, {**store.settings(CAMPAIGN), "mail": {"unknown_sender": "accept"}})
    table.receive(at_work(), sender=WORK)
    answer = one(table.replies())
    assert table.in_force() == [TAKEN_1]
    assert answer.params["reply"]["address"] == 0 and any(WORK in note for note in answer.params["notes"])


def test_m53_the_opponent_answers_a_forwarded_report(table: Table) -> None:
    handled = table.receive(letter(GOOD_1, **{"from": f"China Player <{CHINA}>"}), sender=CHINA)
    assert (handled.status, table.in_force()) == ("held", [])
    assert {(row.kind, row.recipient) for row in table.replies()} == {
        ("leak_notice", "japan"),
        ("moderator_notice", "mod"),
    }
    assert GOOD_1 not in json.dumps([row.params for row in table.replies()])


def test_m53_a_leaked_address_can_be_replaced(table: Table) -> None:
    old = table.referee.store.player(CAMPAIGN, "japan")
    table.receive(letter("new address\n", message_id="<n1@players.example>"))
    new = table.referee.store.player(CAMPAIGN, "japan")
    assert old is not None and new is not None and new.token not in ("", old.token)
    assert one(table.replies()).kind == "address_changed"
    to_old = table.receive(letter(GOOD_1, message_id="<n2@players.example>"))
    assert (to_old.status, to_old.why, table.in_force()) == ("refused", "refuse:revoked_address", [])
    to_new = table.receive(
        letter(GOOD_1, message_id="<n3@players.example>"), to=f"orders+p40-17.{new.token}@pbem.example"
    )
    assert (to_new.status, table.in_force()) == ("done", [TAKEN_1])


def test_m55_two_from_headers(table: Table) -> None:
    raw = letter(DECOY, first="From: Someone <x@evil.example>\n")
    handled = table.receive(raw)
    assert (handled.status, table.in_force()) == ("held", [])
    assert [row.kind for row in table.replies()] == ["moderator_notice"]


def vacation(number: int) -> bytes:
    return letter(
        f"I am away until 20 August. You wrote:\n{DECOY}\n",
        auto_submitted="auto-replied",
        subject="Out of office Re: [p40-17] Japan, round 3: combat move",
        message_id=f"<v{number}@players.example>",
    )


def test_m57_a_vacation_answer_is_noted_and_not_answered(table: Table) -> None:
    handled = table.receive(vacation(1), sender="")
    assert (handled.status, table.in_force(), table.replies()) == ("silent", [], [])
    (noted,) = table.events("mail_noted")
    assert noted.payload["reason"] == "automatic" and noted.readers == ("japan",)
    assert "@" not in json.dumps(noted.payload)
    assert table.window.answered == ()


def test_m57_a_flood_of_them_does_not_fill_the_log(table: Table) -> None:
    for number in range(25):
        table.receive(vacation(number), sender="")
    assert len(table.events("mail_noted")) == 20


def test_m61_our_own_report_comes_back(table: Table) -> None:
    report = table.mails("report")[0]
    raw = letter(
        f"turn report\n{DECOY}\n",
        message_id=report.message_id,
        to=CHINA_ADDRESS,
        auto_submitted="auto-generated",
        **{"from": f"Referee <{JAPAN_ADDRESS}>"},
    )
    handled = table.receive(raw, sender=JAPAN_ADDRESS, to=CHINA_ADDRESS)
    assert (handled.status, handled.why.split(":")[0]) == ("silent", "loop")
    assert [row.kind for row in table.replies()] == ["moderator_notice"]
    assert [event.payload["reason"] for event in table.events("mail_noted")] == ["loop"]


def test_m63_the_same_bytes_twice(table: Table) -> None:
    raw = letter(GOOD_TEXT)
    first = table.keep(raw, "2026-08-03T12:30:00Z")
    assert table.keep(raw, "2026-08-03T12:30:41Z") == first
    table.handle(first[0])
    assert table.handle(first[0]).status == "already"
    assert (table.in_force(), len(table.replies()), len(table.events("orders_received"))) == (TAKEN, 1, 1)


def test_m65_no_message_id_twice(table: Table) -> None:
    rows = [
        table.keep(letter(GOOD_TEXT, without=("Message-ID",), first=f"Received: by mx{n}.example; now\n"), at)
        for n, at in enumerate(("2026-08-03T12:30:00Z", "2026-08-03T12:31:00Z"))
    ]
    assert rows[0] == rows[1]


def test_m67_the_order_of_receipt_decides_and_the_answer_says_so(table: Table) -> None:
    later = letter(GOOD_TEXT, date="Mon, 3 Aug 2026 12:05:00 +0000", message_id="<b@players.example>")
    earlier = letter(GOOD_1, date="Mon, 3 Aug 2026 12:00:00 +0000", message_id="<a@players.example>")
    table.receive(later, "2026-08-03T12:30:00Z")
    table.receive(earlier, "2026-08-03T12:31:00Z")
    assert table.in_force() == [TAKEN_1]
    first, second = table.mails("answer")
    assert first.params["notes"] == []
    assert any("written before" in note for note in second.params["notes"])
    assert second.params["gone"] == [TAKEN_2]


def test_m69_at_the_stroke_of_the_deadline(table: Table) -> None:
    (row,) = table.keep(letter(GOOD_TEXT), "2026-08-05T20:00:00.000Z")
    table.clock.set("2026-08-05T21:00:00Z")
    assert table.advance().window is not None and table.window.id == "r3.japan:moves"
    table.handle(row)
    assert table.in_force() == TAKEN
    table.advance()
    (closed,) = [e for e in table.events("window_closed") if e.payload["window"] == "r3.japan:moves"]
    assert closed.payload["texts"]["japan"] == "".join(f"{line}\n" for line in TAKEN)


def test_m69_a_millisecond_late(table: Table) -> None:
    table.receive(letter(GOOD_TEXT), "2026-08-05T20:00:00.001Z")
    answer = one(table.replies())
    assert table.in_force() == [] and statuses(answer) == ["refused", "refused"]
    assert "after the deadline" in answer.params["lines"][0]["reason"]


@pytest.mark.parametrize(
    "date",
    ["Fri, 1 Jan 2038 00:00:00 +0000", "yesterday evening", None, "Mon, 3 Aug 2026 20:00:00 CST"],
)
def test_m71_dates_that_lie(table: Table, date: str | None) -> None:
    raw = letter(GOOD_TEXT, without=("Date",)) if date is None else letter(GOOD_TEXT, date=date)
    table.receive(raw)
    assert (table.in_force(), len(table.replies())) == (TAKEN, 1)


def test_m73_an_answer_to_an_older_report_is_asked_about(table: Table) -> None:
    table.receive(letter(GOOD_TEXT))
    table.clock.pass_time(hours=60)
    for _ in range(40):
        waiting = table.advance().window
        if waiting is not None and waiting.powers == ("japan",) and waiting.id.startswith("r4"):
            break
        table.clock.pass_time(hours=60)
    assert table.window.id == "r4.japan:moves"
    old = next(row for row in table.mails("report") if row.recipient == "japan")
    late = letter(DECOY, in_reply_to=old.message_id, message_id="<o@players.example>")
    held = table.receive(late)
    question = table.replies()[-1]
    assert (held.status, question.kind, question.params["reason"]) == ("held", "mail_question", "older_window")
    assert "Japan, round 3 (moves), which is closed, while Japan, round 4 (moves)" in question.params["detail"]
    assert table.in_force() == []
    table.receive(letter(f"confirm {held.row}", message_id="<p@players.example>"))
    assert [line["status"] for line in table.mails("answer")[-1].params["lines"]] == ["accepted"]


def test_m75_a_second_mail_replaces_the_phase_and_says_what_is_gone(table: Table) -> None:
    table.receive(letter(GOOD_TEXT))
    table.receive(letter("1 inf Siam -> Shan State", message_id="<2@x.example>"), "2026-08-03T13:30:00Z")
    answer = table.mails("answer")[-1]
    assert table.in_force() == ["1 infantry Siam -> Shan State"]
    assert answer.params["gone"] == TAKEN
    assert answer.params["in_force"]["japan"]["combat_move"] == table.in_force()


def test_m75_a_refused_line_replaces_nothing(table: Table) -> None:
    """Siam and French Indo-China are both Japan's: the rules know no combat move between them (P40-4.1.4)."""
    table.receive(letter(GOOD_TEXT))
    table.receive(letter("2 inf Siam -> French Indo-China", message_id="<2@x.example>"), "2026-08-03T13:30:00Z")
    answer = table.mails("answer")[-1]
    assert statuses(answer) == ["refused"] and answer.params["gone"] == []
    assert answer.params["in_force"]["japan"]["combat_move"] == table.in_force() == TAKEN


def test_m77_orders_never_marked_ready_are_adjudicated_at_the_deadline(table: Table) -> None:
    table.receive(letter(GOOD_TEXT))
    table.clock.now = DEADLINE
    assert table.advance().appended == 0
    table.clock.now = DEADLINE + 1
    table.advance()
    fought = [event.payload["space"] for event in table.events("battle_begun")]
    assert sorted(fought) == ["shan-state", "yunnan"]
    assert not [event for event in table.events("deadline_set") if event.payload["window"] == "r3.japan:moves"][1:]


def test_m79_good_lines_and_a_bad_line(table: Table) -> None:
    table.receive(letter(f"{GOOD_1}\n2 inf Siam -> Atlantis\n{GOOD_2}\n"))
    lines = one(table.replies()).params["lines"]
    assert table.in_force() == TAKEN
    assert [(line["line"], line["status"]) for line in lines if line["status"] != "accepted"] == [
        (2, lines[1]["status"])
    ]
    assert lines[1]["status"] in ("refused", "unreadable") and "Atlantis" in lines[1]["reason"]
    assert lines[1]["text"] == "2 inf Siam -> Atlantis" and lines[1]["suggestions"] == []


def test_m83_reply_to_all(table: Table) -> None:
    table.receive(letter(GOOD_1, cc=f"{CHINA}, {KIM}"))
    answer = one(table.replies())
    assert (table.in_force(), answer.recipient) == ([TAKEN_1], "japan")
    assert any("china" in note and "kim" in note for note in answer.params["notes"])


def test_m87_eleven_megabytes_are_refused_in_one_sentence(table: Table) -> None:
    handled = table.receive(letter(f"{GOOD_1}\n" * 450_000))
    (problem,) = one(table.replies()).params["problems"]
    assert handled.status == "refused" and "1,000,000" in problem[0]


def test_m101_no_window_is_ever_open_for_nobody(table: Table) -> None:
    table.receive(letter(GOOD_TEXT + "ready\n"))
    for _ in range(6):
        table.advance()
        table.clock.pass_time(hours=60)
    opened = table.events("window_opened")
    assert len(opened) > 5 and all(event.payload["powers"] for event in opened)


# -- the sender's proof -----------------------------------------------------------------------------------------------


def test_a_campaign_may_demand_dkim(tmp_path: Any) -> None:
    table = open_table(tmp_path, require_dkim=True)
    held = table.receive(letter(GOOD_1))
    assert (held.status, table.replies()[-1].params["reason"]) == ("held", "dkim_missing")


def test_a_key_that_cannot_be_asked_for_is_asked_for_again(tmp_path: Any) -> None:
    def no_dns(name: str) -> bytes | None:
        raise DnsUnavailable("timeout")

    table = open_table(tmp_path, require_dkim=True)
    table.dkim = no_dns
    signature = "v=1; a=rsa-sha256; d=players.example; s=k; h=from; bh=AAAA; b=AAAA"
    (row,) = table.keep(letter(GOOD_1, dkim_signature=signature))
    assert table.handle(row).status == "later"
    assert table.row(row).status == "unread" and table.replies() == []
    table.clock.pass_time(hours=1)
    assert table.handle(row).status == "held"


# -- anything at all

_anything = tempfile.TemporaryDirectory(prefix="pbem-desk-")


@functools.cache
def table_for_anything() -> Table:
    return open_table(Path(_anything.name))


@given(st.one_of(st.binary(max_size=300), st.text(max_size=200).map(letter), st.binary(max_size=200).map(letter)))
def test_no_mail_at_all_breaks_the_desk_or_runs_the_decoy(raw: bytes) -> None:
    table = table_for_anything()
    (row,) = table.keep(raw)
    assert table.handle(row).status in ("done", "refused", "held", "silent", "already")
    assert table.row(row).status != "unread" and "1 artillery Kwangsi -> Hunan" not in table.in_force()


# -- limits and strangers ---------------------------------------------------------------------------------------------


def test_questions_and_refusals_have_a_limit(table: Table) -> None:
    for number in range(20):
        table.receive(at_work(number=number), sender=WORK)
    assert len(table.mails("mail_question")) == 12
    table.clock.pass_time(hours=2)
    table.receive(at_work(number=100), sender=WORK)
    assert len(table.mails("mail_question")) == 13


def test_a_player_of_several_powers_is_told_that_none_is_awaited(table: Table) -> None:
    address = JAPAN_ADDRESS.replace("jp7k2q", "km8w3z")
    table.receive(letter("ready", **{"from": KIM}), sender=KIM, to=address)
    (line,) = one(table.replies()).params["lines"]
    assert line["status"] == "refused" and "the campaign waits for Japan" in line["reason"]


def test_orders_in_mid_battle_are_told_what_is_asked_first(tmp_path: Path) -> None:
    """So many on both sides that whatever the dice say the battle goes on, and Japan is asked whether to retreat."""
    many = {
        "kwangsi": {"controller": "japan", "units": {"japan": {"infantry": 30}}},
        "yunnan": {"controller": "china", "units": {"china": {"infantry": 60}}},
    }
    table = open_table(tmp_path, many)
    table.receive(letter("30 infantry Kwangsi -> Yunnan\nask me\nready"))
    table.advance()
    assert table.window.kind == "decisions"
    table.receive(letter("noncombat: 1 infantry Siam -> French Indo-China", message_id="<2@players.example>"))
    answer = table.replies()[-1]
    (line,) = answer.params["lines"]
    assert line["status"] == "refused" and "the battles are not over" in line["reason"]
    assert answer.params["window_kind"] == "decisions"


def test_ready_is_refused_where_nothing_is_awaited(table: Table) -> None:
    table.receive(letter("ready", **{"from": CHINA}), sender=CHINA, to=CHINA_ADDRESS)
    (line,) = one(table.replies()).params["lines"]
    assert (line["status"], table.window.ready) == ("refused", ())
    assert "nothing is awaited from China now (the campaign waits for Japan)" in line["reason"]


def test_a_near_spelling_is_suggested_as_the_whole_line(table: Table) -> None:
    table.receive(letter("3 infantry Kwangsii -> Yunnan\n2 artilery Siam -> Shan State"))
    first, second = one(table.replies()).params["lines"]
    assert "3 infantry Kwangsi -> Yunnan" in first["suggestions"]
    assert second["suggestions"] == ["2 artillery Siam -> Shan State"]
