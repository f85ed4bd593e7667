"""The reducer: folding many events on one copy equals applying them one by one; states survive JSON."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.board.evolve import HANDLERS, INFORMATION, evolve, fold
from pbem.board.state import State, state_from_json, state_to_json
from pbem.board.view import public_view, view
from pbem.rules.tape import Emitted

POWERS = st.sampled_from(["blue", "red"])
SPACES = st.sampled_from(["hill", "lake", "town"])
KINDS = st.sampled_from(["infantry", "fighter", "carrier"])
LINES = st.lists(st.fixed_dictionaries({"text": st.just("ready"), "order": st.just({"type": "ready"})}), max_size=2)


@st.composite
def facts(draw: st.DrawFn) -> list[Emitted]:
    """A legal sequence of board facts, of most kinds, about pieces that exist when they are named."""
    alive: list[str] = []
    out: list[tuple[str, dict[str, Any]]] = [
        ("board_set_up", {"spaces": {"hill": "blue", "lake": None, "town": "red"}, "facilities": [["town", "base", 0]],
                          "relations": [["blue", "red", "war"]], "counters": {"blue": {"ipc": 5}}, "marks": {"x": 1}}),
    ]  # fmt: skip
    born = 0
    for _ in range(draw(st.integers(0, 30))):
        choice = draw(st.integers(0, 16))
        if choice <= 2 or not alive:
            born += 1
            alive.append(f"u{born}")
            extra = draw(st.sampled_from([{}, {"damage": 1}, {"marks": {"cap": "hill"}}]))
            out.append(("units_created", {"space": draw(SPACES), "owner": draw(POWERS),
                                          "units": [[f"u{born}", draw(KINDS), extra]]}))  # fmt: skip
            continue
        some = draw(st.lists(st.sampled_from(alive), min_size=1, max_size=3, unique=True))
        if choice == 3:
            out.append(("units_moved", {"units": some, "from": "hill", "to": draw(SPACES), "spent": 1,
                                        "marks": {"from": "hill"}}))  # fmt: skip
        elif choice == 4:
            for unit in some:
                alive.remove(unit)
            out.append(("units_removed", {"space": "hill", "units": some, "why": "lost"}))
        elif choice == 5:
            out.append(("units_damaged", {"space": "hill", "damage": dict.fromkeys(some, 1)}))
        elif choice == 6:
            out.append(("units_marked", {"units": some, "set": {"fought": draw(st.sampled_from([True, None]))}}))
        elif choice == 7:
            out.append(("units_converted", {"space": "hill", "units": some, "owner": draw(POWERS)}))
        elif choice == 8:
            out.append(("control_changed", {"space": draw(SPACES), "from": None, "to": draw(POWERS)}))
        elif choice == 9:
            out.append(("facility_changed", {"space": draw(SPACES), "kind": "base",
                                             "damage": draw(st.sampled_from([0, 3, None]))}))  # fmt: skip
        elif choice == 10:
            out.append(("counter_changed", {"power": draw(POWERS), "counter": "ipc", "by": draw(st.integers(-9, 9))}))
        elif choice == 11:
            out.append(("purchases_changed", {"power": draw(POWERS), "items": {"infantry": draw(st.integers(-1, 2))}}))
        elif choice == 12:
            out.append(("orders_received", {"power": draw(POWERS), "phases": {"combat_move": draw(LINES)}}))
        elif choice == 13:
            out.append(("units_refreshed", {"keep": ["cap"], "owners": [draw(POWERS)]}))
        elif choice == 14:
            out.append(
                ("mark_set", {"key": draw(st.sampled_from(["x", "y"])), "value": draw(st.none() | st.integers())})
            )
        elif choice == 15:
            out.append(("group_formed", {"group": "g1", "kind": "carrier", "power": "blue", "space": "lake",
                                         "units": some}))  # fmt: skip
        else:
            out.append(("units_loaded", {"units": some[:1], "onto": some[-1], "from": "hill", "zone": "lake"}))
    return [Emitted(seq, kind, seq, payload, ()) for seq, (kind, payload) in enumerate(out)]


@given(facts())
def test_fold_equals_repeated_evolve(events: list[Emitted]) -> None:
    one_by_one = State()
    for event in events:
        one_by_one = evolve(one_by_one, event)
    assert fold(State(), events) == one_by_one
    half = len(events) // 2
    assert fold(fold(State(), events[:half]), events[half:]) == one_by_one


@given(facts())
def test_evolve_leaves_the_old_state_alone(events: list[Emitted]) -> None:
    states = [State()]
    shots = [json.dumps(state_to_json(states[0]))]
    for event in events:
        states.append(evolve(states[-1], event))
        shots.append(json.dumps(state_to_json(states[-1])))
    assert [json.dumps(state_to_json(state)) for state in states] == shots


@given(facts())
def test_states_survive_json_to_the_byte(events: list[Emitted]) -> None:
    state = fold(State(), events)
    text = json.dumps(state_to_json(state))
    assert state_from_json(json.loads(text)) == state
    assert json.dumps(state_to_json(state_from_json(json.loads(text)))) == text


@given(facts())
def test_a_viewer_sees_the_board_and_only_his_own_orders(events: list[Emitted]) -> None:
    state = fold(State(), events)
    seen = view(state, frozenset(("blue",)))
    assert seen.units == state.units and seen.counters == state.counters
    assert all(key.startswith("blue/") for key in seen.orders)
    assert public_view(state).orders == {} == public_view(state).standing


def test_every_kind_has_a_documented_payload() -> None:
    for kind, (handler, _) in HANDLERS.items():
        assert handler.__doc__ and handler.__doc__.startswith("{"), kind
    assert not set(INFORMATION) & set(HANDLERS)


def test_cargo_moves_with_its_ship_and_leaves_it_when_it_moves_alone() -> None:
    rows = [
        (
            "units_created",
            {"space": "lake", "owner": "blue", "units": [["u1", "carrier"], ["u2", "fighter", {"aboard": "u1"}]]},
        ),
        ("units_moved", {"units": ["u1"], "from": "lake", "to": "bay"}),
    ]
    state = fold(State(), [Emitted(n, k, 0, p, ()) for n, (k, p) in enumerate(rows)])
    assert (state.units["u2"].space, state.units["u2"].aboard) == ("bay", "u1")
    state = evolve(state, Emitted(9, "units_moved", 0, {"units": ["u2"], "from": "bay", "to": "hill"}, ()))
    assert (state.units["u2"].space, state.units["u2"].aboard) == ("hill", None)
