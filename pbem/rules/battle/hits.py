"""Which units may take the hits of a volley, and how hits are matched to them so that none is wasted.

A unit offers one place for each hit it can still take. Places are tried in somebody's order of preference; each is
taken if all places taken so far can still be matched with different hits. So as many hits as possible are used,
whatever the preference (P40-6.8.5, P40-13-B6), and a list can only choose among such assignments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pbem.board.state import State, Unit
from pbem.rules.battle.firing import Volley, may_take
from pbem.rules.battle.model import Battle, other_side
from pbem.rules.marks import TOUGH
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet

SINKS, DAMAGES = "lost", "damaged"


@dataclass(frozen=True, slots=True)
class Place:
    """Room for one hit on a unit: what it does there (`lost` or `damaged`), and whether it is a last choice."""

    unit: str
    effect: str
    last: bool


def places(rules: RuleSet, units: Iterable[Unit]) -> list[Place]:
    """The places units offer: two on an undamaged battleship or carrier, both usable in one step (P40-6.8.4, 1.3.9).

    Transports come last, on either side (P40-6.8.3). Two hits of one step may both go to a battleship (S42-5.9.4),
    carriers and their aircraft are separate targets (S42-5.9.6), facilities are none (S42-5.9.7).
    """
    found: list[Place] = []
    for unit in units:
        kind = rules.board.units[unit.kind]
        last = kind.can("casualty_last")
        left = toughness(rules, unit) - unit.damage
        found += [Place(unit.id, DAMAGES, last)] * (left - 1)
        found.append(Place(unit.id, SINKS, last))
    return found


def toughness(rules: RuleSet, unit: Unit) -> int:
    """How many hits destroy a unit: its table's, and what a mark adds."""
    return max(rules.board.units[unit.kind].hits, 1) + int(unit.mark(TOUGH, 0))


def targets(
    rules: RuleSet, state: State, battle: Battle, volley: Volley, allowed: Callable[[Unit], bool] | None = None
) -> list[Unit]:
    """Enemy units that at least one hit of the volley may be given to; `allowed` narrows them (bombardment)."""
    categories = list(dict.fromkeys(category for _, category in volley.hits))
    return [
        unit
        for unit in battle.unhurt(state, other_side(volley.side))
        if (allowed is None or allowed(unit))
        and not can(rules, unit, "never_casualty")
        and any(may_take(rules, category, volley.finds_submarines, unit) for category in categories)
    ]


def assign(rules: RuleSet, state: State, volley: Volley, preferred: Sequence[Place]) -> list[tuple[Place, int]]:
    """The places that take the hits, first preferred first, each with the index of the hit it takes (P40-6.8.5).

    Places marked as last choice are tried after all others whatever the preference (P40-6.8.3); within a unit the
    damaging hit comes before the one that destroys. Hits without a place are lost.
    """
    ordered = in_legal_order(preferred)
    suits: dict[tuple[str, str], bool] = {}

    def fits(hit: int, place: Place) -> bool:
        key = (volley.hits[hit][1], place.unit)
        if key not in suits:
            suits[key] = may_take(rules, key[0], volley.finds_submarines, state.units[place.unit])
        return suits[key]

    taken: list[Place] = []
    hit_of: dict[int, int] = {}
    place_of: dict[int, int] = {}

    def find(number: int, tried: set[int]) -> bool:
        for hit in range(len(volley.hits)):
            if hit in tried or not fits(hit, taken[number]):
                continue
            tried.add(hit)
            if hit not in place_of or find(place_of[hit], tried):
                place_of[hit] = number
                hit_of[number] = hit
                return True
        return False

    for place in ordered:
        if len(taken) == len(volley.hits):
            break
        taken.append(place)
        if not find(len(taken) - 1, set()):
            taken.pop()
    return [(place, hit_of[number]) for number, place in enumerate(taken)]


def in_legal_order(preferred: Sequence[Place]) -> list[Place]:
    """Last choices after all others; on one unit the damaging hit first."""
    ordered = [place for place in preferred if not place.last] + [place for place in preferred if place.last]
    seen: dict[str, list[int]] = {}
    for index, place in enumerate(ordered):
        seen.setdefault(place.unit, []).append(index)
    for spots in seen.values():
        if len(spots) > 1:
            own = sorted((ordered[index] for index in spots), key=lambda place: place.effect == SINKS)
            for index, place in zip(spots, own, strict=True):
                ordered[index] = place
    return ordered
