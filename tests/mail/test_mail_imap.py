"""Fetching over IMAP, against a small server on localhost."""

from __future__ import annotations

import socket

import pytest

from pbem.mail.imap import Mailbox, MailboxUnavailable, Polled, poll
from pbem.mail.values import Envelope
from tests.mail.imap_server import ImapServer
from tests.mail.letters import CHINA_ADDRESS, GOOD_1, GOOD_2, JAPAN, JAPAN_ADDRESS, codes, letter, own_lines, read

RECEIVED = 1_785_760_200_000
NOW = RECEIVED + 60_000
HOSTS = {"pbem.example"}


class Inbox:
    def __init__(self) -> None:
        self.kept: list[tuple[bytes, Envelope]] = []
        self.refuse: bytes | None = None

    def accept(self, raw: bytes, envelope: Envelope) -> str:
        if self.refuse is not None and self.refuse in raw:
            raise OSError("the disk is full")
        self.kept.append((raw, envelope))
        return "kept"


def mailbox(server: ImapServer, password: str = "pass-word") -> Mailbox:
    return Mailbox("127.0.0.1", server.port, "club", password, tls=False, timeout_seconds=10)


def fetch(server: ImapServer, inbox: Inbox, now: int = NOW, size_limit: int = 1_000_000) -> Polled:
    return poll(mailbox(server), inbox.accept, hosts=HOSTS, clock_ms=lambda: now, size_limit=size_limit)


@pytest.mark.parametrize("movable", [True, False])
def test_mails_are_kept_in_order_and_moved(movable: bool) -> None:
    inbox = Inbox()
    with ImapServer(movable) as server:
        server.add(letter(GOOD_1, first=f"Return-Path: <{JAPAN}>\nDelivered-To: {JAPAN_ADDRESS}\n", to="x@y.example"))
        server.add(letter(GOOD_2))
        assert fetch(server, inbox) == Polled(2, 0)
        assert server.folders["INBOX"] == {}
        assert len(server.folders["Processed"]) == 2
        assert fetch(server, inbox) == Polled(0, 0)
    assert [own_lines(read(raw)) for raw, _ in inbox.kept] == [[GOOD_1], [GOOD_2]]
    assert inbox.kept[0][1] == Envelope(JAPAN, (JAPAN_ADDRESS,), "imap:127.0.0.1", RECEIVED)


def test_a_mail_that_cannot_be_kept_stays_and_stops_nobody() -> None:
    inbox = Inbox()
    inbox.refuse = GOOD_1.encode()
    with ImapServer() as server:
        server.add(letter(GOOD_1))
        server.add(letter(GOOD_2))
        assert fetch(server, inbox) == Polled(1, 1)
        assert len(server.folders["INBOX"]) == 1
        inbox.refuse = None
        assert fetch(server, inbox) == Polled(1, 0)
        assert server.folders["INBOX"] == {}
    assert len(inbox.kept) == 2


@pytest.mark.parametrize(
    ("internal_date", "received"),
    [
        ("03-Aug-2026 14:30:00 +0200", RECEIVED),
        ("03-Aug-2036 12:30:00 +0000", NOW),
        ("03-Aug-2016 12:30:00 +0000", NOW),
    ],
)
def test_time_of_receipt(internal_date: str, received: int) -> None:
    inbox = Inbox()
    with ImapServer() as server:
        server.add(letter(GOOD_1), internal_date)
        fetch(server, inbox)
    assert inbox.kept[0][1].received_at_ms == received


def test_of_a_big_mail_only_enough_is_fetched_to_refuse_it() -> None:
    inbox = Inbox()
    with ImapServer() as server:
        server.add(letter(GOOD_1 * 100_000))
        assert fetch(server, inbox) == Polled(1, 0)
    [(raw, _)] = inbox.kept
    assert len(raw) == 1_000_001
    assert codes(read(raw)) == ["too_large"]


@pytest.mark.parametrize(
    ("raw", "sender", "recipients"),
    [
        (letter("x", first="Return-Path: <>\n"), "", (JAPAN_ADDRESS,)),
        (letter("x", cc=f"Club <{CHINA_ADDRESS}>, a@b.example"), JAPAN, (JAPAN_ADDRESS, CHINA_ADDRESS)),
        (letter("x", first="Delivered-To: club@pbem.example\n"), JAPAN, (JAPAN_ADDRESS,)),
        (letter("x", to="orders@pbem.example"), JAPAN, ("orders@pbem.example",)),
        (letter("x", without=("From", "To")), "unknown", ()),
    ],
)
def test_envelopes_from_headers(raw: bytes, sender: str, recipients: tuple[str, ...]) -> None:
    inbox = Inbox()
    with ImapServer() as server:
        server.add(raw)
        fetch(server, inbox)
    [(_, envelope)] = inbox.kept
    assert (envelope.sender, envelope.recipients) == (sender, recipients)


def test_an_unavailable_mailbox_is_one_kind_of_error() -> None:
    inbox = Inbox()
    with ImapServer() as server, pytest.raises(MailboxUnavailable, match="password") as refused:
        poll(mailbox(server, "wrong"), inbox.accept, hosts=HOSTS, clock_ms=lambda: NOW)
    assert "wrong" not in str(refused.value)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    gone = Mailbox("127.0.0.1", port, "club", "pass-word", tls=False)
    with pytest.raises(MailboxUnavailable):
        poll(gone, inbox.accept, hosts=HOSTS, clock_ms=lambda: NOW)
    assert "pass-word" not in repr(gone)
