"""Battles and reactions of Pacific 1940: which steps and judgements its three rule sets choose.

The order of loss, the guns and the raids differ by parameters of Appendix C; the steps themselves are the common ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.p40.territory import mongolia_is_open
from pbem.odds.judgement import odds
from pbem.rules.battle import aa_fire, land_battle, order_of_battles, press_on, raids, retreat, sea_battle, values
from pbem.rules.battle.dice_steps import OWN_STEPS
from pbem.rules.battle.land_battle import LONE_GUNS_OPENING, LONE_GUNS_ROUND
from pbem.rules.battle.model import Steps, after, citing
from pbem.rules.reactions import check, window
from pbem.rules.ruleset import RuleSet

LOSS_ORDERS: Mapping[str, tuple[str, ...]] = {
    "land_attack": ("infantry", "artillery", "mech_infantry", "tank", "fighter", "tac_bomber", "bomber"),
    "land_defend": (
        "infantry", "artillery", "mech_infantry", "aa_gun", "tank", "tac_bomber", "fighter", "bomber",
    ),
    "sea_attack": (
        "battleship/damage", "carrier/damage_empty", "submarine", "destroyer", "fighter", "tac_bomber", "cruiser",
        "bomber", "carrier/damage", "carrier", "battleship", "transport",
    ),
    "sea_defend": (
        "battleship/damage", "carrier/damage_empty", "submarine", "destroyer", "cruiser", "carrier/damage",
        "tac_bomber", "fighter", "carrier", "battleship", "transport",
    ),
    "air_attack": ("fighter", "tac_bomber", "bomber"),
    "air_defend": ("fighter",),
}  # fmt: skip
"""Who is lost first when the owner is silent (P40-DP-16, P40-DP-20, P40-DP-21).

Aircraft at sea, attackers' ships and guns that can be casualties, of which the digest says nothing, stand where the
rules of 1942 put them.
"""

STEP_RULES: Mapping[str, tuple[str, ...]] = {
    "settle": ("P40-6.5.9",),
    "settle_at_once": ("P40-6.5.9",),
    "lone_transports": ("P40-6.5.9",),
    "submarines_choose": ("P40-6.5.2", "P40-6.5.3"),
    "attacking_submarines_strike": ("P40-6.5.4",),
    "defending_submarines_strike": ("P40-6.5.4",),
    "remove_struck": ("P40-6.5.4",),
    "attackers_fire": ("P40-6.4.3",),
    "defenders_fire": ("P40-6.4.4",),
    "remove_casualties": ("P40-6.4.5",),
    "end_test": ("P40-6.4.6",),
    "press_or_retreat": ("P40-6.9.1",),
    "settle_decks": ("P40-6.5.13",),
    "bombardment": ("P40-6.3.4", "P40-6.3.5"),
    "nobody_defends": ("P40-6.6.7",),
    "lone_guns": ("P40-6.6.6",),
    "capture": ("P40-6.10.1",),
    "air_attackers_fire": ("P40-6.2.3",),
    "air_defenders_fire": ("P40-6.2.3",),
    "end_air_battle": ("P40-6.2.4",),
    "choose_targets": ("P40-6.2.5",),
    "facility_fire": ("P40-6.2.6",),
    "bombs": ("P40-6.2.7",),
    "end_bombing": ("P40-6.2.11",),
}
"""The rule behind each step; antiaircraft fire cites the one of its model."""

_GUN_RULES = {"one_gun": ("P40-6.6.2", "P40-6.6.3"), "three_shots": ("P40-6.6.2", "P40-6.6.6")}

_GUNS: Mapping[str, Callable[..., Any]] = {
    "one_gun": aa_fire.one_gun_at_every_plane,
    "three_shots": aa_fire.three_shots_each,
}


def figures(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Figures that battles read and that are the same in all three rule sets, or follow from Appendix C."""
    return {
        "loss_orders": LOSS_ORDERS,
        "attacker_keeps_land": 1,
        "silent_defenders": "attacker",
        "guns_are_casualties": chosen["aa_model"] == "three_shots",
        "own_dice_steps": OWN_STEPS,
    }


def steps() -> dict[str, Callable[..., Any]]:
    """The reaction window and the phase of combat with its three groups (P40-6.1.1)."""
    return {
        "reactions": window.reactions,
        "reaction_decisions": window.reaction_decisions,
        "conduct_combat": order_of_battles.conduct_combat,
        "raids": order_of_battles.raids,
        "assaults": order_of_battles.assaults,
        "other_battles": order_of_battles.other_battles,
    }


def judgements(chosen: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The questions that battles ask."""
    return {
        "attack_values": values.attack_values,
        "defense_values": values.defense_values,
        "aa_shots": _GUNS[chosen["aa_model"]],
        "is_enemy": is_enemy,
        "land_retreat_territories": retreat.land_retreat_territories,
        "sea_retreat_zones": retreat.sea_retreat_zones,
        "presses_on": press_on.presses_on,
        "odds": odds,
        "check_answer": check.check_answer,
    }


def is_enemy(rules: RuleSet, state: State, power: str, unit: Unit) -> bool:
    """Units of powers at war with the attacker, and Mongolian garrisons where they may be attacked (P40-2.5.8)."""
    return land_battle.is_enemy(rules, state, power, unit) or (unit.owner == "neutral" and mongolia_is_open(rules))


def battles(chosen: Mapping[str, Any]) -> dict[str, Steps]:
    """The steps of each kind of battle; guns left alone are destroyed where the rule set says so (P40-6.6.6)."""
    land = land_battle.LAND_BATTLE
    if chosen["lone_aa_destroyed_by_air"]:
        land = after(land, "aa_fire", LONE_GUNS_OPENING)
        land = after(land, "remove_casualties", LONE_GUNS_ROUND)
    kinds = {
        "land": land,
        "sea": sea_battle.SEA_BATTLE,
        "raid_air": raids.RAID_AIR_BATTLE,
        "raid_bombing": raids.RAID_BOMBING,
    }
    cited = {**STEP_RULES, "aa_fire": _GUN_RULES[chosen["aa_model"]]}
    return {kind: citing(steps_, cited) for kind, steps_ in kinds.items()}
