"""The position that a ruling case describes in its `given`, as events; docs/cases.md says what its words mean.

It reads and builds; whether the position could arise in play is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.board.evolve import evolve
from pbem.board.map import Board
from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.names import find_kind, find_power, find_space
from pbem.rules.printed import board_set_up, printed_units
from pbem.rules.roster import Fact, Roster
from pbem.rules.ruleset import RuleSet
from pbem.rules.tape import Emitted
from pbem.rules.victory import victory_in_history

PHASE_NAMES = {"purchase_and_repair": "purchase", "mobilize_new_units": "mobilize"}


def position(rules: RuleSet, given: Mapping[str, Any]) -> list[Fact]:
    """Events that build the position of a case from an empty log, and the mark where play begins.

    Raises `UnknownName` for a name the board does not have, KeyError for a key that `given` must have.
    """
    board = rules.board
    kind, printed = board_set_up(board)
    named = {find_space(board, name): row for name, row in given.get("spaces", {}).items()}
    from_setup = given.get("from", "nothing") == "setup"
    facilities = [row for row in printed["facilities"] if from_setup and "facilities" not in named.get(row[0], ())]
    controllers = dict(printed["spaces"])
    kept: dict[str, Any] = dict(_history(rules, given.get("history", ())))
    for space, row in named.items():
        if "controller" in row:
            controllers[space] = _owner(board, row["controller"])
        if "started" in row:
            kept[marks.taken(space)] = _owner(board, row["started"]) or ""
        for name, said in row.get("facilities", {}).items():
            facilities.append([space, find_kind(board, name), int((said or {}).get("damage", 0))])
    phase = PHASE_NAMES.get(given["phase"], given["phase"])
    power = find_power(board, given["power"])
    kept[marks.BEGINS_AT] = {"round": given["round"], "power": power, "phase": phase}
    setup = {
        "spaces": controllers,
        "facilities": facilities,
        "relations": _relations(board, printed["relations"], given.get("relations", ())),
        "counters": _counters(board, printed["counters"], given.get("powers", {}), from_setup),
        "marks": kept,
    }
    kept.update(_victories_held(rules, setup, given.get("history", ())))
    if "marks_of_history" in rules.judgements:
        captures = _captures(board, given.get("history", ()))
        kept.update(rules.judgements["marks_of_history"](rules, captures, given["round"], power))
    pieces = _pieces(board, {**named, **_pools(board, given.get("powers", {}))}, from_setup, phase).facts("case")
    facts = [
        (kind, setup),
        *pieces,
        *(starting_technologies(rules) if from_setup else ()),
        *_technologies(board, given.get("powers", {})),
        *(rules.judgements["case_facts"](rules, given) if "case_facts" in rules.judgements else ()),
    ]
    if "task_forces" in given:
        facts += _task_forces(board, pieces, given["task_forces"])
    elif from_setup and "more_at_start" in rules.judgements:
        facts += rules.judgements["more_at_start"](rules, facts)
    return facts


def starting_technologies(rules: RuleSet) -> list[Fact]:
    """What powers know from the start: the parameter `starting_technologies`, {power: technologies}."""
    known: Mapping[str, Sequence[str]] = rules.parameters.get("starting_technologies", {})
    return [("technology_gained", {"power": power, "technology": one}) for power, all_ in known.items() for one in all_]


def _owner(board: Board, name: str | None) -> str | None:
    return None if name in (None, "", "nobody", "none") else find_power(board, str(name))


def _relations(board: Board, printed: list[list[str]], given: Any) -> list[list[str]]:
    """The start's relations with those named replaced; `war` stands for all sides against each other."""
    stands = {frozenset(row[:2]): row for row in printed}
    if given == "war":
        sides = [[p for p in side if board.powers[p].playable] for side in board.sides.values()]
        for index, side in enumerate(sides):
            for other in sides[index + 1 :]:
                for a in side:
                    for b in other:
                        stands[frozenset((a, b))] = [a, b, "war"]
    else:
        for a_name, b_name, status in given:
            a, b = find_power(board, a_name), find_power(board, b_name)
            stands[frozenset((a, b))] = [a, b, status]
    return list(stands.values())


def _counters(
    board: Board, printed: Mapping[str, Mapping[str, int]], given: Mapping[str, Any], from_setup: bool
) -> dict[str, dict[str, int]]:
    """Money and other counts: without a set-up a power whose `ipc` is not named has none."""
    counters = {power: dict(counts) for power, counts in printed.items()}
    if not from_setup:
        for counts in counters.values():
            counts.update({name: 0 for name in counts if name.startswith("ipc")})
    for name, said in given.items():
        counts = counters.setdefault(find_power(board, name), {})
        for key, value in said.items():
            if isinstance(value, int) and not isinstance(value, bool):
                counts.update(_in_parts(counts, key, value))
            elif key == "ipc" and isinstance(value, Mapping):
                counts.update({f"ipc_{treasury}": amount for treasury, amount in value.items()})
    return counters


def _in_parts(counts: Mapping[str, int], key: str, value: int) -> dict[str, int]:
    """A count that this power keeps in parts, divided evenly over those that have a holder, the odd one to the first.

    Funds that wait to be divided between treasuries (`british-convoys`) get nothing.
    """
    parts = [name for name in counts if name.startswith(f"{key}_") and "-" not in name]
    if not parts or key in counts:
        return {key: value}
    share, odd = divmod(value, len(parts))
    return {name: share + (place < odd) for place, name in enumerate(parts)}


def _technologies(board: Board, given: Mapping[str, Any]) -> Iterator[Fact]:
    for name, said in given.items():
        for technology in said.get("technologies", ()):
            yield "technology_gained", {"power": find_power(board, name), "technology": technology}


def _history(rules: RuleSet, entries: Any) -> Iterator[tuple[str, Any]]:
    """Marks of what happened before: declarations of war, captures that a later rule asks about."""
    board = rules.board
    past: dict[str, Any] = {}
    for entry in entries:
        if "declared" in entry:
            by, *upon = (find_power(board, name) for name in entry["declared"])
            past.update(rules.judgements["marks_of_declaration"](rules, past, by, tuple(upon)))
        if "captured" in entry:
            space, by = find_space(board, entry["captured"]), find_power(board, entry["by"])
            past.update(rules.judgements["marks_of_capture"](rules, past, space, by, "history"))
    yield from past.items()


def _victories_held(rules: RuleSet, setup: Mapping[str, Any], entries: Any) -> Iterator[tuple[str, Any]]:
    """Conditions of victory that hold since a capture of the history."""
    captures = _captures(rules.board, entries)
    held = evolve(State(), Emitted(0, "board_set_up", 0, setup, ()))
    yield from victory_in_history(rules, held, captures)


def _captures(board: Board, entries: Any) -> list[tuple[int, str, str]]:
    """(round, space, by) of the captures of a history."""
    return [
        (int(entry["round"]), find_space(board, entry["captured"]), find_power(board, entry["by"]))
        for entry in entries
        if "captured" in entry
    ]


def _pools(board: Board, given: Mapping[str, Any]) -> dict[str, Any]:
    """Ships off the map, written like the units of a space; each power's own."""
    return {
        f"pool:{power}": {"units": said["pool"]}
        for power, said in ((find_power(board, name), said) for name, said in given.items())
        if "pool" in said
    }


def _task_forces(board: Board, pieces: Sequence[Fact], given: Any) -> Iterator[Fact]:
    """Ships that stand in a zone as task forces; each ship belongs to one."""
    taken: set[str] = set()
    for number, force in enumerate(given, start=1):
        power, zone = find_power(board, force["power"]), find_space(board, force["space"])
        rows = [row for _, body in pieces if (body["space"], body["owner"]) == (zone, power) for row in body["units"]]
        ships: list[str] = []
        for name, count in force["units"].items():
            kind = find_kind(board, name)
            fitting = [row[0] for row in rows if row[1] == kind and row[0] not in taken]
            ships += fitting[:count]
            taken.update(fitting[:count])
        group = {"group": f"{power}-given-{number}", "kind": force["kind"], "power": power, "space": zone}
        yield "group_formed", {**group, "units": ships, "data": {"zone": zone}}


# -- pieces -----------------------------------------------------------------------------------------------------------


def _pieces(board: Board, named: Mapping[str, Any], from_setup: bool, phase: str) -> Roster:
    roster = Roster(board)
    if from_setup:
        for space, owner, kind, count in printed_units(board):
            if space not in named or "units" not in named[space]:
                for _ in range(count):
                    roster.add(space, owner, kind)
    for space, row in named.items():
        _stand(roster, board, space, row.get("units", {}), phase, None)
    roster.board_aircraft()
    return roster


def _stand(roster: Roster, board: Board, space: str, units: Mapping[str, Any], phase: str, aboard: str | None) -> None:
    for owner_name, kinds in units.items():
        owner = find_power(board, owner_name)
        for kind_name, said in kinds.items():
            kind = find_kind(board, kind_name)
            for one in [{}] * said if isinstance(said, int) else said:
                unit_id = roster.add(space, owner, kind, aboard=aboard, **_state_of(board, kind, one, phase))
                _stand(roster, board, space, one.get("cargo", {}), phase, unit_id)


def _state_of(board: Board, kind: str, said: Mapping[str, Any], phase: str) -> dict[str, Any]:
    """Damage, movement used and marks of one piece: `moved`, `fought`, `submerged`, `cap`."""
    noted: dict[str, Any] = {}
    spent = 0
    if said.get("moved"):
        spent = board.units[kind].move if said["moved"] is True else int(said["moved"])
        noted[marks.MOVED] = "combat_move"
    if said.get("fought"):
        noted[marks.FOUGHT] = True
    if said.get("submerged"):
        noted[marks.SUBMERGED] = True
    if said.get("cap"):
        noted[marks.CAP] = find_space(board, said["cap"])
    return {"damage": int(said.get("damage", 0)), "spent": spent, "marks": noted}
