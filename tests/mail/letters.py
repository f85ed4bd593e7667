"""Letters for the tests of mail: the default envelope of the fixture campaign, and a predicate for order lines."""

from __future__ import annotations

import base64
import re

from pbem.mail.read import read_mail
from pbem.mail.values import Limits, ReadMail

GOOD_1 = "3 inf Kwangsi -> Yunnan"
GOOD_2 = "2 inf Siam -> Shan State"
DECOY = "1 art Kwangsi -> Hunan"
GOOD = [GOOD_1, GOOD_2]

JAPAN = "japan@players.example"
CHINA = "china@players.example"
KIM = "kim@players.example"
MODERATOR = "mod@club.example"
JAPAN_ADDRESS = "orders+p40-17.jp7k2q@pbem.example"
CHINA_ADDRESS = "orders+p40-17.cn4x9m@pbem.example"

_ENVELOPE = {
    "From": f"Japan Player <{JAPAN}>",
    "To": JAPAN_ADDRESS,
    "Subject": "Re: [p40-17] Japan, round 3: combat move",
    "Date": "Mon, 3 Aug 2026 12:30:00 +0000",
    "Message-ID": "<fresh-1@players.example>",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
}


def looks_like_order(line: str) -> bool:
    return bool(re.search(r"->|→|–>", line)) or line.strip().lower() in ("ready", "same")


def letter(body: str | bytes = "", without: tuple[str, ...] = (), first: str = "", **headers: str) -> bytes:
    """A mail on the wire. Keyword `content_type` sets Content-Type; `first` is put before the headers as it is."""
    named = {
        name.replace("_", "-").title().replace("Mime-", "MIME-").replace("-Id", "-ID"): value
        for name, value in headers.items()
    }
    fields = {name: value for name, value in {**_ENVELOPE, **named}.items() if name not in without}
    head = first + "".join(f"{name}: {value}\n" for name, value in fields.items())
    data = body.encode("utf-8") if isinstance(body, str) else body
    return (head.encode("utf-8") + b"\n" + data).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def base64_of(data: bytes) -> str:
    return base64.encodebytes(data).decode("ascii")


def read(raw: bytes, limits: Limits | None = None, envelope_sender: str | None = JAPAN) -> ReadMail:
    return read_mail(raw, looks_like_order=looks_like_order, limits=limits, envelope_sender=envelope_sender)


def order_lines(mail: ReadMail) -> list[str]:
    return [line for line in mail.orders_text.split("\n") if looks_like_order(line)]


def own_lines(mail: ReadMail) -> list[str]:
    return [line for line in mail.orders_text.split("\n") if line]


def codes(mail: ReadMail) -> list[str]:
    return [problem.code for problem in mail.problems]


def cuts(mail: ReadMail) -> list[str]:
    return [cut.what for cut in mail.cut]
