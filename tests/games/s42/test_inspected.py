"""Campaigns of plausible and silly orders under every option: an inspector with rules of his own finds no fault."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case
from pbem.campaign.filing import file_lines
from pbem.campaign.play import begin, run_on
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.setup import start_events
from pbem.testing.random_play import faults
from tests.games.p40.nonsense import standing_orders, turn_orders
from tests.games.s42.general import General
from tests.games.s42.inspector import Inspector

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"interceptors": True},
    {"black_sea_closed": True},
    {"total_victory": True},
    {"submarine_escort": "unit"},
    {"submarine_escort": "off"},
    {"overbuy": "refund"},
    {"bid": {"germany": {"ipc": 5, "units": {"Libya": {"tank": 1}}}}},
    {"interceptors": True, "overbuy": "refund", "black_sea_closed": True, "submarine_escort": "off"},
)


def inspected(options: dict[str, Any], turns: int, seed: int) -> Counter[str]:
    """So many turns, each looked over; what was seen of them, by kind."""
    rules = rule_set("s42", options=options)
    chance = Random(seed)
    play = begin("inspected", rules, start_events(rules))
    inspector = Inspector(rules.board, options, play.now)
    for turn in range(turns):
        segment = rules.next_segment(rules, play.now)
        if segment is None:
            break
        for power in rules.board.powers:
            lines = standing_orders(rules, play.now, power, chance)
            if power == segment.seat[0]:
                silly = chance.random() < 0.2
                lines += (
                    turn_orders(rules, play.now, power, chance)
                    if silly
                    else list(General(rules, play.now, power, chance).orders())
                )
            filing = file_lines(power, [(line, line.type) for line in lines], play.now)
            play = play.with_facts(
                [
                    ("orders_received", {"power": power, "phases": dict(filing.phases)}),
                    ("standing_orders_given", {"power": power, "orders": list(filing.answers)}),
                ],
                0,
            )
        inspector.state = play.now
        dice = SeededThrowaway(seed * 1000 + turn)
        told = run_on(play, dice, StandingResponder(), now=0, may_close=lambda window: True)
        assert told.outcome is not None and told.outcome.finished, told.outcome
        assert inspector.look_over(told.events) == []
        assert faults(rules, told.play.now) == []
        play = told.play
    return inspector.seen


FALSE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("units_moved", "passes a canal", {"from": "sz-17", "to": "sz-34", "via": []}),
    ("units_moved", "does not stop", {"from": "sz-7", "to": "sz-5", "via": ["sz-6"]}),
    ("units_moved", "sails 3 zones", {"spent": 3}),
    ("dice_rolled", "cruiser needs 4", {"dice": [{"unit": "u1", "kind": "cruiser", "owner": "uk", "need": 4}]}),
    ("dice_rolled", "fires in sz-6 and is not there", {"dice": [{"unit": "u9", "kind": "cruiser", "need": 3}]}),
    ("counter_changed", "collects 31 for 30", {"by": 31}),
)


@pytest.mark.parametrize(("kind", "said", "change"), FALSE)
def test_the_inspector_sees_what_is_wrong(kind: str, said: str, change: dict[str, Any]) -> None:
    given = {
        "round": 2, "power": "uk", "phase": "combat_move", "from": "nothing",
        "spaces": {
            "Sea Zone 7": {"units": {"uk": {"cruiser": 1}}}, "Sea Zone 6": {"units": {"germany": {"destroyer": 1}}},
            "Trans-Jordan": {"controller": "germany"},
        },
    }  # fmt: skip
    case = {
        "id": "x", "game": "s42", "given": given, "orders": {"uk": "1 cruiser Sea Zone 7 -> Sea Zone 6"},
        "dice": [[3], [6]], "expect": {},
    }  # fmt: skip
    verdict = run_case(case_from_json(case))
    rules = rule_set("s42")
    assert Inspector(rules.board, {}, verdict.start).look_over(verdict.events) == []
    first = next(event for event in verdict.events if event.type == kind)
    false = [replace(e, payload={**e.payload, **change}) if e is first else e for e in verdict.events]
    inspector = Inspector(rules.board, {}, verdict.start)
    with suppress(KeyError):
        inspector.look_over(false)
    assert any(said in wrong for wrong in inspector.wrong), inspector.wrong


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_nothing_is_wrong(number: int) -> None:
    seen = inspected(OPTIONS[number], turns=15, seed=number)
    assert seen["battle_begun"] > 20 and seen["units_moved"] > 100, "the general must really play"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_nothing_is_wrong_for_long(number: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(100 + number, 127, len(OPTIONS)):
        seen += inspected(OPTIONS[number], turns=40, seed=seed)
    for kind in ("battle raid_bombing", "battle sea", "battle land", "dice aa_fire", "ashore"):
        assert seen[kind] > 0, f"no {kind} in all these turns"
    assert (seen["battle raid_air"] > 0) == bool(OPTIONS[number].get("interceptors"))
