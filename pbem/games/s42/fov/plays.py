"""Cards in play this turn: who played which, on which battle and units; written as marks that every chapter reads.

A play is kept in the turn's mark `PLAYS`; each unit that its holder chose for a card carries the mark `CARD`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.s42.fov import hands
from pbem.games.s42.fov.table import CARDS
from pbem.rules import marks
from pbem.rules.script import Game

PLAYS = "turn/cards"
"""The plays of this turn in their order, as JSON."""
CARD = "card"
"""Mark of a unit under a card of its own side: the card's id (FOV-5.1.1)."""
PAIRED = "paired"
"""Mark of tanks and infantry of a Mechanized Offensive."""
LENT = "lent"
"""Mark of a bomber that its owner's partner commands in this turn: the owner."""


def lent_by(power: str, partner: str) -> str:
    """True while a power's bombers are lent for the partner's next turn."""
    return f"fov/lent/{power}/{partner}"


def tank_lost(space: str) -> str:
    """True once an enemy tank was destroyed in the battle for a territory in this turn (FOV-F08.1)."""
    return f"turn/tank_lost/{space}"


PLACED_FREE = "turn/card_units"
"""Lists of complexes, one for each free unit that used their capacity."""


@dataclass(frozen=True, slots=True)
class Play:
    """One card played: by whom, the copy, the battle or raid it is for, the units it affects, and what else it says.

    `facility` is the territory of the complex it affects, `battle` the space whose one tactics card it is.
    """

    card: str
    power: str
    copy: str
    space: str | None = None
    units: tuple[str, ...] = ()
    facility: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As it is kept in the mark."""
        return {
            "card": self.card, "power": self.power, "copy": self.copy, "space": self.space, "units": list(self.units),
            "facility": self.facility, "data": dict(self.data),
        }  # fmt: skip


def plays(state: State) -> list[Play]:
    """All plays of this turn."""
    return [
        Play(row["card"], row["power"], row["copy"], row["space"], tuple(row["units"]), row["facility"], row["data"])
        for row in state.marks.get(PLAYS, ())
    ]


def in_force(state: State, card: str, space: str | None = None) -> list[Play]:
    """The plays of a card this turn, in one battle if that is named."""
    return [play for play in plays(state) if play.card == card and space in (None, play.space)]


def under_card(unit: Unit) -> bool:
    """Whether a unit is under a card of its own side that was played on it (FOV-5.1.1, FOV-5.1.5)."""
    return unit.mark(CARD) is not None


def is_in_raid(state: State, facility: str | None, units: Iterable[str]) -> bool:
    """Whether what a card is played on takes part in a raid: a complex, a raider or an interceptor."""
    there = (state.units[unit_id] for unit_id in units if unit_id in state.units)
    return facility is not None or any(unit.mark(marks.JOB) == "raid" or unit.mark(marks.INTERCEPTED) for unit in there)


def as_laid(state: State, more: Iterable[Play]) -> State:
    """The position with more plays in force, as the others will find it once they are laid."""
    units = dict(state.units)
    rows = list(state.marks.get(PLAYS, ()))
    for play in more:
        rows.append(play.to_json())
        for unit_id in play.units:
            unit = units[unit_id]
            others = tuple(mark for mark in unit.marks if mark[0] != CARD)
            units[unit_id] = replace(unit, marks=(*others, (CARD, play.card)))
    return replace(state, units=units, marks={**state.marks, PLAYS: rows})


def lay(game: Game, play: Play, moment: str, more: Mapping[str, Any] | None = None) -> None:
    """Reveal a play: the card is turned up or discarded, written down, and told to everybody (FOV-4.1.2).

    Its units are marked with it.
    """
    kind = CARDS[play.card]
    beside = [other for other in plays(game.state) if other.power == play.power and other.space == play.space]
    together = ("FOV-5.1.3",) if beside and play.space is not None else ()
    told: dict[str, Any] = {
        "power": play.power, "card": play.copy, "name": play.card, "deck": kind.deck, "moment": moment,
        "space": play.space, "units": counted(game.state, play.units), "ids": list(play.units), **(more or {}),
    }  # fmt: skip
    game.emit("card_played", told, (*kind.rules, "FOV-4.1.1", "FOV-4.1.2", *together))
    hands.use(game, play.copy)
    rows = [*game.state.marks.get(PLAYS, ()), play.to_json()]
    game.emit("mark_set", {"key": PLAYS, "value": rows})


def mark(game: Game, play: Play, more: Mapping[str, Any] | None = None) -> None:
    """The units of a play carry its mark, and whatever else it does to them."""
    there = [unit_id for unit_id in play.units if unit_id in game.state.units]
    if there:
        game.emit("units_marked", {"units": there, "set": {CARD: play.card, **(more or {})}, "why": "card"})


def counted(state: State, ids: Sequence[str]) -> list[list[Any]]:
    """[owner, kind, number] rows for units, for the record."""
    counts: dict[tuple[str, str], int] = {}
    for unit_id in ids:
        unit = state.units.get(unit_id)
        if unit is not None:
            counts[unit.owner, unit.kind] = counts.get((unit.owner, unit.kind), 0) + 1
    return [[owner, kind, number] for (owner, kind), number in counts.items()]


def tell(game: Game, play: Play, result: str, rules: Sequence[str], more: Mapping[str, Any] | None = None) -> None:
    """`card_worked`: what a card did when its time came; `nothing` if its condition fails (FOV-4.1.5, FOV-R36)."""
    told = {"power": play.power, "card": play.copy, "name": play.card, "space": play.space, "result": result}
    cited = (*rules, "FOV-4.1.5") if result == "nothing" else rules
    game.emit("card_worked", {**told, **(more or {})}, cited)
