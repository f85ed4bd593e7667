"""Odds with cards in play, against every throw of the real battle steps; what lies in a hand never tells in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pbem.board.state import State, Unit
from pbem.campaign.load import load
from pbem.games.catalog import rule_set
from pbem.games.s42.fov.plays import CARD, PAIRED, PLAYS, Play
from pbem.games.s42.fov.subjects import subject_for
from pbem.odds.calculate import exact_odds_of, odds_of
from pbem.rules import marks
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.order_model import Condition
from tests.games.s42.fov.table import NAME, Table
from tests.odds.real import battle_between, fights, law_of
from tests.odds.test_against_battles import within_error

RULES = rule_set("s42", variants=("fov",))
MORE: Mapping[str, Mapping[str, Any]] = {"heavy_tank": {marks.TOUGH: 1}, "radar_fire_control": {marks.AIM: 2}}
"""What a card writes on its unit beside its own name."""


def marked(state: State, ids: Sequence[str], **said: Any) -> State:
    units = dict(state.units)
    for unit_id in ids:
        unit: Unit = units[unit_id]
        units[unit_id] = replace(unit, marks=(*unit.marks, *said.items()))
    return replace(state, units=units)


def laid(state: State, battle: Battle, card: str, side: str, kinds: str = "") -> State:
    """The position with a card in force: on the first units of these kinds, or on the battle."""
    own = list(battle.units(state, side))
    ids: list[str] = []
    for kind in kinds.split():
        ids.append(next(unit.id for unit in own if unit.kind == kind and unit.id not in ids))
    power = battle.attacker if side == ATTACK else own[0].owner
    row = Play(card, power, f"copy-{len(state.marks.get(PLAYS, ()))}", battle.space, tuple(ids)).to_json()
    state = replace(state, marks={**state.marks, PLAYS: [*state.marks.get(PLAYS, ()), row]})
    more = {PAIRED: True} if card == "mechanized_offensive" else MORE.get(card, {})
    return marked(state, ids, **{CARD: card, **more}) if ids and card != "rail_gun" else state


LAND = (
    ("super_bombers", ATTACK, "bomber", "1 infantry, 1 bomber", "2 infantry"),
    ("jet_fighter", DEFEND, "fighter", "2 infantry, 1 tank", "1 infantry, 2 fighter"),
    ("heavy_artillery", ATTACK, "artillery", "1 infantry, 2 artillery", "3 infantry, 1 fighter"),
    ("heavy_artillery", ATTACK, "artillery", "2 artillery", "2 infantry, 1 aa_gun, 1 tank"),
    ("heavy_artillery", DEFEND, "artillery", "3 infantry, 1 bomber", "1 infantry, 1 artillery"),
    ("heavy_tank", ATTACK, "tank", "1 infantry, 2 tank", "3 infantry"),
    ("heavy_tank", DEFEND, "tank", "2 tank, 1 fighter", "1 infantry, 1 tank"),
    ("radar_fire_control", DEFEND, "aa_gun", "1 infantry, 2 fighter", "1 infantry, 1 aa_gun"),
    ("air_supremacy", ATTACK, "", "1 infantry, 2 fighter", "3 infantry"),
    ("combined_arms", ATTACK, "", "2 infantry, 1 tank, 1 fighter", "2 infantry, 1 aa_gun"),
    ("mechanized_offensive", ATTACK, "infantry tank", "2 infantry, 1 tank, 1 artillery", "2 infantry"),
    ("entrenchment", DEFEND, "", "3 tank", "3 infantry"),
    ("rail_gun", ATTACK, "infantry", "2 infantry", "2 infantry, 1 tank"),
    ("rail_gun", ATTACK, "infantry", "1 infantry", "1 infantry, 1 aa_gun"),
    ("supreme_excellence", ATTACK, "", "2 tank, 1 fighter", "1 infantry, 1 aa_gun"),
    ("supreme_excellence", ATTACK, "", "1 tank, 1 bomber", "2 infantry, 1 aa_gun"),
)
TOO_WEAK = LAND[-1]
"""Seven is not three times four: Supreme Excellence has no effect."""
SEA = (
    ("powerful_torpedoes", ATTACK, "submarine", "1 submarine, 1 cruiser", "2 cruiser, 1 transport"),
    ("powerful_torpedoes", ATTACK, "submarine", "1 submarine", "1 destroyer, 1 carrier"),
    ("powerful_torpedoes", DEFEND, "destroyer", "2 cruiser", "1 destroyer, 1 submarine"),
    ("air_supremacy", ATTACK, "", "1 destroyer, 1 fighter", "1 cruiser, 1 submarine"),
    ("super_bombers", ATTACK, "bomber", "1 bomber, 1 destroyer", "1 submarine, 1 cruiser"),
)


@pytest.mark.parametrize("row", [*((row, False) for row in LAND), *((row, True) for row in SEA)], ids=str)
def test_odds_with_a_card_are_those_of_every_throw(row: tuple[tuple[str, str, str, str, str], bool]) -> None:
    """FOV-W01.3, FOV-W04.2, FOV-W05.2, FOV-W07.2, FOV-W08.2, FOV-W09.2, FOV-W10.2, FOV-T01.3, FOV-T02.1, FOV-T08.1."""
    (card, side, kinds, attack, defend), sea = row
    plain, battle = battle_between(RULES, attack, defend, sea=sea)
    state = laid(plain, battle, card, side, kinds)
    exact, law = exact_odds_of(RULES, state, battle), law_of(RULES, state, battle)
    assert exact["attacker_wins"] == law.chance("attacker")
    assert exact["defender_wins"] == law.chance("defender")
    assert exact["attacker_loss_ipc"] == law.mean("attacker_loss")
    assert exact["defender_loss_ipc"] == law.mean("defender_loss")
    tells = exact["attacker_wins"] != exact_odds_of(RULES, plain, battle)["attacker_wins"]
    assert tells is (row[0] != TOO_WEAK), "a card in force tells"


def test_two_cards_in_one_battle_and_ships_that_bombard() -> None:
    """FOV-5.1.3: a rail gun's targets that ships hit already go on firing; the others are gone at once."""
    state, battle = battle_between(RULES, "2 infantry", "3 infantry", bombard="1 cruiser")
    state = laid(laid(state, battle, "rail_gun", ATTACK, "infantry"), battle, "entrenchment", DEFEND)
    exact, law = exact_odds_of(RULES, state, battle), law_of(RULES, state, battle)
    assert exact["attacker_wins"] == law.chance("attacker")
    assert exact["defender_loss_ipc"] == law.mean("defender_loss")


def test_a_great_battle_with_many_cards() -> None:
    """FOV-5.1.3: as many fights by the real steps as show an error of a few hundredths."""
    attack, defend = "4 infantry, 2 artillery, 2 tank, 2 fighter, 1 bomber", "6 infantry, 1 artillery, 2 tank"
    state, battle = battle_between(RULES, attack, defend)
    state = laid(state, battle, "super_bombers", ATTACK, "bomber")
    state = laid(state, battle, "heavy_artillery", ATTACK, "artillery")
    state = laid(state, battle, "air_supremacy", ATTACK)
    state = laid(state, battle, "heavy_tank", DEFEND, "tank")
    state = laid(state, battle, "entrenchment", DEFEND)
    odds = odds_of(RULES, state, battle)
    found = [end for end, _ in fights(RULES, state, battle, 3, 700)]
    within_error(odds.attacker_wins, [float(end.result == "attacker") for end in found], "attacker_wins")
    within_error(odds.attacker_loss_ipc, [float(end.attacker_loss) for end in found], "attacker_loss_ipc")
    within_error(odds.defender_loss_ipc, [float(end.defender_loss) for end in found], "defender_loss_ipc")


def test_after_round_one_its_cards_tell_no_more() -> None:
    """FOV-T01.3, FOV-4.5.1: a retreat asks for the odds of the rounds to come."""
    plain, battle = battle_between(RULES, "1 infantry, 2 fighter", "3 infantry")
    state = laid(plain, battle, "air_supremacy", ATTACK)
    battle.round = 1
    assert exact_odds_of(RULES, state, battle) == exact_odds_of(RULES, plain, battle)


# -- conditions of orders ----------------------------------------------------------------------------------------------

ATTACKED: dict[str, Any] = {
    "round": 2, "power": "germany", "phase": "combat_move", "from": "nothing",
    "spaces": {
        "Baltic States": {"controller": "germany", "units": {"germany": {"infantry": 2, "fighter": 2}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 3}}},
        "Archangel": {"controller": "ussr", "units": {"ussr": {"fighter": 2}}},
    },
}  # fmt: skip
MOVES = "2 infantry, 2 fighter Baltic States -> Karelia S.S.R.\n"


def chance_of_the_defender(folder: Path, hands: Mapping[str, Sequence[str]], orders: str) -> tuple[Table, int]:
    """The odds that the defenders' window works with, and the table."""
    powers = {power: {"cards": list(cards)} for power, cards in hands.items()}
    table = Table(folder, {**ATTACKED, "powers": powers})
    table.go()
    table.say("germany", f"{MOVES}{orders}\nready")
    table.go()
    play = load(table.referee, NAME).play
    value = subject_for(play.rules, play.now, "ussr", "karelia-ssr")(Condition("lt", "odds", 500_000))
    assert value is not None
    return table, value


def test_the_attackers_cards_count_and_nobodys_hand_does(tmp_path: Path) -> None:
    """FOV-FD02, FOV-6.1.2: laid cards are in the odds, cards in hands are not, whoever holds them."""
    _, plain = chance_of_the_defender(tmp_path / "a", {"ussr": ["scramble"]}, "")
    more = {"ussr": ["scramble"], "germany": ["air_supremacy", "jet_fighter"], "uk": ["heavy_tank", "fog_of_war"]}
    _, hidden = chance_of_the_defender(tmp_path / "b", more, "")
    _, shown = chance_of_the_defender(tmp_path / "c", more, "play air_supremacy: Karelia S.S.R.")
    assert plain == hidden > shown
    state, battle = battle_between(RULES, "2 infantry, 2 fighter", "3 infantry")
    law = law_of(RULES, laid(state, battle, "air_supremacy", ATTACK), battle)
    assert abs(shown - 1_000_000 * (1 - law.chance("attacker"))) < 1
    assert plain == 1_000_000 - round(1_000_000 * Fraction(law_of(RULES, state, battle).chance("attacker")))


@pytest.mark.parametrize(("orders", "flies"), [("", False), ("play air_supremacy: Karelia S.S.R.", True)])
def test_a_scramble_waits_for_odds_that_the_attackers_card_brings(tmp_path: Path, orders: str, flies: bool) -> None:
    """FOV-FD02, FOV-T06.1: `if odds < N` holds because the attacker's fighters hit on 5 in round 1."""
    hands = {"ussr": ["scramble"], "germany": ["air_supremacy"]}
    _, low = chance_of_the_defender(tmp_path / "low", hands, "play air_supremacy: Karelia S.S.R.")
    _, high = chance_of_the_defender(tmp_path / "high", hands, "")
    table = Table(
        tmp_path / "table", {**ATTACKED, "powers": {power: {"cards": cards} for power, cards in hands.items()}}
    )
    table.say("ussr", f"play scramble if odds < {(low + high) / 20_000:.2f}%")
    table.go()
    table.say("germany", f"{MOVES}{orders}\nready")
    table.go()
    for power in ("ussr", "uk", "usa"):
        table.say(power, "ready")
    table.go()
    assert ("scramble" in table.hand("ussr")) is not flies
