"""Parts and attachments: what is text, what is attached, and what the player is told about the rest."""

from __future__ import annotations

import pytest

from pbem.mail.charset import Undecodable, decode
from tests.mail.letters import DECOY, GOOD, GOOD_1, GOOD_2, base64_of, codes, cuts, letter, own_lines, read

MIXED = "multipart/mixed; boundary=b"


def mixed(*parts: str) -> bytes:
    return letter("".join(f"--b\n{part}\n" for part in parts) + "--b--\n", content_type=MIXED)


def test_text_around_an_attachment_is_read_together() -> None:
    raw = mixed(
        f"Content-Type: text/plain\n\n{GOOD_1}",
        "Content-Type: image/png\nContent-Disposition: inline; filename=x.png\n\nx",
        f"Content-Type: text/plain\n\n{GOOD_2}",
    )
    assert own_lines(read(raw)) == GOOD


def test_html_around_an_attachment_beside_plain_text() -> None:
    raw = letter(
        "--a\nContent-Type: text/plain\n\n(no text)\n--a\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/html\n\n<p>3 inf Kwangsi -&gt; Yunnan</p>\n"
        "--b\nContent-Type: application/pdf\n\nx\n"
        "--b\nContent-Type: text/html\n\n<p>2 inf Siam -&gt; Shan State</p>\n--b--\n--a--\n",
        content_type="multipart/alternative; boundary=a",
    )
    mail = read(raw)
    assert own_lines(mail) == GOOD
    assert mail.which_part == "text/html"


def test_signed_mail_is_its_first_part() -> None:
    raw = letter(
        f"--b\nContent-Type: text/plain\n\n{GOOD_1}\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n",
        content_type="multipart/signed; boundary=b; protocol=pgp",
    )
    assert own_lines(read(raw)) == [GOOD_1]


@pytest.mark.parametrize(
    "disposition", ["attachment", "attachment; filename=orders.txt", "inline; filename=orders.txt"]
)
def test_an_attached_text_file_is_not_read_and_mentioned(disposition: str) -> None:
    raw = mixed(
        "Content-Type: text/plain\n\nsee file",
        f"Content-Type: text/plain\nContent-Disposition: {disposition}\n\n{DECOY}",
    )
    mail = read(raw)
    assert own_lines(mail) == ["see file"]
    assert codes(mail) == ["text_attachment"]


def test_a_mail_that_is_one_named_text_is_read() -> None:
    assert own_lines(read(letter(GOOD_1, content_type='text/plain; name="body.txt"'))) == [GOOD_1]


def test_an_attached_mail_is_not_read_and_named_as_the_reason() -> None:
    raw = mixed("Content-Type: text/plain\n\nsee below", f"Content-Type: message/rfc822\n\nSubject: idea\n\n{DECOY}")
    mail = read(raw)
    assert own_lines(mail) == []
    assert cuts(mail) == ["attached message"]
    assert mail.cut[0].text == "idea"
    assert [(problem.code, problem.severity) for problem in mail.problems] == [("orders_only_in_cut", "refuse")]


def test_an_attached_mail_beside_orders_does_no_harm() -> None:
    raw = mixed(f"Content-Type: text/plain\n\n{GOOD_1}", f"Content-Type: message/rfc822\n\nSubject: idea\n\n{DECOY}")
    mail = read(raw)
    assert own_lines(mail) == [GOOD_1]
    assert mail.problems == ()


@pytest.mark.parametrize(
    "content_type", ["application/pkcs7-mime; smime-type=enveloped-data", "application/pgp-encrypted"]
)
def test_encrypted_mail(content_type: str) -> None:
    mail = read(letter("AAAA", content_type=content_type, content_transfer_encoding="base64"))
    assert codes(mail) == ["encrypted"]
    assert mail.refused


def test_several_documents_are_asked_about() -> None:
    document = "Content-Type: application/json; name=a.json\n\n{}"
    assert codes(read(mixed("Content-Type: text/plain\n\nhello", document, document))) == ["several_documents"]


def test_a_mail_that_is_a_json_document() -> None:
    mail = read(letter('{"orders": []}', content_type="application/json"))
    assert mail.orders_source == "attachment"
    assert mail.json_attachments[0].data.strip() == b'{"orders": []}'


def test_a_byte_order_mark_before_no_text() -> None:
    raw = mixed(
        "Content-Type: text/plain\n\nhello",
        "Content-Type: application/json\nContent-Transfer-Encoding: base64\n\n" + base64_of(b"\xff\xfe\x00\xd8"),
    )
    assert codes(read(raw)) == ["undecodable_attachment"]


def test_a_container_without_parts_is_refused() -> None:
    assert codes(read(letter(GOOD_1, content_type="multipart/mixed"))) == ["broken_structure"]
    assert codes(read(letter(GOOD_1, content_type="multipart/mixed; boundary=zzz"))) == ["broken_structure"]


def test_base64_with_the_footer_of_a_list_server() -> None:
    body = base64_of(f"{GOOD_1}\n".encode()) + "_______________\nclub mailing list\n"
    assert own_lines(read(letter(body, content_transfer_encoding="base64"))) == [GOOD_1]


def test_damaged_base64_and_uuencode_are_refused() -> None:
    assert codes(read(letter("MyCyvbH4I", content_transfer_encoding="base64"))) == ["base64_damaged"]
    assert codes(read(letter("begin 644 x", content_transfer_encoding="x-uuencode"))) == ["uuencoded"]


def test_nul_and_replacement_characters_are_refused() -> None:
    assert codes(read(letter(f"{GOOD_1}\0"))) == ["nul_bytes"]
    assert codes(read(letter(f"{GOOD_1}\n3 \ufffd -> Hunan"))) == ["damaged_characters"]
    assert "Line 2" in read(letter(f"{GOOD_1}\n3 \ufffd -> Hunan")).problems[0].text
    assert codes(read(letter(f"{GOOD_1}\n-- \n\ufffd"))) == []


def test_an_empty_mail() -> None:
    mail = read(letter(""))
    assert mail.orders_source == "nothing"
    assert codes(mail) == ["empty"]


def test_a_mailbox_file_line_in_front() -> None:
    assert own_lines(read(b"From japan Mon Aug  3 12:30:00 2026\n" + letter(GOOD_1))) == [GOOD_1]


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("GB2312", "廣西 步兵".encode("gbk"), "廣西 步兵"),
        ("gbk", "𠀀".encode("gb18030"), "𠀀"),
        ("big5", "雲南".encode("cp950"), "雲南"),
        ("big5", "嘅".encode("big5hkscs"), "嘅"),
        ("us-ascii", "雲南".encode(), "雲南"),
        (None, b"\xef\xbb\xbfabc", "abc"),
        ("iso-8859-1", b"\x96\xe9", "–é"),
        ("iso-2022-jp", "雲南".encode("iso2022_jp"), "雲南"),
        ("Shift_JIS", "①".encode("cp932"), "①"),
        ("euc-kr", "윈난".encode("cp949"), "윈난"),
        ("KOI8-R", "да".encode("koi8-r"), "да"),
        ("windows-1251", "да".encode("cp1251"), "да"),
        ("utf-16", "雲南".encode("utf-16"), "雲南"),
    ],
)
def test_charsets(label: str | None, data: bytes, text: str) -> None:
    assert decode(data, label) == text


@pytest.mark.parametrize(
    ("label", "data", "known"),
    [
        ("utf-8", b"ab\xff", True),
        (None, b"ab\xff", True),
        ("us-ascii", b"ab\xff", True),
        ("gb2312", b"ab\xff", True),
        ("x-unknown", b"ab\xff", False),
        ("zlib", b"ab\xff", False),
    ],
)
def test_undecodable(label: str | None, data: bytes, known: bool) -> None:
    assert decode(data, label) == Undecodable(label or "", known, 2)


def test_headers_are_shown_decoded_and_never_with_replacement_characters() -> None:
    shown = read(letter("x", subject="=?gb2312?B?yerO9w==?= =?utf-8?q?=E9=9B=B2?= =?x?q?=ff?=")).subject
    assert shown.startswith("申西雲")
    assert "\\xff" in shown
    assert read(b"Subject: \xff\xfe\n\nx").subject == "\\xff\\xfe"
    assert read(letter("x", subject="雲南")).subject == "雲南"
