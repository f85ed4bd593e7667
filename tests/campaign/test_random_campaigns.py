"""Whole campaigns of random orders through text, store and adjudication: nothing breaks, nothing that cannot be is
ever on the table, and the whole is recomputed from its inputs to the same events and the same head."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.audit.recompute import recompute
from pbem.board.evolve import evolve
from pbem.board.state import State
from pbem.campaign.advance import advance
from pbem.campaign.create import CampaignWanted, create_campaign
from pbem.campaign.load import load
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.games.catalog import load_board
from pbem.log.checkpoint import Signer
from pbem.log.event import Event
from pbem.log.store import open_store
from pbem.rules.ruleset import RuleSet
from pbem.testing.campaigns import everybody
from pbem.testing.random_play import faults, random_text

GAMES = [
    ("p40", "card"), ("p40", "1e"), ("p40", "2e"), ("s42", ""), ("p01", ""), ("p01+wwm", ""), ("classic", "2e"),
    ("classic", "3e"),
]  # fmt: skip
"""Games that whole random campaigns are played of, variants behind a plus sign."""


def played(folder: Path, game: str, edition: str, turns: int, seed: int) -> tuple[Referee, RuleSet, Counter[str]]:
    """A campaign of so many turns of random orders in a real SQLite file."""
    game, *variants = game.split("+")
    chance = random.Random(seed)
    store = open_store(f"sqlite:///{folder}/random.sqlite3")
    ticks = iter(range(1_785_000_000_000, 10**15, 1000))
    referee = Referee(store, Signer(store), lambda: next(ticks))
    powers = [p.id for p in load_board(game, edition).powers.values() if p.playable]
    wanted = CampaignWanted(
        "random", game, edition or None, tuple(variants), players=everybody(powers), reactions="standing"
    )  # fmt: skip
    create_campaign(referee, wanted)
    statuses: Counter[str] = Counter()
    number = 0
    ended = 0
    while ended < turns:
        done = advance(referee, "random")
        assert done.stopped is None, done.stopped
        if done.over:
            break
        play = load(referee, "random").play
        window = done.window
        assert window is not None
        for power in window.powers:
            first = window.id.endswith(":moves")
            text = random_text(chance, play.rules, play.now, power) if first else "rest default"
            number += 1
            answer = submit(
                referee, Submission("random", power, f"{text}\nrest default\nready", next(ticks), number),
                mail_answer=False,
            )  # fmt: skip
            statuses.update(line.status for line in answer.lines)
            ended += first
    return referee, play.rules, statuses


def check(referee: Referee, rules: RuleSet) -> Sequence[Event]:
    """Every position on the way is possible; the whole comes out again from its inputs."""
    events = list(referee.store.read("random", verify=True))
    state = State()
    born: set[str] = set()
    for event in events:
        state = evolve(state, event)
        if event.type == "units_created":
            fresh = {row[0] for row in event.payload["units"]}
            assert not fresh & born, "an id is for life and is never given twice"
            born |= fresh
        elif event.type == "battle_begun":
            sides = {row[2] for row in event.payload["attackers"]}, {row[2] for row in event.payload["defenders"]}
            for attacker in sides[0]:
                for defender in sides[1]:
                    hostile = state.at_war(attacker, defender) or defender in ("neutral", "france", "dutch")
                    assert hostile, f"{attacker} and {defender} fight at peace at event {event.seq}"
        elif event.type in ("phase_ended", "segment_ended"):
            assert faults(rules, state) == [], f"at event {event.seq} {event.type}"
    assert set(state.units) <= born
    audit = recompute("random", events)
    assert audit.equal, audit.difference
    assert audit.rolls == sum(event.type == "dice_rolled" for event in events)
    return events


@pytest.mark.parametrize(("game", "edition"), GAMES)
def test_a_campaign_of_random_orders(tmp_path: Path, game: str, edition: str) -> None:
    referee, rules, statuses = played(tmp_path, game, edition, turns=25, seed=11)
    events = check(referee, rules)
    assert statuses["accepted"] > 100, "the random player must really play"
    assert any(event.type == "battle_begun" for event in events)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("game", "edition"), GAMES)
def test_a_long_campaign_of_random_orders(tmp_path: Path, game: str, edition: str) -> None:
    referee, rules, _ = played(tmp_path, game, edition, turns=120, seed=23)
    check(referee, rules)
