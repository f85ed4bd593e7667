"""Orders that come over HTTP: the bytes are kept like a mail's before 202 is answered, and dealt with the same way."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.board.state import State
from pbem.campaign.answer import Answer
from pbem.campaign.load import Loaded, load
from pbem.campaign.mails import players_of
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.log.store import InboxRow, InboxTaken, NewInbox, Player, Received
from pbem.mail.desk_json import Speaker, document_text
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import LineResult, ReadContext, read_orders

SOURCE = "http"
MOST_BYTES = 1_000_000
"""Largest body that is kept."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A body that holds no orders at all: one or more sentences for the player."""

    problems: tuple[str, ...]


def keep_body(referee: Referee, player: Player, body: bytes, content_type: str, key: str) -> Received:
    """Keep a request's body durably. `key` is the client's idempotency key, or empty: then every request is new."""
    now = referee.clock()
    digest = hashlib.sha256(body).hexdigest()
    dedupe = f"http:{player.campaign}:{player.id}:{key}:{digest}" if key else f"http:{player.campaign}:{now}:{digest}"
    return referee.store.put_inbox(
        NewInbox(
            source=SOURCE,
            received_at=now,
            raw=body,
            dedupe_key=dedupe,
            campaign=player.campaign,
            envelope={"player": player.id, "content_type": content_type},
        )
    )


def handle_body(referee: Referee, row_id: int, *, mail_answer: bool = True) -> Answer | Unreadable | None:
    """Deal with a kept body; None if it was dealt with before. Safe to call at any time, by anybody."""
    row = referee.store.inbox_row(row_id)
    if row is None:
        raise LookupError(f"there is no arrival {row_id}")
    if row.status != "unread" or row.raw is None or row.campaign is None:
        return None
    loaded = load(referee, row.campaign)
    text = text_of(loaded, row)
    if isinstance(text, Unreadable):
        try:
            referee.store.finish_inbox(row.id, "refused", " ".join(text.problems)[:500])
        except InboxTaken:
            return None
        return text
    try:
        return submit(
            referee,
            Submission(
                campaign=row.campaign,
                player=row.envelope["player"],
                text=text,
                received_at=row.received_at,
                number=row.id,
                inbox_id=row.id,
                reply={"address": 0},
            ),
            mail_answer=mail_answer,
        )
    except InboxTaken:
        return None


def text_of(loaded: Loaded, row: InboxRow) -> str | Unreadable:
    """The lines that a kept body stands for."""
    assert row.raw is not None
    if "json" in row.envelope.get("content_type", ""):
        found = document_text(row.raw, speaker_of(loaded, row.envelope["player"]))
        if isinstance(found, str):
            return found
        return Unreadable(tuple(f"{problem.text} {problem.suggestion}".strip() for problem in found))
    try:
        return row.raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Unreadable((f"The text is not UTF-8: byte {error.start} cannot be read.",))


def speaker_of(loaded: Loaded, player: str) -> Speaker:
    """For whom a player's JSON document speaks."""
    rules = loaded.play.rules
    edition = rules.edition or None
    powers = players_of(loaded.play.base).get(player, ())
    return Speaker(loaded.play.campaign, rules.game, edition, tuple(powers), gazetteer(rules.game, edition))


def read_only(state: State, powers: Sequence[str], text: str, awaited: Collection[str] = ()) -> list[LineResult]:
    """What the lines mean, without judging them: the quick look that a 202 carries. `awaited` are to order now."""
    settings = state.settings
    edition = settings["edition"] or None
    names = gazetteer(settings["game"], edition)
    open_powers = tuple(power for power in powers if power in awaited)
    context = ReadContext(settings["game"], edition, powers=tuple(powers), open_powers=open_powers)
    return list(read_orders(text, names, context))


def line_json(result: LineResult) -> dict[str, Any]:
    """A read line in the form the check answers it."""
    return {
        "line": result.line, "text": result.text, "status": result.status, "canonical": result.canonical or "",
        "reason": result.reason or "", "rule": result.rule or "", "suggestions": list(result.suggestions),
    }  # fmt: skip
