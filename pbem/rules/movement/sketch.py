"""A private copy of the position on which a phase's orders are tried before anything is emitted.

Moves of a phase are simultaneous (P40-4.1.2): whether a line is legal may depend on lines below it (an escort, a
landing, a carrier). So a whole phase is planned on a sketch; what holds is then emitted line by line. A sketch applies
the board's own reducer, holds no rule, and can go back to where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.board.evolve import HANDLERS, Draft
from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.query import acting, can
from pbem.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that a planned line does: an event to emit, or (`type` `capture`) a step of the rule set to run."""

    type: str
    payload: Mapping[str, Any]
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Planned:
    """A planned event in the form that the reducer reads."""

    type: str
    payload: Mapping[str, Any]
    seq: int = 0
    at: int = 0


_COPIED = ("units", "spaces", "marks", "counters")


class Sketch:
    """The position while a power's moves of one phase are planned.

    `state` is a live view: it shows every deed at once. `deeds` is what was done so far. Zones that are hostile, and
    those with an enemy destroyer or submarine, are read once: enemies do not move while a power moves.

    `line` is the number of the line that is being tried, `forks` those that could have taken pieces with more or with
    less movement left, `turned` those that shall take the most moved ones first (see `planning`).
    """

    def __init__(self, rules: RuleSet, state: State, power: str, phase: str) -> None:
        self.rules = rules
        self.board = rules.board
        self.power = power
        self.acting = acting(rules, power)
        self.phase = phase
        self._draft = Draft(state, _COPIED)
        self.state: State = self._draft.freeze()
        self.deeds: list[Deed] = []
        self.line = -1
        self.forks: set[int] = set()
        self.turned: frozenset[int] = frozenset()
        self.memory: dict[Any, Any] = {}
        self._by_space: dict[str, list[Unit]] | None = None
        self.enemies = frozenset(other for other in (*self.board.powers, "neutral") if state.at_war(power, other))
        self.hostile: frozenset[str] = frozenset()
        self.destroyers: frozenset[str] = frozenset()
        self.submarines: frozenset[str] = frozenset()
        self._read_zones()

    def _read_zones(self) -> None:
        seas: dict[str, None] = {}
        destroyers, submarines = [], []
        for unit in self.state.units.values():
            if unit.owner in self.enemies and unit.space in self.board.spaces and self.board.spaces[unit.space].is_sea:
                seas[unit.space] = None
                if self.can(unit, "anti_submarine"):
                    destroyers.append(unit.space)
                if self.can(unit, "submerge") and not unit.mark(marks.SUBMERGED):
                    submarines.append(unit.space)
        self.hostile = frozenset(
            zone for zone in seas if self.rules.judge("hostile_zone", self.state, self.power, zone)
        )
        if "bars_submarines" in self.rules.judgements:
            destroyers = [zone for zone in seas if self.rules.judge("bars_submarines", self.state, self.power, zone)]
        self.destroyers = frozenset(destroyers)
        self.submarines = frozenset(submarines)

    # -- looking

    def here(self, space: str) -> list[Unit]:
        """Pieces in a space, cargo included, in the order of their creation."""
        if self._by_space is None:
            index: dict[str, list[Unit]] = {}
            for unit in self.state.units.values():
                index.setdefault(unit.space, []).append(unit)
            self._by_space = index
        return self._by_space.get(space, [])

    def enemies_in(self, space: str) -> list[Unit]:
        """Pieces there of powers at war with the one that moves, those aboard included."""
        return [unit for unit in self.here(space) if unit.owner in self.enemies]

    def own_in(self, space: str) -> list[Unit]:
        """The moving power's pieces there, cargo included, and those of powers that move with it."""
        return [unit for unit in self.here(space) if unit.owner in self.acting]

    def spent_first(self, units: Iterable[Unit]) -> bool:
        """Whether the line at hand takes the most moved of these first; notes that it has a choice."""
        spent = {unit.spent for unit in units}
        if len(spent) < 2:
            return False
        self.forks.add(self.line)
        return self.line in self.turned

    def cargo(self, ship: str) -> list[Unit]:
        """What stands on a ship."""
        return [unit for unit in self.here(self.state.units[ship].space) if unit.aboard == ship]

    def unit(self, unit_id: str) -> Unit:
        """A piece as it is now."""
        return self.state.units[unit_id]

    def points(self, unit: Unit) -> int:
        """Movement points a piece has left."""
        left: int = self.rules.judge("movement_points", self.state, unit)
        return left

    def can(self, unit: Unit, ability: str) -> bool:
        """Whether a piece's kind has an ability."""
        return can(self.rules, unit, ability)

    def name(self, space: str) -> str:
        """A space's printed name."""
        return self.board.spaces[space].name

    # -- doing and undoing

    def do(self, event_type: str, payload: Mapping[str, Any], rules: Iterable[str] = ()) -> None:
        """Plan one event, and let it happen on the sketch."""
        self.deeds.append(Deed(event_type, payload, tuple(rules)))
        self._apply(event_type, payload)

    def capture(self, space: str, units: Iterable[str]) -> None:
        """Plan the step `capture` for a territory that these pieces take in passing."""
        ids = tuple(units)
        self.deeds.append(Deed("capture", {"space": space, "units": ids}))
        before = self.state.controller(space)
        self._apply("control_changed", {"space": space, "from": before, "to": self.power})
        if marks.taken(space) not in self.state.marks:
            self._apply("mark_set", {"key": marks.taken(space), "value": before or ""})

    def _apply(self, event_type: str, payload: Mapping[str, Any]) -> None:
        HANDLERS[event_type][0](self._draft, payload, _Planned(event_type, payload))
        self._reindex(event_type, payload)
        if event_type == "control_changed":
            self.memory.clear()

    def _reindex(self, event_type: str, payload: Mapping[str, Any]) -> None:
        """Keep the index of pieces by space: only spaces that an event names are read again."""
        index = self._by_space
        if index is None or "units" not in payload:
            return
        if event_type == "units_marked":
            touched = {self.state.units[unit_id].space for unit_id in payload["units"]}
        elif event_type in ("units_moved", "units_loaded", "units_unloaded"):
            touched = {payload["from"], payload.get("zone") or payload["to"]}
        else:
            self._by_space = None
            return
        members = sorted({unit.id for space in touched for unit in index.get(space, ())}, key=lambda i: int(i[1:]))
        lists: dict[str, list[Unit]] = {space: [] for space in touched}
        for unit_id in members:
            unit = self.state.units[unit_id]
            lists[unit.space].append(unit)
        index.update(lists)

    def save(self) -> tuple[Any, ...]:
        """Where the sketch stands now, for `restore`."""
        return (*(dict(getattr(self._draft, name)) for name in _COPIED), len(self.deeds))

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to where `save` was called."""
        for name, value in zip(_COPIED, saved, strict=False):
            live = getattr(self._draft, name)
            live.clear()
            live.update(value)
        del self.deeds[saved[-1] :]
        self._by_space = None
        self.memory.clear()
