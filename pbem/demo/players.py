"""Players of the demonstration: they read their mailboxes and answer by real SMTP, as people with a phone would.

A player knows only what his mails say: where to answer (Reply-To), what it is about (the subject) and what to quote.
"""

from __future__ import annotations

import email
import email.policy
import smtplib
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

QUOTED_LINES = 6
"""How many lines of the referee's mail a player's program quotes below his answer."""


@dataclass
class DemoPlayer:
    """One person: the id in the campaign, the address, the powers, and the folder where mail to him arrives."""

    id: str
    address: str
    powers: tuple[str, ...]
    mailbox: Path
    language: str = "en"
    sent: list[EmailMessage] = field(default_factory=list)

    def latest(self, since: int) -> EmailMessage | None:
        """The newest mail that reports or asks something from event `since` on: what a person would answer."""
        for path in sorted(self.mailbox.glob("*.eml"), reverse=True):
            mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            if isinstance(mail, EmailMessage) and mail["Reply-To"] and _event_of(mail) >= since:
                return mail
        return None

    def text(self, since: int) -> str:
        """What the newest mail says; empty if none has arrived yet."""
        asked = self.latest(since)
        body = asked.get_body(("plain",)) if asked is not None else None
        return str(body.get_content()) if body is not None else ""

    def offered(self, since: int, verb: str) -> str | None:
        """The first line beginning with a word that the newest mail says would be accepted; None if there is none."""
        lines = self.text(since).splitlines()
        return next((line.strip() for line in lines if line.startswith(f"  {verb} ")), None)

    def answer(self, since: int, text: str, host: str, port: int) -> bool:
        """Answer the newest mail with these lines above a quotation; False if none has arrived yet."""
        asked = self.latest(since)
        if asked is None:
            return False
        mail = EmailMessage()
        mail["From"] = self.address
        mail["To"] = asked["Reply-To"]
        mail["Subject"] = asked["Subject"] if str(asked["Subject"]).startswith("Re:") else f"Re: {asked['Subject']}"
        mail["Message-ID"] = f"<{self.id}.{len(self.sent)}@players.example>"
        mail["In-Reply-To"] = asked["Message-ID"]
        mail.set_content(f"{text}\n\nSent from my phone\n\n{_quotation(asked)}\n")
        with smtplib.SMTP(host, port, timeout=30) as connection:
            connection.send_message(mail, from_addr=self.address, to_addrs=[str(asked["Reply-To"])])
        self.sent.append(mail)
        return True


def _event_of(mail: EmailMessage) -> int:
    """The event a mail of the referee is about, by its Message-ID (`<report.120.japan.demo@host>`); -1 for others."""
    kind, _, rest = str(mail["Message-ID"]).strip("<>").partition(".")
    number = rest.partition(".")[0]
    return int(number) if kind in ("report", "ask") and number.isdigit() else -1


def _quotation(asked: EmailMessage) -> str:
    body = asked.get_body(("plain",))
    lines = body.get_content().splitlines() if body is not None else []
    return "\n".join(["The referee wrote:", *(f"> {line}" for line in lines[:QUOTED_LINES])])
