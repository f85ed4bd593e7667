"""What a segment's run reads and gives: the tape, what was emitted, how a run ends, and who answers in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pbem.board.evolve import Fact
from pbem.board.state import State, Window
from pbem.rules.decisions import Decision
from pbem.rules.order_model import Order, to_json

INPUT = frozenset(
    ("orders_received", "decision_given", "standing_orders_given", "ready_given", "asking_set", "window_closed")
)
FOREIGN = frozenset((
    "concession_said", "campaign_created", "paused", "resumed", "deadline_set", "press_sent", "dispute_opened",
    "dispute_ruled",
    "correction_requested", "player_replaced", "mail_noted", "rules_version_changed", "restored", "rewound",
    "secret_opened", "payload_erased", "player_conceded", "dice_chain_committed", "checkpoint_noted",
))  # fmt: skip
"""Kinds that no script emits. Everything outside INPUT and FOREIGN is a script's."""


class TapeEvent(Fact, Protocol):
    """What the runner needs of an event on the tape: what the reducer needs, the rules it cites, who may read it."""

    @property
    def rules(self) -> tuple[str, ...]: ...
    @property
    def readers(self) -> tuple[str, ...] | None: ...


@dataclass(frozen=True, slots=True)
class Emitted:
    """An event that a script produced live: not stored yet, numbered as it will be if appended at once."""

    seq: int
    type: str
    at: int
    payload: Mapping[str, Any]
    rules: tuple[str, ...]
    readers: tuple[str, ...] | None = None


class Responder(Protocol):
    """Who answers in place of a player: standing orders, recorded answers of a case, or nobody."""

    def candidates(
        self,
        decision: Decision,
        state: State,
        standing: Sequence[Mapping[str, Any]],
        given: Sequence[Mapping[str, Any]],
    ) -> Iterable[tuple[str, Mapping[str, Any]]]:
        """(`player` or `standing`, filed line {text, order}) pairs in the order in which they are to be tried.

        `given` are that power's answers to the open window, `standing` the standing orders in force.
        """
        ...


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a run stopped: the window it waits for; `close_now` if nobody need be waited for."""

    window: Window
    close_now: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where a script no longer does what the tape says: `seq`, what stands there, what came instead."""

    seq: int
    recorded: Any
    instead: Any

    def __str__(self) -> str:
        return f"at event {self.seq}: recorded {self.recorded}; the rules now give {self.instead}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gave: new events to append, the position after them, and how it ended.

    Exactly one of `waiting`, `finished`, `difference`, `stopped` (by `stop_when`) tells the end.
    """

    events: tuple[Emitted, ...]
    state: State
    waiting: Waiting | None = None
    finished: bool = False
    difference: Difference | None = None
    stopped: bool = False


ASIDE = "aside"
"""The place of a card that somebody saw in a stretch that a rewind took back: it is in no hand and in no pile."""


@dataclass(frozen=True, slots=True)
class VoidCards:
    """What rewinds took back of decks: the highest number of a pile by deck, and of places drawn by (deck, pile)."""

    piles: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[tuple[str, int], int] = field(default_factory=dict)


class ScriptFault(Exception):
    """The service's own mistake in a script: a key or purpose used twice, an unknown step."""


def plain(value: Any) -> Any:
    """A payload as the JSON that comes back from the log: tuples become lists."""
    kind = type(value)
    if kind is str or kind is int or value is None or kind is bool:
        return value
    if kind is list or kind is tuple:
        return [plain(item) for item in value]
    if kind is dict or isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def filed_line(order: Order, text: str) -> dict[str, Any]:
    """The form in which a line is kept in events: canonical text and the order's JSON."""
    return {"text": text, "order": to_json(order)}
