"""Orders that came as JSON, attached or pasted into the mail: turned into the lines of text that they stand for.

What is wrong with a document is a `Problem` for the player. Whether the orders are legal is judged later, as for text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.mail.values import Problem, ReadMail
from pbem.orders.document import UnprintableOrder, line_of
from pbem.orders.gazetteer import Gazetteer
from pbem.orders.read import ReadContext, accepted_orders, read_orders
from pbem.orders.write import write
from pbem.rules.order_model import Order, Ready
from schemas.orders import OrdersDocument, read_orders_document

_EXAMPLE = '{"orders": ["3 infantry Kwangsi -> Yunnan"], "ready": true}'
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Speaker:
    """For whom a mail speaks: the campaign, its game and edition, the powers, and the names that the game uses."""

    campaign: str
    game: str
    edition: str | None
    powers: tuple[str, ...]
    names: Gazetteer


def pasted_document(text: str) -> bytes | None:
    """The bytes of a JSON document that stands in the mail in place of text; None for any other text."""
    stripped = text.strip().lstrip("\ufeff")
    return stripped.encode("utf-8") if stripped.startswith("{") and stripped.endswith("}") else None


def document_text(data: bytes, speaker: Speaker) -> str | list[Problem]:
    """The lines of a document, order n on line n (one lower below a power's heading); or what is wrong with it."""
    document, problems = read_orders_document(data)
    if document is None:
        return [
            Problem(
                "json_document",
                "refuse",
                f"The JSON document cannot be read{f' at {problem.where}' if problem.where else ''}: {problem.what}.",
                f"A document looks like {_EXAMPLE}." if index == 0 else "",
            )
            for index, problem in enumerate(problems[:_MOST_PROBLEMS])
        ]
    wrong = _addressed_wrongly(document, speaker)
    if wrong is not None:
        return [wrong]
    try:
        return "\n".join(_lines(document, speaker))
    except UnprintableOrder as error:
        return [Problem("json_document", "refuse", f"The JSON document cannot be read: {error}.", "")]


def _addressed_wrongly(document: OrdersDocument, speaker: Speaker) -> Problem | None:
    if document.campaign is not None and document.campaign.lower() != speaker.campaign:
        return Problem(
            "json_campaign",
            "refuse",
            f"The JSON document is for campaign {document.campaign}, the address for {speaker.campaign}.",
            "Send it to the reply address of its campaign.",
        )
    if document.power is not None and document.power not in speaker.powers:
        return Problem(
            "json_power",
            "refuse",
            f"The JSON document speaks for {document.power}; you play {' and '.join(speaker.powers) or 'no power'}.",
            "",
        )
    return None


def _lines(document: OrdersDocument, speaker: Speaker) -> list[str]:
    lines = []
    if document.power is not None and len(speaker.powers) > 1:
        lines.append(f"{speaker.names.powers[document.power]}:")
    lines += [line_of(entry, speaker.names) if isinstance(entry, Order) else entry for entry in document.orders]
    if document.text is not None:
        lines += document.text.splitlines()
    if document.ready is not None:
        lines.append(write(Ready(document.ready), speaker.names))
    return lines


def says_the_same(one: str, other: str, speaker: Speaker) -> bool:
    """Whether two texts hold the same orders in the same order, however they are spelt."""
    return _orders(one, speaker) == _orders(other, speaker)


def _orders(text: str, speaker: Speaker) -> Sequence[Order]:
    context = ReadContext(game=speaker.game, edition=speaker.edition, powers=speaker.powers, phase=None)
    return accepted_orders(read_orders(text, speaker.names, context))


def document_of(mail: ReadMail) -> bytes | None:
    """The one JSON attachment of a mail."""
    documents = mail.json_attachments
    return documents[0].data if len(documents) == 1 else None
