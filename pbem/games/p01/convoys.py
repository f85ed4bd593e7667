"""Convoy routes and centres: who controls them, and how ships take them in passing or by winning a battle.

A zone's controller holds its route or centre; nothing else about a sea zone is ever controlled (P01-1.6.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal
from pbem.rules.movement.picks import resolve
from pbem.rules.movement.ready import may_still_move
from pbem.rules.movement.sketch import Sketch
from pbem.rules.order_model import AttackHere, Move, Pick
from pbem.rules.query import can, is_ship
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

ROUTE, CENTRE = "route", "center"
COMBAT = "combat_move"


def convoy_in(rules: RuleSet, zone: str) -> Mapping[str, Any] | None:
    """The route or centre of a zone, as the facts have it."""
    found: Mapping[str, Any] | None = next(
        (row for row in rules.board.facts["convoy_zones"] if row["zone"] == zone), None
    )
    return found


def route_of(rules: RuleSet, territory: str) -> str | None:
    """The zone of the route on which a territory's income depends."""
    rows = rules.board.facts["convoy_zones"]
    return next((row["zone"] for row in rows if row.get("territory") == territory), None)


def enemy_convoy(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether a zone holds a route or centre that is in enemy hands."""
    holder = state.controller(zone)
    return convoy_in(rules, zone) is not None and holder is not None and state.at_war(power, holder)


def takes_convoys(rules: RuleSet, unit: Unit) -> bool:
    """Naval units other than transports take convoys (P01-5.7.1, P01-5.7.4), aircraft never (P01-5.7.5, P01-5.3.11)."""
    return is_ship(rules, unit) and not can(rules, unit, "carries_land_units")


def take(game: Game, zone: str, power: str, topics: Sequence[str]) -> None:
    """Control of a zone's convoy passes to the taker's side (P01-7.4.6); a centre goes back to its owner (P01-7.4.8).

    It stays there after the ships have left (P01-7.4.5).
    """
    convoy = convoy_in(game.rules, zone)
    holder = game.state.controller(zone)
    assert convoy is not None
    owner = convoy["start_controller"]
    freed = convoy["kind"] == CENTRE and game.rules.judge("allies", game.state, power, owner)
    taken = {"space": zone, "from": holder, "to": owner if freed else power, "why": "convoy"}
    cited = cites(game.rules, *topics, *(("centre_freed",) if freed else ()))
    game.emit("control_changed", taken, cited)


def take_in_passing(game: Game) -> None:
    """After the combat moves: every open zone that warships passed or entered yields its convoy (P01-5.7.1, P01-5.7.7).

    Moves of the noncombat phase never do (P01-5.7.6); in a hostile zone the battle decides.
    """
    power = game.state.power or ""
    zones: dict[str, None] = {}
    for unit in list(game.state.units.values()):
        if unit.owner != power or not takes_convoys(game.rules, unit) or unit.mark(marks.MOVED) != COMBAT:
            continue
        if unit.mark(marks.START) in (None, unit.space) and not unit.mark(marks.VIA):
            continue
        zones |= dict.fromkeys((*unit.mark(marks.VIA, ()), unit.space))
    for zone in game.board.in_board_order(zones):
        if enemy_convoy(game.rules, game.state, power, zone) and not game.rules.judge(
            "hostile_zone", game.state, power, zone
        ):
            take(game, zone, power, ("convoy_passed",))


def take_after_battle(game: Game, zone: str, power: str, ships: Iterable[Unit]) -> None:
    """The attacker who destroyed all defenders takes the convoy, with a surviving warship (P01-7.4.3, P01-7.4.4).

    If he was destroyed, withdrew or submerged (P01-7.4.1), or enemies are left there (P01-7.4.2), nothing changes.
    """
    if not enemy_convoy(game.rules, game.state, power, zone):
        return
    if game.rules.judge("hostile_zone", game.state, power, zone):
        return
    if any(takes_convoys(game.rules, ship) and not ship.mark(marks.SUBMERGED) for ship in ships):
        take(game, zone, power, ("convoy_won",))


# -- ships that stay to take a convoy -----------------------------------------------------------------------------


def stay_and_take(game: Game, filed: Sequence[Filed]) -> list[Filed]:
    """Ships told to stay over an enemy convoy take it; gives the lines that are left.

    `1 submarine Sea Zone 37 -> Sea Zone 37 -> Sea Zone 45`: a submarine spends one move and may go on (P01-5.7.2).
    Other warships spend their whole move (P01-5.7.3). `attack Sea Zone 37` says the same of all that lie there.
    """
    left: list[Filed] = []
    for line in filed:
        order = line.order
        stays = isinstance(order, Move) and len(order.path) > 1 and order.path[0] == order.path[1]
        over = isinstance(order, AttackHere) and game.board.spaces[order.space].is_sea
        if isinstance(order, Move) and stays:
            rest = _stay(game, line, order.units, order.path[0], order.path[1:])
            if rest is not None:
                left.append(replace(line, order=replace(order, units=rest, path=order.path[1:])))
        elif isinstance(order, AttackHere) and over and _only_convoy(game, order.space):
            _stay(game, line, order.units or (Pick("warship"),), order.space, ())
        else:
            left.append(line)
    return left


def _only_convoy(game: Game, zone: str) -> bool:
    power = game.state.power or ""
    open_water = not game.rules.judge("hostile_zone", game.state, power, zone)
    return open_water and enemy_convoy(game.rules, game.state, power, zone)


def _stay(game: Game, line: Filed, picks: Sequence[Pick], zone: str, rest: Sequence[str]) -> tuple[Pick, ...] | None:
    """Spend the move of the ships meant and take the convoy; gives who goes on, None if nobody does."""
    power = game.state.power or ""
    sketch = Sketch(game.rules, game.state, power, COMBAT)
    here = [unit for unit in sketch.own_in(zone) if is_ship(game.rules, unit)]
    chosen = resolve(game.rules, game.state, power, picks, zone, lambda unit: _may_stay(sketch, unit, rest), here)
    wrong = chosen if isinstance(chosen, Refusal) else _nothing_to_take(game, zone)
    if wrong is not None:
        game.refuse(line, COMBAT, wrong)
        return None
    assert not isinstance(chosen, Refusal)
    noted = {marks.START: zone, marks.MOVED: COMBAT}
    for unit_id in chosen:
        unit = game.state.units[unit_id]
        spent = 1 if can(game.rules, unit, "submerge") else sketch.points(unit)
        game.emit(
            "units_moved",
            {"units": [unit_id], "from": zone, "to": zone, "spent": spent, "phase": COMBAT, "marks": noted},
            cites(game.rules, "convoy_stay"),
        )
    if enemy_convoy(game.rules, game.state, power, zone):
        take(game, zone, power, ("convoy_stay",))
    if len(rest) < 2:
        return None
    kinds = dict.fromkeys(game.state.units[unit_id].kind for unit_id in chosen)
    return tuple(
        Pick(kind, len(same), ids=tuple(same))
        for kind in kinds
        for same in [[unit_id for unit_id in chosen if game.state.units[unit_id].kind == kind]]
    )


def _may_stay(sketch: Sketch, unit: Unit, rest: Sequence[str]) -> Refusal | None:
    refusal = may_still_move(sketch, unit)
    if refusal is not None:
        return refusal
    kind = sketch.board.units[unit.kind].name.lower()
    if not takes_convoys(sketch.rules, unit):
        return refuse(sketch.rules, "convoy_transport", f"A {kind} takes no convoys.")
    if unit.mark(marks.MOVED) is not None:
        return refuse(sketch.rules, "convoy_stay", f"This {kind} has moved already.")
    if len(rest) > 1 and not can(sketch.rules, unit, "submerge"):
        return refuse(
            sketch.rules, "convoy_stay", f"A {kind} that stays to take a convoy uses its whole move; submarines go on."
        )
    return None


def _nothing_to_take(game: Game, zone: str) -> Refusal | None:
    power = game.state.power or ""
    name = game.board.spaces[zone].name
    if game.rules.judge("hostile_zone", game.state, power, zone):
        return refuse(game.rules, "convoy_won", f"{name} is hostile: its convoy is taken by winning the battle there.")
    if not enemy_convoy(game.rules, game.state, power, zone) and convoy_in(game.rules, zone) is None:
        return refuse(game.rules, "convoy_stay", f"{name} holds no convoy.")
    return None
