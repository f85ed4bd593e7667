"""A real Redis server for tests, on a Unix socket in a temporary directory, ended with the test session."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from workers.redis_child import find_redis, socket_url, start


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """The URL of the server."""
    if find_redis() is None:
        pytest.fail("redis-server is missing; on Debian: apt-get install redis-server", pytrace=False)
    home = Path(tempfile.mkdtemp(prefix="pbem-rd-"))  # short: a socket's path has at most 107 bytes
    server = start(home)
    try:
        connection = redis.Redis.from_url(socket_url(home))
        deadline = time.monotonic() + 20
        while True:
            try:
                connection.ping()
                break
            except redis.ConnectionError:
                if server.poll() is not None or time.monotonic() > deadline:
                    pytest.fail("the Redis server did not start", pytrace=False)
                time.sleep(0.02)
        yield socket_url(home)
    finally:
        server.terminate()
        server.wait(timeout=20)
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def redis_url(redis_server: str) -> str:
    """The URL of the server, emptied."""
    redis.Redis.from_url(redis_server).flushall()
    return redis_server
