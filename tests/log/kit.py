"""Small campaigns for the log's tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.log.checkpoint import origin_of, public_key, verifier_key
from pbem.log.event import Event, NewEvent
from pbem.log.store import Store

CAMPAIGN = "p40-17"
SALT_KEY = bytes(range(32))
SIGNING_KEY = bytes(range(32, 64))
ORIGIN = origin_of("pbem.example", CAMPAIGN)
LOG_KEY = verifier_key(ORIGIN, public_key(SIGNING_KEY))
START = 1_700_000_000_000


def created(campaign: str = CAMPAIGN) -> NewEvent:
    """Event 0."""
    origin = origin_of("pbem.example", campaign)
    payload = {"origin": origin, "log_key": verifier_key(origin, public_key(SIGNING_KEY))}
    return NewEvent(type="campaign_created", payload=payload, at=START)


def said(text: str, readers: Iterable[str] | None = None, **more: Any) -> NewEvent:
    """An event with some text in it, public or sealed."""
    return NewEvent(type="press_said", payload={"text": text}, at=START + 1, readers=readers, **more)


def create(store: Store, campaign: str = CAMPAIGN, *events: NewEvent) -> list[Event]:
    """A campaign with event 0 and perhaps more."""
    return store.create_campaign(
        campaign, salt_key=SALT_KEY, signing_key=SIGNING_KEY, events=[created(campaign), *events]
    )


def sample(store: Store) -> list[Event]:
    """A campaign of eight events in which a bit of everything happens: sealed, opened, rewound."""
    create(store)
    sealed = store.append(
        CAMPAIGN, 1, [said("public"), said("for japan", ["japan"]), said("for both", ["china", "japan"])]
    )
    opening = NewEvent(
        type="secret_opened",
        payload={"of": 3, "payload": dict(sealed[2].committed()), "salt": sealed[2].salt.hex()},
        at=START + 2,
        cause=[3],
    )
    store.append(CAMPAIGN, 4, [opening, said('雲南 "x"\u001f\n')])
    store.append(CAMPAIGN, 6, [NewEvent(type="rewound", payload={"to": 5}, at=START + 3, actor="moderator")])
    store.append(CAMPAIGN, 7, [said("again", rules=["p40.7.2", "p40.1"], cause=[6, 1, 6])])
    return list(store.read(CAMPAIGN))
