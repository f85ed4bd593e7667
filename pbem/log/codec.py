"""From a proposed event to the columns that are stored, to the bytes that are hashed, and back.

Every rule about what a single event may look like is here, so that nothing malformed is ever hashed. What needs
another event (does a secret opened match its commitment?) is in `check_opening`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from json.encoder import encode_basestring  # RFC 8785 section 3.2.2.2 writes text the same way
from typing import Any, Final, NamedTuple

from pbem.log.canonical import LARGEST, CanonicalError, canonical, parse
from pbem.log.commitment import commitment, salt
from pbem.log.event import (
    CAMPAIGN_CREATED,
    ERASED,
    MODERATOR,
    PAYLOAD_ERASED,
    RESTORED,
    REWOUND,
    SEALED,
    SECRET_OPENED,
    Event,
    NewEvent,
    Withheld,
)

CAMPAIGN_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_TYPE: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_HEX_ROOT: Final = re.compile(r"[0-9a-f]{64}")
_ENVELOPE: Final = ("actor", "at", "cause", "payload", "readers", "rules", "type")

_loads = json.JSONDecoder().raw_decode  # trusted, canonical text: no white space to skip


class EventError(ValueError):
    """An event that must not be written; the service's fault."""


class Stored(NamedTuple):
    """The columns of one event. Lists are canonical JSON text, and so is `payload`: all that the commitment binds.

    A sealed event has type `sealed` and None from `at` to `rules`. `salt` and `payload` are None for a reader who
    may not have them and after an erasure. The campaign's id is kept once, elsewhere.
    """

    seq: int
    version: int
    type: str
    at: int | None
    actor: str | None
    cause: str | None
    rules: str | None
    commitment: str
    salt: bytes | None
    payload: str | None


def encode(new: NewEvent, campaign: str, seq: int, salt_key: bytes) -> Stored:
    """Give an event its number, salt and commitment. Raises EventError or CanonicalError."""
    where = f"{campaign}/{seq} {new.type}"
    cause = _sorted_unique(new.cause, where, "cause")
    rules = list(new.rules)
    readers = None if new.readers is None else _sorted_unique(new.readers, where, "readers")
    _check_fields(new, seq, where, cause, rules, readers)
    if type(new.payload) is not dict:
        raise EventError(f"{where}: the payload is {type(new.payload).__name__}, not a dict")
    _check_known_types(new, seq, where, readers is not None)
    bound: Mapping[str, Any] = new.payload
    if readers is not None:
        bound = {
            "type": new.type,
            "at": new.at,
            "actor": new.actor,
            "cause": cause,
            "rules": rules,
            "readers": readers,
            "payload": new.payload,
        }
    try:
        payload = canonical(bound)
    except CanonicalError as error:
        raise CanonicalError(f"{where}, payload {error.path}", error.reason) from None
    salt_bytes = salt(salt_key, seq)
    bind = commitment(salt_bytes, payload)
    if readers is not None:
        return Stored(seq, new.version, SEALED, None, None, None, None, bind, salt_bytes, payload.decode())
    return Stored(
        seq,
        new.version,
        new.type,
        new.at,
        new.actor,
        canonical(cause).decode(),
        canonical(rules).decode(),
        bind,
        salt_bytes,
        payload.decode(),
    )


def entry(campaign: str, stored: Stored) -> bytes:
    """JCS of the header: the bytes that are a leaf of the tree. Nine members for a public event, five for a sealed."""
    seq, version, kind, at, actor, cause, rules, bind, _, _ = stored
    if kind == SEALED:
        text = f'{{"campaign":"{campaign}","commitment":"{bind}","seq":{seq},"type":"sealed","version":{version}}}'
    else:
        text = (
            f'{{"actor":{encode_basestring(actor or "")},"at":{at},"campaign":"{campaign}","cause":{cause},'
            f'"commitment":"{bind}","rules":{rules},"seq":{seq},"type":"{kind}","version":{version}}}'
        )
    return text.encode()


def from_header(header: Mapping[str, Any], salt_bytes: bytes | None, bound: Mapping[str, Any] | None) -> Stored:
    """The columns of an event whose header and committed value were read from JSON."""
    public = header["type"] != SEALED
    return Stored(
        header["seq"],
        header["version"],
        header["type"],
        header["at"] if public else None,
        header["actor"] if public else None,
        canonical(header["cause"]).decode() if public else None,
        canonical(header["rules"]).decode() if public else None,
        header["commitment"],
        salt_bytes,
        None if bound is None else canonical(bound).decode(),
    )


def decode(campaign: str, stored: Stored, missing: Withheld = ERASED) -> Event:
    """The event in these columns; `missing` says why the payload is not there, if it is not.

    The columns are trusted: `check` tells whether they should be.
    """
    seq, version, kind, at, actor, cause, rules, bind, salt_bytes, payload = stored
    if kind != SEALED:
        return Event(
            campaign,
            seq,
            version,
            kind,
            at,  # type: ignore[arg-type]
            actor,  # type: ignore[arg-type]
            () if cause == "[]" else tuple(_loads(cause)[0]),  # type: ignore[arg-type]
            _rule_ids(rules),
            missing if payload is None else _loads(payload)[0],
            bind,
            None,
            salt_bytes or b"",
        )
    if payload is None:
        return Event(campaign, seq, version, SEALED, -1, "", (), (), missing, bind, (), b"")
    inner = _loads(payload)[0]
    return Event(
        campaign,
        seq,
        version,
        inner["type"],
        inner["at"],
        inner["actor"],
        tuple(inner["cause"]),
        tuple(inner["rules"]),
        inner["payload"],
        bind,
        tuple(inner["readers"]),
        salt_bytes or b"",
    )


@lru_cache(4096)
def _rule_ids(text: str) -> tuple[str, ...]:
    """The same few lists stand in thousands of headers."""
    return tuple(_loads(text)[0])


def check_hash(stored: Stored) -> str | None:
    """What is wrong with the commitment to these columns' payload, or None: the bytes as stored are hashed again."""
    if stored.payload is None or stored.salt is None:
        return None if stored.payload is None and stored.salt is None else "it has a payload or a salt, but not both"
    if commitment(stored.salt, stored.payload.encode()) != stored.commitment:
        return "the payload does not match the header's commitment"
    return None


def check(campaign: str, stored: Stored) -> str | None:
    """What is wrong with these columns, or None: header and payload canonical and complete, commitment kept."""
    try:
        header = parse(entry(campaign, stored))
        if canonical(header) != entry(campaign, stored):
            return "the header is not canonical JSON"
        if (stored.salt is None) != (stored.payload is None):
            return "it has a payload or a salt, but not both"
        if stored.payload is not None and stored.salt is not None:
            if commitment(stored.salt, stored.payload.encode()) != stored.commitment:
                return "the payload does not match the header's commitment"
            bound = parse(stored.payload)
            if type(bound) is not dict or canonical(bound) != stored.payload.encode():
                return "the payload is not a canonical JSON object"
            if stored.type == SEALED and tuple(sorted(bound)) != _ENVELOPE:
                return f"the sealed envelope has other members than it should: {sorted(bound)}"
        event = decode(campaign, stored)
        if event.header() != header:
            return "the header does not come back from the event as it is"
    except (KeyError, TypeError, ValueError) as error:
        return f"malformed: {error}"
    return None


def check_opening(opening: Mapping[str, Any], of: Event) -> str | None:
    """What is wrong with a `secret_opened` payload that claims to open this event, or None."""
    if not of.sealed:
        return f"event {of.seq} is not sealed"
    try:
        salt_bytes = bytes.fromhex(opening["salt"])
        if salt_bytes.hex() != opening["salt"]:
            return "the salt is not lower-case hex"
        if commitment(salt_bytes, canonical(opening["payload"])) != of.commitment:
            return f"payload and salt do not match the commitment of event {of.seq}"
    except (TypeError, ValueError) as error:
        return f"malformed: {error}"
    return None


def _sorted_unique(values: Any, where: str, what: str) -> list[Any]:
    listed = list(values)
    try:
        result = sorted(set(listed))
    except TypeError:
        raise EventError(f"{where}: {what} mixes kinds of values: {listed!r}") from None
    return result


def _check_fields(
    new: NewEvent, seq: int, where: str, cause: list[Any], rules: list[Any], readers: list[Any] | None
) -> None:
    if not _TYPE.fullmatch(new.type) or new.type == SEALED:
        raise EventError(f"{where}: {new.type!r} cannot be a type; use words like order_received")
    if type(new.version) is not int or not 1 <= new.version <= LARGEST:
        raise EventError(f"{where}: version is {new.version!r}, not an integer from 1")
    if type(new.at) is not int or not 0 <= new.at <= LARGEST:
        raise EventError(f"{where}: at is {new.at!r}, not integer milliseconds since 1970 UTC")
    if type(new.actor) is not str or not new.actor or not new.actor.isprintable():
        raise EventError(f"{where}: actor is {new.actor!r}, not a player id, 'moderator' or 'service'")
    for one in cause:
        if type(one) is not int or not 0 <= one < seq:
            raise EventError(f"{where}: cause {one!r} is not the seq of an earlier event")
    for rule in rules:
        if type(rule) is not str or not rule:
            raise EventError(f"{where}: {rule!r} is not a rule id")
    for power in readers or ():
        if type(power) is not str or not power:
            raise EventError(f"{where}: {power!r} in readers is not a power id")


def _check_known_types(new: NewEvent, seq: int, where: str, sealed: bool) -> None:
    """The five types that the log itself acts on; see docs/log-format.md section 6."""
    if (new.type == CAMPAIGN_CREATED) != (seq == 0):
        raise EventError(f"{where}: event 0 and no other is {CAMPAIGN_CREATED}")
    if new.type not in (CAMPAIGN_CREATED, REWOUND, SECRET_OPENED, PAYLOAD_ERASED, RESTORED):
        return
    if sealed:
        raise EventError(f"{where}: this type is always public")
    payload = new.payload
    if new.type == CAMPAIGN_CREATED:
        for name in ("origin", "log_key"):
            if type(payload.get(name)) is not str or not payload[name]:
                raise EventError(f"{where}: the payload needs {name!r}, a text")
    elif new.type == REWOUND:
        _check_seq(payload, "to", where, 1, seq - 1)
    elif new.type == SECRET_OPENED:
        _check_seq(payload, "of", where, 1, seq - 1)
        if type(payload.get("salt")) is not str or type(payload.get("payload")) is not dict:
            raise EventError(f"{where}: the payload needs 'payload' and 'salt' of the event it opens")
    elif new.type == PAYLOAD_ERASED:
        _check_seq(payload, "of", where, 1, seq - 1)
        if new.actor != MODERATOR:
            raise EventError(f"{where}: only the moderator may have a payload erased")
    elif new.type == RESTORED:
        _check_seq(payload, "lost_from", where, 1, seq)
        _check_seq(payload, "lost_size", where, payload["lost_from"] + 1, LARGEST)
        if not _HEX_ROOT.fullmatch(str(payload.get("lost_root"))):
            raise EventError(f"{where}: the payload needs 'lost_root', 64 lower-case hex digits")


def _check_seq(payload: Mapping[str, Any], name: str, where: str, least: int, most: int) -> None:
    value = payload.get(name)
    if type(value) is not int or not least <= value <= most:
        raise EventError(f"{where}: {name!r} is {value!r}, not an integer from {least} to {most}")
