"""Attacking aircraft in an amphibious assault: at the beginning of any round they may break off alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.classic.err.attack_land import only_aircraft_break_off
from pbem.games.classic.err.moving import leave
from pbem.games.classic.err.reading import STAYS, Reading, first_legal, meant, stands
from pbem.games.classic.err.terms import FLY, Goes, is_assault
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.model import ATTACK, Battle
from pbem.rules.battle.model import RETREAT as RETREATED_RESULT
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Order, Retreat
from pbem.rules.query import count_by_kind, is_air, is_land
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def aircraft_break_off(game: Game, battle: Battle) -> None:
    """Any number of aircraft leave, and different ones at different rounds; they do not come back (ERR-5.1, 5.2, 5.5).

    Only where units landed (ERR-5.4). At the beginning of round 1, after AA fire and support shots, nobody is asked,
    but a standing order is obeyed (ERR-5.3). Silent, they stay while land units live (ERR-D03).
    """
    aircraft = [unit for unit in battle.units(game.state, ATTACK) if is_air(game.rules, unit)]
    if not aircraft or not is_assault(battle):
        return
    fought = battle.round - 1

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, Sequence[tuple[int, Refusal]]]:
        leaving = [order for order in orders if isinstance(order, Retreat)]  # `press on` is meant for the others too
        return first_legal(leaving, lambda order: read(game.rules, game.state, battle, aircraft, order))

    decision = Decision(
        key=f"{battle.id}:{battle.round}:break_off:{battle.attacker}",
        power=battle.attacker,
        kind="break_off",
        interpret=lambda order: interpret_all([order])[0],
        interpret_all=interpret_all,
        default=lambda: default_break_off(game.rules, game.state, battle, aircraft),
        space=battle.space,
        round=fought,
        rules=rules_for(game.rules, "err.assault_air"),
        public={
            "battle": battle.id,
            "side": ATTACK,
            "domain": "land",
            "options": [
                {"sort": "air", "kind": kind, "count": n, "to": [{"how": FLY, "space": battle.space}]}
                for kind, n in count_by_kind(aircraft).items()
            ],
            "silent": "stay" if default_break_off(game.rules, game.state, battle, aircraft) == STAYS else "break_off",
        },
        subject=battle_subject(game, battle, battle.attacker),
        has_choice=fought > 0,
        about=lambda order: stands(order) or (_now(order, fought) and only_aircraft_break_off(game.rules, order)),
    )
    answer = game.ask([decision])[decision.key]
    if answer["goes"]:
        leave(game, battle, [Goes(*row) for row in answer["goes"]], ATTACK)
        if not battle.units(game.state, ATTACK):
            battle.result = RETREATED_RESULT


def _now(order: Order, fought: int) -> bool:
    """Whether a line is meant for the beginning of this round; one without a round, for round 2 or its condition."""
    if not isinstance(order, Retreat):
        return False
    if order.after_round is not None:
        return order.after_round == fought
    return fought == 1 if order.when is None else fought >= 1


def read(rules: RuleSet, state: State, battle: Battle, aircraft: Sequence[Unit], order: Order) -> Reading:
    """The aircraft that a line names, as many as are left."""
    assert isinstance(order, Retreat)
    going: dict[str, None] = {}
    for part in order.parts:
        for pick in part.units:
            left = [unit for unit in aircraft if unit.id not in going]
            going.update(dict.fromkeys(unit.id for unit in meant(rules, state, battle, pick, left)))
    if not order.parts:
        going = dict.fromkeys(unit.id for unit in aircraft)
    return {"goes": [list(Goes(unit_id, FLY, battle.space)) for unit_id in going]}, []


def default_break_off(rules: RuleSet, state: State, battle: Battle, aircraft: Sequence[Unit]) -> dict[str, Any]:
    """Aircraft stay while land units live, then they break off (ERR-D03)."""
    if any(is_land(rules, unit) for unit in battle.units(state, ATTACK)):
        return STAYS
    return {"goes": [list(Goes(unit.id, FLY, battle.space)) for unit in aircraft]}
