"""Retreats written in a hurry: what the answer says of them at once, before any battle."""

from __future__ import annotations

from pathlib import Path

from pbem.campaign.create import CampaignWanted
from pbem.testing.campaigns import everybody
from pbem.testing.table import Table

POWERS = ("ussr", "germany", "uk", "japan", "usa")
WANTED = CampaignWanted("table-1", "classic", "2e", ("err",), {}, everybody(POWERS, {}))


def test_ships_do_not_retreat_from_an_island(tmp_path: Path) -> None:
    """ERR-9.1: `Hawaii` is the island; the ships lie in the zone around it, and the answer says so."""
    table = Table(tmp_path, WANTED)
    table.go()
    answer = table.say("usa", "retreat hawaii after round 1: 1 carrier to midway sz, 1 bb break off")
    [line] = answer.lines
    assert line.status == "refused" and line.rule == "ERR-9.1"
    assert line.reason == "Hawaiian Islands is land: no aircraft carrier fights or retreats there."
    assert line.suggestions == ("Name the sea zone of the battle: Hawaii Sea Zone.",)
    told = table.say("usa", "retreat hawaii sz after round 1: 1 carrier to midway sz, 1 bb break off")
    assert [line.status for line in told.lines] == ["accepted"]
    # Evacuation is by ships, and what leaves is no ship.
    told = table.say("uk", "evacuate w europe after round 1 via north sea to uk: 1 arm")
    assert [line.status for line in told.lines] == ["accepted"]
