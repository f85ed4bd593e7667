"""A combat phase that stops at every question and is run again each time ends as one that never stopped."""

from __future__ import annotations

import random
from collections.abc import Mapping

from pbem.board.state import State, state_to_json
from pbem.campaign.play import begin
from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.position import position
from pbem.rules.ruleset import Segment
from pbem.rules.runner import Runner
from pbem.rules.script import Game
from pbem.rules.tape import Emitted, Outcome

RULES = rule_set("p40", "2e")
GIVEN = {
    "round": 2,
    "power": "japan",
    "phase": "conduct_combat",
    "from": "nothing",
    "relations": "war",
    "spaces": {
        "Hunan": {
            "controller": "china",
            "units": {
                "china": {"infantry": 4, "artillery": 1},
                "japan": {"infantry": 3, "artillery": 1, "tank": 1, "fighter": 1, "tac_bomber": 1},
            },
        },
        "Malaya": {
            "controller": "uk",
            "units": {
                "uk": {"infantry": 2, "aa_gun": 1},
                "anzac": {"infantry": 1, "fighter": 1},
                "japan": {"infantry": 3, "fighter": 2, "bomber": 1},
            },
        },
        "Sea Zone 31": {
            "units": {
                "usa": {"carrier": [{"cargo": {"usa": {"fighter": 2}}}], "submarine": 2, "transport": 1},
                "japan": {"submarine": 2, "cruiser": 2, "battleship": 1},
            }
        },
    },
}


class DiceByPurpose:
    """Faces that depend on the purpose only, as real dice do."""

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        chance = random.Random(purpose.text())
        faces = tuple(chance.randint(1, 6) for _ in range(count))
        return Roll(None, None, None, purpose.text(), dict(entropy), faces, "throwaway")


def combat(game: Game) -> None:
    game.emit("phase_begun", {"power": "japan", "phase": "conduct_combat"})
    game.run("conduct_combat")
    game.emit("phase_ended", {"power": "japan", "phase": "conduct_combat"})


def run(state: State, tape: list[Emitted], *, asking: bool) -> Outcome:
    return Runner(
        campaign="test",
        rules=RULES,
        segment_=Segment("r2.japan", 2, ("japan",), combat),
        state_=state,
        tape=tape,
        dice=DiceByPurpose(),
        responder=StandingResponder(),
        next_seq=state.size + len(tape),
        must_ask=lambda decision, view: asking,
    ).execute()


def start() -> State:
    return begin("test", RULES, position(RULES, GIVEN)).now


def without_windows(state: State) -> dict[str, object]:
    told = state_to_json(state)
    return {key: value for key, value in told.items() if key not in ("size", "windows", "entropy")}


def test_stopping_at_every_question_changes_nothing() -> None:
    begun = start()
    straight = run(begun, [], asking=False)
    assert straight.finished
    tape: list[Emitted] = []
    stops = 0
    while not (outcome := run(begun, tape, asking=True)).finished:
        assert outcome.waiting is not None, outcome.difference
        stops += 1
        tape += outcome.events
        closed = {"window": outcome.waiting.window.id, "why": "deadline", "texts": {}, "entropy": {}}
        tape.append(Emitted(begun.size + len(tape), "window_closed", 0, closed, ()))
    assert stops > 5
    assert without_windows(outcome.state) == without_windows(straight.state)


def test_the_tape_runs_again_without_a_difference() -> None:
    begun = start()
    tape = list(run(begun, [], asking=False).events)
    again = run(begun, tape, asking=False)
    assert again.finished
    assert again.events == ()


def test_everybody_hit_is_told_with_the_rule_and_who_chose() -> None:
    events = run(start(), [], asking=False).events
    chosen = [event for event in events if event.type == "losses_chosen"]
    told = {row[0] for event in chosen for row in event.payload["losses"] if row[3] == "lost"}
    removed = [event.payload for event in events if event.type == "units_removed"]
    for gone in removed:
        if gone["why"] == "casualty":
            assert set(gone["units"]) - set(gone.get("cargo", ())) <= told
    assert all(event.rules and event.payload["by"] for event in chosen)


def test_every_die_names_its_unit_and_what_it_needs() -> None:
    events = run(start(), [], asking=False).events
    rolls = [event.payload for event in events if event.type == "dice_rolled"]
    assert rolls
    for roll in rolls:
        assert len(roll["dice"]) == roll["count"]
        assert all({"unit", "need"} <= set(die) for die in roll["dice"])
        needs = [die["need"] for die in roll["dice"]]
        assert needs == sorted(needs)
