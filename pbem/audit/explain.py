"""Explains one event: what led to it, by which rules with their text, how each die came about, before and after."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from pbem.audit.telling import Teller
from pbem.board.evolve import evolve, fold
from pbem.board.map import Board
from pbem.board.state import State, Unit, state_to_json
from pbem.games.catalog import load_board
from pbem.log.event import Event
from pbem.log.live import is_void, live, rewinds
from pbem.rules.texts import rule_text


@dataclass(frozen=True, slots=True)
class Explanation:
    """One event with all that bears on it. `rules` pairs ids with texts; `changes` are (what, before, after).

    Of a piece that was there before and is there after, only what differs is told. `told` is the event in words.
    """

    seq: int
    type: str
    at: int
    actor: str
    payload: Mapping[str, Any] | None
    void: bool
    rules: tuple[tuple[str, str], ...]
    cause: tuple[Mapping[str, Any], ...]
    orders: tuple[Mapping[str, Any], ...]
    dice: Mapping[str, Any] | None
    changes: tuple[tuple[str, Any, Any], ...]
    told: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "seq": self.seq, "type": self.type, "at": self.at, "actor": self.actor,
            "payload": dict(self.payload) if self.payload is not None else None, "void": self.void,
            "rules": [{"id": rule, "text": text} for rule, text in self.rules],
            "cause": [dict(row) for row in self.cause], "orders": [dict(row) for row in self.orders],
            "dice": dict(self.dice) if self.dice is not None else None,
            "told": list(self.told),
            "changes": [{"what": what, "before": before, "after": after} for what, before, after in self.changes],
        }  # fmt: skip


def explain(events: Sequence[Event], seq: int) -> Explanation:
    """Explain event `seq` of a campaign to whoever these events are readable for. LookupError if there is none."""
    if not 0 <= seq < len(events):
        raise LookupError(f"there is no event {seq}; the log has events 0 to {len(events) - 1}")
    event = events[seq]
    before_events = [known for known in live(events, seq) if known.seq < seq]
    before = fold(State(), before_events)
    readable = event.readable
    after = evolve(before, event)
    return Explanation(
        seq=seq,
        type=event.type,
        at=event.at,
        actor=event.actor,
        payload=event.payload if readable else None,
        void=is_void(seq, rewinds(events)),
        rules=tuple((rule, rule_text(rule) or "") for rule in event.rules),
        cause=tuple(_short(events[number]) for number in event.cause if number < len(events)),
        orders=tuple(_orders_behind(before_events, event, before)) if readable else (),
        dice=_dice(event) if event.type == "dice_rolled" else None,
        changes=tuple(_changes(before, after)),
        told=tuple(_told(event, before)) if readable else (),
    )


def _told(event: Event, before: State) -> list[str]:
    settings = before.settings
    if not settings.get("game"):
        return [f"{event.type} {json.dumps(dict(event.payload), ensure_ascii=False)}"]
    return Teller(settings["game"], settings.get("edition"), before, texts=False).lines(event)


def _short(event: Event) -> dict[str, Any]:
    return {"seq": event.seq, "type": event.type, "at": event.at, "actor": event.actor}


def _orders_behind(before: Sequence[Event], event: Event, position: State) -> list[dict[str, Any]]:
    """The opened orders and decisions of the segment that bear on this event.

    Those of anybody that name one of its spaces; for an event in no space those of its power that name none: purchases
    and the like.
    """
    board = _board(position)
    words = _names_in(event.payload)
    if board is not None:
        words |= {position.units[unit].space for unit in words & position.units.keys()}
    spaces = {board.spaces[word].name for word in words if word in board.spaces} if board is not None else set()
    power = event.payload.get("power")
    found: list[dict[str, Any]] = []
    for known in reversed(before):
        if known.type == "segment_ended":
            break
        if known.type == "window_closed":
            for whose, text in known.payload.get("texts", {}).items():
                if power is not None and whose != power and not spaces:
                    continue
                lines = [line for line in text.splitlines() if _bears_on(line, spaces)]
                found.extend({"seq": known.seq, "power": whose, "text": line} for line in reversed(lines))
        elif known.type == "decisions_taken":
            for row in known.payload["decisions"]:
                if row.get("space") in words:
                    found.append({"seq": known.seq, "power": row["power"], "decision": row})
    found.reverse()
    return found


def _bears_on(line: str, spaces: Set[str]) -> bool:
    if not spaces:
        return "->" not in line and not line.startswith("place ")
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line) for name in spaces)


def _board(position: State) -> Board | None:
    game = position.settings.get("game")
    return load_board(game, position.settings.get("edition")) if game else None


NO_PLACES = ("power", "owner", "phase", "seat")
"""Fields that name no space, though `japan` is a power and a space."""


def _names_in(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return set().union(*(_names_in(item) for key, item in value.items() if key not in NO_PLACES))
    if isinstance(value, list | tuple):
        return set().union(*(_names_in(item) for item in value))
    return set()


def _dice(event: Event) -> dict[str, Any]:
    """How the faces came about, step by step, so that anybody can repeat it with any HMAC tool."""
    from pbem.dice.entropy import entropy_digest
    from pbem.dice.faces import derive_key, faces
    from pbem.dice.purpose import Purpose

    body = event.payload
    out: dict[str, Any] = {"purpose": body["purpose"].split("\n"), "faces": body["faces"], "source": body["source"],
                           "dice": body.get("dice", [])}  # fmt: skip
    if body.get("link") is not None:
        digest = entropy_digest(body["entropy"])
        beacon = bytes.fromhex(body["beacon"]) if body.get("beacon") else None
        key = derive_key(bytes.fromhex(body["link"]), Purpose.parse(body["purpose"]).message(), digest, beacon)
        derived = list(faces(key, body["count"]))
        out |= {
            "chain": body["chain"], "k": body["k"], "link": body["link"], "entropy": dict(body["entropy"]),
            "E": digest.hex(), "K": key.hex(), "derived": derived, "agrees": derived == list(body["faces"]),
        }  # fmt: skip
    return out


def _changes(before: State, after: State) -> list[tuple[str, Any, Any]]:
    old, new = state_to_json(before), state_to_json(after)
    rows: list[tuple[str, Any, Any]] = []
    for name in new:
        if name == "size" or old[name] == new[name]:
            continue
        if name == "units":
            was = {row[0]: row for row in old[name]}
            now = {row[0]: row for row in new[name]}
            for unit in dict.fromkeys((*was, *now)):
                if was.get(unit) != now.get(unit):
                    rows.append(_piece(before.units.get(unit), after.units.get(unit)))
        elif isinstance(new[name], dict):
            for key in dict.fromkeys((*old[name], *new[name])):
                if old[name].get(key) != new[name].get(key):
                    rows.append((f"{name}: {key}", old[name].get(key), new[name].get(key)))
        else:
            rows.append((name, old[name], new[name]))
    return rows


def _piece(before: Unit | None, after: Unit | None) -> tuple[str, Any, Any]:
    known = after or before
    assert known is not None
    was, now = _facts_of(before), _facts_of(after)
    if was is not None and now is not None:
        keys = [key for key in dict.fromkeys((*was, *now)) if was.get(key) != now.get(key)]
        was, now = {key: was.get(key) for key in keys}, {key: now.get(key) for key in keys}
    return f"{known.owner} {known.kind} {known.id}", was, now


def _facts_of(unit: Unit | None) -> dict[str, Any] | None:
    """A piece as it stands, its marks beside its other facts; None if it is not there."""
    if unit is None:
        return None
    facts = {"space": unit.space, "aboard": unit.aboard, "damage": unit.damage, "spent": unit.spent}
    return {key: value for key, value in facts.items() if value} | dict(unit.marks)
