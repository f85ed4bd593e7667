"""Drawing on shared stores: never more than there is, and never less than could be drawn."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pbem.rules.flow import largest_flow

STORES = ("a", "b", "c")
stores = st.fixed_dictionaries({name: st.integers(0, 4) for name in STORES})
demands = st.lists(st.tuples(st.integers(0, 5), st.lists(st.sampled_from(STORES), unique=True)), max_size=5)


def least_cut(asked: list[tuple[int, list[str]]], room: dict[str, int]) -> int:
    """The same figure from the other side: the cheapest way to cut all demands off from all stores."""
    whole = range(len(asked))
    cuts = []
    for size in range(len(asked) + 1):
        for served in combinations(whole, size):
            reached = {store for index in served for store in asked[index][1]}
            cut_off = sum(asked[index][0] for index in whole if index not in served)
            cuts.append(cut_off + sum(room[store] for store in reached))
    return min(cuts)


@given(demands, stores)
def test_as_much_as_possible(asked: list[tuple[int, list[str]]], room: dict[str, int]) -> None:
    assert largest_flow(asked, room) == least_cut(asked, room)


def test_a_demand_gives_way_to_one_that_has_no_choice() -> None:
    assert largest_flow([(3, ("korea", "japan")), (3, ("korea",))], {"korea": 3, "japan": 3}) == 6
