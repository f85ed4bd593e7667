"""Interceptions: fighters of a raided territory rise against the bombers, as many as their owners decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle.citations import refuse, rules_for
from pbem.rules.battle.naming import chosen, space_name, words
from pbem.rules.battle.planning import plan_battles
from pbem.rules.battle.raids import raiders
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Intercept, Order
from pbem.rules.query import can, count_by_kind, enemies_of
from pbem.rules.reactions.scramble import reaction_subject
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

KEY = "intercept"


def ready_fighters(rules: RuleSet, state: State, power: str, territory: str) -> tuple[Unit, ...]:
    """A power's fighters based in a territory; other aircraft cannot intercept (P40-5.3.1).

    Those with the highest ids come first, because scrambles take the lowest (P40-5.3.4).
    """
    there = [
        unit
        for unit in state.units_in(territory)
        if unit.owner == power and unit.aboard is None and can(rules, unit, "intercept")
    ]
    return tuple(reversed(there))


def intercept_decisions(game: Game) -> list[Decision]:
    """For each raid, one decision of each power with fighters there; silent: none (P40-5.3.2, P40-DP-12, P40-11.4)."""
    rules, state = game.rules, game.state
    active = state.power or ""
    decisions = []
    for territory in plan_battles(rules, state, active).raids:
        for power in enemies_of(rules, state, active):
            if ready_fighters(rules, state, power, territory):
                decisions.append(_decision(game, power, territory))
    return decisions


def _decision(game: Game, power: str, territory: str) -> Decision:
    rules, state = game.rules, game.state

    def interpret(order: Order) -> Any:
        assert isinstance(order, Intercept)
        return read_interception(rules, state, power, territory, order)

    return Decision(
        key=f"{KEY}:{territory}:{power}",
        power=power,
        kind="intercept",
        interpret=interpret,
        default=list,
        space=territory,
        rules=rules_for(rules, "intercept.when"),
        public={
            "fighters": len(ready_fighters(rules, state, power, territory)),
            "raid": count_by_kind(raiders(state, state.power or "", territory)),
        },
        subject=reaction_subject(game),
        reaction=True,
    )


def read_interception(
    rules: RuleSet, state: State, power: str, territory: str, order: Intercept
) -> list[str] | Refusal:
    """The fighters that an order sends up, any number from none to all (P40-5.3.1)."""
    wrong = intercept_refusal(rules, state, power, order)
    if wrong is not None:
        return wrong
    taken, missing = chosen(rules, state, order.units, ready_fighters(rules, state, power, territory), power)
    if missing is not None:
        return refuse(
            rules,
            "intercept.who",
            f"There are not {words(rules, missing)} of yours in {space_name(rules, territory)} to intercept.",
        )
    return taken


def intercept_refusal(
    rules: RuleSet, state: State, power: str, order: Intercept, *, later: bool = False
) -> Refusal | None:
    """Why an interception is illegal whatever else is ordered; for `later`, whatever raids may come."""
    for pick in order.units:
        kind = rules.board.units.get(pick.kind)
        if kind is not None and not kind.can("intercept"):
            return refuse(rules, "intercept.who", f"{kind.plural} cannot intercept a raid; only fighters can.")
    if order.space is not None and order.units and not later:
        if not raiders(state, state.power or "", order.space):
            return refuse(rules, "intercept.who", f"There is no raid on {space_name(rules, order.space)} to intercept.")
        taken, missing = chosen(rules, state, order.units, ready_fighters(rules, state, power, order.space), power)
        if missing is not None:
            return refuse(
                rules,
                "intercept.who",
                f"There are not {words(rules, missing)} of yours in {space_name(rules, order.space)} to intercept.",
            )
    return None


def fly_interceptions(game: Game, answers: Mapping[str, Any]) -> None:
    """Mark the interceptors: they fight nowhere else this turn; who scrambled cannot intercept (P40-5.3.3, 5.3.4).

    They do not defend their territory later either (P40-13-B16).
    """
    for key, ids in answers.items():
        if not key.startswith(f"{KEY}:"):
            continue
        territory = key.split(":")[1]
        still = [unit_id for unit_id in ids if game.state.units[unit_id].space == territory]
        if still:
            game.emit(
                "units_marked",
                {"units": still, "set": {marks.INTERCEPTED: True}, "why": "intercept", "space": territory},
                rules_for(game.rules, "intercept.go"),
            )
