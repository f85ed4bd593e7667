"""Bundles and proofs: that sound ones pass, that every kind of tampering is found, and that a copy is the same log."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.log import check_log
from pbem.log.canonical import canonical
from pbem.log.checkpoint import Checkpoint, Signer, restored_event, sign
from pbem.log.event import EVERYTHING, NewEvent, Viewer
from pbem.log.export import BadBundle, export, import_, prove, read_lines, verify, write
from pbem.log.merkle import EMPTY_ROOT
from pbem.log.sqlite import SqliteStore
from pbem.log.store import AlreadyExists, StoreError
from tests.log.kit import CAMPAIGN, LOG_KEY, ORIGIN, SALT_KEY, SIGNING_KEY, START, created, said, sample

KEYS = {"salt": SALT_KEY, "signing": SIGNING_KEY, "dice/0": b"seed"}


@pytest.fixture
def new_store(tmp_path: Path) -> Iterator[Callable[[], SqliteStore]]:
    stores: list[SqliteStore] = []

    def make() -> SqliteStore:
        stores.append(SqliteStore(str(tmp_path / f"{len(stores)}.db")))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def store(new_store: Callable[[], SqliteStore]) -> SqliteStore:
    """The sample campaign with three checkpoints and one erased payload."""
    store = new_store()
    sample(store)
    signer = Signer(store)
    signer.sign(CAMPAIGN, START)
    leave = NewEvent(type="payload_erased", payload={"of": 1}, at=START, actor="moderator")
    store.append(CAMPAIGN, 8, [leave, said("private matter", ["usa"])])
    store.erase_payload(CAMPAIGN, 1, by=8)
    signer.sign(CAMPAIGN, START + 5)
    store.append(CAMPAIGN, 10, [said("end")])
    signer.sign(CAMPAIGN, START + 6)
    store.append(CAMPAIGN, 11, [said("unsigned")])
    return store


# Bundles


@pytest.mark.parametrize(
    ("viewer", "readable", "sealed"),
    [
        (EVERYTHING, 11, 0),
        (frozenset({"japan"}), 10, 1),
        (frozenset({"japan", "usa"}), 11, 0),
        (frozenset({"china"}), 9, 2),
        (frozenset(), 9, 2),
    ],
)
def test_every_bundle_is_sound(store: SqliteStore, viewer: Viewer, readable: int, sealed: int) -> None:
    report = verify(export(store, CAMPAIGN, viewer))
    assert report.fault is None
    assert (report.size, report.root) == (12, store.head(CAMPAIGN).root.hex())
    assert (report.readable, report.sealed, report.erased) == (readable, sealed, 1)
    assert report.checkpoints == 3 and report.log_key == LOG_KEY


def test_a_bundle_holds_nothing_its_viewer_may_not_see(store: SqliteStore) -> None:
    (matter,) = store.read(CAMPAIGN, 9, 10)
    for viewer, seen in ((frozenset({"usa"}), True), (frozenset({"china"}), False), (frozenset[str](), False)):
        text = b"".join(export(store, CAMPAIGN, viewer))
        assert (b"private matter" in text) is seen
        assert (matter.salt.hex().encode() in text) is seen


def test_keys_are_never_exported(store: SqliteStore) -> None:
    text = b"".join(export(store, CAMPAIGN))
    for key in (SALT_KEY, SIGNING_KEY):
        assert key not in text and key.hex().encode() not in text


def test_every_line_is_canonical(store: SqliteStore) -> None:
    for line in export(store, CAMPAIGN, frozenset({"japan"})):
        assert canonical(json.loads(line)) + b"\n" == line


@pytest.mark.parametrize("name", ["bundle.jsonl", "bundle.jsonl.gz"])
def test_files(store: SqliteStore, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write(store, CAMPAIGN, path, frozenset({"china"}))
    first = path.read_bytes()
    write(store, CAMPAIGN, path, frozenset({"china"}))
    assert path.read_bytes() == first
    assert [line + b"\n" for line in read_lines(path)] == list(export(store, CAMPAIGN, frozenset({"china"})))
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".new"] == []


Lines = list[dict[str, Any]]


def _swap(lines: Lines) -> None:
    lines[6], lines[8] = lines[8], lines[6]


def _commit_anew(lines: Lines) -> None:
    """Payload and header changed together: only the tree can tell."""
    salt = bytes.fromhex(lines[12]["salt"])
    lines[12]["payload"] = {"text": "forged"}
    lines[12]["header"]["commitment"] = check_log._commitment(salt.hex(), lines[12]["payload"])


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (lambda lines: lines[0].update(format="other"), "line 1: not a pbem/bundle/v1 file"),
        (lambda lines: lines[0].update(size=11), "the end: the file holds 12 events, not 11"),
        (lambda lines: lines[0].update(root="00" * 32), "the end: the events hash to"),
        (lambda lines: lines[0].update(viewer="all"), "line 1: 'viewer'"),
        (lambda lines: lines[0].update(campaign="x"), "line 2, event 0: the header names the campaign 'p40-17'"),
        (lambda lines: lines.pop(7), "line 8, event 6: seq is 7, not 6"),
        (lambda lines: lines.pop(12), "the end: the file holds 11 events, not 12"),
        (_swap, "line 7, event 5: seq is 7, not 5"),
        (lambda lines: lines[8]["payload"].update(text="forged"), "line 9, event 7: payload and salt do not match"),
        (lambda lines: lines[8].update(salt="00" * 16), "line 9, event 7: payload and salt do not match"),
        (lambda lines: lines[8].update(salt="0"), "line 9, event 7: the salt is not 16 bytes"),
        (lambda lines: lines[8].pop("salt"), "line 9, event 7: payload and salt go together"),
        (lambda lines: (lines[8].pop("salt"), lines[8].pop("payload")), "event 7: the payload of a public event"),
        (lambda lines: (lines[3].pop("salt"), lines[3].pop("payload")), "event 2: the payload is missing"),
        (lambda lines: lines[8]["header"].update(actor="other"), "the end: the events hash to"),
        (lambda lines: lines[8]["header"].update(rules=["p40.1", "p40.7.2"]), "the end: the events hash to"),
        (lambda lines: lines[8]["header"].update(cause=[6, 1]), "line 9, event 7: 'cause' is not sorted"),
        (lambda lines: lines[8]["header"].update(cause=[7]), "line 9, event 7: 'cause' names no earlier event"),
        (lambda lines: lines[8]["header"].update(at=-1), "line 9, event 7: 'at' is not"),
        (lambda lines: lines[8]["header"].update(extra=1), "line 9, event 7: the header has the members"),
        (lambda lines: lines[3]["header"].update(type="press_said"), "line 4, event 2: the header has the members"),
        (lambda lines: lines[8]["header"].update(seq=True), "line 9, event 7: seq is True, not 7"),
        (lambda lines: lines[8]["header"].update(commitment="x"), "line 9, event 7: 'commitment' is not a hash"),
        (_commit_anew, "the end: the events hash to"),
        (lambda lines: lines[3]["payload"].update(readers=["usa"]), "line 4, event 2: payload and salt do not match"),
        (lambda lines: lines[2].update(erased=9), "the end: event 1 was erased without leave"),
        (lambda lines: lines[2].update(erased=1), "line 3, event 1: 'erased' names no later event"),
        (lambda lines: lines[2].pop("erased"), "line 3, event 1: the payload of a public event is missing"),
        (
            lambda lines: lines[2].update(erased=8, payload={}, salt="00"),
            "line 3, event 1: payload and salt go together",
        ),
        (lambda lines: lines.insert(7, lines[13]), "line 9: neither an event nor a checkpoint in its place"),
        (lambda lines: lines[13].update(consistency=["00" * 32]), "line 14: the first checkpoint needs no proof"),
        (lambda lines: lines[14].update(consistency=[]), "line 15: the consistency proof is too short"),
        (lambda lines: lines[15].update(consistency=["00" * 32] * 3), "line 16: the "),
        (
            lambda lines: lines[14]["consistency"].__setitem__(0, "00" * 32),
            "line 15: the proof does not lead from 8 to 10 events",
        ),
        (lambda lines: lines[15].update(consistency="x"), "line 16: the proof is malformed"),
        (lambda lines: lines.pop(14), "line 15: the consistency proof is too long"),
        (lambda lines: lines[14].update(checkpoint=lines[13]["checkpoint"]), "line 15: checkpoints are not in order"),
        (
            lambda lines: lines[14].update(checkpoint=sign(Checkpoint(ORIGIN, 10, EMPTY_ROOT), SIGNING_KEY)),
            "line 15: the first 10 events hash to",
        ),
        (
            lambda lines: lines[14].update(checkpoint=sign(Checkpoint(ORIGIN, 99, EMPTY_ROOT), SIGNING_KEY)),
            "line 15: it is about 99 events, there are 12",
        ),
        (
            lambda lines: lines[14].update(checkpoint=lines[14]["checkpoint"].replace("\n10\n", "\n11\n")),
            "line 15: the checkpoint's signature is wrong",
        ),
        (
            lambda lines: lines[14].update(checkpoint=sign(Checkpoint(ORIGIN, 10, EMPTY_ROOT), bytes(32))),
            "line 15: the checkpoint is not signed with the key",
        ),
        (lambda lines: lines.clear(), "the end: there is nothing in it"),
        (lambda lines: lines.insert(3, {"header": None}), "line 4, event 2: there is no header"),
        (lambda lines: lines.insert(3, {}), "line 4: neither an event nor a checkpoint"),
    ],
)
def test_the_first_fault_is_named(store: SqliteStore, tamper: Callable[[Lines], object], fault: str) -> None:
    lines: Lines = [json.loads(line) for line in export(store, CAMPAIGN)]
    assert len(lines) == 16
    tamper(lines)
    report = verify([json.dumps(line).encode() for line in lines])
    assert report.fault is not None and fault in report.fault
    assert report.fault.startswith(("line ", "the end"))


@settings(max_examples=150)
@given(st.data())
def test_no_changed_byte_goes_unnoticed(data: st.DataObject) -> None:
    lines = _exported()
    number = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(0, len(lines[number]) - 2))
    byte = data.draw(st.integers(0x20, 0x7E))
    changed = lines[number][:at] + bytes([byte]) + lines[number][at + 1 :]
    report = verify([*lines[:number], changed, *lines[number + 1 :]])
    if report.fault is None:
        # It may still say the same (spelling, blanks), or be about `at`, which only says when we signed.
        before, after = check_log.parse(lines[number]), check_log.parse(changed)
        before.pop("at", None), after.pop("at", None), before.pop("viewer", None), after.pop("viewer", None)
        assert before == after


_CACHE: list[bytes] = []


def _exported() -> list[bytes]:
    if not _CACHE:
        import tempfile

        with tempfile.TemporaryDirectory() as directory:
            store = SqliteStore(f"{directory}/pbem.db")
            sample(store)
            Signer(store).sign(CAMPAIGN, START)
            _CACHE.extend(export(store, CAMPAIGN, frozenset({"china"})))
            store.close()
    return _CACHE


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"{", "not JSON"),
        (b'{"header":1.5}', "1.5 is not an integer"),
        (b'{"header":NaN}', "NaN is not an integer"),
        (b'{"header":1,"header":2}', "a key stands twice"),
        (b"\xff\xfe", "not JSON"),
        (b"[]", "not an object"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_lines_that_are_not_json(store: SqliteStore, text: bytes, fault: str) -> None:
    lines = list(export(store, CAMPAIGN))
    report = verify([*lines[:3], text, *lines[3:]])
    assert report.fault is not None and report.fault.startswith("line 4") and fault in report.fault


# Checkpoints from outside


def test_a_checkpoint_from_a_mail(store: SqliteStore) -> None:
    notes = [signed.note for signed in store.checkpoints(CAMPAIGN)]
    lines = list(export(store, CAMPAIGN, frozenset({"china"})))
    assert verify(lines, notes).checkpoints == 6
    forked = sign(Checkpoint(ORIGIN, 8, EMPTY_ROOT), SIGNING_KEY)
    report = verify(lines, [notes[0], forked])
    assert report.fault is not None
    assert "checkpoint 2 from outside: the first 8 events hash to" in report.fault
    report = verify(lines[:-3], [sign(Checkpoint(ORIGIN, 13, EMPTY_ROOT), SIGNING_KEY)])
    assert report.fault is not None and "it is about 13 events, there are 12" in report.fault


def test_a_loss_that_was_admitted_is_a_remark(store: SqliteStore) -> None:
    lost = Checkpoint(ORIGIN, 15, EMPTY_ROOT)
    store.append(CAMPAIGN, 12, [restored_event(lost, 12, at=START)])
    report = verify(export(store, CAMPAIGN), [sign(lost, SIGNING_KEY)])
    assert report.fault is None
    assert any("lost the events from 12 to 14" in remark for remark in report.remarks)
    assert any("an event admits it" in remark for remark in report.remarks)


def test_checkpoints_are_found_in_mails(store: SqliteStore) -> None:
    first, second, _ = (signed.note for signed in store.checkpoints(CAMPAIGN))
    quoted = "".join(f"> {line}\n" for line in second.splitlines())
    mail = f"Dear Anna,\n\nin force now: 3 inf.\n\n{first}\nYours\n\n{quoted}-- \nreferee\n"
    assert check_log.find_notes(mail) == [first, second]
    assert check_log.find_notes(mail.replace("\n", "\r\n")) == [first, second]
    assert check_log.find_notes("nothing\n17\nhere\n\nat all\n") == []


# The stand-alone command


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    script = Path(check_log.__file__)
    # -I -S: neither this project nor any installed package can be imported, so the slow signature check is used.
    return subprocess.run(
        [sys.executable, "-I", "-S", script, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_the_script_needs_nothing_but_itself(store: SqliteStore, tmp_path: Path) -> None:
    bundle, note, other = tmp_path / "b.jsonl.gz", tmp_path / "mail.txt", tmp_path / "fork.txt"
    write(store, CAMPAIGN, bundle, frozenset({"japan"}))
    note.write_text(f"Hello\n\n{store.checkpoints(CAMPAIGN)[1].note}\nBye\n", encoding="utf-8")
    other.write_text(sign(Checkpoint(ORIGIN, 8, EMPTY_ROOT), SIGNING_KEY), encoding="utf-8")
    good = run(bundle, "--checkpoint", note, "--key", LOG_KEY)
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.endswith("SOUND\n") and "12: 10 readable, 1 sealed, 1 erased" in good.stdout
    assert "4 signatures good" in good.stdout
    bad = run(bundle, "--checkpoint", other)
    assert bad.returncode == 1 and "NOT SOUND: checkpoint 1 from outside" in bad.stdout
    assert run(bundle, "--key", LOG_KEY[:-1] + "A").returncode == 1
    missing = run(tmp_path / "missing")
    assert missing.returncode == 2 and "cannot read" in missing.stderr
    empty = tmp_path / "empty.txt"
    empty.write_text("no checkpoint here")
    assert run(bundle, "--checkpoint", empty).returncode == 2


def test_the_script_checks_the_proof_of_one_event(store: SqliteStore, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(prove(store, CAMPAIGN, 7))
    good = run(path, "--key", LOG_KEY)
    assert good.returncode == 0 and good.stdout.endswith("SOUND\n")
    path.write_bytes(prove(store, CAMPAIGN, 7).replace(b"again", b"never"))
    assert run(path).returncode == 1


# RFC 8032 section 7.1, tests 1 to 3
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("public", "message", "signature"), VECTORS)
def test_signatures_of_rfc_8032(public: str, message: str, signature: str) -> None:
    parts = bytes.fromhex(public), bytes.fromhex(signature), bytes.fromhex(message)
    assert check_log.ed25519_verify(*parts)
    for part in (0, 1):
        spoiled = list(parts)
        spoiled[part] = spoiled[part][:-1] + bytes([spoiled[part][-1] ^ 1])
        assert not check_log.ed25519_verify(*spoiled)
    assert not check_log.ed25519_verify(parts[0], parts[1], parts[2] + b"!")
    assert not check_log.ed25519_verify(parts[0], parts[1] + b"!", parts[2])


@settings(max_examples=10)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=100), st.integers(0, 63))
def test_the_slow_signature_check_agrees_with_the_library(seed: bytes, message: bytes, at: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = key.public_key().public_bytes_raw(), key.sign(message)
    assert check_log.ed25519_verify(public, signature, message)
    spoiled = signature[:at] + bytes([signature[at] ^ 0x10]) + signature[at + 1 :]
    assert not check_log.ed25519_verify(public, spoiled, message)


# Proofs of one event


def test_every_signed_event_can_be_proved(store: SqliteStore) -> None:
    for seq in range(11):
        value = json.loads(prove(store, CAMPAIGN, seq))
        assert check_log.check_proof(value, LOG_KEY).fault is None
    with pytest.raises(StoreError, match="no checkpoint has been signed that covers event 11"):
        prove(store, CAMPAIGN, 11)
    assert "payload" not in json.loads(prove(store, CAMPAIGN, 9, frozenset({"china"})))
    assert "payload" not in json.loads(prove(store, CAMPAIGN, 1))
    assert json.loads(prove(store, CAMPAIGN, 9, frozenset({"usa"})))["payload"]["payload"] == {"text": "private matter"}


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (lambda proof: proof["payload"].update(text="never"), "do not match the commitment"),
        (lambda proof: proof["header"].update(actor="other"), "is not in the tree"),
        (lambda proof: proof["header"].update(seq=6, cause=[]), "is not in the tree"),
        (lambda proof: proof["header"].update(seq=60), "no event 60 among 11"),
        (lambda proof: proof["inclusion"].pop(), "too short"),
        (lambda proof: proof["inclusion"].append("00" * 32), "too long"),
        (lambda proof: proof["inclusion"].reverse(), "is not in the tree"),
        (lambda proof: proof.update(log_key=LOG_KEY.replace("p40-17", "p40-18")), "not an Ed25519 verifier key"),
        (lambda proof: proof.update(format="x"), "not a pbem/proof/v1"),
        (lambda proof: proof.pop("inclusion"), "malformed"),
        (lambda proof: proof.pop("salt"), "malformed"),
    ],
)
def test_spoiled_proofs(store: SqliteStore, tamper: Callable[[dict[str, Any]], object], fault: str) -> None:
    value = json.loads(prove(store, CAMPAIGN, 7))
    tamper(value)
    report = check_log.check_proof(value)
    assert report.fault is not None and fault in report.fault


def test_a_proof_by_another_key(store: SqliteStore) -> None:
    report = check_log.check_proof(json.loads(prove(store, CAMPAIGN, 7)), LOG_KEY + "x")
    assert report.fault is not None and "the log's key is" in report.fault


# Moving a campaign


def test_a_copy_is_the_same_log_and_goes_on(store: SqliteStore, new_store: Callable[[], SqliteStore]) -> None:
    copy = new_store()
    assert import_(copy, export(store, CAMPAIGN), keys=KEYS, settings={"x": 1}) == store.head(CAMPAIGN)
    assert list(copy.read(CAMPAIGN, verify=True)) == list(store.read(CAMPAIGN))
    assert copy.checkpoints(CAMPAIGN) == store.checkpoints(CAMPAIGN)
    assert copy.erasures(CAMPAIGN) == {1: 8}
    assert copy.key(CAMPAIGN, "dice/0") == b"seed" and copy.settings(CAMPAIGN) == {"x": 1}
    assert list(export(copy, CAMPAIGN)) == list(export(store, CAMPAIGN))
    for one in (store, copy):
        one.append(CAMPAIGN, 12, [said("on", ["japan"])])
        Signer(one).sign(CAMPAIGN, START + 9)
    assert list(export(copy, CAMPAIGN)) == list(export(store, CAMPAIGN))


def test_without_keys_a_copy_can_only_be_read(store: SqliteStore, new_store: Callable[[], SqliteStore]) -> None:
    copy = new_store()
    import_(copy, export(store, CAMPAIGN))
    assert len(list(copy.read(CAMPAIGN, verify=True))) == 12
    with pytest.raises(StoreError, match="without its keys"):
        copy.append(CAMPAIGN, 12, [said("on")])


def test_what_is_not_imported(store: SqliteStore, new_store: Callable[[], SqliteStore]) -> None:
    lines = list(export(store, CAMPAIGN))
    copy = new_store()
    with pytest.raises(BadBundle, match="event 11: payload and salt do not match"):
        import_(copy, [line.replace(b'"unsigned"', b'"forged"') for line in lines])
    with pytest.raises(BadBundle, match="only what japan may see"):
        import_(copy, export(store, CAMPAIGN, frozenset({"japan"})))
    for keys, complaint in (
        ({"salt": SALT_KEY}, "'signing' is missing"),
        ({"signing": SIGNING_KEY}, "'salt' is missing"),
        ({"salt": bytes(32), "signing": SIGNING_KEY}, "the salt key is not the one that salted event 0"),
        ({"salt": SALT_KEY, "signing": bytes(32)}, "the signing key is not the one"),
    ):
        with pytest.raises(BadBundle, match=complaint):
            import_(copy, lines, keys=keys)
    assert copy.campaigns() == []
    with pytest.raises(AlreadyExists):
        import_(store, lines)


def test_an_event_0_without_a_proper_key_is_a_fault(new_store: Callable[[], SqliteStore]) -> None:
    store = new_store()
    payload = dict(created().payload) | {"origin": "elsewhere.example/c/p40-17"}
    event = NewEvent(type="campaign_created", payload=payload, at=START)
    with pytest.raises(Exception, match="log_key"):
        store.create_campaign(CAMPAIGN, salt_key=SALT_KEY, signing_key=SIGNING_KEY, events=[event])
