"""The service's real processes for tests: they are started, killed and ended here, by their ids."""

from __future__ import annotations

import email
import email.policy
import os
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import TypeVar

from pbem.campaign.config import Settings
from pbem.mail.catcher import MailCatcher

T = TypeVar("T")


def until(look: Callable[[], T | None], what: str, seconds: float = 60.0) -> T:
    """Wait until `look` gives something that is true."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} seconds")
        time.sleep(0.05)


@dataclass
class Processes:
    """Processes with the same settings."""

    settings: Settings
    log: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, kind: str) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "workers.serve", kind],
                env={**os.environ, **self.settings.to_environment()},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        self.running.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """As a crash would: without a chance to tidy up."""
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.running.remove(process)

    def stop(self) -> None:
        for process in self.running:
            process.terminate()
        for process in self.running:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.running.clear()


@contextmanager
def processes(settings: Settings, log: Path) -> Iterator[Processes]:
    """Processes that are ended with the test."""
    made = Processes(settings, log)
    try:
        yield made
    finally:
        made.stop()


def caught(catcher: MailCatcher, address: str) -> list[EmailMessage]:
    """The mails that an address got, oldest first."""
    return [read(path) for path in catcher.messages(address)]


def read(path: Path) -> EmailMessage:
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def plain(message: EmailMessage) -> str:
    """The text of a mail."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def send(port: int, raw: bytes, sender: str, *recipients: str) -> None:
    """A real SMTP conversation."""
    with smtplib.SMTP("127.0.0.1", port, timeout=20) as connection:
        connection.sendmail(sender, list(recipients), raw)
