"""What the steps of a battle mean for its odds: volleys, the moments when losses go, and tests whether it is over.

This file knows what the common steps mean. A game that brings steps of its own gives their meanings in the parameter
`odds_steps` (name of the step -> meaning); a step that nobody explains makes the odds unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from pbem.board.state import Unit
from pbem.odds import opening
from pbem.odds.amounts import Array
from pbem.odds.dice import Table
from pbem.odds.outcome import OddsUnknown
from pbem.rules.battle import aa_fire, bombardment, land_battle, retreat, rounds, sea_battle, submarines
from pbem.rules.battle.model import (
    ATTACK,
    BOTH_GONE,
    CLOSING,
    DEFEND,
    LOST,
    OPENING,
    STANDOFF,
    WON,
    BattleStep,
    other_side,
)
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Ending:
    """How a battle ends, and which units are lost with it: those of a side that have this ability (`*`: all)."""

    result: str
    side: str | None = None
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Both sides of a battle, state by state, for tests: matrices of attackers' states x defenders' states."""

    rules: RuleSet
    attackers: Table
    defenders: Table
    way_out: bool

    def each(self, side: str, values: Array) -> Array:
        """A value for each state of a side, so that it meets every state of the other."""
        return values[:, None] if side == ATTACK else values[None, :]

    def table(self, side: str) -> Table:
        """One side."""
        return self.attackers if side == ATTACK else self.defenders

    def there(self, side: str) -> Array:
        """Where a side still has units in the battle."""
        return self.each(side, self.table(side).fights)

    def any_can(self, side: str, ability: str) -> Array:
        """Where a side has a unit with an ability."""
        return self.each(side, self.table(side).any_can(ability))

    def all_can(self, side: str, ability: str) -> Array:
        """Where a side has nobody but units with an ability."""
        return self.each(side, self.table(side).all_can(ability))

    def able(self, side: str) -> Array:
        """Where an armed unit of a side can hit somebody."""
        if side == ATTACK:
            found = (self.attackers.armed[:, None] & self.defenders.present[None, :]) != 0
        else:
            found = (self.defenders.armed[None, :] & self.attackers.present[:, None]) != 0
        return np.asarray(found)


Test = Callable[[Meeting], list[tuple[Array, Ending]]]
"""Where (a matrix of truths) a battle ends how; the first that holds counts."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """A step that changes nothing before the battle is decided."""


@dataclass(frozen=True, slots=True)
class Volley:
    """A side fires; `strikers` means those that struck by surprise, else all that did not. `at_once`: no reply."""

    side: str
    strikers: bool = False
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Remove:
    """Units hit leave the battle."""


@dataclass(frozen=True, slots=True)
class Check:
    """A test whether the battle is over."""

    test: Test


@dataclass(frozen=True, slots=True)
class Choose:
    """The round begins: who may strikes by surprise (`strikes`), defenders' submarines submerge (`goes_under`).

    `strikers` is the ability of those that strike.
    """

    strikes: Callable[[Meeting, str], Array]
    goes_under: Callable[[Meeting], Array]
    strikers: str = "surprise_strike"


@dataclass(frozen=True, slots=True)
class Open:
    """Something done once before the first round (see `opening`)."""

    act: opening.Act


@dataclass(frozen=True, slots=True)
class Overrun:
    """Where `holds` (opening, attackers, defenders) the defenders fire once and are gone, without a round of battle."""

    holds: Callable[[opening.Opening, Sequence[Unit], Sequence[Unit]], bool]


Meaning = Nothing | Volley | Remove | Check | Choose | Open | Overrun


# -- tests ----------------------------------------------------------------------------------------------------------


def nobody_left(meeting: Meeting) -> list[tuple[Array, Ending]]:
    """A side has nobody left (P40-6.4.6)."""
    ours, theirs = meeting.there(ATTACK), meeting.there(DEFEND)
    return [(ours & ~theirs, Ending(WON)), (~ours & theirs, Ending(LOST)), (~ours & ~theirs, Ending(BOTH_GONE))]


def end_test(meeting: Meeting) -> list[tuple[Array, Ending]]:
    """A side has nobody left, or neither can hit the other (P40-6.4.6)."""
    return [*nobody_left(meeting), (~meeting.able(ATTACK) & ~meeting.able(DEFEND), Ending(STANDOFF))]


def settle(meeting: Meeting) -> list[tuple[Array, Ending]]:
    """The end of a round at sea: transports without defence are sunk (P40-6.5.9, 6.5.10, 6.5.12)."""
    rules, ours, theirs = meeting.rules, meeting.attackers, meeting.defenders
    harmless = theirs.force.able("no_combat_value")
    hidden = harmless | theirs.force.able("air_needs_destroyer")
    flying = ours.force.mask(lambda stack: is_air(rules, stack.units[0]))
    only_helpless = meeting.each(DEFEND, theirs.only(harmless))
    with_hidden = meeting.each(DEFEND, theirs.only(hidden) & theirs.any_of(harmless)) & meeting.each(
        ATTACK, ours.only(flying)
    )
    can = meeting.able(ATTACK)
    return [
        (can & only_helpless, Ending(WON, DEFEND, "no_combat_value")),
        (can & with_hidden, Ending(STANDOFF, DEFEND, "no_combat_value")),
        *end_test(meeting),
    ]


def lone_transports(meeting: Meeting) -> list[tuple[Array, Ending]]:
    """After the strikes: only transports are left to the defender (P40-6.5.9)."""
    lone = meeting.all_can(DEFEND, "no_combat_value") & meeting.able(ATTACK)
    return [(lone, Ending(WON, DEFEND, "no_combat_value")), *nobody_left(meeting)]


def lone_guns(meeting: Meeting) -> list[tuple[Array, Ending]]:
    """Guns that can be casualties are left alone (P40-6.6.6)."""
    return [(meeting.all_can(DEFEND, "anti_air") & meeting.there(ATTACK), Ending(WON, DEFEND, "anti_air"))]


def helpless_attackers(meeting: Meeting) -> list[tuple[Array, Ending]]:
    """Attacking transports left alone: they leave if they have a way out, else they are lost (P40-6.5.11)."""
    lone = meeting.all_can(ATTACK, "no_combat_value") & meeting.able(DEFEND)
    return [(lone, Ending(LOST) if meeting.way_out else Ending(LOST, ATTACK, "*"))]


def submarines_strike(meeting: Meeting, side: str) -> Array:
    """Submarines that could submerge strike where no enemy destroyer is (P40-6.5.3)."""
    able = meeting.table(side)
    bits = able.striking & able.force.able("submerge")
    return meeting.each(side, able.any_of(bits)) & ~meeting.any_can(other_side(side), "anti_submarine")


def never(meeting: Meeting) -> Array:
    """Nobody goes under."""
    return np.zeros((1, 1), dtype=bool)


def submarines_go_under(meeting: Meeting) -> Array:
    """Defenders' submarines submerge without a surface warship of theirs left, if threatened (P40-DP-19).

    Where the parameter `silent_submarines` is `alone`: if only submarines and transports defend (S42-D11).
    """
    submarines = meeting.defenders.force.able("submerge")
    free = ~meeting.any_can(ATTACK, "anti_submarine") & meeting.any_can(DEFEND, "submerge")
    if meeting.rules.parameters.get("silent_submarines") == "alone":
        harmless = submarines | meeting.defenders.force.able("no_combat_value")
        return free & meeting.each(DEFEND, meeting.defenders.only(harmless))
    threatened = (meeting.attackers.armed & submarines) != 0
    return free & ~meeting.any_can(DEFEND, "surface_warship") & meeting.each(ATTACK, threatened)


MEANINGS: Mapping[Callable[..., Any], Meaning] = {
    bombardment.bombardment: Open(opening.bombardment),
    aa_fire.aa_fire: Open(opening.aa_fire),
    aa_fire.lone_guns: Check(lone_guns),
    land_battle.nobody_defends: Check(nobody_left),
    submarines.submarines_choose: Choose(submarines_strike, submarines_go_under),
    submarines.attacking_submarines_strike: Volley(ATTACK, strikers=True),
    submarines.defending_submarines_strike: Volley(DEFEND, strikers=True),
    submarines.remove_struck: Remove(),
    rounds.attackers_fire: Volley(ATTACK),
    rounds.defenders_fire: Volley(DEFEND),
    rounds.remove_casualties: Remove(),
    rounds.end_test: Check(end_test),
    sea_battle.settle_at_once: Check(settle),
    sea_battle.settle: Check(settle),
    sea_battle.lone_transports: Check(lone_transports),
    retreat.press_or_retreat: Check(helpless_attackers),
}
"""What the common steps mean, by what they do in a battle."""

NAMED: Mapping[str, Meaning] = {
    "nothing": Nothing(),
    "end_test": Check(end_test),
    "settle": Check(settle),
    "lone_guns": Check(lone_guns),
    "helpless_attackers": Check(helpless_attackers),
    "remove": Remove(),
    "attackers_fire": Volley(ATTACK),
    "defenders_fire": Volley(DEFEND),
}
"""Meanings that the parameter `odds_steps` may give a game's own steps by name."""


# -- compiling ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phase:
    """Volleys that are fired before anybody hit leaves, and the tests after that. Volleys: None for no fire."""

    attackers: Volley | None
    defenders: Volley | None
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A battle in order: opening acts and tests, the choice of submarines, and the phases of every round."""

    openings: tuple[tuple[str, Open | Check | Overrun], ...]
    choose: Choose | None
    phases: tuple[Phase, ...]

    @property
    def strikers(self) -> str:
        """The ability of those that strike by surprise."""
        return self.choose.strikers if self.choose is not None else "surprise_strike"


def compile_steps(rules: RuleSet, kind: str) -> Program:
    """The program of a kind of battle; OddsUnknown for a step whose meaning nobody gave."""
    openings: list[tuple[str, Open | Check | Overrun]] = []
    choose: Choose | None = None
    phases: list[Phase] = []
    fired: dict[str, Volley] = {}
    last: Volley | None = None
    for step in rules.battles.get(kind, ()):
        if step.when == CLOSING:
            continue
        for meaning in meanings_of(rules, step):
            if step.when == OPENING:
                if isinstance(meaning, Open | Check | Overrun):
                    openings.append((step.name, meaning))
            elif isinstance(meaning, Choose):
                choose = meaning
            elif isinstance(meaning, Volley):
                if meaning.side in fired or (last is not None and last.at_once):
                    phases.append(Phase(fired.get(ATTACK), fired.get(DEFEND), ()))
                    fired = {}
                fired[meaning.side] = last = meaning
            elif isinstance(meaning, Remove):
                phases.append(Phase(fired.get(ATTACK), fired.get(DEFEND), ()))
                fired, last = {}, None
            elif isinstance(meaning, Check):
                if not phases:
                    phases.append(Phase(None, None, ()))
                phases[-1] = Phase(phases[-1].attackers, phases[-1].defenders, (*phases[-1].tests, meaning.test))
    if fired or not phases:
        raise OddsUnknown(f"odds do not know how units that were hit leave the battles of {rules.id}")
    return Program(tuple(openings), choose, tuple(phases))


def meanings_of(rules: RuleSet, step: BattleStep) -> tuple[Meaning, ...]:
    """What a step means: as the rule set says in `odds_steps` (`NAMED` or `module:name`), else by its function.

    A step that a game wrote itself has the meaning its rule set gives it, or none: OddsUnknown.
    """
    said = rules.parameters.get("odds_steps", {}).get(step.name)
    found: Any
    if said is None:
        found = MEANINGS.get(step.function)
    elif isinstance(said, str) and ":" in said:
        module, _, name = said.partition(":")
        found = getattr(import_module(module), name)
    else:
        found = NAMED[said]
    if found is None:
        raise OddsUnknown(f"odds do not know the step {step.name!r} of {rules.id}")
    return found if isinstance(found, tuple) else (found,)
