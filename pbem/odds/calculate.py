"""The odds of a battle under a rule set: from the units in it to the distribution of its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from pbem.board.state import State, Unit
from pbem.odds import opening as before
from pbem.odds.aiming import Aim, Keys, Reached, aim_at, explore
from pbem.odds.amounts import Amounts, Array, Floats, Fractions, Ints, Scaled
from pbem.odds.chain import Chain, Flow, going_under
from pbem.odds.dice import ALL, REST, STRIKERS, Table, make_table, present_in, thrown_by, values_of
from pbem.odds.force import HURT, WHOLE, Force, make_force
from pbem.odds.outcome import Expected, Left, Odds, OddsUnknown, WrongForces, half_up, near_half
from pbem.odds.program import Check, Ending, Meeting, Overrun, Program, compile_steps
from pbem.odds.setting import Setting, make_battle
from pbem.rules.battle.model import ATTACK, BOTH_GONE, DEFEND, LOST, OPENED, STANDOFF, WON, Battle, other_side
from pbem.rules.order_model import Casualties
from pbem.rules.ruleset import RuleSet

SMALL = 400
"""Pairs of states up to which exact fractions are tried before integers of growing length."""

Losses = Mapping[str, Casualties]


def odds_of(
    rules: RuleSet, state: State, battle: Battle, losses: Losses | None = None, *, way_out: bool = False
) -> Odds:
    """The odds of a battle as it stands; before its first round bombardment and AA fire are part of it.

    `losses` are the players' lists by side (priorities: `Casualties` with `first`), else the default orders hold.
    Nobody retreats; transports that attack and are left alone are lost unless they have a `way_out` (P40-6.5.11).
    Raises OddsUnknown where the rule set has steps that odds do not know, or the forces are too mixed.
    """
    amounts = Floats()
    meeting, flow = work_out(amounts, rules, state, battle, losses or {}, way_out=way_out)
    return _summary(amounts, meeting, flow)


def exact_odds_of(rules: RuleSet, state: State, battle: Battle, losses: Losses | None = None) -> dict[str, Fraction]:
    """Chances, rounds, losses and hits of a small battle as exact fractions, by the names of `Odds`."""
    amounts = Fractions()
    meeting, flow = work_out(amounts, rules, state, battle, losses or {})
    return _figures(amounts, meeting, flow)


def expected_of(rules: RuleSet, state: State, battle: Battle, losses: Losses | None = None) -> Expected:
    """What a whole battle is expected to bring, for a comparison with what happened."""
    odds = odds_of(rules, state, battle, losses)
    return Expected(
        odds.attacker_wins,
        odds.rounds,
        odds.attacker_hits,
        odds.defender_hits,
        odds.attacker_loss_ipc,
        odds.defender_loss_ipc,
    )


def expected_between(rules: RuleSet, setting: Setting) -> Expected | None:
    """The same for forces by kind, as a report knows them from a battle's first event; None where odds are unknown."""
    try:
        return expected_of(rules, *make_battle(rules, setting))
    except (OddsUnknown, WrongForces):
        return None


def attacker_ppm(rules: RuleSet, state: State, battle: Battle, losses: Losses | None = None) -> int:
    """The attacker's chance to win in parts per million, halves up: the same on every machine.

    Where floating point comes within 1e-9 of a boundary, integers with proven bounds or fractions decide.
    """
    amounts = Floats()
    meeting, flow = work_out(amounts, rules, state, battle, losses or {})
    chance = float(_chance(amounts, flow, WON))
    if not near_half(chance):
        return half_up(Fraction(chance))
    if meeting.attackers.states.shape[0] * meeting.defenders.states.shape[0] <= SMALL:
        return half_up(exact_odds_of(rules, state, battle, losses)["attacker_wins"])
    low = missing = Fraction(0)
    for bits in (256, 1024):
        scaled = Scaled(bits)
        meeting, flow = work_out(scaled, rules, state, battle, losses or {})
        low = Fraction(int(_chance(scaled, flow, WON)), scaled.one)
        missing = 1 - Fraction(sum(int(ends.sum()) for ends in flow.ends.values()), scaled.one)
        if half_up(low) == half_up(low + missing):
            return half_up(low)
    return half_up(low + missing)


# -- working it out -------------------------------------------------------------------------------------------------


def work_out(
    amounts: Amounts, rules: RuleSet, state: State, battle: Battle, losses: Losses, *, way_out: bool = False
) -> tuple[Meeting, Flow]:
    """Both sides' states and the flow between them."""
    program = compile_steps(rules, battle.kind)
    forces = {
        side: make_force(rules, state, battle, side, battle.unhurt(state, side), losses.get(side))
        for side in (ATTACK, DEFEND)
    }
    submerging = forces[DEFEND].able("submerge") if program.choose is not None else 0
    keys = {ATTACK: Keys(forces[ATTACK], 0), DEFEND: Keys(forces[DEFEND], submerging)}
    opening = before.begin(
        amounts, rules, state, battle, forces[ATTACK], forces[DEFEND], keys[ATTACK], keys[DEFEND]
    )  # fmt: skip
    tests = []
    overrun: Overrun | None = None
    if battle.round == 0:
        for name, step in program.openings:
            if isinstance(step, Check):
                tests.append(step.test)
            elif isinstance(step, Overrun):
                overrun = step
            elif tests:
                raise OddsUnknown(f"odds do not know what {name!r} does after a test whether the battle is over")
            elif name not in battle.notes.get(OPENED, ()):
                step.act(opening)
    rounds = _unlike_rounds(rules, state, battle)
    sides = _Sides(amounts, rules, state, forces, program, keys, submerging, before.sides(opening), way_out)
    meetings = sides.meetings(rounds)
    chain = Chain(amounts, meetings[0], program)
    number = {
        side: {int(key): index for index, key in enumerate(keys[side].of(meetings[0].table(side).states).tolist())}
        for side in (ATTACK, DEFEND)
    }
    for (ours, unhurt, full), chance in opening.starts.items():
        row, column, firing = number[ATTACK][ours], number[DEFEND][unhurt], number[DEFEND][full]
        if tests and chain.finish_at_once(tuple(tests), row, firing, chance):
            continue
        if overrun is not None and overrun.holds(opening, *_units(meetings[0], row, column)):
            chain.overrun(row, firing, chance)
        elif unhurt == full:
            chain.start(row, column, chance)
        else:
            chain.start_with_hits(row, column, firing, chance)
    for meeting in meetings[1:]:
        flow, left = chain.run_once()
        chain = Chain(amounts, meeting, program)
        chain.go_on(flow, left)
    flow = chain.run()
    flow.hits[ATTACK] = flow.hits[ATTACK] + opening.attacker_hits
    flow.hits[DEFEND] = flow.hits[DEFEND] + opening.defender_hits
    return meetings[-1], flow


def _unlike_rounds(rules: RuleSet, state: State, battle: Battle) -> list[Battle]:
    """The battle in its next round, and in those after it where dice are not the same there.

    The judgement `round_is_unlike` (state, battle) of a rule set tells whether a round is not like the later ones.
    """
    following = replace(battle, round=battle.round + 1)
    unlike = "round_is_unlike" in rules.judgements and rules.judge("round_is_unlike", state, following)
    return [following, replace(battle, round=battle.round + 2)] if unlike else [following]


def _units(meeting: Meeting, row: int, column: int) -> tuple[list[Unit], list[Unit]]:
    """The units of a pair of states."""
    found = []
    for table, number in ((meeting.attackers, row), (meeting.defenders, column)):
        columns = enumerate(table.states[number].tolist())
        found.append([unit for stack, (whole, hurt, _) in columns for unit in table.force.members(stack, whole, hurt)])
    return found[0], found[1]


@dataclass(frozen=True, slots=True)
class _Sides:
    """Both sides before the first round, to be set against each other as they fight in each kind of round."""

    amounts: Amounts
    rules: RuleSet
    state: State
    forces: Mapping[str, Force]
    program: Program
    keys: Mapping[str, Keys]
    submerging: int
    starts: Mapping[str, set[int]]
    way_out: bool

    def meetings(self, rounds: Sequence[Battle]) -> list[Meeting]:
        """A meeting for each kind of round, all with the same states in the same order."""
        striking = {side: self.forces[side].able(self.program.strikers) for side in (ATTACK, DEFEND)}
        aims = {
            side: [
                _aims(self.rules, self.state, battle, self.forces[side], self.forces[other_side(side)], self.program,
                      striking[side])
                for battle in rounds
            ]
            for side in (ATTACK, DEFEND)
        }  # fmt: skip
        tables: dict[str, list[Table]] = {ATTACK: [], DEFEND: []}
        for side in (ATTACK, DEFEND):
            reached = self._reached(side, [aim for found in aims[other_side(side)] for aim in found.all])
            place = 0
            for battle, own, foes in zip(rounds, aims[side], aims[other_side(side)], strict=True):
                here = replace(reached, after=reached.after[place : place + len(foes.all)])
                place += len(foes.all)
                tables[side].append(make_table(
                    self.amounts, self.rules, self.state, battle, self.forces[side], here, own.all, own.number,
                    _whos(self.program), striking[side],
                ))  # fmt: skip
        pairs = zip(tables[ATTACK], tables[DEFEND], strict=True)
        return [Meeting(self.rules, attackers, defenders, self.way_out) for attackers, defenders in pairs]

    def _reached(self, side: str, aims: Sequence[Aim]) -> Reached:
        more = partial(_may_submerge, self.forces[side], self.submerging if side == DEFEND else 0)
        keys = self.keys[side]
        first = keys.states(np.array(sorted(self.starts[side]), dtype=keys.kind))
        return explore(self.forces[side], keys, first, aims, more)


@dataclass(frozen=True, slots=True)
class Aims:
    """All aims of a side, and whether it matters that aircraft find submarines, or that only aircraft are left."""

    all: tuple[Aim, ...]
    finding: bool
    flying: bool

    def number(self, finds: bool, only_aircraft: bool) -> int:
        """Which aim holds."""
        return (self.finding and finds) + (1 + self.finding) * (self.flying and only_aircraft)


def _whos(program: Program) -> tuple[str, ...]:
    return (ALL, STRIKERS, REST) if program.choose is not None else (ALL,)


def _aims(
    rules: RuleSet, state: State, battle: Battle, force: Force, enemy: Force, program: Program, striking: int
) -> Aims:
    """The aims of a side at its enemy."""
    dice: dict[str, int] = {}
    valued = values_of(rules, state, battle, force, force.start.tolist())
    for who in _whos(program):
        some: dict[str, int] = {}
        for (category, _), count in thrown_by(rules, state, force, valued, who, striking).items():
            some[category] = some.get(category, 0) + count
        for category, count in some.items():
            dice[category] = max(dice.get(category, 0), count)
    for (stack, value), _ in valued.counts.items():
        if value >= 1:
            # Dice that hit in a way of their own are for some rounds only: whom the unit can hit at all tells this.
            dice.setdefault(force.stacks[stack].category, 0)
    without = aim_at(rules, enemy, dice, False)
    found = aim_at(rules, enemy, dice, True) if force.able("anti_submarine") else without
    differs = found.reach != without.reach or found.group_of != without.group_of
    plain = (without, found) if differs else (without,)
    flying = tuple(replace(aim, aircraft=True) for aim in plain) if enemy.minds_aircraft else ()
    return Aims((*plain, *flying), differs, bool(flying))


def _may_submerge(force: Force, bits: int, states: Ints) -> list[Ints]:
    """The states that defenders' states turn into when their submarines go under."""
    if not bits:
        return []
    present = present_in(states)
    some = ((present & bits) != 0) & ((present & force.able("surface_warship")) == 0)
    return [going_under(bits, states[some])]


# -- summing up -----------------------------------------------------------------------------------------------------


def _chance(amounts: Amounts, flow: Flow, result: str) -> Any:
    found = amounts.one - amounts.one
    for ending, chances in flow.ends.items():
        if ending.result == result:
            found = found + chances.sum()
    return found


def _figures(amounts: Amounts, meeting: Meeting, flow: Flow) -> dict[str, Any]:
    """The figures of `Odds` in the numbers of the calculation."""
    found = {
        "attacker_wins": _chance(amounts, flow, WON),
        "defender_wins": _chance(amounts, flow, LOST),
        "both_gone": _chance(amounts, flow, BOTH_GONE),
        "standoff": _chance(amounts, flow, STANDOFF),
        "rounds": flow.rounds,
        "attacker_hits": flow.hits[ATTACK],
        "defender_hits": flow.hits[DEFEND],
    }
    for side, name in ((ATTACK, "attacker_loss_ipc"), (DEFEND, "defender_loss_ipc")):
        table = meeting.table(side)
        costs = np.array([stack.cost for stack in table.force.stacks], dtype=np.int64)
        loss = amounts.one - amounts.one
        for ending, chances in flow.ends.items():
            left = _left(table, ending).sum(axis=2)
            worth = (table.force.start.sum(axis=1)[None, :] - left) @ costs
            loss = loss + (chances.sum(axis=1 if side == ATTACK else 0) * worth).sum()
        found[name] = loss
    return found


def _left(table: Table, ending: Ending) -> Ints:
    """The states of a side after an ending took its units."""
    if ending.side != table.force.side:
        return table.states
    found = table.states.copy()
    for number, stack in enumerate(table.force.stacks):
        if ending.lost == "*" or stack.kind.can(ending.lost):
            found[:, number, WHOLE] = found[:, number, HURT] = 0
    return found


def _summary(amounts: Amounts, meeting: Meeting, flow: Flow) -> Odds:
    figures = {name: amounts.value(value) for name, value in _figures(amounts, meeting, flow).items()}
    return Odds(
        attacker_wins=figures["attacker_wins"],
        defender_wins=figures["defender_wins"],
        both_gone=figures["both_gone"],
        standoff=figures["standoff"],
        rounds=figures["rounds"],
        attacker_loss_ipc=figures["attacker_loss_ipc"],
        defender_loss_ipc=figures["defender_loss_ipc"],
        attacker_hits=figures["attacker_hits"],
        defender_hits=figures["defender_hits"],
        survivors={
            "attacker": _survivors(meeting.attackers, flow, 1),
            "defender": _survivors(meeting.defenders, flow, 0),
        },
    )


def _survivors(table: Table, flow: Flow, axis: int) -> tuple[Left, ...]:
    """What may be left of a side, most probable first."""
    chances: dict[tuple[tuple[str, int, int], ...], float] = {}
    for ending, ends in flow.ends.items():
        marginal: Array = ends.sum(axis=axis)
        states = _left(table, ending)
        for number in np.flatnonzero(marginal).tolist():
            key = _by_kind(table.force, states[number].tolist())
            chances[key] = chances.get(key, 0.0) + float(marginal[number])
    return tuple(
        Left(
            units={kind: count for kind, count, _ in key},
            damaged={kind: hurt for kind, _, hurt in key if hurt},
            probability=chance,
        )
        for key, chance in sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    )


def _by_kind(force: Force, row: Sequence[Sequence[int]]) -> tuple[tuple[str, int, int], ...]:
    counts: dict[str, list[int]] = {}
    ranked = sorted(zip(force.stacks, row, strict=True), key=lambda pair: pair[0].kind.rank)
    for stack, columns in ranked:
        sums = counts.setdefault(stack.kind.id, [0, 0])
        sums[0] += sum(columns)
        sums[1] += 0 if stack.kind.can("repairs_end_of_battle") else columns[HURT]
    return tuple((kind, count, hurt) for kind, (count, hurt) in counts.items() if count)
