"""Events replayed per second from SQLite into the state, against the package `eventsourcing` replaying as many."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from bench.figures import Figure, best_of
from pbem.board.evolve import fold
from pbem.board.state import State
from pbem.demo.script import pacific_1940
from pbem.log.checkpoint import new_signing_key, origin_of, public_key, verifier_key
from pbem.log.event import NewEvent
from pbem.log.store import open_store
from pbem.testing.determinism import play_turn, start

EVENTS = 10_000


def campaign_events(count: int) -> list[NewEvent]:
    """Real events of recorded turns, their pieces renumbered, until there are so many."""
    script = pacific_1940()
    play = start(script, "bench")
    told = []
    for _ in range(script.length):
        play, events = play_turn(play, script, "bench")
        told.extend(events)
    rows = [("counter_changed", {"power": "japan", "counter": "ipc", "by": 1, "why": "bench"}, ())]
    moves = [(e.type, e.payload, e.rules) for e in told if e.type in REPEATABLE]
    rows = list(itertools.islice(itertools.cycle(moves), count))
    return [NewEvent(type=kind, payload=payload, at=1, rules=rules) for kind, payload, rules in rows]


REPEATABLE = frozenset((
    "dice_rolled", "hits_scored", "battle_begun", "battle_ended", "counter_changed", "control_changed", "mark_set",
    "phase_begun", "phase_ended", "step_begun", "decisions_taken", "order_refused", "income_collected",
    "battle_round_begun", "purchases_changed", "relation_changed",
))  # fmt: skip
"""Kinds that can happen again and again without the pieces of their own time."""


class Counter(Aggregate):
    """The peer's aggregate: it keeps what the facts say in a dict, as plainly as can be."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}

    @event("Happened")
    def happen(self, kind: str, payload: dict[str, Any]) -> None:
        """Remember the last payload of each kind."""
        self.facts = {**self.facts, kind: payload}


def measure() -> list[Figure]:
    """Both replays, with and without verification of ours."""
    with tempfile.TemporaryDirectory() as folder:
        ours, verified = _ours(Path(folder))
        theirs = _theirs(Path(folder))
    peer = "eventsourcing 9.5"
    return [
        Figure("replay from SQLite, not verified", EVENTS / ours, "events/s", peer, EVENTS / theirs, "ratio 3"),
        Figure("replay from SQLite, verified", EVENTS / verified, "events/s", peer, EVENTS / theirs, "ratio above 1"),
    ]


def _ours(folder: Path) -> tuple[float, float]:
    store = open_store(f"sqlite:///{folder}/ours.sqlite3")
    key = new_signing_key()
    origin = origin_of("bench.example", "bench")
    first = NewEvent(
        type="campaign_created", payload={"origin": origin, "log_key": verifier_key(origin, public_key(key))}, at=1
    )
    store.create_campaign("bench", salt_key=bytes(32), signing_key=key, events=[first])
    events = campaign_events(EVENTS)
    size = 1
    for start_at in range(0, EVENTS, 500):
        size += len(store.append("bench", size, events[start_at : start_at + 500]))

    def read(verify: bool) -> State:
        return fold(State(), store.read("bench", verify=verify))

    return best_of(5, lambda: read(False)), best_of(3, lambda: read(True))


def _theirs(folder: Path) -> float:
    application = Application[Any](
        env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f"{folder}/theirs.sqlite3"}
    )
    counter = Counter()
    for kind, payload in ((e.type, dict(e.payload)) for e in campaign_events(EVENTS)):
        counter.happen(kind, payload)
    application.save(counter)
    return best_of(3, lambda: application.repository.get(counter.id))
