"""What cards mean for the odds of a battle beside their dice: rail guns, and how heavy artillery's hits fall.

Odds tell what the units and dice do that are in the battle, cards in play included. Severe Weather, Fortification,
Fog of War and Fighter Ace are not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.board.state import Unit
from pbem.games.s42.fov import plays
from pbem.games.s42.fov.fire import fire_power
from pbem.odds.aiming import Row
from pbem.odds.force import DAMAGE, HURT, WHOLE, Force, Run
from pbem.odds.opening import Opening, strike
from pbem.odds.outcome import OddsUnknown
from pbem.odds.program import Open, Overrun
from pbem.rules.battle.model import ATTACK, DEFEND
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet


def heavy_hit(rules: RuleSet, force: Force, row: Row) -> None:
    """A Heavy Artillery's hit takes two infantry or one other unit, by default what costs less (FOV-W08.2, W08.5)."""
    runs = [run for run in force.preferences[0].runs if _offers(row, run)]
    infantry = [run.stack for run in runs if force.stacks[run.stack].kind.id == "infantry"]
    others = [run for run in runs if force.stacks[run.stack].kind.id != "infantry"]
    men = [stack for stack in infantry for _ in range(row[stack][WHOLE])][:2]
    if others:
        cheapest = min(others, key=lambda run: _cost(force, run))
        two = sum(force.stacks[stack].kind.cost or 0 for stack in men)
        if len(men) < 2 or two >= _cost(force, cheapest):
            _take(row, cheapest)
            return
    for stack in men:
        row[stack][WHOLE] -= 1


def _offers(row: Row, run: Run) -> bool:
    whole, hurt, _ = row[run.stack]
    return whole > 0 if run.does == DAMAGE else whole + hurt > 0


def _cost(force: Force, run: Run) -> int:
    return 0 if run.does == DAMAGE else force.stacks[run.stack].kind.cost or 0


def _take(row: Row, run: Run) -> None:
    columns = row[run.stack]
    if run.does == DAMAGE:
        columns[WHOLE] -= 1
        columns[HURT] += 1
    else:
        columns[HURT if columns[HURT] else WHOLE] -= 1


def rail_guns(opening: Opening) -> None:
    """Each rail gun fires up to three dice at 2 before round 1, one for each defender (FOV-W01.2 to FOV-W01.5)."""
    hitting = 1 if opening.rules.parameter("rail_gun_exact") else 2
    for _ in plays.in_force(opening.state, "rail_gun", opening.battle.space):
        strike(opening, (hitting, 6), 3)


def overwhelming(opening: Opening, attackers: Sequence[Unit], defenders: Sequence[Unit]) -> bool:
    """Whether Supreme Excellence holds when round 1 would begin (FOV-F03.3, FOV-F03.4).

    Submarines that may submerge make its odds unknown.
    """
    rules, state = opening.rules, opening.state
    if not plays.in_force(state, "supreme_excellence", opening.battle.space):
        return False
    if any(can(rules, unit, "submerge") for unit in defenders):
        raise OddsUnknown("odds do not know who of the overrun submerges")
    ids = [[unit.id for unit in units] for units in (attackers, defenders)]
    battle = replace(opening.battle, attackers=ids[0], defenders=ids[1])
    own, theirs = (fire_power(rules, state, battle, side) for side in (ATTACK, DEFEND))
    return own >= 3 * theirs


RAIL_GUNS = Open(rail_guns)
SUPREME_EXCELLENCE = Overrun(overwhelming)
