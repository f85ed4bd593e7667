"""Mails that went wrong somewhere, read: what is taken as orders, what is cut, and what the player is told."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest

from pbem.mail.read import dedupe_key
from pbem.mail.values import Limits
from tests.mail.letters import (
    CHINA_ADDRESS,
    DECOY,
    GOOD,
    GOOD_1,
    GOOD_2,
    JAPAN,
    JAPAN_ADDRESS,
    base64_of,
    codes,
    cuts,
    letter,
    looks_like_order,
    order_lines,
    own_lines,
    read,
)

GOOD_TEXT = "\n".join(GOOD) + "\n"


def test_m01_attribution_wrapped_over_two_lines() -> None:
    mail = read(
        letter(
            GOOD_TEXT + "\nOn Mon, Aug 3, 2026 at 2:00 PM The referee of the Pacific campaign\n"
            f"<{JAPAN_ADDRESS}> wrote:\n\n> Your window is open. Example of an order:\n> {DECOY}\n"
        )
    )
    assert own_lines(mail) == GOOD
    assert cuts(mail) == ["attribution", "quotation"]
    assert mail.cut[1].order_like == 1
    assert mail.problems == ()


def test_m03_chinese_attribution() -> None:
    mail = read(
        letter(
            f"3 步兵 廣西 -> 雲南\n\n日本玩家 <{JAPAN}> 於 2026年8月3日 週一 下午2:00寫道：\n\n> 1 砲兵 廣西 -> 湖南\n"
        )
    )
    assert own_lines(mail) == ["3 步兵 廣西 -> 雲南"]
    assert cuts(mail) == ["attribution", "quotation"]


def test_m05_answers_between_quoted_questions_keep_their_line_numbers() -> None:
    mail = read(
        letter(
            f"> Which combat moves do you order?\n{GOOD_1}\n> ({DECOY} is also possible)\n{GOOD_2}\n"
            "> Answer before 2026-08-05 20:00 UTC.\n"
        )
    )
    assert mail.orders_text == f"\n{GOOD_1}\n\n{GOOD_2}"


def test_m07_quoted_attribution() -> None:
    mail = read(
        letter(GOOD_TEXT + f"\n> On 3 Aug 2026, at 14:00, Referee <orders@pbem.example> wrote:\n> \n> {DECOY}\n")
    )
    assert own_lines(mail) == GOOD


def test_m09_inline_forward_is_named_as_the_reason() -> None:
    mail = read(
        letter(
            "FYI, this is what I would have done:\n\n---------- Forwarded message ---------\n"
            f"From: Friend <friend@elsewhere.example>\nDate: Mon, Aug 3, 2026\nSubject: idea\n\n{DECOY}\n"
        )
    )
    assert mail.orders_text == ""
    [problem] = [problem for problem in mail.problems if problem.code == "orders_only_in_cut"]
    assert problem.severity == "refuse"
    assert "forwarded message" in problem.text


@pytest.mark.parametrize("quoted_printable", [False, True])
def test_m11_signature_delimiter(quoted_printable: bool) -> None:
    if quoted_printable:
        body = GOOD_TEXT + f"--=20\nJapan Player\n{DECOY}\n"
        mail = read(letter(body, content_transfer_encoding="quoted-printable"))
    else:
        mail = read(letter(GOOD_TEXT + f"-- \nJapan Player\n{DECOY}\n"))
    assert own_lines(mail) == GOOD
    assert cuts(mail) == ["signature"]


def test_m11_a_delimiter_that_lost_its_space_is_asked_about() -> None:
    mail = read(letter(GOOD_TEXT + f"--\nJapan Player\n{DECOY}\n"))
    assert own_lines(mail) == GOOD
    assert [(problem.code, problem.severity) for problem in mail.problems] == [("ambiguous_dashes", "ask")]
    assert read(letter(GOOD_TEXT + "--\nJapan Player\n")).problems == ()


def test_m13_runs_of_dashes_are_not_delimiters() -> None:
    mail = read(letter(f"COMBAT MOVES\n-----\n{GOOD_1}\n-----\n{GOOD_2}\n"))
    assert order_lines(mail) == GOOD


def test_m15_html_only() -> None:
    mail = read(
        letter(
            "<html><body><div>3 inf Kwangsi -&gt; Yunnan</div><div>2&nbsp;inf&nbsp;Siam -&gt; Shan State</div>"
            "<div><br></div></body></html>",
            content_type="text/html; charset=utf-8",
        )
    )
    assert own_lines(mail) == GOOD
    assert mail.which_part == "text/html"


def test_m17_placeholder_in_the_plain_part() -> None:
    mail = read(
        letter(
            "--b\nContent-Type: text/plain; charset=utf-8\n\n"
            "This message is in HTML. Please enable HTML to read it.\n"
            "--b\nContent-Type: text/html; charset=utf-8\n\n"
            "<p>3 inf Kwangsi -&gt; Yunnan</p><p>2 inf Siam -&gt; Shan State</p>\n--b--\n",
            content_type='multipart/alternative; boundary="b"',
        )
    )
    assert own_lines(mail) == GOOD
    assert mail.which_part == "text/html"


def test_m19_text_four_levels_deep() -> None:
    mail = read(
        letter(
            '--m\nContent-Type: multipart/related; boundary="r"\n\n'
            '--r\nContent-Type: multipart/alternative; boundary="a"\n\n'
            f"--a\nContent-Type: text/plain; charset=utf-8\n\n{GOOD_TEXT}"
            "--a\nContent-Type: text/html; charset=utf-8\n\n"
            '<p>3 inf Kwangsi -&gt; Yunnan<br>2 inf Siam -&gt; Shan State</p><img src="cid:logo">\n--a--\n'
            "--r\nContent-Type: image/png\nContent-ID: <logo>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"
            "--r--\n--m--\n",
            content_type='multipart/mixed; boundary="m"',
        )
    )
    assert own_lines(mail) == GOOD
    assert mail.which_part == "text/plain"
    assert [attachment.kind for attachment in mail.attachments] == ["other"]


def test_m21_declared_gb2312_really_gbk() -> None:
    body = "MyCyvbH4II9WzvcgLT4g64XEzwoyILK9sfgg5d/BXyAtPiCT27DuCg==\n"
    mail = read(letter(body, content_type="text/plain; charset=gb2312", content_transfer_encoding="base64"))
    assert own_lines(mail) == ["3 步兵 廣西 -> 雲南", "2 步兵 暹羅 -> 撣邦"]


def test_m23_no_mime_headers() -> None:
    mail = read(letter("3 步兵 廣西 -> 雲南\n2 步兵 暹羅 -> 撣邦\n", without=("MIME-Version", "Content-Type")))
    assert own_lines(mail) == ["3 步兵 廣西 -> 雲南", "2 步兵 暹羅 -> 撣邦"]


@pytest.mark.parametrize("label", ["x-unknown", "cp-936", "iso-2022-cn", "rot13", "unicode_escape", ""])
def test_m25_unknown_charset_with_readable_bytes(label: str) -> None:
    assert own_lines(read(letter(GOOD_TEXT, content_type=f"text/plain; charset={label}"))) == GOOD


def test_m25_unknown_charset_with_unreadable_bytes_is_refused() -> None:
    mail = read(letter("3 步兵".encode("utf-16"), content_type="text/plain; charset=x-unknown"))
    assert mail.orders_text == ""
    assert codes(mail) == ["undecodable"]
    assert "x-unknown" in mail.problems[0].text
    assert "UTF-8" in mail.problems[0].suggestion


def test_m27_big5() -> None:
    body = "MyCoQqdMILxzpuggLT4gtrOrbgoyIKhCp0wgvubDuSAtPiDluKi5Cg==\n"
    mail = read(letter(body, content_type="text/plain; charset=big5", content_transfer_encoding="base64"))
    assert own_lines(mail) == ["3 步兵 廣西 -> 雲南", "2 步兵 暹羅 -> 撣邦"]


def test_m29_quoted_printable() -> None:
    mail = read(
        letter(
            "3 inf Kwang=\nsi -=3E Yunnan=20\n2 inf Siam -=\n> Shan State\n",
            content_transfer_encoding="quoted-printable",
        )
    )
    assert own_lines(mail) == GOOD


def test_m31_format_flowed() -> None:
    mail = read(
        letter(
            "3 inf Kwangsi -> \nYunnan\n2 inf Siam -> Shan State\n",
            content_type="text/plain; charset=utf-8; format=flowed; delsp=no",
        )
    )
    assert own_lines(mail) == GOOD


def test_m33_typographic_characters_reach_the_order_parser() -> None:
    mail = read(letter("3\u00a0inf Kwangsi → Yunnan\n２ inf Siam –> Shan State\n"))
    assert own_lines(mail) == ["3 inf Kwangsi → Yunnan", "２ inf Siam –> Shan State"]


def test_m35_m37_m39_odd_tokens_reach_the_order_parser_as_written() -> None:
    lines = ["1 inf French Indo\u2011China -> Yunnan", "3 infx Kwangsi -> Yunnan", "³ inf A -> B", "٣ inf A -> B"]
    assert own_lines(read(letter("\n".join(lines)))) == lines


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_m41_json_attachment_with_byte_order_mark(codec: str) -> None:
    document = {"orders": GOOD, "name": "雲南"}
    mail = read(
        letter(
            "--b\nContent-Type: text/plain; charset=utf-8\n\norders attached\n"
            '--b\nContent-Type: application/json; name="orders.json"\n'
            'Content-Disposition: attachment; filename="orders.json"\nContent-Transfer-Encoding: base64\n\n'
            + base64_of(json.dumps(document, ensure_ascii=False).encode(codec))
            + "--b--\n",
            content_type='multipart/mixed; boundary="b"',
        )
    )
    assert mail.orders_source == "attachment"
    [attachment] = mail.json_attachments
    assert json.loads(attachment.data.decode("utf-8")) == document


def test_m43_text_and_attachment() -> None:
    mail = read(
        letter(
            f"--b\nContent-Type: text/plain; charset=utf-8\n\n{GOOD_1}\n"
            '--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename="Orders.JSON"\n\n'
            '{"orders": ["2 inf Siam -> Shan State"]}\n--b--\n',
            content_type='multipart/mixed; boundary="b"',
        )
    )
    assert mail.orders_source == "ask"
    assert own_lines(mail) == [GOOD_1]
    assert json.loads(mail.json_attachments[0].data) == {"orders": [GOOD_2]}
    assert [(problem.code, problem.severity) for problem in mail.problems] == [("text_and_attachment", "ask")]


@pytest.mark.parametrize(
    "headers",
    [
        {"content_type": 'application/ms-tnef; name="winmail.dat"'},
        {"content_type": "application/octet-stream"},
    ],
)
def test_m45_winmail(headers: dict[str, str]) -> None:
    tnef = base64_of(b"\x78\x9f\x3e\x22\x01\x00" + b"{\\rtf1 3 inf Kwangsi -> Yunnan}")
    mail = read(letter(tnef, content_transfer_encoding="base64", **headers))
    assert mail.orders_text == ""
    assert [(problem.code, problem.severity) for problem in mail.problems] == [("winmail", "refuse")]
    assert "winmail.dat" in mail.problems[0].text
    assert "plain text or HTML" in mail.problems[0].suggestion


def test_m45_winmail_beside_readable_orders_does_no_harm() -> None:
    mail = read(
        letter(
            f"--b\nContent-Type: text/plain\n\n{GOOD_TEXT}"
            "--b\nContent-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\neJ8+Ig==\n--b--\n",
            content_type='multipart/mixed; boundary="b"',
        )
    )
    assert own_lines(mail) == GOOD
    assert mail.problems == ()


def test_m55_two_from_headers() -> None:
    mail = read(letter(DECOY, first="From: Someone <x@evil.example>\n"))
    assert mail.from_fields == 2
    assert set(mail.from_addresses) == {JAPAN, "x@evil.example"}
    assert mail.orders_text == ""
    assert codes(mail) == ["several_from"]


def test_m57_vacation_answer() -> None:
    mail = read(
        letter(
            f"I am away until 20 August. You wrote:\n{DECOY}\n",
            return_path="<>",
            auto_submitted="auto-replied",
            subject="Out of office Re: [p40-17] Japan, round 3: combat move",
        ),
        envelope_sender="",
    )
    assert mail.automatic is not None
    assert mail.automatic.code == "auto_submitted"
    assert mail.automatic.certain
    assert mail.orders_text == ""


def test_m59_delivery_report() -> None:
    mail = read(
        letter(
            "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
            f"Final-Recipient: rfc822; {JAPAN}\nAction: failed\nStatus: 5.1.1\n"
            f"--b\nContent-Type: message/rfc822\n\nSubject: [p40-17] turn report 9\n\n{DECOY}\n--b--\n",
            return_path="<>",
            **{"from": "MAILER-DAEMON@mx.example", "to": "bounces+p40-17.r9-japan@pbem.example"},
            content_type='multipart/report; report-type=delivery-status; boundary="b"',
        ),
        envelope_sender="",
    )
    assert mail.bounce is not None
    [failed] = mail.bounce.failed
    assert (failed.address, failed.action, failed.status) == (JAPAN, "failed", "5.1.1")
    assert mail.bounce.original_subject == "[p40-17] turn report 9"
    assert mail.orders_text == ""
    assert mail.automatic is not None
    assert mail.automatic.code == "delivery_report"


def test_m59_a_delay_is_not_a_failure() -> None:
    mail = read(
        letter(
            "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
            f"Final-Recipient: rfc822; {JAPAN}\nAction: delayed\nStatus: 4.4.1\n--b--\n",
            content_type='multipart/report; report-type=delivery-status; boundary="b"',
        )
    )
    assert mail.bounce is not None
    assert mail.bounce.failed == ()
    assert len(mail.bounce.recipients) == 1


def test_m61_our_own_report_is_automatic() -> None:
    mail = read(
        letter(
            f"turn report 9 ... {DECOY}\n",
            message_id="<r9.japan.p40-17@pbem.example>",
            **{"from": f"Referee <{JAPAN_ADDRESS}>", "to": CHINA_ADDRESS},
            auto_submitted="auto-generated",
        )
    )
    assert mail.message_id == "r9.japan.p40-17@pbem.example"
    assert mail.from_addresses == (JAPAN_ADDRESS,)
    assert mail.orders_text == ""


def test_m63_the_same_bytes_have_the_same_key() -> None:
    raw = letter(GOOD_TEXT)
    retried = b"Received: from a by b; Mon, 3 Aug 2026 12:30:41 +0000\r\n" + raw
    assert dedupe_key(raw, JAPAN, JAPAN_ADDRESS) == dedupe_key(retried, JAPAN, JAPAN_ADDRESS)


def test_m65_without_message_id() -> None:
    raw = letter(GOOD_TEXT, without=("Message-ID",))
    first = b"Received: by mx1.pbem.example; Mon, 3 Aug 2026 12:30:00 +0000\r\n" + raw
    second = (
        b"Received: by mx2.pbem.example;\r\n Mon, 3 Aug 2026 12:31:00 +0000\r\nReturn-Path: <x@y.example>\r\n" + raw
    )
    key = dedupe_key(first, JAPAN, JAPAN_ADDRESS)
    assert key == dedupe_key(second, JAPAN, JAPAN_ADDRESS)
    assert key == dedupe_key(first.replace(b"\r\n", b"\n"), JAPAN.upper(), JAPAN_ADDRESS)
    different = [
        dedupe_key(letter(GOOD_TEXT), JAPAN, JAPAN_ADDRESS),
        dedupe_key(first, JAPAN, CHINA_ADDRESS),
        dedupe_key(first, "x@players.example", JAPAN_ADDRESS),
        dedupe_key(letter(GOOD_1, without=("Message-ID",)), JAPAN, JAPAN_ADDRESS),
        dedupe_key(letter(GOOD_TEXT, without=("Message-ID",), subject="x"), JAPAN, JAPAN_ADDRESS),
        dedupe_key(
            letter(GOOD_TEXT, without=("Message-ID",), date="Mon, 3 Aug 2026 12:30:01 +0000"), JAPAN, JAPAN_ADDRESS
        ),
    ]
    assert len({key, *different}) == len(different) + 1


def test_m67_claimed_times_can_be_compared() -> None:
    earlier = read(letter(GOOD_1, date="Mon, 3 Aug 2026 12:00:00 +0000"))
    later = read(letter(GOOD_TEXT, date="Mon, 3 Aug 2026 14:05:00 +0200"))
    assert earlier.date_claimed_ms is not None
    assert later.date_claimed_ms is not None
    assert later.date_claimed_ms - earlier.date_claimed_ms == 5 * 60 * 1000


@pytest.mark.parametrize(
    ("date", "claimed"),
    [
        ("Fri, 1 Jan 2038 00:00:00 +0000", 2_145_916_800_000),
        ("yesterday evening", None),
        (None, None),
        ("Mon, 3 Aug 2026 20:00:00 CST", None),
        ("Mon, 99 Aug 2026 20:00:00 +0000", None),
    ],
)
def test_m71_dates_are_for_display_only(date: str | None, claimed: int | None) -> None:
    mail = read(letter(GOOD_TEXT, without=("Date",)) if date is None else letter(GOOD_TEXT, date=date))
    assert own_lines(mail) == GOOD
    assert mail.date_display == (date or "")
    assert mail.date_claimed_ms == claimed
    assert mail.problems == ()


def test_m73_what_it_answers() -> None:
    mail = read(
        letter(
            GOOD_1,
            in_reply_to="<r8.japan.p40-17@pbem.example>",
            references="<r7.japan.p40-17@pbem.example>\n <r8.japan.p40-17@pbem.example>",
        )
    )
    assert mail.in_reply_to == "r8.japan.p40-17@pbem.example"
    assert mail.references == ("r7.japan.p40-17@pbem.example", "r8.japan.p40-17@pbem.example")


def test_m81_m85_press_is_left_as_written() -> None:
    text = (
        f"{GOOD_1}\nPRESS TO china\nIf you leave Hunan I will not play\n<img src=x><script>alert(1)</script>\nENDPRESS"
    )
    assert read(letter(text)).orders_text == text


def test_m83_reply_to_all() -> None:
    mail = read(letter(GOOD_1, cc="China <China@Players.Example>, kim@players.example"))
    assert mail.to_addresses == (JAPAN_ADDRESS,)
    assert mail.cc == ("china@players.example", "kim@players.example")


def test_m87_eleven_megabytes_of_orders() -> None:
    raw = letter(f"{GOOD_1}\n" * 450_000)
    for limits, code in ((Limits(), "too_large"), (Limits(bytes=20_000_000), "too_many_lines")):
        tracemalloc.start()
        started = time.perf_counter()
        mail = read(raw, limits)
        elapsed = time.perf_counter() - started
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert codes(mail) == [code]
        assert mail.orders_text == ""
        assert mail.subject == "Re: [p40-17] Japan, round 3: combat move"
        assert "at most" in mail.problems[0].text
        assert elapsed < 1
        assert peak < 1_000_000


def test_m89_a_line_of_two_thousand_characters() -> None:
    line = "; ".join([GOOD_1] * 82)
    assert len(line) > 2_000
    assert own_lines(read(letter(line))) == [line]
    assert codes(read(letter("x" * 10_001))) == ["line_too_long"]


def test_many_lines_of_text() -> None:
    assert codes(read(letter(f"{GOOD_1}\n" * 2_001))) == ["too_many_lines"]
    assert len(order_lines(read(letter(f"{GOOD_1}\n" * 2_000)))) == 2_000


def test_the_predicate_of_these_tests_knows_the_decoy() -> None:
    assert looks_like_order(DECOY)
