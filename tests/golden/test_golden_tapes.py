"""Golden tapes: recorded turns run again under today's rules and must give the same events to the byte.

Where one differs, recorded campaigns would run differently: see tools/make_golden.py.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from pbem.demo.script import SCRIPTS
from pbem.rules.tape import Emitted
from pbem.testing.determinism import play_turn, start

FOLDER = Path(__file__).parent
TAPES = sorted(path.name.removesuffix(".jsonl.gz") for path in FOLDER.glob("*.jsonl.gz"))


def recorded(game: str) -> tuple[int, list[list[list[object]]]]:
    """The rules version of a tape and its turns, each a list of events."""
    with gzip.open(FOLDER / f"{game}.jsonl.gz", "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        return head["rules_version"], [json.loads(line) for line in lines]


def test_every_scripted_game_has_a_tape() -> None:
    assert sorted(SCRIPTS) == TAPES


@pytest.mark.parametrize("game", TAPES)
def test_scripts_give_the_recorded_events(game: str) -> None:
    version, turns = recorded(game)
    script = SCRIPTS[game]()
    play = start(script, f"{game}-golden")
    assert version == play.rules.version, "the tape is of other rules: write it anew when the version rises"
    for number, turn in enumerate(turns):
        play, events = play_turn(play, script, game)
        now = [[e.seq, e.type, e.payload, list(e.rules), e.readers] for e in events]
        for was, became in zip(turn, json.loads(json.dumps(now)), strict=False):
            assert was == became, f"turn {number}: the rules give something else; raise RULES_VERSION"
        assert len(turn) == len(now)


@pytest.mark.parametrize("game", TAPES)
def test_recorded_tapes_are_executed_again_without_a_difference(game: str) -> None:
    """The tape itself, inputs and script events as they stand in a log, is what the runner re-executes."""
    from pbem.campaign.play import run
    from pbem.dice.source import SeededThrowaway
    from pbem.orders.respond import StandingResponder

    _, turns = recorded(game)
    play = start(SCRIPTS[game](), f"{game}-golden")
    for turn in turns:
        tape = [
            Emitted(seq, kind, 0, body, tuple(rules), None if readers is None else tuple(readers))
            for seq, kind, body, rules, readers in turn
        ]
        assert tape[-1].type == "segment_ended"
        ahead = type(play)(play.campaign, play.rules, play.base, tuple(tape), tape[-1].seq + 1)
        outcome = run(ahead, SeededThrowaway("other dice"), StandingResponder(), now=0)
        assert outcome is not None and outcome.finished, outcome and outcome.difference
        assert outcome.events == (), "everything stood on the tape"
        play = play.plus(tape)
