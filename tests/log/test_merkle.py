"""The hash tree of RFC 6962: known values, proofs for all small sizes, and that wrong proofs fail."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.log import check_log
from pbem.log.merkle import EMPTY_ROOT, Edge, Tree, leaf_hash, node_hash, root, verify_consistency, verify_inclusion

# The eight leaves that implementations of RFC 6962 are usually tested with.
LEAVES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc",
    "6e340b9cffb3",
    "fac54203e7cc",
    "aeb6bcfe274b",
    "d37ee418976d",
    "4e3bbb1f7b47",
    "76e67dadbcdf",
    "ddb89be40380",
    "5dc9da79a706",
]


def reference(entries: list[bytes]) -> bytes:
    """MTH word for word as RFC 6962 section 2.1 defines it."""
    if not entries:
        return sha256(b"").digest()
    if len(entries) == 1:
        return sha256(b"\x00" + entries[0]).digest()
    k = 1
    while 2 * k < len(entries):
        k *= 2
    return sha256(b"\x01" + reference(entries[:k]) + reference(entries[k:])).digest()


def entries(size: int) -> list[bytes]:
    return [b"event %d" % number for number in range(size)]


@pytest.mark.parametrize("size", range(9))
def test_known_roots(size: int) -> None:
    leaves = LEAVES[:size]
    assert root(leaves).hex().startswith(ROOTS[size])
    assert Tree(leaves).root() == Tree(LEAVES).root(size) == root(leaves)
    assert check_log.Tree([leaf_hash(leaf) for leaf in LEAVES]).root(size) == root(leaves)


@given(st.lists(st.binary(max_size=4), max_size=70))
def test_all_ways_to_the_root_agree(leaves: list[bytes]) -> None:
    expected = reference(leaves)
    assert root(leaves) == Tree(leaves).root() == expected
    edge = Edge()
    for leaf in leaves:
        edge = edge.extend([leaf])
        assert Edge.unpack(edge.size, edge.pack()) == edge
    assert edge == Edge().extend(leaves)
    assert edge.root() == expected


@given(st.integers(1, 300), st.data())
def test_inclusion(size: int, data: st.DataObject) -> None:
    tree = Tree(entries(size))
    index = data.draw(st.integers(0, size - 1))
    path = tree.inclusion(index)
    entry = entries(size)[index]
    assert verify_inclusion(entry, index, size, path, tree.root())
    assert check_log.root_from_inclusion(entry, index, size, path) == tree.root()
    assert not verify_inclusion(entry + b"!", index, size, path, tree.root())
    assert not verify_inclusion(entry, index, size, path, EMPTY_ROOT)
    assert not verify_inclusion(entry, index, size, [*path, EMPTY_ROOT], tree.root())
    assert not verify_inclusion(entry, size, size, path, tree.root())
    assert not verify_inclusion(entry, -1, size, path, tree.root())
    other = data.draw(st.integers(0, size - 1))
    assert verify_inclusion(entry, other, size, path, tree.root()) == (other == index)
    if path:
        assert not verify_inclusion(entry, index, size, path[:-1], tree.root())
        spoiled = list(path)
        spoiled[data.draw(st.integers(0, len(path) - 1))] = EMPTY_ROOT
        assert not verify_inclusion(entry, index, size, spoiled, tree.root())


def test_inclusion_for_all_small_trees() -> None:
    for size in range(1, 33):
        tree = Tree(entries(33))
        for index in range(size):
            assert verify_inclusion(entries(size)[index], index, size, tree.inclusion(index, size), tree.root(size))


def test_consistency_for_all_small_trees() -> None:
    tree = Tree(entries(34))
    for size in range(34):
        for old in range(size + 1):
            path = tree.consistency(old, size)
            assert verify_consistency(old, tree.root(old), size, tree.root(size), path)
            assert not verify_consistency(old, tree.root(old), size, tree.root(size), [*path, EMPTY_ROOT])
            assert not verify_consistency(old, tree.root(old), size, leaf_hash(b"fork"), path) or old == 0
            assert not verify_consistency(old, leaf_hash(b"fork"), size, tree.root(size), path)
            if path:
                assert not verify_consistency(old, tree.root(old), size, tree.root(size), path[:-1])
            if 0 < old < size:
                proved = check_log.roots_from_consistency(old, size, tree.root(old), path)
                assert proved == (tree.root(old), tree.root(size))


@given(st.integers(2, 300), st.data())
def test_a_forked_history_has_no_proof(size: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, size - 1))
    changed = data.draw(st.integers(0, old - 1))
    tree, forked = Tree(entries(size)), entries(size)
    forked[changed] = b"another past"
    fork = Tree(forked)
    for path in (tree.consistency(old), fork.consistency(old)):
        assert not verify_consistency(old, tree.root(old), size, fork.root(), path)


@given(st.integers(1, 100), st.integers(1, 100))
def test_proof_sizes_are_logarithmic(size: int, more: int) -> None:
    tree = Tree(entries(size + more))
    assert len(tree.inclusion(size - 1)) <= (size + more - 1).bit_length()
    assert len(tree.consistency(size)) <= (size + more - 1).bit_length() + 1


def test_what_does_not_exist_cannot_be_proved() -> None:
    tree = Tree(entries(5))
    for call in (
        lambda: tree.inclusion(5),
        lambda: tree.inclusion(-1),
        lambda: tree.inclusion(3, 3),
        lambda: tree.consistency(6),
        lambda: tree.consistency(-1),
        lambda: tree.consistency(4, 3),
        lambda: tree.root(6),
    ):
        with pytest.raises(ValueError):
            call()
    assert not verify_consistency(6, EMPTY_ROOT, 5, tree.root(), [])
    assert not verify_consistency(3, tree.root(3), 5, tree.root(), [])


def test_an_edge_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a tree of 3 leaves has an edge of 2 nodes"):
        Edge.unpack(3, bytes(32))


def test_leaves_and_nodes_cannot_be_confused() -> None:
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert leaf_hash(left + right) != node_hash(left, right)
