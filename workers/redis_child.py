"""A Redis server of our own, on a Unix socket in a directory of its own, that never outlives who started it.

`python -m workers.redis_child DIRECTORY` starts the redis-server of PATH, keeps nothing on disk, and ends with it.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

SOCKET = "redis.sock"
_PR_SET_PDEATHSIG = 1


def find_redis() -> str | None:
    """The redis-server in PATH."""
    return shutil.which("redis-server")


def socket_url(directory: Path) -> str:
    """The URL of the server in that directory."""
    return f"unix://{directory / SOCKET}"


def start(directory: Path) -> subprocess.Popen[bytes]:
    """Start the server. Raises FileNotFoundError if there is none, saying what to install."""
    program = find_redis()
    if program is None:
        raise FileNotFoundError(
            "there is no redis-server in PATH; install it (Debian: apt-get install redis-server) or set REDIS_URL"
        )
    command = [
        program, "--port", "0", "--unixsocket", str(directory / SOCKET), "--unixsocketperm", "700",
        "--save", "", "--appendonly", "no", "--dir", str(directory), "--daemonize", "no", "--loglevel", "warning",
        "--logfile", str(directory / "redis.log"),
    ]  # fmt: skip
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, preexec_fn=_die_with_parent)


def _die_with_parent() -> None:
    """Where the system can do it (Linux), the server dies even if its parent is killed without a chance to act."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def main() -> None:
    """Run the server until SIGTERM, or until the pipe on the standard input breaks."""
    from workers.serve import CANNOT_START, CHILD

    try:
        server = start(Path(sys.argv[1]))
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        sys.exit(CANNOT_START)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.terminate())
    if os.environ.get(CHILD):
        threading.Thread(target=_until_parent_ends, args=(server,), daemon=True).start()
    sys.exit(0 if server.wait() in (0, -signal.SIGTERM) else 1)


def _until_parent_ends(server: subprocess.Popen[bytes]) -> None:
    while os.read(0, 4096):
        pass
    server.terminate()


if __name__ == "__main__":
    main()
