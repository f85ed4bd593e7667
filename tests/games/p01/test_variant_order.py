"""The turn of War Without Mercy in live campaigns: segments in lock-step, and orders that wait sealed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.advance import Advanced
from pbem.campaign.create import CampaignWanted
from pbem.campaign.load import load
from pbem.campaign.play import begin, run_on
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.setup import start_events
from pbem.testing import table as tables
from pbem.testing.campaigns import everybody

NAME = "wwm-1"


class Table(tables.Table):
    """One campaign with the variant from its set-up; a player for every power."""

    def __init__(self, folder: Path) -> None:
        powers = everybody(("japan", "uk", "china", "usa"))
        super().__init__(folder, CampaignWanted(NAME, "p01", None, ("wwm",), {}, powers, reactions="standing"))

    def on_to(self, segment: str) -> Advanced:
        """Everybody who is waited for is silent until a segment's window is open."""
        for _ in range(40):
            done = self.go()
            assert done.window is not None
            if done.window.id.startswith(f"{segment}:"):
                return done
            for power in done.window.powers:
                self.say(power, "ready")
        raise AssertionError(f"{segment} never came")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    yield Table(tmp_path)


def test_actions_are_taken_in_lock_step() -> None:
    """A turn is a strategic and a tactical phase (WWM-2.1) of three actions each seat finishes before the next begins
    (WWM-3.1, WWM-3.2), in the order of initiative (WWM-3.3); on the first turn Japan, America, Britain, without dice
    (WWM-2.7). A tactical turn is complete before the next seat's (WWM-9.1); the last is Britain's (WWM-2.10)."""
    rules = rule_set("p01", variants=("wwm",))
    play = begin("table", rules, start_events(rules))
    told = []
    phases = []
    orders: dict[str, list[str]] = {}
    while "r2.uk" not in told:
        segment = rules.next_segment(rules, play.now)
        assert segment is not None
        done = run_on(play, SeededThrowaway(5), StandingResponder(), now=0, may_close=lambda window: True)
        play = done.play
        told.append(segment.id)
        for event in done.events:
            if event.type == "phase_begun":
                phases.append((segment.id, event.payload["phase"]))
            elif event.type == "initiative_won":
                orders[event.payload["part"]] = event.payload["order"]
    first, second = orders["strategic"], orders["tactical"]
    begun = told.index("r2.strategic")
    assert told[:begun] == [
        "r1.convoys", "r1.purchase.japan", "r1.purchase.usa", "r1.purchase.uk", "r1.deploy_air.japan",
        "r1.fuel_task_forces.japan", "r1.japan", "r1.usa", "r1.uk",
    ]  # fmt: skip
    assert told[begun:] == [
        "r2.strategic",
        *(f"r2.{action}.{seat}" for action in ("purchase", "deploy_air", "fuel_task_forces") for seat in first),
        "r2.tactical",
        *(f"r2.{seat}" for seat in second),
    ]
    following = rules.next_segment(rules, play.now)
    assert following is not None and following.id == "r3.strategic"
    assert first[-1] == second[-1] == "uk"
    tactical = [phase for segment, phase in phases if segment == "r2.japan"]
    assert tactical == ["combat_move", "conduct_combat", "noncombat_move", "mobilize", "collect_income"]


def test_what_is_bought_in_the_strategic_phase_stands_in_the_tactical_one(table: Table) -> None:
    """WWM-3.6; what a seat does is known before the next one acts (WWM-3.3)."""
    table.on_to("r1.purchase.japan")
    table.say("japan", "buy 1 infantry, 1 artillery\nready")
    table.on_to("r1.purchase.usa")
    bought = [event for event in table.events() if event.type == "purchases_changed"]
    assert [event.payload["items"] for event in bought] == [{"infantry": 1}, {"artillery": 1}]
    assert all(event.readers is None and not event.sealed for event in bought)
    table.on_to("r1.usa")
    state = load(table.referee, NAME).play.now
    assert not state.purchased("japan")
    placed = [
        (event.payload["power"], event.payload["items"])
        for event in table.events()
        if event.type == "purchases_changed" and event.payload.get("why") == "placed"
    ]
    assert sorted(str(items) for power, items in placed if power == "japan") == [
        "{'artillery': -1}",
        "{'infantry': -1}",
    ]


def test_orders_for_a_later_action_wait_sealed(table: Table) -> None:
    """They are read by nobody else, and checked and carried out when their turn comes (WWM-3.7)."""
    table.on_to("r1.purchase.japan")
    answer = table.say("usa", "buy 2 infantry\nplace 2 infantry United States")
    assert [line.status for line in answer.lines] == ["accepted", "accepted"]
    assert "buy 2 infantry" not in str([line.text for line in table.say("japan", "show").lines])
    received = [event for event in table.events() if event.type == "orders_received"]
    assert [(event.payload["power"], event.readers) for event in received] == [("usa", ("usa",))]
    assert set(received[0].payload["phases"]) == {"purchase", "mobilize"}
    state = load(table.referee, NAME).play.now
    assert state.purchased("usa") == {} and state.counter("usa") == 75

    table.say("japan", "ready")
    table.on_to("r1.purchase.usa")
    table.say("usa", "ready")
    table.on_to("r1.purchase.uk")
    state = load(table.referee, NAME).play.now
    assert state.purchased("usa") == {"infantry": 2} and state.counter("usa") == 69
    table.on_to("r1.uk")
    state = load(table.referee, NAME).play.now
    assert not state.purchased("usa")
    there = [unit for unit in state.units_in("united-states") if unit.kind == "infantry"]
    assert len(there) == 4


def test_an_order_that_waits_is_refused_when_its_turn_comes_if_it_cannot_be_carried_out(table: Table) -> None:
    """On the first turn the Allies only buy (WWM-3.4): a flight filed early is refused then, not before (WWM-3.7)."""
    table.on_to("r1.purchase.japan")
    table.say("usa", "deploy 1 fighter Philippines -> Hawaiian Islands")
    assert not [event for event in table.events() if event.type == "order_refused"]
    table.on_to("r1.deploy_air.japan")
    refused = [event for event in table.events() if event.type == "order_refused"]
    assert [(event.payload["power"], event.rules) for event in refused] == [("usa", ("WWM-3.4",))]
