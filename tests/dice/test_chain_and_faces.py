"""Chains open link by link, and faces are fair by rejection."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.dice import CHAIN_LENGTH, Chain, ChainExhausted, derive_key, faces, next_chain_due, verify_link
from pbem.dice.faces import indices, key_bytes

seeds = st.binary(min_size=32, max_size=32)


@given(seeds, st.integers(1, 700), st.data())
def test_any_link_hashes_to_the_one_before_it(seed: bytes, length: int, data: st.DataObject) -> None:
    chain = Chain(seed, length)
    k = data.draw(st.integers(1, length))
    assert hashlib.sha256(chain.link(k)).digest() == chain.link(k - 1)
    assert verify_link(chain.link(k), k, chain.start)
    assert not verify_link(chain.link(k), k, seed if k != length else bytes(32))
    assert Chain(seed, length, chain.cache()).link(k) == chain.link(k)


def test_the_full_chain_reaches_its_published_start() -> None:
    seed = hashlib.sha256(b"a full chain").digest()
    link = seed
    for _ in range(CHAIN_LENGTH):
        link = hashlib.sha256(link).digest()
    chain = Chain(seed)
    assert chain.start == link
    assert chain.link(CHAIN_LENGTH) == seed


def test_what_a_chain_refuses() -> None:
    chain = Chain(bytes(32), 5)
    with pytest.raises(ChainExhausted, match="link 6"):
        chain.link(6)
    with pytest.raises(ValueError, match="no link -1"):
        chain.link(-1)
    with pytest.raises(ValueError, match="32 bytes"):
        Chain(b"short")
    with pytest.raises(ValueError, match="do not belong"):
        Chain(bytes(32), 5, Chain(bytes([1]) * 32, 5).cache())
    with pytest.raises(ValueError, match="does not come after"):
        verify_link(chain.link(2), 2, chain.link(2), 2)


def test_the_next_chain_is_due_near_the_end() -> None:
    assert not next_chain_due(0)
    assert not next_chain_due(CHAIN_LENGTH - 4_097)
    assert next_chain_due(CHAIN_LENGTH - 4_096)
    assert [next_chain_due(used, 4) for used in range(5)] == [False, False, True, True, True]


@given(seeds, st.integers(0, 200))
def test_faces_skip_unfair_bytes_and_nothing_else(key: bytes, count: int) -> None:
    shown = faces(key, count)
    assert len(shown) == count
    stream = b"".join(block for block, _ in zip(key_bytes(key), range(12), strict=False))
    kept = [byte for byte in stream if byte < 252]
    assert list(shown) == [byte % 6 + 1 for byte in kept[:count]]


def test_each_face_comes_about_as_often() -> None:
    shown = faces(hashlib.sha256(b"fair").digest(), 60_000)
    expected = 10_000
    chi_squared = sum((shown.count(face) - expected) ** 2 / expected for face in range(1, 7))
    assert chi_squared < 20.5  # five degrees of freedom, one in a thousand


@given(seeds, st.binary(max_size=40), seeds, st.binary(min_size=1, max_size=96))
def test_a_beacon_changes_the_key(link: bytes, message: bytes, digest: bytes, beacon: bytes) -> None:
    assert derive_key(link, message, digest, beacon) != derive_key(link, message, digest)


@given(seeds, st.lists(st.integers(1, 2**32), min_size=1, max_size=20))
def test_indices_stay_below_their_sizes(key: bytes, sizes: list[int]) -> None:
    chosen = list(indices(key, iter(sizes)))
    assert len(chosen) == len(sizes)
    assert all(0 <= index < size for index, size in zip(chosen, sizes, strict=True))
