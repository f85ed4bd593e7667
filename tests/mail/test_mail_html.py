"""HTML mails as the known mail programs write them."""

from __future__ import annotations

import time

import pytest

from pbem.mail.html import html_lines
from tests.mail.letters import DECOY, GOOD, GOOD_1, GOOD_2, cuts, letter, order_lines, own_lines, read

DECOY_HTML = DECOY.replace(">", "&gt;")
GOOD_HTML = [line.replace(">", "&gt;") for line in GOOD]
OWN = "".join(f"<div>{line}</div>" for line in GOOD_HTML)


def read_html(source: str) -> list[str]:
    mail = read(letter(source, content_type="text/html; charset=utf-8"))
    assert order_lines(mail) == own_lines(mail)
    return own_lines(mail)


@pytest.mark.parametrize(
    "source",
    [
        f"<p>{GOOD_HTML[0]}<p>{GOOD_HTML[1]}",
        f"<ul><li>{GOOD_HTML[0]}<li>{GOOD_HTML[1]}</ul>",
        f"{GOOD_HTML[0]}<br>{GOOD_HTML[1]}<br/>",
        f"<table><tr><td>3&nbsp;inf</td><td>Kwangsi</td><td>-&gt; Yunnan</td></tr>"
        f"<tr><td>{GOOD_HTML[1]}</td></tr></table>",
        f"<pre>{GOOD_HTML[0]}\n{GOOD_HTML[1]}\n</pre>",
        f"<html><head><title>1 art</title><style>a > b {{}}</style><body>{OWN}</body></html>",
        f"<head><meta charset=utf-8><div>{GOOD_HTML[0]}</div><div>{GOOD_HTML[1]}</div>",
        "<span>3 inf</span> <b>Kwang</b>si\n   -&gt;   Yunnan<div>2 inf Siam\n-&#62; Shan&#160;State</div>",
        f"<p title=it's>{GOOD_HTML[0]}</p><p title='a > b' class=x>{GOOD_HTML[1]}</p>",
        f"<!-- {DECOY} --><![if !mso]>{OWN}<![endif]>",
        f"<p>3 inf Kwangsi -> Yunnan</p><p>{GOOD_HTML[1]}</p>",
    ],
)
def test_orders_one_a_line(source: str) -> None:
    assert read_html(source) == GOOD


@pytest.mark.parametrize(
    "source",
    [
        f'<div style="display:none">{DECOY_HTML}</div>',
        f"<div hidden><p>{DECOY_HTML}</p></div>",
        f"<span style='MSO-HIDE : ALL'>{DECOY_HTML}</span>",
        f'<p style="font-size:0px">{DECOY_HTML}</p>',
        f"<script>{DECOY}</script><style>{DECOY}</style><template>{DECOY_HTML}</template>",
        f"<textarea>{DECOY}</textarea>",
        f"<select><option>{DECOY_HTML}</select>",
    ],
)
def test_what_is_not_shown_is_not_read(source: str) -> None:
    assert read_html(source + OWN) == GOOD


def test_small_text_is_shown() -> None:
    assert read_html(f'<div style="font-size:0.9em; opacity: 0.5">{OWN}</div>') == GOOD


@pytest.mark.parametrize(
    "quotation",
    [
        f'<div class="gmail_quote gmail_quote_container"><div class="gmail_attr">unknown words<br></div>'
        f'<blockquote class="gmail_quote">{DECOY_HTML}</blockquote></div>',
        f'<div class="gmail_quote"><div class="gmail_attr">------ unknown ------</div>{DECOY_HTML}</div>',
        f"<blockquote type=cite><div><div>{DECOY_HTML}</div></div></blockquote>",
        f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> x</div><div>{DECOY_HTML}</div>',
        f'<div id="x_divRplyFwdMsg"></div></div></div>{DECOY_HTML}',
        f'<div style="border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Referee<br><b>Sent:</b> Monday<br>'
        f"<b>To:</b> Japan<br><b>Subject:</b> x</p></div><p>{DECOY_HTML}</p>",
        f'<div id="ydp1a2byahoo_quoted_123" class="yahoo_quoted">{DECOY_HTML}</div>',
        f'<div name="quote" style="margin:10px">{DECOY_HTML}</div>',
        f'<p id="reply-intro">Am Montag</p><blockquote>{DECOY_HTML}</blockquote>',
        f'<div id="mail-editor-reference-message-container"><div>{DECOY_HTML}</div></div>',
        f'<div class="moz-cite-prefix">On Monday:</div><blockquote>{DECOY_HTML}</blockquote>',
        f"<div>On 3 Aug 2026, at 14:00, Referee wrote:</div><div>{DECOY_HTML}</div>",
        f"<div>------------------ 原始邮件 ------------------</div><div>{DECOY_HTML}</div>",
        f"<p>=== write above this line ===</p><p>{DECOY_HTML}</p>",
    ],
)
def test_quotations(quotation: str) -> None:
    mail = read(letter(OWN + quotation, content_type="text/html; charset=utf-8"))
    assert own_lines(mail) == GOOD
    assert sum(cut.order_like for cut in mail.cut) == 1


def test_answer_between_quotations() -> None:
    source = f"<blockquote>q {DECOY_HTML}</blockquote>{OWN}<blockquote>{DECOY_HTML}</blockquote>"
    assert read_html(source) == GOOD


@pytest.mark.parametrize(
    "signature",
    [
        f'<span class="gmail_signature_prefix">-- </span><br><div class="gmail_signature">Japan<br>{DECOY_HTML}</div>',
        f"<div>--&nbsp;</div><div>{DECOY_HTML}</div>",
        f"<div>-- <br>{DECOY_HTML}</div>",
        f'<div id="Signature"><p>{DECOY_HTML}</p></div>',
    ],
)
def test_signatures(signature: str) -> None:
    mail = read(letter(OWN + signature, content_type="text/html; charset=utf-8"))
    assert own_lines(mail) == GOOD
    assert cuts(mail) == ["signature"]
    assert mail.problems == ()


def test_charset_of_the_document() -> None:
    body = f'<meta http-equiv=Content-Type content="text/html; charset=gb2312"><p>{GOOD_HTML[0]} 雲南</p>'.encode(
        "gb18030"
    )
    assert own_lines(read(letter(body, content_type="text/html"))) == [f"{GOOD_1} 雲南"]
    assert own_lines(read(letter(body, content_type="text/html; charset=gbk"))) == [f"{GOOD_1} 雲南"]


def test_undecodable_plain_part_gives_way_to_html() -> None:
    mail = read(
        letter(
            b"--b\nContent-Type: text/plain; charset=utf-8\n\n\xff\xfe\n"
            b"--b\nContent-Type: text/html; charset=utf-8\n\n<p>2 inf Siam -&gt; Shan State</p>\n--b--\n",
            content_type='multipart/alternative; boundary="b"',
        )
    )
    assert own_lines(mail) == [GOOD_2]
    assert mail.problems == ()


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a",
        "<a ",
        "</",
        "</a>",
        "<!--",
        "<!",
        "<div>",
        "<p><b><a>",
        "<style>",
        "<a b='",
        '<a b="c" d=',
        "&#",
        "&am",
    ],
)
def test_hostile_html_takes_linear_time(piece: str) -> None:
    source = piece * (500_000 // len(piece))
    started = time.perf_counter()
    html_lines(source)
    assert time.perf_counter() - started < 5
