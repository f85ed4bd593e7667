#!/usr/bin/env python3
"""Check an exported campaign log, or the proof of one event, without trusting the server it came from.

Needs nothing but Python 3.9 or later and this one file, which may be copied anywhere; it shares no code with the
service on purpose. The formats are those of docs/log-format.md, whose section numbers are cited below.

    python check_log.py p40-17.jsonl.gz                       is the log sound in itself?
    python check_log.py p40-17.jsonl --checkpoint mail.txt    and does it lead to the checkpoint I was mailed?

Exit code 0: sound. 1: not sound; the first fault is printed. 2: the files cannot be read.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import re
import sys
from dataclasses import dataclass, field

try:  # the well-kept implementation if it is here, else the slow one below
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    Ed25519PublicKey = None  # type: ignore[assignment, misc]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

BUNDLE = "pbem/bundle/v1"
PROOF = "pbem/proof/v1"
_LARGEST = 2**53 - 1
_PUBLIC = {"actor", "at", "campaign", "cause", "commitment", "rules", "seq", "type", "version"}
_SEALED = {"campaign", "commitment", "seq", "type", "version"}
_ENVELOPE = {"actor", "at", "cause", "payload", "readers", "rules", "type"}
_ALWAYS_PUBLIC = {"campaign_created", "rewound", "secret_opened", "payload_erased", "restored"}
_HEX = re.compile(r"[0-9a-f]*")


class Fault(Exception):
    """The first thing that is wrong, and where, if that is not the line being read."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(what)
        self.where = where


@dataclass
class Report:
    """What was found. The log is sound if `fault` is None."""

    campaign: str = ""
    viewer: str = ""
    size: int = 0
    root: str = ""
    readable: int = 0
    sealed: int = 0
    erased: int = 0
    checkpoints: int = 0
    log_key: str = ""
    remarks: list[str] = field(default_factory=list)
    fault: str | None = None

    def text(self) -> str:
        """For people."""
        lines = [
            f"campaign     {self.campaign} (as seen by {self.viewer})",
            f"events       {self.size}: {self.readable} readable, {self.sealed} sealed, {self.erased} erased",
            f"root         {self.root}",
            f"checkpoints  {self.checkpoints} signatures good",
            f"key          {self.log_key}",
            *(f"remark       {remark}" for remark in self.remarks),
            "SOUND" if self.fault is None else f"NOT SOUND: {self.fault}",
        ]
        return "\n".join(lines)


# Canonical JSON (section 1)


def jcs(value: Any) -> bytes:
    """RFC 8785 for values without fractions."""
    return _write(value).encode()


def _write(value: Any) -> str:
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        if abs(value) > _LARGEST:
            raise Fault(f"the integer {value} is too large")
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(_write(item) for item in value) + "]"
    members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{_write(key)}:{_write(item)}" for key, item in members) + "}"


def parse(text: bytes | str) -> Any:
    """JSON without fractions and without a key that stands twice."""

    def refuse(number: str) -> Any:
        raise Fault(f"{number} is not an integer")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise Fault("a key stands twice in one object")
        return dict(pairs)

    try:
        return json.loads(text, parse_float=refuse, parse_constant=refuse, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Fault(f"not JSON: {error}") from None


# Hash tree (section 4)


def _leaf(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """Roots of all sizes over a list of leaf hashes."""

    def __init__(self, leaves: list[bytes]) -> None:
        self._levels = [leaves]
        while len(self._levels[-1]) > 1:
            below = self._levels[-1]
            self._levels.append([_node(below[at], below[at + 1]) for at in range(0, len(below) - 1, 2)])

    def root(self, size: int) -> bytes:
        """RFC 6962 section 2.1: MTH over the first `size` leaves."""
        root, end = None, size
        for level in range(size.bit_length()):
            if size >> level & 1:
                node = self._levels[level][(end >> level) - 1]
                root = node if root is None else _node(node, root)
                end -= 1 << level
        return hashlib.sha256(b"").digest() if root is None else root


def root_from_inclusion(entry: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """RFC 9162 section 2.1.3.2: the root that the audit path leads to."""
    if not 0 <= index < size:
        raise Fault(f"there is no event {index} among {size}")
    node, last, result = index, size - 1, _leaf(entry)
    for sibling in path:
        if last == 0:
            raise Fault("the audit path is too long")
        if node & 1 or node == last:
            result = _node(sibling, result)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            result = _node(result, sibling)
        node, last = node >> 1, last >> 1
    if last:
        raise Fault("the audit path is too short")
    return result


def roots_from_consistency(old: int, size: int, old_root: bytes, path: Sequence[bytes]) -> tuple[bytes, bytes]:
    """RFC 9162 section 2.1.4.2: the two roots that a consistency proof leads to."""
    proof = list(path)
    if old & (old - 1) == 0:
        proof.insert(0, old_root)
    if not proof:
        raise Fault("the consistency proof is empty")
    node, last = old - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    first = second = proof[0]
    for sibling in proof[1:]:
        if last == 0:
            raise Fault("the consistency proof is too long")
        if node & 1 or node == last:
            first, second = _node(sibling, first), _node(sibling, second)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            second = _node(second, sibling)
        node, last = node >> 1, last >> 1
    if last:
        raise Fault("the consistency proof is too short")
    return first, second


# Checkpoints (section 5)


def parse_key(text: str) -> tuple[str, bytes]:
    """Name and public key of a verifier key."""
    try:
        name, identifier, encoded = text.split("+", 2)
        blob = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise Fault(f"not a verifier key: {text!r}") from None
    if len(blob) != 33 or blob[0] != 1 or key_id(name, blob[1:]).hex() != identifier:
        raise Fault(f"not an Ed25519 verifier key: {text!r}")
    return name, blob[1:]


def key_id(name: str, public: bytes) -> bytes:
    """The four bytes in front of every signature."""
    return hashlib.sha256(name.encode() + b"\n\x01" + public).digest()[:4]


def check_note(note: str, log_key: str) -> tuple[int, bytes]:
    """Size and root of a checkpoint, if it is well signed and about this log."""
    name, public = parse_key(log_key)
    body, separator, signatures = note.rpartition("\n\n")
    lines = body.split("\n")
    if not separator or len(lines) < 3 or not re.fullmatch(r"0|[1-9][0-9]{0,18}", lines[1]):
        raise Fault("not a checkpoint")
    if lines[0] != name:
        raise Fault(f"the checkpoint is about {lines[0]!r}, the log is {name!r}")
    try:
        root = base64.b64decode(lines[2], validate=True)
    except ValueError:
        raise Fault("the checkpoint's root is not base64") from None
    if len(root) != 32:
        raise Fault("the checkpoint's root has not 32 bytes")
    if not signatures.endswith("\n"):
        raise Fault("the checkpoint is cut off")
    for line in signatures[:-1].split("\n"):
        match = re.fullmatch(r"\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})", line)
        if match is None:
            raise Fault(f"not a signature line: {line!r}")
        try:
            blob = base64.b64decode(match[2], validate=True)
        except ValueError:
            raise Fault("a signature is not base64") from None
        if match[1] == name and blob[:4] == key_id(name, public):
            if not _signed(public, blob[4:], (body + "\n").encode()):
                raise Fault("the checkpoint's signature is wrong")
            return int(lines[1]), root
    raise Fault(f"the checkpoint is not signed with the key {log_key!r}")


def find_notes(text: str) -> list[str]:
    """The checkpoints in a text, a saved mail for instance; quotation marks and blanks around lines do not matter."""
    lines = [re.sub(r"^[>\s]*|\s*$", "", line) for line in text.splitlines()]
    notes = []
    for at in range(len(lines) - 4):
        signatures = []
        if lines[at] and lines[at + 1].isdigit() and lines[at + 2] and not lines[at + 3]:
            for line in lines[at + 4 :]:
                if not line.startswith("\u2014 "):
                    break
                signatures.append(line)
        if signatures:
            notes.append("\n".join([*lines[at : at + 3], "", *signatures, ""]))
    return notes


def _signed(public: bytes, signature: bytes, message: bytes) -> bool:
    if Ed25519PublicKey is None:
        return ed25519_verify(public, signature, message)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


# Ed25519 (RFC 8032 section 5.1), only to verify, where nothing is secret and nothing need be fast. Points are in
# extended coordinates (x, y, z, t).

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P


def _add(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    a = (one[1] - one[0]) * (two[1] - two[0]) % _P
    b = (one[1] + one[0]) * (two[1] + two[0]) % _P
    c = 2 * one[3] * two[3] * _D % _P
    d = 2 * one[2] * two[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _multiply(factor: int, point: tuple[int, ...]) -> tuple[int, ...]:
    result: tuple[int, ...] = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            result = _add(result, point)
        point = _add(point, point)
        factor >>= 1
    return result


def _point(data: bytes) -> tuple[int, ...] | None:
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def ed25519_verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the signature is good."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, commit = _point(public), _point(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    base = _point((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
    if key is None or commit is None or base is None or answer >= _ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    challenge = int.from_bytes(digest, "little") % _ORDER
    left, right = _multiply(answer, base), _add(commit, _multiply(challenge, key))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (left[1] * right[2] - right[1] * left[2]) % _P == 0


# Events (sections 2, 3 and 6)


def _need(condition: bool, complaint: str) -> None:
    if not condition:
        raise Fault(complaint)


def _integer(value: Any, least: int, most: int = _LARGEST) -> bool:
    return type(value) is int and least <= value <= most


def _texts(value: Any) -> bool:
    return type(value) is list and all(type(item) is str and item for item in value)


def _hexadecimal(value: Any, length: int) -> bool:
    return type(value) is str and len(value) == length and _HEX.fullmatch(value) is not None


def _check_facts(facts: dict[str, Any], seq: int) -> None:
    """The members that a public header and a sealed envelope have in common."""
    _need(type(facts["type"]) is str and re.fullmatch(r"[a-z][a-z0-9_]{0,63}", facts["type"]) is not None, "bad type")
    _need(_integer(facts["at"], 0), "'at' is not integer milliseconds")
    _need(type(facts["actor"]) is str and facts["actor"] != "", "'actor' is not a text")
    cause = facts["cause"]
    _need(type(cause) is list and all(_integer(one, 0, seq - 1) for one in cause), "'cause' names no earlier event")
    _need(cause == sorted(set(cause)), "'cause' is not sorted")
    _need(_texts(facts["rules"]), "'rules' is not a list of rule ids")


def _check_header(header: Any, campaign: str, seq: int) -> None:
    _need(type(header) is dict, "there is no header")
    members = _SEALED if header.get("type") == "sealed" else _PUBLIC
    _need(set(header) == members, f"the header has the members {sorted(header)}")
    _need(header["campaign"] == campaign, f"the header names the campaign {header['campaign']!r}")
    _need(_integer(header["seq"], 0) and header["seq"] == seq, f"seq is {header['seq']!r}, not {seq}")
    _need(_integer(header["version"], 1), "'version' is not an integer from 1")
    _need(_hexadecimal(header["commitment"], 64), "'commitment' is not a hash")
    if members is _PUBLIC:
        _check_facts(header, seq)


def _commitment(salt: Any, payload: Any) -> str:
    """Section 3."""
    _need(_hexadecimal(salt, 32), "the salt is not 16 bytes in hex")
    _need(type(payload) is dict, "the payload is not an object")
    return hashlib.sha256(b"pbem/payload/v1\n" + bytes.fromhex(salt) + jcs(payload)).hexdigest()


def _check_payload(header: dict[str, Any], salt: Any, payload: Any) -> tuple[str, dict[str, Any]]:
    """The event's true type and its payload."""
    _need(_commitment(salt, payload) == header["commitment"], "payload and salt do not match the commitment")
    if header["type"] != "sealed":
        return header["type"], payload
    _need(set(payload) == _ENVELOPE, f"the sealed envelope has the members {sorted(payload)}")
    _check_facts(payload, header["seq"])
    _need(payload["type"] not in _ALWAYS_PUBLIC | {"sealed"}, f"an event of type {payload['type']!r} is sealed")
    readers = payload["readers"]
    _need(_texts(readers) and readers == sorted(set(readers)), "'readers' is not a sorted list of powers")
    _need(type(payload["payload"]) is dict, "the payload is not an object")
    return payload["type"], payload["payload"]


class _Bundle:
    """Reads a bundle line by line and remembers what later lines must agree with."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.headers: list[dict[str, Any]] = []
        self.leaves: list[bytes] = []
        self.erased: dict[int, int] = {}
        self.leaves_to_erase: dict[int, int] = {}
        self.losses: list[tuple[int, str]] = []
        self.notes: list[tuple[str, str, Any]] = []

    def start(self, line: Any) -> None:
        _need(type(line) is dict and line.get("format") == BUNDLE, f"not a {BUNDLE} file")
        _need(set(line) == {"campaign", "format", "root", "size", "viewer"}, f"line 1 has the members {sorted(line)}")
        self.report.campaign = line["campaign"]
        viewer = line["viewer"]
        _need(viewer == "everything" or _texts(viewer) or viewer == [], "'viewer' is neither 'everything' nor powers")
        self.report.viewer = viewer if viewer == "everything" else ", ".join(viewer) or "a spectator"
        _need(_integer(line["size"], 1) and _hexadecimal(line["root"], 64), "'size' or 'root' is malformed")
        self.size, self.root = line["size"], line["root"]

    def event(self, line: dict[str, Any]) -> None:
        seq = len(self.headers)
        _need(set(line) <= {"erased", "header", "payload", "salt"}, f"the line has the members {sorted(line)}")
        header = line["header"]
        _check_header(header, self.report.campaign, seq)
        self.headers.append(header)
        self.leaves.append(_leaf(jcs(header)))
        if "payload" in line or "salt" in line:
            _need("payload" in line and "salt" in line and "erased" not in line, "payload and salt go together")
            kind, payload = _check_payload(header, line["salt"], line["payload"])
            self.report.readable += 1
            self.known_type(seq, kind, payload, header)
        elif "erased" in line:
            _need(_integer(line["erased"], seq + 1), "'erased' names no later event")
            self.report.erased += 1
            self.erased[seq] = line["erased"]
        else:
            _need(header["type"] == "sealed", "the payload of a public event is missing")
            _need(self.report.viewer != "everything", "the payload is missing")
            self.report.sealed += 1
        _need(seq > 0 or self.report.log_key != "", "event 0 does not publish the log's key")

    def known_type(self, seq: int, kind: str, payload: dict[str, Any], header: dict[str, Any]) -> None:
        """Section 6: the types that the log itself acts on."""
        _need((kind == "campaign_created") == (seq == 0), "event 0 and no other is campaign_created")
        if kind == "campaign_created":
            name, _ = parse_key(str(payload.get("log_key")))
            _need(name == payload.get("origin"), "the key's name is not the log's origin")
            self.report.log_key = payload["log_key"]
        elif kind == "rewound":
            _need(_integer(payload.get("to"), 1, seq - 1), "'to' is not an earlier event")
        elif kind == "secret_opened":
            of = payload["of"]
            _need(_integer(of, 1, seq - 1), "'of' is not an earlier event")
            _need(self.headers[of]["type"] == "sealed", f"event {of} is not sealed")
            opened = _commitment(payload.get("salt"), payload.get("payload"))
            _need(opened == self.headers[of]["commitment"], f"what is opened is not what event {of} sealed")
        elif kind == "payload_erased":
            _need(_integer(payload.get("of"), 1, seq - 1), "'of' is not an earlier event")
            _need(header["actor"] == "moderator", "only the moderator has a payload erased")
            self.leaves_to_erase[seq] = payload["of"]
        elif kind == "restored":
            _need(_integer(payload.get("lost_from"), 1, seq), "'lost_from' is not an earlier event")
            _need(_integer(payload.get("lost_size"), payload["lost_from"] + 1), "'lost_size' is malformed")
            _need(_hexadecimal(payload.get("lost_root"), 64), "'lost_root' is malformed")
            self.losses.append((payload["lost_size"], payload["lost_root"]))
            self.report.remarks.append(
                f"event {seq}: the service was restored from a backup and lost the events from "
                f"{payload['lost_from']} to {payload['lost_size'] - 1}"
            )

    def finish(self, outside: Iterable[str]) -> None:
        _need(len(self.headers) == self.size, f"the file holds {len(self.headers)} events, not {self.size}")
        tree = Tree(self.leaves)
        self.report.size, self.report.root = self.size, tree.root(self.size).hex()
        _need(self.report.root == self.root, f"the events hash to {self.report.root}, the file says {self.root}")
        for seq, by in self.erased.items():
            _need(self.leaves_to_erase.get(by) == seq, f"event {seq} was erased without leave")
        last = (0, tree.root(0))
        for where, note, consistency in self.notes:
            last = self.checkpoint(tree, where, note, consistency, last)
        for number, note in enumerate(outside, 1):
            self.checkpoint(tree, f"checkpoint {number} from outside", note, None, None)

    def checkpoint(
        self, tree: Tree, where: str, note: str, consistency: Any, last: tuple[int, bytes] | None
    ) -> tuple[int, bytes]:
        try:
            size, root = check_note(note, self.report.log_key)
            if last is None and (size, root.hex()) in self.losses:
                self.report.remarks.append(f"{where}: it is about events that were lost; an event admits it")
                return size, root
            _need(size <= self.size, f"it is about {size} events, there are {self.size}")
            true = tree.root(size)
            _need(true == root, f"the first {size} events hash to {true.hex()}, it says {root.hex()}")
            if last is not None:
                self.consistency(consistency, last, (size, root))
        except Fault as fault:
            raise Fault(str(fault), where) from None
        self.report.checkpoints += 1
        return size, root

    def consistency(self, proof: Any, old: tuple[int, bytes], new: tuple[int, bytes]) -> None:
        _need(type(proof) is list and all(_hexadecimal(item, 64) for item in proof), "the proof is malformed")
        _need(old[0] < new[0], "checkpoints are not in order")
        if old[0] == 0:
            _need(proof == [], "the first checkpoint needs no proof")
        else:
            path = [bytes.fromhex(item) for item in proof]
            proved = roots_from_consistency(old[0], new[0], old[1], path)
            _need(proved == (old[1], new[1]), f"the proof does not lead from {old[0]} to {new[0]} events")


def check_lines(lines: Iterable[bytes], checkpoints: Iterable[str] = ()) -> Report:
    """Check a bundle (section 7); `checkpoints` are notes that came another way, by mail for instance."""
    report = Report()
    bundle = _Bundle(report)
    where = "the file"
    try:
        number = 0
        for number, text in enumerate(lines, 1):
            where = f"line {number}"
            line = parse(text)
            if number == 1:
                bundle.start(line)
                continue
            _need(type(line) is dict, "not an object")
            if "checkpoint" in line:
                _need(set(line) == {"at", "checkpoint", "consistency"}, f"the line has the members {sorted(line)}")
                _need(type(line["checkpoint"]) is str and _integer(line["at"], 0), "the checkpoint is malformed")
                bundle.notes.append((where, line["checkpoint"], line["consistency"]))
            else:
                _need("header" in line and not bundle.notes, "neither an event nor a checkpoint in its place")
                where = f"line {number}, event {len(bundle.headers)}"
                bundle.event(line)
        where = "the end"
        _need(number > 0, "there is nothing in it")
        bundle.finish(checkpoints)
    except Fault as fault:
        report.fault = f"{fault.where or where}: {fault}"
    except (KeyError, TypeError, ValueError, UnicodeError) as error:
        report.fault = f"{where}: malformed ({type(error).__name__}: {error})"
    return report


def check_proof(value: Any, log_key: str | None = None) -> Report:
    """Check the proof of one event (section 8); give the log's key if you know it from elsewhere."""
    report = Report(viewer="one event")
    try:
        _need(type(value) is dict and value.get("format") == PROOF, f"not a {PROOF} file")
        header = value["header"]
        report.campaign, report.log_key = header["campaign"], value["log_key"]
        _need(log_key is None or log_key == report.log_key, f"the log's key is {log_key!r}")
        _check_header(header, report.campaign, header["seq"])
        if "payload" in value:
            _check_payload(header, value["salt"], value["payload"])
            report.readable = 1
        size, root = check_note(value["checkpoint"], report.log_key)
        path = [bytes.fromhex(item) for item in value["inclusion"]]
        proved = root_from_inclusion(jcs(header), header["seq"], size, path)
        _need(proved == root, f"event {header['seq']} is not in the tree that the checkpoint signs")
        report.size, report.root, report.checkpoints = size, root.hex(), 1
    except Fault as fault:
        report.fault = str(fault)
    except (KeyError, TypeError, ValueError) as error:
        report.fault = f"malformed ({type(error).__name__}: {error})"
    return report


def read(path: str) -> bytes:
    """A file's bytes, unpacked if it is gzip."""
    with open(path, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Check an exported campaign log without trusting its server.")
    parser.add_argument("file", help="a bundle (.jsonl or .jsonl.gz) or the proof of one event (.json)")
    parser.add_argument("--checkpoint", action="append", default=[], help="a text or saved mail with a checkpoint")
    parser.add_argument("--key", help="the log's key, if you know it from elsewhere")
    chosen = parser.parse_args(arguments)
    try:
        data = read(chosen.file)
        notes = []
        for path in chosen.checkpoint:
            found = find_notes(read(path).decode("utf-8", "replace"))
            if not found:
                raise OSError(f"{path} holds no checkpoint")
            notes += found
    except (OSError, EOFError) as error:
        print(f"cannot read: {error}", file=sys.stderr)
        return 2
    lines = data.splitlines()
    if len(lines) == 1 and b'"' + PROOF.encode() + b'"' in lines[0]:
        report = check_proof(json.loads(lines[0]), chosen.key)
    else:
        report = check_lines(lines, notes)
        if report.fault is None and chosen.key not in (None, report.log_key):
            report.fault = f"the log's key is {report.log_key!r}"
    print(report.text())
    return 0 if report.fault is None else 1


if __name__ == "__main__":
    sys.exit(main())
