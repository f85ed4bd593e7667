"""The store in PostgreSQL, for several machines that share the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, ClassVar, Final

import psycopg
from psycopg import errors

from pbem.log.schema import Dialect
from pbem.log.sql import Cursor, PerThread, migrate
from pbem.log.sql_log import LogSql
from pbem.log.store import LockBusy

_SCHEMA_LOCK: Final = 0x7062656D  # any constant; two programs that start together take turns


@cache
def _spell(sql: str) -> str:
    """Our `?` as the driver's `%s`. All SQL comes from this package; none holds data, none a literal `?`."""
    return sql.replace("%", "%%").replace("?", "%s")


class PostgresSession:
    """`Session` over one psycopg connection."""

    __slots__ = ("_connection",)

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def run(self, sql: str, arguments: Sequence[object] = ()) -> Cursor:
        """See `Session`."""
        return self._connection.execute(_spell(sql), arguments)

    def run_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """See `Session`."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_spell(sql), rows)


class PostgresStore(LogSql):
    """`Store` in a PostgreSQL database; see `open_store`."""

    dialect: ClassVar[Dialect] = "postgres"
    for_update: ClassVar[str] = " FOR UPDATE"
    skip_locked: ClassVar[str] = " FOR UPDATE SKIP LOCKED"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._connections = PerThread(self._connect, lambda one: not one.closed, lambda one: one.close())
        with self._transaction() as session:
            session.run("SELECT pg_advisory_xact_lock(?)", (_SCHEMA_LOCK,))
            migrate(session, self.dialect)

    def _connect(self) -> psycopg.Connection[Any]:
        connection = psycopg.connect(self._url, autocommit=True, application_name="pbem")
        # A server told to answer before the disk has answered would break the promise of `append`.
        if connection.execute("SHOW synchronous_commit").fetchone() == ("off",):
            connection.execute("SET synchronous_commit TO on")
        return connection

    def _session(self) -> PostgresSession:
        return PostgresSession(self._connections.get())

    @contextmanager
    def _transaction(self) -> Iterator[PostgresSession]:
        connection = self._connections.get()
        with connection.transaction():
            yield PostgresSession(connection)

    @contextmanager
    def campaign_lock(self, campaign: str, wait: float | None = 10.0) -> Iterator[None]:
        """See `Store`. An advisory lock on a connection of its own: it ends with the process that holds it."""
        with self._connect() as connection:
            connection.execute(
                "SELECT set_config('lock_timeout', %s, false)", (str(0 if wait is None else max(1, int(wait * 1000))),)
            )
            name = f"pbem/campaign/{campaign}"
            try:
                connection.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", (name,))
            except errors.LockNotAvailable:
                raise LockBusy(f"another worker is busy with {campaign}") from None
            yield

    def close(self) -> None:
        """See `Store`."""
        self._connections.close()
