"""Action S2, Deploy Air Groups: patrols land, aircraft fly from base to base, new patrols go up."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State, Unit
from pbem.games.p01.patrols import send_patrols
from pbem.games.p01.wwm.forces import surface_ships
from pbem.games.p01.wwm.supply import held, is_base, open_ground
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal
from pbem.rules.movement.picks import resolve
from pbem.rules.order_model import CombatAirPatrol, Move, NothingTo
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

PHASE = "deploy_air"
LEG = {"fighter": 4, "bomber": 6}
"""Spaces of one flight from base to base, without any bonus (WWM-4.5, WWM-4.6)."""


def deploy_air(game: Game, filed: Sequence[Filed]) -> None:
    """Redeployments in the order written, then patrols (WWM-4.2, WWM-5.1, WWM-D04, WWM-D05); silent, nobody flies.

    No gun fires and no patrol hinders a leg (WWM-4.10); no movement of the tactical phase is used (WWM-4.12).
    """
    flown: set[str] = set()
    for line in filed:
        if isinstance(line.order, Move):
            wrong = _deploy(game, line, line.order, flown)
            if wrong is not None:
                game.refuse(line, PHASE, wrong)
        elif not isinstance(line.order, CombatAirPatrol | NothingTo):
            game.refuse(line, PHASE, refuse(game.rules, "deploy", "Here aircraft are deployed and set on patrol."))
    send_patrols(game, filed, PHASE)


def _deploy(game: Game, line: Filed, order: Move, flown: set[str]) -> Refusal | None:
    """`deploy 1 fighter Formosa -> Ryukyu Islands -> Caroline Islands`: each land named is a stop."""
    rules, state = game.rules, game.state
    start = order.path[0]
    if len(order.path) < 2:
        return refuse(rules, "deploy", "A deployment names where it starts and at which bases it stops.")
    if start not in rules.board.spaces or rules.board.spaces[start].is_sea:
        return refuse(rules, "deploy_deck", "Aircraft on carriers, on patrol or in the pool take no part here.")
    here = [unit for unit in state.units_in(start) if is_air(rules, unit) and unit.aboard is None]
    chosen = resolve(
        rules, state, line.power, order.units, start, lambda unit: _may_fly(rules, state, unit, order.path, flown), here
    )
    if isinstance(chosen, Refusal):
        return chosen
    stops = [space for space in order.path[1:] if not rules.board.spaces[space].is_sea]
    moved = {"units": list(chosen), "from": start, "to": stops[-1], "via": stops[:-1], "why": "deployed"}
    game.emit("units_moved", moved, cites(rules, "deploy", "deploy_stop", "deploy_leg"))
    flown.update(chosen)
    return None


def _may_fly(rules: RuleSet, state: State, unit: Unit, path: Sequence[str], flown: set[str]) -> Refusal | None:
    """Whether an aircraft may be deployed along these stops: unlimited legs, each from base to base (WWM-4.3, 4.4)."""
    board, kind = rules.board, rules.board.units[unit.kind]
    if unit.id in flown:
        return refuse(rules, "deploy_once", f"This {kind.name.lower()} was deployed already: once in this action.")
    if board.spaces[path[-1]].is_sea:
        return refuse(rules, "deploy_stop", "A deployment ends at an air base.", "Name the base at its end.")
    start = path[0]
    if rules.parameter("wwm_deploy_start") == "bases_only" and not is_base(rules, state, start):
        return refuse(rules, "deploy_start", f"{board.spaces[start].name} has no air base to start from.")
    here, spent = start, 0
    for space in path[1:]:
        steps = _leg(rules, state, unit, here, space)
        if steps is None:
            return refuse(
                rules, "deploy_over",
                f"No way leads from {board.spaces[here].name} to {board.spaces[space].name} that crosses neither enemy "
                "nor closed land.",
            )  # fmt: skip
        spent += steps
        limit = LEG.get(unit.kind, kind.move)
        if spent > limit:
            return refuse(
                rules, "deploy_leg",
                f"From {board.spaces[start].name} to {board.spaces[space].name} is {spent} spaces; a leg of a "
                f"{kind.name.lower()} is {limit} at most.",
                "Stop at a base in between.",
            )  # fmt: skip
        here = space
        if board.spaces[space].is_sea:
            continue
        wrong = _stop_refusal(rules, state, unit.owner, space)
        if wrong is not None:
            return wrong
        start, spent = space, 0
    return None


def _leg(rules: RuleSet, state: State, unit: Unit, here: str, there: str) -> int | None:
    """Steps of a shortest way that enters no enemy and no closed land (WWM-4.9)."""

    def may_enter(space: str) -> bool:
        return space == there or open_ground(rules, state, unit.owner, space)

    return rules.board.distance(here, there, may_enter, 20)


def _stop_refusal(rules: RuleSet, state: State, power: str, space: str) -> Refusal | None:
    """Every stop is an air base that the side has controlled since the turn began (WWM-4.4, WWM-4.7)."""
    name = rules.board.spaces[space].name
    if not held(rules, state, power, space):
        return refuse(rules, "deploy_since", f"{name} has not been in your side's hands since the turn began.")
    if not is_base(rules, state, space):
        return refuse(rules, "deploy_stop", f"{name} has no air base: no leg ends there.")
    return None


def bars_patrol(rules: RuleSet, state: State, power: str, zone: str) -> Refusal | None:
    """No patrol is set among enemy surface ships or patrols (WWM-5.2, WWM-5.3); submarines do not matter.

    In the noncombat move the switch `cap_in_noncombat` may forbid it altogether (WWM-5.4).
    """
    name = rules.board.spaces[zone].name
    if state.phase == "noncombat_move" and not rules.parameter("wwm_late_patrols"):
        return refuse(rules, "cap_later", "Patrols are set when air groups are deployed, not in the noncombat move.")
    enemies = [
        unit for unit in state.units_in(zone) if state.at_war(power, unit.owner) and not unit.mark(marks.SUBMERGED)
    ]
    if surface_ships(rules, enemies):
        return refuse(rules, "cap_hostile", f"Enemy surface ships are in {name}: no patrol is set there.")
    if any(unit.mark(marks.CAP) for unit in enemies):
        return refuse(rules, "cap_against_cap", f"Enemy fighters patrol over {name}: no patrol is set against them.")
    return None
