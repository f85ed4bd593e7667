"""Odds of great battles, against the npm package `aacalc2` where it is there and the rules are the same."""

from __future__ import annotations

from bench.figures import Figure


def measure() -> list[Figure]:
    """Nothing until pbem.odds is there."""
    from importlib.util import find_spec

    if find_spec("pbem.odds.bench") is None:
        return []
    from pbem.odds.bench import measure as of_odds  # type: ignore[import-not-found]

    return list(of_odds())
