"""Trying a whole phase's lines together: which hold, which are refused, and which fall with those that are refused.

Lines run in the order written, against the board as it stands; because moves of a phase are simultaneous
(P40-4.1.2, S42-4.1.2), a line that cannot be carried out yet is tried again after the others. When all have been tried
the whole is checked; lines that break a rule of the whole are taken out and everything is tried anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.board.state import State
from pbem.rules.decisions import Refusal
from pbem.rules.movement.sketch import Deed, Sketch
from pbem.rules.order_model import Load, Move, Unload
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed

Act = Callable[[Sketch, Filed], Refusal | None]


@dataclass(frozen=True, slots=True)
class Done:
    """A line that holds, what it does, and the pieces it does it with."""

    filed: Filed
    deeds: tuple[Deed, ...]
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that breaks a rule of the whole phase; `spaces` are where it matters."""

    filed: Filed
    refusal: Refusal
    spaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """A line that does not hold; `lapsed` if it would have, but for other lines that were refused."""

    filed: Filed
    refusal: Refusal
    lapsed: bool


Check = Callable[[Sketch, Sequence[Done]], Sequence[Fault]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of a phase's lines, and the position they lead to; `forks` are lines that had a choice."""

    done: tuple[Done, ...]
    failed: tuple[Failed, ...]
    sketch: Sketch
    forks: frozenset[int] = frozenset()


@dataclass
class _Attempt:
    sketch: Sketch
    done: list[Done] = field(default_factory=list)
    refusals: dict[int, Refusal] = field(default_factory=dict)


def make_plan(
    rules: RuleSet, state: State, power: str, phase: str, lines: Sequence[Filed], act: Act, check: Check
) -> Plan:
    """Try all lines until what is left holds together.

    Where a line could take more and less moved pieces alike (two transports in one zone), it takes the less moved. If
    lines then fail, the other choice is tried for one such line after the other, and kept if fewer lines fail.
    """
    turned: frozenset[int] = frozenset()

    def fresh() -> Sketch:
        sketch = Sketch(rules, state, power, phase)
        sketch.turned = turned
        return sketch

    best = _settle(fresh, lines, act, check)
    tried: set[frozenset[int]] = set()
    tries = MOST_TRIES
    while best.failed and tries > 0:
        kept, better = turned, None
        for line in sorted(best.forks - turned):
            turned = kept | {line}
            if turned in tried or tries <= 0:
                continue
            tried.add(turned)
            tries -= 1
            other = _settle(fresh, lines, act, check)
            if len(other.failed) < len(best.failed):
                best, better = other, turned
                break
        if better is None:
            break
        turned = better
    return best


MOST_TRIES = 12
"""How many other choices of equal pieces are tried when lines fail."""


def _settle(fresh: Callable[[], Sketch], lines: Sequence[Filed], act: Act, check: Check) -> Plan:
    dropped: dict[int, Failed] = {}
    own_faults: dict[int, Refusal] | None = None
    forks: set[int] = set()
    where: dict[int, frozenset[str]] = {}
    while True:
        attempt = _try_all(fresh(), lines, dropped, act)
        forks |= attempt.sketch.forks
        if own_faults is None:
            own_faults = dict(attempt.refusals)
        faults = check(attempt.sketch, attempt.done)
        if not faults:
            break
        bad = {id(fault.filed): fault for fault in faults}
        touched = _spaces_of([lines[i] for i in (*attempt.refusals, *dropped)])
        for index, line in enumerate(lines):
            fault = bad.get(id(line))
            if fault is not None and index not in dropped:
                lapsed = any(space in touched for space in fault.spaces)
                dropped[index] = Failed(line, fault.refusal, lapsed)
                where[index] = _spaces_of([line]) | frozenset(fault.spaces)
    failed = {
        index: Failed(lines[index], own_faults.get(index, refusal), index not in own_faults)
        for index, refusal in attempt.refusals.items()
    }
    failed.update(dropped)
    _let_none_excuse_each_other(lines, where, own_faults or {}, failed)
    if attempt.sketch.rules.parameters.get("followers_lapse"):
        _let_followers_lapse(lines, failed)
    in_order = tuple(failed[index] for index in sorted(failed))
    return Plan(tuple(attempt.done), in_order, attempt.sketch, frozenset(forks))


def _let_none_excuse_each_other(
    lines: Sequence[Filed],
    where: Mapping[int, frozenset[str]],
    own_faults: Mapping[int, Refusal],
    failed: dict[int, Failed],
) -> None:
    """A line lapses only if a refused line leads to it: two that each would excuse the other are both refused.

    `where` tells of the lines that break a rule of the whole phase, and the spaces that it is about.
    """
    spaces = {index: where.get(index, _spaces_of([lines[index]])) for index in failed}
    reached = {index for index, known in failed.items() if not known.lapsed}
    touched = frozenset[str]().union(*(spaces[index] for index in reached))
    while more := [index for index in failed if index not in reached and touched & spaces[index]]:
        reached.update(more)
        touched = touched.union(*(spaces[index] for index in more))
    for index in where:
        if index not in reached:
            known = failed[index]
            failed[index] = Failed(known.filed, own_faults.get(index, known.refusal), False)


def _let_followers_lapse(lines: Sequence[Filed], failed: dict[int, Failed]) -> None:
    """A line about pieces that are not there lapses if the line that would have brought them was refused.

    So does what was said about a battle or a bombardment for want of pieces; the mistake is in the other line only.
    """
    moving = {index: known for index, known in failed.items() if isinstance(lines[index].order, Move | Load)}
    guilty = [index for index, known in moving.items() if not known.lapsed and known.refusal.rule is not None]
    touched = _spaces_of([lines[index] for index in guilty])
    for index, known in moving.items():
        if known.lapsed and touched & _spaces_of([lines[index]]):
            touched |= _spaces_of([lines[index]])
    for index, known in failed.items():
        for_itself = isinstance(lines[index].order, Move | Load | Unload) and known.refusal.rule is not None
        if not known.lapsed and not for_itself and touched & _spaces_of([lines[index]]):
            failed[index] = Failed(known.filed, known.refusal, True)


def ended_by(done: Sequence[Done]) -> list[tuple[Done, list[str]]]:
    """For each line the pieces that no later line orders: where those stand in the end is that line's doing."""
    last = {unit_id: place for place, line in enumerate(done) for unit_id in line.units}
    return [(line, [u for u in line.units if last[u] == place]) for place, line in enumerate(done)]


def _try_all(sketch: Sketch, lines: Sequence[Filed], dropped: dict[int, Failed], act: Act) -> _Attempt:
    attempt = _Attempt(sketch)
    waiting = [index for index in range(len(lines)) if index not in dropped]
    while waiting:
        tried_before, attempt.refusals = attempt.refusals, {}
        for index in waiting:
            saved = sketch.save()
            sketch.line = index
            refusal = act(sketch, lines[index])
            if refusal is not None:
                sketch.restore(saved)
                before = tried_before.get(index)
                # The first reason that names a rule is the player's; later ones may be made by other lines.
                attempt.refusals[index] = before if before is not None and before.rule is not None else refusal
                continue
            deeds = tuple(sketch.deeds[saved[-1] :])
            units = dict.fromkeys(unit for deed in deeds for unit in deed.payload.get("units", ()))
            attempt.done.append(Done(lines[index], deeds, tuple(units)))
        if len(attempt.refusals) == len(waiting):
            break
        waiting = list(attempt.refusals)
    return attempt


def _spaces_of(lines: Sequence[Filed]) -> frozenset[str]:
    """Every space that these lines name."""
    found: list[str] = []
    for line in lines:
        order = line.order
        found.extend(getattr(order, "path", ()))
        for name in ("space", "zone"):
            value = getattr(order, name, None)
            if isinstance(value, str):
                found.append(value)
    return frozenset(found)
