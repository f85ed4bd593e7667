"""Where jobs wait: in Redis, by ids only. Redis may lose everything at any time; the tick brings all due work back.

A job that waits already is not queued again. The mark that says so is taken away before the job looks at the
database, so nothing that is committed later can be missed, and it runs out by itself if the job is lost.
"""

from __future__ import annotations

import json
import logging
from typing import Any, Protocol, cast

import redis
from rq import Queue
from rq.serializers import JSONSerializer

_logger = logging.getLogger(__name__)

JOBS, MAILS = "pbem", "pbem-mails"
"""The queues, in the order in which workers empty them: what players wait for comes before the rendering of mails."""
_QUEUE_OF = {"handle": JOBS, "advance": JOBS, "send": MAILS}
_TIMEOUT = 600
"""Seconds after which a job is given up; the tick queues it again."""
_MARK_SECONDS = 30
_FAILED_SECONDS = 3600


class Jobs(Protocol):
    """What the service asks of a queue. No method raises when the queue cannot be reached."""

    def put(self, kind: str, what: int | str = "") -> None:
        """Queue `handle` of an inbox row, `advance` of a campaign, or `send`."""

    def begun(self, kind: str, what: int | str = "") -> None:
        """A job begins: what is put from now on is queued again."""

    def rest(self, kind: str, what: int | str, seconds: int) -> None:
        """Do not queue this again for some seconds."""

    def saw(self, campaign: str, size: int, next_look: int | None) -> None:
        """With so many events nothing is to be done in a campaign, until `next_look` (ms UTC) if a time is given."""

    def seen(self, campaign: str) -> tuple[int, int | None] | None:
        """What `saw` was told last; None if that was forgotten."""


class RedisJobs:
    """`Jobs` over RQ."""

    def __init__(self, connection: redis.Redis) -> None:
        self.connection = connection

    def put(self, kind: str, what: int | str = "") -> None:
        """See `Jobs`."""
        try:
            if not self.connection.set(_mark(kind, what), "1", nx=True, ex=_MARK_SECONDS):
                return
            queue = Queue(_QUEUE_OF[kind], connection=self.connection, serializer=JSONSerializer)
            queue.enqueue_call(
                f"workers.jobs.{kind}",
                args=(what,) if what != "" else (),
                timeout=_TIMEOUT,
                result_ttl=0,
                failure_ttl=_FAILED_SECONDS,
            )
        except redis.RedisError as error:
            _logger.warning("the queue cannot be reached (%s); the tick will find the work", type(error).__name__)

    def begun(self, kind: str, what: int | str = "") -> None:
        """See `Jobs`."""
        try:
            self.connection.delete(_mark(kind, what))
        except redis.RedisError:
            _logger.warning("the queue cannot be reached")

    def rest(self, kind: str, what: int | str, seconds: int) -> None:
        """See `Jobs`."""
        try:
            self.connection.set(_mark(kind, what), "1", ex=seconds)
        except redis.RedisError:
            _logger.warning("the queue cannot be reached")

    def saw(self, campaign: str, size: int, next_look: int | None) -> None:
        """See `Jobs`."""
        try:
            self.connection.set(f"pbem:saw:{campaign}", json.dumps([size, next_look]), ex=86_400)
        except redis.RedisError:
            _logger.warning("the queue cannot be reached")

    def seen(self, campaign: str) -> tuple[int, int | None] | None:
        """See `Jobs`."""
        try:
            said = cast("bytes | None", self.connection.get(f"pbem:saw:{campaign}"))
        except redis.RedisError:
            return None
        if said is None:
            return None
        size, next_look = json.loads(said)
        return size, next_look


def _mark(kind: str, what: int | str) -> str:
    return f"pbem:waiting:{kind}:{what}"


class NoJobs:
    """`Jobs` for a process that has no queue: nothing is queued, everything is left to whoever ticks."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, int | None]] = {}

    def put(self, kind: str, what: int | str = "") -> None:
        """See `Jobs`."""

    def begun(self, kind: str, what: int | str = "") -> None:
        """See `Jobs`."""

    def rest(self, kind: str, what: int | str, seconds: int) -> None:
        """See `Jobs`."""

    def saw(self, campaign: str, size: int, next_look: int | None) -> None:
        """See `Jobs`."""
        self._seen[campaign] = (size, next_look)

    def seen(self, campaign: str) -> tuple[int, int | None] | None:
        """See `Jobs`."""
        return self._seen.get(campaign)


def open_jobs(url: str | None) -> RedisJobs | NoJobs:
    """The queue at a Redis URL (`redis://...`, `unix:///...`), or none."""
    if url is None:
        return NoJobs()
    connection: Any = redis.Redis.from_url(url)
    return RedisJobs(connection)
