"""War Without Mercy: an overhaul of Pacific (2001) in which the turn itself is another.

It composes on top of the base game: another order of play, task forces, oil, and a few rules of patrols and bases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.p01 import zones
from pbem.games.p01.parameters import SWITCHES as BASE_SWITCHES
from pbem.games.p01.parameters import chosen_switches
from pbem.games.p01.wwm import breakdown, commitment, deploy, forming, oil, order_of_play, start, tactics
from pbem.games.p01.wwm.parameters import BATTLES, CITATIONS, MOVEMENT, PHASES, SWITCHES
from pbem.rules.battle.model import after, before
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import FirstSeat, Order
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.vocabulary import OF_TASK_FORCES

__all__ = ["SWITCHES", "compose"]


def compose(rules: RuleSet) -> RuleSet:
    """The rule set with the variant on top; its switches are options of the campaign."""
    chosen = chosen_switches(rules.options, SWITCHES, "wwm", ("p01", *BASE_SWITCHES))
    sea = before(rules.battles["sea"], "settle_at_once", commitment.COMMIT)
    return rules.but(
        id=f"{rules.id}-wwm",
        board=start.with_pools(rules.board, chosen),
        next_segment=order_of_play.next_segment,
        parameters={
            **_figures(chosen),
            "phases": PHASES,
            "turns_in_parts": True,
            "seats_in_order": order_of_play.DEFAULT_ORDER,
            "orders_may_wait": True,
            "lines_not_here": rules.parameters["lines_not_here"] - OF_TASK_FORCES,
            "citations": {**rules.parameter("citations"), **CITATIONS},
            "movement_citations": {**rules.parameter("movement_citations"), **MOVEMENT},
            "battle_citations": {**rules.parameter("battle_citations"), **BATTLES},
        },
        steps=_steps(),
        judgements=_judgements(rules),
        battles={"sea": after(sea, "settle_decks", commitment.FLY_BACK)},
    )


def _figures(chosen: Mapping[str, str]) -> dict[str, Any]:
    return {
        "wwm_supply": chosen["supply"],
        "wwm_deploy_start": chosen["deploy_start"],
        "wwm_late_patrols": chosen["cap_in_noncombat"] == "yes",
        "wwm_loading": chosen["atf_loading"],
        "wwm_kido_free": chosen["kido_free"],
        "wwm_lone_capitals_defend": chosen["lone_capital_defends"] == "yes",
        "wwm_oil_timing": chosen["allied_oil_timing"],
        "wwm_oil_needs_route": chosen["oil_needs_route"] == "yes",
        "wwm_eastern": chosen["opt_eastern"] == "yes",
        "wwm_economy": chosen["opt_economy"] == "yes",
    }


def _steps() -> dict[str, Callable[..., Any]]:
    return {
        "deploy_air": deploy.deploy_air,
        "fuel_task_forces": forming.fuel,
        "combat_move": tactics.combat_move,
        "reactions": tactics.reactions,
        "conduct_combat": tactics.conduct_combat,
        "noncombat_move": tactics.noncombat_move,
        "mobilize": breakdown.place_units,
        "collect_income": oil.collect_income,
        "paid_level": oil.paid_level,
        "income_line": oil.income_line,
    }


def _judgements(rules: RuleSet) -> dict[str, Callable[..., Any]]:
    answers = rules.judgements["check_answer"]

    def check_answer(rules: RuleSet, state: State, power: str, order: Order) -> Refusal | None:
        """As in the base game, and who may say who acts first (WWM-2.6)."""
        if isinstance(order, FirstSeat):
            return order_of_play.first_refusal(rules, power, order)
        verdict: Refusal | None = answers(rules, state, power, order)
        return verdict

    return {
        "bars_patrol": deploy.bars_patrol,
        "movement_points": movement_points,
        "end_bonus": end_bonus,
        "closed_to": tactics.closed_to,
        "move_faults": tactics.move_faults,
        "stays_out": tactics.stays_out,
        "may_bombard": tactics.may_bombard,
        "defense_values": tactics.defense_values,
        "fire_topics": tactics.fire_topics,
        "more_at_start": start.kido_butai,
        "check_answer": check_answer,
    }


def movement_points(rules: RuleSet, state: State, unit: Unit) -> int:
    """Movement left; air bases add nothing in any phase (WWM-4.6)."""
    return rules.board.units[unit.kind].move - unit.spent


def end_bonus(rules: RuleSet, state: State, unit: Unit, space: str) -> int:
    """Naval bases serve as in the base game, air bases add nothing (WWM-4.6)."""
    return 0 if is_air(rules, unit) else zones.end_bonus(rules, state, unit, space)
