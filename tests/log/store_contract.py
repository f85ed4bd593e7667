"""What every store must do. `test_sqlite` and `test_postgres` run this one class against real databases."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem.log.canonical import CanonicalError
from pbem.log.checkpoint import Signer
from pbem.log.codec import EventError
from pbem.log.event import EVERYTHING, NewEvent, Unreadable, secret_opened, visible
from pbem.log.export import export, import_
from pbem.log.merkle import Edge, Tree, verify_consistency, verify_inclusion
from pbem.log.sql import Cursor, Session
from pbem.log.sql_log import LogSql
from pbem.log.sqlite import SqliteStore
from pbem.log.store import (
    AlreadyExists,
    Conflict,
    Damaged,
    InboxTaken,
    LockBusy,
    NewInbox,
    NewOutbox,
    NoSuchCampaign,
    Player,
    SignedHead,
    StoreError,
    open_store,
)
from tests.log.kit import CAMPAIGN, SALT_KEY, SIGNING_KEY, START, create, created, said, sample

_FORK = multiprocessing.get_context("fork")
_SPAWN = multiprocessing.get_context("spawn")


class Crash(Exception):
    """The process dies here, as far as the database can tell."""


class _CountingSession:
    def __init__(self, session: Session, budget: list[int]) -> None:
        self._session = session
        self._budget = budget

    def _spend(self) -> None:
        if self._budget[0] == 0:
            raise Crash
        self._budget[0] -= 1

    def run(self, sql: str, arguments: Any = ()) -> Cursor:
        self._spend()
        return self._session.run(sql, arguments)

    def run_many(self, sql: str, rows: Any) -> None:
        for row in rows:
            self._spend()
            self._session.run(sql, row)


def crash_after(store: LogSql, statements: int) -> None:
    """Let this store die inside its next transaction, after so many statements."""
    original = store._transaction

    @contextmanager
    def transaction() -> Iterator[Session]:
        budget = [statements]
        with original() as session:
            counting = _CountingSession(session, budget)
            yield counting
            counting._spend()  # one more chance to die: all is written, nothing is committed

    store._transaction = transaction  # type: ignore[method-assign]


def inbox(key: str = "a", **more: Any) -> NewInbox:
    return NewInbox(
        **{"source": "smtp", "received_at": START, "raw": b"3 inf Kwangsi -> Yunnan\n", "dedupe_key": key} | more
    )


def mail(message_id: str, **more: Any) -> NewOutbox:
    return NewOutbox(**{"kind": "acknowledgement", "recipient": "anna", "message_id": message_id} | more)


def append_in_process(url: str, name: str, count: int) -> None:
    """A writer: on conflict it reads on and tries again."""
    store = open_store(url)
    done = 0
    while done < count:
        size = store.head(CAMPAIGN).size
        try:
            store.append(CAMPAIGN, size, [said(f"{name} {done}"), said(f"{name} {done} too")])
            done += 1
        except Conflict:
            pass
    store.close()


def append_for_ever(url: str) -> None:
    store = open_store(url)
    seq = store.head(CAMPAIGN).size
    while True:
        events = [said(f"{seq + i}", ["japan"] if i % 2 else None) for i in range(40)]
        seq += len(store.append(CAMPAIGN, seq, events, [mail(f"<{seq}@pbem.example>")]))


def hold_lock(url: str, held: Any) -> None:
    with open_store(url).campaign_lock(CAMPAIGN):
        held.set()
        time.sleep(600)


class StoreContract:
    """The contract of `pbem.log.store.Store`."""

    @pytest.fixture
    @abstractmethod
    def url(self) -> str:
        """Address of an empty database."""

    @abstractmethod
    def raw(self, url: str, sql: str) -> None:
        """Run SQL behind the store's back, as an operator with a console could."""

    @pytest.fixture
    def reopen(self, url: str) -> Iterator[Callable[[], LogSql]]:
        opened = []

        def another() -> LogSql:
            store = open_store(url)
            assert isinstance(store, LogSql)
            opened.append(store)
            return store

        yield another
        for store in opened:
            store.close()

    @pytest.fixture
    def store(self, reopen: Callable[[], LogSql]) -> LogSql:
        return reopen()

    # Appending and reading

    def test_events_come_back_as_they_were_appended(self, store: LogSql, reopen: Callable[[], LogSql]) -> None:
        written = create(store)
        written += store.append(
            CAMPAIGN,
            1,
            [
                said('雲南 "x"\u001f\n\x7f\u2028😀', actor="anna", rules=["p40.9", "p40.1"], cause=[0]),
                said("hidden", readers=["usa", "china", "usa"], actor="anna"),
                NewEvent(type="empty", payload={}, at=0),
            ],
        )
        read = list(reopen().read(CAMPAIGN))
        assert read == written
        assert [event.seq for event in read] == [0, 1, 2, 3]
        assert read[1].rules == ("p40.9", "p40.1") and read[1].cause == (0,) and read[1].actor == "anna"
        assert read[2].readers == ("china", "usa") and read[2].type == "press_said" and read[2].actor == "anna"
        assert read[2].payload == {"text": "hidden"}

    def test_the_header_of_a_sealed_event_tells_nothing(self, store: LogSql) -> None:
        create(store, CAMPAIGN, said("attack at dawn", ["japan"], actor="anna", rules=["p40.1"]))
        (entry,) = store.entries(CAMPAIGN, 1)
        (event,) = store.read(CAMPAIGN, 1)
        header = '{"campaign":"p40-17","commitment":"COMMITMENT","seq":1,"type":"sealed","version":1}'
        assert entry.decode() == header.replace("COMMITMENT", event.commitment)

    def test_parts_can_be_read(self, store: LogSql) -> None:
        create(store, CAMPAIGN, *[said(str(i)) for i in range(1, 6)])
        assert [event.seq for event in store.read(CAMPAIGN, 2, 4)] == [2, 3]
        assert [event.seq for event in store.read(CAMPAIGN, 4)] == [4, 5]
        assert [event.seq for event in store.read(CAMPAIGN, 4, 100, verify=True)] == [4, 5]
        assert list(store.read(CAMPAIGN, 6)) == []

    def test_a_read_shows_the_moment_of_the_call(self, store: LogSql) -> None:
        create(store)
        before = store.read(CAMPAIGN)
        store.append(CAMPAIGN, 1, [said("later")])
        assert len(list(before)) == 1

    def test_many_events_are_read_in_order(self, store: LogSql) -> None:
        create(store)
        store.append(CAMPAIGN, 1, [said(str(i), ["japan"] if i % 7 == 0 else None) for i in range(1, 4500)])
        assert [event.seq for event in store.read(CAMPAIGN)] == list(range(4500))
        assert all(event.payload["text"] == str(event.seq) for event in store.read(CAMPAIGN, 1))
        assert store.head(CAMPAIGN) == (4500, Tree(store.entries(CAMPAIGN)).root())

    def test_the_same_history_has_the_same_head(self, store: LogSql) -> None:
        sample(store)
        edge = Edge().extend(store.entries(CAMPAIGN))
        assert store.edge(CAMPAIGN) == edge
        assert store.head(CAMPAIGN) == (8, edge.root())
        # The salts are derived and nothing else is chosen: the known value at the end of docs/log-format.md.
        assert edge.root().hex() == "f40836bbed1276994fcb88b788945333498d5224607ddbda5c368d0493f75a98"

    def test_the_wrong_expectation_is_a_conflict(self, store: LogSql) -> None:
        create(store)
        for wrong in (0, 2, 17):
            with pytest.raises(Conflict) as caught:
                store.append(CAMPAIGN, wrong, [said("no")])
            assert (caught.value.campaign, caught.value.expected, caught.value.actual) == (CAMPAIGN, wrong, 1)
        assert store.head(CAMPAIGN).size == 1

    def test_a_bad_event_stores_nothing(self, store: LogSql) -> None:
        create(store)
        with pytest.raises(CanonicalError, match=r"payload \$\.units\[1\]: 0.5 is not an integer"):
            store.append(CAMPAIGN, 1, [said("fine"), NewEvent(type="bad", payload={"units": [1, 0.5]}, at=1)])
        with pytest.raises(EventError, match="cause 1 is not the seq of an earlier event"):
            store.append(CAMPAIGN, 1, [said("itself", cause=[1])])
        assert store.head(CAMPAIGN).size == 1

    def test_unknown_campaigns_are_named(self, store: LogSql) -> None:
        for call in (
            lambda: store.head("nowhere"),
            lambda: list(store.read("nowhere")),
            lambda: store.append("nowhere", 0, [said("x")]),
            lambda: store.settings("nowhere"),
            lambda: store.put_settings("nowhere", {}),
        ):
            with pytest.raises(NoSuchCampaign, match="nowhere"):
                call()

    # Campaigns

    def test_campaigns_do_not_mix(self, store: LogSql) -> None:
        create(store, "b")
        create(store, "a", said("in a"))
        store.append("b", 1, [said("in b")])
        assert store.campaigns() == ["a", "b"]
        assert [event.payload.get("text") for event in store.read("a")] == [None, "in a"]
        assert [event.campaign for event in store.read("b")] == ["b", "b"]
        assert store.head("a").root != store.head("b").root

    def test_a_campaign_is_created_once_and_whole(self, store: LogSql) -> None:
        anna = Player(id="anna", campaign=CAMPAIGN, address="anna@example.org", token="t1")
        store.create_campaign(
            CAMPAIGN,
            salt_key=SALT_KEY,
            signing_key=SIGNING_KEY,
            events=[created()],
            keys={"dice/0": b"seed"},
            settings={"closing": "ready"},
            players=[anna],
            outbox=[mail("<1@pbem.example>")],
        )
        assert store.key(CAMPAIGN, "dice/0") == b"seed"
        assert store.players(CAMPAIGN) == [anna]
        assert store.settings(CAMPAIGN) == {"closing": "ready"}
        assert [row.campaign for row in store.due(0)] == [CAMPAIGN]
        with pytest.raises(AlreadyExists):
            create(store)
        with pytest.raises(EventError, match="cannot name a campaign"):
            create(store, "P40.17")
        with pytest.raises(EventError, match="log_key"):
            store.create_campaign("other", salt_key=SALT_KEY, signing_key=bytes(32), events=[created("other")])
        assert store.campaigns() == [CAMPAIGN]

    def test_settings_are_replaced(self, store: LogSql) -> None:
        create(store)
        store.put_settings(CAMPAIGN, {"closing": "at once", "language": "zh-Hant"})
        assert store.settings(CAMPAIGN) == {"closing": "at once", "language": "zh-Hant"}

    # Verification

    def test_a_verified_read_agrees(self, store: LogSql) -> None:
        events = sample(store)
        assert list(store.read(CAMPAIGN, verify=True)) == events

    @pytest.mark.parametrize(
        ("tampering", "complaint"),
        [
            ("UPDATE headers SET actor = 'other' WHERE seq = 1", "do not hash to the stored head"),
            ("UPDATE headers SET commitment = 'ff' WHERE seq = 2", "does not match the header's commitment"),
            ("UPDATE headers SET rules = '[ ]' WHERE seq = 1", "not canonical"),
            ('UPDATE payloads SET payload = \'{"text":"fake"}\' WHERE seq = 1', "p40-17/1: the payload does not match"),
            ("DELETE FROM payloads WHERE seq = 1", "p40-17/1: the payload is missing"),
            ("DELETE FROM payloads WHERE seq = 7; DELETE FROM headers WHERE seq = 7", "p40-17/7: event is missing"),
            ("DELETE FROM payloads WHERE seq = 5; DELETE FROM headers WHERE seq = 5", "event 5 is missing"),
            ("UPDATE campaigns SET size = 4, edge = X'00'", "edge"),
        ],
    )
    def test_tampering_is_found(self, url: str, store: LogSql, tampering: str, complaint: str) -> None:
        sample(store)
        self.without_triggers(url, tampering)
        with pytest.raises((Damaged, ValueError), match=complaint):
            list(store.read(CAMPAIGN, verify=True))

    @abstractmethod
    def without_triggers(self, url: str, sql: str) -> None:
        """Run SQL as somebody could who first removes the triggers."""

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE headers SET actor = 'other' WHERE seq = 1",
            "UPDATE headers SET seq = 99 WHERE seq = 7",
            "DELETE FROM headers WHERE seq = 7",
            "DELETE FROM headers",
            "UPDATE payloads SET payload = '{}' WHERE seq = 1",
            "DELETE FROM payloads WHERE seq = 1",
            "DELETE FROM payloads",
            "UPDATE checkpoints SET note = ''",
            "DELETE FROM checkpoints",
            "UPDATE erasures SET by_seq = 0",
            "DELETE FROM erasures",
        ],
    )
    def test_history_refuses_to_be_changed(self, url: str, store: LogSql, change: str) -> None:
        sample(store)
        store.record_signed(CAMPAIGN, SignedHead(store.edge(CAMPAIGN), "note", START))
        store.append(CAMPAIGN, 8, [NewEvent(type="payload_erased", payload={"of": 7}, at=START, actor="moderator")])
        store.erase_payload(CAMPAIGN, 7, by=8)
        before = list(store.read(CAMPAIGN, verify=True))
        with pytest.raises(Exception, match="rows are"):
            self.raw(url, change)
        assert list(store.read(CAMPAIGN, verify=True)) == before

    # Proofs

    def test_proofs_hold(self, store: LogSql) -> None:
        sample(store)
        entries = list(store.entries(CAMPAIGN))
        size, root = store.head(CAMPAIGN)
        for seq, entry in enumerate(entries):
            assert verify_inclusion(entry, seq, size, store.inclusion_proof(CAMPAIGN, seq), root)
        old_root = Tree(entries[:5]).root()
        assert verify_consistency(5, old_root, size, root, store.consistency_proof(CAMPAIGN, 5))
        assert verify_inclusion(entries[2], 2, 5, store.inclusion_proof(CAMPAIGN, 2, 5), old_root)

    # Opening and erasing

    def test_a_sealed_event_is_opened(self, store: LogSql) -> None:
        create(store, CAMPAIGN, said("dawn", ["japan"]))
        closed = visible(store.read(CAMPAIGN), frozenset({"china"}))
        assert closed[1].closed and closed[1].type == "sealed" and closed[1].actor == ""
        store.append(CAMPAIGN, 2, [secret_opened(next(store.read(CAMPAIGN, 1)), at=START)])
        assert visible(store.read(CAMPAIGN), frozenset({"china"}))[1].payload == {"text": "dawn"}

    def test_an_opening_that_does_not_fit_is_refused(self, store: LogSql) -> None:
        create(store, CAMPAIGN, said("dawn", ["japan"]), said("noon", ["japan"]), said("public"))
        dawn, noon = list(store.read(CAMPAIGN, 1, 3))
        wrong = {"of": 1, "payload": dict(noon.committed()), "salt": dawn.salt.hex()}
        public = {"of": 3, "payload": {"text": "public"}, "salt": dawn.salt.hex()}
        for payload, complaint in ((wrong, "do not match the commitment of event 1"), (public, "not sealed")):
            with pytest.raises(EventError, match=complaint):
                store.append(CAMPAIGN, 4, [NewEvent(type="secret_opened", payload=payload, at=START)])
        assert store.head(CAMPAIGN).size == 4

    def test_an_erased_payload_leaves_the_tree_valid(self, store: LogSql) -> None:
        create(store, CAMPAIGN, said("my address is ..."), said("hidden", ["japan"]))
        leave = [
            NewEvent(type="payload_erased", payload={"of": of}, at=START, actor="moderator", cause=[of])
            for of in (1, 2)
        ]
        store.append(CAMPAIGN, 3, leave)
        head = store.head(CAMPAIGN)
        store.erase_payload(CAMPAIGN, 1, by=3)
        store.erase_payload(CAMPAIGN, 1, by=3)
        store.erase_payload(CAMPAIGN, 2, by=4)
        assert store.head(CAMPAIGN) == head == (5, Tree(store.entries(CAMPAIGN)).root())
        assert store.erasures(CAMPAIGN) == {1: 3, 2: 4}
        public, sealed = list(store.read(CAMPAIGN, 1, 3))
        assert list(store.read(CAMPAIGN, verify=True))[1:3] == [public, sealed]
        assert public.erased and public.type == "press_said" and public.salt == b""
        assert sealed.erased and sealed.sealed and sealed.type == "sealed"
        with pytest.raises(Unreadable, match="the payload was erased"):
            public.payload["text"]
        assert visible([public, sealed], EVERYTHING) == [public, sealed]

    def test_only_the_moderator_has_a_payload_erased(self, store: LogSql) -> None:
        create(store, CAMPAIGN, said("one"), said("two"))
        with pytest.raises(EventError, match="only the moderator"):
            store.append(CAMPAIGN, 3, [NewEvent(type="payload_erased", payload={"of": 1}, at=START, actor="anna")])
        store.append(CAMPAIGN, 3, [NewEvent(type="payload_erased", payload={"of": 1}, at=START, actor="moderator")])
        for seq, by in ((2, 3), (1, 1), (1, 0), (1, 4), (3, 3)):
            with pytest.raises(StoreError):
                store.erase_payload(CAMPAIGN, seq, by)
        assert not any(event.erased for event in store.read(CAMPAIGN))

    # Many writers

    def test_of_two_threads_one_wins(self, store: LogSql) -> None:
        create(store)
        results: list[str] = []
        start = threading.Barrier(4)

        def write(name: str) -> None:
            start.wait()
            try:
                store.append(CAMPAIGN, 1, [said(name), said(f"{name} too")])
                results.append(name)
            except Conflict:
                results.append("conflict")

        threads = [threading.Thread(target=write, args=(f"writer {i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (winner,) = [name for name in results if name != "conflict"]
        assert results.count("conflict") == 3
        assert [event.payload["text"] for event in store.read(CAMPAIGN, 1, verify=True)] == [winner, f"{winner} too"]

    def test_processes_take_turns_without_gaps(self, url: str, store: LogSql) -> None:
        create(store)
        processes = [_SPAWN.Process(target=append_in_process, args=(url, f"p{i}", 25)) for i in range(2)]
        for process in processes:
            process.start()
        for process in processes:
            process.join(60)
            assert process.exitcode == 0
        events = list(store.read(CAMPAIGN, verify=True))
        assert [event.seq for event in events] == list(range(101))
        texts = [event.payload["text"] for event in events[1:]]
        for first, second in zip(texts[::2], texts[1::2], strict=True):
            assert second == f"{first} too"
        for i in range(2):
            assert [text for text in texts[::2] if text.startswith(f"p{i}")] == [f"p{i} {n}" for n in range(25)]

    def test_a_forked_child_uses_its_own_connection(self, store: LogSql) -> None:
        create(store)
        child = _FORK.Process(target=lambda: store.append(CAMPAIGN, 1, [said("from the child")]))
        child.start()
        child.join(30)
        assert child.exitcode == 0
        store.append(CAMPAIGN, 2, [said("from the parent")])
        assert store.head(CAMPAIGN).size == 3

    # Crashes

    def test_a_crash_between_any_two_statements_leaves_all_or_nothing(self, reopen: Callable[[], LogSql]) -> None:
        store = reopen()
        create(store)
        arrivals = [store.put_inbox(inbox(key, campaign=CAMPAIGN)).id for key in "ab"]
        for statements in range(100):
            dying = reopen()
            crash_after(dying, statements)
            try:
                dying.append(
                    CAMPAIGN,
                    1,
                    [said("one"), said("two", ["japan"])],
                    [mail("<1@pbem.example>"), mail("<2@pbem.example>")],
                    arrivals,
                )
                break
            except Crash:
                assert store.head(CAMPAIGN).size == 1
                assert len(list(store.read(CAMPAIGN, verify=True))) == 1
                assert [row.id for row in store.unread()] == arrivals
                assert store.outbox() == []
        # size, 2 headers, 2 payloads, size and edge, 2 arrivals, 2 mails: ten statements, and dying before the commit
        assert statements == 11
        assert len(list(store.read(CAMPAIGN, verify=True))) == 3
        assert store.unread() == [] and len(store.outbox()) == 2

    def test_a_crash_while_a_campaign_is_created_leaves_nothing(self, reopen: Callable[[], LogSql]) -> None:
        store = reopen()
        for statements in range(100):
            dying = reopen()
            crash_after(dying, statements)
            try:
                create(dying)
                break
            except Crash:
                assert store.campaigns() == []
                with pytest.raises(KeyError):
                    store.key(CAMPAIGN, "salt")
        assert statements > 5
        assert len(list(store.read(CAMPAIGN, verify=True))) == 1

    def test_a_crash_during_an_erasure_leaves_the_payload_or_not(self, reopen: Callable[[], LogSql]) -> None:
        store = reopen()
        create(store, CAMPAIGN, said("private"))
        store.append(CAMPAIGN, 2, [NewEvent(type="payload_erased", payload={"of": 1}, at=START, actor="moderator")])
        for statements in range(100):
            dying = reopen()
            crash_after(dying, statements)
            try:
                dying.erase_payload(CAMPAIGN, 1, by=2)
                break
            except Crash:
                assert store.erasures(CAMPAIGN) == {}
                assert list(store.read(CAMPAIGN, verify=True))[1].payload == {"text": "private"}
        assert statements > 3
        assert list(store.read(CAMPAIGN, verify=True))[1].erased

    def test_a_killed_writer_leaves_whole_appends(self, url: str, store: LogSql) -> None:
        create(store)
        for _ in range(3):
            before = store.head(CAMPAIGN).size
            writer = _SPAWN.Process(target=append_for_ever, args=(url,))
            writer.start()
            deadline = time.monotonic() + 60
            while store.head(CAMPAIGN).size < before + 200:
                assert time.monotonic() < deadline
                time.sleep(0.001)
            assert writer.pid is not None
            os.kill(writer.pid, signal.SIGKILL)
            writer.join()
            events = list(store.read(CAMPAIGN, verify=True))
            assert [event.seq for event in events] == list(range(len(events)))
            assert len(events) % 40 == 1
            assert len(store.outbox(limit=100_000)) == len(events) // 40
            assert all(event.payload["text"] == str(event.seq) for event in events[1:])

    # Checkpoints and snapshots

    def test_signed_heads_are_remembered(self, store: LogSql) -> None:
        create(store)
        assert store.last_signed(CAMPAIGN) is None
        first = SignedHead(store.edge(CAMPAIGN), "first", START)
        store.record_signed(CAMPAIGN, first)
        store.record_signed(CAMPAIGN, first)
        store.append(CAMPAIGN, 1, [said("more")])
        second = SignedHead(store.edge(CAMPAIGN), "second", START + 1)
        store.record_signed(CAMPAIGN, second)
        assert store.last_signed(CAMPAIGN) == second
        assert store.checkpoints(CAMPAIGN) == [first, second]
        with pytest.raises(Damaged, match="another checkpoint of 1 events"):
            store.record_signed(CAMPAIGN, SignedHead(first.edge, "other", START))
        with pytest.raises(Damaged, match="only 2 are stored"):
            store.record_signed(CAMPAIGN, SignedHead(second.edge.extend([b"x"]), "third", START))

    def test_snapshots_are_a_cache(self, store: LogSql) -> None:
        create(store)
        assert store.get_snapshot(CAMPAIGN) is None
        for seq, rewind_seq, version in ((10, -1, 1), (20, -1, 1), (20, 19, 1), (30, 19, 2)):
            store.put_snapshot(CAMPAIGN, seq, rewind_seq, version, f"{seq}/{rewind_seq}".encode())
        store.put_snapshot(CAMPAIGN, 10, -1, 1, b"new")

        def found(*arguments: Any, **more: Any) -> bytes | None:
            snapshot = store.get_snapshot(CAMPAIGN, *arguments, **more)
            return None if snapshot is None else snapshot.data

        assert found() == b"30/19"
        assert found(29) == b"20/19"
        assert found(19) == b"new"
        assert found(9) is None
        assert found(rules_version=1) == b"20/19"
        assert found(rules_version=1, usable=lambda seq, rewind_seq: rewind_seq == -1) == b"20/-1"
        store.delete_snapshots(CAMPAIGN)
        assert found() is None
        store.put_snapshot(CAMPAIGN, 1, -1, 1, b"x")
        store.delete_snapshots()
        assert found() is None

    # Inbox

    def test_an_arrival_is_stored_once(self, store: LogSql) -> None:
        first = store.put_inbox(inbox(envelope={"mail_from": "anna@example.org"}))
        again = store.put_inbox(inbox(raw=b"other bytes"))
        other = store.put_inbox(inbox("b", raw=b""))
        assert first.fresh and not again.fresh and other.fresh
        assert again.id == first.id != other.id
        row = store.inbox_row(first.id)
        assert row is not None and row.raw == b"3 inf Kwangsi -> Yunnan\n" and row.status == "unread"
        assert row.sha256 == sha256(b"3 inf Kwangsi -> Yunnan\n").hexdigest()
        assert row.envelope == {"mail_from": "anna@example.org"}
        assert store.inbox_row(999) is None

    def test_unread_arrivals_in_order(self, store: LogSql) -> None:
        create(store)
        late = store.put_inbox(inbox("late", received_at=300, campaign=CAMPAIGN)).id
        early = store.put_inbox(inbox("early", received_at=100, campaign=CAMPAIGN)).id
        lost = store.put_inbox(inbox("lost", received_at=200)).id
        assert [row.id for row in store.unread()] == [early, lost, late]
        assert [row.id for row in store.unread(CAMPAIGN)] == [early, late]
        assert [row.id for row in store.unread(CAMPAIGN, before=300)] == [early]
        store.assign_inbox(lost, CAMPAIGN)
        assert [row.id for row in store.unread(CAMPAIGN, before=300)] == [early, lost]
        store.finish_inbox(early, "held", "sender unknown")
        assert [row.id for row in store.unread(before=301)] == [lost, late]
        assert [row.id for row in store.inbox(status="held")] == [early]
        assert [row.id for row in store.inbox(CAMPAIGN, limit=2)] == [lost, early]

    def test_an_arrival_is_used_once(self, store: LogSql) -> None:
        create(store)
        arrival = store.put_inbox(inbox(campaign=CAMPAIGN)).id
        store.append(CAMPAIGN, 1, [said("orders")], inbox_done=[arrival])
        row = store.inbox_row(arrival)
        assert row is not None and row.status == "done" and row.note == "events 1 to 1"
        with pytest.raises(InboxTaken):
            store.append(CAMPAIGN, 2, [said("orders again")], inbox_done=[arrival])
        with pytest.raises(InboxTaken):
            store.finish_inbox(arrival, "refused")
        with pytest.raises(InboxTaken):
            store.finish_inbox(12345, "refused")
        assert store.head(CAMPAIGN).size == 2

    def test_an_arrival_without_events_is_answered(self, store: LogSql) -> None:
        arrival = store.put_inbox(inbox()).id
        store.finish_inbox(arrival, "held", "which campaign?")
        store.finish_inbox(arrival, "refused", "no campaign", [mail("<1@pbem.example>", recipient=f"inbox:{arrival}")])
        row = store.inbox_row(arrival)
        assert row is not None and (row.status, row.note) == ("refused", "no campaign")
        assert [queued.recipient for queued in store.due(0)] == [f"inbox:{arrival}"]

    def test_raw_bytes_are_purged(self, store: LogSql) -> None:
        old = store.put_inbox(inbox("old", received_at=100)).id
        waiting = store.put_inbox(inbox("waiting", received_at=100)).id
        new = store.put_inbox(inbox("new", received_at=200)).id
        store.finish_inbox(old, "silent")
        store.finish_inbox(new, "silent")
        assert store.purge_inbox(200) == 1
        assert store.purge_inbox(200) == 0
        rows = {row.id: row for row in store.inbox()}
        assert rows[old].raw is None and len(rows[old].sha256) == 64
        assert rows[waiting].raw is not None and rows[new].raw is not None

    # Outbox

    def test_mails_are_queued_with_the_events_that_cause_them(self, store: LogSql) -> None:
        create(store)
        store.append(CAMPAIGN, 1, [said("x")], [mail("<1@pbem.example>", cause=1, params={"seq": 1})])
        (row,) = store.due(START)
        assert (row.campaign, row.recipient, row.kind, row.message_id) == (
            CAMPAIGN,
            "anna",
            "acknowledgement",
            "<1@pbem.example>",
        )
        assert (row.cause, row.params, row.attempts, row.state, row.sent_at) == (1, {"seq": 1}, 0, "queued", None)
        with pytest.raises(AlreadyExists, match="<1@pbem.example>"):
            store.append(CAMPAIGN, 2, [said("y")], [mail("<1@pbem.example>")])
        assert store.head(CAMPAIGN).size == 2

    def test_reports_are_queued_once(self, store: LogSql) -> None:
        first = store.put_outbox([mail("<1@pbem.example>"), mail("<2@pbem.example>", not_before=50)])
        again = store.put_outbox([mail("<2@pbem.example>"), mail("<3@pbem.example>")])
        assert again[0] == first[1] and len({*first, *again}) == 3
        assert [row.message_id for row in store.due(49)] == ["<1@pbem.example>", "<3@pbem.example>"]
        assert len(store.due(50)) == 3
        assert len(store.due(50, limit=2)) == 2

    def test_a_mail_has_one_sender_at_a_time(self, store: LogSql) -> None:
        store.put_outbox([mail(f"<{i}@pbem.example>") for i in range(3)])
        first = store.claim_outbox(1000, lease=500, limit=2)
        second = store.claim_outbox(1000, lease=500)
        assert [row.message_id for row in first] == ["<0@pbem.example>", "<1@pbem.example>"]
        assert [row.message_id for row in second] == ["<2@pbem.example>"]
        assert first[0].attempts == 1
        assert store.claim_outbox(1499) == [] and store.due(1499) == []
        assert store.mark_sent(first[0].id, first[0].claim, 1400)
        assert not store.mark_sent(first[0].id, first[0].claim, 1400)
        stolen = store.claim_outbox(1500)
        assert [row.id for row in stolen] == [first[1].id, second[0].id]
        assert stolen[0].attempts == 2
        assert not store.mark_sent(first[1].id, first[1].claim, 1501)
        assert store.mark_sent(first[1].id, stolen[0].claim, 1501)
        assert [row.state for row in store.outbox(state="sent")] == ["sent", "sent"]
        sent = store.outbox_row(first[1].id)
        assert sent is not None and sent.sent_at == 1501

    def test_a_failed_mail_is_tried_again_and_at_last_given_up(self, store: LogSql) -> None:
        (row_id,) = store.put_outbox([mail("<1@pbem.example>")])
        (row,) = store.claim_outbox(0)
        assert store.mark_failed(row_id, row.claim, 10, "greylisted", retry_at=100)
        assert store.due(99) == []
        (row,) = store.claim_outbox(100)
        assert (row.error, row.attempts) == ("greylisted", 2)
        assert store.mark_failed(row_id, row.claim, 110, "no such user", retry_at=None)
        assert not store.mark_failed(row_id, row.claim, 110, "again", retry_at=None)
        assert store.claim_outbox(10**15) == []
        failed = store.outbox_row(row_id)
        assert failed is not None and (failed.state, failed.error) == ("failed", "no such user")

    def test_a_sent_mail_may_bounce(self, store: LogSql) -> None:
        (row_id,) = store.put_outbox([mail("<1@pbem.example>")])
        assert not store.mark_bounced(row_id, "5.1.1")
        (row,) = store.claim_outbox(0)
        store.mark_sent(row_id, row.claim, 10)
        assert store.mark_bounced(row_id, "5.1.1") and not store.mark_bounced(row_id, "5.1.1")
        failed = store.outbox_by_message_id("<1@pbem.example>")
        assert failed is not None and (failed.id, failed.state, failed.error) == (row_id, "failed", "5.1.1")
        assert store.outbox_by_message_id("<2@pbem.example>") is None

    def test_threads_never_send_twice(self, store: LogSql) -> None:
        store.put_outbox([mail(f"<{i}@pbem.example>") for i in range(40)])
        sent: list[int] = []

        def send() -> None:
            while rows := store.claim_outbox(0, limit=3):
                for row in rows:
                    assert store.mark_sent(row.id, row.claim, 1)
                    sent.append(row.id)

        threads = [threading.Thread(target=send) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(sent) == len(set(sent)) == 40

    # Players and keys

    def test_players(self, store: LogSql) -> None:
        anna = Player(id="anna", campaign="a", name="Anna", address="Anna@Example.org", token="t1", settings={"x": [1]})
        ben = Player(id="ben", campaign="a", address="ben@example.org", token="t2", language="zh-Hant")
        other = Player(id="anna", campaign="b", address="anna@example.org")
        nobody = Player(id="nobody", campaign="b")
        for player in (ben, anna, other, nobody):
            store.put_player(player)
        assert store.players("a") == [anna, ben]
        assert not any(secret in repr(anna) for secret in ("Anna", "Example", "t1"))
        assert store.player("a", "ben") == ben and store.player("a", "carl") is None
        assert store.player_by_token("t1") == anna
        assert store.player_by_token("") is None and store.player_by_token("t3") is None
        assert store.players_by_address("ANNA@example.ORG") == [anna, other]
        with pytest.raises(AlreadyExists):
            store.put_player(Player(id="carl", campaign="a", token="t1"))
        moved = Player(id="anna", campaign="a", address="new@example.org", token="t9", time_zone="Asia/Taipei")
        store.put_player(moved)
        assert store.player("a", "anna") == moved and store.player_by_token("t1") is None
        store.delete_player("a", "anna")
        assert store.players("a") == [ben]

    def test_keys_are_kept_and_never_replaced(self, store: LogSql) -> None:
        store.put_key("a", "dice/0", b"\x00\xff")
        store.put_key("a", "dice/0", b"\x00\xff")
        assert store.key("a", "dice/0") == b"\x00\xff"
        with pytest.raises(AlreadyExists) as caught:
            store.put_key("a", "dice/0", b"other")
        assert "other" not in str(caught.value)
        for campaign, name in (("a", "dice/1"), ("b", "dice/0")):
            with pytest.raises(KeyError):
                store.key(campaign, name)

    # Locks and life

    def test_one_worker_holds_a_campaign(self, store: LogSql) -> None:
        order: list[str] = []

        def other() -> None:
            with pytest.raises(LockBusy), store.campaign_lock("a", wait=0.1):
                pass
            with store.campaign_lock("b", wait=0.1):
                order.append("b")
            waiting.set()
            with store.campaign_lock("a", wait=30):
                order.append("second")

        waiting = threading.Event()
        with store.campaign_lock("a", wait=None):
            thread = threading.Thread(target=other)
            thread.start()
            assert waiting.wait(30)
            order.append("first")
        thread.join()
        assert order == ["b", "first", "second"]

    def test_the_lock_ends_when_its_block_raises(self, store: LogSql) -> None:
        with pytest.raises(ZeroDivisionError), store.campaign_lock("a"):
            raise ZeroDivisionError
        with store.campaign_lock("a", wait=0.05):
            pass

    def test_a_locked_campaign_can_be_written(self, store: LogSql) -> None:
        create(store)
        with store.campaign_lock(CAMPAIGN):
            store.append(CAMPAIGN, 1, [said("x")])
        assert store.head(CAMPAIGN).size == 2

    def test_tables_are_made_once(self, url: str, store: LogSql, reopen: Callable[[], LogSql]) -> None:
        create(store)
        assert reopen().campaigns() == [CAMPAIGN]
        self.raw(url, "UPDATE schema_version SET version = 99")
        with pytest.raises(StoreError, match="schema version 99"):
            reopen()

    def test_many_may_start_at_once(self, url: str) -> None:
        failures: list[BaseException] = []
        start = threading.Barrier(6)

        def open_at_once() -> None:
            try:
                start.wait()
                store = open_store(url)
                store.campaigns()
                store.close()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=open_at_once) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []

    def test_a_campaign_moves_here_from_another_database(self, store: LogSql, tmp_path: Path) -> None:
        old = SqliteStore(str(tmp_path / "old.db"))
        sample(old)
        note = Signer(old).sign(CAMPAIGN, START)
        head = import_(store, export(old, CAMPAIGN), keys={"salt": SALT_KEY, "signing": SIGNING_KEY})
        assert head == old.head(CAMPAIGN)
        assert list(store.read(CAMPAIGN, verify=True)) == list(old.read(CAMPAIGN))
        assert Signer(store).sign(CAMPAIGN, START + 1) == note
        for one in (old, store):
            one.append(CAMPAIGN, 8, [said("on", ["japan"])])
            Signer(one).sign(CAMPAIGN, START + 2)
        assert list(export(store, CAMPAIGN)) == list(export(old, CAMPAIGN))
        old.close()

    def test_a_store_goes_on_after_close(self, store: LogSql) -> None:
        create(store)
        store.close()
        assert store.head(CAMPAIGN).size == 1
