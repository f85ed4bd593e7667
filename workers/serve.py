"""The servers of the service, each in a process of its own: web, SMTP and LMTP intake, worker, tick.

`python -m workers.serve KIND` runs one with the settings of its environment. A process that was started by `pbem up`
ends when that ends, however it ends.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from typing import Literal

from pbem.campaign.config import Settings, SettingsMistake
from pbem.mail.desk import keep, knows
from pbem.mail.serve import MailServer
from pbem.mail.values import Envelope
from workers import tick, worker
from workers.logs import configure
from workers.mailbox import fetch, mailbox_of
from workers.surroundings import Surroundings, build

CHILD = "PBEM_CHILD"
"""Set for processes that `pbem up` starts: their standard input is a pipe that breaks when it dies."""
CANNOT_START = 3
"""Exit code of a process that cannot run as it was told to: its port is taken, a setting is wrong."""

_logger = logging.getLogger(__name__)


def mail_server(here: Surroundings, protocol: Literal["smtp", "lmtp"] = "smtp") -> MailServer:
    """The server that takes players' mail: kept durably, queued after that, acknowledged last."""

    def accept(raw: bytes, envelope: Envelope) -> str:
        rows = keep(here.referee, raw, envelope, protocol, here.scheme)
        for row in rows:
            here.jobs.put("handle", row)
        return "as " + ", ".join(map(str, rows))

    return MailServer(
        accept,
        lambda address: knows(here.referee, address, here.scheme),
        hosts=here.scheme.hosts,
        clock_ms=here.referee.clock,
        host=here.settings.smtp_host,
        port=here.settings.smtp_port,
        protocol=protocol,
        name=here.settings.host,
    )


def serve_mail(settings: Settings, protocol: Literal["smtp", "lmtp"] = "smtp") -> None:
    """Take mail until SIGTERM or SIGINT. Raises OSError when the address is taken."""
    server = mail_server(build(settings), protocol)
    server.start()
    _logger.info("%s on %s:%d", protocol, settings.smtp_host, server.port)
    stop = _told_to_stop()
    stop.wait()
    server.stop()


def serve_web(settings: Settings) -> None:
    """Serve the web pages and the API until SIGTERM or SIGINT. Raises OSError when the address is taken."""
    import waitress

    from pbem.web.app import create_app

    here = build(settings)
    app = create_app(here.referee, here.jobs.put, hook_secret=settings.hook_secret)
    server = waitress.create_server(app, host=settings.http_host, port=settings.http_port, threads=8, ident="pbem")
    _logger.info("web on %s:%s", settings.http_host, server.effective_port)
    signal.signal(signal.SIGTERM, _interrupt)
    server.run()


def serve_ticks(settings: Settings) -> None:
    """Tick until SIGTERM or SIGINT."""
    tick.run(build(settings), _told_to_stop())


def serve_mailbox(settings: Settings) -> None:
    """Fetch from the mailbox again and again until SIGTERM or SIGINT. Raises ValueError if none is named."""
    here = build(settings)
    if mailbox_of(here) is None:
        raise ValueError("name the mailbox: PBEM_IMAP=HOST:PORT, PBEM_IMAP_USER, PBEM_IMAP_PASSWORD")
    stop = _told_to_stop()
    while not stop.is_set():
        fetch(here)
        stop.wait(settings.imap_seconds)


def _told_to_stop() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def end_with_parent() -> None:
    """End this process when the pipe on its standard input breaks: the one that started it is gone."""

    def watch() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent", daemon=True).start()


KINDS = ("smtp", "lmtp", "imap", "web", "worker", "tick")


def run(kind: str) -> int:
    """Run one server to its end; the exit code of its process."""
    configure(kind)
    try:
        settings = Settings.from_environment(os.environ)
        if kind == "worker":
            worker.run_worker()
        elif kind == "tick":
            serve_ticks(settings)
        elif kind == "web":
            serve_web(settings)
        elif kind == "imap":
            serve_mailbox(settings)
        else:
            serve_mail(settings, "lmtp" if kind == "lmtp" else "smtp")
    except KeyboardInterrupt:
        return 0
    except (SettingsMistake, OSError, ValueError) as error:
        _logger.error("cannot start: %s", error)
        return CANNOT_START
    return 0


def main() -> None:
    """`python -m workers.serve KIND`."""
    if len(sys.argv) != 2 or sys.argv[1] not in KINDS:
        sys.exit(f"usage: python -m workers.serve {'|'.join(KINDS)}")
    if os.environ.get(CHILD):
        end_with_parent()
    sys.exit(run(sys.argv[1]))


if __name__ == "__main__":
    main()
