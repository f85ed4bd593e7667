"""Salts and commitments: known values and their formulas."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.log.canonical import canonical
from pbem.log.commitment import commitment, salt


def test_known_commitment() -> None:
    payload = {"to": "yunnan", "units": [17, 18], "from": "kwangsi", "note": '雲南 "x"\u001f\n'}
    known = "5b50481bf890f3ba43e6dc50ce3046ba619f21b98d039071ad5a0d32ed8bd668"
    assert commitment(bytes(range(16)), canonical(payload)) == known


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**63))
def test_a_salt_is_half_a_keyed_hash_of_the_seq(key: bytes, seq: int) -> None:
    assert salt(key, seq) == hmac.new(key, seq.to_bytes(8, "big"), hashlib.sha256).digest()[:16]


def test_salts_of_wrong_length_are_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes, not 15"):
        commitment(bytes(15), b"{}")
