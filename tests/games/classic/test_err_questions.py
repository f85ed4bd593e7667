"""What players read when Enhanced Realism asks them: who may go where, the default, and lines that would be accepted.

The whole way through store, adjudication and mail, in both languages; answers that the rules refuse are told at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.create import CampaignWanted
from pbem.games.catalog import rule_set
from pbem.odds.setting import Setting, Some, make_battle
from pbem.report.render import render
from pbem.testing.campaigns import everybody
from pbem.testing.table import Table

POWERS = ("ussr", "germany", "uk", "japan", "usa")


def land(controller: str, **units: dict[str, Any]) -> dict[str, Any]:
    return {"controller": controller, "units": units}


def sea(**units: dict[str, Any]) -> dict[str, Any]:
    return {"units": units}


KARELIA = {
    "Eastern Europe": land("germany", germany={"infantry": 20}),
    "Karelia S.S.R.": land("ussr", ussr={"infantry": 12, "tank": 2, "fighter": 2, "aa_gun": 1}),
    "Russia": land("ussr"),
    "Caucasus": land("ussr"),
}
LANDING = {
    "North Sea": sea(uk={"transport": [{"cargo": {"uk": {"infantry": 2}}}] * 5}),
    "Karelia S.S.R.": land("ussr", uk={"tank": 2}),
    "United Kingdom": land("uk", uk={"fighter": 2}),
    "Finland-Norway": land("germany", germany={"infantry": 12}),
}
CHANNEL = {
    "Germany": land("germany", germany={"infantry": 20}),
    "Southern Europe": land("germany"),
    "Western Europe": land("uk", uk={"infantry": 15}),
    "North Sea": sea(uk={"transport": 2}),
    "West Spain SZ": sea(usa={"transport": 1}),
    "United Kingdom": land("uk"),
}
NORWAY = {
    "Karelia S.S.R.": land("ussr", ussr={"infantry": 14}),
    "Finland-Norway": land("germany", germany={"fighter": 12}),
    "Germany": land("germany"),
    "Eastern Europe": land("germany"),
    "Western Europe": land("germany"),
    "Ukraine S.S.R.": land("germany"),
}
UKRAINE = {
    "Karelia S.S.R.": land("ussr", ussr={"infantry": 5}),
    "Caucasus": land("ussr", ussr={"infantry": 13}),
    "Ukraine S.S.R.": land("germany", germany={"infantry": 12}),
    "Eastern Europe": land("germany", germany={"infantry": 6}),
}
OCEAN = {
    "North Sea": sea(uk={"battleship": 1, "transport": 12}),
    "West Spain SZ": sea(germany={"battleship": 1, "submarine": 1, "transport": 12}),
}
GUNS = {
    "Ukraine S.S.R.": land("germany", germany={"infantry": 9, "fighter": 2}),
    "Caucasus": land("ussr", ussr={"infantry": 4, "artillery": 3}),
}
"""Positions in which both sides have units left after a round, whatever is rolled."""


def table_of(
    folder: Path, power: str, spaces: dict[str, Any], said: Sequence[tuple[str, str]], language: str = "en",
    **options: Any,
) -> Table:  # fmt: skip
    players = tuple(replace(player, language=language) for player in everybody(POWERS))
    wanted = CampaignWanted(
        "classic-8", "classic", "2e", ("err",), options, players=players, orders_hours=48, reactions="standing"
    )
    given = {"round": 2, "power": power, "phase": "combat_move", "from": "nothing", "spaces": spaces}
    table = Table(folder, wanted, given)
    table.go()
    for player, text in said:
        answer = table.say(player, text)
        assert {line.status for line in answer.lines} == {"accepted"}, answer.lines
    table.go()
    return table


def asked(table: Table) -> tuple[str, str]:
    """Who was asked last, and the words of his mail on one line."""
    row = next(row for row in table.referee.store.outbox("classic-8", limit=1000) if row.kind == "ask")
    return row.recipient, " ".join(render(table.referee, row).text.split())


def offered(table: Table) -> list[str]:
    """The lines that the mail says would be accepted."""
    row = next(row for row in table.referee.store.outbox("classic-8", limit=1000) if row.kind == "ask")
    text = render(table.referee, row).text
    block = text.split("HOW TO ANSWER")[1].split("Without an answer")[0].split("accepted now:")[1]
    return [" ".join(line.split()) for line in block.replace("\n      ", " ").splitlines() if line.strip()]


ATTACK_KARELIA = ("germany", "20 infantry Eastern Europe -> Karelia S.S.R.; press on Karelia S.S.R.; ready")
LAND_IN_NORWAY = "unload 10 infantry North Sea -> Finland-Norway; 2 tank Karelia S.S.R. -> Finland-Norway; "
QUESTIONS: dict[str, tuple[str, dict[str, Any], list[tuple[str, str]], str, list[str], list[str]]] = {
    "ERR-D01": (
        "uk", LANDING,
        [("uk", f"{LAND_IN_NORWAY}2 fighter United Kingdom -> North Sea -> Finland-Norway; "
                "casualties Finland-Norway: infantry first; ask me retreat; ready")],
        "uk",
        ["retreat at Finland-Norway, battle round 1 (attacker)", "(landed): aboard in North Sea;",
         "by ship ashore in United Kingdom", "2 armor: overland to Karelia S.S.R.",
         "2 fighters: stop fighting and land later", "default: press on",
         "your chance to win if everybody fights on: "],
        ["retreat Finland-Norway: overland to Karelia S.S.R., landed re-embark, unload all United Kingdom",
         "press on Finland-Norway"],
    ),
    "ERR-D03": (
        "uk", LANDING,
        [("uk", f"{LAND_IN_NORWAY}2 fighter United Kingdom -> North Sea -> Finland-Norway; "
                "casualties Finland-Norway: infantry first; ask me break off; ready")],
        "uk",
        ["aircraft that break off at Finland-Norway", "2 fighters: stop fighting and land later", "default: stay"],
        ["2 fighters break off Finland-Norway", "press on Finland-Norway"],
    ),
    "ERR-D04": (
        "germany", KARELIA, [("ussr", "casualties: infantry first; ask me retreat"), ATTACK_KARELIA], "ussr",
        ["retreat at Karelia S.S.R., battle round 1 (defender)", "2 armor: overland to Caucasus, Russia",
         "2 fighters: by air to Russia, Caucasus", "default: stand and fight on",
         "your chance to win if everybody fights on: "],
        ["retreat Karelia S.S.R. to Caucasus", "press on Karelia S.S.R."],
    ),
    "ERR-D05": (
        "ussr", NORWAY,
        [("germany", "retreat Finland-Norway after round 1; ask me land"),
         ("ussr", "14 infantry Karelia S.S.R. -> Finland-Norway; press on Finland-Norway; ready")],
        "germany",
        ["landing places at Finland-Norway", "may go to: Germany, Eastern Europe, Ukraine S.S.R., Western Europe"],
        [],
    ),
    "ERR-D06": (
        "germany", CHANNEL,
        [("uk", "ask me retreat"), ("germany", "20 infantry Germany -> Western Europe; press on; ready")], "uk",
        ["aboard in North Sea (4 places); aboard in West Spain Sea Zone (2 places); by ship ashore in United Kingdom"],
        ["evacuate Western Europe via North Sea to United Kingdom: 2 infantry",
         "evacuate Western Europe via North Sea aboard: 2 infantry", "press on Western Europe"],
    ),
    "ERR-D07": (
        "germany", CHANNEL,
        [("usa", "ask me evacuation"), ("germany", "20 infantry Germany -> Western Europe; press on; ready")], "usa",
        ["what allies may do with one's units at Western Europe", "about: evacuation by one's transports",
         "default: agreed"],
        ["allow evacuation", "refuse evacuation"],
    ),
    "ERR-D08": (
        "ussr", UKRAINE,
        [("germany", "retreat Ukraine S.S.R. after round 1; ask me last resort"),
         ("ussr", "13 infantry Caucasus -> Ukraine S.S.R.; 5 infantry Karelia S.S.R. -> Eastern Europe; "
                  "order: Ukraine S.S.R., Eastern Europe; press on; ready")],
        "germany",
        ["the last resort at Ukraine S.S.R.", "may go to: Eastern Europe", "default: stand and fight on"],
        ["last resort Ukraine S.S.R.: join", "last resort Ukraine S.S.R.: stand"],
    ),
    "ERR-D09": (
        "uk", OCEAN,
        [("uk", "1 battleship, 12 transport North Sea -> West Spain SZ; casualties: transport first; "
                "ask me retreat; ready"), ("germany", "casualties: transport first")],
        "uk",
        ["retreat at West Spain Sea Zone, battle round 1 (attacker)", "1 battleship: to East Canada Sea Zone,",
         "break off and stay there", "default: press on"],
        ["break off West Spain Sea Zone", "press on West Spain Sea Zone"],
    ),
    "ERR-D10": (
        "uk", OCEAN,
        [("germany", "casualties: transport first; ask me retreat"),
         ("uk", "1 battleship, 12 transport North Sea -> West Spain SZ; casualties: transport first; ready")],
        "germany",
        ["retreat at West Spain Sea Zone, battle round 1 (defender)", "1 submarine: to East Canada Sea Zone,",
         "default: stand and fight on"],
        ["retreat West Spain Sea Zone to East Canada Sea Zone", "press on West Spain Sea Zone"],
    ),
}  # fmt: skip


def test_the_odds_in_a_question_are_those_of_who_is_asked(tmp_path: Path) -> None:
    """A defender's odds are what the attacker's leave, for the units that are left."""
    table = table_of(tmp_path, "germany", KARELIA, [("ussr", "ask me retreat"), ATTACK_KARELIA])
    (ask,) = [ask for window in table.state.windows.values() for ask in window.asks]
    forces = ([Some(kind, count) for kind, count in ask[side].items()] for side in ("enemy", "own"))
    rules = rule_set("classic", "2e", ("err",))
    state, battle = make_battle(rules, Setting(*forces))
    battle.round = 1
    assert ask["odds"] == 1_000_000 - rules.judge("odds", state, battle)


@pytest.mark.parametrize("decision", QUESTIONS)
def test_the_mail_shows_the_choice_the_default_and_lines_to_answer(tmp_path: Path, decision: str) -> None:
    power, spaces, said, who, words, lines = QUESTIONS[decision]
    if ("germany", "casualties: transport first") in said:
        said = [*reversed(said)]
    table = table_of(tmp_path, power, spaces, said)
    recipient, text = asked(table)
    assert recipient == who
    for words_ in words:
        assert words_ in text, text
    for line in lines:
        assert line in offered(table)
    for line in offered(table):
        answer = table.say(who, line)
        assert [row.status for row in answer.lines] == ["accepted"], line
    table.go()
    assert table.events("answer_refused") == []


@pytest.mark.parametrize("decision", QUESTIONS)
def test_the_same_in_chinese(tmp_path: Path, decision: str) -> None:
    """No word of the question is left in English but names that have no other."""
    power, spaces, said, _, _, _ = QUESTIONS[decision]
    if ("germany", "casualties: transport first") in said:
        said = [*reversed(said)]
    table = table_of(tmp_path, power, spaces, said, "zh")
    _, text = asked(table)
    question = text.split("如何回覆")[0]
    for word in ("overland", "aboard", "ashore", "break", "default", "retreat", "stand", "press", "resort", "may go"):
        assert word not in question


def test_artillery_is_aimed(tmp_path: Path) -> None:
    """ERR-1.2.7: what is exposed is listed, and each target can be chosen."""
    said = [("ussr", "ask me aim"), ("germany", "9 infantry, 2 fighter Ukraine S.S.R. -> Caucasus; press on; ready")]
    table = table_of(tmp_path, "germany", GUNS, said, err_artillery="er2")
    who, text = asked(table)
    assert who == "ussr" and "targets: ground units, aircraft" in text and "default: ground units" in text
    assert offered(table) == [
        "aim Caucasus: all artillery at ground units", "aim Caucasus: all artillery at aircraft",
    ]  # fmt: skip
    answer = table.say("ussr", "aim Caucasus: 1 artillery at aircraft, 2 artillery at ground units")
    assert [line.status for line in answer.lines] == ["accepted"]


def test_an_answer_against_the_rules_is_told_at_once(tmp_path: Path) -> None:
    """It used to be taken, and refused when the battle went on: too late for another one."""
    said = [("ussr", "casualties: infantry first; ask me retreat"), ATTACK_KARELIA]
    table = table_of(tmp_path, "germany", KARELIA, said)
    refused = {
        "retreat Karelia S.S.R.: 2 tank to Caucasus": "ERR-3.6",
        "retreat Karelia S.S.R. to Finland-Norway": "ERR-2.5",
        "retreat Karelia S.S.R.: 2 fighter to Evenki National Okrug": "ERR-7.1",
        "evacuate Karelia S.S.R. via Baltic Sea aboard: 2 infantry": "ERR-8.1",
    }
    for line, rule in refused.items():
        (row,) = table.say("ussr", line).lines
        assert (row.status, row.rule) == ("refused", rule), line
    (row,) = table.say("ussr", "retreat Karelia S.S.R.: 2 tank to Caucasus, rest to Russia").lines
    assert row.status == "accepted"
    table.go()
    assert {unit.space for unit in table.state.units.values() if unit.kind == "tank"} == {"caucasus"}


def test_an_answer_of_which_a_part_is_against_the_rules_is_taken_with_a_remark(tmp_path: Path) -> None:
    """ERR-4.5: who re-embarked stays aboard where he may not go ashore; the answer says so before the battle ends."""
    said = [("uk", f"{LAND_IN_NORWAY}casualties: armor first; ask me retreat; ready")]
    table = table_of(tmp_path, "uk", LANDING, said)
    line = "retreat Finland-Norway: overland to Karelia S.S.R., landed re-embark, unload all Sweden"
    (row,) = table.say("uk", line).lines
    assert (row.status, row.rule) == ("accepted", "ERR-4.5")
    assert (row.reason or "").startswith("A part of it is refused: Sweden is not friendly")


def test_the_report_names_the_rules_by_which_somebody_left(tmp_path: Path) -> None:
    """ERR-6.1, ERR-3.7: under the defender's retreat; the attacker who presses on needs none."""
    said = [("ussr", "casualties: infantry first; retreat Karelia S.S.R. after round 1 to Russia"), ATTACK_KARELIA]
    table = table_of(tmp_path, "germany", KARELIA, said)
    rows = [row for row in table.referee.store.outbox("classic-8", limit=1000) if row.kind != "answer"]
    told = next(text for row in rows if "BATTLE 1" in (text := " ".join(render(table.referee, row).text.split())))
    assert "nobody leaves (standing order) Soviet Union, retreat:" in told
    assert "by air to Russia (standing order) Rules: ERR-6.1, ERR-3.7," in told


def test_orders_after_a_question_are_checked_as_ever(tmp_path: Path) -> None:
    """Orders for the rest of a turn in which somebody was asked in mid-battle."""
    said = [("ussr", "casualties: infantry first; ask me retreat"), ATTACK_KARELIA]
    table = table_of(tmp_path, "germany", KARELIA, said)
    table.say("ussr", "retreat Karelia S.S.R. to Russia")
    table.go()
    (row,) = table.say("germany", "noncombat: 1 infantry Karelia S.S.R. -> Eastern Europe").lines
    assert (row.status, row.rule) == ("refused", "CLA-5.1.4")


def test_what_one_is_asked_about_is_said_as_one_says_it(tmp_path: Path) -> None:
    """The settings are printed as the lines that make them."""
    said = [("ussr", "ask me last resort Karelia S.S.R.; ask me break off")]
    table = table_of(tmp_path, "germany", KARELIA, said)
    answer = table.say("ussr", "casualties: infantry first")
    assert answer.asks["ussr"] == ("ask me last resort Karelia S.S.R.", "ask me break off")


@pytest.mark.parametrize("sequence", ["classic", "er9"])
def test_who_shares_a_zone_with_enemies_reads_so_when_his_moves_are_due(tmp_path: Path, sequence: str) -> None:
    """Attack, stay or leave is said with the moves (ERR-D11); who says nothing does not fight."""
    spaces = {
        "Germany": land("germany"),
        "Baltic Sea": sea(germany={"submarine": 2}, uk={"battleship": 1, "transport": 1}),
        "North Sea": sea(uk={"transport": 1}),
    }
    table = table_of(tmp_path, "germany", spaces, [], err_sequence=sequence)
    row = next(row for row in table.referee.store.outbox("classic-8", limit=1000) if row.recipient == "germany")
    text = " ".join(render(table.referee, row).text.split())
    words = (
        "Germany: attack, stay or leave beside enemy ships at Baltic Sea "
        "enemy units: 1 battleship, 1 transport your units: 2 submarines default: stay without fighting "
        "to attack, write: attack Baltic Sea with all"
    )
    assert words in text, text
    assert "beside enemy ships at North Sea" not in text
    answer = table.say("germany", "attack Baltic Sea with all; press on; ready")
    assert {line.status for line in answer.lines} == {"accepted"}
    table.go()
    assert [event.payload["space"] for event in table.events("battle_begun")] == ["sz-baltic"]
