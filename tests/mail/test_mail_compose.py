"""Outgoing mail: what receivers see, what travels, and that our own reader understands an answer to it."""

from __future__ import annotations

import email
import email.policy
from dataclasses import replace
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.compose import Outgoing, OutgoingAttachment, compose, harmless
from pbem.mail.phrases import MARKER
from tests.mail.letters import DECOY, GOOD_1, JAPAN, JAPAN_ADDRESS, letter, own_lines, read

MAIL = Outgoing(
    message_id="r9.japan.p40-17@pbem.example",
    sender_name="Referee of p40-17",
    sender="orders@pbem.example",
    to=JAPAN,
    reply_to=JAPAN_ADDRESS,
    bounce_to="bounces+p40-17.r9-japan@pbem.example",
    subject="AW: Re: SV: [p40-17] Japan, round 3: combat move 雲南",
    text=f"In force now:\n\n{GOOD_1}\n> quoted\nFrom Kwangsi\n3 步兵 廣西 -> 雲南\n.\n",
    date_ms=1_785_760_200_000,
    automatic="auto-replied",
    html="<html><body class=x><p>3 步兵 廣西 -&gt; 雲南</p></body></html>",
    attachments=(OutgoingAttachment("報告.pdf", "application/pdf", bytes(range(256)) * 20),),
    in_reply_to="fresh-1@players.example",
    references=("r8.japan.p40-17@pbem.example", "fresh-1@players.example"),
)


def parsed(mail: Outgoing) -> EmailMessage:
    message = email.message_from_bytes(compose(mail).raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_headers() -> None:
    message = parsed(MAIL)
    assert message["Subject"] == "Re: [p40-17] Japan, round 3: combat move 雲南"
    assert message["From"].addresses[0].addr_spec == "orders@pbem.example"
    assert message["From"].addresses[0].display_name == "Referee of p40-17"
    assert message["To"] == JAPAN
    assert message["Reply-To"] == JAPAN_ADDRESS
    assert message["Message-ID"] == "<r9.japan.p40-17@pbem.example>"
    assert message["In-Reply-To"] == "<fresh-1@players.example>"
    assert message["References"] == "<r8.japan.p40-17@pbem.example> <fresh-1@players.example>"
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["Date"] == "Mon, 03 Aug 2026 12:30:00 +0000"
    assert message.defects == []


def test_a_mail_that_answers_nothing() -> None:
    message = parsed(
        replace(MAIL, in_reply_to=None, references=(), subject="[p40-17] report", automatic="auto-generated")
    )
    assert message["Subject"] == "[p40-17] report"
    assert message["In-Reply-To"] is None
    assert message["References"] is None
    assert message["Auto-Submitted"] == "auto-generated"


def test_bodies_and_attachment() -> None:
    message = parsed(MAIL)
    plain = message.get_body(("plain",))
    html = message.get_body(("html",))
    assert plain is not None
    assert html is not None
    lines = plain.get_content().splitlines()
    assert lines[0] == MARKER
    assert "3 步兵 廣西 -> 雲南" in lines
    assert not any(line.startswith((">", "From ")) for line in lines)
    assert html.get_content().index(MARKER) < html.get_content().index("<p>3 步兵 廣西 -&gt; 雲南</p>")
    [attachment] = message.iter_attachments()
    assert attachment.get_filename() == "報告.pdf"
    assert attachment.get_content_type() == "application/pdf"
    assert attachment.get_content() == bytes(range(256)) * 20


def test_the_same_values_give_the_same_bytes() -> None:
    assert compose(MAIL) == compose(replace(MAIL))
    assert compose(MAIL).raw != compose(replace(MAIL, message_id="r10.japan.p40-17@pbem.example")).raw


def test_envelope() -> None:
    composed = compose(MAIL)
    assert (composed.sender, composed.recipient) == (MAIL.bounce_to, JAPAN)


def on_the_wire(raw: bytes) -> None:
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    body = raw[raw.index(b"\r\n\r\n") :]
    for line in raw.split(b"\r\n"):
        assert len(line) <= 998
    for line in body.split(b"\r\n"):
        assert len(line) <= 78
        assert not line.startswith((b">", b"From ", b"."))


TEXT = st.text(
    st.one_of(st.sampled_from(">.= \n\r\tF步é€"), st.characters(exclude_categories=("Cs", "Cc"))), max_size=300
)


@given(st.one_of(TEXT, TEXT.map(lambda text: f"From {text}\n>{text}\n.{text}")))
def test_any_text_arrives_as_it_was(text: str) -> None:
    composed = compose(replace(MAIL, text=text))
    on_the_wire(composed.raw)
    message = email.message_from_bytes(composed.raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    assert body is not None
    payload = body.get_payload(decode=True)
    assert isinstance(payload, bytes)
    shown = payload.decode("utf-8").replace("\r\n", "\n")
    assert shown == f"{MARKER}\n\n{harmless(text)}\n"
    assert not any(line.startswith((">", "From ")) for line in shown.split("\n"))


@given(TEXT, TEXT)
def test_subjects_and_names_cannot_add_headers(subject: str, name: str) -> None:
    composed = compose(replace(MAIL, subject=f"x {subject}\r\nBcc: a@b.example\n\nbody", sender_name=name))
    on_the_wire(composed.raw)
    message = email.message_from_bytes(composed.raw, policy=email.policy.compat32)
    assert message["Bcc"] is None
    assert len(message.get_all("From", [])) == 1
    assert read(composed.raw).from_addresses == ("orders@pbem.example",)


@pytest.mark.parametrize(
    "change",
    [{"message_id": "a b@x"}, {"to": "a@b\r\nBcc: c@d"}, {"reply_to": "<a@b>"}, {"references": ("x\n",)}, {"to": ""}],
)
def test_values_that_cannot_stand_in_a_header(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="header"):
        compose(replace(MAIL, **change))  # type: ignore[arg-type]


def test_long_threads_keep_their_beginning() -> None:
    ids = tuple(f"m{number}@pbem.example" for number in range(100))
    kept = parsed(replace(MAIL, references=ids, in_reply_to="m100@pbem.example"))["References"].split()
    assert len(kept) == 20
    assert (kept[0], kept[-1]) == ("<m0@pbem.example>", "<m100@pbem.example>")


def test_long_message_ids_are_not_encoded() -> None:
    long = "x" * 120 + "@pbem.example"
    assert f"<{long}>" in compose(replace(MAIL, references=(long,), message_id=long)).raw.decode()


@pytest.mark.parametrize("mark", ["> ", ">", ""])
def test_an_answer_to_our_mail_is_read_without_what_we_wrote(mark: str) -> None:
    ours = parsed(replace(MAIL, text=f"Example:\n{DECOY}\n")).get_body(("plain",))
    assert ours is not None
    quoted = "".join(f"{mark}{line}\n" for line in ours.get_content().splitlines())
    mail = read(letter(f"{GOOD_1}\n\nOn Mon, Aug 3, 2026 Referee <orders@pbem.example> wrote:\n{quoted}"))
    assert own_lines(mail) == [GOOD_1]


def test_our_own_mail_is_recognised_as_automatic() -> None:
    mail = read(compose(MAIL).raw)
    assert mail.automatic is not None
    assert mail.automatic.certain
    assert mail.message_id == MAIL.message_id
