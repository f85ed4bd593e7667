"""What is ordered beside research is checked with the money and weapons that are there if the dice bring nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.create import CampaignWanted
from pbem.testing.campaigns import everybody
from pbem.testing.table import Table

POWERS = ("ussr", "germany", "uk", "japan", "usa")
WANTED = CampaignWanted("table-1", "classic", "2e", (), {}, everybody(POWERS, {}))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """The Soviet Union's first window is open; it has 24 IPC."""
    begun = Table(tmp_path, WANTED)
    begun.go()
    return begun


def test_a_purchase_that_only_industrial_technology_could_pay_stands_and_is_told(table: Table) -> None:
    answer = table.say("ussr", "research 1\nbuy 7 infantry")  # 24 - 5 - 21; with the weapon an infantry costs 2
    [bought] = [line for line in answer.lines if line.canonical == "buy 7 infantry"]
    assert bought.status == "accepted" and bought.rule == "CLA-4.2"
    assert bought.reason == "Without a breakthrough it is refused: 7 infantry costs 21 IPC, and 19 are left."
    assert bought.suggestions == ("Buy at most 6.",)
    assert answer.in_force["ussr"]["purchase"] == ("buy 7 infantry",)


def test_what_no_weapon_helps_is_refused_with_the_money_that_will_be_left(table: Table) -> None:
    answer = table.say("ussr", "research 1\nbuy 5 infantry\nbuy 9 infantry")
    [refused] = [line for line in answer.lines if line.status == "refused"]
    assert refused.reason == "9 infantry costs 27 IPC, and 4 are left."  # 24 - 5 - 15
    assert refused.suggestions == ("Buy at most 1.",)
    assert [line.reason for line in answer.lines if line.status == "accepted"] == [None, None]


def test_research_ordered_after_the_purchase_says_what_it_costs(table: Table) -> None:
    table.say("ussr", "buy 8 infantry")
    answer = table.say("ussr", "research 1")
    [line] = answer.lines
    assert line.status == "accepted"
    assert line.reason == (
        "`buy 8 infantry`: without a breakthrough it is refused: 8 infantry costs 24 IPC, and 19 are left."
    )
    later = table.say("ussr", "buy 7 infantry")
    assert "Without a breakthrough" in (later.lines[0].reason or "")


def test_a_line_for_the_case_without_breakthrough_is_checked_in_that_case(table: Table) -> None:
    answer = table.say("ussr", "research 1\nif no breakthrough: buy 6 infantry\nif breakthrough: buy 9 infantry")
    assert [line.reason for line in answer.lines] == [None, None, None]
    answer = table.say("ussr", "research 1\nif no breakthrough: buy 20 infantry")
    assert "20 infantry costs 60 IPC, and 19 are left" in (answer.lines[1].reason or "")
