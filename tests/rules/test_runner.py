"""The durable runner: it stops, goes on, never does a thing twice, and sees every difference from its tape."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.board.state import state_to_json
from pbem.campaign.play import Play, begin, closing, run
from pbem.orders.respond import StandingResponder
from pbem.rules.order_model import Buy, PressOn, Retreat
from pbem.rules.ruleset import Segment
from pbem.rules.tape import Emitted, Outcome, filed_line

_spec = importlib.util.spec_from_file_location("toy", Path(__file__).with_name("toy.py"))
assert _spec and _spec.loader
toy = importlib.util.module_from_spec(_spec)
sys.modules["toy"] = toy
_spec.loader.exec_module(toy)


def start() -> Play:
    return begin("toy-1", toy.rules(), toy.setup())


def go(play: Play, dice: object | None = None, ask: bool = False) -> Outcome:
    outcome = run(
        play, dice or toy.CountingDice(), StandingResponder(), now=5,  # type: ignore[arg-type]
        must_ask=lambda decision, view: ask and decision.reaction,
    )  # fmt: skip
    assert outcome is not None
    return outcome


def bet(count: int) -> list[dict[str, object]]:
    return [dict(filed_line(Buy("chips", count), f"buy {count} chips"))]


def close(play: Play, outcome: Outcome) -> Play:
    assert outcome.waiting is not None
    return play.with_facts([("window_closed", closing(play, outcome.waiting.window, "test"))], 6)


def orders(play: Play, power: str, phases: dict[str, object]) -> Play:
    return play.with_facts([("orders_received", {"power": power, "phases": phases})], 6)


def test_it_stops_at_the_orders_window_and_says_so() -> None:
    outcome = go(start())
    assert outcome.waiting is not None and outcome.waiting.window.id == "r1.blue:bets"
    assert [event.type for event in outcome.events] == ["segment_begun", "phase_begun", "window_opened"]


def test_a_second_run_without_new_input_adds_nothing() -> None:
    play = start()
    play = play.plus(go(play).events)
    again = go(play)
    assert again.events == () and again.waiting is not None


def whole_turn(ask: bool = False) -> tuple[Play, list[Emitted], object]:
    dice = toy.CountingDice()
    play = start()
    told: list[Emitted] = []
    outcome = go(play, dice, ask)
    play = play.plus(outcome.events)
    play = orders(play, "blue", {"purchase": bet(3) + bet(20), "mobilize": bet(1)})
    while not outcome.finished:
        told.extend(outcome.events)
        if outcome.waiting:
            play = close(play, outcome)
        outcome = go(play, dice, ask)
        play = play.plus(outcome.events)
    return play, told + list(outcome.events), dice


def test_a_turn_runs_to_its_end_and_refuses_what_is_wrong() -> None:
    play, told, dice = whole_turn()
    refused = [event for event in told if event.type == "order_refused"]
    assert [event.payload["text"] for event in refused] == ["buy 20 chips"]
    assert refused[0].rules == ("TOY-1",) and refused[0].payload["suggestion"] == "bet less"
    assert len(dice.purposes) == 2 == len({*dice.purposes})
    assert play.base.counter("red", "gifts") == 1


def test_killed_at_every_append_the_turn_ends_the_same() -> None:
    """However often the process dies between appends, events and dice are those of the undisturbed run."""
    _, told, dice = whole_turn()
    play = start()
    fresh = toy.CountingDice()
    outcome = go(play, fresh)
    play = play.plus(outcome.events)
    play = orders(play, "blue", {"purchase": bet(3) + bet(20), "mobilize": bet(1)})
    seen = list(outcome.events)
    while not outcome.finished:
        if outcome.waiting:
            play = close(play, outcome)
        go(play, toy.CountingDice())  # this process dies before it can append
        outcome = go(play, fresh)
        seen.extend(outcome.events)
        play = play.plus(outcome.events)
    assert [(e.seq, e.type, e.payload) for e in seen] == [(e.seq, e.type, e.payload) for e in told]
    assert fresh.purposes == dice.purposes


def test_recorded_dice_are_handed_back_and_not_rolled_again() -> None:
    play = start()
    outcome = go(play)
    play = close(orders(play.plus(outcome.events), "blue", {"purchase": bet(3)}), outcome)
    outcome = go(play)
    play = play.plus(outcome.events)
    again = toy.CountingDice(seed=99)
    assert go(play, again).events == () and again.purposes == []


@pytest.mark.parametrize("field", ["by", "power"])
def test_a_changed_event_on_the_tape_is_a_difference(field: str) -> None:
    play = start()
    outcome = go(play)
    play = close(orders(play.plus(outcome.events), "blue", {"purchase": bet(3)}), outcome)
    play = play.plus(go(play).events)
    tape = list(play.tape)
    at = next(index for index, event in enumerate(tape) if event.type == "counter_changed")
    tape[at] = replace(tape[at], payload={**tape[at].payload, field: 1 if field == "by" else "red"})
    difference = go(replace(play, tape=tuple(tape))).difference
    assert difference is not None and difference.seq == tape[at].seq


def test_a_tape_not_used_up_is_a_difference() -> None:
    """The script ends earlier than what is recorded: that is a difference, not an end."""
    play = start()
    first = go(play)
    play = close(orders(play.plus(first.events), "blue", {"purchase": bet(3), "mobilize": bet(1)}), first)
    play = play.plus(go(play).events)
    shorter = replace(
        play.rules,
        next_segment=lambda rules, state: Segment("r1.blue", 1, ("blue",), lambda game: game.emit(
            "phase_begun", {"power": "blue", "phase": "bet"})),
    )  # fmt: skip
    outcome = run(replace(play, rules=shorter), toy.CountingDice(), StandingResponder(), now=0)
    assert outcome is not None and outcome.difference is not None


def test_orders_that_come_after_the_closing_do_not_count() -> None:
    play = start()
    outcome = go(play)
    play = close(orders(play.plus(outcome.events), "blue", {"purchase": bet(2)}), outcome)
    late = orders(play, "blue", {"purchase": bet(9)})
    told = go(late).events
    assert [e.payload["by"] for e in told if e.type == "counter_changed"][0] in (2, -2)


def test_a_reaction_is_asked_in_one_sealed_window_and_its_answer_counts() -> None:
    play = start()
    outcome = go(play, ask=True)
    play = close(orders(play.plus(outcome.events), "blue", {"purchase": bet(3)}), outcome)
    outcome = go(play, ask=True)
    play = play.plus(outcome.events)
    assert outcome.waiting is not None
    window = outcome.waiting.window
    assert window.kind == "reactions" and window.powers == ("red",) and len(window.asks) == 1
    answers = [filed_line(Retreat(None, to="x"), "retreat to x"), filed_line(Retreat(None), "retreat")]
    play = play.with_facts([("decision_given", {"power": "red", "window": window.id, "answers": answers})], 7)
    play = close(play, outcome)
    told = go(play, ask=True).events
    taken = next(event for event in told if event.type == "decisions_taken")
    assert [(row["power"], row["by"], row["value"]) for row in taken.payload["decisions"]] == [
        ("blue", "default", True), ("red", "player", False),
    ]  # fmt: skip
    assert not [event for event in told if event.type == "dice_rolled"]


def test_a_refused_answer_counts_as_not_given() -> None:
    play = start()
    standing = [filed_line(PressOn(None), "press on"), filed_line(Retreat(None, to="x"), "retreat to x")]
    play = play.with_facts([("standing_orders_given", {"power": "red", "orders": standing})], 1)
    outcome = go(play)
    play = close(orders(play.plus(outcome.events), "blue", {"purchase": bet(3)}), outcome)
    told = go(play).events
    refused = next(event for event in told if event.type == "answer_refused")
    assert refused.readers == ("red",) and refused.rules == ("TOY-2",)
    taken = next(event for event in told if event.type == "decisions_taken")
    assert [row["by"] for row in taken.payload["decisions"] if row["power"] == "red"] == ["standing"]


def test_standing_orders_given_after_the_closing_count_from_the_next_segment() -> None:
    play = start()
    outcome = go(play)
    play = close(orders(play.plus(outcome.events), "blue", {"purchase": bet(3)}), outcome)
    late = [filed_line(Retreat(None), "retreat")]
    play = play.with_facts([("standing_orders_given", {"power": "red", "orders": late})], 8)
    taken = next(event for event in go(play).events if event.type == "decisions_taken")
    assert [row["by"] for row in taken.payload["decisions"] if row["power"] == "red"] == ["default"]


def test_a_correction_waits_for_the_next_boundary() -> None:
    play = start()
    outcome = go(play)
    play = play.plus(outcome.events)
    facts = [{"type": "counter_changed", "payload": {"power": "blue", "counter": "ipc", "by": -9, "why": "ruling"}}]
    play = play.with_facts([("correction_requested", {"reason": "miscounted", "facts": facts})], 6)
    assert play.now.counter("blue") == 10
    play = close(orders(play, "blue", {"purchase": bet(3)}), outcome)
    outcome = go(play)
    kinds = [event.type for event in outcome.events]
    assert kinds.index("correction_made") < kinds.index("decisions_taken")
    play = play.plus(outcome.events)
    assert go(play).events == (), "the correction is made once"


def test_skipping_the_rest_window_needs_a_filed_line() -> None:
    play = start()
    outcome = go(play)
    play = close(orders(play.plus(outcome.events), "blue", {"purchase": bet(1)}), outcome)
    outcome = go(play)
    assert outcome.waiting is not None and not outcome.waiting.close_now


def test_two_games_in_any_order_give_the_same_bytes() -> None:
    def both(first: int, second: int) -> list[str]:
        out = []
        for seed in sorted((first, second), reverse=first > second):
            del seed
            play, _, _ = whole_turn()
            out.append(str(state_to_json(play.base)))
        return out

    assert both(1, 2) == both(2, 1)
