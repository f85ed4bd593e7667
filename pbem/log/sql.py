"""What both databases share below the SQL: sessions, transactions, schema versions, one connection per thread.

SQL in this package is written with `?` for parameters and in the common part of both dialects.
"""

from __future__ import annotations

import json
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pbem.log.schema import Dialect, migrations
from pbem.log.store import StoreError


class Cursor(Protocol):
    """What a statement gives back."""

    @property
    def rowcount(self) -> int:
        """Rows changed."""

    def fetchone(self) -> Any:
        """The next row or None."""

    def fetchall(self) -> list[Any]:
        """All further rows."""


class Session(Protocol):
    """One connection, inside a transaction or outside."""

    def run(self, sql: str, arguments: Sequence[object] = ()) -> Cursor:
        """Run one statement."""

    def run_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for each row."""


class SqlBase(ABC):
    """The seam between the shared SQL and a database driver."""

    dialect: ClassVar[Dialect]
    for_update: ClassVar[str] = ""
    """Appended to a SELECT whose rows the transaction is going to change."""
    skip_locked: ClassVar[str] = ""
    """The same, leaving out rows that somebody else is changing."""

    @abstractmethod
    def _session(self) -> Session:
        """This thread's connection, each statement a transaction of its own."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Session]:
        """A transaction: durable when the block ends, undone when it raises."""


def migrate(session: Session, dialect: Dialect) -> None:
    """Bring the tables up to date; called inside a transaction that excludes other migrations."""
    session.run("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
    row = session.run("SELECT version FROM schema_version").fetchone()
    steps = migrations(dialect)
    version = 0 if row is None else int(row[0])
    if version > len(steps):
        raise StoreError(f"the database has schema version {version}, this program knows {len(steps)}: update it")
    if version == len(steps):
        return
    for step in steps[version:]:
        for statement in step:
            session.run(statement)
    session.run("DELETE FROM schema_version")
    session.run("INSERT INTO schema_version (version) VALUES (?)", (len(steps),))


Connection = TypeVar("Connection")


class PerThread(Generic[Connection]):
    """One connection for each thread of this process; a forked child gets its own and leaves the parent's alone."""

    def __init__(
        self,
        connect: Callable[[], Connection],
        usable: Callable[[Connection], bool],
        shut: Callable[[Connection], None],
    ) -> None:
        self._connect = connect
        self._usable = usable
        self._shut = shut
        self._local = threading.local()
        self._lock = threading.Lock()
        self._all: list[tuple[int, threading.Thread, Connection]] = []

    def get(self) -> Connection:
        """This thread's connection, made anew if there is none that works."""
        held: tuple[int, Connection] | None = getattr(self._local, "held", None)
        if held is not None and held[0] == os.getpid() and self._usable(held[1]):
            return held[1]
        connection = self._connect()
        self._local.held = (os.getpid(), connection)
        with self._lock:
            self._drop_dead()
            self._all.append((os.getpid(), threading.current_thread(), connection))
        return connection

    def _drop_dead(self) -> None:
        """Close the connections of threads that have ended; keep a parent's open, for closing would disturb it."""
        kept = []
        for pid, thread, connection in self._all:
            if pid == os.getpid() and not thread.is_alive():
                self._shut(connection)
            else:
                kept.append((pid, thread, connection))
        self._all = kept

    def close(self) -> None:
        """Close every connection this process has opened."""
        with self._lock:
            for pid, _, connection in self._all:
                if pid == os.getpid():
                    self._shut(connection)
            self._all = [held for held in self._all if held[0] != os.getpid()]
        self._local = threading.local()


def to_json(value: Mapping[str, Any]) -> str:
    """Text of settings, envelopes and parameters, which are not hashed."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def from_json(text: str) -> dict[str, Any]:
    """Reverse of `to_json`."""
    value: dict[str, Any] = json.loads(text)
    return value
