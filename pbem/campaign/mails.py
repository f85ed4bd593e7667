"""Which mails an append causes: rows for the outbox that say what to render and for whom. Nothing is rendered here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.board.state import State, Window
from pbem.log.store import NewOutbox


def message_id(kind: str, campaign: str, number: int | str, player: str, host: str) -> str:
    """A Message-ID that is the same however often the row is made: `<report.120.japan.p40-17@host>`."""
    return f"<{kind}.{number}.{player}.{campaign}@{host}>"


def players_of(state: State) -> dict[str, tuple[str, ...]]:
    """Player ids with their powers, as event 0 and replacements since say."""
    return {player: tuple(powers) for player, powers in state.settings.get("seats", {}).items()}


def player_of(state: State, power: str) -> str | None:
    """Who plays a power."""
    for player, powers in players_of(state).items():
        if power in powers:
            return player
    return None


def report_mails(state: State, campaign: str, first: int, end: int, window: str | None, host: str) -> list[NewOutbox]:
    """A turn report for every player (and the moderator): the events first .. end - 1, and what is due next."""
    recipients = list(players_of(state))
    moderator = state.settings.get("moderator")
    if moderator and moderator not in recipients:
        recipients.append(moderator)
    params = {"from": first, "to": end, "window": window}
    return [_row("report", campaign, end - 1, player, host, params) for player in recipients]


def ask_mails(state: State, campaign: str, window: Window, first: int, end: int, host: str) -> list[NewOutbox]:
    """A question in mid-turn for everybody whom the window waits for."""
    asked = dict.fromkeys(player_of(state, power) for power in window.powers)
    params = {"from": first, "to": end, "window": window.id}
    return [_row("ask", campaign, end - 1, player, host, params) for player in asked if player is not None]


def answer_mail(
    campaign: str, player: str, number: int | str, host: str, params: Mapping[str, Any], cause: int | None
) -> NewOutbox:
    """The answer to one mail of orders: everything that was understood, as data; rendered when it is sent."""
    return NewOutbox(
        kind="answer",
        recipient=player,
        message_id=message_id("answer", campaign, number, player, host),
        params=params,
        cause=cause,
    )


def notice_mails(
    campaign: str, recipients: Sequence[str], kind: str, seq: int, host: str, params: Mapping[str, Any]
) -> list[NewOutbox]:
    """The same short notice for several people (paused, stopped, ruled...)."""
    return [_row(kind, campaign, seq, player, host, params) for player in recipients]


def _row(kind: str, campaign: str, seq: int, player: str, host: str, params: Mapping[str, Any]) -> NewOutbox:
    return NewOutbox(
        kind=kind,
        recipient=player,
        message_id=message_id(kind, campaign, seq, player, host),
        params=dict(params),
        cause=seq,
    )


def unique(rows: Iterable[NewOutbox]) -> list[NewOutbox]:
    """Rows without repetitions of a Message-ID."""
    return list({row.message_id: row for row in rows}.values())
