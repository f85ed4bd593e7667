"""docs/facts.md names every key, ability and condition that the facts use, and the facts are whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([a-z_0-9]+)[`?]", DOCUMENT)) | set(re.findall(r"[{ ]([a-z_]+)\??[,:}]", DOCUMENT))
FILES = sorted((ROOT / "pbem" / "games").glob("*/data/*.json"))
FACTS = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]
EACH = pytest.mark.parametrize("facts", FACTS, ids=[path.stem for path in FILES])


def _conditions(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "op" in value:
            yield value["op"]
        for item in value.values():
            yield from _conditions(item)
    elif isinstance(value, list):
        for item in value:
            yield from _conditions(item)


@EACH
def test_every_key_is_documented(facts: dict[str, Any]) -> None:
    used = set(facts)
    lists = ("powers", "spaces", "sides", "canals", "convoy_zones", "national_objectives", "relations_at_start")
    for name in (*lists, "economies", "optional_straits"):
        used.update(key for row in facts.get(name, ()) for key in row)
    used.update(key for unit in facts["units"].values() for key in unit)
    used.update(tag for unit in facts["units"].values() for tag in unit["abilities"])
    used.update(_conditions(facts))
    used.update(row["status"] for row in facts.get("relations_at_start", ()))
    used.update(space["kind"] for space in facts["spaces"])
    assert used - NAMED == set()


@EACH
def test_the_facts_name_only_what_there_is(facts: dict[str, Any]) -> None:
    spaces = [space["id"] for space in facts["spaces"]]
    powers = [power["id"] for power in facts["powers"]]
    assert len(set(spaces)) == len(spaces) and len(set(powers)) == len(powers)
    pairs = [tuple(pair) for pair in facts["adjacency"]]
    assert all(a < b and a in spaces and b in spaces for a, b in pairs) and len(set(pairs)) == len(pairs)
    for space, owners in facts["setup"].items():
        assert space in spaces
        for owner, kinds in owners.items():
            assert owner in powers or owner == "neutral"
            assert all(kind in facts["units"] and count > 0 for kind, count in kinds.items())
    assert sorted(power for side in facts["sides"] for power in side["powers"]) == sorted(powers)
    assert all(kind in facts["units"] for kinds in facts["build_lists"].values() for kind in kinds)


@EACH
def test_starting_income_is_the_board_s(facts: dict[str, Any]) -> None:
    for power in facts["powers"]:
        if power["playable"] and not facts.get("economies"):
            held = sum(row["ipc"] or 0 for row in facts["spaces"] if row["start_controller"] == power["id"])
            assert held == power["map_income"], power["id"]
