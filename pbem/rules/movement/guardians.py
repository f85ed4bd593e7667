"""Guardian powers take over unowned colonies by walking in: how Dutch territory passes to its guardians.

A guardian is a power whose relation to the controller is `custodian` in the facts; a game without that relation
never comes here.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import marks
from pbem.rules.movement.citations import cites
from pbem.rules.movement.sketch import Sketch

CUSTODIAN = "custodian"


def take_over(sketch: Sketch, territory: str, entered: Iterable[str]) -> None:
    """A guardian's land unit other than a gun that enters takes control and income at once (P40-2.5.3, P40-DP-32)."""
    holder = sketch.state.controller(territory)
    if holder is None or sketch.state.relation(sketch.power, holder) != CUSTODIAN:
        return
    units = [sketch.unit(unit_id) for unit_id in entered]
    if not any(sketch.board.units[unit.kind].domain == "land" and not sketch.can(unit, "anti_air") for unit in units):
        return
    rules = cites(sketch.rules, "guardians")
    sketch.do("control_changed", {"space": territory, "from": holder, "to": sketch.power, "why": "guardian"}, rules)
    if marks.taken(territory) not in sketch.state.marks:
        sketch.do("mark_set", {"key": marks.taken(territory), "value": holder}, rules)
