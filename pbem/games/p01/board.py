"""The board of Pacific (2001) as its switches change it: set-up, two borders, and abilities of the unit table.

The facts hold the balance set-up of the official FAQ; the printed one follows from it by undoing six changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.board.units import UnitType
from pbem.games.p01.parameters import JAPAN

PRINTED_SET_UP: Mapping[str, Mapping[str, int]] = {
    "french-indo-china": {"infantry": 4},
    "hainan": {"infantry": 4},
    "sz-37": {"transport": 2},
    "mariana-islands": {"fighter": 1},
    "sz-20": {"submarine": 1},
    "sz-22": {"submarine": 0},
}
"""Japanese pieces in which the printed set-up differs from the one of the FAQ of 2003 (P01-1.4.2)."""

KAMIKAZE_ISLANDS = ("bonin-islands", "ryukyu-islands", "mariana-islands", "formosa")
"""Islands one of which must have been captured, where the switch asks for it (P01-13.1.10)."""


def with_switches(printed: Board, chosen: Mapping[str, str]) -> Board:
    """The board as played: complexes in five capitals and Hawaii (P01-1.4.5), six kamikazes, no points (P01-1.4.3)."""
    facts = dict(printed.facts)
    if chosen["setup"] == "printed":
        facts["setup"] = _printed_set_up(facts["setup"])
    facts["setup"] = _american_fighter(facts["setup"])
    facts["kamikaze"] = {**facts["kamikaze"], "unlocked_by": {"spaces": list(KAMIKAZE_ISLANDS)}}
    neighbours = dict(printed.neighbours)
    for switch, a, b in (("queensland_sz32", "queensland", "sz-32"), ("sz14_sz30", "sz-14", "sz-30")):
        if chosen[switch] == "no":
            for here, there in ((a, b), (b, a)):
                neighbours[here] = tuple(space for space in neighbours[here] if space != there)
    units = {kind: _unit(unit, chosen) for kind, unit in printed.units.items()}
    return replace(printed, facts=facts, neighbours=neighbours, units=units)


def _printed_set_up(setup: Mapping[str, Any]) -> dict[str, Any]:
    out = {space: {owner: dict(kinds) for owner, kinds in row.items()} for space, row in setup.items()}
    for space, counts in PRINTED_SET_UP.items():
        kinds = out.setdefault(space, {}).setdefault(JAPAN, {})
        kinds.update(counts)
        for kind in [kind for kind, count in kinds.items() if not count]:
            del kinds[kind]
    return out


def _american_fighter(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The fighter that starts in Szechwan is American (P01-12.1.3)."""
    chinese = dict(setup["szechwan"]["china"])
    count = chinese.pop("fighter", 0)
    american = {**setup["szechwan"].get("usa", {}), **({"fighter": count} if count else {})}
    return {**setup, "szechwan": {**setup["szechwan"], "china": chinese, "usa": american}}


def _unit(unit: UnitType, chosen: Mapping[str, str]) -> UnitType:
    """One line of the unit table with the abilities by which the chapters know it (P01-1.5, P01-5.5.1, P01-5.6.1)."""
    abilities, data = set(unit.abilities), dict(unit.data)
    if unit.id == "submarine":
        abilities |= {"surprise_strike", "passes_hostile_sea"}
        if chosen["air_vs_sub"] == "always":
            abilities.discard("air_needs_destroyer")
    elif unit.id == "destroyer":
        data |= {"loads_only": ["infantry"], "loads_for": [JAPAN], "load_text": "one infantry"}
        data["bombard_value"] = int(chosen["dd_bombard_value"])
        if chosen["dd_bombard"] == "no":
            abilities.discard("shore_bombard")
    elif unit.id == "aa_gun" and chosen["aa_gun_slots"] == "2":
        data["transport_cost"] = 6
    elif unit.id == "artillery":
        abilities.add("supports_marine")
    elif unit.id == "industrial_complex":
        data["produces"] = 999
    any_ship = chosen["kamikaze_targets"] == "no_sub" and unit.domain == "sea" and unit.id != "submarine"
    if any_ship or unit.can("surface_warship"):
        abilities.add("kamikaze_target")
    return replace(unit, abilities=frozenset(abilities), data=data)
