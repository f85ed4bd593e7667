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


def test_a_retreat_is_judged_with_the_landing_of_the_same_mail(tmp_path: Path) -> None:
    """ERR-5.1, ERR-5.4: aircraft may break off an assault; that it is one is said by the mail that orders it."""
    table = Table(tmp_path, WANTED)
    table.go()
    overland = "1 fighter Karelia S.S.R. -> Finland-Norway\n1 infantry Karelia S.S.R. -> Finland-Norway\n"
    table.say("ussr", overland)
    alone = "1 fighter break off Finland-Norway at start of round 2"
    [refused] = table.say("ussr", alone).lines
    assert refused.status == "refused" and refused.rule == "ERR-5.4"
    landing = (
        "load 1 infantry Karelia S.S.R. -> Karelia Sea Zone\n1 transport Karelia Sea Zone -> North Sea\n"
        "unload 1 infantry North Sea -> Finland-Norway\n"
    )
    told = table.say("ussr", f"add\n{landing}{alone}")
    assert [line.reason for line in told.lines if line.status == "refused"] == []
    far = table.say("ussr", f"{overland}retreat Finland-Norway after round 1 to Russia")
    [refused] = [line for line in far.lines if line.status == "refused"]
    assert refused.rule == "ERR-4.1"
