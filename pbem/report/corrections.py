"""What a moderator's correction changes, fact by fact, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.report.words import Words

Facts = Sequence[Mapping[str, Any]]


def in_facts(facts: Facts, words: Words) -> str:
    """All facts of a correction on one line; what has no words of its own is told by its kind."""
    return words.apart(dict.fromkeys(_told(fact["type"], fact["payload"], words) for fact in facts))


def _told(kind: str, body: Mapping[str, Any], words: Words) -> str:
    if kind == "counter_changed" and body.get("counter") == "ipc":
        return words.say("fact.money", power=words.power(body["power"]), by=words.signed(body["by"]))
    if kind == "control_changed":
        owner = body.get("to")
        key = "fact.control" if owner else "fact.no_control"
        return words.say(key, space=words.space(body["space"]), power=words.power(owner))
    if kind == "units_created":
        units = words.kinds(Counter(row[1] for row in body["units"]).items())
        return words.say(
            "fact.created", units=units, power=words.power(body["owner"]), space=words.space(body["space"])
        )
    if kind == "units_removed":
        return words.say("fact.removed", n=len(body["units"]), space=words.space(body["space"]))
    return kind.replace("_", " ")
