"""Orders sorted into the steps of a turn, and the block of text that shows what is in force.

The block uses the headings of the order language: sent back as it stands, it reads to the same orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.orders.gazetteer import Gazetteer
from pbem.orders.write import write
from pbem.rules.order_model import DeclareWar, NothingTo, Order, phase_of

STANDING = "standing"
PHASES: tuple[str, ...] = (
    "politics", "research", "purchase", "bid", "land_cap", "deploy_air", "fuel_task_forces", "combat_move",
    "noncombat_move", "mobilize", "collect_income", "draw_card", STANDING,
)  # fmt: skip
"""The phases that orders can belong to, in the order of play, by their name in every game; standing orders last."""


@dataclass(frozen=True, slots=True)
class Step:
    """The orders of one phase in the order in which they take effect."""

    phase: str
    orders: tuple[Order, ...]


def by_step(orders: Iterable[Order]) -> tuple[Step, ...]:
    """Orders by phase in the order of play; declarations of war stand before the moves of their phase."""
    held: dict[str, list[Order]] = {}
    for order in orders:
        held.setdefault(phase_of(order) or STANDING, []).append(order)
    known = [phase for phase in PHASES if phase in held]
    other = sorted(phase for phase in held if phase not in PHASES)
    return tuple(Step(phase, _declarations_first(held[phase])) for phase in (*known, *other))


def _declarations_first(orders: Sequence[Order]) -> tuple[Order, ...]:
    return tuple(sorted(orders, key=lambda order: not isinstance(order, DeclareWar)))


def in_force_block(
    in_force: Mapping[str, Sequence[Order]], names: Gazetteer, language: str = "en", power: str | None = None
) -> str:
    """Everything in force, phase by phase, under headings; a phase emptied on purpose says so, an empty turn too."""
    lines: list[str] = []
    if power is not None:
        lines.append(f"{names.name('power', power, language)}:")
    known = [phase for phase in PHASES if phase in in_force]
    for phase in (*known, *sorted(set(in_force) - set(PHASES))):
        lines.append(_heading(phase, names, language))
        orders = _declarations_first(in_force[phase]) or (() if phase == STANDING else (NothingTo(phase),))
        lines += [write(order, names, language) for order in orders]
    return "".join(f"{line}\n" for line in lines)


def _heading(phase: str, names: Gazetteer, language: str) -> str:
    if language == "zh":
        return names.name("phase", phase, "zh")
    return {"mobilize": "PLACEMENT", STANDING: "STANDING ORDERS"}.get(phase, phase.replace("_", " ").upper())
