"""Who looks: a bearer token is a player's secret reply token; everybody else is the public."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Request

from pbem.campaign.load import load
from pbem.campaign.mails import players_of
from pbem.campaign.referee import Referee
from pbem.log.event import Event, visible
from pbem.log.store import Player


@dataclass(frozen=True, slots=True)
class Looker:
    """Somebody who asks about a campaign: the player, if the token is one of its, and the powers he may see as."""

    player: Player | None
    powers: frozenset[str]


PUBLIC = Looker(None, frozenset())


def token_of(request: Request) -> str:
    """The bearer token of a request (RFC 6750), or an empty text."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def looker(referee: Referee, campaign: str, token: str) -> Looker | None:
    """Who a token belongs to in a campaign; PUBLIC without a token, None for a token that is not of this campaign."""
    if not token:
        return PUBLIC
    player = referee.store.player_by_token(token)
    if player is None or player.campaign != campaign:
        return None
    powers = players_of(load(referee, campaign).play.now).get(player.id, ())
    return Looker(player, frozenset(powers))


def events_for(referee: Referee, campaign: str, viewer: Looker, first: int = 0, end: int | None = None) -> list[Event]:
    """Events first .. end - 1 as somebody may see them; openings later in the log count."""
    seen = visible(referee.store.read(campaign), viewer.powers)
    return seen[first:end]
