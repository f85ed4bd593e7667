"""The reconciling tick: finds all due work from the database alone, so that the queue may lose everything.

`python -m workers.tick` looks again and again; `work_off` does the work in this process instead of queueing it.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from dataclasses import dataclass
from typing import Literal

from pbem.campaign.faults import fault_text
from pbem.log.store import NoSuchCampaign
from workers.jobs import advance_in, handle_in, send_in
from workers.logs import configure
from workers.surroundings import Surroundings, surroundings

_logger = logging.getLogger(__name__)

_DAY = 86_400_000
_PURGE_EVERY = 3600.0
"""Seconds between two looks for old mails whose bytes are to be forgotten."""


@dataclass(frozen=True, slots=True)
class Due:
    """One piece of work: an arrival to deal with, a campaign to advance, or mails to send."""

    kind: Literal["handle", "advance", "send"]
    what: int | str = ""


def due_work(here: Surroundings) -> list[Due]:
    """Everything that is due now, arrivals first. Mails are due only where they can go out.

    A campaign is due unless it was advanced with exactly the events it has and no time has come since: whoever
    forgets what was advanced only does it once more.
    """
    store, now = here.referee.store, here.referee.clock()
    work = [Due("handle", row.id) for row in store.unread()]
    for campaign in store.campaigns():
        try:
            size = store.head(campaign).size
        except NoSuchCampaign:
            continue
        seen = here.jobs.seen(campaign)
        if seen is None or seen[0] != size or (seen[1] is not None and now >= seen[1]):
            work.append(Due("advance", campaign))
    if here.outlet is not None and store.due(now, limit=1):
        work.append(Due("send"))
    return work


def tick(here: Surroundings) -> int:
    """Queue everything that is due; how much that was. May run at any time, in any number of processes."""
    work = due_work(here)
    for due in work:
        here.jobs.put(due.kind, due.what)
    return len(work)


def work_off(here: Surroundings, rounds: int = 100) -> int:
    """Do everything that is due here and now, without a queue, until nothing is left; how much was done."""
    done = 0
    for _ in range(rounds):
        work = due_work(here)
        before = done
        for due in work:
            if due.kind == "handle":
                handle_in(here, int(due.what))
                row = here.referee.store.inbox_row(int(due.what))
                done += row is not None and row.status != "unread"
            elif due.kind == "advance":
                seen = here.jobs.seen(str(due.what))
                advance_in(here, str(due.what))
                done += here.jobs.seen(str(due.what)) != seen
            else:
                while sent := send_in(here):
                    done += sent
        tried = {due.what for due in work if due.kind == "handle"}
        if done == before and all(row.id in tried for row in here.referee.store.unread()):
            break
    return done


def purge(here: Surroundings) -> int:
    """Forget the bytes of mails that were dealt with long ago."""
    return here.referee.store.purge_inbox(here.referee.clock() - here.settings.keep_mail_days * _DAY)


def run(here: Surroundings, stop: threading.Event) -> None:
    """Tick until told to stop. A tick that fails is told and the next one comes as usual."""
    purged = -_PURGE_EVERY
    while not stop.is_set():
        try:
            tick(here)
            if time.monotonic() - purged >= _PURGE_EVERY:
                purge(here)
                purged = time.monotonic()
        except Exception as error:  # the database may be away for a while; the next tick comes as usual
            _logger.error("a tick failed: %s", fault_text(error))
        stop.wait(here.settings.tick_seconds)


def main() -> None:
    """`python -m workers.tick`: tick until SIGTERM or SIGINT."""
    configure("tick")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    run(surroundings(), stop)


if __name__ == "__main__":
    main()
