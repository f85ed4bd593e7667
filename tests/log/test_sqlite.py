"""The store contract in SQLite, and what only SQLite has."""

from __future__ import annotations

import os
import signal
import sqlite3
from pathlib import Path

import pytest

from pbem.log.event import NewEvent
from pbem.log.sqlite import SqliteStore
from pbem.log.store import LockBusy, open_store
from tests.log.kit import CAMPAIGN, START, create, said
from tests.log.store_contract import _SPAWN, StoreContract, hold_lock


class TestSqlite(StoreContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path / 'pbem.db'}"

    def raw(self, url: str, sql: str) -> None:
        with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
            connection.executescript(sql)
        connection.close()

    def without_triggers(self, url: str, sql: str) -> None:
        with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
            connection.executescript(";".join(f"DROP TRIGGER {name}" for (name,) in names) + ";" + sql)
        connection.close()

    @pytest.mark.parametrize("table", ["headers", "payloads"])
    def test_rows_cannot_be_replaced(self, url: str, store: SqliteStore, table: str) -> None:
        create(store, CAMPAIGN, said("x"))
        columns = {
            "headers": "(1, 1, 1, 'forged', 0, 'x', '[]', '[]', '00')",
            "payloads": "(1, 1, X'00', '{}')",
        }
        with pytest.raises(sqlite3.IntegrityError, match="never replaced"):
            self.raw(url, f"INSERT OR REPLACE INTO {table} VALUES {columns[table]}")

    def test_what_was_erased_is_gone_from_the_files(self, tmp_path: Path, store: SqliteStore) -> None:
        create(store, CAMPAIGN, said("MY-TELEPHONE-NUMBER"))
        store.append(CAMPAIGN, 2, [NewEvent(type="payload_erased", payload={"of": 1}, at=START, actor="moderator")])
        assert any(b"MY-TELEPHONE-NUMBER" in path.read_bytes() for path in tmp_path.iterdir())
        store.erase_payload(CAMPAIGN, 1, by=2)
        assert not any(b"MY-TELEPHONE-NUMBER" in path.read_bytes() for path in tmp_path.iterdir())

    def test_commits_are_synced(self, store: SqliteStore) -> None:
        connection = store._connections.get()
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL

    def test_the_lease_of_a_killed_worker_ends(self, url: str, store: SqliteStore) -> None:
        held = _SPAWN.Event()
        worker = _SPAWN.Process(target=hold_lock, args=(url, held))
        worker.start()
        assert held.wait(30)
        with pytest.raises(LockBusy), store.campaign_lock(CAMPAIGN, wait=0.1):
            pass
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        # As if the fifteen seconds of the lease had passed.
        self.raw(url, "UPDATE leases SET until = until - 15000")
        with store.campaign_lock(CAMPAIGN, wait=0.1):
            pass

    def test_a_long_holder_keeps_its_lease(self, url: str) -> None:
        store = SqliteStore(url.removeprefix("sqlite:///"), lease_seconds=0.3)
        with store.campaign_lock(CAMPAIGN), pytest.raises(LockBusy), store.campaign_lock(CAMPAIGN, wait=1.0):
            pass
        store.close()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "mysql://x", "pbem.db"])
def test_addresses_that_name_no_database(url: str) -> None:
    with pytest.raises(ValueError, match="sqlite:///path"):
        open_store(url)


def test_a_read_only_place_is_refused_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        open_store(f"sqlite:///{tmp_path / 'missing' / 'pbem.db'}")
