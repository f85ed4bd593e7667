"""Starting a campaign: its settings in event 0, the commitments of its dice and decks, the set-up, its players."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.campaign.play import begin
from pbem.campaign.referee import DECK_SEED, DICE_CACHE, DICE_SEED, Referee
from pbem.dice.chain import CHAIN_LENGTH, Chain
from pbem.dice.deck import DECK_CHAIN_LENGTH
from pbem.games.catalog import UnknownGame, rule_set
from pbem.log.checkpoint import new_signing_key, origin_of, public_key, verifier_key
from pbem.log.event import NewEvent
from pbem.log.store import Player
from pbem.rules.ruleset import RuleSet
from pbem.rules.setup import start_events
from pbem.rules.tape import plain

NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,39}")
HOUR = 3_600_000


class SetupMistake(ValueError):
    """A campaign that cannot be started as asked: the message says what is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class PlayerWanted:
    """Somebody who is to play: id within the campaign, powers, address, and how to write to them."""

    id: str
    powers: tuple[str, ...]
    address: str
    name: str = ""
    language: str = "en"
    time_zone: str = "UTC"
    token: str = ""


@dataclass(frozen=True, slots=True)
class CampaignWanted:
    """What a new campaign is to be. Hours of None mean no deadline.

    `closing` is `ready` (a window closes when all have said so, else at its deadline) or `at_once` (as soon as orders
    are in, after `grace_minutes`); `reactions` is `ask` or `standing` (reaction windows never stop play).
    """

    id: str
    game: str
    edition: str | None = None
    variants: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[PlayerWanted, ...] = ()
    moderator: PlayerWanted | None = None
    title: str = ""
    closing: str = "ready"
    grace_minutes: int = 15
    reactions: str = "ask"
    orders_hours: int | None = 72
    decision_hours: int | None = 48
    require_dkim: bool = False


def create_campaign(
    referee: Referee, wanted: CampaignWanted, position: Sequence[tuple[str, Mapping[str, Any]]] | None = None
) -> str:
    """Start a campaign; returns its id. `position` are events to begin with in place of the published set-up.

    Raises SetupMistake or the store's AlreadyExists.
    """
    if not NAME.fullmatch(wanted.id):
        raise SetupMistake(
            f"{wanted.id!r} is no name for a campaign; use 2 to 40 small letters, digits and hyphens, such as p40-17"
        )
    try:
        rules = rule_set(wanted.game, wanted.edition, wanted.variants, wanted.options)
    except UnknownGame as error:
        raise SetupMistake(str(error)) from None
    _check_players(wanted, rules)
    signing = new_signing_key()
    origin = origin_of(referee.host, wanted.id)
    seed = secrets.token_bytes(32)
    chain = Chain(seed, CHAIN_LENGTH)
    keys = {DICE_SEED.format(number=0): seed, DICE_CACHE.format(number=0): chain.cache()}
    decks = {}
    for deck in rules.parameters.get("decks", ()):
        deck_seed = secrets.token_bytes(32)
        keys[DECK_SEED.format(deck=deck)] = deck_seed
        decks[deck] = {"start": Chain(deck_seed, DECK_CHAIN_LENGTH).start.hex(), "length": DECK_CHAIN_LENGTH}
    created: dict[str, Any] = {
        "game": rules.game,
        "edition": rules.edition,
        "variants": list(rules.variants),
        "options": dict(rules.options),
        "rules_version": rules.version,
        "title": wanted.title or rules.board.title,
        "seats": {player.id: list(player.powers) for player in wanted.players},
        "moderator": wanted.moderator.id if wanted.moderator else None,
        "closing": wanted.closing,
        "grace_minutes": wanted.grace_minutes,
        "reactions": wanted.reactions,
        "orders_hours": wanted.orders_hours,
        "decision_hours": wanted.decision_hours,
        "origin": origin,
        "log_key": verifier_key(origin, public_key(signing)),
        "dice": {"chains": [{"start": chain.start.hex(), "length": chain.length}], "decks": decks},
    }
    now = referee.clock()
    start = start_events(rules) if position is None else position
    facts = [("campaign_created", created), *start, ("segment_ended", {"segment": "setup"})]
    begin(wanted.id, rules, facts[:-1])  # a set-up that cannot be folded must fail here, not in a stored campaign
    holders = {payload["card"]: payload["power"] for kind, payload in facts if kind == "card_drawn"}
    events = [
        NewEvent(
            type=kind, payload=plain(payload), at=now,
            readers=(holders[payload["card"]],) if kind == "card_identified" else None,
        )
        for kind, payload in facts
    ]  # fmt: skip
    people = [*wanted.players, *([wanted.moderator] if wanted.moderator else [])]
    referee.store.create_campaign(
        wanted.id,
        salt_key=secrets.token_bytes(32),
        signing_key=signing,
        events=events,
        keys=keys,
        settings={"require_dkim": wanted.require_dkim},
        players=[_player(wanted.id, person) for person in people],
    )
    return wanted.id


def new_token() -> str:
    """The secret part of a reply address: 12 characters without look-alikes."""
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
    return "".join(secrets.choice(alphabet) for _ in range(12))


def _player(campaign: str, person: PlayerWanted) -> Player:
    return Player(
        id=person.id,
        campaign=campaign,
        name=person.name or person.id,
        address=person.address,
        token=person.token or new_token(),
        language=person.language,
        time_zone=person.time_zone,
    )


def _check_players(wanted: CampaignWanted, rules: RuleSet) -> None:
    powers = rules.board.powers
    taken: dict[str, str] = {}
    ids: set[str] = set()
    for person in (*wanted.players, *([wanted.moderator] if wanted.moderator else [])):
        if person.id in ids:
            raise SetupMistake(f"two people are called {person.id!r}; each needs an id of his own")
        if "@" not in person.address:
            raise SetupMistake(f"{person.address!r} is no mail address for {person.id}")
        ids.add(person.id)
        for power in person.powers:
            if power not in powers or not powers[power].playable:
                there = ", ".join(name for name, known in powers.items() if known.playable)
                raise SetupMistake(f"{person.id} is to play {power!r}; the powers of this game are {there}")
            if power in taken:
                raise SetupMistake(f"{power} is given to {taken[power]} and to {person.id}; a power has one player")
            taken[power] = person.id
    missing = [name for name, known in powers.items() if known.playable and name not in taken]
    if missing:
        raise SetupMistake(f"nobody plays {', '.join(missing)}; name a player for every power")
    _check_sides(wanted, rules)


def _check_sides(wanted: CampaignWanted, rules: RuleSet) -> None:
    """Nobody plays powers of two sides, where the parameter `one_side_each` names the rule that says so (CLA-1.1.3)."""
    rule = rules.parameters.get("one_side_each")
    for person in wanted.players if rule else ():
        sides = dict.fromkeys(rules.board.side_of(power) for power in person.powers)
        if len(sides) > 1:
            held = ", ".join(person.powers)
            raise SetupMistake(f"{person.id} is to play {held}; a player plays powers of one side only ({rule})")
