"""Conditions over a position as the facts write them, and the money that objectives pay.

A condition is a tree of `{op, ...}`; docs/facts.md names the operators. Which objectives are in force is a parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

Condition = Mapping[str, Any]


def meets(rules: RuleSet, state: State, condition: Condition) -> bool:
    """Whether a condition of the facts holds now; KeyError for an operator that is not known."""
    return _OPERATORS[condition["op"]](rules, state, condition)


def _and(rules: RuleSet, state: State, c: Condition) -> bool:
    return all(meets(rules, state, part) for part in c["of"])


def _or(rules: RuleSet, state: State, c: Condition) -> bool:
    return any(meets(rules, state, part) for part in c["of"])


def _not(rules: RuleSet, state: State, c: Condition) -> bool:
    return not meets(rules, state, c["of"])


def held_of(state: State, c: Condition) -> list[str]:
    """The spaces named by a condition that the powers named control, in any mixture (P40-2.6.1)."""
    return [space for space in c["spaces"] if state.controller(space) in c["who"]]


def _controls_all(rules: RuleSet, state: State, c: Condition) -> bool:
    return len(held_of(state, c)) == len(c["spaces"])


def _controls_any(rules: RuleSet, state: State, c: Condition) -> bool:
    return bool(held_of(state, c))


def _controls_original(rules: RuleSet, state: State, c: Condition) -> bool:
    return all(
        state.controller(space.id) in c["who"]
        for space in rules.board.spaces.values()
        if space.original_owner in c["who"]
    )


def _occupies_any(rules: RuleSet, state: State, c: Condition) -> bool:
    return any(
        unit.owner in c["who"] and unit.space in c["spaces"] and unit.aboard is None for unit in state.units.values()
    )


def _at_war(rules: RuleSet, state: State, c: Condition) -> bool:
    return bool(state.at_war(c["a"], c["b"]))


def _has_declared_war_on(rules: RuleSet, state: State, c: Condition) -> bool:
    return any(power in state.marks.get(marks.has_declared(c["who"]), ()) for power in c["any_of"])


def _unprovoked_declaration_by(rules: RuleSet, state: State, c: Condition) -> bool:
    return any(power in state.marks.get(marks.unprovoked(c["who"]), ()) for power in c["any_of"])


def _has_moved_into(rules: RuleSet, state: State, c: Condition) -> bool:
    return any(space in state.marks.get(marks.has_attacked(c["who"]), ()) for space in c["spaces"])


def _victory_cities(rules: RuleSet, state: State, c: Condition) -> bool:
    members = rules.board.sides[c["who"]]
    held = [s for s in rules.board.spaces.values() if s.victory_city and state.controller(s.id) in members]
    return len(held) >= int(c["count"])


def _capitals(rules: RuleSet, state: State, c: Condition) -> bool:
    holders = rules.board.sides.get(c["who"], (c["who"],)) if isinstance(c["who"], str) else c["who"]
    of_side = rules.board.sides[c["of_side"]]
    held = [s for s in rules.board.spaces.values() if s.capital_of in of_side and state.controller(s.id) in holders]
    return len(held) >= int(c["count"])


_OPERATORS: Mapping[str, Callable[[RuleSet, State, Condition], bool]] = {
    "and": _and,
    "or": _or,
    "not": _not,
    "controls_all": _controls_all,
    "controls_any": _controls_any,
    "controls_original": _controls_original,
    "occupies_any": _occupies_any,
    "at_war": _at_war,
    "has_declared_war_on": _has_declared_war_on,
    "unprovoked_declaration_by": _unprovoked_declaration_by,
    "has_moved_into": _has_moved_into,
    "victory_cities": _victory_cities,
    "capitals": _capitals,
}


# -- money ------------------------------------------------------------------------------------------------------------


def objectives_of(rules: RuleSet, power: str) -> list[Mapping[str, Any]]:
    """The objectives of a power that are in force, in the order of the facts."""
    in_force = rules.parameter("objectives")
    return [
        row
        for row in rules.board.facts.get("national_objectives", ())
        if row["power"] == power and row["id"] in in_force
    ]


def earned(rules: RuleSet, state: State, row: Mapping[str, Any]) -> int:
    """What one objective pays now, in IPC."""
    if row["kind"] == "one_time" and state.marks.get(marks.paid_once(row["id"])):
        return 0
    if row["kind"] == "per_space":
        return int(row["ipc"]) * len(held_of(state, row["condition"]))
    return int(row["ipc"]) if meets(rules, state, row["condition"]) else 0


def collect_objectives(game: Game, power: str) -> list[list[Any]]:
    """What a power's objectives pay in its income phase, as [id, IPC] rows (P40-2.6.1).

    A power whose capital is lost gets nothing (P40-2.6.2); what pays once is written down when paid.
    """
    if game.rules.judge("capital_lost", game.state, power):
        return []
    paid: list[list[Any]] = []
    for row in objectives_of(game.rules, power):
        ipc = earned(game.rules, game.state, row)
        if not ipc:
            continue
        paid.append([row["id"], ipc])
        if row["kind"] == "one_time":
            game.emit("mark_set", {"key": marks.paid_once(row["id"]), "value": True})
    return paid
