"""The position at one moment: frozen values that the reducer (`evolve`) builds from events. It decides nothing.

Keys of the maps are plain ids; everything is kept in insertion order, which the events determine, so that the same
log gives the same state to the byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

Json = Any


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece, with an id for life.

    `space` is where it is (cargo: the carrier's space; a pool off the map: `pool:POWER`). `aboard` is the id of the
    ship it stands on. `damage` counts hits taken, `spent` movement points used this turn. `marks` are facts about
    the piece that rules wrote down (`from`, `fought`, `submerged`...), as sorted (key, value) pairs.
    """

    id: str
    kind: str
    owner: str
    space: str
    aboard: str | None = None
    damage: int = 0
    spent: int = 0
    marks: tuple[tuple[str, Json], ...] = ()

    def mark(self, key: str, default: Json = None) -> Json:
        """The value of one mark, or `default`."""
        for name, value in self.marks:
            if name == key:
                return value
        return default


@dataclass(frozen=True, slots=True)
class SpaceState:
    """Who controls a space and which facilities stand there, as (kind, damage) pairs in order of building."""

    controller: str | None
    facilities: tuple[tuple[str, int], ...] = ()

    def facility(self, kind: str) -> int | None:
        """Damage of the facility of that kind; None if there is none."""
        for name, damage in self.facilities:
            if name == kind:
                return damage
        return None


@dataclass(frozen=True, slots=True)
class Window:
    """What the campaign waits for: from whom, for what, until when.

    `kind` is `orders`, `reactions` (the opponents' sealed window) or `decisions` (in mid-battle). `phases` are those
    an orders window asks for; `asks` what the others ask, as public JSON ({key, power, kind, space, ...}). `deadline`
    is milliseconds UTC or None. `ready` are the powers that need not be waited for any more, `answered` those from
    whom something was received, the last at `heard_at`.
    """

    id: str
    kind: str
    powers: tuple[str, ...]
    phases: tuple[str, ...]
    asks: tuple[Json, ...]
    opened_at: int
    deadline: int | None
    ready: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    opened_seq: int = 0
    heard_at: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Several units that act as one, such as a task force. `data` is what its rules wrote down."""

    id: str
    kind: str
    power: str
    space: str
    units: tuple[str, ...]
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Card:
    """A card drawn: `id` of this copy in play, its deck, where it is (`hand`, `table`, `discard`, `used`...), whose.

    `name` is None where the reader of the log may not know it. `ready` tells a weapon that lies face down.
    """

    id: str
    deck: str
    place: str
    power: str | None
    name: str | None = None
    ready: bool = True
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """Everything that is on the table. Treat every map as read-only."""

    settings: Mapping[str, Json] = field(default_factory=dict)
    size: int = 0
    round: int = 0
    power: str | None = None
    phase: str | None = None
    segment: str | None = None
    units: Mapping[str, Unit] = field(default_factory=dict)
    spaces: Mapping[str, SpaceState] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)
    purchases: Mapping[str, int] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)
    technologies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marks: Mapping[str, Json] = field(default_factory=dict)
    groups: Mapping[str, Group] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(default_factory=dict)
    decks: Mapping[str, Json] = field(default_factory=dict)
    windows: Mapping[str, Window] = field(default_factory=dict)
    orders: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    standing: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    entropy: Mapping[str, str] = field(default_factory=dict)
    next_unit: int = 1
    paused: bool = False
    winner: str | None = None

    def units_in(self, space: str) -> Iterator[Unit]:
        """Pieces in a space, cargo included, in the order of their creation."""
        return (unit for unit in self.units.values() if unit.space == space)

    def cargo_of(self, unit_id: str) -> Iterator[Unit]:
        """Pieces aboard a ship."""
        return (unit for unit in self.units.values() if unit.aboard == unit_id)

    def controller(self, space: str) -> str | None:
        """Who controls a space; None for nobody and for spaces that are never controlled."""
        held = self.spaces.get(space)
        return held.controller if held else None

    def counter(self, power: str, name: str = "ipc") -> int:
        """A power's count of something (`ipc`, `kamikaze`, `oil`, `victory_points`...); 0 if never counted.

        Where it is kept in parts, such as the treasuries `ipc_india` and `ipc_australia`, their sum.
        """
        key = f"{power}/{name}"
        if key in self.counters:
            return self.counters[key]
        return sum(count for part, count in self.counters.items() if part.startswith(f"{key}_"))

    def counters_of(self, power: str) -> dict[str, int]:
        """Everything a power counts, by name: money, oil, kamikazes."""
        start = f"{power}/"
        return {key[len(start) :]: count for key, count in self.counters.items() if key.startswith(start)}

    def purchased(self, power: str) -> dict[str, int]:
        """What a power has bought and not yet placed, by kind."""
        start = f"{power}/"
        return {key[len(start) :]: count for key, count in self.purchases.items() if key.startswith(start) and count}

    def relation(self, a: str, b: str) -> str:
        """How two powers stand: `war`, `neutral`, `allied`, ...; a power is `allied` with itself."""
        if a == b:
            return "allied"
        return self.relations.get(relation_key(a, b), "neutral")

    def at_war(self, a: str, b: str) -> bool:
        """Whether two powers are at war."""
        return a != b and self.relations.get(relation_key(a, b)) == "war"


def relation_key(a: str, b: str) -> str:
    """The key of a pair of powers in `State.relations`: both ids in alphabetical order."""
    return f"{a}|{b}" if a < b else f"{b}|{a}"


CARD_ORDERS = "cards"
"""The key under which card plays for the present turn are filed."""
SEALED_PHASES = (CARD_ORDERS, "draw_card")
"""Keys of orders that no window opens: they are read line by line, each at its moment, and stay sealed if unused."""


def without_lines(lines: Iterable[Json], texts: Iterable[str]) -> tuple[Json, ...]:
    """Lines ({text, ...}) without one for each of the texts: who wrote a line twice has it once more."""
    gone = Counter(texts)
    left = []
    for line in lines:
        if gone[line["text"]]:
            gone[line["text"]] -= 1
        else:
            left.append(line)
    return tuple(left)


def orders_key(power: str, phase: str) -> str:
    """The key of a power's filed orders for a phase in `State.orders`."""
    return f"{power}/{phase}"


# -- JSON, for snapshots and for comparing states byte by byte --------------------------------------------------------


def state_to_json(state: State) -> dict[str, Json]:
    """A state as plain JSON; `state_from_json` reads it back."""
    out: dict[str, Json] = {}
    for item in fields(State):
        value = getattr(state, item.name)
        if item.name == "units":
            value = [
                [u.id, u.kind, u.owner, u.space, u.aboard, u.damage, u.spent, [list(pair) for pair in u.marks]]
                for u in value.values()
            ]
        elif item.name == "spaces":
            value = {key: [held.controller, [list(pair) for pair in held.facilities]] for key, held in value.items()}
        elif item.name == "windows":
            value = [{f.name: _plain(getattr(window, f.name)) for f in fields(Window)} for window in value.values()]
        elif item.name == "groups":
            value = [{f.name: _plain(getattr(group, f.name)) for f in fields(Group)} for group in value.values()]
        elif item.name == "cards":
            value = [{f.name: _plain(getattr(card, f.name)) for f in fields(Card)} for card in value.values()]
        else:
            value = _plain(value)
        out[item.name] = value
    return out


def _plain(value: Json) -> Json:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _tupled(row: Mapping[str, Json]) -> dict[str, Json]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def state_from_json(data: Mapping[str, Json]) -> State:
    """The state that `state_to_json` wrote."""
    value = dict(data)
    value["units"] = {
        row[0]: Unit(row[0], row[1], row[2], row[3], row[4], row[5], row[6], tuple((k, v) for k, v in row[7]))
        for row in data["units"]
    }
    value["spaces"] = {
        key: SpaceState(row[0], tuple((kind, damage) for kind, damage in row[1])) for key, row in data["spaces"].items()
    }
    value["windows"] = {row["id"]: Window(**_tupled(row)) for row in data["windows"]}
    value["groups"] = {row["id"]: Group(**{**row, "units": tuple(row["units"])}) for row in data["groups"]}
    value["cards"] = {row["id"]: Card(**row) for row in data["cards"]}
    value["technologies"] = {key: tuple(row) for key, row in data["technologies"].items()}
    value["orders"] = {key: tuple(row) for key, row in data["orders"].items()}
    value["standing"] = {key: tuple(row) for key, row in data["standing"].items()}
    return State(**value)
