"""Signed checkpoints, and the signer that would rather be silent than fork history."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.log.checkpoint import (
    BadNote,
    Checkpoint,
    HistoryLost,
    Signer,
    key_id,
    new_signing_key,
    origin_of,
    parse_note,
    parse_verifier_key,
    public_key,
    restored_event,
    sign,
    verify_note,
)
from pbem.log.merkle import EMPTY_ROOT, Edge
from pbem.log.sqlite import SqliteStore
from pbem.log.store import Damaged, SignedHead
from pbem.log.witness import FileWitness
from tests.log.kit import CAMPAIGN, LOG_KEY, ORIGIN, SIGNING_KEY, START, create, said


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(str(tmp_path / "pbem.db"))
    yield store
    store.close()


@pytest.fixture
def witness(tmp_path: Path) -> FileWitness:
    return FileWitness(tmp_path / "witness")


# Notes


def test_the_text_of_a_checkpoint() -> None:
    note = sign(Checkpoint(ORIGIN, 17, EMPTY_ROOT), SIGNING_KEY)
    body, _, signature = note.partition("\n\n")
    assert body == "pbem.example/c/p40-17\n17\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    assert signature.startswith("— pbem.example/c/p40-17 ") and signature.endswith("\n")
    assert note == sign(Checkpoint(ORIGIN, 17, EMPTY_ROOT), SIGNING_KEY)
    assert verify_note(note, LOG_KEY) == parse_note(note) == Checkpoint(ORIGIN, 17, EMPTY_ROOT)


def test_a_verifier_key_is_read_back() -> None:
    assert parse_verifier_key(LOG_KEY) == (ORIGIN, public_key(SIGNING_KEY))


def test_signatures_by_others_are_ignored() -> None:
    ours = sign(Checkpoint(ORIGIN, 1, EMPTY_ROOT), SIGNING_KEY)
    theirs = sign(Checkpoint(ORIGIN, 1, EMPTY_ROOT), bytes(32))
    both = ours.partition("\n\n")[0] + "\n\n" + theirs.partition("\n\n")[2] + ours.partition("\n\n")[2]
    assert verify_note(both, LOG_KEY).size == 1
    with pytest.raises(BadNote, match="is not signed by"):
        verify_note(theirs, LOG_KEY)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("\n17\n", "\n18\n", "the signature of .* is wrong"),
        ("\n17\n", "\n017\n", "not a checkpoint"),
        ("\n17\n", "\n-1\n", "not a checkpoint"),
        ("47DE", "57DE", "is wrong"),
        ("47DE", "=7DE", "not base64"),
        ("47DEQpj8", "", "not 32 bytes"),
        ("pbem.example/c/p40-17\n17", "pbem.example/c/p40-18\n17", "is about"),
        ("— ", "- ", "not a signature line"),
        ("\n\n", "\n", "not a signed note"),
        ("\n17\n", "\n17\r\n", "control characters"),
        ("\n17\n", "\n17\nextra\n", "not base64|not 32"),
    ],
)
def test_spoiled_notes(old: str, new: str, complaint: str) -> None:
    note = sign(Checkpoint(ORIGIN, 17, EMPTY_ROOT), SIGNING_KEY)
    assert old in note
    with pytest.raises(BadNote, match=complaint):
        verify_note(note.replace(old, new, 1), LOG_KEY)


def test_a_note_cut_off_is_refused() -> None:
    note = sign(Checkpoint(ORIGIN, 17, EMPTY_ROOT), SIGNING_KEY)
    for length in range(len(note)):
        with pytest.raises(BadNote):
            verify_note(note[:length], LOG_KEY)


def test_names_of_keys() -> None:
    assert origin_of("pbem.example", "p40-17") == "pbem.example/c/p40-17"
    for host in ("a b", "a+b", "a\nb", "a\u2003b"):
        with pytest.raises(BadNote, match="cannot name a key"):
            origin_of(host, "x")
    for bad in ("", "a+b", "a+00000000+AAAA", LOG_KEY[:-4], LOG_KEY.replace("p40-17", "p40-18")):
        with pytest.raises(BadNote):
            parse_verifier_key(bad)


def test_keys_are_drawn() -> None:
    one, two = new_signing_key(), new_signing_key()
    assert len(one) == len(two) == 32 and one != two
    assert key_id("a", public_key(one)) != key_id("b", public_key(one))


# Signing


def test_a_head_is_signed_once(store: SqliteStore, witness: FileWitness) -> None:
    create(store)
    signer = Signer(store, [witness])
    note = signer.sign(CAMPAIGN, START)
    assert verify_note(note, LOG_KEY) == Checkpoint(ORIGIN, 1, store.head(CAMPAIGN).root)
    assert signer.sign(CAMPAIGN, START + 1) == note == witness.last(CAMPAIGN)
    assert [(signed.size, signed.at) for signed in store.checkpoints(CAMPAIGN)] == [(1, START)]


def test_each_head_extends_the_last(store: SqliteStore, witness: FileWitness) -> None:
    create(store)
    signer = Signer(store, [witness])
    sizes = []
    for count in (0, 1, 2, 3, 4, 5):
        size = store.head(CAMPAIGN).size
        store.append(CAMPAIGN, size, [said("x")] * count)
        sizes.append(verify_note(signer.sign(CAMPAIGN, START), LOG_KEY).size)
    assert sizes == [1, 2, 4, 7, 11, 16]
    assert [signed.size for signed in store.checkpoints(CAMPAIGN)] == sizes
    assert signer.lost(CAMPAIGN) is None


def test_a_changed_past_is_not_signed(store: SqliteStore) -> None:
    create(store, CAMPAIGN, said("one"), said("two"))
    signer = Signer(store)
    signer.sign(CAMPAIGN, START)
    # Somebody rewrites event 1 and makes edge and tree fit, as far as the campaign's row shows.
    connection = store._connections.get()
    connection.execute("DROP TRIGGER headers_no_update")
    connection.execute("UPDATE headers SET actor = 'other' WHERE seq = 1")
    forged = Edge().extend(store.entries(CAMPAIGN))
    connection.execute("UPDATE campaigns SET edge = ?", (forged.pack(),))
    store.append(CAMPAIGN, 3, [said("three")])
    list(store.read(CAMPAIGN, verify=True))
    with pytest.raises(Damaged, match="do not extend the last signed head of size 3"):
        signer.sign(CAMPAIGN, START)


def test_the_wrong_key_signs_nothing(store: SqliteStore) -> None:
    create(store)
    store._connections.get().execute("UPDATE keys SET value = ? WHERE name = 'signing'", (bytes(32),))
    with pytest.raises(Damaged, match="not the one that event 0 names"):
        Signer(store).sign(CAMPAIGN, START)


def test_a_smaller_database_than_its_own_checkpoints_is_damaged(store: SqliteStore) -> None:
    create(store, CAMPAIGN, said("one"))
    Signer(store).sign(CAMPAIGN, START)
    store._connections.get().execute(
        "UPDATE campaigns SET size = 1, edge = ?", (Edge().extend(store.entries(CAMPAIGN, 0, 1)).pack(),)
    )
    with pytest.raises(Damaged, match="a checkpoint of 2 events was signed, 1 are stored"):
        Signer(store).sign(CAMPAIGN, START)


# Restoring from backup


@pytest.fixture
def restored(tmp_path: Path, store: SqliteStore, witness: FileWitness) -> Iterator[SqliteStore]:
    """A database put back as it was three events ago; a checkpoint of the lost events had been mailed."""
    create(store, CAMPAIGN, said("kept"))
    Signer(store, [witness]).sign(CAMPAIGN, START)
    store.close()
    shutil.copy(tmp_path / "pbem.db", tmp_path / "backup.db")
    store.append(CAMPAIGN, 2, [said("lost"), said("lost too"), said("lost as well")])
    Signer(store, [witness]).sign(CAMPAIGN, START)
    store.close()
    backup = SqliteStore(str(tmp_path / "backup.db"))
    yield backup
    backup.close()


def test_after_a_restore_nothing_is_signed(restored: SqliteStore, witness: FileWitness) -> None:
    signer = Signer(restored, [witness])
    with pytest.raises(HistoryLost) as caught:
        signer.sign(CAMPAIGN, START)
    assert (caught.value.lost.size, caught.value.size) == (5, 2)
    lost = signer.lost(CAMPAIGN)
    assert lost == caught.value.lost
    # Nor when the database has grown past the lost checkpoint.
    restored.append(CAMPAIGN, 2, [said("other")] * 10)
    with pytest.raises(HistoryLost):
        signer.sign(CAMPAIGN, START)
    assert signer.lost(CAMPAIGN) == lost
    assert restored.last_signed(CAMPAIGN) is not None and len(restored.checkpoints(CAMPAIGN)) == 1


def test_a_restore_that_is_admitted_goes_on(restored: SqliteStore, witness: FileWitness) -> None:
    signer = Signer(restored, [witness])
    lost = signer.lost(CAMPAIGN)
    assert lost is not None
    (event,) = restored.append(CAMPAIGN, 2, [restored_event(lost, 2, at=START)])
    assert event.payload == {"lost_from": 2, "lost_size": 5, "lost_root": lost.root.hex()}
    assert signer.lost(CAMPAIGN) is None
    note = signer.sign(CAMPAIGN, START)
    assert verify_note(note, LOG_KEY).size == 3
    assert witness.last(CAMPAIGN) == note
    restored.append(CAMPAIGN, 3, [said("on")] * 5)
    assert verify_note(signer.sign(CAMPAIGN, START), LOG_KEY).size == 8


def test_an_admission_of_something_else_does_not_help(restored: SqliteStore, witness: FileWitness) -> None:
    restored.append(CAMPAIGN, 2, [restored_event(Checkpoint(ORIGIN, 5, EMPTY_ROOT), 2, at=START)])
    with pytest.raises(HistoryLost):
        Signer(restored, [witness]).sign(CAMPAIGN, START)


def test_a_forged_witness_is_noticed(store: SqliteStore, witness: FileWitness) -> None:
    create(store)
    witness.record(CAMPAIGN, sign(Checkpoint(ORIGIN, 9, EMPTY_ROOT), bytes(32)), None)
    with pytest.raises(BadNote, match="not signed by"):
        Signer(store, [witness]).sign(CAMPAIGN, START)


def test_a_witness_that_lags_behind_is_brought_up_to_date(store: SqliteStore, witness: FileWitness) -> None:
    create(store)
    Signer(store, [witness]).sign(CAMPAIGN, START)
    store.append(CAMPAIGN, 1, [said("x")])
    # The process died after the database knew the checkpoint and before the witness did.
    note = Signer(store).sign(CAMPAIGN, START)
    assert witness.last(CAMPAIGN) != note
    assert Signer(store, [witness]).sign(CAMPAIGN, START) == note == witness.last(CAMPAIGN)


def test_two_signers_at_once(store: SqliteStore, witness: FileWitness) -> None:
    create(store)

    class Slow(FileWitness):
        """While it is asked, another process appends and signs."""

        busy = False

        def last(self, campaign: str) -> str | None:
            found = super().last(campaign)
            if not self.busy:
                self.busy = True
                store.append(CAMPAIGN, store.head(CAMPAIGN).size, [said("meanwhile")])
                Signer(store, [witness]).sign(CAMPAIGN, START)
            return found

    note = Signer(store, [Slow(witness._directory)]).sign(CAMPAIGN, START)
    assert verify_note(note, LOG_KEY).size == 2
    assert witness.last(CAMPAIGN) == note


def test_the_witness_compares_before_it_writes(witness: FileWitness) -> None:
    assert witness.last(CAMPAIGN) is None
    assert witness.record(CAMPAIGN, "one", None)
    assert not witness.record(CAMPAIGN, "two", None)
    assert not witness.record(CAMPAIGN, "two", "zero")
    assert witness.record(CAMPAIGN, "two", "one")
    assert witness.last(CAMPAIGN) == "two" and witness.last("other") is None


def test_the_edge_kept_with_a_checkpoint_counts(store: SqliteStore) -> None:
    create(store)
    store.record_signed(CAMPAIGN, SignedHead(Edge().extend([b"something else"]), "note", START))
    store.append(CAMPAIGN, 1, [said("x")])
    with pytest.raises(Damaged, match="do not extend"):
        Signer(store).sign(CAMPAIGN, START)
