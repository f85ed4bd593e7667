"""What happens before the first round: ships bombard, guns fire at aircraft. It gives the states a battle starts from.

Which ships and how many shots is asked of the rules' own functions; only chances are worked out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pbem.board.state import State, Unit
from pbem.odds.aiming import Keys, aim_at, hit_keys
from pbem.odds.amounts import FACES, Amounts
from pbem.odds.force import HURT, WHOLE, Force
from pbem.rules.battle.bombardment import bombard_value, ships_that_fire
from pbem.rules.battle.firing import OTHER
from pbem.rules.battle.loss_orders import aircraft_lost_first
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.marks import AIM, DROPPED
from pbem.rules.query import can, is_air, is_land, type_of
from pbem.rules.ruleset import RuleSet

Start = tuple[int, int, int]
"""A state to start from: the attackers' key, the defenders' key, and the key of the defenders with those hit already,
who still fire once."""


@dataclass(slots=True)
class Opening:
    """A battle before its first round, and the chances of the states it may start from. `hits` are those expected."""

    amounts: Amounts
    rules: RuleSet
    state: State
    battle: Battle
    attackers: Force
    defenders: Force
    attacker_keys: Keys
    defender_keys: Keys
    starts: dict[Start, Any]
    attacker_hits: Any
    defender_hits: Any


Act = Callable[[Opening], None]


def begin(
    amounts: Amounts,
    rules: RuleSet,
    state: State,
    battle: Battle,
    attackers: Force,
    defenders: Force,
    attacker_keys: Keys,
    defender_keys: Keys,
) -> Opening:
    """The one state in which everybody is there."""
    ours = int(attacker_keys.of(attackers.start[None])[0])
    theirs = int(defender_keys.of(defenders.start[None])[0])
    none = amounts.one - amounts.one
    starts = {(ours, theirs, theirs): amounts.one}
    return Opening(
        amounts, rules, state, battle, attackers, defenders, attacker_keys, defender_keys, starts, none, none
    )


def bombardment(opening: Opening) -> None:
    """Each bombarding ship fires once; units hit still fire in the first round (P40-6.3.4-6.3.7, 6.4.1)."""
    rules, state, battle, defenders = opening.rules, opening.state, opening.battle, opening.defenders
    land_only = rules.parameter("bombard_targets") == "land"
    replies = rules.parameters.get("bombard_return_fire", True)
    exposed = [stack.units[0] for stack in defenders.stacks if not land_only or is_land(rules, stack.units[0])]
    if not battle.landed or all(can(rules, unit, "anti_air") for unit in exposed):
        return
    ships = ships_that_fire(rules, state, battle)
    if not ships:
        return
    dice = _counted(bombard_value(rules, ship) for ship in ships)
    allowed = defenders.mask(lambda stack: not land_only or is_land(rules, stack.units[0]))
    aim = aim_at(rules, defenders, {OTHER: len(ships)}, True)
    if not aim.sizes:
        return
    chances = opening.amounts.hits(dice, len(ships) + 1)
    opening.attacker_hits = opening.attacker_hits + opening.amounts.mean(dice)
    starts: dict[Start, Any] = {}
    for (ours, unhurt, full), chance in opening.starts.items():
        states = opening.defender_keys.states(np.array([unhurt], dtype=opening.defender_keys.kind))
        after = hit_keys(defenders, opening.defender_keys, states, aim, allowed)[0].tolist()
        for hits, key in zip(aim.grid[:, 0].tolist(), after, strict=True):
            still = full if replies else int(key)
            _add(starts, (ours, int(key), still), opening.amounts.times(chance, chances[hits]))
    opening.starts = starts


def aa_fire(opening: Opening) -> None:
    """Guns fire once at aircraft, which are lost before they attack (P40-6.6.2, 6.6.4); whose choice, the rules say."""
    rules, state, battle, force = opening.rules, opening.state, opening.battle, opening.attackers
    aircraft = [unit for stack in force.stacks for unit in stack.units if is_air(rules, unit) or unit.mark(DROPPED)]
    shots: tuple[Unit, ...] = rules.judge("aa_shots", state, battle, len(aircraft)) if aircraft else ()
    if not shots:
        return
    dice = _counted(gun.mark(AIM, type_of(rules, gun).figure("hits_on", 1)) for gun in shots)
    chances = opening.amounts.hits(dice, len(shots) + 1)
    opening.defender_hits = opening.defender_hits + opening.amounts.mean(dice)
    attacker_chooses = rules.parameter("aa_casualty_chooser") == "attacker"
    ordered = sorted(
        aircraft, key=lambda unit: aircraft_lost_first(rules, unit, attacker_chooses=attacker_chooses)
    )
    starts: dict[Start, Any] = {}
    for (ours, unhurt, full), chance in opening.starts.items():
        row = opening.attacker_keys.states(np.array([ours], dtype=opening.attacker_keys.kind))
        for hits in range(len(shots) + 1):
            if hits and hits <= len(ordered):
                stack = force.stack_of(ordered[hits - 1].id)
                row[0, stack, WHOLE if row[0, stack, WHOLE] else HURT] -= 1
            left = int(opening.attacker_keys.of(row)[0])
            _add(starts, (left, unhurt, full), opening.amounts.times(chance, chances[hits]))
    opening.starts = starts


def strike(opening: Opening, die: tuple[int, int], most: int) -> None:
    """So many dice, never more than one for each defender not hit yet; who is hit is gone and does not fire."""
    force, keys, amounts = opening.defenders, opening.defender_keys, opening.amounts
    starts: dict[Start, Any] = {}
    for (ours, unhurt, full), chance in opening.starts.items():
        row = keys.states(np.array([unhurt], dtype=keys.kind))
        targets = int(row[0, :, WHOLE].sum() + row[0, :, HURT].sum())
        dice = ((die, min(most, targets)),)
        aim = aim_at(opening.rules, force, {OTHER: dice[0][1]}, True)
        if not aim.sizes or not targets:
            _add(starts, (ours, unhurt, full), chance)
            continue
        opening.attacker_hits = opening.attacker_hits + amounts.times(chance, amounts.mean(dice))
        after = hit_keys(force, keys, row, aim)[0].tolist()
        for hits, share in enumerate(amounts.hits(dice, aim.sizes[0])):
            gone = row - keys.states(np.array([after[hits]], dtype=keys.kind))
            still = keys.states(np.array([full], dtype=keys.kind)) - gone
            _add(starts, (ours, int(after[hits]), int(keys.of(still)[0])), amounts.times(chance, share))
    opening.starts = starts


def _counted(needs: Iterable[int]) -> tuple[tuple[tuple[int, int], int], ...]:
    counts: dict[tuple[int, int], int] = {}
    for need in needs:
        counts[need, FACES] = counts.get((need, FACES), 0) + 1
    return tuple(sorted(counts.items()))


def _add(starts: dict[Start, Any], start: Start, chance: Any) -> None:
    if chance:
        starts[start] = starts[start] + chance if start in starts else chance


def sides(opening: Opening) -> Mapping[str, set[int]]:
    """The keys of the states each side may start from, hit or not."""
    ours = {start[0] for start in opening.starts}
    theirs = {key for start in opening.starts for key in start[1:]}
    return {ATTACK: ours, DEFEND: theirs}
