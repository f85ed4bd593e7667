"""The store contract in PostgreSQL, and what only PostgreSQL has."""

from __future__ import annotations

import os
import signal

import psycopg
import pytest

from pbem.log.postgres import PostgresStore
from pbem.log.store import LockBusy
from tests.log.kit import CAMPAIGN, create, said
from tests.log.store_contract import _SPAWN, StoreContract, hold_lock


class TestPostgres(StoreContract):
    @pytest.fixture
    def url(self, postgres_url: str) -> str:
        return postgres_url

    def raw(self, url: str, sql: str) -> None:
        with psycopg.connect(url) as connection:
            connection.execute(sql)

    def without_triggers(self, url: str, sql: str) -> None:
        self.raw(url, sql_for(sql))

    @pytest.mark.parametrize("table", ["headers", "payloads", "erasures", "checkpoints"])
    def test_tables_refuse_to_be_emptied(self, url: str, store: PostgresStore, table: str) -> None:
        create(store, CAMPAIGN, said("x"))
        with pytest.raises(psycopg.errors.RaiseException, match=f"{table}: rows are never"):
            self.raw(url, f"TRUNCATE {table} CASCADE")

    def test_the_lock_of_a_killed_worker_ends_at_once(self, url: str, store: PostgresStore) -> None:
        held = _SPAWN.Event()
        worker = _SPAWN.Process(target=hold_lock, args=(url, held))
        worker.start()
        assert held.wait(30)
        with pytest.raises(LockBusy), store.campaign_lock(CAMPAIGN, wait=0.1):
            pass
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        with store.campaign_lock(CAMPAIGN, wait=5):
            pass

    def test_commits_wait_for_the_disk(self, url: str) -> None:
        self.raw(url, "ALTER ROLE pbem SET synchronous_commit TO off")
        try:
            store = PostgresStore(url)
            assert store._connections.get().execute("SHOW synchronous_commit").fetchone() == ("on",)
            store.close()
        finally:
            self.raw(url, "ALTER ROLE pbem RESET synchronous_commit")

    def test_a_lost_connection_is_made_anew(self, url: str, store: PostgresStore) -> None:
        create(store)
        self.raw(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        with pytest.raises(psycopg.OperationalError):
            store.head(CAMPAIGN)
        assert store.head(CAMPAIGN).size == 1


def sql_for(sql: str) -> str:
    """The same statements with the triggers switched off and bytes written PostgreSQL's way."""
    return f"SET session_replication_role = replica; {sql}".replace("X'00'", "'\\x00'")
