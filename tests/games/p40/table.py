"""A table at which turns of Pacific 1940 are played in memory, one power after the other, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.board.state import State
from pbem.campaign.play import Play, begin, run_on
from pbem.dice.recorded import RecordedSource
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.position import position
from pbem.rules.setup import start_events
from pbem.rules.tape import Emitted


@dataclass
class Table:
    """A campaign in memory; `events` are those of the last turn played."""

    play: Play
    events: tuple[Emitted, ...] = ()

    @property
    def state(self) -> State:
        """The position now."""
        return self.play.now

    def turn(self) -> State:
        """Play the next power's turn, in which nobody orders anything."""
        told = run_on(
            self.play,
            RecordedSource([]),
            StandingResponder(),
            now=0,
            may_close=lambda window: True,
        )
        self.play, self.events = told.play, told.events
        return self.state

    def say(self, *facts: tuple[str, Mapping[str, Any]]) -> None:
        """Something happens outside the script: a concession, a correction of a moderator."""
        self.play = self.play.with_facts(facts, 0)


def campaign(edition: str) -> Table:
    """A new campaign at its published set-up."""
    rules = rule_set("p40", edition)
    return Table(begin("table", rules, start_events(rules)))


def table(edition: str, given: Mapping[str, Any]) -> Table:
    """A campaign that begins in the position of a case."""
    rules = rule_set("p40", edition)
    return Table(begin("table", rules, position(rules, given)))
