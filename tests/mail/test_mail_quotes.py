"""Cutting quotations: nothing quoted, forwarded or signed is read as an order, and no order is lost without a word."""

from __future__ import annotations

import pytest

from pbem.mail.phrases import MARKER
from pbem.mail.quotes import is_attribution
from tests.mail.letters import DECOY, GOOD, GOOD_1, GOOD_2, codes, cuts, letter, order_lines, own_lines, read

GOOD_TEXT = "\n".join(GOOD) + "\n"

ATTRIBUTIONS = [
    "On Mon, Aug 3, 2026 at 2:00 PM Referee <orders@pbem.example> wrote:",
    "On 3/08/2026 14:00, Referee wrote:",
    "Referee <orders@pbem.example> writes:",
    "Am Mo., 3. Aug. 2026 um 14:00 Uhr schrieb Referee <orders@pbem.example>:",
    "Am 03.08.2026 um 14:00 schrieb Referee:",
    "Referee schrieb am 3. August 2026 um 14:00:",
    "Le lun. 3 août 2026 à 14:00, Referee <orders@pbem.example> a écrit\u00a0:",
    "El lun, 3 ago 2026 a las 14:00, Referee (<orders@pbem.example>) escribió:",
    "Em seg., 3 de ago. de 2026 às 14:00, Referee <orders@pbem.example> escreveu:",
    "Il giorno lun 3 ago 2026 alle ore 14:00 Referee <orders@pbem.example> ha scritto:",
    "Op ma 3 aug 2026 om 14:00 schreef Referee <orders@pbem.example>:",
    "Den mån 3 aug. 2026 kl 14:00 skrev Referee <orders@pbem.example>:",
    "Den man. 3. aug. 2026 kl. 14.00 skrev Referee <orders@pbem.example>:",
    "pon., 3 sie 2026 o 14:00 Referee <orders@pbem.example> napisał(a):",
    "пн, 3 авг. 2026 г. в 14:00, Referee <orders@pbem.example>:",
    "3 августа 2026 г. Referee пишет:",
    "po 3. 8. 2026 v 14:00 odesílatel Referee <orders@pbem.example> napsal:",
    "Referee <orders@pbem.example> ezt írta (időpont: 2026. aug. 3., H, 14:00):",
    "ma 3. elok. 2026 klo 14.00 Referee (orders@pbem.example) kirjoitti:",
    "Referee <orders@pbem.example>, 3 Ağu 2026 Pzt, 14:00 tarihinde şunu yazdı:",
    "În lun., 3 aug. 2026 la 14:00, Referee <orders@pbem.example> a scris:",
    "2026年8月3日(月) 14:00 Referee <orders@pbem.example>:",
    "2026/08/03 14:00、Refereeのメール:",
    "2026년 8월 3일 (월) 오후 2:00, Referee <orders@pbem.example>님이 작성:",
    "Referee <orders@pbem.example> 于2026年8月3日周一 14:00写道：",
    "Referee <orders@pbem.example> 於 2026年8月3日 週一 下午2:00寫道：",
    "在 2026-08-03 14:00:00，Referee 写道：",
    "Vào Th 2, 3 thg 8, 2026 lúc 14:00 Referee <orders@pbem.example> đã viết:",
    "Tiistai 3.8.2026 klo 14:00 Nobody <orders@pbem.example> some unknown verb:",
]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
@pytest.mark.parametrize("mark", ["> ", ">", ""])
def test_attributions(attribution: str, mark: str) -> None:
    """Also when the mail program puts no marks before what it quotes."""
    mail = read(letter(f"{GOOD_TEXT}\n{attribution}\n\n{mark}{DECOY}\n"))
    assert own_lines(mail) == GOOD
    assert mail.cut[-1].order_like == 1
    assert mail.problems == ()


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_wrapped_attributions(attribution: str) -> None:
    """Wrapped at every second space, directly below an order."""
    words = attribution.replace("\u00a0", " ").split(" ")
    for at in range(1, len(words), 2):
        wrapped = " ".join(words[:at]) + "\n" + " ".join(words[at:])
        mail = read(letter(f"{GOOD_TEXT}{wrapped}\n> {DECOY}\n"))
        assert order_lines(mail) == GOOD


@pytest.mark.parametrize(
    "line", ["USA:", "Orders for 2026:", "Kim wrote:", "casualties Yunnan: infantry first", "3:00"]
)
def test_lines_that_are_no_attributions(line: str) -> None:
    assert not is_attribution(line)
    assert own_lines(read(letter(f"{line}\n{GOOD_1}"))) == [line, GOOD_1]


def test_answer_below_the_quotation() -> None:
    mail = read(letter(f"On 3 Aug 2026, at 14:00, Referee wrote:\n> {DECOY}\n\n{GOOD_TEXT}"))
    assert own_lines(mail) == GOOD


@pytest.mark.parametrize(
    "heading",
    [
        "-----Original Message-----",
        "-----Ursprüngliche Nachricht-----",
        "----- Message d’origine -----",
        "------------------ 原始邮件 ------------------",
        "-------- 轉寄郵件 --------",
        "-------- Weitergeleitete Nachricht --------",
        "Begin forwarded message:",
        "---------- Forwarded message ----------",
        "Anfang der weitergeleiteten Nachricht:",
        "-------- 転送メッセージ --------",
        "________________________________\nFrom: Referee <orders@pbem.example>\nSent: Monday, August 3, 2026 2:00 PM\n"
        "To: Japan\nSubject: window",
        "*From:* Referee\n*Date:* Monday\n*Subject:* window",
        "Von: Referee\nGesendet: Montag, 3. August 2026 14:00\nAn: Japan\nBetreff: Fenster",
        "De : Referee\nEnvoyé : lundi 3 août 2026 14:00\nÀ : Japan\nObjet : fenêtre",
        "De: Referee\nEnviado el: lunes, 3 de agosto de 2026 14:00\nPara: Japan\nAsunto: ventana",
        "发件人: Referee\n发送时间: 2026年8月3日 14:00\n收件人: Japan\n主题: window",
        "寄件者： Referee\n寄件日期： 2026年8月3日 下午 02:00\n收件者： Japan\n主旨： window",
        "差出人: Referee\n送信日時: 2026年8月3日 14:00\n宛先: Japan\n件名: window",
        "보낸 사람: Referee\n보낸 날짜: 2026년 8월 3일\n받는 사람: Japan\n제목: window",
        "От: Referee\nОтправлено: 3 августа 2026 г. 14:00\nКому: Japan\nТема: window",
        "Subject: window\nDate: Mon, 3 Aug 2026 14:00\nFrom: Referee\nTo: Japan",
        "From: orders@pbem.example\nTo: japan@players.example",
        "-----\n\nFrom: Referee\nTo: a@players.example, b@players.example,\n c@players.example\nSent: Monday",
    ],
)
def test_blocks_of_other_mails(heading: str) -> None:
    mail = read(letter(f"{GOOD_TEXT}\n{heading}\n\n{DECOY}\n"))
    assert own_lines(mail) == GOOD
    assert mail.cut[-1].order_like == 1


@pytest.mark.parametrize(
    "text", ["From: Kwangsi\nTo: Yunnan\n3 inf -> Yunnan", "Subject: peace\n3 inf A -> B", "To: all"]
)
def test_labels_that_are_no_header_block(text: str) -> None:
    assert own_lines(read(letter(text))) == text.split("\n")


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from Mail for Windows",
        "Get Outlook for Android",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Verzonden vanaf mijn iPhone",
        "Skickat från min iPhone",
        "发自我的iPhone",
        "從我的 iPhone 傳送",
        "iPhoneから送信",
        "나의 iPhone에서 보냄",
        "Отправлено с iPhone",
    ],
)
def test_signatures_of_mobile_programs(line: str) -> None:
    mail = read(letter(f"{GOOD_1}\n{line}\n{GOOD_2}"))
    assert mail.orders_text == f"{GOOD_1}\n\n{GOOD_2}"
    assert cuts(mail) == ["signature"]


@pytest.mark.parametrize(("mark", "astray"), [("", 2), ("> ", 1), (">> ", 1), ("| ", 2)])
def test_everything_below_our_own_line_is_cut_first(mark: str, astray: int) -> None:
    """Marked lines below it are our own words come back, so they are not pointed out as orders gone astray."""
    mail = read(letter(f"{GOOD_TEXT}\n{mark}{MARKER}\n{mark}{DECOY}\n{DECOY}\n"))
    assert own_lines(mail) == GOOD
    assert mail.cut[0].order_like == astray


def test_our_own_line_wrapped_and_changed_by_a_mail_program() -> None:
    mail = read(
        letter(f"{GOOD_TEXT}\nOn 3 Aug 2026, at 14:00, Referee wrote:\n> === Write above\n> THIS LINE ===\n{DECOY}\n")
    )
    assert own_lines(mail) == GOOD
    assert cuts(mail) == ["below the line you were asked to write above", "attribution"]


def test_orders_only_below_our_own_line_are_pointed_out() -> None:
    mail = read(letter(f"> {MARKER}\n> {DECOY}\n{GOOD_TEXT}"))
    assert mail.orders_text == ""
    assert codes(mail) == ["orders_only_in_cut"]
    assert mail.problems[0].text.startswith("2 lines that look like orders")


def test_separators_inside_a_line_do_not_free_the_rest_of_a_quotation() -> None:
    for separator in "\u2028\u2029\x0b\x0c\x85\x1c":
        assert order_lines(read(letter(f"{GOOD_1}\n> quoted {separator}{DECOY}\n"))) == [GOOD_1]


def test_invisible_characters_do_not_hide_a_quotation_mark() -> None:
    for invisible in "\u200b\ufeff\u200f\u202e":
        assert order_lines(read(letter(f"{GOOD_1}\n{invisible}> {DECOY}\n{invisible}--{invisible} \n{DECOY}"))) == [
            GOOD_1
        ]


def test_flowed_quotations_and_signatures() -> None:
    body = f"3 inf Kwangsi -> \nYunnan\n\n> quoted and \n> {DECOY}\n>> deeper \n> {DECOY}\n -> stuffed\n-- \n{DECOY}\n"
    mail = read(letter(body, content_type="text/plain; format=Flowed; charset=utf-8"))
    assert order_lines(mail) == [GOOD_1, "-> stuffed"]


def test_flowed_delsp() -> None:
    mail = read(letter("3 步兵 廣 \n西 -> 雲南\n", content_type="text/plain; charset=utf-8; format=flowed; delsp=yes"))
    assert own_lines(mail) == ["3 步兵 廣西 -> 雲南"]
