"""What happens in the combat move without an order: ships that lie in hostile zones, enemies that may be ignored.

The defaults are those of the rule book's decision points; each is written down as such.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.movement.carriers import launch_before_sailing
from pbem.rules.movement.carrying_out import emit_deeds
from pbem.rules.movement.citations import cites
from pbem.rules.movement.landings import attacked_by_default, fighters_at_sea, landing_cargo, loose_enemies
from pbem.rules.movement.paths import move_all
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.query import is_ship
from pbem.rules.script import Game


def combat_move_defaults(game: Game) -> None:
    """The step that settles what the lines of the combat move left unsaid."""
    sketch = Sketch(game.rules, game.state, game.state.power or "", COMBAT)
    silent_ships(sketch)
    silent_intents(sketch)
    emit_deeds(game, sketch.deeds)


def silent_ships(sketch: Sketch) -> None:
    """Ships without orders in a hostile zone stay if they are a match for it, else leave (P40-4.4.6, P40-DP-05).

    Submarines stay quiet where no enemy destroyer is (P40-DP-08). A match: the sum of own attack values is at least
    the sum of the enemies' defence values. Who leaves goes to the first friendly zone in the board's order.
    """
    for zone in sketch.board.in_board_order(sketch.hostile):
        told = sketch.state.marks.get(marks.intent(zone)) == "attack"
        silent = [
            unit
            for unit in sketch.own_in(zone)
            if is_ship(sketch.rules, unit) and unit.mark(marks.MOVED) is None and unit.mark(marks.TASK) is None
        ]
        if not silent or told:
            continue
        quiet = [unit for unit in silent if sketch.can(unit, "passes_hostile_sea")]
        if quiet and zone not in sketch.destroyers:
            sketch.do(
                "units_marked",
                {"units": [unit.id for unit in quiet], "set": {marks.TASK: "quiet"}},
                cites(sketch.rules, "start_in_hostile", "silent_submarines"),
            )
            silent = [unit for unit in silent if unit not in quiet]
        if silent and not _a_match(sketch, zone):
            _leave(sketch, zone, silent)


def _a_match(sketch: Sketch, zone: str) -> bool:
    attack = sum(sketch.board.units[unit.kind].attack for unit in fighters_at_sea(sketch, zone))
    defense = sum(
        sketch.board.units[unit.kind].defense
        for unit in sketch.enemies_in(zone)
        if sketch.board.units[unit.kind].domain != "land"
    )
    return attack > 0 and attack >= defense


def _leave(sketch: Sketch, zone: str, ships: Sequence[Unit]) -> None:
    """Go to the first zone that is friendly and allowed; who cannot go stays."""
    for ship in ships:
        if sketch.points(ship) < 1:
            continue
        for there in sketch.board.seas_beside(zone):
            if there in sketch.hostile:
                continue
            if sketch.rules.judge("may_end_in", sketch.state, sketch.power, ship, there) is not None:
                continue
            launch_before_sailing(sketch, ship.id)
            move_all(sketch, (ship.id,), (zone, there), cites(sketch.rules, "start_in_hostile", "silent_ships"))
            break


def silent_intents(sketch: Sketch) -> None:
    """Enemy submarines and transports are ignored where bombarders cover a landing, else attacked (P40-DP-07).

    Only where own units came in this phase or land from: ships that merely lie beside them do nothing (P40-4.4.5).
    """
    zones = [
        zone
        for zone in sketch.board.in_board_order(unit.space for unit in sketch.state.units.values())
        if sketch.board.spaces[zone].is_sea
        and marks.intent(zone) not in sketch.state.marks
        and loose_enemies(sketch, zone)
    ]
    for zone in zones:
        fighting = fighters_at_sea(sketch, zone)
        landing = landing_cargo(sketch, zone)
        came = [unit for unit in fighting if unit.mark(marks.MOVED) == sketch.phase]
        if not came and not landing:
            continue
        sketch.do(
            "mark_set",
            {"key": marks.intent(zone), "value": "attack" if attacked_by_default(sketch, zone) else "ignore"},
            cites(sketch.rules, "attack_or_ignore", "silent_intent"),
        )
