"""Whether a piece may still be ordered in a phase: it belongs to the power that moves, has not moved or fought before.

The same questions for all domains; what is special to transports and carriers is with them.
"""

from __future__ import annotations

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import cite, refuse
from pbem.rules.movement.sketch import Sketch
from pbem.rules.query import is_air, is_land, is_ship
from pbem.rules.ruleset import RuleSet

COMBAT, NONCOMBAT = "combat_move", "noncombat_move"


def may_still_move(sketch: Sketch, unit: Unit) -> Refusal | None:
    """Why a piece may not be moved in this phase at all (P40-4.1.7, P40-7.2); None if it may.

    Whoever neither moved nor fought may move now (S42-7.1.1); who walked in without a fight has moved (S42-7.4.1).
    """
    rules = sketch.rules
    kind = rules.board.units[unit.kind]
    if unit.owner not in sketch.acting:
        return foreign(sketch, unit)
    if kind.can("noncombat_move_only") and sketch.phase == COMBAT:
        return refuse(
            rules,
            "guns_stay",
            f"{kind.plural} do not move, load or land in the combat move.",
            "Move them in the noncombat move: write `noncombat:` before the line.",
        )
    if unit.mark(marks.CAPTURED):
        return refuse(
            rules,
            "captured_guns",
            f"This {kind.name.lower()} was captured in {sketch.name(unit.space)} in this turn; it may not move yet.",
        )
    if kind.can("anti_air") and unit.owner in rules.parameters.get("cannot_use_facilities", ()):
        owner = rules.board.powers[unit.owner].name
        return refuse(rules, "idle_guns", f"{owner} cannot use the {kind.plural.lower()} it holds: they stay put.")
    if is_air(rules, unit):
        return None
    if sketch.phase != COMBAT and _used_up(sketch, unit):
        did = "fought" if unit.mark(marks.FOUGHT) else "moved"
        return refuse(
            rules,
            topic_of_rest(rules, unit),
            f"This {kind.name.lower()} {did} earlier in this turn; only units that neither moved nor fought go in the "
            "noncombat move.",
        )
    return None


def topic_of_rest(rules: RuleSet, unit: Unit) -> str:
    """Why a piece that did something in the combat phases rests: it retreated, or moved or fought."""
    retreated = "retreated_ship" if is_ship(rules, unit) else "retreated"
    return retreated if unit.mark(marks.RETREATED) and cite(rules, retreated) is not None else "moved_or_fought"


def _used_up(sketch: Sketch, unit: Unit) -> bool:
    """Whether a piece moved or fought before this phase.

    Where the parameter `fought_carriers_sail` is set, a carrier that fought and has not moved may (P01-8.1.7).
    """
    if unit.mark(marks.MOVED) not in (None, sketch.phase):
        return True
    return bool(unit.mark(marks.FOUGHT)) and not may_sail_after_battle(sketch.rules, unit)


def may_sail_after_battle(rules: RuleSet, unit: Unit) -> bool:
    """Whether a ship may go on although it fought: carriers, where the rule set says so (P01-8.1.7)."""
    carrier = rules.board.units[unit.kind].figure("carrier_capacity") > 0
    return carrier and bool(rules.parameters.get("fought_carriers_sail"))


def foreign(sketch: Sketch, unit: Unit) -> Refusal:
    """A piece of another power does not move on orders of this one (P40-4.5.2, 4.6.11, 6.12.1)."""
    whose = sketch.board.powers[unit.owner].name if unit.owner in sketch.board.powers else unit.owner
    name = sketch.board.units[unit.kind].name.lower()
    if is_air(sketch.rules, unit) and unit.aboard is not None:
        return refuse(
            sketch.rules,
            "guests_ride",
            f"That {name} belongs to {whose}: a guest aboard a carrier rides along and flies only in its own turn.",
        )
    if is_land(sketch.rules, unit) and unit.aboard is not None:
        return refuse(
            sketch.rules,
            "allied_cargo",
            f"That {name} belongs to {whose}: it is loaded and unloaded in the turn of {whose} only.",
        )
    return refuse(sketch.rules, "own_units", f"That {name} belongs to {whose}, which moves it in its own turn.")
