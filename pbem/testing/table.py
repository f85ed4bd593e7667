"""A table for tests: one campaign in a SQLite file, players who mail lines, a clock that is turned by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.board.state import State
from pbem.campaign.advance import Advanced, advance
from pbem.campaign.answer import Answer
from pbem.campaign.create import CampaignWanted, create_campaign
from pbem.campaign.load import load
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.log.checkpoint import Signer
from pbem.log.event import Event
from pbem.log.store import open_store
from pbem.testing.campaigns import campaign_from

BEGIN = 1_785_000_000_000
"""When the clocks of tables begin: ms UTC in July 2026."""


class Table:
    """One campaign, begun at its set-up or at the position of a ruling case's `given`; played by `say` and `go`."""

    def __init__(self, folder: Path, wanted: CampaignWanted, given: Mapping[str, Any] | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        store = open_store(f"sqlite:///{folder}/table.sqlite3")
        self.now = BEGIN
        self.number = 0
        self.campaign = wanted.id
        self.referee = Referee(store, Signer(store), self._tick)
        if given is None:
            create_campaign(self.referee, wanted)
        else:
            campaign_from(self.referee, wanted, given)

    def _tick(self) -> int:
        self.now += 1000
        return self.now

    def go(self) -> Advanced:
        """Adjudicate as far as it goes now."""
        done = advance(self.referee, self.campaign)
        assert done.stopped is None, done.stopped
        return done

    def say(self, player: str, text: str, *, received_at: int | None = None) -> Answer:
        """A player's mail, which came in now or at another time."""
        self.number += 1
        came = self._tick() if received_at is None else received_at
        return submit(self.referee, Submission(self.campaign, player, text, came, self.number))

    def later(self, hours: float) -> None:
        """Let time pass."""
        self.now += int(hours * 3_600_000)

    @property
    def state(self) -> State:
        """The position with everything that is stored."""
        return load(self.referee, self.campaign).play.now

    def events(self, *kinds: str) -> list[Event]:
        """The log, fully readable: all of it, or the events of some types."""
        return [event for event in self.referee.store.read(self.campaign) if not kinds or event.type in kinds]
