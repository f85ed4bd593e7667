"""Sea battles of Pacific (2001): submarines submerge first, then strike, then all others fire; convoys change hands.

The steps are those of 6.5: A submerge, B first strike, C attackers, D defenders, E withdrawal. Transports defend at 1
and may be lost at any time (P01-6.5.17). Fighters of a territory stay out unless they patrol the zone (P01-6.5.20).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State
from pbem.games.p01.convoys import take_after_battle
from pbem.games.p01.retreats import press_or_retreat
from pbem.rules.battle import rounds, sea_battle, submarines
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.end_of_battle import settle_decks
from pbem.rules.battle.firing import has_destroyer
from pbem.rules.battle.model import ATTACK, CLOSING, DEFEND, OPENING, WON, Battle, BattleStep, other_side
from pbem.rules.battle.naming import chosen
from pbem.rules.battle.values import effective_values
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.marks import SUBMERGED
from pbem.rules.order_model import ALL, Order, Submerge
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def submerge_first(game: Game, battle: Battle) -> None:
    """Step A: the attacker, then the defender, names submarines that submerge (P01-6.5.1, P01-D10).

    In every cycle, before its first die, and whether or not destroyers are there. Who is under fights no more and
    stays in the zone (P01-6.5.2, P01-6.5.19). Then it is settled who strikes first (P01-6.5.3).
    """
    for side in (ATTACK, DEFEND):
        boats = [unit.id for unit in battle.units(game.state, side) if can(game.rules, unit, "submerge")]
        if boats:
            submarines.ask_to_submerge(game, battle, side, boats)
    strikes_too = game.rules.parameter("defending_submarines_strike")
    for side in (ATTACK, DEFEND):
        if (side == DEFEND and not strikes_too) or has_destroyer(game.rules, game.state, battle, other_side(side)):
            continue
        boats = [unit.id for unit in battle.units(game.state, side) if can(game.rules, unit, "surprise_strike")]
        battle.strikers[side] = boats
        battle.acted += boats
    rounds.end_test(game, battle)


def default_submerging(rules: RuleSet, state: State, battle: Battle, side: str, boats: Sequence[str]) -> list[str]:
    """Silent attackers strike; silent defenders submerge from a destroyer that is too strong (P01-D10).

    That is when twice the sum of the defenders' numbers is less than the sum of the attackers'.
    """
    if side == ATTACK or not has_destroyer(rules, state, battle, ATTACK):
        return []
    own = sum(effective_values(rules, state, battle, DEFEND).values())
    enemy = sum(effective_values(rules, state, battle, ATTACK).values())
    return list(boats) if 2 * own < enemy else []


def submerge_late(game: Game, battle: Battle) -> None:
    """Before Step D a defending submarine that was not hit may still go under (P01-6.5.21); silent, it fires."""
    if not game.rules.parameter("late_submerging"):
        return
    boats = [
        unit
        for unit in battle.unhurt(game.state, DEFEND)
        if can(game.rules, unit, "submerge") and unit.id not in battle.acted
    ]
    decisions = [
        _late(game, battle, power, [unit.id for unit in boats if unit.owner == power])
        for power in dict.fromkeys(unit.owner for unit in boats)
    ]
    if not decisions:
        return
    answers = game.ask(decisions)
    under = [unit_id for decision in decisions for unit_id in answers[decision.key]]
    if under:
        submarines.submerge(game, battle, under)


def _late(game: Game, battle: Battle, power: str, boats: list[str]) -> Decision:
    own = [game.state.units[unit_id] for unit_id in boats]

    def interpret(order: Order) -> Any:
        assert isinstance(order, Submerge)
        if isinstance(order.units, str):
            return list(boats) if order.units == ALL else []
        taken, missing = chosen(game.rules, game.state, order.units, own)
        if missing is not None:
            return Refusal("There are not so many submarines of yours that can still submerge.")
        return taken

    return Decision(
        key=f"{battle.id}:{battle.round}:submerge_late:{power}",
        power=power,
        kind="submerge",
        interpret=interpret,
        default=list,
        space=battle.space,
        round=battle.round,
        rules=rules_for(game.rules, "submarines.late"),
        public={
            "battle": battle.id, "side": DEFEND, "submarines": len(boats), "rounds_fought": battle.round - 1,
            "late": True,
        },
        subject=battle_subject(game, battle, power),
    )  # fmt: skip


def convoy_changes_hands(game: Game, battle: Battle) -> None:
    """After the battle its winner may have taken the zone's convoy (P01-7.4.1 to P01-7.4.4, P01-5.7.7)."""
    enemies = [
        unit for unit in game.state.units_in(battle.space)
        if game.state.at_war(unit.owner, battle.attacker) and unit.mark(SUBMERGED)
    ]  # fmt: skip
    if battle.result == WON and not enemies:
        take_after_battle(game, battle.space, battle.attacker, battle.units(game.state, ATTACK))


SEA_BATTLE: tuple[BattleStep, ...] = (
    BattleStep("settle_at_once", "Can the sides hit each other?", rounds.end_test, when=OPENING),
    BattleStep("submerge", "Submarines submerge", submerge_first),
    BattleStep("attacking_submarines_strike", "First strike of submarines", submarines.attacking_submarines_strike),
    BattleStep("defending_submarines_strike", "Defending submarines strike", submarines.defending_submarines_strike),
    BattleStep("remove_struck", "Losses of the first strike are removed", submarines.remove_struck),
    BattleStep("lone_transports", "Is a side gone?", sea_battle.lone_transports),
    BattleStep("attackers_fire", "Attackers fire", rounds.attackers_fire),
    BattleStep("submerge_late", "Submarines submerge late", submerge_late),
    BattleStep("defenders_fire", "Defenders fire", rounds.defenders_fire),
    BattleStep("remove_casualties", "Casualties are removed", rounds.remove_casualties),
    BattleStep("settle", "Is the battle over?", rounds.end_test),
    BattleStep("press_or_retreat", "The attacker presses on or withdraws", press_or_retreat),
    BattleStep("settle_decks", "Aircraft without a deck", settle_decks, when=CLOSING),
    BattleStep("convoy", "The convoy changes hands", convoy_changes_hands, when=CLOSING),
)
"""A sea battle cycle by cycle (P01-6.5)."""
