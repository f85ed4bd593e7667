"""One worker: takes jobs from the queue and runs them in its own process, which is never forked.

A worker may be killed at any time: what it had not committed never happened, and the tick queues it again.
"""

from __future__ import annotations

import redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from workers.logs import configure
from workers.queue import JOBS, MAILS
from workers.surroundings import surroundings


def run_worker(*, burst: bool = False) -> None:
    """Work until SIGTERM or SIGINT (`burst`: until the queue is empty). Raises ValueError without a queue to work on.

    RQ's usual worker forks for every job, which open database connections do not survive; this one does not.
    """
    here = surroundings()  # before the first job: a wrong setting is told at once
    if here.settings.redis is None:
        raise ValueError("a worker needs REDIS_URL; without a queue use `python -m workers.tick` or `pbem up`")
    connection = redis.Redis.from_url(here.settings.redis)
    queues = [Queue(name, connection=connection, serializer=JSONSerializer) for name in (JOBS, MAILS)]
    worker = SimpleWorker(queues, connection=connection, serializer=JSONSerializer)
    worker.work(burst=burst, logging_level="WARNING")


def main() -> None:
    """`python -m workers`."""
    configure("worker")
    run_worker()
