"""Real SMTP and LMTP conversations on localhost."""

from __future__ import annotations

import logging
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.catcher import MailCatcher, folder_name
from pbem.mail.compose import Composed
from pbem.mail.send import Delivered, PermanentFailure, Relay, TemporaryFailure, send_smtp, send_to_directory
from pbem.mail.serve import MailServer, ServerLimits
from pbem.mail.values import Envelope
from tests.mail.letters import GOOD, GOOD_1, JAPAN, JAPAN_ADDRESS, codes, letter, own_lines, read
from tests.mail.server_certificate import certificate

NOW = 1_785_760_200_000


class Inbox:
    """Keeps what arrives; fails as often as it is told to."""

    def __init__(self) -> None:
        self.kept: list[tuple[bytes, Envelope]] = []
        self.failures = 0
        self.before_keeping: Callable[[], None] = lambda: None

    def accept(self, raw: bytes, envelope: Envelope) -> str:
        self.before_keeping()
        if self.failures:
            self.failures -= 1
            raise OSError("the disk is full: secret-path")
        self.kept.append((raw, envelope))
        return f"as {len(self.kept)}\r\n221 bye"

    def knows(self, address: str) -> bool:
        if address.startswith("broken"):
            raise OSError("no database")
        return address.startswith(("orders", "bounces+", "postmaster"))


def serving(inbox: Inbox, **settings: Any) -> MailServer:
    return MailServer(inbox.accept, inbox.knows, hosts={"pbem.example"}, **{"clock_ms": lambda: NOW, **settings})


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def server(inbox: Inbox) -> Iterator[MailServer]:
    with serving(inbox) as running:
        yield running


@pytest.fixture
def client(server: MailServer) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", server.port, timeout=10) as connection:
        yield connection


def test_a_mail_is_kept_before_it_is_acknowledged(inbox: Inbox, client: smtplib.SMTP) -> None:
    raw = letter("\n".join(GOOD) + "\n.\n..\n.hidden\n")
    client.ehlo()
    client.mail(JAPAN)
    client.rcpt(JAPAN_ADDRESS.upper())
    code, answer = client.data(raw)
    assert code == 250
    assert answer == b"2.6.0 Kept as 1??221 bye"
    [(kept, envelope)] = inbox.kept
    assert kept == raw
    assert envelope == Envelope(JAPAN, (JAPAN_ADDRESS,), "127.0.0.1", NOW)


def test_a_failure_to_keep_asks_for_another_try(
    inbox: Inbox, client: smtplib.SMTP, caplog: pytest.LogCaptureFixture
) -> None:
    inbox.failures = 1
    with caplog.at_level(logging.DEBUG), pytest.raises(smtplib.SMTPDataError) as failure:
        client.sendmail(JAPAN, [JAPAN_ADDRESS], letter(GOOD_1))
    assert failure.value.smtp_code == 451
    assert b"secret-path" not in failure.value.smtp_error
    assert "jp7k2q" not in caplog.text
    client.sendmail(JAPAN, [JAPAN_ADDRESS], letter(GOOD_1))
    assert len(inbox.kept) == 1


@pytest.mark.parametrize(
    ("recipient", "code"),
    [
        ("nobody@pbem.example", 550),
        ("orders@elsewhere.example", 550),
        ("orders@pbem.example@elsewhere.example", 553),
        ("orders", 550),
        ("broken@pbem.example", 451),
        ("postmaster@pbem.example", 250),
        ("bounces+p40-17.r9@PBEM.example", 250),
    ],
)
def test_recipients(client: smtplib.SMTP, recipient: str, code: int) -> None:
    client.ehlo()
    client.mail(JAPAN)
    assert client.rcpt(recipient)[0] == code


def test_refusals_do_not_tell_addresses_apart(client: smtplib.SMTP) -> None:
    client.ehlo()
    client.mail(JAPAN)
    answers = {client.rcpt(f"{name}@pbem.example") for name in ("nobody", "japan", "xorders+p40-17.jp7k2q")}
    assert len(answers) == 1


def test_trying_addresses_ends_the_conversation(client: smtplib.SMTP) -> None:
    client.ehlo()
    client.mail(JAPAN)
    found = [client.rcpt(f"guess{number}@pbem.example")[0] for number in range(6)]
    assert found == [550] * 5 + [421]


def test_too_many_recipients(client: smtplib.SMTP) -> None:
    client.ehlo()
    client.mail(JAPAN)
    found = [client.rcpt(f"orders{number}@pbem.example")[0] for number in range(11)]
    assert found == [250] * 10 + [452]


def test_the_null_sender(inbox: Inbox, client: smtplib.SMTP) -> None:
    client.sendmail("", ["bounces+p40-17.r9@pbem.example"], letter("x"))
    assert inbox.kept[0][1].sender == ""


def test_nothing_is_offered_that_is_not_meant(client: smtplib.SMTP) -> None:
    client.ehlo()
    assert set(client.esmtp_features) == {"size", "8bitmime", "smtputf8", "help"}
    assert client.esmtp_features["size"] == "1000000"


def test_m87_a_big_mail_is_refused_before_it_is_sent(inbox: Inbox, client: smtplib.SMTP) -> None:
    raw = letter(f"{GOOD_1}\n" * 450_000)
    with pytest.raises(smtplib.SMTPSenderRefused) as refusal:
        client.sendmail(JAPAN, [JAPAN_ADDRESS], raw)
    assert refusal.value.smtp_code == 552
    assert inbox.kept == []


def test_m87_a_big_mail_without_announcement_is_refused_quickly(inbox: Inbox, client: smtplib.SMTP) -> None:
    raw = letter(f"{GOOD_1}\n" * 450_000)
    client.helo()
    client.mail(JAPAN)
    client.rcpt(JAPAN_ADDRESS)
    started = time.perf_counter()
    code, _ = client.data(raw)
    assert code == 552
    assert time.perf_counter() - started < 10
    assert inbox.kept == []
    client.sendmail(JAPAN, [JAPAN_ADDRESS], letter(GOOD_1))
    assert len(inbox.kept) == 1


def test_an_endless_mail_is_cut_off(inbox: Inbox) -> None:
    limits = ServerLimits(size=1_000, discarded=200_000)
    with (
        serving(inbox, limits=limits) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection,
    ):
        connection.recv(1000)
        for command in (
            b"HELO x\r\n",
            b"MAIL FROM:<a@b.example>\r\n",
            b"RCPT TO:<orders@pbem.example>\r\n",
            b"DATA\r\n",
        ):
            connection.sendall(command)
            connection.recv(1000)
        with pytest.raises(OSError, match="reset|pipe|aborted"):
            for _ in range(2_000):
                connection.sendall(b"x" * 10_000)
    assert inbox.kept == []


def test_m89_a_line_longer_than_smtp_allows(inbox: Inbox, client: smtplib.SMTP) -> None:
    line = "; ".join([GOOD_1] * 82)
    client.sendmail(JAPAN, [JAPAN_ADDRESS], letter(line))
    assert own_lines(read(inbox.kept[0][0])) == [line]


def test_a_line_beyond_every_limit(client: smtplib.SMTP) -> None:
    with pytest.raises(smtplib.SMTPDataError) as refusal:
        client.sendmail(JAPAN, [JAPAN_ADDRESS], letter("x" * 100_001))
    assert refusal.value.smtp_code == 500


def test_m63_a_mail_delivered_twice_is_kept_twice_with_the_same_bytes(inbox: Inbox, client: smtplib.SMTP) -> None:
    for _ in range(2):
        client.sendmail(JAPAN, [JAPAN_ADDRESS], letter(GOOD_1))
    assert inbox.kept[0] == inbox.kept[1]


def test_slow_clients_are_dropped(inbox: Inbox) -> None:
    limits = ServerLimits(seconds=0.3)
    with serving(inbox, limits=limits) as server:
        for commands in (
            (),
            (b"HELO x\r\n", b"MAIL FROM:<a@b.example>\r\n", b"RCPT TO:<orders@pbem.example>\r\n", b"DATA\r\n"),
        ):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
                connection.recv(1000)
                for command in commands:
                    connection.sendall(command)
                    connection.recv(1000)
                started = time.perf_counter()
                ended = False
                while not ended and time.perf_counter() - started < 5:
                    try:
                        connection.sendall(b"x")
                        connection.settimeout(0.05)
                        ended = connection.recv(1000) == b""
                    except TimeoutError:
                        continue
                    except OSError:
                        ended = True
                assert ended
    assert inbox.kept == []


def test_the_time_is_taken_when_the_last_byte_is_there(inbox: Inbox) -> None:
    ticks = iter(range(NOW, NOW + 100))
    with (
        serving(inbox, clock_ms=lambda: next(ticks)) as server,
        smtplib.SMTP("127.0.0.1", server.port, timeout=10) as client,
    ):
        for _ in range(2):
            client.sendmail(JAPAN, [JAPAN_ADDRESS, "orders@pbem.example"], letter(GOOD_1))
    assert [envelope.received_at_ms for _, envelope in inbox.kept] == [NOW, NOW + 1]
    assert inbox.kept[0][1].recipients == (JAPAN_ADDRESS, "orders@pbem.example")


def test_mails_are_kept_one_after_another(inbox: Inbox, server: MailServer) -> None:
    inside = 0
    seen: list[int] = []

    def watch() -> None:
        nonlocal inside
        inside += 1
        seen.append(inside)
        time.sleep(0.02)
        inside -= 1

    inbox.before_keeping = watch

    def send() -> None:
        with smtplib.SMTP("127.0.0.1", server.port, timeout=10) as client:
            client.sendmail(JAPAN, [JAPAN_ADDRESS], letter(GOOD_1))

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1, 1, 1, 1]


def test_starttls(inbox: Inbox, tmp_path: Path) -> None:
    chain, key = certificate(tmp_path, "localhost")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, key)
    trusting = ssl.create_default_context(cafile=str(chain))
    with serving(inbox, tls=context, require_tls=True) as server:
        mail = Composed("m@x.example", JAPAN, JAPAN_ADDRESS, letter(GOOD_1))
        plain = send_smtp(mail, Relay("localhost", server.port, "none"))
        assert isinstance(plain, PermanentFailure)
        assert inbox.kept == []
        distrusting = send_smtp(mail, Relay("localhost", server.port, "starttls"))
        assert isinstance(distrusting, TemporaryFailure)
        assert send_smtp(mail, Relay("localhost", server.port, "starttls"), trusting) == Delivered("taken by localhost")
    assert len(inbox.kept) == 1


@pytest.mark.parametrize("failures", [0, 1])
def test_lmtp_answers_once_for_each_recipient(inbox: Inbox, failures: int) -> None:
    inbox.failures = failures
    line = "; ".join([GOOD_1] * 82)
    with serving(inbox, protocol="lmtp") as server, smtplib.LMTP("127.0.0.1", server.port, timeout=10) as client:
        client.ehlo()
        assert client.helo()[0] == 500
        client.mail(JAPAN)
        client.rcpt(JAPAN_ADDRESS)
        assert client.rcpt("nobody@pbem.example")[0] == 550
        client.rcpt("orders@pbem.example")
        client.putcmd("DATA")
        assert client.getreply()[0] == 354
        client.send(letter(line) + b"\r\n.\r\n")
        assert [client.getreply()[0] for _ in range(2)] == [451 if failures else 250] * 2
        assert client.noop()[0] == 250
    assert [own_lines(read(raw)) for raw, _ in inbox.kept] == ([] if failures else [[line]])


def test_lmtp_answers_a_big_mail_once_for_each_recipient(inbox: Inbox) -> None:
    with (
        serving(
            inbox,
            clock_ms=lambda: NOW,
            protocol="lmtp",
            limits=ServerLimits(size=100),
        ) as server,
        smtplib.LMTP("127.0.0.1", server.port, timeout=10) as client,
    ):
        client.ehlo()
        client.mail(JAPAN)
        client.rcpt(JAPAN_ADDRESS)
        client.rcpt("orders@pbem.example")
        client.putcmd("DATA")
        client.getreply()
        client.send(letter("x" * 200) + b"\r\n.\r\n")
        assert [client.getreply()[0] for _ in range(2)] == [552, 552]
        assert client.noop()[0] == 250


def test_a_taken_port_is_an_error(server: MailServer, inbox: Inbox) -> None:
    second = serving(inbox, port=server.port)
    with pytest.raises(OSError, match="use"):
        second.start()
    second.stop()


def test_the_catcher_files_by_recipient(tmp_path: Path) -> None:
    with MailCatcher(tmp_path, lambda: NOW) as catcher:
        relay = Relay("127.0.0.1", catcher.port, "none")
        for number in range(3):
            mail = Composed(
                f"m{number}@x.example", "bounces+x@pbem.example", "Japan@Players.Example", letter(str(number))
            )
            assert isinstance(send_smtp(mail, relay), Delivered)
        with smtplib.SMTP("127.0.0.1", catcher.port, timeout=10) as client:
            client.sendmail("", [JAPAN, "../../evil@x.example"], letter("both"))
        found = [path.read_bytes() for path in catcher.messages(JAPAN)]
    assert found == [letter(text) + b"\r\n" for text in ("0", "1", "2", "both")]
    assert {path.name for path in tmp_path.iterdir()} == {JAPAN, "_.._evil@x.example"}
    assert folder_name("") == "_"


def test_delivery_into_a_directory_is_repeatable(tmp_path: Path) -> None:
    mail = Composed("m@x.example", "bounces+x@pbem.example", JAPAN, letter(GOOD_1))
    assert isinstance(send_to_directory(mail, tmp_path), Delivered)
    assert isinstance(send_to_directory(mail, tmp_path), Delivered)
    [path] = (tmp_path / JAPAN).iterdir()
    assert path.read_bytes() == mail.raw
    (tmp_path / "file").write_text("")
    assert isinstance(send_to_directory(mail, tmp_path / "file"), TemporaryFailure)


def test_failures_of_delivery_are_values(server: MailServer, inbox: Inbox) -> None:
    relay = Relay("127.0.0.1", server.port, "none", timeout_seconds=5)

    def send(recipient: str, to: Relay = relay) -> object:
        return send_smtp(Composed("m@x.example", "bounces+x@pbem.example", recipient, letter(GOOD_1)), to)

    unknown = send("nobody@pbem.example")
    assert isinstance(unknown, PermanentFailure)
    assert unknown.code == 550
    broken = send("broken@pbem.example")
    assert isinstance(broken, TemporaryFailure)
    assert broken.code == 451
    inbox.failures = 1
    assert isinstance(send(JAPAN_ADDRESS), TemporaryFailure)
    assert isinstance(send(JAPAN_ADDRESS, Relay("127.0.0.1", server.port, "starttls")), TemporaryFailure)
    assert isinstance(send(JAPAN_ADDRESS, Relay("127.0.0.1", server.port, "none", "me", "pass-word")), TemporaryFailure)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    assert isinstance(send(JAPAN_ADDRESS, Relay("127.0.0.1", port, "none")), TemporaryFailure)
    assert "pass-word" not in repr(Relay("h", 1, "none", "me", "pass-word"))
    assert inbox.kept == []


@pytest.mark.parametrize("quit_answer", [b"500 no\r\n", b""])
def test_a_rude_ending_does_not_undo_a_delivery(quit_answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as lines:
                connection.sendall(b"220 x\r\n")
                in_text = False
                for line in lines:
                    if in_text:
                        if line == b".\r\n":
                            in_text = False
                            connection.sendall(b"250 ok\r\n")
                    elif line.upper().startswith(b"DATA"):
                        in_text = True
                        connection.sendall(b"354 go\r\n")
                    elif line.upper().startswith(b"QUIT"):
                        connection.sendall(quit_answer)
                        return
                    else:
                        connection.sendall(b"250 ok\r\n")

        thread = threading.Thread(target=serve)
        thread.start()
        relay = Relay("127.0.0.1", listener.getsockname()[1], "none", timeout_seconds=5)
        mail = Composed("m@x.example", "bounces+x@pbem.example", JAPAN, letter(GOOD_1))
        assert isinstance(send_smtp(mail, relay), Delivered)
        thread.join()


def test_m87_the_reader_agrees_with_the_server(inbox: Inbox, client: smtplib.SMTP) -> None:
    client.sendmail(JAPAN, [JAPAN_ADDRESS], letter("x\n" * 100_000))
    assert codes(read(inbox.kept[0][0])) == ["too_many_lines"]
