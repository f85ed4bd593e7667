"""One side of a battle as stacks of equal units, and the orders in which they are lost. It throws no dice.

What is left of a side is a small table: for each stack how many units are whole, how many are damaged and how many
left the fight alive (submerged). Stacks are made from the rule set's own order of losses, place by place, so that
within a stack always the next unit in that order goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pbem.board.state import State, Unit
from pbem.board.units import UnitType
from pbem.odds.amounts import Ints
from pbem.odds.outcome import OddsUnknown
from pbem.rules.battle.firing import category_of
from pbem.rules.battle.hits import DAMAGES, Place, in_legal_order, places, toughness
from pbem.rules.battle.loss_orders import default_order, domain_of, listed_order
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, other_side
from pbem.rules.order_model import Casualties
from pbem.rules.query import can, is_air
from pbem.rules.ruleset import RuleSet

WHOLE, HURT, OUT = 0, 1, 2
"""Columns of a state: units undamaged (or with one hit to take), damaged, out of the fight but alive."""

DAMAGE, SINK, SINK_HURT, BOTH = "damage", "sink", "sink_hurt", "both"
"""What a run of places does: damage whole units, destroy units (damaged ones first), destroy damaged ones only, or
damage and destroy whole units one by one."""

ALWAYS, NO_FLYERS, SEVERAL_OWNERS, ONLY_AIRCRAFT = "always", "no_flyers", "several_owners", "only_aircraft"
"""When an order of loss holds: always, when no aircraft needs a deck any more, when units of several powers are hit,
when the enemy has nothing but aircraft left."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Units alike for this battle; `units` in the order of loss, `cost` in IPC with what goes down with one."""

    kind: UnitType
    owner: str
    units: tuple[Unit, ...]
    category: str
    cost: int
    flyer: bool
    two: bool
    """Whether a unit of it takes two hits."""


@dataclass(frozen=True, slots=True)
class Run:
    """Places of one stack that follow each other in an order of loss."""

    does: str
    stack: int


@dataclass(frozen=True, slots=True)
class Preference:
    """An order of loss and when it holds; later ones of a force go before earlier ones."""

    when: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Force:
    """A side at the start: its stacks, its first state (stacks x 3) and its orders of loss."""

    side: str
    stacks: tuple[Stack, ...]
    start: Ints
    preferences: tuple[Preference, ...]

    @property
    def minds_aircraft(self) -> bool:
        """Whether losses go otherwise where only aircraft are left to the enemy."""
        return any(preference.when == ONLY_AIRCRAFT for preference in self.preferences)

    def mask(self, test: Callable[[Stack], bool]) -> int:
        """The stacks that pass a test, as bits."""
        return sum(1 << index for index, stack in enumerate(self.stacks) if test(stack))

    def able(self, ability: str) -> int:
        """The stacks with an ability of the unit table, as bits."""
        return self.mask(lambda stack: stack.kind.can(ability))

    def stack_of(self, unit_id: str) -> int:
        """The stack of a unit."""
        for index, stack in enumerate(self.stacks):
            if any(unit.id == unit_id for unit in stack.units):
                return index
        raise KeyError(unit_id)

    def members(self, stack: int, whole: int, hurt: int) -> tuple[Unit, ...]:
        """The units of a stack that are left, as the unit table and judgements see them."""
        units = self.stacks[stack].units
        left = units[len(units) - whole - hurt :]
        if not self.stacks[stack].two:
            return left
        damages = [1] * hurt + [0] * whole
        return tuple(
            unit if unit.damage == damage else replace(unit, damage=damage)
            for unit, damage in zip(left, damages, strict=True)
        )


def make_force(
    rules: RuleSet,
    state: State,
    battle: Battle,
    side: str,
    units: Sequence[Unit],
    said: Casualties | None = None,
) -> Force:
    """A side of a battle with these units; `said` is the player's list of losses, if there is one."""
    for unit in units:
        if toughness(rules, unit) > 2:
            raise OddsUnknown(f"odds are not worked out for units that take {toughness(rules, unit)} hits")
    here = with_side(battle, side, [unit.id for unit in units])
    exposed = [unit for unit in units if not can(rules, unit, "never_casualty")]
    safe = [unit for unit in units if can(rules, unit, "never_casualty")]
    ordered = _ordered(rules, state, here, side, exposed, said)
    sequences = [_sinking(ordered)]
    flyers = _deck_flyers(rules, state, here, units)
    landed: list[Place] | None = None
    if flyers and _cares_for_decks(rules, here, side):
        gone = with_side(here, side, [unit.id for unit in units if unit.id not in flyers])
        landed = _ordered(rules, state, gone, side, [unit for unit in exposed if unit.id not in flyers], said)
        sequences.append(_sinking(landed))
    foes = [unit.id for unit in battle.units(state, other_side(side)) if is_air(rules, unit)]
    raided = _ordered(rules, state, with_side(here, other_side(side), foes), side, exposed, said) if foes else ordered
    if raided != ordered:
        sequences.append(_sinking(raided))
    shared = _attacker_chooses(rules, side, exposed, said)
    if shared:
        sequences += _dearest_sequences(rules, exposed)
    stacks = _stacks(rules, state, here, {unit.id: unit for unit in units}, sequences, safe, flyers)
    index = {unit.id: number for number, stack in enumerate(stacks) for unit in stack.units}
    preferences = [Preference(ALWAYS, _runs(ordered, index))]
    if landed is not None:
        preferences.append(Preference(NO_FLYERS, _runs(landed, index)))
    if raided != ordered:
        preferences.append(Preference(ONLY_AIRCRAFT, _runs(raided, index)))
    if shared:
        preferences.append(Preference(SEVERAL_OWNERS, _dearest_runs(stacks, exposed)))
    start = np.zeros((len(stacks), 3), dtype=np.int64)
    for number, stack in enumerate(stacks):
        for unit in stack.units:
            start[number, HURT if unit.damage and stack.two else WHOLE] += 1
    return Force(side, stacks, start, tuple(preferences))


def with_side(battle: Battle, side: str, ids: list[str]) -> Battle:
    """The battle with these units on one side."""
    return replace(battle, attackers=ids) if side == ATTACK else replace(battle, defenders=ids)


def _ordered(
    rules: RuleSet, state: State, battle: Battle, side: str, units: Sequence[Unit], said: Casualties | None
) -> list[Place]:
    """All places of these units in the order in which hits are given to them."""
    offered = places(rules, units)
    order = default_order(rules, state, battle, side, offered)
    if said is not None:
        order, _ = listed_order(rules, state, battle, said, offered, order, None, len(offered))
    return in_legal_order(order)


def _sinking(ordered: Sequence[Place]) -> list[str]:
    return [place.unit for place in ordered if place.effect != DAMAGES]


def _deck_flyers(rules: RuleSet, state: State, battle: Battle, units: Sequence[Unit]) -> frozenset[str]:
    """Aircraft that need the side's decks: aboard, or launched from a sea zone, and not scrambled."""
    if domain_of(rules.board, battle) != "sea":
        return frozenset()
    spaces = rules.board.spaces
    return frozenset(
        unit.id
        for unit in units
        if can(rules, unit, "carrier_capable")
        and unit.mark("scrambled_from") is None
        and (unit.aboard is not None or (start := unit.mark("start", unit.space)) in spaces and spaces[start].is_sea)
    )


def _cares_for_decks(rules: RuleSet, battle: Battle, side: str) -> bool:
    words = rules.parameter("loss_orders")[f"{domain_of(rules.board, battle)}_{side}"]
    return any(str(word).endswith("/damage_empty") for word in words)


def _attacker_chooses(rules: RuleSet, side: str, units: Sequence[Unit], said: Casualties | None) -> bool:
    """Whether silent defenders of several powers leave the choice to the attacker."""
    silent = rules.parameters.get("silent_defenders", "default") != "default"
    return side == DEFEND and said is None and silent and len({unit.owner for unit in units}) > 1


def _dearest_key(rules: RuleSet, unit: Unit) -> tuple[int, int]:
    return -(rules.board.units[unit.kind].cost or 0), int(unit.id[1:])


def _dearest_sequences(rules: RuleSet, units: Sequence[Unit]) -> list[list[str]]:
    return [[unit.id for unit in sorted(units, key=lambda unit: _dearest_key(rules, unit))]]


def _dearest_runs(stacks: Sequence[Stack], units: Sequence[Unit]) -> tuple[Run, ...]:
    """What an attacker takes from defenders who do not agree: the dearest first, undamaged ships last."""
    exposed = {unit.id for unit in units}
    ranked = sorted(
        (number for number, stack in enumerate(stacks) if stack.units[0].id in exposed),
        key=lambda number: (
            -(stacks[number].kind.cost or 0),
            min(int(unit.id[1:]) for unit in stacks[number].units),
        ),
    )
    weak = [Run(SINK_HURT if stacks[number].two else SINK, number) for number in ranked]
    return (*weak, *(Run(BOTH, number) for number in ranked if stacks[number].two))


def _stacks(
    rules: RuleSet,
    state: State,
    battle: Battle,
    units: dict[str, Unit],
    sequences: Sequence[Sequence[str]],
    safe: Sequence[Unit],
    flyers: frozenset[str],
) -> tuple[Stack, ...]:
    """Neighbours in every order of loss that are alike are one stack."""
    others = [{unit_id: number for number, unit_id in enumerate(sequence)} for sequence in sequences[1:]]
    fighting = {*battle.attackers, *battle.defenders}

    def cost(unit: Unit) -> int:
        table = rules.board.units
        cargo = (piece for piece in state.cargo_of(unit.id) if piece.id not in fighting)
        return (table[unit.kind].cost or 0) + sum(table[piece.kind].cost or 0 for piece in cargo)

    def likeness(unit: Unit) -> tuple[Any, ...]:
        return (
            unit.kind, unit.owner, unit.id in flyers, cost(unit), can(rules, unit, "never_casualty"),
            toughness(rules, unit), unit.id in battle.landed,
        )  # fmt: skip

    def together(first: Unit, second: Unit) -> bool:
        if likeness(first) != likeness(second):
            return False
        return all(
            where.get(second.id, 0) - where.get(first.id, 0) == 1 or (first.id not in where and second.id not in where)
            for where in others
        )

    lots: list[list[Unit]] = []
    for unit in [*(units[unit_id] for unit_id in sequences[0]), *safe]:
        if lots and together(lots[-1][-1], unit):
            lots[-1].append(unit)
        else:
            lots.append([unit])
    return tuple(
        Stack(
            rules.board.units[lot[0].kind],
            lot[0].owner,
            tuple(lot),
            category_of(rules, lot[0]),
            cost(lot[0]),
            lot[0].id in flyers,
            toughness(rules, lot[0]) > 1,
        )
        for lot in lots
    )


def _runs(ordered: Sequence[Place], stack_of: dict[str, int]) -> tuple[Run, ...]:
    """Places as runs of stacks; within an order all damage that is taken before ships are lost stays before it."""
    runs: list[Run] = []
    for place in ordered:
        run = Run(DAMAGE if place.effect == DAMAGES else SINK, stack_of[place.unit])
        if not runs or runs[-1] != run:
            runs.append(run)
    return tuple(dict.fromkeys(runs))
