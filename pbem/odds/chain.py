"""The battle as a chain: how often it visits each pair of states, and with which chance it ends in which.

Losses only ever grow, so the attackers' states are worked through from the fullest to the empty one. Within a row the
attackers stay as they are and the defenders' states form a small triangular system; what flows out of the row goes to
later rows. Rounds in phases (surprise strikes, then the rest) pass through states in mid-round, kept per mode: who
struck by surprise in this round.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pbem.odds.amounts import Amounts, Array, Ints
from pbem.odds.dice import ALL, REST, STRIKERS, Table, thrown
from pbem.odds.outcome import OddsUnknown
from pbem.odds.program import Ending, Meeting, Program, Test
from pbem.rules.battle.model import ATTACK, DEFEND


@dataclass(slots=True)
class Flow:
    """What the chain yields: chances of the ends by pair of states, expected rounds and hits."""

    ends: dict[Ending, Array] = field(default_factory=dict)
    rounds: Any = 0
    hits: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Tests:
    """A verdict on every pair: -1 to go on, else the number of an ending; and whether it is over."""

    codes: Ints
    over: Array
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
        self.goes_under: Array = np.zeros(self.size[0], dtype=bool)
        self.under = self._under()
        nothing = amounts.one - amounts.one
        self.flow = Flow(rounds=nothing, hits={ATTACK: nothing, DEFEND: nothing})
        self.begun = amounts.zeros(*self.size)
        self.ended = amounts.zeros(*self.size)
        self._fires: dict[str, dict[int, Array]] = {}
        self._stays: dict[str, Array] = {}
        self._block = max(1, BLOCK // max(1, max(table.size for table in self.theirs.after)))
        self.visits = amounts.zeros(*self.size)
        self.midway: dict[tuple[int, int], Array] = {}
        self.fired: dict[tuple[int, int], Array] = {}
        self._flat = [
            np.arange(self.size[1], dtype=np.int64)[:, None] * self.size[1] + table for table in self.theirs.after
        ]
        self._theirs_by_aim = [(aim, np.flatnonzero(self.theirs.aimed == aim)) for aim in range(len(self.theirs.aims))]
        self._theirs_by_aim = [(aim, columns) for aim, columns in self._theirs_by_aim if len(columns)]
        self._blocks = {
            who: [_block(rows, columns) for _, columns in self._theirs_by_aim if len(columns)]
            for who, rows in self.theirs.chances.items()
        }

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
        return _Tests(codes, codes >= 0, tuple(endings))

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
        rows, parts = self._losing(ours, second, flow)
        after = _Steps(self, ours).fire(first)[theirs]
        self.ended[rows] += self.amounts.times(parts[:, firing][:, None], after[None, :])
        self.flow.rounds += chance
        rules, our, their = self.meeting.rules, self.ours, self.theirs
        mean = thrown(rules, our, first, ours, their.present[theirs])
        self.flow.hits[ATTACK] += self.amounts.times(chance, mean)
        mean = thrown(rules, their, second, firing, our.present[ours])
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
        self._count()
        return self.flow

    def _row(self, row: int) -> None:
        """Work out the visits to a row, and pass on what leaves it."""
        coming = [key for key, flow in self.midway.items() if flow[row].any()]
        ended, begun = self.ended[row], self.begun[row]
        if not coming and not ended.any() and not begun.any():
            return
        last = len(self.program.phases) - 1
        here = np.array([row])
        inflow = self._chosen(row, begun + self._split(last, here, ended[None, :])[0])
        steps = _Steps(self, row)
        modes = self._modes_of(row)
        loop = steps.through(modes[0], 0)
        if len(modes) > 1:
            loop = loop.copy()
            for mode in modes[1:]:
                some = np.flatnonzero(self.modes[row] == mode)
                loop[some] = steps.through(mode, 0)[some]
        for mode, phase in coming:
            passing = self.midway[mode, phase][row][None, :]
            inflow = inflow + self.amounts.matmul(passing, steps.through(mode, phase))[0]
        visits = self.visits[row] = self._solve(inflow, loop)
        for mode in dict.fromkeys([*modes, *(mode for mode, _ in coming)]):
            flow = visits
            if len(modes) > 1 or mode not in modes:
                flow = np.where(self.modes[row] == mode, visits, self.amounts.zeros(1))
            self._push(row, mode, flow, steps)

    def _modes_of(self, row: int) -> list[int]:
        """The modes in which rounds with this row begin."""
        found: list[int] = [0] if self.program.choose is None else np.unique(self.modes[row]).tolist()
        return found

    def _solve(self, inflow: Array, loop: Array) -> Array:
        """How often the row's pairs are visited."""
        some = np.flatnonzero((inflow != 0) | (loop != 0).any(axis=0))
        visits = self.amounts.zeros(self.size[1])
        if not len(some):
            return visits
        inner = loop[some[:, None], some]
        if (inner.diagonal() >= self.amounts.one).any():
            raise OddsUnknown("this battle may come to a point where nobody can be hit and nothing ends it")
        visits[some] = self.amounts.solve(inflow[some], inner)
        return visits

    def _split(self, phase: int, rows: Ints, flows: Array) -> Array:
        """Record what ends after a phase in these rows; give what goes on."""
        tests = self.tests[phase]
        over = tests.over[rows]
        if not over.any():
            return flows
        places = np.nonzero(over & (flows != 0))
        if len(places[0]):
            which, amounts = tests.codes[rows[places[0]], places[1]], flows[places]
            for code in dict.fromkeys(which.tolist()):
                some = which == code
                self._end(tests.endings[code])[rows[places[0][some]], places[1][some]] += amounts[some]
        return np.where(over, self.amounts.zeros(1), flows)

    def _end(self, ending: Ending) -> Array:
        if ending not in self.flow.ends:
            self.flow.ends[ending] = self.amounts.zeros(*self.size)
        return self.flow.ends[ending]

    def _chosen(self, row: int, flow: Array) -> Array:
        """Submarines that submerge at the beginning of a round leave the battle."""
        if self.under is None or not self.goes_under[row]:
            return flow
        found = self.amounts.zeros(self.size[1])
        np.add.at(found, self.under[row], flow)
        return found

    def _push(self, row: int, mode: int, flow: Array, steps: _Steps) -> None:
        """Send the visits of a row through the phases of a round, and what leaves the row to later rows."""
        last = len(self.program.phases) - 1
        for phase in range(last + 1):
            passing = self.midway.get((mode, phase))
            if passing is not None:
                flow = flow + passing[row]
            if not flow.any():
                continue
            ours, theirs = self.who(phase, mode)
            self._matrix(self.fired, mode, phase)[row] = flow
            rows, parts = self._losing(row, theirs, flow)
            after = self.amounts.matmul(parts, steps.fire(ours)) if ours is not None else parts
            moving = rows != row
            if phase < last:
                going_on = self._split(phase, rows, after)
                self._matrix(self.midway, mode, phase + 1)[rows[moving]] += going_on[moving]
                flow = going_on[~moving].sum(axis=0) + self.amounts.zeros(self.size[1])
            else:
                self.ended[rows[moving]] += after[moving]
                self._split(phase, rows[~moving], after[~moving])

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

    def _losing(self, row: int, who: str | None, flow: Array) -> tuple[Ints, Array]:
        """The attackers' states after the defenders' fire, and for each the flow by the defenders' state."""
        if who is None:
            return np.array([row]), flow[None, :]
        blocks = self._blocks[who]
        tables = [
            self.ours.after[aim][row, hits] for (aim, _), (hits, _) in zip(self._theirs_by_aim, blocks, strict=True)
        ]
        rows = np.unique(tables[0] if len(tables) == 1 else np.concatenate(tables))
        parts = self.amounts.zeros(len(rows), self.size[1])
        for table, (_, columns), (_, chances) in zip(tables, self._theirs_by_aim, blocks, strict=True):
            some = np.flatnonzero(flow[columns])
            active = columns[some]
            if not len(active):
                continue
            order = np.argsort(table, kind="stable")
            ordered = table[order]
            cuts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
            summed = np.add.reduceat(chances[some[:, None], order], cuts, axis=1)
            weighted = self.amounts.times(summed, flow[active][:, None])
            parts[np.searchsorted(rows, ordered[cuts])[:, None], active] += weighted.T
        return rows, parts

    def fires(self, who: str, row: int) -> Array:
        """From each of the defenders' states to each after the fire of the attackers of a row.

        Rows that follow each other and aim alike are worked out together.
        """
        known = self._fires.setdefault(who, {})
        if row not in known:
            known.clear()
            columns = self.size[1]
            aims = self.ours.aimed[row : row + self._block].tolist()
            count = next((index for index, aim in enumerate(aims) if aim != aims[0]), len(aims))
            chances = np.stack(self.ours.chances[who][row : row + count])
            some = np.flatnonzero((chances != 0).any(axis=0))
            chances, flat = chances[:, some], self._flat[aims[0]][:, some]
            where = flat[None, :, :] + (columns * columns * np.arange(count, dtype=np.int64))[:, None, None]
            summed = self.amounts.scatter(where, chances[:, None, :], count * columns * columns)
            known.update(zip(range(row, row + count), summed.reshape(count, columns, columns), strict=True))
        return known[row]

    def stays(self, who: str) -> Array:
        """For each pair the chance that the defenders' fire leaves the attackers as they are."""
        if who not in self._stays:
            found = self.amounts.zeros(*self.size)
            for (aim, columns), (hits, chances) in zip(self._theirs_by_aim, self._blocks[who], strict=True):
                same = self.ours.after[aim][:, hits] == np.arange(self.size[0])[:, None]
                found[:, columns] = np.dot(chances, same.T).T
            self._stays[who] = found
        return self._stays[who]


BLOCK = 400_000
"""About how many chances are worked out at a time."""


class _Steps:
    """What the attackers of one row do to the defenders, and the chance that the attackers stay as they are."""

    def __init__(self, chain: Chain, row: int) -> None:
        self.chain = chain
        self.row = row
        self._through: dict[tuple[int, int], Array] = {}

    def fire(self, who: str) -> Array:
        """The defenders' state after the attackers' fire, from each state: a matrix of chances."""
        return self.chain.fires(who, self.row)

    def stay(self, who: str) -> Array:
        """By the defenders' state, the chance that their fire changes nothing."""
        found: Array = self.chain.stays(who)[self.row]
        return found

    def through(self, mode: int, phase: int) -> Array:
        """From the beginning of a phase to the beginning of the next round, within the row."""
        if (mode, phase) in self._through:
            return self._through[mode, phase]
        chain = self.chain
        ours, theirs = chain.who(phase, mode)
        if ours is not None:
            step = self.fire(ours)
        else:
            step = chain.amounts.zeros(chain.size[1], chain.size[1])
            np.fill_diagonal(step, chain.amounts.one)
        if theirs is not None:
            step = chain.amounts.times(step, self.stay(theirs)[:, None])
        over = chain.tests[phase].over[self.row]
        if over.any():
            step = step.copy()
            step[:, over] = chain.amounts.zeros(1)
        if phase < len(chain.program.phases) - 1:
            step = chain.amounts.matmul(step, self.through(mode, phase + 1))
        elif chain.under is not None and chain.goes_under[self.row]:
            turned = np.zeros((chain.size[1], chain.size[1]), dtype=step.dtype)
            turned[np.arange(chain.size[1]), chain.under[self.row]] = 1
            step = np.dot(step, turned)
        self._through[mode, phase] = step
        return step


def _block(rows: list[Array], columns: Ints) -> tuple[Ints, Array]:
    """The hits that these states may score at all, and the chances of each state to score them."""
    chances = np.stack([rows[column] for column in columns.tolist()])
    hits = np.flatnonzero((chances != 0).any(axis=0))
    return hits, chances[:, hits]


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
