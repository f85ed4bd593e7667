"""The board as printed: spaces, borders, canals, powers and sides. It never changes during a campaign."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.board.units import UnitType, unit_types

LAND, SEA, NEUTRAL, IMPASSABLE = "land", "sea", "neutral", "impassable"


@dataclass(frozen=True, slots=True)
class Space:
    """A territory or sea zone: its id, printed name, kind, IPC value and what is printed on it."""

    id: str
    name: str
    kind: str
    ipc: int
    original_owner: str | None
    start_controller: str | None
    island: bool
    capital_of: str | None
    victory_city: str | None
    aliases: tuple[str, ...]
    data: Mapping[str, Any]

    @property
    def is_sea(self) -> bool:
        """Whether ships sail here."""
        return self.kind == SEA


@dataclass(frozen=True, slots=True)
class Power:
    """A nation on the board. `order` is its place in the round; `playable` is false for those without a turn."""

    id: str
    name: str
    side: str
    capital: str | None
    starting_ipc: int
    order: int
    playable: bool
    color: str


@dataclass(frozen=True, slots=True)
class Canal:
    """A passage between two zones, open to those who hold the spaces that control it."""

    name: str
    between: tuple[str, str]
    controlled_by: tuple[str, ...]


@dataclass(frozen=True)
class Board:
    """A printed map with its unit table and everything else the facts of one edition say."""

    id: str
    title: str
    edition: str
    rule_prefix: str
    spaces: Mapping[str, Space]
    neighbours: Mapping[str, tuple[str, ...]]
    powers: Mapping[str, Power]
    sides: Mapping[str, tuple[str, ...]]
    units: Mapping[str, UnitType]
    canals: tuple[Canal, ...]
    facts: Mapping[str, Any]
    _side_of: Mapping[str, str] = field(default_factory=dict)

    def space(self, space_id: str) -> Space:
        """The space of that id; KeyError names what is missing."""
        return self.spaces[space_id]

    def adjacent(self, a: str, b: str) -> bool:
        """Whether two spaces share a border."""
        return b in self.neighbours[a]

    def seas_beside(self, space_id: str) -> tuple[str, ...]:
        """Sea zones next to a space, in the board's order."""
        return tuple(n for n in self.neighbours[space_id] if self.spaces[n].is_sea)

    def lands_beside(self, space_id: str) -> tuple[str, ...]:
        """Everything that is not sea next to a space, in the board's order."""
        return tuple(n for n in self.neighbours[space_id] if not self.spaces[n].is_sea)

    def side_of(self, power: str) -> str:
        """The side a power belongs to; its own id if it belongs to none."""
        return self._side_of.get(power, power)

    def allied(self, a: str, b: str) -> bool:
        """Whether two powers are printed on the same side (whatever their relations in play)."""
        return self.side_of(a) == self.side_of(b)

    def distance(self, start: str, goal: str, may_enter: Callable[[str], bool], limit: int = 99) -> int | None:
        """Fewest steps from start to goal through spaces that `may_enter` (the goal included); None if beyond limit."""
        return self.reach(start, may_enter, limit).get(goal)

    def reach(self, start: str, may_enter: Callable[[str], bool], limit: int) -> dict[str, int]:
        """Every space within `limit` steps through spaces that `may_enter`, with its distance, nearest first."""
        found = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            steps = found[here] + 1
            if steps > limit:
                continue
            for there in self.neighbours[here]:
                if there not in found and may_enter(there):
                    found[there] = steps
                    queue.append(there)
        return found

    def path(self, start: str, goal: str, may_enter: Callable[[str], bool], limit: int = 99) -> tuple[str, ...] | None:
        """A shortest path with both ends; among equals the first in the board's order. None if there is none."""
        before: dict[str, str] = {start: ""}
        queue = deque([(start, 0)])
        while queue:
            here, steps = queue.popleft()
            if here == goal:
                path = [here]
                while before[path[-1]]:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if steps == limit:
                continue
            for there in self.neighbours[here]:
                if there not in before and may_enter(there):
                    before[there] = here
                    queue.append((there, steps + 1))
        return None

    def in_board_order(self, space_ids: Iterable[str]) -> tuple[str, ...]:
        """The given spaces in the order of the board, each once."""
        wanted = set(space_ids)
        return tuple(space for space in self.spaces if space in wanted)


_SPACE_COMMON = {
    "id", "name", "kind", "ipc", "original_owner", "start_controller", "island", "capital_of", "victory_city",
    "aliases",
}  # fmt: skip


def board_from_facts(facts: Mapping[str, Any]) -> Board:
    """Build the board of one scenario from its facts file (see docs/facts.md for the keys)."""
    spaces = {
        row["id"]: Space(
            id=row["id"],
            name=row["name"],
            kind=row["kind"],
            ipc=row.get("ipc") or 0,
            original_owner=row.get("original_owner"),
            start_controller=row.get("start_controller"),
            island=bool(row.get("island")),
            capital_of=row.get("capital_of"),
            victory_city=row.get("victory_city"),
            aliases=tuple(row.get("aliases", ())),
            data={key: value for key, value in row.items() if key not in _SPACE_COMMON},
        )
        for row in facts["spaces"]
    }
    beside: dict[str, list[str]] = {space: [] for space in spaces}
    for a, b in facts["adjacency"]:
        beside[a].append(b)
        beside[b].append(a)
    rank = {space: index for index, space in enumerate(spaces)}
    powers = {
        row["id"]: Power(
            id=row["id"],
            name=row["name"],
            side=row["side"],
            capital=row.get("capital"),
            starting_ipc=row.get("starting_ipc") or 0,
            order=row.get("turn_order") or 0,
            playable=bool(row.get("playable")),
            color=row.get("color", "#888888"),
        )
        for row in facts["powers"]
    }
    sides = {row["id"]: tuple(row["powers"]) for row in facts["sides"]}
    return Board(
        id=facts["id"],
        title=facts["title"],
        edition=facts.get("edition", ""),
        rule_prefix=facts["rule_prefix"],
        spaces=spaces,
        neighbours={space: tuple(sorted(near, key=rank.__getitem__)) for space, near in beside.items()},
        powers=powers,
        sides=sides,
        units=unit_types(facts["units"]),
        canals=tuple(
            Canal(row["name"], (row["between"][0], row["between"][1]), tuple(row["controlled_by"]))
            for row in facts.get("canals", ())
        ),
        facts=facts,
        _side_of={power: side for side, members in sides.items() for power in members},
    )
