"""How much of several demands can be met from limited stores when each demand may draw on some of them only.

Two rules need it: units that may come from one of several complexes, convoy losses that fall on shared territories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def largest_flow(demands: Sequence[tuple[int, Sequence[str]]], stores: Mapping[str, int]) -> int:
    """The most that can be drawn in all: `demands` are (amount, stores that will do); amounts and stores are >= 0."""
    left = dict(stores)
    drawn: list[dict[str, int]] = [{} for _ in demands]
    total = 0
    for index, (amount, _) in enumerate(demands):
        for _ in range(max(amount, 0)):
            if not _draw(index, demands, left, drawn, set()):
                break
            total += 1
    return total


def _draw(
    index: int,
    demands: Sequence[tuple[int, Sequence[str]]],
    left: dict[str, int],
    drawn: list[dict[str, int]],
    tried: set[str],
) -> bool:
    """Draw one more for a demand, moving what others drew to another of their stores where that helps."""
    for store in demands[index][1]:
        if store in tried:
            continue
        tried.add(store)
        if left.get(store, 0) > 0:
            left[store] -= 1
            drawn[index][store] = drawn[index].get(store, 0) + 1
            return True
        for other, taken in enumerate(drawn):
            if other != index and taken.get(store, 0) > 0 and _draw(other, demands, left, drawn, tried):
                taken[store] -= 1
                drawn[index][store] = drawn[index].get(store, 0) + 1
                return True
    return False
