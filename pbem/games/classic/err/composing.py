"""The variant put together: which steps of land and sea battles it adds, replaces and wraps, and its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.state import State
from pbem.games.classic import combat
from pbem.games.classic.board import with_units
from pbem.games.classic.err import (
    artillery,
    assault_air,
    attack_land,
    check,
    citations,
    defend_land,
    landings,
    sea,
    shared_zones,
    three_parts,
)
from pbem.rules import marks
from pbem.rules.battle.model import BattleStep, Steps, after, before, citing, replaced
from pbem.rules.ruleset import RuleSet

OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "err_artillery": ("unit", "none", "er2"),
    "err_sequence": ("classic", "er9"),
    "err_partial_retreat": (False, True),
    "err_landing_after_breakoff": ("allowed", "blocked"),
    "err_aa_retreat": (False, True),
    "err_last_resort": ("strict", "choice"),
    "err_interception": (False,),
}
"""Options of the variant, each with its values, the default first (ERR-1.1)."""

BREAK_OFF = BattleStep("aircraft_break_off", "Aircraft may break off the assault", assault_air.aircraft_break_off)
LAND_RETREAT = BattleStep("press_or_retreat", "The attacker presses on or retreats", attack_land.attackers_retreat)

STEP_RULES: Mapping[str, tuple[str, ...]] = {
    "aircraft_break_off": ("ERR-5.1", "ERR-5.2"),
    "defenders_retreat": ("ERR-3.2", "ERR-3.5"),
    "press_or_retreat": ("ERR-3.5", "ERR-3.1", "CLA-6.9.1"),
}


def compose(rules: RuleSet) -> RuleSet:
    """The classic game with the retreat rules of Enhanced Realism, section VI (ERR-1.1 to ERR-1.3)."""
    composed = rules.but(
        parameters={
            "shared_zones_are_optional": True,
            "leaving_needs_combat": False,
            "citations": {**rules.parameters["citations"], **citations.PHASES},
            "movement_citations": {**rules.parameters["movement_citations"], **citations.MOVEMENT},
            "battle_citations": {**rules.parameters["battle_citations"], **citations.BATTLES},
            # Odds are the chances of those who fight on: retreats are no part of them.
            "odds_steps": {
                **rules.parameters["odds_steps"],
                "aircraft_break_off": "nothing",
                "defenders_retreat": "nothing",
            },
        },
        steps={
            "before_landing": landings.before_landing,
            "combat_move_defaults": lambda game: shared_zones.stay_without_fighting(game),
        },
        judgements={
            "sea_battle_due": shared_zones.battle_is_due,
            "asked_with_moves": shared_zones.asked_with_moves,
            "battle_order": battle_order,
            "landing_open": landing_open,
            "withdrawal_places": sea.withdrawal_places,
            "about_submarines": sea.about_submarines,
            "submarine_lines": sea.submarine_lines,
            "check_answer": check.check_answer,
        },
        battles={"land": _land(rules.battles["land"]), "sea": _sea(rules.battles["sea"])},
    )
    if rules.parameter("err_sequence") == "er9":
        composed = three_parts.compose_three_parts(composed)
    kind: str = rules.parameter("err_artillery")
    if kind == "none":
        return composed
    composed = composed.but(board=with_units(composed.board, ("artillery",)))
    return artillery.compose_er2(composed) if kind == "er2" else composed


def _land(steps: Steps) -> Steps:
    steps = before(steps, "attackers_fire", BREAK_OFF)
    steps = after(replaced(steps, "press_or_retreat", LAND_RETREAT), "press_or_retreat", defend_land.DEFENDERS_RETREAT)
    return citing(steps, STEP_RULES)


def _sea(steps: Steps) -> Steps:
    steps = after(replaced(steps, "press_or_retreat", sea.ATTACKERS_RETREAT), "press_or_retreat", sea.DEFENDERS_RETREAT)
    return citing(steps, STEP_RULES)


def battle_order(rules: RuleSet, state: State, seas: Sequence[str], lands: Sequence[str]) -> tuple[str, ...]:
    """All sea battles before all land battles, assaults among these, each group in the attacker's order (ERR-1.3.1).

    So what the house rules call Army Combat comes last (ERR-1.3.2).
    """
    return (*combat.battle_order(rules, state, seas, ()), *combat.battle_order(rules, state, (), lands))


def landing_open(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """A zone whose defenders broke off is clear for the landing, unless the option blocks it (ERR-10.7)."""
    blocked = rules.parameter("err_landing_after_breakoff") == "blocked"
    if blocked and state.marks.get(marks.sea_battle(zone)):
        return not rules.judge("hostile_zone", state, power, zone)
    return combat.landing_open(rules, state, power, zone)
