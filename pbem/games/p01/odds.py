"""What the battle steps of Pacific (2001) itself mean for the odds of a battle."""

from __future__ import annotations

from pbem.odds.amounts import Array
from pbem.odds.program import Check, Choose, Meeting, end_test
from pbem.rules.battle.model import ATTACK, DEFEND, other_side


def submarines_strike(meeting: Meeting, side: str) -> Array:
    """Submarines strike first where no enemy destroyer is; defenders' only if the switch says so (P01-6.5.3)."""
    table = meeting.table(side)
    barred = side == DEFEND and not meeting.rules.parameter("defending_submarines_strike")
    able = meeting.each(side, table.any_of(table.striking))
    return able & (not barred) & ~meeting.any_can(other_side(side), "anti_submarine")


def submarines_go_under(meeting: Meeting) -> Array:
    """Silent defenders submerge from a destroyer that is too strong (P01-D10)."""
    weak = 2 * meeting.each(DEFEND, meeting.defenders.strength) < meeting.each(ATTACK, meeting.attackers.strength)
    return weak & meeting.any_can(ATTACK, "anti_submarine") & meeting.any_can(DEFEND, "submerge")


SUBMERGE = (Choose(submarines_strike, submarines_go_under), Check(end_test))
