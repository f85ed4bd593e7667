"""Whatever is ordered, a move phase ends in a position that the board allows, and never breaks."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.evolve import fold
from pbem.board.state import State, relation_key
from pbem.board.units import AIR, LAND, SEA
from pbem.games.catalog import rule_set
from pbem.rules.movement.carrying_out import Consents
from pbem.rules.movement.combat_move import plan_combat
from pbem.rules.movement.noncombat import plan_noncombat
from pbem.rules.movement.planning import Plan
from pbem.rules.movement.ready import COMBAT, NONCOMBAT
from pbem.rules.movement.shipping import fits_aboard
from pbem.rules.order_model import Load, Move, Order, Pick, Unload, from_json, to_json
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed
from pbem.rules.setup import start_events
from pbem.rules.tape import Emitted


def plan(rules: RuleSet, state: State, power: str, phase: str, lines: list[Filed]) -> Plan:
    plan_phase = plan_combat if phase == COMBAT else plan_noncombat
    return plan_phase(rules, state, power, lines, Consents())


def at_war(edition: str) -> tuple[RuleSet, State]:
    """The published set-up with Japan at war with everybody."""
    rules = rule_set("p40", edition)
    facts = [Emitted(i, kind, 0, payload, ()) for i, (kind, payload) in enumerate(start_events(rules))]
    state = fold(State(), facts)
    relations = {**state.relations, **{relation_key("japan", foe): "war" for foe in ("usa", "uk", "anzac", "china")}}
    return rules, replace(state, relations=relations, round=2)


TABLES = {edition: at_war(edition) for edition in ("card", "1e", "2e")}


@st.composite
def orders(draw: st.DrawFn, state: State, rules: RuleSet, power: str, phase: str) -> Order:
    """A line about pieces that exist, along a way that does, legal or not."""
    own = [unit for unit in state.units.values() if unit.owner == power]
    unit = draw(st.sampled_from(own))
    kinds = sorted({other.kind for other in state.units_in(unit.space) if other.owner == power})
    picks = [
        Pick(kind, draw(st.sampled_from((1, 1, 2, 3, None))))
        for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3, unique=True))
    ]
    path = [unit.space]
    for _ in range(draw(st.integers(1, 4))):
        path.append(draw(st.sampled_from(rules.board.neighbours[path[-1]])))
    shape = draw(st.sampled_from(("move", "move", "move", "load", "unload")))
    if shape == "load":
        return Load(tuple(picks), path[0], path[1], in_phase=phase)
    if shape == "unload":
        return Unload(tuple(picks), path[0], path[1], in_phase=phase)
    return Move(tuple(picks), tuple(path), in_phase=phase)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_orders_leave_a_possible_position(data: st.DataObject) -> None:
    rules, state = TABLES[data.draw(st.sampled_from(sorted(TABLES)))]
    power = data.draw(st.sampled_from(("japan", "usa", "uk", "anzac", "china")))
    phase = data.draw(st.sampled_from((COMBAT, NONCOMBAT)))
    lines = [
        Filed(power, "", order)
        for order in data.draw(st.lists(orders(state, rules, power, phase), min_size=1, max_size=8))
    ]
    planned = plan(rules, replace(state, power=power, phase=phase), power, phase, lines)
    after = planned.sketch.state
    assert len(planned.done) + len(planned.failed) == len(lines)
    assert set(after.units) == set(state.units)
    for unit in after.units.values():
        kind = rules.board.units[unit.kind]
        at_sea = rules.board.spaces[unit.space].is_sea
        assert unit.spent <= kind.move + 1
        assert kind.domain != SEA or at_sea
        assert kind.domain != LAND or at_sea == (unit.aboard is not None)
        if unit.aboard is not None:
            assert after.units[unit.aboard].space == unit.space
        if unit.owner != power:
            assert unit.space == state.units[unit.id].space or unit.aboard is not None
        if kind.figure("transport_capacity"):
            assert fits_aboard(rules, unit, after.cargo_of(unit.id))
        if kind.domain == AIR and power == "china" and unit.owner == power:
            assert not at_sea
    for failure in planned.failed:
        assert failure.refusal.reason.endswith(".")


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_same_orders_give_the_same_plan(data: st.DataObject) -> None:
    rules, state = TABLES["2e"]
    lines = [
        Filed("japan", "", order)
        for order in data.draw(st.lists(orders(state, rules, "japan", COMBAT), min_size=1, max_size=6))
    ]
    again = [Filed(line.power, line.text, from_json(to_json(line.order))) for line in lines]
    here = replace(state, power="japan", phase=COMBAT)
    first, second = (plan(rules, here, "japan", COMBAT, given_lines) for given_lines in (lines, again))
    assert first.sketch.deeds == second.sketch.deeds
    assert [failure.refusal for failure in first.failed] == [failure.refusal for failure in second.failed]
