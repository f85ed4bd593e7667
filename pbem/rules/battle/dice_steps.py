"""Names of the steps in which battles roll dice, as they stand in dice purposes, and whose dice they are.

A step's dice belong to the side that fires: `attack` for the power whose turn it is, `defend` for its opponents.
"""

from __future__ import annotations

from collections.abc import Mapping

KAMIKAZE = "kamikaze"
AIR_ATTACKERS = "air_attackers_fire"
AIR_DEFENDERS = "air_defenders_fire"
FACILITY_FIRE = "facility_fire"
BOMBS = "bombs"
BOMBARDMENT = "bombardment"
AA_FIRE = "aa_fire"
ATTACKING_SUBMARINES = "attacking_submarines_strike"
DEFENDING_SUBMARINES = "defending_submarines_strike"
ATTACKERS_FIRE = "attackers_fire"
DEFENDERS_FIRE = "defenders_fire"

SIDE_OF_STEP: Mapping[str, str] = {
    KAMIKAZE: "defend",
    AIR_ATTACKERS: "attack",
    AIR_DEFENDERS: "defend",
    FACILITY_FIRE: "defend",
    BOMBS: "attack",
    BOMBARDMENT: "attack",
    AA_FIRE: "defend",
    ATTACKING_SUBMARINES: "attack",
    DEFENDING_SUBMARINES: "defend",
    ATTACKERS_FIRE: "attack",
    DEFENDERS_FIRE: "defend",
}
"""Which side rolls in a step; a step that names its object (`bombs:naval_base`) goes by the part before the colon."""


OWN_STEPS: tuple[str, ...] = tuple(step for step, side in SIDE_OF_STEP.items() if side == "attack")
"""Steps whose dice are the active side's own."""


def side_of_step(step: str) -> str | None:
    """The side whose dice a step's are; None for steps outside battles."""
    return SIDE_OF_STEP.get(step.partition("#")[0].partition(":")[0])
