"""Ruling cases as values: reading them from JSON Lines, JSON or YAML, with every name replaced by its id.

The format is described in docs/cases.md. Nothing is run here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Resolve = Callable[[str, str], str]
"""(sort of name, name as written) -> id; raises CaseError. Sorts: space, power, unit, phase."""


class CaseError(ValueError):
    """A case that cannot be read: the message names the case, the place in it and what would be right."""


@dataclass(frozen=True, slots=True)
class Case:
    """One position, what is ordered, the dice, and what must come of it."""

    id: str
    game: str
    edition: str | None
    variants: tuple[str, ...]
    options: Mapping[str, Any]
    topic: str
    given: Mapping[str, Any]
    orders: Mapping[str, str]
    answers: Mapping[str, str]
    dice: tuple[Any, ...]
    until: str
    expect: Mapping[str, Any]
    why: str = ""
    source: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict)


KNOWN = {
    "id", "game", "edition", "variants", "options", "topic", "given", "orders", "answers", "dice", "until", "expect",
    "why", "source",
}  # fmt: skip


def case_from_json(value: Any, where: str = "case") -> Case:
    """One case; CaseError for a missing or unknown field."""
    if not isinstance(value, Mapping):
        raise CaseError(f"{where}: an object is expected, not {type(value).__name__}")
    name = str(value.get("id", where))
    unknown = sorted(set(value) - KNOWN)
    if unknown:
        raise CaseError(f"{name}: unknown field {unknown[0]!r}; known are {', '.join(sorted(KNOWN))}")
    for needed in ("game", "given", "expect"):
        if needed not in value:
            raise CaseError(f"{name}: the field {needed!r} is missing")
    orders = value.get("orders") or {}
    answers = value.get("answers") or {}
    for field_name, lines in (("orders", orders), ("answers", answers)):
        if not isinstance(lines, Mapping) or not all(isinstance(text, str) for text in lines.values()):
            raise CaseError(f"{name}: {field_name} is an object of power and text")
    return Case(
        id=name,
        game=str(value["game"]),
        edition=value.get("edition"),
        variants=tuple(value.get("variants") or ()),
        options=dict(value.get("options") or {}),
        topic=str(value.get("topic", "")),
        given=value["given"],
        orders=orders,
        answers=answers,
        dice=tuple(value.get("dice") or ()),
        until=str(value.get("until", "end of turn")),
        expect=value["expect"],
        why=str(value.get("why", "")),
        source=str(value.get("source", "")),
        raw=value,
    )


def read_cases(text: str, name: str) -> list[Case]:
    """All cases of a file: JSON Lines, one JSON object or list, or YAML (by the file's ending)."""
    rows = read_rows(text, name)
    return [case_from_json(row, f"{name}, case {index}") for index, row in enumerate(rows, start=1)]


def read_rows(text: str, name: str) -> list[Any]:
    """The cases of a file as plain JSON values; CaseError where the file as a whole cannot be read."""
    if name.endswith((".yaml", ".yml")):
        try:
            import yaml
        except ImportError:
            raise CaseError(
                f"{name}: reading YAML needs the package pyyaml; JSON and JSON Lines need nothing"
            ) from None
        try:
            return _flat(yaml.safe_load_all(text))
        except yaml.YAMLError as error:
            raise CaseError(f"{name}: no YAML: {' '.join(str(error).split())}") from None
    stripped = text.lstrip("\ufeff \t\r\n")
    if not stripped:
        return []
    try:
        return _flat([json.loads(stripped)])
    except (json.JSONDecodeError, RecursionError):
        pass
    rows = []
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), start=1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise CaseError(f"{name}, line {number}: no JSON: {error.msg} at column {error.colno}") from None
            except RecursionError:
                raise CaseError(f"{name}, line {number}: JSON nested too deeply") from None
    return _flat(rows)


def _flat(rows: Iterable[Any]) -> list[Any]:
    flat: list[Any] = []
    for row in rows:
        flat.extend(row if isinstance(row, list) else [row])
    return flat


def given_with_ids(case: Case, resolve: Resolve) -> dict[str, Any]:
    """`given` with ids in place of names of spaces, powers, units, facilities and phases."""
    given = dict(case.given)
    out: dict[str, Any] = {**given, "power": resolve("power", given["power"])}
    if "phase" in given:
        out["phase"] = resolve("phase", given["phase"])
    out["spaces"] = spaces_with_ids(given.get("spaces") or {}, resolve)
    out["powers"] = powers_with_ids(given.get("powers") or {}, resolve)
    relations = given.get("relations")
    if isinstance(relations, list):
        out["relations"] = [[resolve("power", a), resolve("power", b), status] for a, b, status in relations]
    if "history" in given:
        out["history"] = [_history(entry, resolve) for entry in given["history"]]
    if "task_forces" in given:
        out["task_forces"] = [task_force_with_ids(group, resolve) for group in given["task_forces"]]
    return out


def spaces_with_ids(spaces: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    """Spaces of `given` or `expect` with ids."""
    out: dict[str, Any] = {}
    for name, held in spaces.items():
        row = dict(held)
        for key in ("controller", "started"):
            if row.get(key):
                row[key] = resolve("power", row[key])
        if "units" in row:
            row["units"] = units_with_ids(row["units"], resolve)
        if "facilities" in row:
            row["facilities"] = {resolve("unit", kind): dict(value or {}) for kind, value in row["facilities"].items()}
        out[resolve("space", name)] = row
    return out


def units_with_ids(units: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    """{power: {unit: count or states}} with ids, cargo included."""
    out: dict[str, Any] = {}
    for power, kinds in units.items():
        table: dict[str, Any] = {}
        for kind, value in kinds.items():
            if isinstance(value, list):
                value = [_unit_state(state, resolve) for state in value]
            table[resolve("unit", kind)] = value
        out[resolve("power", power)] = table
    return out


def _unit_state(state: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    out = dict(state)
    if "cargo" in out:
        out["cargo"] = units_with_ids(out["cargo"], resolve)
    if isinstance(out.get("cap"), str):
        out["cap"] = resolve("space", out["cap"])
    return out


def powers_with_ids(powers: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    """{power: {...}} with ids; the ships of a `pool` are written like the units of a space."""
    out: dict[str, Any] = {}
    for name, row in powers.items():
        power = resolve("power", name)
        held = dict(row)
        if "pool" in held:
            pool = held["pool"]
            nested = pool and all(isinstance(value, Mapping) for value in pool.values())
            held["pool"] = units_with_ids(pool if nested else {name: pool}, resolve)
        out[power] = held
    return out


def task_force_with_ids(group: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    """A task force of `given` or `expect` with ids."""
    out = dict(group)
    out["power"] = resolve("power", group["power"])
    out["space"] = resolve("space", group["space"])
    if "units" in group:
        out["units"] = {resolve("unit", kind): value for kind, value in group["units"].items()}
    return out


def _history(entry: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    out = dict(entry)
    if "declared" in out:
        out["declared"] = [resolve("power", power) for power in out["declared"]]
    if "captured" in out:
        out["captured"] = resolve("space", out["captured"])
    if "by" in out:
        out["by"] = resolve("power", out["by"])
    return out
