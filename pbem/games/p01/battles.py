"""Battles of Pacific (2001): their order, the surprise of the first turn, marines, and the steps of each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.p01 import retreats, sea
from pbem.games.p01.parameters import CHINA, JAPAN
from pbem.games.p01.raids import RAID_AIR_BATTLE, RAID_BOMBING, raids
from pbem.odds.judgement import odds
from pbem.rules import marks
from pbem.rules.battle import aa_fire, land_battle, rounds, values
from pbem.rules.battle.amphibious import land_cargo
from pbem.rules.battle.bombardment import bombardment
from pbem.rules.battle.check import check_battle_answer, planned_battle
from pbem.rules.battle.citations import refuse
from pbem.rules.battle.end_of_battle import capture_if_won
from pbem.rules.battle.land_battle import fight_for, nobody_defends
from pbem.rules.battle.model import ATTACK, CLOSING, DEFEND, OPENING, Battle, BattleStep, Steps, citing
from pbem.rules.battle.naming import space_name
from pbem.rules.battle.order_of_battles import sea_battle
from pbem.rules.battle.planning import plan_battles
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Intercept, Kamikaze, Order, Retreat
from pbem.rules.query import acting
from pbem.rules.reactions import window
from pbem.rules.reactions.intercept import intercept_decisions, intercept_refusal
from pbem.rules.reactions.kamikaze import kamikaze_decisions, kamikaze_refusal
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

# -- order ------------------------------------------------------------------------------------------------------------


def conduct_combat(game: Game) -> None:
    """Phase 4: raids, sea battles, land battles (P01-6.1.1); then homeless aircraft land (P01-6.5.16).

    The sea battle that must clear the way is thus fought before its landing (P01-6.1.2, P01-6.4.1).
    """
    power = game.state.power or ""
    game.run("raids", power)
    plan = plan_battles(game.rules, game.state, power)
    zones = dict.fromkeys((*plan.seas, *(zone for _, starts in plan.assaults for zone in starts)))
    for zone in in_order(game.rules, game.state, zones):
        sea_battle(game, power, zone)
        game.boundary("between_battles")
    plan = plan_battles(game.rules, game.state, power)
    starts = dict(plan.assaults)
    for territory in in_order(game.rules, game.state, (*starts, *plan.lands)):
        landed, used = land_cargo(game, power, territory, starts.get(territory, ()))
        if game.rules.judge("hostile_territory", game.state, power, territory):
            fight_for(game, power, territory, landed, used)
        game.boundary("between_battles")
    game.run("land_defenders")
    game.run("capitals_taken")


def in_order(rules: RuleSet, state: State, spaces: Iterable[str]) -> list[str]:
    """Spaces in the order the attacker named, else by the number of the zone or the alphabet (P01-D08)."""
    named: list[str] = list(state.marks.get(marks.BATTLE_SEQUENCE, ()))
    rank = {space: place for place, space in reversed(list(enumerate(named)))}

    def key(space: str) -> tuple[int, int, str]:
        printed = rules.board.spaces[space]
        number = int(space.rpartition("-")[2]) if printed.is_sea else 0
        return rank.get(space, len(named)), number, printed.name

    return sorted(dict.fromkeys(spaces), key=key)


# -- values -----------------------------------------------------------------------------------------------------------


def surprised(rules: RuleSet, state: State, attacker: str) -> bool:
    """Whether it is Japan's turn of round 1 (P01-6.1.8)."""
    return attacker == JAPAN and state.round == 1 and state.power == JAPAN


def fire_topics(rules: RuleSet, state: State, battle: Battle, side: str) -> tuple[str, ...]:
    """What else told in a side's dice: the surprise, marines that came ashore."""
    topics = ["fire.surprised"] if side == DEFEND and rules.judge("surprised", state, battle.attacker) else []
    table = rules.board.units
    ashore = [state.units[one] for one in battle.landed if one in state.units]
    if side == ATTACK and any(table[unit.kind].can("amphibious_bonus") for unit in ashore):
        topics.append("fire.marines")
    return tuple(topics)


def defense_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
    """Defence numbers (P01-6.1.4); in the surprise of the first turn 1 for everybody but the Chinese (P01-6.1.9).

    Who defends at 0 stays at 0 (P01-6.1.10). Fighters on patrol or on carriers defend at 4 (P01-6.5.15).
    """
    present = list(units)
    numbers = values.defense_values(rules, state, battle, present)
    if not rules.judge("surprised", state, battle.attacker):
        return numbers
    return {unit.id: numbers[unit.id] if unit.owner == CHINA else min(numbers[unit.id], 1) for unit in present}


def attack_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
    """Attack numbers: artillery raises one infantry or marine each by 1, anew in each cycle (P01-6.6.3).

    A marine landing from the sea attacks at 2, with artillery at 3 unless the switch says otherwise (P01-6.6.4).
    """
    present = list(units)
    table = rules.board.units
    numbers = {unit.id: table[unit.kind].attack for unit in present}
    landed = [unit for unit in present if unit.id in battle.landed and table[unit.kind].can("amphibious_bonus")]
    for unit in landed:
        numbers[unit.id] = table[unit.kind].figure("attack_amphibious", numbers[unit.id])
    stacks = bool(rules.parameter("marines_add_support"))
    wanting = [
        unit for unit in present if table[unit.kind].can("artillery_supportable") and (stacks or unit not in landed)
    ]
    guns = sum(1 for unit in present if table[unit.kind].can("supports_infantry"))
    for unit in sorted(wanting, key=lambda unit: unit in landed)[:guns]:
        numbers[unit.id] += 1
    return numbers


# -- reactions and answers --------------------------------------------------------------------------------------------


def reaction_decisions(game: Game) -> list[Decision]:
    """Kamikazes and interceptors, sealed against each other (P01-5.1.6, P01-6.2.3, P01-13.1.3, P01-D06, P01-D07)."""
    return [*kamikaze_decisions(game), *intercept_decisions(game)]


def check_answer(rules: RuleSet, state: State, power: str, order: Order) -> Refusal | None:
    """Why an answer or standing order can never be legal in the position after the combat moves."""
    if isinstance(order, Intercept):
        return intercept_refusal(rules, state, power, order)
    if isinstance(order, Kamikaze):
        return kamikaze_refusal(rules, state, power, order) if order.space is not None else None
    if not isinstance(order, Retreat):
        return check_battle_answer(rules, state, power, order)
    battle = planned_battle(rules, state, order.space) if order.space is not None else None
    if battle is None:
        return None
    if power not in acting(rules, battle.attacker) or order.side == DEFEND:
        here = space_name(rules, battle.space)
        return refuse(rules, "retreat.defender", f"Only the attacker may withdraw from {here}.")
    return retreats.retreat_refusal(rules, state, battle, order)


# -- composition ------------------------------------------------------------------------------------------------------

LAND_BATTLE: tuple[BattleStep, ...] = (
    BattleStep("aa_fire", "Antiaircraft fire", aa_fire.aa_fire, when=OPENING),
    BattleStep("bombardment", "Bombardment from the sea", bombardment, when=OPENING),
    BattleStep("nobody_defends", "Only guns defend", nobody_defends, when=OPENING),
    BattleStep("attackers_fire", "Attackers fire", rounds.attackers_fire),
    BattleStep("defenders_fire", "Defenders fire", rounds.defenders_fire),
    BattleStep("remove_casualties", "Casualties are removed", rounds.remove_casualties),
    BattleStep("end_test", "Is the battle over?", rounds.end_test),
    BattleStep("press_or_retreat", "The attacker presses on or withdraws", retreats.press_or_retreat),
    BattleStep("capture", "The territory changes hands", capture_if_won, when=CLOSING),
)
"""A land battle (P01-6.6.1)."""


def steps() -> dict[str, Callable[..., Any]]:
    """The reaction window and the phase of combat."""
    return {
        "reactions": window.reactions,
        "reaction_decisions": reaction_decisions,
        "conduct_combat": conduct_combat,
        "raids": raids,
    }


def judgements() -> dict[str, Callable[..., Any]]:
    """The questions that battles ask."""
    return {
        "attack_values": attack_values,
        "defense_values": defense_values,
        "surprised": surprised,
        "fire_topics": fire_topics,
        "aa_shots": aa_fire.one_gun_at_every_plane,
        "is_enemy": land_battle.is_enemy,
        "land_retreat_territories": retreats.land_retreat_territories,
        "sea_retreat_zones": retreats.sea_retreat_zones,
        "presses_on": lambda rules, state, battle: True,
        "default_submerging": sea.default_submerging,
        "odds": odds,
        "check_answer": check_answer,
    }


def battles(step_rules: Mapping[str, tuple[str, ...]]) -> dict[str, Steps]:
    """The steps of each kind of battle, with their rules."""
    kinds = {
        "land": LAND_BATTLE,
        "sea": sea.SEA_BATTLE,
        "raid_air": RAID_AIR_BATTLE,
        "raid_bombing": RAID_BOMBING,
    }
    return {kind: citing(steps_, step_rules) for kind, steps_ in kinds.items()}
