"""Pieces: made, moved, loaded, lost, damaged, changed, marked."""

from __future__ import annotations

from typing import Any

from pbem.board.draft import Fact, Payload, marked, on
from pbem.board.state import Unit


@on("units_created", "units")
def _units_created(draft: Any, p: Payload, event: Fact) -> None:
    """{space, owner, units: [[id, kind, {aboard?, damage?, spent?, marks?}?]], why}."""
    for row in p["units"]:
        extra = row[2] if len(row) > 2 else {}
        unit = Unit(
            row[0],
            row[1],
            p["owner"],
            p["space"],
            extra.get("aboard"),
            extra.get("damage", 0),
            extra.get("spent", 0),
            tuple(sorted(extra.get("marks", {}).items())),
        )
        draft.units[unit.id] = unit
        number = int(unit.id[1:])
        if number >= draft.next_unit:
            draft.next_unit = number + 1


@on("units_moved", "units")
def _units_moved(draft: Any, p: Payload, event: Fact) -> None:
    """{units, from, to, via?, spent?, marks?, phase?}: `spent` is added to the movement used; cargo goes along.

    Pieces that stood on a ship leave it, unless that ship moves in the same event.
    """
    to = p["to"]
    spent = p.get("spent", 0)
    marks = p.get("marks")
    moving = set(p["units"])
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        aboard = u.aboard if u.aboard in moving else None
        new_marks = marked(u.marks, marks) if marks else u.marks
        draft.units[unit_id] = Unit(u.id, u.kind, u.owner, to, aboard, u.damage, u.spent + spent, new_marks)
    for u in [u for u in draft.units.values() if u.aboard in moving and u.id not in moving]:
        draft.units[u.id] = Unit(u.id, u.kind, u.owner, to, u.aboard, u.damage, u.spent, u.marks)


@on("units_loaded", "units")
def _units_loaded(draft: Any, p: Payload, event: Fact) -> None:
    """{units, onto, from, zone, spent?, marks?}: pieces board the ship `onto`, which lies in `zone`."""
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        marks = marked(u.marks, p.get("marks", {}))
        draft.units[unit_id] = Unit(
            u.id, u.kind, u.owner, p["zone"], p["onto"], u.damage, u.spent + p.get("spent", 0), marks
        )


@on("units_unloaded", "units")
def _units_unloaded(draft: Any, p: Payload, event: Fact) -> None:
    """{units, from, to, spent?, marks?}: cargo leaves its ship; `to` is a territory, or the same zone for aircraft."""
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        marks = marked(u.marks, p.get("marks", {}))
        draft.units[unit_id] = Unit(u.id, u.kind, u.owner, p["to"], None, u.damage, u.spent + p.get("spent", 0), marks)


@on("units_removed", "units")
def _units_removed(draft: Any, p: Payload, event: Fact) -> None:
    """{space, units, why, by?}: pieces leave the game for good."""
    for unit_id in p["units"]:
        del draft.units[unit_id]


@on("units_damaged", "units")
def _units_damaged(draft: Any, p: Payload, event: Fact) -> None:
    """{space, damage: {id: hits taken}, why}: the new number, 0 for a repaired ship."""
    for unit_id, damage in p["damage"].items():
        u = draft.units[unit_id]
        draft.units[unit_id] = Unit(u.id, u.kind, u.owner, u.space, u.aboard, damage, u.spent, u.marks)


@on("units_converted", "units")
def _units_converted(draft: Any, p: Payload, event: Fact) -> None:
    """{space, units, kind?, owner?, why}: pieces become another kind or change hands."""
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        kind, owner = p.get("kind", u.kind), p.get("owner", u.owner)
        draft.units[unit_id] = Unit(u.id, kind, owner, u.space, u.aboard, u.damage, u.spent, u.marks)


@on("units_marked", "units")
def _unitsmarked(draft: Any, p: Payload, event: Fact) -> None:
    """{units, set: {mark: value or null}}: rules write something down about pieces; null wipes it."""
    for unit_id in p["units"]:
        u = draft.units[unit_id]
        marks = marked(u.marks, p["set"])
        draft.units[unit_id] = Unit(u.id, u.kind, u.owner, u.space, u.aboard, u.damage, u.spent, marks)


@on("units_refreshed", "units")
def _units_refreshed(draft: Any, p: Payload, event: Fact) -> None:
    """{owners?, keep: [marks]}: movement used becomes 0 and all marks but `keep` are wiped, of all or some powers."""
    owners = p.get("owners")
    keep = set(p.get("keep", ()))
    for u in list(draft.units.values()):
        if (u.spent or u.marks) and (owners is None or u.owner in owners):
            marks = tuple(pair for pair in u.marks if pair[0] in keep)
            draft.units[u.id] = Unit(u.id, u.kind, u.owner, u.space, u.aboard, u.damage, 0, marks)
