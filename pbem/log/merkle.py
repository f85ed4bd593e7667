"""The hash tree of RFC 6962 section 2.1: roots, right edge, inclusion and consistency proofs and their checks.

Bytes in, bytes out; knows nothing of events or storage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

EMPTY_ROOT: Final = sha256(b"").digest()
"""Root of a tree without leaves."""


def leaf_hash(entry: bytes) -> bytes:
    """Hash of one leaf: SHA-256(0x00 || entry)."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of an inner node: SHA-256(0x01 || left || right)."""
    return sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Edge:
    """The right edge of a tree: the roots of its complete subtrees, largest first, one for each 1 bit of `size`.

    Enough to append in O(log n) and to know the root; the leaves themselves are not needed.
    """

    size: int = 0
    nodes: tuple[bytes, ...] = ()

    def extend(self, entries: Iterable[bytes]) -> Edge:
        """The edge after these further entries."""
        size, nodes = self.size, list(self.nodes)
        for entry in entries:
            node = leaf_hash(entry)
            carry = size
            while carry & 1:
                node = node_hash(nodes.pop(), node)
                carry >>= 1
            nodes.append(node)
            size += 1
        return Edge(size, tuple(nodes))

    def root(self) -> bytes:
        """The tree's root."""
        if not self.nodes:
            return EMPTY_ROOT
        root = self.nodes[-1]
        for node in reversed(self.nodes[:-1]):
            root = node_hash(node, root)
        return root

    def pack(self) -> bytes:
        """The nodes one after the other, largest subtree first, 32 bytes each."""
        return b"".join(self.nodes)

    @classmethod
    def unpack(cls, size: int, packed: bytes) -> Edge:
        """Reverse of `pack`. Raises ValueError if the number of nodes does not belong to `size`."""
        count = size.bit_count()
        if len(packed) != 32 * count:
            raise ValueError(
                f"a tree of {size} leaves has an edge of {count} nodes of 32 bytes, not of {len(packed)} bytes"
            )
        return cls(size, tuple(packed[at : at + 32] for at in range(0, len(packed), 32)))


class Tree:
    """All complete subtrees of a list of entries, kept so that every root and proof costs O(log n) hashes."""

    __slots__ = ("_levels",)

    def __init__(self, entries: Iterable[bytes] = ()) -> None:
        level = [leaf_hash(entry) for entry in entries]
        self._levels = [level]
        while len(level) > 1:
            level = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
            self._levels.append(level)

    @property
    def size(self) -> int:
        """Number of leaves."""
        return len(self._levels[0])

    def root(self, size: int | None = None) -> bytes:
        """MTH(D[size]): root of the tree as it was with the first `size` leaves."""
        return self._range(0, self._size(size))

    def inclusion(self, index: int, size: int | None = None) -> list[bytes]:
        """PATH(index, D[size]) of RFC 6962 section 2.1.1, from the leaf up."""
        end = self._size(size)
        if not 0 <= index < end:
            raise ValueError(f"no leaf {index} in a tree of {end}")
        path: list[bytes] = []
        begin = 0
        while end - begin > 1:
            middle = begin + _split(end - begin)
            if index < middle:
                path.append(self._range(middle, end))
                end = middle
            else:
                path.append(self._range(begin, middle))
                begin = middle
        path.reverse()
        return path

    def consistency(self, old: int, size: int | None = None) -> list[bytes]:
        """PROOF(old, D[size]) of RFC 6962 section 2.1.2; empty for old = 0 and for old = size."""
        end = self._size(size)
        if not 0 <= old <= end:
            raise ValueError(f"a tree of {end} leaves does not extend one of {old}")
        if old in (0, end):
            return []
        path: list[bytes] = []
        begin, whole = 0, True
        while old - begin != end - begin:
            middle = begin + _split(end - begin)
            if old <= middle:
                path.append(self._range(middle, end))
                end = middle
            else:
                path.append(self._range(begin, middle))
                begin, whole = middle, False
        if not whole:
            path.append(self._range(begin, end))
        path.reverse()
        return path

    def _size(self, size: int | None) -> int:
        if size is None:
            return self.size
        if not 0 <= size <= self.size:
            raise ValueError(f"only {self.size} leaves are here, not {size}")
        return size

    def _range(self, begin: int, end: int) -> bytes:
        """Root over leaves begin .. end - 1, where begin is a multiple of the largest power of two within."""
        count = end - begin
        if count == 0:
            return EMPTY_ROOT
        if count & (count - 1) == 0:
            level = count.bit_length() - 1
            return self._levels[level][begin >> level]
        middle = begin + _split(count)
        return node_hash(self._range(begin, middle), self._range(middle, end))


def _split(count: int) -> int:
    """The largest power of two smaller than count (count > 1)."""
    return 1 << ((count - 1).bit_length() - 1)


def root(entries: Iterable[bytes]) -> bytes:
    """Root over these entries."""
    return Edge().extend(entries).root()


def verify_inclusion(entry: bytes, index: int, size: int, path: Sequence[bytes], expected_root: bytes) -> bool:
    """Whether the path proves that `entry` is leaf `index` of the tree (RFC 9162 section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    node, last = index, size - 1
    result = leaf_hash(entry)
    for sibling in path:
        if last == 0:
            return False
        if node & 1 or node == last:
            result = node_hash(sibling, result)
            while not node & 1 and node:
                node >>= 1
                last >>= 1
        else:
            result = node_hash(result, sibling)
        node >>= 1
        last >>= 1
    return last == 0 and result == expected_root


def verify_consistency(old: int, old_root: bytes, size: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the path proves that the tree of `size` extends the tree of `old` (RFC 9162 section 2.1.4.2)."""
    if not 0 <= old <= size:
        return False
    if old == 0:
        return not path and old_root == EMPTY_ROOT
    if old == size:
        return not path and old_root == new_root
    proof = list(path)
    if old & (old - 1) == 0:
        proof.insert(0, old_root)
    if not proof:
        return False
    node, last = old - 1, size - 1
    while node & 1:
        node >>= 1
        last >>= 1
    first = second = proof[0]
    for sibling in proof[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            first = node_hash(sibling, first)
            second = node_hash(sibling, second)
            while not node & 1 and node:
                node >>= 1
                last >>= 1
        else:
            second = node_hash(second, sibling)
        node >>= 1
        last >>= 1
    return last == 0 and first == old_root and second == new_root
