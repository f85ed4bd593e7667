"""Explains one event: what led to it, by which rules with their text, how each die came about, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.board.evolve import evolve, fold
from pbem.board.state import State, state_to_json
from pbem.log.event import Event
from pbem.log.live import is_void, live, rewinds
from pbem.rules.texts import rule_text


@dataclass(frozen=True, slots=True)
class Explanation:
    """One event with all that bears on it. `rules` pairs ids with texts; `changes` are (what, before, after)."""

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

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "seq": self.seq, "type": self.type, "at": self.at, "actor": self.actor,
            "payload": dict(self.payload) if self.payload is not None else None, "void": self.void,
            "rules": [{"id": rule, "text": text} for rule, text in self.rules],
            "cause": [dict(row) for row in self.cause], "orders": [dict(row) for row in self.orders],
            "dice": dict(self.dice) if self.dice is not None else None,
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
        orders=tuple(_orders_behind(before_events, event)) if readable else (),
        dice=_dice(event) if event.type == "dice_rolled" else None,
        changes=tuple(_changes(before, after)),
    )


def _short(event: Event) -> dict[str, Any]:
    return {"seq": event.seq, "type": event.type, "at": event.at, "actor": event.actor}


def _orders_behind(before: Sequence[Event], event: Event) -> list[dict[str, Any]]:
    """The opened orders and decisions of the segment that name a space or power of this event."""
    words = _names_in(event.payload)
    found: list[dict[str, Any]] = []
    for known in reversed(before):
        if known.type == "segment_ended":
            break
        if known.type == "window_closed":
            for power, text in known.payload.get("texts", {}).items():
                for line in text.splitlines():
                    found.append({"seq": known.seq, "power": power, "text": line})
        elif known.type == "decisions_taken":
            for row in known.payload["decisions"]:
                if row.get("space") in words:
                    found.append({"seq": known.seq, "power": row["power"], "decision": row})
    found.reverse()
    return found


def _names_in(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return set().union(*(_names_in(item) for item in value.values())) if value else set()
    if isinstance(value, list | tuple):
        return set().union(*(_names_in(item) for item in value)) if value else set()
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
                    rows.append((f"unit {unit}", was.get(unit), now.get(unit)))
        elif isinstance(new[name], dict):
            for key in dict.fromkeys((*old[name], *new[name])):
                if old[name].get(key) != new[name].get(key):
                    rows.append((f"{name}: {key}", old[name].get(key), new[name].get(key)))
        else:
            rows.append((name, old[name], new[name]))
    return rows
