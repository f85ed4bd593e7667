"""Fixtures that run tests against a real PostgreSQL: a throw-away cluster per session, a fresh schema per test.

Import both fixtures into a conftest.py to use them. The server listens on a Unix socket in a temporary directory only.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

_NUMBERS = itertools.count(1)


def _binaries() -> Path:
    """Where initdb and postgres are: PATH, else the newest of Debian's directories."""
    found = shutil.which("initdb")
    if found is not None and shutil.which("postgres") is not None:
        return Path(found).resolve().parent
    candidates = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "postgres").exists()]
    if not candidates:
        pytest.fail("PostgreSQL's server binaries are missing; on Debian: apt-get install postgresql", pytrace=False)
    return max(candidates, key=lambda path: float(path.parent.name))


def _unprivileged() -> pwd.struct_passwd | None:
    """The account to run the server as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    pytest.fail("running as root and no account 'postgres' to run PostgreSQL as", pytrace=False)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A running cluster; gives the directory of its socket."""
    binaries, account = _binaries(), _unprivileged()
    identity = {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    home = Path(tempfile.mkdtemp(prefix="pbem-pg-"))  # short: a socket's path has at most 107 bytes
    if account is not None:
        os.chown(home, account.pw_uid, account.pw_gid)
    data, log = home / "data", home / "log"
    try:
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "pbem", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=home,
            **identity,
        )
        with open(log, "wb") as output:
            server = subprocess.Popen(
                # The machine is not going to lose power in mid-test, so the tests need not wait for the disk.
                [binaries / "postgres", "-D", data, "-k", home, "-c", "listen_addresses=", "-c", "fsync=off"],
                stdout=output,
                stderr=output,
                cwd=home,
                **identity,
            )
        try:
            _wait_until_ready(str(home), server, log)
            yield str(home)
        finally:
            server.send_signal(2)  # SIGINT: fast shutdown, open connections are cut
            server.wait(timeout=30)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _wait_until_ready(directory: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(f"postgresql://pbem@/postgres?host={directory}").close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"PostgreSQL did not start:\n{log.read_text(errors='replace')}", pytrace=False)
            time.sleep(0.05)


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of an empty schema of its own, which is all that a test sees of the database."""
    name = f"test_{next(_NUMBERS)}"
    database = f"postgresql://pbem@/postgres?host={postgres_server}"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    yield f"{database}&options=-csearch_path%3D{name}"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {name} CASCADE")
