"""`pbem up`: one command, one process tree; dead parts come back, and nothing is left when it ends, however it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.campaign.config import Settings, open_referee
from pbem.mail.catcher import folder_name
from pbem.testing.campaigns import campaign_from
from tests.mail.letters import GOOD, JAPAN, JAPAN_ADDRESS, letter
from tests.service.kit import POSITION, wanted
from tests.service.processes import plain, read, send, until

pytestmark = pytest.mark.slow


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def parent_of(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def descendants(pid: int) -> dict[int, str]:
    """The process ids below one, with their command lines."""
    parents = {int(path.name): parent_of(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()}
    found: dict[int, str] = {}
    level = {pid}
    while level:
        level = {child for child, parent in parents.items() if parent in level}
        for child in level:
            try:
                found[child] = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


@dataclass
class Up:
    process: subprocess.Popen[bytes]
    directory: Path
    http: int
    smtp: int
    settings: Settings

    def caught(self, address: str) -> list[Path]:
        folder = self.directory / "caught" / folder_name(address)
        return sorted(folder.glob("*.eml")) if folder.is_dir() else []

    def children(self, words: str) -> list[int]:
        return [pid for pid, command in descendants(self.process.pid).items() if words in command]

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text(errors="replace")


@contextmanager
def everything(directory: Path) -> Iterator[Up]:
    """`pbem up` with the fixture campaign, as a user starts it: no settings but a database and ports."""
    http, smtp = free_port(), free_port()
    settings = Settings(database=f"sqlite:///{directory}/campaign.sqlite3")
    campaign_from(open_referee(settings), wanted(), POSITION)
    environment = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "SMTP_RELAY")}
    command = [
        sys.executable, "-c", "from pbem.cli.up import up; up()", "--workers", "1", "--http", str(http),
        "--smtp", str(smtp), "--database", settings.database, "--caught", str(directory / "caught"),
    ]  # fmt: skip
    with open(directory / "log", "wb") as output:
        process = subprocess.Popen(
            command,
            env={**environment, "PBEM_CHECK_DKIM": "no", "PBEM_TICK_MS": "200"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        yield Up(process, directory, http, smtp, settings)
    finally:
        process.kill()
        process.wait()


def web_answers(up: Up) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{up.http}/healthz", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def mail_is_taken(up: Up) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", up.smtp), timeout=5) as connection:
            return connection.recv(3) == b"220"
    except OSError:
        return False


def test_a_mail_is_answered_dead_parts_come_back_and_nothing_stays_behind(tmp_path: Path) -> None:
    with everything(tmp_path) as up:
        until(lambda: web_answers(up) and mail_is_taken(up), "web and mail server")
        until(lambda: up.caught(JAPAN), "the first report")
        for words in ("workers.serve worker", "workers.serve smtp"):
            (victim,) = up.children(words)
            os.kill(victim, signal.SIGKILL)
            until(lambda words=words, victim=victim: [p for p in up.children(words) if p != victim], f"another {words}")  # type: ignore[misc]
        until(lambda: mail_is_taken(up), "the mail server again")
        send(up.smtp, letter("\n".join(GOOD) + "\n"), JAPAN, JAPAN_ADDRESS)
        answer = until(
            lambda: [read(path) for path in up.caught(JAPAN) if read(path)["Auto-Submitted"] == "auto-replied"],
            "the answer",
        )[0]
        assert "3 infantry Kwangsi -> Yunnan" in plain(answer)
        below = descendants(up.process.pid)
        assert any("redis-server" in command for command in below.values())
        up.process.send_signal(signal.SIGTERM)
        assert up.process.wait(timeout=60) == 0
        assert [command for pid, command in below.items() if alive(pid)] == []
        for secret in ("jp7k2q", "cn4x9m", JAPAN, "Kwangsi"):
            assert secret not in up.log


def test_nothing_stays_behind_when_it_is_killed(tmp_path: Path) -> None:
    with everything(tmp_path) as up:
        until(lambda: web_answers(up), "the web server")
        below = descendants(up.process.pid)
        assert len(below) >= 6
        up.process.kill()
        up.process.wait()
        until(lambda: not [pid for pid in below if alive(pid)], "the end of all", 40)


def test_a_port_that_is_taken_is_told_and_ends_it(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        command = [
            sys.executable, "-c", "from pbem.cli.up import up; up()", "--workers", "1", "--http", str(free_port()),
            "--smtp", str(port), "--database", f"sqlite:///{tmp_path}/c.sqlite3", "--caught", str(tmp_path / "m"),
        ]  # fmt: skip
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    assert done.returncode == 1
    assert "smtp cannot start" in done.stderr and "address already in use" in done.stderr.lower()
