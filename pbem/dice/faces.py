"""From a link, a purpose and the players' digest to a key, and from a key to faces and indices.

Three short functions of HMAC-SHA-256 and rejection sampling; nothing here keeps anything.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator

_LARGEST_FAIR_BYTE = 252  # 42 * 6: bytes from here on would favour low faces


def derive_key(link: bytes, message: bytes, entropy: bytes, beacon: bytes | None = None) -> bytes:
    """K = HMAC-SHA-256(key = link, message || 0x00 || E [|| 0x00 || beacon signature])."""
    if len(link) != 32 or len(entropy) != 32:
        raise ValueError(f"a link and a digest have 32 bytes each, not {len(link)} and {len(entropy)}")
    signed = message + b"\0" + entropy
    if beacon is not None:
        signed += b"\0" + beacon
    return hmac.digest(link, signed, "sha256")


def key_bytes(key: bytes) -> Iterator[bytes]:
    """The key's blocks of 32 bytes: HMAC-SHA-256(K, uint32be 0), HMAC-SHA-256(K, uint32be 1), ..."""
    for counter in range(2**32):
        yield hmac.digest(key, counter.to_bytes(4, "big"), "sha256")


def faces(key: bytes, count: int) -> tuple[int, ...]:
    """The first ``count`` faces, 1 to 6: bytes from 252 on are skipped, else byte mod 6 + 1."""
    if count < 0:
        raise ValueError(f"cannot roll {count} dice")
    shown: list[int] = []
    if count == 0:
        return ()
    for block in key_bytes(key):
        for byte in block:
            if byte < _LARGEST_FAIR_BYTE:
                shown.append(byte % 6 + 1)
                if len(shown) == count:
                    return tuple(shown)
    raise AssertionError("a key ran out of blocks")


def indices(key: bytes, sizes: Iterator[int]) -> Iterator[int]:
    """For each size one index below it, from the key's bytes as uint32be, rejecting what would favour low ones."""
    words = (int.from_bytes(block[at : at + 4], "big") for block in key_bytes(key) for at in range(0, 32, 4))
    for size in sizes:
        fair = 2**32 - 2**32 % size
        yield next(word for word in words if word < fair) % size
