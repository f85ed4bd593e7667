"""What goes with a territory that changes hands in the classic game: burnt complexes, guns of freed allies."""

from __future__ import annotations

from pbem.rules.citations import cites
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Order, Scorch
from pbem.rules.query import can
from pbem.rules.script import Game


def burnt_down(space: str) -> str:
    """Mark of the campaign: a complex of this territory was destroyed; one that stands there now was built later."""
    return f"complex_burnt/{space}"


def territory_taken(game: Game, space: str, power: str) -> None:
    """Before control passes the loser may destroy complex and guns, where the option says so (CLA-7.1.2, CLA-D16)."""
    loser = game.state.controller(space)
    if not game.rules.parameter("scorched_earth") or loser is None or not game.state.at_war(loser, power):
        return
    complexes = [k for k, _ in game.state.spaces[space].facilities if game.board.units[k].can("produces_units")]
    guns = [u.id for u in game.state.units_in(space) if can(game.rules, u, "capturable") and u.aboard is None]
    if not complexes and not guns:
        return

    def interpret(order: Order) -> bool | Refusal:
        assert isinstance(order, Scorch)
        return order.scorches

    decision = Decision(
        key=f"scorch:{space}:{game.state.size}",
        power=loser,
        kind="scorch",
        interpret=interpret,
        default=lambda: False,
        space=space,
        rules=cites(game.rules, "scorched"),
        public={"complexes": len(complexes), "guns": len(guns)},
    )
    if not game.ask([decision])[decision.key]:
        return
    for kind in complexes:
        burnt = {"space": space, "kind": kind, "damage": None, "why": "scorched"}
        game.emit("facility_changed", burnt, cites(game.rules, "scorched"))
        game.emit("mark_set", {"key": burnt_down(space), "value": True}, cites(game.rules, "scorched"))
    if guns:
        game.emit("units_removed", {"space": space, "units": guns, "why": "scorched"}, cites(game.rules, "scorched"))


def territory_returned(game: Game, space: str, holder: str, to: str) -> None:
    """With a freed capital its power gets back its territories, complexes and guns included (CLA-7.3.3)."""
    guns = [
        unit.id
        for unit in game.state.units_in(space)
        if unit.owner == holder and unit.aboard is None and can(game.rules, unit, "capturable")
    ]
    if guns:
        back = {"space": space, "units": guns, "owner": to, "why": "returned"}
        game.emit("units_converted", back, cites(game.rules, "restored"))
