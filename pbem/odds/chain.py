"""The battle as a chain: how often it visits each pair of states, and with which chance it ends in which.

Losses only ever grow, so the attackers' states are worked through from the fullest to the empty one. Within a row the
attackers stay as they are and the defenders' states form a small triangular system; what flows out of the row goes to
later rows. Rounds in phases (surprise strikes, then the rest) pass through states in mid-round, kept per mode: who
struck by surprise in this round. Flows are kept as they come; where a test ends the battle they go no further.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pbem.odds.amounts import Amounts, Array, Ints
from pbem.odds.dice import ALL, REST, STRIKERS, Table, thrown
from pbem.odds.kernels import Kernels
from pbem.odds.outcome import OddsUnknown
from pbem.odds.program import Ending, Meeting, Program, Test
from pbem.rules.battle.model import ATTACK, BOTH_GONE, DEFEND, WON


@dataclass(slots=True)
class Flow:
    """What the chain yields: chances of the ends by pair of states, expected rounds and hits."""

    ends: dict[Ending, Array] = field(default_factory=dict)
    rounds: Any = 0
    hits: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Tests:
    """A verdict on every pair: -1 to go on, else the number of an ending; whether it is over, and where in a row."""

    codes: Ints
    over: Array
    somewhere: list[bool]
    endings: tuple[Ending, ...]


class Chain:
    """A battle between two tables under a program."""

    def __init__(self, amounts: Amounts, meeting: Meeting, program: Program) -> None:
        self.amounts = amounts
        self.meeting = meeting
        self.program = program
        self.ours, self.theirs = meeting.attackers, meeting.defenders
        self.size = len(self.ours), len(self.theirs)
        self.tests = [self.judge(phase.tests) for phase in program.phases]
        self.modes = self._modes()
        self.once = False
        self.goes_under: Array = np.zeros(self.size[0], dtype=bool)
        self.under = self._under()
        nothing = amounts.one - amounts.one
        self.flow = Flow(rounds=nothing, hits={ATTACK: nothing, DEFEND: nothing})
        self.begun = amounts.zeros(*self.size)
        self.ended = amounts.zeros(*self.size)
        self.visits = amounts.zeros(*self.size)
        self.midway: dict[tuple[int, int], Array] = {}
        self.fired: dict[tuple[int, int], Array] = {}
        self.kernels = Kernels(amounts, self.ours, self.theirs)

    # -- what is fixed for every pair

    def judge(self, tests: tuple[Test, ...]) -> _Tests:
        """The first test that holds decides."""
        codes = np.full(self.size, -1, dtype=np.int64)
        endings: list[Ending] = []
        for test in tests:
            for where, ending in test(self.meeting):
                if ending not in endings:
                    endings.append(ending)
                codes[(codes < 0) & np.broadcast_to(where, self.size)] = endings.index(ending)
        somewhere = [bool(row.any()) for row in codes >= 0]
        return _Tests(codes, codes >= 0, somewhere, tuple(endings))

    def _modes(self) -> Ints:
        """Who strikes by surprise in a round that begins with a pair: 1 the attackers, 2 the defenders, 3 both."""
        modes = np.zeros(self.size, dtype=np.int64)
        if self.program.choose is None:
            return modes
        for side, weight in ((ATTACK, 1), (DEFEND, 2)):
            modes += weight * self.program.choose.strikes(self.meeting, side).astype(np.int64)
        return modes

    def _under(self) -> Ints | None:
        """For each pair the defenders' state when their submarines have chosen; None if none ever submerges."""
        if self.program.choose is None:
            return None
        goes = np.broadcast_to(self.program.choose.goes_under(self.meeting), self.size)
        self.goes_under = np.asarray(goes.any(axis=1))
        if not goes.any():
            return None
        return np.where(goes, submerged(self.theirs)[None, :], np.arange(self.size[1])[None, :])

    # -- running

    def start(self, ours: int, theirs: int, chance: Any) -> None:
        """A round begins with this pair."""
        self.begun[ours, theirs] += chance

    def start_with_hits(self, ours: int, theirs: int, firing: int, chance: Any) -> None:
        """The first round begins with defenders `firing` of whom only `theirs` will be left after it."""
        if len(self.program.phases) != 1:
            raise OddsUnknown("odds do not know what units hit before a battle with surprise strikes do in it")
        first, second = self.who(0, 0)
        assert first is not None and second is not None, "a round in which nobody fires"
        flow = self.amounts.zeros(self.size[1])
        flow[firing] = chance
        after = self.kernels.fire(first, ours)[theirs]
        for rows, parts, _ in self.kernels.losses(second, ours, flow):
            self.ended[rows] += self.amounts.times(parts, after[None, :])
        self.flow.rounds += chance
        rules, our, their = self.meeting.rules, self.ours, self.theirs
        mean = thrown(rules, our, first, ours, their.present[theirs])
        self.flow.hits[ATTACK] += self.amounts.times(chance, mean)
        mean = thrown(rules, their, second, firing, our.present[ours])
        self.flow.hits[DEFEND] += self.amounts.times(chance, mean)

    def overrun(self, ours: int, firing: int, chance: Any) -> None:
        """The defenders `firing` fire once and are gone; the attackers have won if anybody is left of them."""
        flow = self.amounts.zeros(self.size[1])
        flow[firing] = chance
        for rows, parts, columns in self.kernels.losses(ALL, ours, flow):
            for place, row in enumerate(rows.tolist()):
                result = WON if self.ours.present[row] else BOTH_GONE
                self._end(Ending(result, DEFEND, "*"))[row, columns] += parts[place]
        self.flow.rounds += chance
        mean = thrown(self.meeting.rules, self.theirs, ALL, firing, self.ours.present[ours])
        self.flow.hits[DEFEND] += self.amounts.times(chance, mean)

    def finish_at_once(self, tests: tuple[Test, ...], ours: int, theirs: int, chance: Any) -> bool:
        """Whether a pair passes one of these tests before the first round; then it is recorded."""
        tested = self.judge(tests)
        code = int(tested.codes[ours, theirs])
        if code < 0:
            return False
        self._end(tested.endings[code])[ours, theirs] += chance
        return True

    def run(self) -> Flow:
        """From what was started to the end of the battle."""
        for row in range(self.size[0]):
            self._row(row)
        self._conclude()
        return self.flow

    def run_once(self) -> tuple[Flow, Array]:
        """One round of what was started: what it yields, and the chances of the pairs that go on after it."""
        self.once = True
        for row in range(self.size[0]):
            coming = [key for key, flow in self.midway.items() if flow[row].any()]
            if coming or self.begun[row].any():
                self._visit(row, self.begun[row], coming, _Steps(self, row))
        self._conclude()
        over = self.tests[len(self.program.phases) - 1].over
        return self.flow, np.where(over, self.amounts.zeros(1), self.ended)

    def go_on(self, flow: Flow, left: Array) -> None:
        """Begin with what an earlier round left; what it yielded counts too."""
        self.flow = flow
        self.begun = left

    def _conclude(self) -> None:
        self._record(len(self.program.phases) - 1, self.ended)
        for (_, phase), flow in self.midway.items():
            self._record(phase - 1, flow)
        self._count()

    def _row(self, row: int) -> None:
        """Work out the visits to a row, and pass on what leaves it."""
        coming = [key for key, flow in self.midway.items() if flow[row].any()]
        inflow = self.begun[row] + self._going_on(len(self.program.phases) - 1, row, self.ended[row])
        if not coming and not inflow.any():
            return
        steps = _Steps(self, row)
        for mode, phase in coming:
            passing = self._going_on(phase - 1, row, self.midway[mode, phase][row])
            inflow = inflow + self.amounts.matmul(passing[None, :], steps.through(mode, phase))[0]
        modes, under = self._modes_of(row), self._under_of(row)
        loop = steps.through(modes[0], 0)
        if len(modes) > 1:
            loop = loop.copy()
            for mode in modes[1:]:
                some = np.flatnonzero(self.modes[row] == mode)
                loop[some] = steps.through(mode, 0)[some]
        if under is not None:
            loop = loop[under]
        self._visit(row, self._solve(inflow, loop), coming, steps)

    def _visit(self, row: int, visits: Array, coming: list[tuple[int, int]], steps: _Steps) -> None:
        """Rounds begin so often with the pairs of a row; pass on what comes of them."""
        self.visits[row] = visits
        modes, under = self._modes_of(row), self._under_of(row)
        if under is not None:
            visits = self.amounts.zeros(self.size[1])
            np.add.at(visits, under, self.visits[row])
        for mode in dict.fromkeys([*modes, *(mode for mode, _ in coming)]):
            flow = visits
            if len(modes) > 1 or mode not in modes:
                flow = np.where(self.modes[row] == mode, visits, self.amounts.zeros(1))
            self._push(row, mode, flow, steps)

    def _modes_of(self, row: int) -> list[int]:
        """The modes in which rounds with this row begin."""
        found: list[int] = [0] if self.program.choose is None else np.unique(self.modes[row]).tolist()
        return found

    def _under_of(self, row: int) -> Ints | None:
        """The defenders' states when their submarines have chosen; None if none submerges."""
        if self.under is None or not self.goes_under[row]:
            return None
        found: Ints = self.under[row]
        return found

    def _solve(self, inflow: Array, loop: Array) -> Array:
        """How often the row's pairs are visited: losses only grow, so nothing comes to pairs before the first."""
        first = int(np.flatnonzero(inflow)[0]) if inflow.any() else len(inflow)
        visits = self.amounts.zeros(self.size[1])
        inner = loop[first:, first:]
        if (inner.diagonal() >= self.amounts.one).any():
            # Pairs that can never change are harmless as long as nothing comes to them.
            some = first + np.flatnonzero((inflow[first:] != 0) | (inner != 0).any(axis=0))
            some = some[(loop[some, some] < self.amounts.one) | (inflow[some] != 0)]
            if (loop[some, some] >= self.amounts.one).any():
                raise OddsUnknown("this battle may come to a point where nobody can be hit and nothing ends it")
            visits[some] = self.amounts.solve(inflow[some], loop[some[:, None], some])
        elif first < len(inflow):
            visits[first:] = self.amounts.solve(inflow[first:], inner)
        return visits

    def _going_on(self, phase: int, row: int, flow: Array) -> Array:
        """The part of a flow that no test after a phase ends."""
        tests = self.tests[phase]
        if not tests.somewhere[row]:
            return flow
        return np.where(tests.over[row], self.amounts.zeros(1), flow)

    def _record(self, phase: int, flow: Array) -> None:
        """Where a test after a phase ends the battle, a flow is a chance of that end."""
        tests = self.tests[phase]
        places = np.nonzero(tests.over & (flow != 0))
        codes, chances = tests.codes[places], flow[places]
        for code, ending in enumerate(tests.endings):
            some = codes == code
            if some.any():
                self._end(ending)[places[0][some], places[1][some]] += chances[some]

    def _end(self, ending: Ending) -> Array:
        if ending not in self.flow.ends:
            self.flow.ends[ending] = self.amounts.zeros(*self.size)
        return self.flow.ends[ending]

    def _push(self, row: int, mode: int, flow: Array, steps: _Steps) -> None:
        """Send the visits of a row through the phases of a round, and what leaves the row to later rows."""
        last = len(self.program.phases) - 1
        for phase in range(last + 1):
            if phase:
                passing = self.midway.get((mode, phase))
                if passing is None:
                    return
                flow = self._going_on(phase - 1, row, passing[row])
            if not flow.any():
                continue
            ours, theirs = self.who(phase, mode)
            self._matrix(self.fired, mode, phase)[row] = flow
            fire = None if ours is None else self.kernels.fire(ours, row)
            ahead = self.ended if phase == last else self._matrix(self.midway, mode, phase + 1)
            if theirs is None:
                after = flow if fire is None else self.amounts.matmul(flow[None, :], fire)[0]
                self._add(ahead, phase, row, np.array([row]), after[None, :], steps.everywhere)
                continue
            for rows, parts, columns in self.kernels.losses(theirs, row, flow):
                if fire is None:
                    self._add(ahead, phase, row, rows, parts, columns)
                else:
                    after = self.amounts.matmul(parts, fire if len(columns) == len(fire) else fire[columns])
                    self._add(ahead, phase, row, rows, after, steps.everywhere)

    def _add(self, ahead: Array, phase: int, row: int, rows: Ints, after: Array, columns: Ints) -> None:
        """Add flows to rows; at the end of a round the row's own flow only where it ends: the rest was summed up."""
        if phase == len(self.program.phases) - 1 and not self.once:
            own = np.flatnonzero(rows == row)
            if len(own):
                stays = after[own[0]]
                over = self.tests[phase].over[row, columns]
                after[own[0]] = np.where(over, stays, self.amounts.zeros(1))
        if len(columns) == ahead.shape[1]:
            ahead[rows] += after
        else:
            ahead[rows[:, None], columns] += after

    def _matrix(self, found: dict[tuple[int, int], Array], mode: int, phase: int) -> Array:
        if (mode, phase) not in found:
            found[mode, phase] = self.amounts.zeros(*self.size)
        return found[mode, phase]

    def _count(self) -> None:
        """Rounds and hits follow from the visits."""
        self.flow.rounds += self.visits.sum()
        rules, amounts, everyone = self.meeting.rules, self.amounts, slice(None)
        for (mode, phase), flow in self.fired.items():
            ours, theirs = self.who(phase, mode)
            if ours is not None:
                mean = thrown(rules, self.ours, ours, (everyone, None), self.theirs.present[None, :])
                self.flow.hits[ATTACK] += amounts.times(flow, mean).sum()
            if theirs is not None:
                mean = thrown(rules, self.theirs, theirs, (None, everyone), self.ours.present[:, None])
                self.flow.hits[DEFEND] += amounts.times(flow, mean).sum()

    def who(self, phase: int, mode: int) -> tuple[str | None, str | None]:
        """Who of each side fires in a phase of a round in this mode."""
        found: list[str | None] = []
        for volley, strikes in (
            (self.program.phases[phase].attackers, bool(mode & 1)),
            (self.program.phases[phase].defenders, bool(mode & 2)),
        ):
            if volley is None or (volley.strikers and not strikes):
                found.append(None)
            elif volley.strikers:
                found.append(STRIKERS)
            else:
                found.append(REST if strikes else ALL)
        return found[0], found[1]


class _Steps:
    """From phase to phase within a row: what the attackers do to the defenders while they stay as they are."""

    def __init__(self, chain: Chain, row: int) -> None:
        self.chain = chain
        self.row = row
        self.everywhere = np.arange(chain.size[1])
        self._through: dict[tuple[int, int], Array] = {}

    def through(self, mode: int, phase: int) -> Array:
        """From the beginning of a phase to the beginning of the next round."""
        if (mode, phase) in self._through:
            return self._through[mode, phase]
        chain = self.chain
        ours, theirs = chain.who(phase, mode)
        if ours is not None:
            step = chain.kernels.fire(ours, self.row)
        else:
            step = chain.amounts.zeros(chain.size[1], chain.size[1])
            np.fill_diagonal(step, chain.amounts.one)
        if theirs is not None:
            step = chain.amounts.times(step, chain.kernels.stay(theirs, self.row)[:, None])
        if chain.tests[phase].somewhere[self.row]:
            step = np.where(chain.tests[phase].over[self.row], chain.amounts.zeros(1), step)
        if phase < len(chain.program.phases) - 1:
            step = chain.amounts.matmul(step, self.through(mode, phase + 1))
        self._through[mode, phase] = step
        return step


def submerged(table: Table) -> Ints:
    """For each state the number of the state in which all its submarines are out of the battle but alive."""
    return np.array(
        [_number(table, out) for out in going_under(table.force.able("submerge"), table.states)], dtype=np.int64
    )


def going_under(bits: int, states: Ints) -> Ints:
    """The states with the units of these stacks out of the battle."""
    found = states.copy()
    for stack in range(states.shape[1]):
        if bits >> stack & 1:
            found[:, stack, 2] += found[:, stack, 0] + found[:, stack, 1]
            found[:, stack, 0] = found[:, stack, 1] = 0
    return found


def _number(table: Table, row: Ints) -> int:
    return table.number.get(row.tobytes(), 0)
