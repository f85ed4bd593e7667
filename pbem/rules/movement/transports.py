"""What loading and unloading share: whether a transport may handle cargo now, and what boarding costs a piece."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.decisions import Refusal
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.ready import COMBAT
from pbem.rules.movement.shipping import unloading_to
from pbem.rules.movement.sketch import Sketch
from pbem.rules.ruleset import RuleSet


def may_unload_here(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether nothing at sea forbids a power to unload in a zone now (P40-4.6.4, P40-4.7.4)."""
    return not rules.judge("hostile_zone", state, power, zone)


def may_handle_cargo(sketch: Sketch, ship: Unit, loads: bool = False) -> Refusal | None:
    """Why a transport may not load (or unload) now (P40-4.6.7, P40-6.9.9, P40-7.6, S42-7.3.3)."""
    rules = sketch.rules
    where = sketch.name(ship.space)
    if ship.mark(marks.RETREATED):
        return refuse(
            rules, "after_retreat", f"The transport in {where} retreated in this turn: its cargo stays aboard."
        )
    unloaded = unloading_to(sketch.state, ship)
    over = sketch.phase == COMBAT or ship.mark(marks.MOVED) != sketch.phase or (loads and not ship.mark(marks.FOUGHT))
    if unloaded is not None and over:
        return refuse(
            rules,
            "after_unloading",
            f"The transport in {where} unloads in {sketch.name(unloaded)} in this turn and does no more.",
        )
    used = bool(ship.mark(marks.FOUGHT)) or ship.mark(marks.MOVED) not in (None, sketch.phase)
    if used and sketch.phase != COMBAT and ship.owner == sketch.power and not _rests_after_battle(sketch, ship, loads):
        return refuse(
            rules,
            "transport_used",
            f"The transport in {where} moved, loaded, unloaded or fought in the combat phases; it loads and unloads no "
            "more in this turn.",
        )
    return None


def _rests_after_battle(sketch: Sketch, ship: Unit, loads: bool) -> bool:
    """Whether a transport that won a sea battle may still load or unload where it lies, but not both (CLA-6.10.6).

    That is the parameter `cargo_after_sea_battle`; without it such a transport handles no cargo.
    """
    if not sketch.rules.parameters.get("cargo_after_sea_battle") or not ship.mark(marks.FOUGHT):
        return False
    if loads:
        return unloading_to(sketch.state, ship) is None
    return all(unit.mark(marks.LOADED) != sketch.phase for unit in sketch.cargo(ship.id))


def by_move_left(sketch: Sketch, cargo: Sequence[Unit]) -> dict[int, list[str]]:
    """Pieces by what boarding or landing costs them: all the movement they have (P40-4.6.1)."""
    groups: dict[int, list[str]] = {}
    for unit in cargo:
        groups.setdefault(max(0, sketch.points(unit)), []).append(unit.id)
    return groups
