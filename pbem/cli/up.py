"""`pbem up`: the whole service as one command and one process tree, with nothing left behind when it ends."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.campaign.config import Settings, SettingsMistake, wall_clock
from pbem.mail.catcher import MailCatcher

if TYPE_CHECKING:
    from workers.supervise import Tree

_logger = logging.getLogger(__name__)

_REDIS_SECONDS = 15.0
_DOORS_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Running:
    """What was started: the settings as they came to be, and where caught mail lies (None: mail really goes out)."""

    settings: Settings
    caught: Path | None


@click.command(name="up")
@click.option("--workers", type=click.IntRange(1, 64), help="Number of workers. Default: PBEM_WORKERS, else 2.")
@click.option("--http", "http_port", type=click.IntRange(1, 65535), help="Port of the web pages. Default: 8000.")
@click.option("--smtp", "smtp_port", type=click.IntRange(1, 65535), help="Port that takes mail. Default: 2525.")
@click.option("--database", help="Default: DATABASE_URL, else sqlite:///./pbem.sqlite3.")
@click.option(
    "--caught",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("out/mail"),
    show_default=True,
    help="Where mails are kept as files when no SMTP_RELAY is given.",
)
def up(workers: int | None, http_port: int | None, smtp_port: int | None, database: str | None, caught: Path) -> None:
    """Start everything: web, mail server, workers and tick; a Redis server and a mail catcher if none are given.

    Ends with Ctrl-C or SIGTERM, and nothing of it stays behind.

    \b
    Example:
      pbem up
      DATABASE_URL=postgresql://pbem@localhost/pbem SMTP_RELAY=smtp.example.org:587 pbem up --workers 4
    """
    from workers.logs import configure

    configure("up")
    try:
        settings = Settings.from_environment(os.environ)
    except SettingsMistake as error:
        raise click.ClickException(str(error)) from None
    settings = replace(
        settings,
        workers=workers or settings.workers,
        http_port=http_port or settings.http_port,
        smtp_port=smtp_port or settings.smtp_port,
        database=database or settings.database,
    )
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    run_everything(settings, caught, stop, _told)


def _told(running: Running) -> None:
    settings = running.settings
    click.echo(f"web pages   http://{settings.http_host}:{settings.http_port}/")
    click.echo(f"mail in     smtp://{settings.smtp_host}:{settings.smtp_port} for {settings.host}")
    kept = running.caught or (settings.mail_directory if settings.relay_host is None else None)
    click.echo(f"mail out    {settings.relay_host if kept is None else f'caught in {kept}'}")


def run_everything(
    settings: Settings, caught: Path, stop: threading.Event, told: Callable[[Running], None] = lambda running: None
) -> None:
    """Run the whole service until `stop` is set. Raises click.ClickException if a part of it cannot start."""
    from workers.supervise import CannotStart, Child, Tree

    with ExitStack() as stack:
        settings, catching = _catching(settings, caught, stack)
        tree = Tree({})
        stack.callback(tree.stop)
        try:
            settings = _queue(settings, tree, stack)
            tree.environment = settings.to_environment()
            # Ended in the reverse order: first nothing comes in any more, then what came in is worked off.
            for number in range(1, settings.workers + 1):
                tree.start(Child(f"worker {number}", ("workers.serve", "worker"), patience=20.0))
            mailbox = ("imap",) if settings.imap_host is not None else ()
            for kind in ("tick", "web", "smtp", *mailbox):
                tree.start(Child(kind, ("workers.serve", kind)))
            _await_doors(settings, tree, stop)
            told(Running(settings, catching))
            while not stop.wait(0.2):
                tree.watch()
        except CannotStart as error:
            raise click.ClickException(str(error)) from None
        _logger.info("ending")


def _await_doors(settings: Settings, tree: Tree, stop: threading.Event) -> None:
    """Until web and mail server take connections, or the time for it is over, so that what is told is true."""
    until = time.monotonic() + _DOORS_SECONDS
    for door in ((settings.http_host, settings.http_port), (settings.smtp_host, settings.smtp_port)):
        while time.monotonic() < until and not stop.wait(0.1):
            tree.watch()
            try:
                socket.create_connection(door, timeout=1.0).close()
                break
            except OSError:
                continue


def _catching(settings: Settings, caught: Path, stack: ExitStack) -> tuple[Settings, Path | None]:
    """A mail catcher of our own where no way out is given."""
    if settings.relay_host is not None or settings.mail_directory is not None:
        return settings, None
    caught.mkdir(parents=True, exist_ok=True)
    catcher = stack.enter_context(MailCatcher(caught, wall_clock))
    there = replace(settings, relay_host="127.0.0.1", relay_port=catcher.port, relay_tls="none")
    return there, caught


def _queue(settings: Settings, tree: object, stack: ExitStack) -> Settings:
    """A Redis server of our own where none is given; waits until it answers."""
    from workers.redis_child import socket_url
    from workers.supervise import CannotStart, Child, Tree

    assert isinstance(tree, Tree)
    if settings.redis is not None:
        return settings
    directory = Path(tempfile.mkdtemp(prefix="pbem-redis-"))  # short: a socket's path has at most 107 bytes
    stack.callback(shutil.rmtree, directory, ignore_errors=True)
    stack.callback(tree.stop)  # before the directory goes
    child = Child("redis", ("workers.redis_child", str(directory)))
    tree.start(child)
    url = socket_url(directory)
    deadline = time.monotonic() + _REDIS_SECONDS
    while not _answers(url):
        tree.watch()
        if time.monotonic() > deadline:
            raise CannotStart("the Redis server does not answer")
        time.sleep(0.05)
    return replace(settings, redis=url)


def _answers(url: str) -> bool:
    import redis

    try:
        return bool(redis.Redis.from_url(url, socket_timeout=1.0).ping())
    except redis.RedisError:
        return False
