"""The fixture campaign p40-17 of the mail tests, and a table to play it at: mails in, rows and events out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.board.state import State, Window, orders_key
from pbem.campaign.advance import Advanced, advance
from pbem.campaign.create import CampaignWanted, PlayerWanted
from pbem.campaign.load import load
from pbem.campaign.referee import Referee
from pbem.log.checkpoint import Signer
from pbem.log.store import InboxRow, OutboxRow, Store, open_store
from pbem.mail.desk import Handled, handle, keep
from pbem.mail.dkim import TextLookup
from pbem.mail.values import Envelope
from pbem.testing.campaigns import campaign_from
from pbem.testing.clock import SetClock, moment
from tests.mail.letters import CHINA, JAPAN, JAPAN_ADDRESS, KIM, MODERATOR

CAMPAIGN = "p40-17"
OPENED = moment("2026-08-03T12:00:00Z")
HALF_PAST = moment("2026-08-03T12:30:00Z")
DEADLINE = moment("2026-08-05T20:00:00Z")
PLAYERS = (
    PlayerWanted("japan", ("japan",), JAPAN, token="jp7k2q"),
    PlayerWanted("china", ("china",), CHINA, token="cn4x9m"),
    PlayerWanted("kim", ("usa", "uk"), KIM, token="km8w3z"),
    PlayerWanted("alex", ("anzac",), "alex@players.example", token="ax5r7t"),
)
POSITION: dict[str, Any] = {
    "round": 3,
    "power": "japan",
    "phase": "combat_move",
    "relations": "war",
    "spaces": {
        "kwangsi": {"controller": "japan", "units": {"japan": {"infantry": 3, "artillery": 1}}},
        "siam": {"controller": "japan", "units": {"japan": {"infantry": 4}}},
        "yunnan": {"controller": "china", "units": {"china": {"infantry": 2}}},
        "hunan": {"controller": "china"},
        "shan-state": {"controller": "uk", "units": {"uk": {"infantry": 1}}},
        "french-indo-china": {"controller": "japan"},
    },
}


def wanted(**changes: Any) -> CampaignWanted:
    """The fixture campaign's settings: Japan's window is open for 56 hours."""
    settings: dict[str, Any] = {
        "id": CAMPAIGN,
        "game": "p40",
        "edition": "2e",
        "players": PLAYERS,
        "moderator": PlayerWanted("mod", (), MODERATOR, token="md2v6n"),
        "orders_hours": 56,
        "reactions": "standing",
    }
    return CampaignWanted(**{**settings, **changes})


def referee_for(store: Store, clock: SetClock) -> Referee:
    return Referee(store, Signer(store), clock, host="pbem.example", url="https://pbem.example")


@dataclass
class Table:
    """The service without its processes: every step is called by hand, at the time that the clock shows."""

    referee: Referee
    clock: SetClock
    campaign: str = CAMPAIGN
    dkim: TextLookup | None = None
    handled: list[Handled] = field(default_factory=list)

    def keep(
        self, raw: bytes, at: str | None = None, sender: str = JAPAN, to: str | tuple[str, ...] = JAPAN_ADDRESS
    ) -> list[int]:
        """A mail arrives at a time (default: what the clock shows)."""
        if at is not None:
            self.clock.set(at)
        recipients = (to,) if isinstance(to, str) else to
        envelope = Envelope(sender, recipients, "192.0.2.7", self.clock())
        return keep(self.referee, raw, envelope, "smtp")

    def handle(self, row: int) -> Handled:
        self.handled.append(handle(self.referee, row, dkim_lookup=self.dkim))
        return self.handled[-1]

    def receive(
        self, raw: bytes, at: str | None = None, sender: str = JAPAN, to: str | tuple[str, ...] = JAPAN_ADDRESS
    ) -> Handled:
        """A mail arrives and is dealt with."""
        (row,) = self.keep(raw, at, sender, to)
        return self.handle(row)

    def advance(self) -> Advanced:
        return advance(self.referee, self.campaign)

    @property
    def state(self) -> State:
        return load(self.referee, self.campaign).play.now

    @property
    def window(self) -> Window:
        (window,) = self.state.windows.values()
        return window

    def in_force(self, power: str = "japan", phase: str = "combat_move") -> list[str]:
        """The orders in force, as canonical text."""
        return [line["text"] for line in self.state.orders.get(orders_key(power, phase), ())]

    def row(self, row: int) -> InboxRow:
        found = self.referee.store.inbox_row(row)
        assert found is not None
        return found

    def mails(self, *kinds: str) -> list[OutboxRow]:
        """Rows of the outbox of these kinds (all), oldest first."""
        rows = reversed(self.referee.store.outbox(self.campaign, limit=1000))
        return [row for row in rows if not kinds or row.kind in kinds]

    def replies(self) -> list[OutboxRow]:
        """Everything that went out because of a mail."""
        return self.mails(
            "answer", "mail_question", "mail_refused", "leak_notice", "address_changed", "moderator_notice"
        )

    def events(self, *types: str) -> list[Any]:
        return [event for event in self.referee.store.read(self.campaign) if not types or event.type in types]


def open_table(path: Path, spaces: Mapping[str, Any] | None = None, **changes: Any) -> Table:
    """The fixture campaign in a new database, its window open, at 12:30; `spaces` stand otherwise than in POSITION."""
    clock = SetClock(OPENED)
    referee = referee_for(open_store(f"sqlite:///{path}/campaign.sqlite3"), clock)
    campaign_from(referee, wanted(**changes), {**POSITION, "spaces": {**POSITION["spaces"], **(spaces or {})}})
    table = Table(referee, clock)
    table.advance()
    clock.now = HALF_PAST
    return table
