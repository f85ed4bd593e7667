"""Movement: combat and noncombat moves over land, by air and by sea, transports and carriers, landings afterwards.

`STEPS` and `JUDGEMENTS` are what a rule set registers. Parameters read here: `never_shipped` (powers whose units
never board transports), `must_sink_lone_transports`, `subs_block_unescorted_assault`,
`sub_strike_on_passing_transports`, `lone_aa_destroyed_by_air`, `scramble_from`, `scramble_any_assault_in_zone`,
`guarded_landing_from_allies`, `movement_citations`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.rules.movement.combat_defaults import combat_move_defaults
from pbem.rules.movement.combat_move import combat_move
from pbem.rules.movement.land import blitzes
from pbem.rules.movement.landing import land_defenders
from pbem.rules.movement.noncombat import noncombat_move
from pbem.rules.movement.points import movement_points
from pbem.rules.movement.sea import hostile_zone
from pbem.rules.movement.transports import may_unload_here

STEPS: Mapping[str, Callable[..., Any]] = {
    "combat_move": combat_move,
    "combat_move_defaults": combat_move_defaults,
    "land_defenders": land_defenders,
    "noncombat_move": noncombat_move,
}
JUDGEMENTS: Mapping[str, Callable[..., Any]] = {
    "blitzes": blitzes,
    "hostile_zone": hostile_zone,
    "movement_points": movement_points,
    "may_unload_here": may_unload_here,
}
