"""Durable order POSTs per second: ten lines each over fifty campaigns, one web process, one worker busy beside it."""

from __future__ import annotations

import http.client
import multiprocessing
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench.figures import Figure

CAMPAIGNS = 50
SECONDS = 8.0
CLIENTS = 4
LINES = "\n".join(
    (
        "3 inf Kwangsi -> Yunnan", "1 art Kwangsi -> Yunnan", "2 inf Siam -> Shan State", "1 inf Jehol -> Chahar",
        "1 inf Shantung -> Anhwe", "buy 2 transport", "buy 1 minor IC", "NONCOMBAT", "4 inf Korea -> Manchuria",
        "1 inf Kwangsi -> Kiangsi",
    )
)  # fmt: skip


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def measure() -> list[Figure]:
    """Posts that were answered 202, per second, and their 99th percentile in milliseconds."""
    from pbem.campaign.advance import advance
    from pbem.campaign.config import Settings, open_referee
    from pbem.campaign.create import CampaignWanted, PlayerWanted, create_campaign

    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/bench.sqlite3"
        referee = open_referee(Settings(database=database))
        for number in range(CAMPAIGNS):
            people = tuple(
                PlayerWanted(power, (power,), f"{power}@players.example", token=f"tok{number:02d}{power}")
                for power in ("japan", "usa", "china", "uk", "anzac")
            )
            create_campaign(referee, CampaignWanted(f"bench-{number:02d}", "p40", "2e", players=people))
            advance(referee, f"bench-{number:02d}")
        port = _free_port()
        web = subprocess.Popen([sys.executable, "-m", "bench.posts_web", database, str(port)], cwd=Path.cwd())
        worker = multiprocessing.get_context("spawn").Process(target=_busy, args=(database,), daemon=True)
        try:
            _wait_until_up(port)
            worker.start()
            times = _storm(port)
        finally:
            web.terminate()
            web.wait(10)
            if worker.is_alive():
                worker.terminate()
                worker.join(10)
    times.sort()
    return [
        Figure("order POSTs, ten lines each, kept and read", len(times) / SECONDS, "posts/s", aim="200"),
        Figure("order POSTs, median", statistics.median(times) * 1000, "ms"),
        Figure("order POSTs, 99th percentile", times[int(len(times) * 0.99)] * 1000, "ms"),
    ]


def _busy(database: str) -> None:
    """A worker that judges what the posts brought, as fast as it can."""
    from pbem.campaign.config import Settings, open_referee
    from pbem.web.intake import handle_body

    referee = open_referee(Settings(database=database))
    while True:
        rows = referee.store.unread()
        for row in rows[:20]:
            handle_body(referee, row.id)
        if not rows:
            time.sleep(0.01)


def _wait_until_up(port: int) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the web process did not come up")


def _storm(port: int) -> list[float]:
    times: list[float] = []
    until = time.monotonic() + SECONDS

    def client(offset: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        number = offset
        while time.monotonic() < until:
            campaign = number % CAMPAIGNS
            number += CLIENTS
            began = time.perf_counter()
            connection.request(
                "POST", f"/api/campaigns/bench-{campaign:02d}/orders", body=LINES,
                headers={"Authorization": f"Bearer tok{campaign:02d}japan", "Content-Type": "text/plain"},
            )  # fmt: skip
            answer = connection.getresponse()
            answer.read()
            if answer.status != 202:
                raise RuntimeError(f"answered {answer.status}")
            times.append(time.perf_counter() - began)

    threads = [threading.Thread(target=client, args=(offset,)) for offset in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times
