"""The store in one SQLite file: WAL, a synced journal at each commit, one writer at a time, many readers."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import ClassVar, Final

from pbem.log.schema import Dialect
from pbem.log.sql import Cursor, PerThread, migrate
from pbem.log.sql_log import LogSql
from pbem.log.store import LockBusy

_BUSY_SECONDS: Final = 30.0
"""How long a writer waits for another one before it gives up."""


class SqliteSession:
    """`Session` over one sqlite3 connection."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, sql: str, arguments: Sequence[object] = ()) -> Cursor:
        """See `Session`."""
        return self._connection.execute(sql, arguments)

    def run_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """See `Session`."""
        self._connection.executemany(sql, rows)


class SqliteStore(LogSql):
    """`Store` in an SQLite file; see `open_store`."""

    dialect: ClassVar[Dialect] = "sqlite"

    def __init__(self, path: str, *, lease_seconds: float = 15.0) -> None:
        """`lease_seconds`: how long a campaign stays locked after the process that held it was killed."""
        super().__init__()
        self._path = path
        self._lease = lease_seconds
        self._connections = PerThread(self._connect, lambda _: True, lambda connection: connection.close())
        with self._transaction() as session:
            migrate(session, self.dialect)

    def _connect(self) -> sqlite3.Connection:
        # Each thread uses its own; the check is off only so that `close` may close them all.
        connection = sqlite3.connect(self._path, _BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        for pragma in ("synchronous = FULL", "fullfsync = ON", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise sqlite3.OperationalError(f"{self._path}: cannot use a write-ahead log here (got {mode!r})")
        return connection

    def _session(self) -> SqliteSession:
        return SqliteSession(self._connections.get())

    @contextmanager
    def _transaction(self) -> Iterator[SqliteSession]:
        connection = self._connections.get()
        # IMMEDIATE: the write lock comes first, so what is read inside cannot be stale when it is written.
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield SqliteSession(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _scrub(self) -> None:
        # secure_delete overwrote the pages; now the old ones leave the write-ahead log as well.
        self._connections.get().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    @contextmanager
    def campaign_lock(self, campaign: str, wait: float | None = 10.0) -> Iterator[None]:
        """See `Store`. A lease row, renewed by a thread while it is held."""
        name, owner = f"campaign/{campaign}", secrets.token_hex(8)
        deadline = None if wait is None else time.monotonic() + wait
        while not self._take_lease(name, owner):
            if deadline is not None and time.monotonic() >= deadline:
                raise LockBusy(f"another worker is busy with {campaign}")
            time.sleep(0.05)
        released = threading.Event()
        renewer = threading.Thread(target=self._renew, args=(name, owner, released), daemon=True)
        renewer.start()
        try:
            yield
        finally:
            released.set()
            renewer.join()
            self._session().run("DELETE FROM leases WHERE name = ? AND owner = ?", (name, owner))

    def _take_lease(self, name: str, owner: str) -> bool:
        now = time.time()
        done = self._session().run(
            "INSERT INTO leases (name, owner, until) VALUES (?, ?, ?) ON CONFLICT (name) "
            "DO UPDATE SET owner = excluded.owner, until = excluded.until WHERE leases.until <= ?",
            (name, owner, int((now + self._lease) * 1000), int(now * 1000)),
        )
        return done.rowcount == 1

    def _renew(self, name: str, owner: str, released: threading.Event) -> None:
        while not released.wait(self._lease / 3):
            with suppress(sqlite3.OperationalError):  # busy: the next turn will do
                self._session().run(
                    "UPDATE leases SET until = ? WHERE name = ? AND owner = ?",
                    (int((time.time() + self._lease) * 1000), name, owner),
                )

    def close(self) -> None:
        """See `Store`."""
        self._connections.close()
