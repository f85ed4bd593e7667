"""What artillery that fires first means for the odds of a battle (option `err_artillery` = er2).

Steps of retreats mean nothing for odds, which are the chances of those who fight on. The odds are unknown where
artillery that fires at units on the ground faces aircraft too.
"""

from __future__ import annotations

from pbem.odds.amounts import Array
from pbem.odds.outcome import OddsUnknown
from pbem.odds.program import Choose, Meeting, Volley, never
from pbem.rules.battle.model import ATTACK, DEFEND
from pbem.rules.query import is_air


def artillery_fires(meeting: Meeting, side: str) -> Array:
    """Where a side has artillery (ERR-1.2.5); OddsUnknown where its hits could go to a part of the enemies only."""
    table = meeting.table(side)
    flying = meeting.attackers.force.mask(lambda stack: is_air(meeting.rules, stack.units[0]))
    if side == DEFEND and table.striking and flying:
        raise OddsUnknown("odds do not know artillery that fires at ground units where aircraft attack with them")
    return meeting.each(side, table.any_of(table.striking))


ATTACKING_ARTILLERY = (
    Choose(artillery_fires, never, strikers="fires_first"),
    Volley(ATTACK, strikers=True, at_once=True),
)
DEFENDING_ARTILLERY = Volley(DEFEND, strikers=True, at_once=True)
