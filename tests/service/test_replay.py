"""Replays of stored campaigns: alike whatever ran before, under new rules, and from the middle of a phase."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.board.evolve import fold
from pbem.board.state import State, state_to_json
from pbem.campaign.asking import must_ask
from pbem.campaign.load import assemble, load
from pbem.campaign.play import run
from pbem.dice.source import ChainSource
from pbem.games.catalog import UnknownGame
from pbem.games.p40 import rules as p40_rules
from pbem.orders.respond import StandingResponder
from pbem.rules.tape import FOREIGN, INPUT
from pbem.testing.campaigns import campaign_from
from tests.mail.letters import GOOD, letter
from tests.service.kit import CAMPAIGN, PLAYERS, POSITION, Table, wanted

OTHER = "p40-18"

SHOW = """
import hashlib, json, sys
from pbem.campaign.config import Settings, open_referee
from pbem.campaign.load import load
from pbem.board.state import state_to_json
from pbem.report.render import render
from dataclasses import replace
referee = open_referee(Settings(database=sys.argv[1]), lambda: 0)
told = {}
for campaign in sys.argv[2:]:
    state = load(referee, campaign).play.now
    row = [row for row in referee.store.outbox(campaign, limit=100) if row.kind == "report"][0]
    report = render(referee, replace(row, kind="ask"))
    told[campaign] = [json.dumps(state_to_json(state)), report.text, report.html]
for campaign in sorted(told):
    for part in told[campaign]:
        print(hashlib.sha256(part.encode()).hexdigest())
"""


def play_some(table: Table) -> None:
    """Japan attacks, everybody else lets the deadlines pass."""
    table.receive(letter("\n".join(GOOD) + "\nready\n"))
    for _ in range(7):
        table.advance()
        table.clock.pass_time(hours=60)
    table.advance()


def test_m103_the_order_of_replays_and_the_hash_seed_do_not_matter(table: Table, tmp_path: Path) -> None:
    play_some(table)
    others = tuple(replace(player, token=f"{player.token}x") for player in PLAYERS)
    campaign_from(table.referee, wanted(id=OTHER, players=others, moderator=None), POSITION)
    table.campaign = OTHER
    play_some(table)
    for campaign in (CAMPAIGN, OTHER):
        table.referee.signer.sign(campaign, table.clock())
    printed = set()
    for seed, order in (("0", (CAMPAIGN, OTHER)), ("1", (OTHER, CAMPAIGN)), ("12345", (CAMPAIGN, OTHER))):
        done = subprocess.run(
            [sys.executable, "-c", SHOW, f"sqlite:///{tmp_path}/campaign.sqlite3", *order],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        printed.add(done.stdout)
    (only,) = printed
    assert len(only.split()) == 6


def test_m103_a_branch_taken_in_mid_phase_goes_on_like_the_original(table: Table) -> None:
    """From any prefix of the log the scripts give the very event that came next, dice included."""
    play_some(table)
    events = table.events()
    loaded = load(table.referee, CAMPAIGN)
    chain = table.referee.chain(CAMPAIGN, 0, loaded.chains[0][1])
    tried = 0
    for size in range(12, len(events), 7):
        following = events[size]
        if following.type in INPUT or following.type in FOREIGN:
            continue
        play = assemble(CAMPAIGN, State(), events[:size], size)
        used = [event.payload["k"] for event in events[:size] if event.type == "dice_rolled"]
        outcome = run(
            play, ChainSource([chain], 0, used[-1] if used else 0), StandingResponder(), now=following.at,
            must_ask=must_ask,
        )  # fmt: skip
        assert outcome is not None and outcome.difference is None
        first = outcome.events[0]
        assert (first.type, first.payload, first.rules) == (following.type, following.payload, following.rules)
        tried += 1
    assert tried > 10


def test_m101_at_every_moment_of_the_log_an_open_window_waits_for_somebody(table: Table) -> None:
    play_some(table)
    state = State()
    seen = 0
    for event in table.events():
        state = fold(state, [event])
        for window in state.windows.values():
            seen += 1
            assert window.powers
    assert seen >= 10


def test_m93_new_rules_leave_an_old_campaign_alone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log replays without rules; adjudication under other rules than the campaign's is refused, not tried."""
    play_some(table)
    events = table.events()
    before = state_to_json(fold(State(), events))
    size = table.referee.store.head(CAMPAIGN).size
    monkeypatch.setattr(p40_rules, "RULES_VERSION", 2)
    assert state_to_json(fold(State(), table.events())) == before
    with pytest.raises(UnknownGame, match="rules version 1"):
        table.advance()
    assert table.referee.store.head(CAMPAIGN).size == size
    monkeypatch.setattr(p40_rules, "RULES_VERSION", 1)
    table.clock.pass_time(hours=60)
    assert table.advance().appended > 0
