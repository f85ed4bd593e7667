"""Battles of 1942 Second Edition: the common steps in its order, with battleships restored when a battle ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.board.state import Unit
from pbem.games.s42 import defaults
from pbem.odds.judgement import odds
from pbem.rules import marks
from pbem.rules.battle import aa_fire, land_battle, order_of_battles, raids, retreat, sea_battle, values
from pbem.rules.battle.land_battle import LONE_GUNS_OPENING, LONE_GUNS_ROUND
from pbem.rules.battle.model import (
    ATTACK,
    CLOSING,
    DEFEND,
    Battle,
    BattleStep,
    Steps,
    after,
    announce,
    before,
    citing,
    fight,
    replaced,
    without,
)
from pbem.rules.battle.planning import plan_battles
from pbem.rules.decisions import Decision
from pbem.rules.query import can
from pbem.rules.reactions import check, window
from pbem.rules.reactions.intercept import intercept_decisions
from pbem.rules.script import Game

SEA_RULES: Mapping[str, tuple[str, ...]] = {
    "settle": ("S42-5.6.10", "S42-5.6.12"),
    "settle_at_once": ("S42-5.6.10", "S42-5.6.12"),
    "submarines_choose": ("S42-5.6.2", "S42-5.6.3"),
    "attacking_submarines_strike": ("S42-5.6.5",),
    "defending_submarines_strike": ("S42-5.6.5",),
    "remove_struck": ("S42-5.6.5",),
    "attackers_fire": ("S42-5.6.6",),
    "defenders_fire": ("S42-5.6.7",),
    "remove_casualties": ("S42-5.6.8",),
    "press_or_retreat": ("S42-5.6.13", "S42-5.10.1"),
    "transports_part": ("S42-5.6.12",),
    "restore": ("S42-5.11.1", "S42-1.4.3"),
    "settle_decks": ("S42-5.11.3",),
}
LAND_RULES: Mapping[str, tuple[str, ...]] = {
    "bombardment": ("S42-5.5.5", "S42-5.5.7"),
    "aa_fire": ("S42-5.7.1", "S42-5.7.2"),
    "attackers_fire": ("S42-5.8.2",),
    "defenders_fire": ("S42-5.8.2",),
    "remove_casualties": ("S42-5.8.2",),
    "nobody_defends": ("S42-5.7.6",),
    "lone_guns": ("S42-5.7.6",),
    "end_test": ("S42-5.8.3",),
    "press_or_retreat": ("S42-5.10.1",),
    "capture": ("S42-6.1.1",),
}
RAID_RULES: Mapping[str, tuple[str, ...]] = {
    "air_attackers_fire": ("S42-5.4.3",),
    "air_defenders_fire": ("S42-5.4.3",),
    "end_air_battle": ("S42-5.4.3",),
    "facility_fire": ("S42-5.3.3", "S42-5.4.4"),
    "bombs": ("S42-5.3.4",),
    "end_bombing": ("S42-5.3.6",),
}
STEP_RULES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "land": LAND_RULES, "sea": SEA_RULES, "raid_air": RAID_RULES, "raid_bombing": RAID_RULES,
}  # fmt: skip
"""The rule behind each step, by the kind of battle."""


def steps() -> dict[str, Callable[..., Any]]:
    """The reaction window and the phase of combat with its three groups (S42-5.1.1)."""
    return {
        "reactions": window.reactions,
        "reaction_decisions": reaction_decisions,
        "conduct_combat": conduct_combat,
        "raids": fight_raids,
        "assaults": order_of_battles.assaults,
        "other_battles": order_of_battles.other_battles,
    }


def judgements() -> dict[str, Callable[..., Any]]:
    """The questions that battles ask."""
    return {
        "attack_values": values.attack_values,
        "defense_values": values.defense_values,
        "aa_shots": aa_fire.three_shots_each,
        "is_enemy": land_battle.is_enemy,
        "land_retreat_territories": defaults.land_retreat_territories,
        "sea_retreat_zones": defaults.sea_retreat_zones,
        "presses_on": defaults.presses_on,
        "check_answer": check.check_answer,
        "odds": odds,
    }


def reaction_decisions(game: Game) -> list[Decision]:
    """Interceptors are the only reaction, and only where the option gives fighters that ability (S42-5.4.2)."""
    return intercept_decisions(game)


def conduct_combat(game: Game) -> None:
    """All battles (S42-5.1.1, S42-5.1.4), then the defenders' homeless aircraft come down (S42-5.11.3)."""
    order_of_battles.conduct_combat(game)
    game.run("land_defenders")


def fight_raids(game: Game, power: str) -> None:
    """Raids one after the other, each its air battle and then its bombing (S42-5.1.4, S42-5.3.9, S42-5.4.3)."""
    for territory in plan_battles(game.rules, game.state, power).raids:
        air = raids.new_air_battle(game.rules, game.state, power, territory)
        if air is not None:
            fight(game, air)
        bombing = raids.new_bombing(game.rules, game.state, power, territory)
        if bombing is not None:
            fight(game, bombing)
        game.boundary("between_battles")


# -- steps of this game -----------------------------------------------------------------------------------------------


def transports_part(game: Game, battle: Battle) -> None:
    """Where both sides have only transports left the attacker's may retreat before the battle ends (S42-5.6.12)."""
    sides = [battle.units(game.state, side) for side in (ATTACK, DEFEND)]
    if all(units and all(can(game.rules, unit, "no_combat_value") for unit in units) for units in sides):
        announce(game, battle, "transports_part")
        retreat.press_or_retreat(game, battle)


def restore(game: Game, battle: Battle) -> None:
    """Damaged battleships of both sides are whole again when their battle ends, also who retreated (S42-5.11.1)."""

    def fought_here(unit: Unit) -> bool:
        return unit.space == battle.space or (unit.owner == battle.attacker and bool(unit.mark(marks.RETREATED)))

    damaged = [
        unit
        for unit in game.state.units.values()
        if unit.damage and can(game.rules, unit, "repairs_end_of_battle") and fought_here(unit)
    ]
    for space in dict.fromkeys(unit.space for unit in damaged):
        whole = {unit.id: 0 for unit in damaged if unit.space == space}
        game.emit(
            "units_damaged",
            {"space": space, "damage": whole, "why": "repair", "battle": battle.id},
            ("S42-1.4.3", "S42-5.11.1"),
        )


RESTORE = BattleStep("restore", "Battleships are restored", restore, when=CLOSING)
TRANSPORTS_PART = BattleStep("transports_part", "Only transports are left", transports_part)
INTERCEPTORS_HIT_FIRST = BattleStep(
    "air_attackers_fire", "Escorts and bombers fire", raids.air_attackers_fire_first
)  # fmt: skip


def battles() -> dict[str, Steps]:
    """The steps of each kind of battle.

    Every attacker fights in one battle of a turn (S42-5.1.5), aircraft without spending movement (S42-4.6.8). The dice
    of a side in a step are thrown together and seen before losses are chosen (S42-5.2.2, S42-5.9.9), batches follow the
    order of the steps (S42-5.2.6), pieces with value 0 roll none (S42-5.2.4), hits keep the class of who scored them
    (S42-5.2.5). Attackers' losses have fired already (S42-5.9.8); guns may be given up at any time (S42-5.7.7). After a
    capture the attackers stay and no enemy does (S42-5.8.7, S42-6.1.7).

    Defenceless transports are sunk before the first round and after each, not between its steps (S42-5.6.10).
    """
    land = after(land_battle.LAND_BATTLE, "aa_fire", LONE_GUNS_OPENING)
    land = after(land, "remove_casualties", LONE_GUNS_ROUND)
    sea = without(sea_battle.SEA_BATTLE, "lone_transports")
    sea = before(sea, "settle", TRANSPORTS_PART)
    sea = (RESTORE, *sea)
    air = replaced(raids.RAID_AIR_BATTLE, "air_attackers_fire", INTERCEPTORS_HIT_FIRST)
    kinds = {"land": land, "sea": sea, "raid_air": air, "raid_bombing": raids.RAID_BOMBING}
    return {kind: citing(steps_, STEP_RULES[kind]) for kind, steps_ in kinds.items()}
