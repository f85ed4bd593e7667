"""Hits are matched to units: as many as possible take effect, in the owner's order, transports last of all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.board.state import State, Unit
from pbem.games.catalog import rule_set
from pbem.rules.battle.firing import AIR, OTHER, SUBMARINE, Volley, may_take
from pbem.rules.battle.hits import DAMAGES, SINKS, Place, assign, places
from pbem.rules.battle.model import ATTACK

RULES = rule_set("p40", "2e")
SHIPS = ("battleship", "carrier", "cruiser", "destroyer", "submarine", "transport", "fighter")


def position(kinds: list[tuple[str, int]]) -> State:
    return State(
        units={f"u{i}": Unit(f"u{i}", kind, "usa", "sz-6", damage=damage) for i, (kind, damage) in enumerate(kinds, 1)}
    )


def fleet() -> st.SearchStrategy[list[tuple[str, int]]]:
    def legal(kind: str) -> st.SearchStrategy[tuple[str, int]]:
        return st.tuples(st.just(kind), st.integers(0, RULES.board.units[kind].hits - 1))

    return st.lists(st.sampled_from(SHIPS).flatmap(legal), max_size=5)


def volley_of(categories: list[str], finds: bool) -> Volley:
    return Volley(ATTACK, "attackers_fire", [(f"s{i}", c) for i, c in enumerate(categories)], finds)


def most_possible(state: State, volley: Volley, offered: list[Place]) -> int:
    """The most hits that can take effect: every hit is left out or given to every place that is left."""

    def best(hit: int, free: list[Place]) -> int:
        if hit == len(volley.hits):
            return 0
        most = best(hit + 1, free)
        for place in dict.fromkeys(free):
            if may_take(RULES, volley.hits[hit][1], volley.finds_submarines, state.units[place.unit]):
                rest = list(free)
                rest.remove(place)
                most = max(most, 1 + best(hit + 1, rest))
        return most

    return best(0, offered)


@given(
    fleet(),
    st.lists(st.sampled_from((SUBMARINE, AIR, OTHER)), max_size=4),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_no_hit_is_wasted_whatever_the_preference(
    kinds: list[tuple[str, int]], categories: list[str], finds: bool, random: object
) -> None:
    state = position(kinds)
    volley = volley_of(categories, finds)
    offered = places(RULES, state.units.values())
    random.shuffle(offered)  # type: ignore[attr-defined]
    assigned = assign(RULES, state, volley, offered)
    assert len(assigned) == most_possible(state, volley, offered)
    assert len({hit for _, hit in assigned}) == len(assigned)
    for place, hit in assigned:
        assert may_take(RULES, volley.hits[hit][1], finds, state.units[place.unit])


@given(fleet(), st.lists(st.sampled_from((SUBMARINE, AIR, OTHER)), max_size=4), st.booleans())
def test_a_transport_is_hit_only_when_no_other_unit_can_take_the_hit(
    kinds: list[tuple[str, int]], categories: list[str], finds: bool
) -> None:
    state = position(kinds)
    volley = volley_of(categories, finds)
    offered = places(RULES, state.units.values())
    assigned = assign(RULES, state, volley, list(reversed(offered)))
    left = list(offered)
    for place, _ in assigned:
        left.remove(place)
    for place, hit in assigned:
        if place.last:
            category = volley.hits[hit][1]
            assert all(p.last or not may_take(RULES, category, finds, state.units[p.unit]) for p in left)


def test_a_submarine_hit_leaves_the_fighter_for_the_air_hit() -> None:
    """Giving the air hit to the destroyer would waste the submarine's (P40-6.8.5)."""
    state = position([("destroyer", 0), ("fighter", 0)])
    volley = volley_of([SUBMARINE, AIR], True)
    for preferred in (["u1", "u2"], ["u2", "u1"]):
        assigned = assign(RULES, state, volley, [Place(unit, SINKS, False) for unit in preferred])
        assert {place.unit: volley.hits[hit][1] for place, hit in assigned} == {"u1": SUBMARINE, "u2": AIR}


def test_a_battleship_takes_both_hits_of_a_step_damage_first() -> None:
    """Both may be taken in one step (P40-6.8.4)."""
    state = position([("battleship", 0)])
    wrong_way_round = [Place("u1", SINKS, False), Place("u1", DAMAGES, False)]
    assigned = assign(RULES, state, volley_of([OTHER, OTHER, OTHER], True), wrong_way_round)
    assert [place.effect for place, _ in assigned] == [DAMAGES, SINKS]
    assert [place.effect for place, _ in assign(RULES, state, volley_of([OTHER], True), wrong_way_round)] == [DAMAGES]


def test_air_hits_pass_over_submarines_without_a_destroyer() -> None:
    state = position([("submarine", 0)])
    offered = places(RULES, state.units.values())
    assert assign(RULES, state, volley_of([AIR], False), offered) == []
    assert len(assign(RULES, state, volley_of([AIR], True), offered)) == 1
