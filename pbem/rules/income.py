"""The last phase: income of the land, less convoy losses, plus objectives, into the treasury."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State
from pbem.rules.citations import cites, refuse
from pbem.rules.order_model import NothingTo, StayAtPeace
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game


def collect_income(game: Game, filed: Sequence[Filed]) -> None:
    """Income in its order: land, convoy losses, objectives, pay (P40-9.1, P40-9.5)."""
    power = game.state.power
    assert power is not None
    _refuse_strange_lines(game, filed)
    game.run("income_begins", filed)
    if game.rules.judge("capital_lost", game.state, power):
        cited = cites(game.rules, "no_capital_income", "no_capital_place", "no_capital_objectives")
        game.emit("income_collected", _account(power, 0, 0, []), cited)
        return
    land = land_income(game.rules, game.state, power)
    losses: int = game.run("convoy_losses", power)
    game.run("objectives_begin", filed)
    objectives: list[list[Any]] = game.run("collect_objectives", power)
    total = land - losses + sum(ipc for _, ipc in objectives)
    if total:
        game.emit("counter_changed", {"power": power, "counter": "ipc", "by": total, "why": "income"})
    by_rule = game.rules.parameters.get("objective_rules", {})
    cited = (*cites(game.rules, "income", "income_order"), *(by_rule[name] for name, _ in objectives))
    game.emit("income_collected", _account(power, land, losses, objectives), tuple(dict.fromkeys(cited)))


def land_income(rules: RuleSet, state: State, power: str) -> int:
    """The sum of the values of the territories a power controls, in IPC, at this moment (P40-9.1, S42-9.1.4)."""
    return sum(space.ipc for space in rules.board.spaces.values() if state.controller(space.id) == power)


def _account(power: str, land: int, losses: int, objectives: list[list[Any]]) -> dict[str, Any]:
    total = land - losses + sum(ipc for _, ipc in objectives)
    return {"power": power, "territories": land, "convoy_loss": losses, "objectives": objectives, "total": total}


def _refuse_strange_lines(game: Game, filed: Sequence[Filed]) -> None:
    for line in filed:
        if not isinstance(line.order, StayAtPeace | NothingTo):
            game.refuse(
                line,
                "collect_income",
                refuse(
                    game.rules, "no_gifts", "There is nothing to order here: income is collected, never given away."
                ),
            )
