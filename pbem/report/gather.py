"""From the log to what a mail needs, read only with its reader's eyes: positions, events, the turn it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.board.evolve import fold
from pbem.board.map import Board
from pbem.board.state import State
from pbem.campaign.load import Loaded, assemble, load, rules_of
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, consider
from pbem.log.event import Event, visible
from pbem.log.live import live
from pbem.report.model import Turn
from pbem.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some events as one reader may see them, with the positions before and after."""

    before: State
    events: tuple[Event, ...]
    after: State
    turn: Turn


def powers_of(state: State, player: str) -> tuple[str, ...]:
    """The powers somebody plays; none for a moderator who does not play and for spectators."""
    return tuple(state.settings.get("seats", {}).get(player, ()))


def seen_by(referee: Referee, campaign: str, player: str, end: int | None = None) -> tuple[list[Event], frozenset[str]]:
    """The live events of a campaign as a player may see them (before `end`), and his powers.

    Whose eyes they are is itself read from public events. Erased events are left out.
    """
    everything = list(referee.store.read(campaign, 0, end))
    public = fold(State(), live([event for event in visible(everything, frozenset()) if not event.erased]))
    powers = frozenset(powers_of(public, player))
    return live([event for event in visible(everything, powers) if not event.erased]), powers


def stretch(events: Sequence[Event], first: int) -> Stretch:
    """The position before event `first`, the events from it on, and the position after them."""
    earlier = [event for event in events if event.seq < first]
    told = tuple(event for event in events if event.seq >= first)
    before = fold(State(), earlier)
    return Stretch(before, told, fold(before, told), turn_of(events))


def turn_of(events: Sequence[Event]) -> Turn:
    """The turn in which the events end, with the phases that its first orders window asks for."""
    power: str | None = None
    number = 0
    phases: tuple[str, ...] = ()
    for event in events:
        if event.type == "segment_begun":
            power, number, phases = event.payload["power"], event.payload["round"], ()
        elif event.type == "window_opened" and event.payload["kind"] == "orders" and not phases:
            phases = tuple(event.payload.get("phases", ()))
    return Turn(power, number, phases)


def rules_and_board(state: State) -> tuple[RuleSet, Board]:
    """The rule set that a position's settings name, and its board."""
    rules = rules_of(state)
    return rules, rules.board


class Trial:
    """Whether lines would be accepted if a player sent them when the campaign had so many events.

    The service looks at the whole position for that, as it does when orders come in; only yes or no comes out.
    """

    def __init__(self, referee: Referee, campaign: str, player: str, end: int) -> None:
        self._referee, self._player = referee, player
        loaded = load(referee, campaign)
        if loaded.size != end:
            events = live([event for event in referee.store.read(campaign, 0, end) if not event.erased])
            loaded = replace(loaded, play=assemble(campaign, State(), events, end), size=end)
        self._loaded: Loaded = loaded

    def accepted(self, lines: Sequence[str]) -> bool:
        """True if every line counts as it stands; headings and blank lines do not matter."""
        play = self._loaded.play
        opened = max((window.opened_at for window in play.now.windows.values()), default=0)
        wanted = Submission(play.campaign, self._player, "\n".join(lines), opened, "example")
        answer, _ = consider(self._referee, self._loaded, wanted)
        counted = [line for line in answer.lines if line.status != "ignored"]
        return bool(counted) and all(line.status == "accepted" for line in counted)
