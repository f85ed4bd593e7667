"""Neutral territories of the classic game: who may enter or pass over them, when, and what open sky is."""

from __future__ import annotations

from pbem.board.map import NEUTRAL
from pbem.board.state import State, Unit
from pbem.rules import politics
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import refuse
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.turn import COMBAT_MOVE

ROUND = "Go round it."


def is_neutral(rules: RuleSet, state: State, space: str) -> bool:
    """Whether a territory is neutral now: printed so, and nobody's (CLA-1.2.2, CLA-1.2.4)."""
    return rules.board.spaces[space].kind == NEUTRAL and state.controller(space) is None


def neutral_ground(rules: RuleSet, state: State, space: str) -> bool:
    """Whether a space is neutral land that may be entered for money (CLA-5.5.1, CLA-5.5.5)."""
    return is_neutral(rules, state, space) and not rules.parameter("neutrals_impassable")


def closed_to(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """Why a piece may not enter a space: neutral land only in the combat move (CLA-8.9), or never (CLA-5.5.5)."""
    if not is_neutral(rules, state, space):
        return politics.closed_to(rules, state, power, unit, space)
    name = rules.board.spaces[space].name
    if rules.parameter("neutrals_impassable"):
        return refuse(rules, "neutrals_closed", f"Nobody enters {name} in this campaign: it is neutral.", ROUND)
    if state.phase != COMBAT_MOVE:
        return refuse(
            rules, "not_hostile", f"{name} is neutral; in the noncombat move no unit enters it.",
            "Enter it in the combat move.",
        )  # fmt: skip
    if is_air(rules, unit):
        return refuse(rules, "air_must_fight", f"{name} is neutral: aircraft find no battle there.", "Fly past it.")
    return None


def fly_over(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """Why an aircraft may not pass over a space: neutral land only in the combat move (CLA-5.5.4, CLA-8.12)."""
    if not is_neutral(rules, state, space):
        return politics.closed_to(rules, state, power, unit, space)
    name = rules.board.spaces[space].name
    if rules.parameter("neutrals_impassable"):
        return refuse(rules, "neutrals_closed", f"Nobody flies over {name} in this campaign: it is neutral.", ROUND)
    if rules.parameter("neutral_overflight") == "forbidden":
        return refuse(rules, "neutral_overflight", f"{name} is neutral: nobody flies over it.", ROUND)
    if state.phase != COMBAT_MOVE:
        return refuse(
            rules, "no_neutral_home", f"{name} is neutral: aircraft do not fly over it in the noncombat move.",
            ROUND,
        )  # fmt: skip
    return None


def open_sky(rules: RuleSet, state: State, power: str, unit: Unit, space: str) -> Refusal | None:
    """Why an aircraft does not fly over a space unless told so: over neutral land no way home leads (CLA-5.4.2)."""
    if is_neutral(rules, state, space):
        name = rules.board.spaces[space].name
        return refuse(rules, "no_neutral_home", f"{name} is neutral: no way home leads over it.", ROUND)
    return politics.closed_to(rules, state, power, unit, space)
