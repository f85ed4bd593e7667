"""Campaigns for tests: a game begun from the position that a ruling case describes, with people who play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.campaign.create import CampaignWanted, PlayerWanted, create_campaign
from pbem.campaign.referee import Referee
from pbem.games.catalog import rule_set
from pbem.rules.position import position


def campaign_from(
    referee: Referee,
    wanted: CampaignWanted,
    given: Mapping[str, Any],
) -> str:
    """Start a campaign in the position of a ruling case's `given` (docs/cases.md); returns its id."""
    rules = rule_set(wanted.game, wanted.edition, wanted.variants, wanted.options)
    return create_campaign(referee, wanted, position(rules, given))


def everybody(
    powers: Sequence[str], shared: Mapping[str, Sequence[str]] | None = None, host: str = "players.example"
) -> tuple[PlayerWanted, ...]:
    """A player for every power, named like it; `shared` gives several powers to one player by name."""
    several = {player: tuple(held) for player, held in (shared or {}).items()}
    taken = {power for held in several.values() for power in held}
    alone = {power: (power,) for power in powers if power not in taken}
    return tuple(
        PlayerWanted(id=player, powers=held, address=f"{player}@{host}")
        for player, held in {**alone, **several}.items()
    )
