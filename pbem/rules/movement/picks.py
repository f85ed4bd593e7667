"""Which pieces does `2 infantry` take? Those for which the order is legal, the least moved first, then the lowest id.

Everything here chooses; whether a single piece may do what is ordered, the caller's `legal` says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from pbem.board.state import State, Unit
from pbem.board.units import AIR, LAND, SEA
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cite
from pbem.rules.order_model import Pick
from pbem.rules.query import acting
from pbem.rules.ruleset import RuleSet

Legal = Callable[[Unit], Refusal | None]


def anything_goes(unit: Unit) -> Refusal | None:
    """The test that every piece passes."""
    return None


def number(unit: Unit) -> int:
    """A piece's place in the order of creation."""
    return int(unit.id[1:])


def kind_fits(rules: RuleSet, kind: str, wanted: str) -> bool:
    """Whether a kind of piece is the one named, or belongs to the class named (`unit`, `air`, `warship`...)."""
    if kind == wanted or wanted == "unit":
        return True
    table = rules.board.units[kind]
    if wanted in (LAND, AIR, SEA):
        return table.domain == wanted
    return wanted == "warship" and (table.can("surface_warship") or table.can("submerge"))


def fits(rules: RuleSet, state: State, unit: Unit, pick: Pick, power: str) -> bool:
    """Whether a piece answers a description; its space and number are not asked."""
    owners = (pick.owner,) if pick.owner else acting(rules, power)
    if unit.owner not in owners or not kind_fits(rules, unit.kind, pick.kind):
        return False
    if pick.ids and unit.id not in pick.ids:
        return False
    if pick.came_from is not None and pick.came_from not in (unit.mark(marks.FROM), unit.mark(marks.START)):
        return False
    if pick.aboard is not None and (unit.aboard is None or state.units[unit.aboard].kind != pick.aboard):
        return False
    if pick.damage and not unit.damage:
        return False
    return not (pick.empty and next(state.cargo_of(unit.id), None) is not None)


def by_preference(units: Iterable[Unit], most_moved_first: bool = False) -> list[Unit]:
    """Least moved first (or the other way round), then lowest id; fighters on patrol after all others."""
    sign = -1 if most_moved_first else 1

    def key(unit: Unit) -> tuple[bool, int, bool, int]:
        on_patrol = unit.mark(marks.CAP) is not None
        return on_patrol, sign * unit.spent, unit.mark(marks.MOVED) is not None, number(unit)

    return sorted(units, key=key)


def resolve(
    rules: RuleSet,
    state: State,
    power: str,
    picks: Sequence[Pick],
    space: str,
    legal: Legal = anything_goes,
    among: Sequence[Unit] | None = None,
    most_moved_first: Callable[[Sequence[Unit]], bool] = lambda units: False,
    first: Collection[str] = (),
) -> tuple[str, ...] | Refusal:
    """The ids that these descriptions take in a space, in order; or why they cannot be had.

    `among` limits the choice (pieces of the space, if the caller knows them already). `most_moved_first` turns the
    preference round for the candidates it is shown; those that are `first` come before all others.
    """
    here = list(state.units_in(space)) if among is None else among
    chosen: dict[str, None] = {}
    for pick in picks:
        fitting = [unit for unit in here if unit.id not in chosen and fits(rules, state, unit, pick, power)]
        preferred = by_preference(fitting, most_moved_first(fitting))
        candidates = sorted(preferred, key=lambda unit: (unit.owner != power, unit.id not in first))
        wanted = len(candidates) - pick.but if pick.count is None else pick.count
        if wanted > len(candidates) or (pick.count is None and not candidates):
            return too_few(rules, state, power, pick, space, len(candidates))
        first_refusal: Refusal | None = None
        taken = 0
        for unit in candidates:
            if taken == wanted:
                break
            refusal = legal(unit)
            if refusal is None:
                chosen[unit.id] = None
                taken += 1
            elif first_refusal is None:
                first_refusal = refusal
        if taken < wanted and first_refusal is not None and (pick.count is not None or taken == 0):
            return first_refusal
    return tuple(chosen)


def too_few(rules: RuleSet, state: State, power: str, pick: Pick, space: str, there: int) -> Refusal:
    """Why that many cannot be had: they are not there, or they have moved away in this turn."""
    owner = pick.owner or power
    place = rules.board.spaces[space].name
    whose = rules.board.powers[owner].name if owner in rules.board.powers else owner
    what = described(rules, pick)
    gone = [
        unit
        for unit in state.units.values()
        if unit.owner == owner
        and unit.space != space
        and unit.mark(marks.START) == space
        and kind_fits(rules, unit.kind, pick.kind)
    ]
    if gone:
        last = gone[-1]
        topic = "raid_only" if last.mark(marks.JOB) in ("raid", "escort") else "one_move"
        went = rules.board.spaces[last.space].name
        return Refusal(
            f"{whose} has {there or 'no'} {what} left in {place}: {len(gone)} moved in this turn, to {went}.",
            cite(rules, topic),
            "Every unit makes one move in a phase; order the others.",
        )
    has = f"only {there}" if there else "none"
    return Refusal(
        f"{place} does not hold {wanted_text(pick)} {what} of {whose}; there is {has}.",
        None,
        f"Order at most {there}." if there else "Check the space and the kind of unit.",
    )


def wanted_text(pick: Pick) -> str:
    """`2` or `any`."""
    return "any" if pick.count is None else str(pick.count)


def described(rules: RuleSet, pick: Pick) -> str:
    """The kind in words: `infantry`, `tanks`, `air unit`."""
    table = rules.board.units.get(pick.kind)
    if table is None:
        return {"unit": "units", LAND: "land units", AIR: "air units", SEA: "ships"}.get(pick.kind, pick.kind)
    return (table.name if pick.count == 1 else table.plural).lower()


def domain_of(rules: RuleSet, pick: Pick) -> str:
    """`land`, `air`, `sea`, or `unit` for a description that spans them."""
    if pick.kind in rules.board.units:
        return rules.board.units[pick.kind].domain
    return SEA if pick.kind == "warship" else pick.kind


def split_by_domain(rules: RuleSet, picks: Sequence[Pick]) -> dict[str, tuple[Pick, ...]]:
    """Descriptions by domain; one that means every unit is spelt out as three that each may be empty."""
    out: dict[str, list[Pick]] = {LAND: [], AIR: [], SEA: []}
    for pick in picks:
        domain = domain_of(rules, pick)
        if domain in out:
            out[domain].append(pick)
    return {domain: tuple(found) for domain, found in out.items()}
