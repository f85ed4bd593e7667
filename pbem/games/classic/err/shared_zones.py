"""Sea zones that both sides share after contact was broken off: nobody must fight there, everybody may."""

from __future__ import annotations

from typing import Any

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.battle.sea_battle import sea_attackers, sea_defenders
from pbem.rules.movement.carrying_out import emit_deeds
from pbem.rules.movement.citations import cites
from pbem.rules.movement.landings import landing_cargo
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.sketch import Sketch
from pbem.rules.query import count_by_kind, is_air, is_ship
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def battle_is_due(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """A battle arises where ships or aircraft came, or where an attack was declared (ERR-11.3, ERR-11.4).

    All enemy ships there defend, also those that retreated into the zone in an earlier turn (ERR-11.7); in the turn in
    which contact was broken off there is no new battle (ERR-11.2).
    """
    attackers = sea_attackers(rules, state, power, zone)
    if not attackers or not sea_defenders(rules, state, power, zone):
        return False
    if state.marks.get(marks.intent(zone)) == "attack":
        return True
    return any(
        unit.mark(marks.MOVED) == COMBAT and (is_air(rules, unit) or unit.mark(marks.START) not in (None, zone))
        for unit in attackers
    )


def asked_with_moves(rules: RuleSet, state: State, power: str) -> list[dict[str, Any]]:
    """For the window of the moves: zones in which ships of a power lie beside enemies, to attack, stay or leave
    (ERR-D11)."""
    found = []
    for zone in (space.id for space in rules.board.spaces.values() if space.is_sea):
        ships = [unit for unit in state.units_in(zone) if is_ship(rules, unit)]
        own = [unit for unit in ships if unit.owner == power]
        enemies = [unit for unit in ships if state.at_war(power, unit.owner)]
        if own and enemies:
            about = {"key": f"shared:{zone}", "power": power, "kind": "shared_zone", "space": zone}
            found.append({**about, "own": count_by_kind(own), "enemy": count_by_kind(enemies), "silent": "no_fight"})
    return found


def stay_without_fighting(game: Game) -> None:
    """Ships in a shared zone that were told nothing stay and do not fight (ERR-11.3, ERR-D11).

    A landing from the zone means an attack on the enemies there, for it needs the zone cleared.
    """
    power = game.state.power or ""
    sketch = Sketch(game.rules, game.state, power, COMBAT)
    for zone in game.board.in_board_order(sketch.hostile):
        intent = sketch.state.marks.get(marks.intent(zone))
        if intent is None and landing_cargo(sketch, zone):
            attack = {"key": marks.intent(zone), "value": "attack"}
            sketch.do("mark_set", attack, cites(sketch.rules, "shared_zone"))
        elif intent is None:
            idle = [
                unit.id
                for unit in sketch.own_in(zone)
                if (is_ship(sketch.rules, unit) or unit.aboard is not None)
                and unit.mark(marks.TASK) is None
                and unit.mark(marks.START) in (None, zone)
            ]
            if idle:
                quiet = {"units": idle, "set": {marks.TASK: "quiet"}}
                sketch.do("units_marked", quiet, cites(sketch.rules, "shared_zone"))
    emit_deeds(game, sketch.deeds)
