"""Campaigns as files: a bundle per viewer, the proof of a single event, and the way back into an empty database.

The formats are docs/log-format.md sections 7 and 8. Verification is `check_log`'s, which shares no code with the rest.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pbem.log import check_log
from pbem.log.canonical import canonical, parse
from pbem.log.checkpoint import parse_note, public_key, verifier_key
from pbem.log.codec import Stored, decode, entry, from_header
from pbem.log.commitment import salt
from pbem.log.event import EVERYTHING, Event, Viewer, may_read, opened_by
from pbem.log.merkle import Edge, Tree
from pbem.log.store import SALT_KEY, SIGNING_KEY, Head, SignedHead, Store, StoreError

BUNDLE: Final = "pbem/bundle/v1"
PROOF: Final = "pbem/proof/v1"


class BadBundle(StoreError):
    """A file that is not a sound and complete export."""


def export(store: Store, campaign: str, viewer: Viewer = EVERYTHING) -> Iterator[bytes]:
    """The lines of a bundle: every header, the payloads and salts this viewer may read, the checkpoints.

    With `EVERYTHING` it is a complete copy of the log (keys excepted: they are never exported).
    """
    size, root = store.head(campaign)
    start = {
        "format": BUNDLE,
        "campaign": campaign,
        "size": size,
        "root": root.hex(),
        "viewer": "everything" if viewer is EVERYTHING else sorted(viewer),
    }
    yield canonical(start) + b"\n"
    opened = opened_by(store.read(campaign, 0, size))
    erasures = store.erasures(campaign)
    entries = []
    for stored in store.stored(campaign, 0, size):
        entries.append(entry(campaign, stored))
        event = decode(campaign, stored)
        line: dict[str, Any] = {"header": event.header()}
        if event.seq in erasures:
            line["erased"] = erasures[event.seq]
        elif may_read(event, viewer, opened):
            line |= _contents(event)
        yield canonical(line) + b"\n"
    tree, old = Tree(entries), 0
    for signed in store.checkpoints(campaign):
        if signed.size <= size:
            proof = [node.hex() for node in tree.consistency(old, signed.size)]
            yield canonical({"checkpoint": signed.note, "at": signed.at, "consistency": proof}) + b"\n"
            old = signed.size


def _contents(event: Event) -> dict[str, Any]:
    return {"payload": dict(event.committed()), "salt": event.salt.hex()}


def write(store: Store, campaign: str, path: Path, viewer: Viewer = EVERYTHING) -> None:
    """Write a bundle to a file, whole or not at all; packed if its name ends in `.gz`."""
    fresh = path.with_name(path.name + ".new")
    with open(fresh, "wb") as raw:
        if path.suffix == ".gz":
            # No time and no name inside: the same log gives the same file.
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                packed.writelines(export(store, campaign, viewer))
        else:
            raw.writelines(export(store, campaign, viewer))
        raw.flush()
        os.fsync(raw.fileno())
    os.replace(fresh, path)


def prove(store: Store, campaign: str, seq: int, viewer: Viewer = EVERYTHING) -> bytes:
    """The proof that one event is in the log that the last checkpoint signs, as one JSON line.

    Raises StoreError if no checkpoint covers the event yet.
    """
    signed = store.last_signed(campaign)
    if signed is None or signed.size <= seq:
        raise StoreError(f"{campaign}: no checkpoint has been signed that covers event {seq}")
    event = next(store.read(campaign, seq, seq + 1))
    value: dict[str, Any] = {
        "format": PROOF,
        "header": event.header(),
        "checkpoint": signed.note,
        "inclusion": [node.hex() for node in store.inclusion_proof(campaign, seq, signed.size)],
        "log_key": next(store.read(campaign, 0, 1)).payload["log_key"],
    }
    if event.readable and may_read(event, viewer, opened_by(store.read(campaign))):
        value |= _contents(event)
    return canonical(value) + b"\n"


def read_lines(path: Path) -> list[bytes]:
    """The lines of a bundle, packed or not."""
    return check_log.read(str(path)).splitlines()


def verify(lines: Iterable[bytes], checkpoints: Iterable[str] = ()) -> check_log.Report:
    """Check a bundle from its lines alone, and that it leads to checkpoints that came another way."""
    return check_log.check_lines(lines, checkpoints)


def import_(
    store: Store,
    lines: Iterable[bytes],
    *,
    keys: Mapping[str, bytes] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Head:
    """Take over a complete bundle, after checking all of it.

    With its `keys` (at least `salt` and `signing`, carried over separately) the campaign can go on; without them
    it can only be read. Raises BadBundle, or AlreadyExists if the campaign is there.
    """
    bundle = list(lines)
    report = verify(bundle)
    if report.fault is not None:
        raise BadBundle(f"the bundle is not sound: {report.fault}")
    if report.viewer != "everything":
        raise BadBundle(f"the bundle holds only what {report.viewer} may see: import a complete one")
    rows, erasures, notes = _read(bundle)
    if keys is not None:
        _check_keys(report.log_key, rows, keys)
    checkpoints = _signed_heads(report.campaign, rows, notes)
    return store.import_campaign(
        report.campaign, rows, erasures=erasures, checkpoints=checkpoints, keys=keys, settings=settings
    )


def _read(bundle: list[bytes]) -> tuple[list[Stored], dict[int, int], list[tuple[str, int]]]:
    rows: list[Stored] = []
    erasures: dict[int, int] = {}
    notes: list[tuple[str, int]] = []
    for text in bundle[1:]:
        line = parse(text)
        if "checkpoint" in line:
            notes.append((line["checkpoint"], line["at"]))
            continue
        salt_bytes = bytes.fromhex(line["salt"]) if "salt" in line else None
        rows.append(from_header(line["header"], salt_bytes, line.get("payload")))
        if "erased" in line:
            erasures[rows[-1].seq] = line["erased"]
    return rows, erasures, notes


def _check_keys(log_key: str, rows: Iterable[Stored], keys: Mapping[str, bytes]) -> None:
    for name in (SALT_KEY, SIGNING_KEY):
        if name not in keys:
            raise BadBundle(f"the key {name!r} is missing: give all keys of the campaign or none")
    if verifier_key(log_key.partition("+")[0], public_key(keys[SIGNING_KEY])) != log_key:
        raise BadBundle("the signing key is not the one that event 0 names")
    for row in rows:
        if row.salt is not None and row.salt != salt(keys[SALT_KEY], row.seq):
            raise BadBundle(f"the salt key is not the one that salted event {row.seq}")


def _signed_heads(campaign: str, rows: list[Stored], notes: Iterable[tuple[str, int]]) -> list[SignedHead]:
    signed = []
    edge = Edge()
    for note, at in notes:  # in order of size, as the check has made sure
        size = parse_note(note).size
        edge = edge.extend(entry(campaign, row) for row in rows[edge.size : size])
        signed.append(SignedHead(edge, note, at))
    return signed
