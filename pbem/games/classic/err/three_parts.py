"""The sequence of section IX: a turn moves and fights three times, with aircraft, with ships, and on land (ERR-1.3.3).

Experimental, for the option `err_sequence` = er9. Which line of a mail belongs to which part is in `part_of_lines`,
what may move in each in `part_limits`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import orders_key
from pbem.games.classic import combat, flak, rockets, sent_again
from pbem.games.classic.err import part_limits
from pbem.games.classic.err.part_of_lines import AIRCRAFT, ARMY, PARTS, SHIPS, sorted_by_part
from pbem.games.classic.moves import supports_by_default
from pbem.games.classic.sea import cleared
from pbem.games.classic.turn import RESEARCH, asked_with_moves, moves_and_combat
from pbem.rules import marks
from pbem.rules.movement.auto_landing import land_the_rest
from pbem.rules.movement.citations import cites
from pbem.rules.query import is_air, is_land, is_ship
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game
from pbem.rules.turn import (
    COLLECT_INCOME,
    COMBAT_MOVE,
    CONDUCT_COMBAT,
    MOBILIZE,
    NONCOMBAT_MOVE,
    PURCHASE,
    pause,
    play,
)

WINDOWS = {AIRCRAFT: "moves", SHIPS: "moves_of_ships", ARMY: "moves_on_land"}
"""The window in which each part is ordered; the first is that of research and purchases too."""


def compose_three_parts(rules: RuleSet) -> RuleSet:
    """Three combats in place of one: another list of what a turn does between purchases and noncombat moves."""
    return rules.but(
        parameters={"landings_follow_combat": True},
        steps={"moves_and_combat": in_three_parts, "conduct_combat": combat_of_the_part},
        judgements={
            "move_faults": part_limits.move_faults,
            "has_business": part_limits.takes_position,
            "cargo_may_wait": part_limits.cargo_may_wait,
            "sea_battle_due": part_limits.sea_battle_due,
        },
    )


def in_three_parts(game: Game, seat: tuple[str, ...], phases: tuple[str, ...]) -> None:
    """Aircraft move, fight and land; then ships; then land units and assaults (ERR-1.3.3).

    Lines for a later part may stand in the first mail. Who wrote none is asked when the part comes, unless he said
    `rest default`, has nothing for it, or wrote lines for a part after it.
    """
    if COMBAT_MOVE not in phases:
        moves_and_combat(game, seat, phases)
        return
    before = tuple(phase for phase in (RESEARCH, PURCHASE, COMBAT_MOVE) if phase in phases)
    orders = game.orders(WINDOWS[AIRCRAFT], seat, before, asks=_about(game, seat, AIRCRAFT))
    for phase in before[:-1]:
        play(game, phase, orders)
    waiting: Sequence[Filed] = orders[COMBAT_MOVE]
    for part in PARTS:
        _begin(game, part)
        if part != AIRCRAFT and _asks(game, seat[0], part, waiting):
            asked = game.orders(WINDOWS[part], seat, (COMBAT_MOVE,), afresh=True, asks=_about(game, seat, part))
            waiting = asked[COMBAT_MOVE]
        lines = sorted_by_part(game.rules, waiting, part)
        waiting = [line for later in PARTS if later > part for line in lines[later]]
        play(game, COMBAT_MOVE, {COMBAT_MOVE: tuple(lines[part])})
        pause(game, f"before_combat_{part}")
        play(game, CONDUCT_COMBAT)
        _end(game, part)
        pause(game, f"after_combat_{part}")
    game.emit("mark_set", {"key": marks.COMBAT_PART, "value": None})


def _about(game: Game, seat: tuple[str, ...], part: int) -> list[Any]:
    """What a window says it is about: the part of the combat move, and what ships may decide in it."""
    about = [{"key": f"part:{part}", "power": seat[0], "kind": f"combat_part_{part}"}]
    return about if part == ARMY else [*about, *asked_with_moves(game, seat)]


def _asks(game: Game, power: str, part: int, waiting: Sequence[Filed]) -> bool:
    if waiting or game.state.orders.get(orders_key(power, "rest")):
        return False
    acts = is_ship if part == SHIPS else is_land
    return any(unit.owner == power and acts(game.rules, unit) for unit in game.state.units.values())


def _begin(game: Game, part: int) -> None:
    """A part begins: its number is written down, and what earlier parts left is set right.

    Enemies who retreated earlier defend where they are now (ERR-3.11); own ships that stayed quiet are free again; a
    zone that enemies share is not cleared any more once the aircraft that won there have gone (CLA-6.4.5).
    """
    power, state = game.state.power or "", game.state
    game.emit("mark_set", {"key": marks.COMBAT_PART, "value": part}, cites(game.rules, "combat_parts"))
    if part == AIRCRAFT:
        return
    if sent_again.ordered_before(state, power, (NONCOMBAT_MOVE, MOBILIZE, COLLECT_INCOME)):
        sent_again.note_who_got_out(game)
    here = list(state.units.values())
    back = [unit.id for unit in here if state.at_war(power, unit.owner) and unit.mark(marks.RETREATED)]
    if back:
        defends = {"units": back, "set": {marks.RETREATED: None}}
        game.emit("units_marked", defends, cites(game.rules, "retreated_defends"))
    quiet = [unit.id for unit in here if unit.owner == power and unit.mark(marks.TASK) == "quiet"]
    if quiet:
        game.emit("units_marked", {"units": quiet, "set": {marks.TASK: None}})
    for zone in (space.id for space in game.board.spaces.values() if space.is_sea) if part == SHIPS else ():
        if game.state.marks.get(cleared(zone)) and game.rules.judge("hostile_zone", game.state, power, zone):
            game.emit("mark_set", {"key": cleared(zone), "value": None})


def combat_of_the_part(game: Game) -> None:
    """The battles of a part; with aircraft the rocket and raids come first (ERR-1.3.3, CLA-6.1.1)."""
    part = game.state.marks.get(marks.COMBAT_PART)
    if part is None:
        combat.conduct_combat(game)
        return
    if part == ARMY:
        supports_by_default(game)
    flak.fire_at_passing(game)
    if part == AIRCRAFT:
        rockets.fire_rocket(game)
        game.run("raids", game.state.power)
    game.run("battles", game.state.power)


def _end(game: Game, part: int) -> None:
    """Aircraft used in a part land at its end; whoever moved or fought in it does no more in the others."""
    power = game.state.power or ""
    used = [
        unit.id
        for unit in game.state.units.values()
        if unit.owner == power
        and not unit.mark(part_limits.USED)
        and (unit.mark(marks.FOUGHT) or (unit.mark(marks.MOVED) == COMBAT_MOVE and unit.aboard is None))
    ]
    land_the_rest(game, f"part_{part}")
    flown = [unit_id for unit_id in used if unit_id in game.state.units]
    aircraft = [unit_id for unit_id in flown if is_air(game.rules, game.state.units[unit_id])]
    if aircraft:
        done = {marks.FOUGHT: True, marks.FLIGHT: None, part_limits.USED: part}
        game.emit("units_marked", {"units": aircraft, "set": done}, cites(game.rules, "combat_parts"))
    others = [unit_id for unit_id in flown if unit_id not in aircraft]
    if others:
        game.emit("units_marked", {"units": others, "set": {part_limits.USED: part}})
