"""What is printed on a board for the start: control, facilities, relations, money and the set-up chart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.map import Board
from pbem.rules.roster import Fact


def board_set_up(board: Board) -> Fact:
    """The `board_set_up` event of the printed board and its facts (P40-1.1.4, P40-1.1.5, P40-1.2.9, P40-2.2.1)."""
    facilities = [[space.id, kind, 0] for space in board.spaces.values() for kind in space.data.get("facilities", ())]
    counters: dict[str, dict[str, int]] = {
        power.id: {"ipc": power.starting_ipc} for power in board.powers.values() if power.playable
    }
    for economy in board.facts.get("economies", ()):
        counters[economy["power"]].pop("ipc", None)
        counters[economy["power"]][f"ipc_{economy['id']}"] = economy["starting_ipc"]
    for power, counts in board.facts.get("counters", {}).items():
        counters.setdefault(power, {}).update(counts)
    tokens: Mapping[str, Any] = board.facts.get("kamikaze", {})
    if "tokens" in tokens:
        counters[tokens["power"]]["kamikaze"] = tokens["tokens"]
    return (
        "board_set_up",
        {
            "spaces": {space.id: space.start_controller for space in board.spaces.values()},
            "facilities": facilities,
            "relations": start_relations(board),
            "counters": counters,
        },
    )


def start_relations(board: Board) -> list[list[str]]:
    """How each pair of powers stands at the start: as the facts say, else war between sides that fight (P40-2.2.1)."""
    given = board.facts.get("relations_at_start")
    if given is not None:
        return [[row["a"], row["b"], row["status"]] for row in given]
    powers = [power.id for power in board.powers.values() if power.playable]
    return [
        [a, b, "allied" if board.allied(a, b) else "war"] for index, a in enumerate(powers) for b in powers[index + 1 :]
    ]


def printed_units(board: Board) -> list[tuple[str, str, str, int]]:
    """(space, owner, kind, count) of the published set-up, in the board's order of spaces and the table's of kinds.

    Pools off the map (`pool:POWER`) come after all spaces.
    """
    chart: Mapping[str, Mapping[str, Mapping[str, int]]] = board.facts["setup"]
    return [
        (space, owner, kind, chart[space][owner][kind])
        for space in (*board.spaces, *(place for place in chart if place not in board.spaces))
        if space in chart
        for owner in chart[space]
        for kind in sorted(chart[space][owner], key=lambda kind: board.units[kind].rank)
    ]
