"""The recorded faces as a source of dice: each roll of the rules gets the faces of its battle, round and side.

The record may have split one batch of the rules into several (submarines, aircraft, the rest); they are put together,
and each die goes to a unit that needs as much. What does not fit is noted and answered with misses, so that the rest
can still be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.audit.turns_record import Die, Entry, Fought, Turn
from pbem.board.map import Board
from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll
from pbem.rules.battle.dice_steps import (
    AA_FIRE,
    AIR_ATTACKERS,
    AIR_DEFENDERS,
    ATTACKING_SUBMARINES,
    BOMBARDMENT,
    BOMBS,
    DEFENDING_SUBMARINES,
    FACILITY_FIRE,
    KAMIKAZE,
    side_of_step,
)

MISS = 6
_RAID_STEPS = (AIR_ATTACKERS, AIR_DEFENDERS, FACILITY_FIRE, BOMBS)
_STRIKES = (ATTACKING_SUBMARINES, DEFENDING_SUBMARINES)
_AA = re.compile(r"\baa\b|anti", re.IGNORECASE)
_IN_BATTLE = re.compile(r"battle round", re.IGNORECASE)
_ROLLS = ("roll", "aa_roll", "bombard")


@dataclass(slots=True)
class _Batch:
    """One recorded batch and whether it was handed out."""

    battle: Fought
    entry: Entry
    used: bool = False


@dataclass(slots=True)
class TurnDice:
    """Hands out a turn's recorded faces. `problems` lists what did not fit, `given` and `hits`
    what is recorded for each purpose."""

    board: Board
    turn: Turn
    given: dict[str, tuple[Die, ...]] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    _batches: list[_Batch] = field(default_factory=list)
    _convoys: dict[str, list[int]] = field(default_factory=dict)
    _strikes: list[int] = field(default_factory=list)
    _stream: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._batches = [
            _Batch(battle, entry)
            for battle in self.turn.battles
            for entry in battle.entries
            if entry.what in _ROLLS and entry.dice and not entry.surplus
        ]
        self._stream = [row for row in self.turn.stream if not _IN_BATTLE.search(row[0])]
        for zone, faces in self.turn.income.convoy_rolls:
            self._convoys.setdefault(zone, []).extend(faces)
        self._strikes = [face for strike in self.turn.strikes for face in strike.faces]

    # -- rolling

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        """The recorded faces for a purpose; a note and misses for what is not recorded."""
        step = purpose.step.partition("#")[0]
        name = step.partition(":")[0]
        if name == "convoy":
            dice = [Die(face, 0, "") for face in self._convoys.pop(purpose.space or "", [])]
        elif name == KAMIKAZE:
            dice = [Die(face, 0, "") for face in self._strikes[:count]]
            del self._strikes[:count]
        else:
            dice = self._fire(purpose, name, count) or self._elsewhere(purpose, count)
        if len(dice) != count:
            self.problems.append(f"{_place(purpose)}: {count} dice are rolled, {len(dice)} are recorded")
        self.given[purpose.text()] = tuple(dice)
        faces = (*(die.face for die in dice), *(MISS,) * count)[:count]
        return Roll(None, None, None, purpose.text(), dict(entropy), faces, "recorded")

    def _fire(self, purpose: Purpose, name: str, count: int) -> list[Die]:
        fitting = [batch for batch in self._batches if not batch.used and self._is_for(batch, purpose, name)]
        if name in _STRIKES:
            fitting = [batch for batch in fitting if self._only_submarines(batch.entry)] or fitting[:1]
        taken = fitting if sum(len(batch.entry.dice) for batch in fitting) <= count else _first(fitting, count)
        for batch in taken:
            batch.used = True
        dice = [die for batch in taken for die in batch.entry.dice]
        if taken and all(batch.entry.hits is not None for batch in taken):
            self.hits[purpose.text()] = sum(batch.entry.hits or 0 for batch in taken)
        return sorted(dice, key=lambda die: (die.need, self._rank(die.kind)))

    def _elsewhere(self, purpose: Purpose, count: int) -> list[Die]:
        """Dice outside battles, such as fire at aircraft that pass: told only in the stream of all dice."""
        space = self.board.spaces.get(purpose.space or "")
        if space is None or any(not batch.used and batch.battle.space == space.id for batch in self._batches):
            return []
        for index, (text, faces) in enumerate(self._stream):
            named = any(name.lower() in text.lower() for name in (space.id, space.name, *space.aliases))
            if named and len(faces) == count and bool(_AA.search(text)) == purpose.step.startswith(AA_FIRE):
                del self._stream[index]
                return [Die(face, 0, "") for face in faces]
        return []

    def _is_for(self, batch: _Batch, purpose: Purpose, name: str) -> bool:
        if batch.battle.space != purpose.space or (batch.battle.kind == "raid") != (name in _RAID_STEPS):
            return False
        if name == AA_FIRE:
            return batch.entry.what == "aa_roll"
        if name == BOMBARDMENT:
            return batch.entry.what == "bombard"
        if batch.battle.kind == "raid":
            return batch.entry.side in (None, side_of_step(name))
        return (
            batch.entry.what == "roll"
            and batch.entry.round == purpose.battle_round
            and batch.entry.side == side_of_step(name)
        )

    def _only_submarines(self, entry: Entry) -> bool:
        return bool(entry.units) and all(self.board.units[some.kind].can("submerge") for some in entry.units)

    def _rank(self, kind: str) -> int:
        return self.board.units[kind].rank if kind in self.board.units else 0

    # -- afterwards

    def unused(self) -> Iterator[tuple[Fought, Entry]]:
        """Batches that no roll of the rules asked for."""
        for batch in self._batches:
            if not batch.used:
                yield batch.battle, batch.entry

    def unused_convoys(self) -> Mapping[str, Sequence[int]]:
        """Convoy dice that were not rolled, by zone."""
        return {zone: faces for zone, faces in self._convoys.items() if faces}


def _first(batches: Sequence[_Batch], count: int) -> list[_Batch]:
    """The first batches that together have this many dice, else the first one alone."""
    taken: list[_Batch] = []
    total = 0
    for batch in batches:
        if total >= count:
            break
        taken.append(batch)
        total += len(batch.entry.dice)
    return taken if total == count else taken[:1]


def _place(purpose: Purpose) -> str:
    where = purpose.space or "no space"
    if purpose.battle_round:
        where = f"{where}, round {purpose.battle_round}"
    return f"{where}, {purpose.step}"
