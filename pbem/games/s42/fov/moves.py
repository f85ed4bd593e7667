"""Cards laid with the moves: longer flights, paired tanks and infantry, paratroopers, damage, and lent bombers.

Which of these plays hold is found out by planning the whole phase with them, as moves are; what changes how pieces may
move are marks of the pieces (`CARD`, `PAIRED`, `DROPPED`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product

from pbem.board.state import State, Unit
from pbem.games.s42.fov import plays
from pbem.games.s42.fov.plays import CARD, LENT, PAIRED
from pbem.games.s42.fov.weapons import open_ground
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement import points
from pbem.rules.movement.land import blitzes as base_blitzes
from pbem.rules.movement.land import march
from pbem.rules.movement.landings import landing_cargo
from pbem.rules.movement.planning import Done, Fault, Plan
from pbem.rules.movement.ready import COMBAT, may_still_move
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import Move, Pick, PlayCard
from pbem.rules.query import can, is_air, is_land
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed

GRANTED = "granted"
"""Word of a play whose own conditions are taken as met: to see which moves depend on it."""

RANGES = {"super_bombers": 7, "long_range_fighters": 6}
"""Movement points that a card gives an aircraft for this turn (FOV-W04.4, FOV-W06.1)."""

DROP_RANGE = 3
"""How far paratroopers may fly (FOV-T05.1)."""

# -- how far, and through what ----------------------------------------------------------------------------------------


def movement_points(rules: RuleSet, state: State, unit: Unit) -> int:
    """Points left: more for aircraft under a card (FOV-W04.4, FOV-W06.1, FOV-W06.4), two for infantry of a pair."""
    card = unit.mark(CARD)
    if card in RANGES:
        return RANGES[card] - unit.spent
    if unit.mark(PAIRED) and unit.kind == "infantry":
        return 2 - unit.spent
    return points.movement_points(rules, state, unit)


def blitzes(rules: RuleSet, state: State, unit: Unit) -> bool:
    """The infantry of a pair blitzes beside its tank (FOV-T03.2)."""
    return bool(unit.mark(PAIRED)) or base_blitzes(rules, state, unit)


# -- a play as a line of the phase ------------------------------------------------------------------------------------


def act_on_card(sketch: Sketch, line: Filed) -> Refusal | None:
    """Plan one play that goes with the moves."""
    order = line.order
    assert isinstance(order, PlayCard)
    return ACTS[order.card](sketch, order)


def _give_range(sketch: Sketch, order: PlayCard) -> Refusal | None:
    """The aircraft bound to the card carry its mark; they move by lines of their own (FOV-W04.1, FOV-W06.1)."""
    ids = [unit_id for pick in order.units for unit_id in pick.ids]
    for unit_id in ids:
        unit = sketch.unit(unit_id)
        if plays.under_card(unit):
            return Refusal("A card of yours affects that aircraft already.", "FOV-5.1.1")
        if unit.mark(LENT) and order.card == "super_bombers":
            return Refusal("No weapon card affects bombers that a partner has lent you.", "FOV-T04.6")
    sketch.do("units_marked", {"units": ids, "set": {CARD: order.card}, "why": "card"})
    return None


def _pairs(sketch: Sketch, order: PlayCard) -> Refusal | None:
    """Up to three pairs of one tank and one infantry go the same way together (FOV-T03.1 to FOV-T03.3, FOV-T03.5).

    All of them start in one territory and end in one (FOV-R19).
    """
    if sketch.phase != COMBAT:
        return Refusal("Mechanized Offensive is played in the combat move only.", "FOV-T03.5")
    if len(order.path) < 2 or order.more:
        return Refusal("All pairs of one card go one way: `2 infantry, 2 tank FROM -> TO`.", "FOV-T03.3")
    if any(sketch.board.spaces[space].is_sea for space in order.path):
        return Refusal("The pairs move over land only.", "FOV-T03.5")
    counts = {kind: sum(p.count or 0 for p in order.units if p.kind == kind) for kind in ("infantry", "tank")}
    if (
        counts["infantry"] != counts["tank"]
        or not 1 <= counts["tank"] <= 3
        or len(counts) < len({pick.kind for pick in order.units})
    ):
        return Refusal(
            "The card takes one to three pairs, each of one tank and one infantry: as many of the one as of the other.",
            "FOV-T03.1",
        )
    ids: list[str] = []
    for pick in order.units:
        fitting = [unit for unit in sketch.own_in(order.path[0]) if unit.kind == pick.kind and unit.aboard is None]
        free = [u for u in fitting if not plays.under_card(u) and may_still_move(sketch, u) is None and not u.spent]
        if len(free) < (pick.count or 0):
            rule = "FOV-5.1.1" if len(fitting) >= (pick.count or 0) else "FOV-T03.1"
            return Refusal(f"{sketch.name(order.path[0])} has only {len(free)} {pick.kind} for this card.", rule)
        ids += [unit.id for unit in free[: pick.count]]
    sketch.do("units_marked", {"units": ids, "set": {CARD: order.card, PAIRED: True}, "why": "card"})
    by_kind = {kind: tuple(i for i in ids if sketch.unit(i).kind == kind) for kind in counts}
    return march(sketch, [Pick(kind, len(named), ids=named) for kind, named in by_kind.items()], order.path)


def _drop(sketch: Sketch, order: PlayCard) -> Refusal | None:
    """One or two own infantry drop on a hostile territory at most three spaces away (FOV-T05.1)."""
    if sketch.phase != COMBAT:
        return Refusal("Airborne Assault is played in the combat move.", "FOV-T05.1")
    routes = [(order.units, order.path), *order.more]
    goal = order.path[-1] if order.path else ""
    if any(len(path) < 2 or path[-1] != goal for _, path in routes):
        return Refusal("Say from where to where: `1 infantry FROM -> TARGET`; there is one target.", "FOV-T05.1")
    if sketch.board.spaces[goal].is_sea or not sketch.rules.judge(
        "hostile_territory", sketch.state, sketch.power, goal
    ):
        return Refusal(f"{sketch.name(goal)} is no hostile territory.", "FOV-T05.1")
    total = 0
    for picks, path in routes:
        for pick in picks:
            found = _paratroopers(sketch, pick, path[0], goal)
            if isinstance(found, Refusal):
                return found
            total += len(found)
            sketch.do(
                "units_moved",
                {
                    "units": found, "from": path[0], "to": goal, "phase": sketch.phase,
                    "spent": sketch.board.units["infantry"].move,
                    "marks": {marks.START: path[0], marks.MOVED: COMBAT, marks.DROPPED: path[0], CARD: order.card},
                },
                ("FOV-T05.1",),
            )  # fmt: skip
    if not 1 <= total <= 2:
        return Refusal("One or two infantry are dropped.", "FOV-T05.1")
    return None


def _paratroopers(sketch: Sketch, pick: Pick, start: str, goal: str) -> list[str] | Refusal:
    name = sketch.name(start)
    if pick.kind != "infantry":
        return Refusal("Only infantry is dropped.", "FOV-T05.1")
    own = [unit for unit in sketch.own_in(start) if unit.kind == "infantry" and unit.aboard is None]
    free = [unit for unit in own if not plays.under_card(unit) and unit.mark(marks.MOVED) is None]
    wanted = len(free) if pick.count is None else pick.count
    if wanted > len(free):
        return Refusal(f"{name} has only {len(free)} infantry of yours to drop.", "FOV-T05.1")
    if sketch.board.path(start, goal, lambda space: open_ground(sketch.rules, space), DROP_RANGE) is None:
        return Refusal(f"{name} is more than {DROP_RANGE} spaces from {sketch.name(goal)}.", "FOV-T05.1")
    return [unit.id for unit in free[:wanted]]


ACTS: dict[str, Callable[[Sketch, PlayCard], Refusal | None]] = {
    "super_bombers": _give_range,
    "long_range_fighters": _give_range,
    "mechanized_offensive": _pairs,
    "airborne_assault": _drop,
}


# -- what must hold when all moves are made ---------------------------------------------------------------------------


def move_faults(sketch: Sketch, done: Sequence[Done]) -> list[Fault]:
    """Plays whose condition the moves do not meet."""
    faults = []
    for line in done:
        order = line.filed.order
        if isinstance(order, PlayCard) and GRANTED not in order.words:
            refusal = _fault(sketch, order, [unit for unit in line.units if unit in sketch.state.units])
            if refusal is not None:
                faults.append(Fault(line.filed, refusal))
    return faults


def _fault(sketch: Sketch, order: PlayCard, ids: Sequence[str]) -> Refusal | None:
    units = [sketch.unit(unit_id) for unit_id in ids]
    moved = all(unit.mark(marks.MOVED) == sketch.phase for unit in units)
    ends = {unit.space for unit in units}
    if order.card == "super_bombers":
        jobs = {unit.mark(marks.JOB) for unit in units}
        if not moved or len(ends) > 1 or len(jobs) > 1:
            return Refusal("The card's bombers fly to one battle or one raid.", "FOV-W04.1")
    elif order.card == "long_range_fighters":
        if not moved or len(ends) > 1:
            return Refusal("The card's fighters make their move to the same space.", "FOV-W06.3")
    elif order.card == "mechanized_offensive":
        end = next(iter(ends))
        blitzed = any(marks.taken(space) in sketch.state.marks for unit in units for space in unit.mark(marks.VIA, ()))
        hostile = sketch.rules.judge("hostile_territory", sketch.state, sketch.power, end)
        if len(ends) > 1 or not (hostile or blitzed or marks.taken(end) in sketch.state.marks):
            return Refusal(f"{sketch.name(end)} is not hostile and nothing is blitzed on the way.", "FOV-T03.3")
    elif order.card == "airborne_assault":
        return _nobody_on_the_ground(sketch, next(iter(ends)))
    return None


def _nobody_on_the_ground(sketch: Sketch, target: str) -> Refusal | None:
    """The target is attacked overland or from the sea in the same phase too (FOV-T05.2)."""
    on_foot = [
        unit
        for unit in sketch.own_in(target)
        if is_land(sketch.rules, unit) and unit.aboard is None and unit.mark(marks.DROPPED) is None
    ]
    if on_foot or landing_cargo(sketch, territory=target):
        return None
    return Refusal(
        f"No land unit of yours attacks {sketch.name(target)} on the ground or from the sea in this phase.", "FOV-T05.2"
    )


# -- which aircraft a card means --------------------------------------------------------------------------------------


def bindings(rules: RuleSet, state: State, line: Filed, filed: Sequence[Filed], phase: str) -> list[Filed] | Refusal:
    """The ways to bind a play to pieces, best first; for cards that name their pieces themselves only one."""
    order = line.order
    assert isinstance(order, PlayCard)
    if order.card == "super_bombers":
        return _bomber_bindings(rules, state, line, order, filed)
    if order.card == "long_range_fighters":
        return _fighter_bindings(rules, state, line, order)
    return [line]


def _bomber_bindings(
    rules: RuleSet, state: State, line: Filed, order: PlayCard, filed: Sequence[Filed]
) -> list[Filed] | Refusal:
    goal = order.path[-1] if order.path else order.space
    count = sum(pick.count or 2 for pick in order.units) or 1
    if count > 2:
        return Refusal("The card takes one or two bombers.", "FOV-W04.1")
    moves = [one.order for one in filed if isinstance(one.order, Move) and one.order.path[-1] == goal]
    starts = dict.fromkeys(
        order.path[:1] if len(order.path) > 1 else [move.path[0] for move in moves if _flies(rules, move, "bomber")]
    )
    own = [
        unit.id
        for unit in state.units.values()
        if unit.space in starts and unit.owner == line.power and can(rules, unit, "strategic_bombing")
    ]
    if len(own) < count:
        where = rules.board.spaces[goal].name if goal is not None and goal in rules.board.spaces else "there"
        return Refusal(f"No {'bomber' if count == 1 else f'{count} bombers'} of yours flies to {where}.", "FOV-W04.1")
    return [_bound(line, order, "bomber", chosen) for chosen in combinations(own, count)][:24]


def _fighter_bindings(rules: RuleSet, state: State, line: Filed, order: PlayCard) -> list[Filed] | Refusal:
    routes = [(order.units, order.path), *order.more]
    counts = [sum(pick.count or 1 for pick in picks) for picks, _ in routes]
    if any(not path for _, path in routes) or not 1 <= sum(counts) <= 2:
        return Refusal("The card takes one or two fighters: `2 fighter FROM -> TO`.", "FOV-W06.1")
    if len({path[-1] for _, path in routes}) > 1:
        return Refusal("The card's fighters make their move to the same space.", "FOV-W06.3")
    starts = [path[0] for (_, path), count in zip(routes, counts, strict=True) for _ in range(count)]
    if rules.parameter("long_range_distinct_bases") and len(set(starts)) < len(starts):
        return Refusal("In this campaign the card's fighters start from different spaces.", "FOV-R16")
    choices = []
    for (_, path), count in zip(routes, counts, strict=True):
        own = [
            unit.id
            for unit in state.units_in(path[0])
            if unit.owner == line.power and is_air(rules, unit) and can(rules, unit, "carrier_capable")
        ]
        if len(own) < count:
            return Refusal(f"{rules.board.spaces[path[0]].name} does not hold {count} fighter of yours.", "FOV-W06.1")
        choices.append(list(combinations(own, count)))
    bound = []
    for chosen in product(*choices):
        ids = [unit_id for some in chosen for unit_id in some]
        if len(set(ids)) == len(ids):
            bound.append(_bound(line, order, "fighter", ids))
    return bound[:24]


def _flies(rules: RuleSet, move: Move, kind: str) -> bool:
    return any(pick.kind in (kind, "air", "unit") for pick in move.units)


def _bound(line: Filed, order: PlayCard, kind: str, ids: Sequence[str]) -> Filed:
    return replace(line, order=replace(order, units=(Pick(kind, len(ids), ids=tuple(ids)),), more=()))


# -- settling all plays of a phase ------------------------------------------------------------------------------------

Planner = Callable[[Sequence[Filed]], Plan]


def settle(
    rules: RuleSet, state: State, filed: Sequence[Filed], cards: Sequence[Filed], phase: str, plan: Planner
) -> tuple[dict[int, Filed], dict[int, Refusal], list[tuple[Filed, Refusal]]]:
    """Which plays hold (bound to their pieces), why others do not, both by place; and the moves that lapse with those.

    A move that was legal but for a refused card lapses: the mistake is in the card's line only.
    """
    kept: dict[int, Filed] = {}
    refused: dict[int, Refusal] = {}
    granted: list[Filed] = []
    for place, line in enumerate(cards):
        options = bindings(rules, state, line, filed, phase)
        if isinstance(options, Refusal):
            refused[place] = options
            granted += _as_granted(rules, state, line)
            continue
        best: tuple[int, Filed] | None = None
        why: Refusal | None = None
        for option in options:
            tried = plan([*filed, *kept.values(), option])
            own = [failure for failure in tried.failed if failure.filed is option]
            if own:
                why = why or own[0].refusal
            elif best is None or len(tried.failed) < best[0]:
                best = len(tried.failed), option
                if not tried.failed:
                    break
        if best is not None:
            kept[place] = best[1]
        else:
            refused[place] = why or Refusal("This cannot be played now.", "FOV-4.1.6")
            granted.append(_grant(options[0]))
    return kept, refused, _lapsing(filed, list(kept.values()), granted, plan) if granted else []


def _grant(option: Filed) -> Filed:
    order = option.order
    assert isinstance(order, PlayCard)
    return replace(option, order=replace(order, words=(*order.words, GRANTED)))


def _as_granted(rules: RuleSet, state: State, line: Filed) -> list[Filed]:
    """A play that could not be bound, with every piece it names bound as far as they are there."""
    order = line.order
    assert isinstance(order, PlayCard)
    ids: list[str] = []
    for picks, path in [(order.units, order.path), *order.more]:
        for pick in picks:
            there = [
                unit.id
                for unit in state.units_in(path[0] if path else "")
                if unit.owner == line.power and unit.kind == pick.kind and unit.id not in ids
            ]
            ids += there[: pick.count or 1]
    return [_grant(_bound(line, order, "fighter", ids))] if ids and order.card in RANGES else []


def _lapsing(
    filed: Sequence[Filed], kept: Sequence[Filed], granted: Sequence[Filed], plan: Planner
) -> list[tuple[Filed, Refusal]]:
    alone = plan([*filed, *kept])
    fine = {id(done.filed) for done in plan([*filed, *kept, *granted]).done}
    return [(failure.filed, failure.refusal) for failure in alone.failed if id(failure.filed) in fine]
