"""Hash chains: 32 secret bytes whose hash, taken N times, is published before the first die is rolled.

A link is opened by using it; who has the link before it, or the published start, can check it with one hash. The
chain keeps every 256th link so that opening one costs at most 255 hashes. Seeds come from and go to a key store.
"""

from __future__ import annotations

import hashlib

CHAIN_LENGTH = 65_536
"""Links of a campaign's dice chain, enough for several hundred rounds of play."""

CACHE_STEP = 256
COMMIT_NEXT_BEFORE_END = 4_096
"""With this many links left the next chain's start is published, long before the first link of it is used."""


class ChainExhausted(Exception):
    """The service's fault: a link beyond the chain's end was asked for, and no further chain was committed."""


class Chain:
    """A hash chain s_0 ... s_N with s_(k-1) = SHA-256(s_k), from its seed s_N.

    ``cache`` is what an earlier chain's ``cache()`` gave; without it the links are computed once, 18 ms for
    65,536 of them. Raises ValueError for a seed that is not 32 bytes or a cache that does not belong to it.
    """

    __slots__ = ("_cached", "_length")

    def __init__(self, seed: bytes, length: int = CHAIN_LENGTH, cache: bytes | None = None) -> None:
        if len(seed) != 32:
            raise ValueError(f"a chain's seed has 32 bytes, not {len(seed)}")
        if length < 1:
            raise ValueError(f"a chain needs at least one link, not {length}")
        self._length = length
        self._cached = _compute_cache(seed, length) if cache is None else _read_cache(cache, seed, length)

    @property
    def length(self) -> int:
        """N, the number of links that can be used: 1 to N."""
        return self._length

    @property
    def start(self) -> bytes:
        """s_0, the commitment that is published before the first use."""
        return self._cached[0]

    def link(self, k: int) -> bytes:
        """s_k. Raises ChainExhausted for k > N and ValueError for k < 0."""
        if k < 0:
            raise ValueError(f"a chain has no link {k}")
        if k > self._length:
            raise ChainExhausted(f"link {k} was asked for, the chain has {self._length}")
        above = -(-k // CACHE_STEP)
        link = self._cached[above]
        for _ in range(min(above * CACHE_STEP, self._length) - k):
            link = hashlib.sha256(link).digest()
        return link

    def cache(self) -> bytes:
        """Every 256th link, from s_0 to the seed, joined; as secret as the seed itself."""
        return b"".join(self._cached)


def _cached_positions(length: int) -> list[int]:
    positions = list(range(0, length, CACHE_STEP))
    return [*positions, length]


def _compute_cache(seed: bytes, length: int) -> tuple[bytes, ...]:
    wanted = frozenset(_cached_positions(length))
    link = seed
    found = [seed]
    for k in range(length - 1, -1, -1):
        link = hashlib.sha256(link).digest()
        if k in wanted:
            found.append(link)
    return tuple(reversed(found))


def _read_cache(cache: bytes, seed: bytes, length: int) -> tuple[bytes, ...]:
    if len(cache) != 32 * len(_cached_positions(length)) or cache[-32:] != seed:
        raise ValueError("the cached links do not belong to this seed and length")
    return tuple(cache[at : at + 32] for at in range(0, len(cache), 32))


def verify_link(link: bytes, k: int, known: bytes, known_k: int = 0) -> bool:
    """Whether s_k, hashed k - known_k times, is the link known before it (by default the published start)."""
    if k <= known_k:
        raise ValueError(f"link {k} does not come after link {known_k}")
    for _ in range(k - known_k):
        link = hashlib.sha256(link).digest()
    return link == known


def next_chain_due(used: int, length: int = CHAIN_LENGTH) -> bool:
    """Whether so many links of the newest committed chain are used that the next chain must be committed now."""
    return length - used <= min(COMMIT_NEXT_BEFORE_END, length // 2)
