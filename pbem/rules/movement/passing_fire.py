"""Submarines that fire at transports passing without an escort, where the rule set has that rule.

The only dice of a move phase. Each zone entered counts, the zone left does not; each submarine fires once for a group
of transports that moves together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.movement.citations import cites, refuse
from pbem.rules.movement.picks import number
from pbem.rules.movement.shipping import is_transport
from pbem.rules.order_model import Casualties, Order, SubmarineFire
from pbem.rules.query import can, choose
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

STEP = "submarines_fire_on_transports"
"""Name of the step in dice purposes; the dice are the opponents'."""
HITS_ON = 2


def fire_on_passing(game: Game, group: Sequence[str], path: Sequence[str], escorts: Mapping[str, Any], tag: str) -> int:
    """Fire at transports that are about to move along a path; gives the number that was sunk (P40-4.6.9, P40-DP-09).

    Each zone entered counts, the zone left does not (P40-13-B11).

    `escorts` holds the routes of the mover's surface warships in this phase; `tag` makes the questions' keys unique.
    """
    transports = [u.id for u in choose(game.state, group) if is_transport(game.rules, u)]
    if not transports or not game.rules.parameters.get("sub_strike_on_passing_transports"):
        return 0
    if any(escorted(route, path) for route in escorts.values()):
        return 0
    sunk = 0
    for zone in path[1:]:
        alive = [unit.id for unit in choose(game.state, transports)]
        if alive:
            sunk += _fire_in(game, zone, alive, tag)
    return sunk


def escorted(route: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a warship that goes along `route` accompanies the whole of `path`."""
    steps = len(path)
    return any(tuple(route[start : start + steps]) == tuple(path) for start in range(len(route) - steps + 1))


def routes_of_escorts(rules: RuleSet, state: State, power: str, phase: str) -> dict[str, tuple[str, ...]]:
    """For each surface warship that moves in this phase, every space it passes."""
    return {
        unit.id: (unit.mark(marks.START), *unit.mark(marks.VIA, ()), unit.space)
        for unit in state.units.values()
        if unit.owner == power and unit.mark(marks.MOVED) == phase and can(rules, unit, "surface_warship")
    }


def _fire_in(game: Game, zone: str, transports: Sequence[str], tag: str) -> int:
    power = game.state.units[transports[0]].owner
    submarines = [
        unit
        for unit in game.state.units_in(zone)
        if game.state.at_war(power, unit.owner) and can(game.rules, unit, "surprise_strike")
        and not unit.mark(marks.SUBMERGED)
    ]  # fmt: skip
    if not submarines:
        return 0
    laden = any(next(game.state.cargo_of(ship), None) is not None for ship in transports)
    owners = dict.fromkeys(unit.owner for unit in submarines)
    answers = game.ask([_whether(game, owner, zone, tag) for owner in owners])
    firing = [unit.id for unit in submarines if _fires(answers[_key(unit.owner, zone, tag)], laden)]
    if not firing:
        return 0
    faces = game.roll(
        len(firing),
        power=game.state.power or power,
        step=STEP,
        space=zone,
        dice=[{"unit": unit_id, "need": HITS_ON} for unit_id in firing],
    )
    hits = min(sum(face <= HITS_ON for face in faces), len(transports))
    if hits:
        _sink(game, zone, transports, hits, firing, tag)
    return hits


def _fires(answer: str, laden: bool) -> bool:
    return answer == "always" or (answer == "cargo" and laden)


def _key(owner: str, zone: str, tag: str) -> str:
    return f"submarine_fire/{owner}/{zone}/{tag}"


def _whether(game: Game, owner: str, zone: str, tag: str) -> Decision:
    """The submarines' owner says whether they fire: always, only at cargo, never; silent, always."""

    def interpret(order: Order) -> Any:
        if isinstance(order, SubmarineFire) and order.when_to in ("always", "cargo", "never"):
            return order.when_to
        return refuse(game.rules, "passing_fire", "The answer is always, cargo or never.")

    return Decision(
        key=_key(owner, zone, tag),
        power=owner,
        kind="submarine_fire",
        interpret=interpret,
        default=lambda: "always",
        space=zone,
        rules=cites(game.rules, "passing_fire"),
    )


def _sink(game: Game, zone: str, transports: Sequence[str], hits: int, firing: Sequence[str], tag: str) -> None:
    """The owner chooses which transports sink, with their cargo; silent, those with the cheapest cargo."""
    lost = list(transports)
    if hits < len(transports):
        decision = _which(game, zone, transports, hits, tag)
        lost = list(game.ask([decision])[decision.key])
    gone = [piece for ship in lost for piece in (ship, *(unit.id for unit in game.state.cargo_of(ship)))]
    game.emit(
        "units_removed",
        {"space": zone, "units": gone, "why": "submarine_fire", "by": list(firing)},
        cites(game.rules, "passing_fire"),
    )


def _which(game: Game, zone: str, transports: Sequence[str], hits: int, tag: str) -> Decision:
    power = game.state.units[transports[0]].owner

    def worth(ship: str) -> tuple[int, int]:
        cargo = game.state.cargo_of(ship)
        return (sum(game.board.units[unit.kind].cost or 0 for unit in cargo), number(game.state.units[ship]))

    def interpret(order: Order) -> Any:
        if not isinstance(order, Casualties):
            return Refusal("Name the transports to lose.")
        wanted = [ship for pick in order.picks for ship in transports if _meant(game, ship, pick.empty, pick.ids)]
        named = list(dict.fromkeys(wanted))
        return [*named, *(ship for ship in sorted(transports, key=worth) if ship not in named)][:hits]

    return Decision(
        key=f"passing_loss/{power}/{zone}/{tag}",
        power=power,
        kind="casualties",
        interpret=interpret,
        default=lambda: sorted(transports, key=worth)[:hits],
        space=zone,
        rules=cites(game.rules, "passing_fire"),
        public={"side": "attack", "domain": "sea"},
        has_choice=len({worth(ship)[0] for ship in transports}) > 1,
    )


def _meant(game: Game, ship: str, empty: bool, ids: Sequence[str]) -> bool:
    laden = next(game.state.cargo_of(ship), None) is not None
    return ship in ids or (empty and not laden)
