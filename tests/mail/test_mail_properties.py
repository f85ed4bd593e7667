"""Any bytes give a value, within limits; and wherever the decoy is hidden, it is never among the orders."""

from __future__ import annotations

import html
import quopri
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.headers import bare_subject, reply_subject
from pbem.mail.phrases import MARKER
from pbem.mail.read import dedupe_key
from pbem.mail.values import Limits
from tests.mail.letters import DECOY, GOOD_1, GOOD_2, base64_of, codes, letter, order_lines, read

FRAGMENTS = [
    b"Content-Type: multipart/mixed; boundary=b\n\n",
    b'Content-Type: multipart/alternative; boundary="b"\n\n',
    b"Content-Type: message/rfc822\n\n",
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n",
    b"Content-Type: message/delivery-status\n\n",
    b"Content-Type: text/html; charset=gb2312\n\n",
    b"Content-Type: text/plain; charset*=utf-8''%ff; format=flowed; delsp=yes\n\n",
    b"Content-Type: application/json; name*0=a; name*1*=%ff\n\n",
    b"Content-Type: ;;;=\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"Content-Transfer-Encoding: x-uuencode\n",
    b'Content-Disposition: attachment; filename="a\n b"\n',
    b"From: =?utf-8?b?////?= <a@b>, (((( x@y\n",
    b"From: \xff\xfe <a@b.example>\n",
    b"Subject: =?gb2312?q?=ff?= =?big5?b?!?=\n",
    b"Date: Mon, 99 Foo 99999999999999 25:61:61 +9999\n",
    b"Message-ID: <<a> <b>\nIn-Reply-To: >\nReferences: <a><b>\n",
    b"Return-Path: <>\nAuto-Submitted: no\n",
    b"\n\n",
    b"\r\n",
    b"\r",
    b"--b\n",
    b"--b--\n",
    b"\0",
    b"> quoted\n",
    b"-- \n",
    b"--\n",
    b"3 inf Kwangsi -> Yunnan \n",
    b"<div><blockquote>&#0;&#xD800;</p><!--",
    b"MyCyvbH4II9WzvcgLT4g64XEzwo\n",
    b"=3D=\n=ZZ\n",
    b"\xff\x81",
    "從我的 iPhone 傳送\n寫道：\n".encode(),
]


@settings(max_examples=300)
@given(st.one_of(st.binary(max_size=400), st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(b"".join)))
def test_any_bytes_give_a_value(raw: bytes) -> None:
    mail = read(raw)
    assert "\ufffd" not in mail.orders_text
    assert "\0" not in mail.orders_text
    if mail.refused:
        assert mail.orders_text == ""
    for problem in mail.problems:
        assert problem.text.endswith(".")
        assert problem.suggestion.endswith(".")
    assert len(dedupe_key(raw, "a@b.example", "c@d.example")) == 64


CHARACTERS = st.characters(exclude_characters="\r\n>", exclude_categories=("Cs",))


@settings(max_examples=200)
@given(
    above=st.lists(st.sampled_from([GOOD_1, GOOD_2, "", "hello", "USA:"]), max_size=4),
    quoted=st.lists(st.one_of(st.just(DECOY), st.text(CHARACTERS, max_size=30)), min_size=1, max_size=6),
    mark=st.sampled_from([">", "> ", ">> ", " > ", "> > ", "\u200b> "]),
    below=st.lists(st.sampled_from([GOOD_1, GOOD_2, ""]), max_size=3),
)
def test_nothing_marked_as_quoted_is_read(above: list[str], quoted: list[str], mark: str, below: list[str]) -> None:
    body = [*above, *(mark + line for line in quoted), *below]
    mail = read(letter("\n".join(body)))
    assert DECOY not in mail.orders_text
    if not mail.problems:
        assert [line for line in mail.orders_text.split("\n") if line] == [line for line in (*above, *below) if line]


@settings(max_examples=100)
@given(
    before=st.sampled_from(["", "> ", ">>", "  "]),
    dressing=st.text(st.sampled_from("=-*_ #"), max_size=8),
    below=st.lists(st.sampled_from([DECOY, f"> {DECOY}", "hello", ""]), max_size=5),
)
def test_nothing_below_our_line_is_read(before: str, dressing: str, below: list[str]) -> None:
    words = MARKER.strip("= ").upper()
    mail = read(letter("\n".join([GOOD_1, before + dressing + words + dressing, *below, DECOY])))
    assert mail.orders_text == GOOD_1


WRAPPERS = [
    "> {}",
    "-- \n{}",
    "---------- Forwarded message ---------\nFrom: x\n\n{}",
    "-----Original Message-----\n{}",
    f"{MARKER}\n{{}}",
    "On Mon, Aug 3, 2026 at 2:00 PM The referee of the Pacific campaign\n<orders@pbem.example> wrote:\n{}",
    "日本玩家 <japan@players.example> 於 2026年8月3日 週一 下午2:00寫道：\n\n{}",
    "Von: Referee\nGesendet: Montag, 3. August 2026\nAn: Japan\nBetreff: x\n\n{}",
]


def encoded(text: str, how: str) -> bytes:
    if how == "base64 big5":
        return letter(
            base64_of(text.encode("big5")), content_type="text/plain; charset=big5", content_transfer_encoding="base64"
        )
    if how == "quoted-printable":
        body = quopri.encodestring(text.encode(), quotetabs=True).decode("ascii")
        return letter(body, content_transfer_encoding="quoted-printable")
    if how == "html":
        lines = "".join(f"<div>{html.escape(line).replace('-- ', '--&nbsp;')}<br></div>" for line in text.split("\n"))
        return letter(f"<html><body>{lines}</body></html>", content_type="text/html; charset=utf-8")
    if how == "alternative":
        return letter(
            f"--b\nContent-Type: text/html\n\n<p>x</p>\n--b\nContent-Type: text/plain; charset=utf-8\n\n{text}\n--b--",
            content_type="multipart/alternative; boundary=b",
        )
    return letter(text)


@settings(max_examples=200)
@given(
    own=st.lists(st.sampled_from([GOOD_1, GOOD_2, "COMBAT MOVES", "-----", ""]), max_size=5),
    wrappers=st.lists(st.sampled_from(WRAPPERS), min_size=1, max_size=3),
    how=st.sampled_from(["plain", "base64 big5", "quoted-printable", "html", "alternative"]),
    blank=st.booleans(),
)
def test_the_decoy_is_never_read(own: list[str], wrappers: list[str], how: str, blank: bool) -> None:
    """However it is wrapped and encoded; and the orders above it always are."""
    text = DECOY
    for wrapper in wrappers:
        text = wrapper.format(text) if wrapper != "> {}" else "\n".join(f"> {line}" for line in text.split("\n"))
    mail = read(encoded("\n".join([*own, *([""] if blank else []), text]), how))
    assert DECOY not in mail.orders_text
    if not mail.refused:
        assert order_lines(mail) == [line for line in own if line in (GOOD_1, GOOD_2)]


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: multipart/mixed; boundary=b\n\n"
        + b"--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 1_500,
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(55)),
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 4_000,
        b"Content-Type: multipart/digest; boundary=b\n\n" + b"--b\n\n\n" * 200,
        b"Content-Type: message/rfc822\n\n" * 1_500 + b"\nx",
    ],
)
def test_nested_and_many_parts(raw: bytes) -> None:
    started = time.perf_counter()
    mail = read(raw)
    assert codes(mail) == ["nested_too_deep"]
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    "raw",
    [
        b"From: " + b"(" * 60_000 + b"\n\n3 inf Kwangsi -> Yunnan\n",
        b"Content-Type: text/plain; " + b'a=";' * 200_000 + b"\n\nx\n",
        b"Subject: " + b"=?a?q?" * 10_000 + b"\n\nx\n",
        b"X: y\n" * 30_000 + b"\nx\n",
        b"a" * 900_000,
        b"\n" + b"On 2026 x@y wrote " * 40_000 + b":\n",
        b"\n" + b"On 2026 x@y\n" * 40_000 + b"wrote:\n",
        b"\n" + b"From: a\n" * 40_000,
        b"\n" + b">" * 900_000,
        b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 45_000,
        b"Content-Transfer-Encoding: base64\n\n" + b"A" * 900_000,
        b"\n" + b": :" * 300_000,
    ],
)
def test_hostile_mails_take_little_time(raw: bytes) -> None:
    started = time.perf_counter()
    read(raw)
    assert time.perf_counter() - started < 3


def test_bare_carriage_returns_in_the_header_are_refused() -> None:
    """A signature check that does not end the line there would cover another text than the one read."""
    raw = letter(GOOD_1).replace(b"Subject: ", b"Subject: x\r\r" + DECOY.encode() + b" ", 1)
    assert codes(read(raw)) == ["bare_carriage_return"]


def test_limits_are_arguments() -> None:
    raw = letter(f"{GOOD_1}\n{GOOD_2}\n")
    assert codes(read(raw, Limits(bytes=len(raw)))) == []
    assert codes(read(raw, Limits(bytes=len(raw) - 1))) == ["too_large"]
    assert codes(read(raw, Limits(lines=2))) == []
    assert codes(read(raw, Limits(lines=1))) == ["too_many_lines"]
    assert codes(read(raw, Limits(line_length=len(GOOD_2)))) == []
    assert codes(read(raw, Limits(line_length=len(GOOD_2) - 1))) == ["line_too_long"]
    nested = letter(
        "--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n3 inf A -> B\n--b--\n--a--\n",
        content_type="multipart/mixed; boundary=a",
    )
    assert codes(read(nested, Limits(depth=2))) == []
    assert codes(read(nested, Limits(depth=1))) == ["nested_too_deep"]
    assert codes(read(nested, Limits(parts=3))) == []
    assert codes(read(nested, Limits(parts=2))) == ["nested_too_deep"]


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "Re: ",
        "RE: AW: ",
        "AW: Re: SV: ",
        "回覆：",
        "回复: Re: ",
        "Antw: ",
        "Re[2]: ",
        "Re (3): ",
        "Fwd: WG: ",
        "RV: Rif: R: ",
    ],
)
def test_m47_one_reply_prefix(prefix: str) -> None:
    subject = "[p40-17] Japan, round 3: combat move"
    assert bare_subject(prefix + subject) == subject
    assert reply_subject(reply_subject(prefix + subject)) == f"Re: {subject}"
