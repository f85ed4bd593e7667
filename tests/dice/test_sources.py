"""Every source keeps the same protocol and says where its faces come from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.dice import (
    Batch,
    Chain,
    ChainExhausted,
    ChainSource,
    HandRollMissing,
    HandSource,
    Purpose,
    RecordedSource,
    SeededThrowaway,
    read_batches,
)

FIRE = Purpose("c1", 1, "germany", "conduct_combat", "ukraine", 1, "attackers_fire")
DEFENCE = Purpose("c1", 1, "germany", "conduct_combat", "ukraine", 1, "defenders_fire")


def two_chains() -> list[Chain]:
    return [Chain(bytes([1]) * 32, 3), Chain(bytes([2]) * 32, 3)]


def test_links_are_used_in_order_and_go_over_to_the_next_committed_chain() -> None:
    source = ChainSource(two_chains())
    used = [(roll.chain, roll.k) for roll in (source.roll(FIRE, {}, 1) for _ in range(6))]
    assert used == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]
    with pytest.raises(ChainExhausted, match="chain 2 is not committed"):
        source.roll(FIRE, {}, 1)
    assert source.position == (1, 3)


def test_a_source_goes_on_where_the_log_stopped() -> None:
    first = ChainSource(two_chains())
    rolls = [first.roll(FIRE, {}, 4) for _ in range(4)]
    assert ChainSource(two_chains(), last_chain=0, last_k=2).roll(FIRE, {}, 4) == rolls[2]
    assert ChainSource(two_chains(), last_chain=0, last_k=3).roll(FIRE, {}, 4) == rolls[3]


def test_a_beacon_is_recorded_with_the_roll() -> None:
    plain, mixed = ChainSource(two_chains()), ChainSource(two_chains(), beacon=b"\x01\x02")
    assert mixed.roll(FIRE, {}, 20).faces != plain.roll(FIRE, {}, 20).faces
    assert mixed.roll(FIRE, {}, 1).result()["beacon"] == "0102"
    assert "beacon" not in plain.roll(FIRE, {}, 1).result()


def test_hand_rolled_dice_are_found_by_purpose_and_missed_by_name() -> None:
    source = HandSource({FIRE.text(): [3, 5]})
    assert source.roll(FIRE, {}, 2).faces == (3, 5)
    assert source.roll(FIRE, {}, 2).source == "hand"
    with pytest.raises(HandRollMissing) as stop:
        source.roll(DEFENCE, {}, 2)
    assert (stop.value.purpose, stop.value.count) == (DEFENCE, 2)
    with pytest.raises(HandRollMissing):
        source.roll(FIRE, {}, 3)
    with pytest.raises(ValueError, match="1 to 6"):
        HandSource({FIRE.text(): [7]})


@given(st.integers(), st.integers(0, 40))
def test_throw_away_dice_repeat_by_seed_and_purpose(seed: int, count: int) -> None:
    one, other = SeededThrowaway(seed), SeededThrowaway(seed)
    one.roll(DEFENCE, {}, 3)
    assert one.roll(FIRE, {}, count) == other.roll(FIRE, {}, count)
    assert all(face in range(1, 7) for face in one.roll(FIRE, {}, count).faces)


def test_throw_away_dice_differ_by_seed() -> None:
    assert SeededThrowaway(1).roll(FIRE, {}, 30).faces != SeededThrowaway(2).roll(FIRE, {}, 30).faces


def test_recorded_batches_fit() -> None:
    source = RecordedSource(read_batches([[3, 5], {"hits": 1}]))
    assert source.roll(FIRE, {}, 2).faces == (3, 5)
    assert source.roll(DEFENCE, {}, 3).faces == (1, 6, 6)
    assert source.problems() == ()


def test_batches_too_few_too_many_and_of_the_wrong_length_are_reported() -> None:
    short = RecordedSource([Batch(faces=(1,)), Batch(hits=3)])
    assert short.roll(FIRE, {}, 2).faces == (1, 6)
    assert short.roll(DEFENCE, {}, 2).faces == (1, 1)
    assert short.roll(DEFENCE, {}, 1).faces == (6,)
    wrong_length, too_many_hits, too_few = short.problems()
    assert wrong_length.startswith("batch 1 has 1 faces and 2 dice were rolled")
    assert too_many_hits.startswith("batch 2 has 3 hits and only 2 dice were rolled")
    assert too_few.startswith("1 dice were rolled and no batch is left")
    assert RecordedSource([Batch(hits=0), Batch(hits=0)]).problems() == (
        "2 recorded batches were not rolled, from batch 1 on",
    )


@pytest.mark.parametrize(
    "batch", [[0], [7], ["3"], [True], 3, "33", {"hits": -1}, {"hits": 1, "of": 2}, {}, {"hits": True}]
)
def test_a_batch_that_is_none_is_refused_with_its_place(batch: object) -> None:
    with pytest.raises(ValueError, match="batch 2"):
        read_batches([[1], batch])
