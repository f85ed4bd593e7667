"""What the classic game's own battle steps mean for the odds of a battle."""

from __future__ import annotations

from pbem.games.classic.sea import FIRST_SHOT
from pbem.odds.amounts import Array
from pbem.odds.program import Check, Choose, Ending, Meeting, Volley, never
from pbem.rules.battle.model import ATTACK, DEFEND, STANDOFF
from pbem.rules.query import is_air


def attackers_shoot_first(meeting: Meeting, side: str) -> Array:
    """Attacking submarines, unless a destroyer faces them (CLA-6.5.2, CLA-6.8.8)."""
    able = meeting.each(side, meeting.table(side).any_of(meeting.table(side).striking))
    return able & (side == ATTACK) & ~meeting.any_can(DEFEND, "anti_submarine")


def only_submarines_found(meeting: Meeting) -> list[tuple[Array, Ending]]:
    """Only aircraft of one side and submarines of the other are left (option, CLA-6.8.7)."""
    found = []
    for side, other in ((ATTACK, DEFEND), (DEFEND, ATTACK)):
        table = meeting.table(side)
        flying = table.force.mask(lambda stack: is_air(meeting.rules, stack.units[0]))
        found.append((meeting.each(side, table.only(flying)) & meeting.all_can(other, FIRST_SHOT), Ending(STANDOFF)))
    return found


SUBMARINES = (
    Choose(attackers_shoot_first, never, strikers=FIRST_SHOT),
    Volley(ATTACK, strikers=True, at_once=True),
)
ONLY_SUBMARINES = Check(only_submarines_found)
