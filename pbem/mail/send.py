"""Delivery of a composed mail, over SMTP or into a directory. How it ended is a value; retries are the caller's.

After an uncertain end (the line broke before the answer came) the mail counts as not delivered: it is sent again with
the same Message-ID, so that mail programs show it once.
"""

from __future__ import annotations

import hashlib
import smtplib
import ssl
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pbem.mail.catcher import store
from pbem.mail.compose import Composed


@dataclass(frozen=True, slots=True)
class Relay:
    """The server that takes our mail. `tls`: none, STARTTLS on a plain connection, or TLS from the first byte."""

    host: str
    port: int
    tls: Literal["none", "starttls", "tls"] = "starttls"
    user: str = ""
    password: str = field(default="", repr=False)
    timeout_seconds: float = 30.0
    local_name: str | None = None


@dataclass(frozen=True, slots=True)
class Delivered:
    """The relay took it, or the file is written."""

    detail: str


@dataclass(frozen=True, slots=True)
class TemporaryFailure:
    """Worth another try later. `code` is the SMTP code, 0 when there was no answer."""

    code: int
    detail: str


@dataclass(frozen=True, slots=True)
class PermanentFailure:
    """Another try would end the same way: the receiver must be reached otherwise."""

    code: int
    detail: str


Delivery = Delivered | TemporaryFailure | PermanentFailure


def send_smtp(mail: Composed, relay: Relay, context: ssl.SSLContext | None = None) -> Delivery:
    """Hand one mail to the relay. `context` is how certificates are checked; by default as the system does.

    A wrong password or a relay without STARTTLS is our own fault and not the receiver's: a temporary failure.
    """
    tls = context or ssl.create_default_context()
    connection: smtplib.SMTP | None = None
    try:
        connection = _connect(relay, tls)
        if relay.tls == "starttls":
            connection.starttls(context=tls)
        if relay.user:
            connection.login(relay.user, relay.password)
        connection.sendmail(mail.sender, [mail.recipient], mail.raw)
        return Delivered(f"taken by {relay.host}")
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = next(iter(error.recipients.values()), (0, b""))
        return _failure(code, answer)
    except smtplib.SMTPAuthenticationError as error:
        return TemporaryFailure(error.smtp_code, "the relay refused our name and password")
    except smtplib.SMTPNotSupportedError as error:
        return TemporaryFailure(0, f"the relay lacks what we need: {error}")
    except (smtplib.SMTPConnectError, smtplib.SMTPHeloError) as error:
        return TemporaryFailure(error.smtp_code, _words(error.smtp_error))
    except smtplib.SMTPResponseException as error:
        return _failure(error.smtp_code, error.smtp_error)
    except smtplib.SMTPException as error:
        return TemporaryFailure(0, f"{type(error).__name__}: {error}"[:200])
    except OSError as error:  # refused, unreachable, timed out, bad certificate
        return TemporaryFailure(0, f"{type(error).__name__}: {error}"[:200])
    finally:
        if connection is not None:
            _leave(connection)


def _leave(connection: smtplib.SMTP) -> None:
    """End politely. How this goes no longer matters: the mail was taken, or not, before."""
    with suppress(smtplib.SMTPException, OSError):
        connection.quit()
    connection.close()


def _connect(relay: Relay, tls: ssl.SSLContext) -> smtplib.SMTP:
    if relay.tls == "tls":
        return smtplib.SMTP_SSL(
            relay.host, relay.port, local_hostname=relay.local_name, timeout=relay.timeout_seconds, context=tls
        )
    return smtplib.SMTP(relay.host, relay.port, local_hostname=relay.local_name, timeout=relay.timeout_seconds)


def _failure(code: int, answer: bytes | str) -> TemporaryFailure | PermanentFailure:
    kind = PermanentFailure if 500 <= code < 600 else TemporaryFailure
    return kind(code, _words(answer))


def _words(answer: bytes | str) -> str:
    text = answer.decode("utf-8", "backslashreplace") if isinstance(answer, bytes) else answer
    return " ".join(text.split())[:200]


def send_to_directory(mail: Composed, directory: Path) -> Delivery:
    """Write the mail as an .eml file under its recipient. Sent twice, it is one file: the name is its Message-ID's."""
    name = hashlib.sha256(mail.message_id.encode("utf-8")).hexdigest()[:24]
    try:
        path = store(directory, mail.recipient, name, mail.raw)
    except OSError as error:
        return TemporaryFailure(0, f"{type(error).__name__}: {error.strerror}")
    return Delivered(path.name)
