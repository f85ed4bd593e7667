"""Spaces and powers: who holds what, money, relations, technologies, groups, what rules note down."""

from __future__ import annotations

from typing import Any

from pbem.board.draft import Fact, Payload, on
from pbem.board.state import Group, SpaceState, relation_key


@on("control_changed", "spaces")
def _control_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{space, from, to, why}."""
    held = draft.spaces.get(p["space"], SpaceState(None))
    draft.spaces[p["space"]] = SpaceState(p["to"], held.facilities)


@on("facility_changed", "spaces")
def _facility_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{space, kind, damage: n or null, becomes?, why}: built or damaged (n), gone (null), or turned into `becomes`."""
    held = draft.spaces.get(p["space"], SpaceState(None))
    kind, damage, becomes = p["kind"], p["damage"], p.get("becomes")
    rows = []
    found = False
    for name, old in held.facilities:
        if name != kind:
            rows.append((name, old))
            continue
        found = True
        if damage is not None:
            rows.append((becomes or name, damage))
    if not found and damage is not None:
        rows.append((becomes or kind, damage))
    draft.spaces[p["space"]] = SpaceState(held.controller, tuple(rows))


@on("counter_changed", "counters")
def _counter_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{power, counter, by, why}: money (`ipc`), kamikaze tokens, oil, victory points..."""
    key = f"{p['power']}/{p['counter']}"
    draft.counters[key] = draft.counters.get(key, 0) + p["by"]


@on("purchases_changed", "purchases")
def _purchases_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{power, items: {kind: by}, why}: bought and waiting (positive), or placed or returned (negative)."""
    for kind, by in p["items"].items():
        key = f"{p['power']}/{kind}"
        draft.purchases[key] = draft.purchases.get(key, 0) + by
        if not draft.purchases[key]:
            del draft.purchases[key]


@on("relation_changed", "relations")
def _relation_changed(draft: Any, p: Payload, event: Fact) -> None:
    """{a, b, to, why}."""
    draft.relations[relation_key(p["a"], p["b"])] = p["to"]


@on("technology_gained", "technologies")
def _technology_gained(draft: Any, p: Payload, event: Fact) -> None:
    """{power, technology}."""
    draft.technologies[p["power"]] = (*draft.technologies.get(p["power"], ()), p["technology"])


@on("mark_set", "marks")
def _mark_set(draft: Any, p: Payload, event: Fact) -> None:
    """{key, value}: rules write down a fact of the past that a later rule asks for; null wipes it."""
    if p["value"] is None:
        draft.marks.pop(p["key"], None)
    else:
        draft.marks[p["key"]] = p["value"]


@on("group_formed", "groups")
def _group_formed(draft: Any, p: Payload, event: Fact) -> None:
    """{group, kind, power, space, units, data?}: also replaces a group of that id."""
    group = Group(p["group"], p["kind"], p["power"], p["space"], tuple(p["units"]), p.get("data", {}))
    draft.groups[group.id] = group


@on("group_dissolved", "groups")
def _group_dissolved(draft: Any, p: Payload, event: Fact) -> None:
    """{group, why}."""
    draft.groups.pop(p["group"], None)
