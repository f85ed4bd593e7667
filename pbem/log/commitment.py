"""What hides a payload behind its header, and what proves later that it is the one that was hidden.

The formulas are those of docs/log-format.md; nothing here knows what is in a payload.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

PREFIX: Final = b"pbem/payload/v1\n"
SALT_BYTES: Final = 16


def salt(key: bytes, seq: int) -> bytes:
    """Salt of event `seq`: the first 16 bytes of HMAC-SHA-256(key, uint64be seq).

    Derived, not drawn: a repeated append writes the same bytes, and the service has nothing to choose.
    """
    return hmac.digest(key, seq.to_bytes(8, "big"), "sha256")[:SALT_BYTES]


def commitment(salt_bytes: bytes, payload: bytes) -> str:
    """Lower-case hex SHA-256("pbem/payload/v1\\n" || salt || JCS(payload)); `payload` is already canonical."""
    if len(salt_bytes) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt_bytes)}")
    return sha256(PREFIX + salt_bytes + payload).hexdigest()
