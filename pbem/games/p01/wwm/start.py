"""The set-up of War Without Mercy: capital ships leave the map, Kido Butai is at sea, Japan holds oil.

In the pools (WWM-1.6): Japan 3 battleships and a carrier, the United States 2 carriers, Britain one of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.games.p01.parameters import JAPAN
from pbem.games.p01.wwm.forces import CARRIER, FREE, KIDO_BUTAI_ZONE, is_capital, pool_of
from pbem.rules.roster import Fact
from pbem.rules.ruleset import RuleSet

OIL_AT_START = 5
STAY: Mapping[str, tuple[str, ...]] = {"46": ("sz-20", "sz-9", "sz-46"), "26": ("sz-20", "sz-9")}
"""Zones whose capital ships stay on the map, by the reading of the rules (WWM-1.4, WWM-1.5)."""
ASHORE: Mapping[str, str] = {
    "sz-45": "formosa", "sz-5": "united-states", "sz-11": "hawaiian-islands", "sz-50": "india",
}  # fmt: skip
"""Where fighters of pooled carriers start with the switch `pool_fighters` (WWM-1.7)."""


def with_pools(board: Board, chosen: Mapping[str, str]) -> Board:
    """The board whose set-up has capital ships in pools, with the fighters that ride on them (WWM-1.1 to WWM-1.7).

    Destroyers, submarines and transports stay (WWM-1.10), the submarine of SZ 20 too (WWM-1.12). Japan has 5 oil
    markers, the Allies none (WWM-1.11, WWM-11.1).
    """
    setup: dict[str, Any] = {}
    pools: dict[str, dict[str, int]] = {}
    for space, owners in board.facts["setup"].items():
        row = {owner: dict(kinds) for owner, kinds in owners.items()}
        if board.spaces[space].is_sea and space not in STAY[chosen["sz26_reading"]]:
            for owner, kinds in row.items():
                _into_pool(kinds, pools.setdefault(owner, {}), setup, ASHORE.get(space), owner, chosen)
        for owner, kinds in row.items():
            there = setup.setdefault(space, {}).setdefault(owner, {})
            for kind, count in kinds.items():
                there[kind] = there.get(kind, 0) + count
    for owner, kinds in pools.items():
        if kinds:
            setup[pool_of(owner)] = {owner: kinds}
    counters = {power: {"oil": OIL_AT_START if power == JAPAN else 0} for power in (JAPAN, "uk", "usa")}
    return replace(board, facts={**board.facts, "setup": setup, "counters": counters})


def _into_pool(
    kinds: dict[str, int],
    pool: dict[str, int],
    setup: dict[str, Any],
    shore: str | None,
    owner: str,
    chosen: Mapping[str, str],
) -> None:
    carriers = kinds.get("carrier", 0)
    for kind in [kind for kind in kinds if is_capital(kind)]:
        pool[kind] = pool.get(kind, 0) + kinds.pop(kind)
    fighters = kinds.pop("fighter", 0) if carriers else 0
    if not fighters:
        return
    if chosen["pool_fighters"] == "ride" or shore is None:
        pool["fighter"] = pool.get("fighter", 0) + fighters
    else:
        there = setup.setdefault(shore, {}).setdefault(owner, {})
        there["fighter"] = there.get("fighter", 0) + fighters


def kido_butai(rules: RuleSet, facts: Sequence[Fact]) -> list[Fact]:
    """Kido Butai: the Japanese carriers in SZ 20 begin the game as a carrier force (WWM-1.4, WWM-8.12)."""
    ships = [
        row[0]
        for kind, body in facts
        if kind == "units_created" and (body["space"], body["owner"]) == (KIDO_BUTAI_ZONE, JAPAN)
        for row in body["units"]
        if is_capital(row[1])
    ]
    if not ships:
        return []
    force = {"group": "kido-butai", "kind": CARRIER, "power": JAPAN, "space": KIDO_BUTAI_ZONE, "units": ships}
    return [("group_formed", {**force, "data": {"zone": KIDO_BUTAI_ZONE, FREE: True, "name": "Kido Butai"}})]
