"""`pbem serve web|smtp|lmtp`, `pbem worker`, `pbem tick`: single processes of the service; `pbem up` runs them all."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace

import click

from pbem.cli.common import Mistake, database_option, echo_json, json_option, settings_with

SERVERS = ("web", "smtp", "lmtp")


@click.command()
@click.argument("kind", type=click.Choice(SERVERS))
@click.option("--host", help="Address to listen on. Default: PBEM_HTTP_HOST or PBEM_SMTP_HOST, else 127.0.0.1.")
@click.option("--port", type=click.IntRange(0, 65535), help="Default: PBEM_HTTP_PORT (8000) or PBEM_SMTP_PORT (2525).")
@database_option
def serve(kind: str, host: str | None, port: int | None, database: str) -> int:
    """Run one server until it is told to stop: the web pages and API, or the taking in of mail.

    \b
    Example:
      pbem serve web --port 8080
      REDIS_URL=redis://queue.example.org pbem serve smtp --host 0.0.0.0 --port 25
    """
    from workers.serve import CANNOT_START, run

    settings = settings_with(database)
    if kind == "web":
        settings = replace(settings, http_host=host or settings.http_host, http_port=_or(port, settings.http_port))
    else:
        settings = replace(settings, smtp_host=host or settings.smtp_host, smtp_port=_or(port, settings.smtp_port))
    os.environ.update(settings.to_environment())
    code = run(kind)
    return 1 if code == CANNOT_START else code


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


@click.command()
@click.option("--burst", is_flag=True, help="Do what is queued now, then end.")
@database_option
def worker(burst: bool, database: str) -> None:
    """Run one worker: it adjudicates, renders and sends what stands in the queue (REDIS_URL).

    \b
    Example: REDIS_URL=redis://localhost:6379/0 pbem worker
    """
    settings = settings_with(database)
    if settings.redis is None:
        raise Mistake(
            "a worker needs a queue: set REDIS_URL, such as redis://localhost:6379/0; without one, `pbem up` starts "
            "everything and `pbem tick` does what is due by itself"
        )
    os.environ.update(settings.to_environment())
    from workers.worker import run_worker

    run_worker(burst=burst)


@click.command()
@click.option("--loop", is_flag=True, help="Tick again and again (PBEM_TICK_MS) until told to stop.")
@click.option("--here", is_flag=True, help="Do the work in this process, even if there is a queue.")
@database_option
@json_option
def tick(loop: bool, here: bool, database: str, as_json: bool) -> None:
    """Find all due work in the database: mails to read, windows to close, turns to adjudicate, mails to send.

    With a queue (REDIS_URL) it is put there for the workers; without one it is done here and now, until nothing is
    left. May be run at any time, by anybody, any number of times.

    \b
    Example: pbem tick
    """
    from workers.surroundings import build
    from workers.tick import run, tick, work_off

    settings = settings_with(database)
    if here and settings.redis is not None:
        settings = replace(settings, redis=None)
    around = build(settings)
    if loop:
        if settings.redis is None:
            raise Mistake("--loop hands work to workers: set REDIS_URL, or call `pbem tick` from a timer")
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        run(around, stop)
        return
    count = tick(around) if settings.redis is not None else work_off(around)
    done = "queued" if settings.redis is not None else "done"
    if as_json:
        echo_json({done: count})
    else:
        click.echo(f"{count} {'piece' if count == 1 else 'pieces'} of work {done}")
