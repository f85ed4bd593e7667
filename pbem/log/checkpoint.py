"""Signed checkpoints (C2SP tlog-checkpoint in a C2SP signed-note, Ed25519), and the signer that never forks history.

A checkpoint that has left the house binds the service for ever, so `Signer` signs only heads that are stored, that
extend the last one signed, and that extend what its witnesses outside the database remember.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pbem.log.event import RESTORED, NewEvent
from pbem.log.merkle import Edge
from pbem.log.store import SIGNING_KEY, Damaged, SignedHead, Store, StoreError

_ED25519: Final = b"\x01"
_SIGNATURE_LINE: Final = re.compile(r"— (\S+) ([A-Za-z0-9+/]+={0,2})")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")


class BadNote(ValueError):
    """Text that is not a checkpoint, or not one signed by the key it should be."""


class HistoryLost(StoreError):
    """A checkpoint was signed for events the database does not hold: it was restored from an older copy.

    Signing goes on only after a `restored` event (see `restored_event`), which all players must be told of.
    """

    def __init__(self, campaign: str, lost: Checkpoint, size: int) -> None:
        super().__init__(
            f"{campaign}: a checkpoint of {lost.size} events was signed, but the {size} events stored do not lead "
            f"to it; if the database was restored from a backup, append a 'restored' event that names that checkpoint"
        )
        self.campaign = campaign
        self.lost = lost
        self.size = size


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a checkpoint says: this log had this root at this size."""

    origin: str
    size: int
    root: bytes

    def body(self) -> str:
        """The text that is signed, its last newline included."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def origin_of(host: str, campaign: str) -> str:
    """Origin and key name of a campaign's log: `HOST/c/CAMPAIGN`."""
    origin = f"{host}/c/{campaign}"
    _check_name(origin)
    return origin


def new_signing_key() -> bytes:
    """A fresh Ed25519 private key, 32 raw bytes."""
    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_key(signing_key: bytes) -> bytes:
    """The 32 raw bytes of the public key."""
    return Ed25519PrivateKey.from_private_bytes(signing_key).public_key().public_bytes_raw()


def key_id(name: str, public: bytes) -> bytes:
    """Four bytes that tell a note's keys apart: SHA-256(name || 0x0A || 0x01 || public key)[:4] (C2SP signed-note)."""
    return sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:4]


def verifier_key(name: str, public: bytes) -> str:
    """The public key as text, `NAME+KEYID+BASE64(0x01 || key)`; event 0 holds it as `log_key`."""
    _check_name(name)
    return f"{name}+{key_id(name, public).hex()}+{base64.b64encode(_ED25519 + public).decode()}"


def parse_verifier_key(text: str) -> tuple[str, bytes]:
    """Name and 32 raw bytes of the public key. Raises BadNote."""
    name, _, rest = text.partition("+")
    identifier, _, encoded = rest.partition("+")
    blob = _decode(encoded)
    if len(blob) != 33 or blob[:1] != _ED25519 or key_id(name, blob[1:]).hex() != identifier:
        raise BadNote(f"not an Ed25519 verifier key: {text!r}")
    return name, blob[1:]


def sign(checkpoint: Checkpoint, signing_key: bytes) -> str:
    """The signed note. The same checkpoint and key always give the same text."""
    _check_name(checkpoint.origin)
    private = Ed25519PrivateKey.from_private_bytes(signing_key)
    identifier = key_id(checkpoint.origin, private.public_key().public_bytes_raw())
    body = checkpoint.body()
    signature = base64.b64encode(identifier + private.sign(body.encode())).decode()
    return f"{body}\n— {checkpoint.origin} {signature}\n"


def parse_note(note: str) -> Checkpoint:
    """What the note says, signatures unchecked. Raises BadNote."""
    body, _ = _split(note)
    lines = body.split("\n")
    if len(lines) < 4 or not lines[0] or not _SIZE.fullmatch(lines[1]) or "" in lines[3:-1]:
        raise BadNote("not a checkpoint: it needs the lines origin, size and root")
    root = _decode(lines[2])
    if len(root) != 32:
        raise BadNote("not a checkpoint: the root is not 32 bytes of base64")
    return Checkpoint(lines[0], int(lines[1]), root)


def verify_note(note: str, verifier: str) -> Checkpoint:
    """What the note says, if it is signed by this verifier key and is about the log of that name. Raises BadNote.

    Signatures by other keys are ignored, as signed-note demands.
    """
    name, public = parse_verifier_key(verifier)
    checkpoint = parse_note(note)
    if checkpoint.origin != name:
        raise BadNote(f"the checkpoint is about {checkpoint.origin!r}, not {name!r}")
    body, signatures = _split(note)
    for signer, blob in signatures:
        if signer != name or blob[:4] != key_id(name, public):
            continue
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(blob[4:], body.encode())
        except InvalidSignature:
            raise BadNote(f"the signature of {name!r} is wrong") from None
        return checkpoint
    raise BadNote(f"the note is not signed by {name!r} with the key {key_id(name, public).hex()}")


def restored_event(lost: Checkpoint, stored: int, *, at: int) -> NewEvent:
    """The public event with which a campaign goes on after a restore from backup that lost events.

    `stored` is the number of events there are: the event's own seq, and the first seq that was lost.
    """
    payload = {"lost_from": stored, "lost_size": lost.size, "lost_root": lost.root.hex()}
    return NewEvent(type=RESTORED, payload=payload, at=at)


class Witness(Protocol):
    """Remembers the last checkpoint of each campaign somewhere the database's backups do not reach."""

    def last(self, campaign: str) -> str | None:
        """The note remembered."""

    def record(self, campaign: str, note: str, instead_of: str | None) -> bool:
        """Remember this one if `instead_of` is still the last; durable on return."""


class Signer:
    """Signs the heads of campaigns. Any number of processes may do so at once."""

    def __init__(self, store: Store, witnesses: Sequence[Witness] = ()) -> None:
        self._store = store
        self._witnesses = witnesses

    def sign(self, campaign: str, at: int) -> str:
        """A checkpoint of everything stored now. Raises HistoryLost or Damaged instead of forking history.

        The note is in the database and with every witness before this returns.
        """
        while True:
            edge = self._store.edge(campaign)
            last = self._store.last_signed(campaign)
            if last is not None and last.size > edge.size:
                if self._store.edge(campaign).size < last.size:
                    raise Damaged(f"{campaign}: a checkpoint of {last.size} events was signed, {edge.size} are stored")
                continue  # another process appended and signed between our two looks
            remembered = [witness.last(campaign) for witness in self._witnesses]
            missing = self._first_missing(campaign, edge, last, remembered)
            if missing is not None:
                if self._store.edge(campaign).size > edge.size:
                    continue  # the same
                raise HistoryLost(campaign, missing, edge.size)
            note = self._note(campaign, edge, last, at)
            pairs = zip(self._witnesses, remembered, strict=True)
            if all(old == note or witness.record(campaign, note, old) for witness, old in pairs):
                return note

    def lost(self, campaign: str) -> Checkpoint | None:
        """A checkpoint that was signed once, that what is stored does not lead to and no `restored` event names.

        To be asked at the start of the service; `restored_event` is the way on.
        """
        edge, last = self._store.edge(campaign), self._store.last_signed(campaign)
        return self._first_missing(campaign, edge, last, [witness.last(campaign) for witness in self._witnesses])

    def _note(self, campaign: str, edge: Edge, last: SignedHead | None, at: int) -> str:
        if last is not None and last.edge == edge:
            return last.note
        origin, log_key = self._identity(campaign)
        signing_key = self._store.key(campaign, SIGNING_KEY)
        if verifier_key(origin, public_key(signing_key)) != log_key:
            raise Damaged(f"{campaign}: the signing key is not the one that event 0 names")
        start = Edge() if last is None else last.edge
        if start.extend(self._store.entries(campaign, start.size, edge.size)) != edge:
            raise Damaged(f"{campaign}: the stored events do not extend the last signed head of size {start.size}")
        note = sign(Checkpoint(origin, edge.size, edge.root()), signing_key)
        self._store.record_signed(campaign, SignedHead(edge, note, at))
        return note

    def _first_missing(
        self, campaign: str, edge: Edge, last: SignedHead | None, remembered: Iterable[str | None]
    ) -> Checkpoint | None:
        """The first of the remembered checkpoints that the tree with this edge does not extend."""
        for note in remembered:
            if note is None or (last is not None and last.note == note):
                continue
            seen = verify_note(note, self._identity(campaign)[1])
            if not self._extends(campaign, edge, seen) and not self._admitted(campaign, edge, seen):
                return seen
        return None

    def _extends(self, campaign: str, edge: Edge, seen: Checkpoint) -> bool:
        if seen.size > edge.size:
            return False
        return Edge().extend(self._store.entries(campaign, 0, seen.size)).root() == seen.root

    def _admitted(self, campaign: str, edge: Edge, seen: Checkpoint) -> bool:
        """Whether a `restored` event says openly that this checkpoint's events were lost."""
        return any(
            event.payload["lost_size"] == seen.size and event.payload["lost_root"] == seen.root.hex()
            for event in self._store.read(campaign, 0, edge.size)
            if event.type == RESTORED and not event.erased
        )

    def _identity(self, campaign: str) -> tuple[str, str]:
        """Origin and verifier key that event 0 names."""
        first = next(iter(self._store.read(campaign, 0, 1)))
        return first.payload["origin"], first.payload["log_key"]


def _check_name(name: str) -> None:
    if not name or "+" in name or any(character.isspace() for character in name):
        raise BadNote(f"{name!r} cannot name a key: no blanks and no '+'")


def _split(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The signed text with its last newline, and the signatures (signed-note, section on the format)."""
    head, separator, tail = note.rpartition("\n\n")
    if not separator or not tail.endswith("\n"):
        raise BadNote("not a signed note: a blank line and signature lines must end it")
    if any(ord(character) < 0x20 and character != "\n" for character in note):
        raise BadNote("not a signed note: it holds control characters")
    return head + "\n", list(_signatures(tail[:-1].split("\n")))


def _signatures(lines: Iterable[str]) -> Iterable[tuple[str, bytes]]:
    for line in lines:
        match = _SIGNATURE_LINE.fullmatch(line)
        if match is None:
            raise BadNote(f"not a signature line: {line!r}")
        blob = _decode(match[2])
        if len(blob) < 5:
            raise BadNote(f"a signature is too short: {line!r}")
        yield match[1], blob


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadNote(f"not base64: {text!r}") from None
