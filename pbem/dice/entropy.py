"""The players' share in every roll: opened texts, their hashes, and the digest of the map in force.

Only text that is open to all when its window closes may come here; this file cannot know that, its callers must.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping

_POWER = re.compile(r"[a-z0-9_-]+")
_HASH = re.compile(r"[0-9a-f]{64}")


def opened_text(lines: Iterable[str], entropy_line: str | None = None) -> str:
    """The canonical text of what is in force and open for one power when its window closes.

    Each line is ended by LF, the player's own ``ENTROPY ...`` line comes last; nothing in force is the empty text.
    Raises ValueError for a line that holds a line break.
    """
    all_lines = [*lines] if entropy_line is None else [*lines, entropy_line]
    for line in all_lines:
        if "\n" in line or "\r" in line:
            raise ValueError(f"opened text: the line {line!r} holds a line break")
    return "".join(line + "\n" for line in all_lines)


def text_hash(text: str) -> str:
    """A power's value in the entropy map: lower-case hex SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def entropy_json(entropy: Mapping[str, str]) -> bytes:
    """The map as canonical JSON (RFC 8785). Raises ValueError for anything but power ids and hex hashes.

    Power ids and hashes are ASCII, for which sorted keys and no spaces are already the canonical form.
    """
    for power, value in entropy.items():
        if not _POWER.fullmatch(power):
            raise ValueError(f"entropy map: {power!r} is not a power id")
        if not _HASH.fullmatch(value):
            raise ValueError(f"entropy map: the value of {power} is not 64 lower-case hex digits: {value!r}")
    return json.dumps(dict(entropy), sort_keys=True, separators=(",", ":")).encode("ascii")


def entropy_digest(entropy: Mapping[str, str]) -> bytes:
    """E: the 32 raw bytes of SHA-256 over the canonical map."""
    return hashlib.sha256(entropy_json(entropy)).digest()
