"""How far a piece may still go: its table's movement, the bonus of a base it started at, less what it has used."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.board.units import AIR, SEA
from pbem.rules import marks
from pbem.rules.ruleset import RuleSet


def movement_points(rules: RuleSet, state: State, unit: Unit) -> int:
    """Movement points left in this turn (P40-1.3, P40-4.1.3, P40-4.3.3)."""
    return rules.board.units[unit.kind].move + base_bonus(rules, state, unit) - unit.spent


def base_bonus(rules: RuleSet, state: State, unit: Unit) -> int:
    """Extra movement from an operative friendly base where the piece started its turn (P40-4.1.6, P40-1.2.7).

    What counts is the start of the turn, not of a move (P40-13-A15).

    Aircraft need an air base in the territory they stood in (not on a carrier beside it), ships a naval base beside
    their zone. Bonuses do not add up; a base captured in this turn gives none.
    """
    domain = rules.board.units[unit.kind].domain
    start = unit.mark(marks.START, unit.space)
    if start not in rules.board.spaces:
        return 0
    at_sea = rules.board.spaces[start].is_sea
    if domain == AIR and not at_sea:
        return best_base(rules, state, unit.owner, start, "air_move_bonus")
    if domain == SEA and at_sea:
        return max(
            (best_base(rules, state, unit.owner, land, "sea_move_bonus") for land in rules.board.lands_beside(start)),
            default=0,
        )
    return 0


def end_bonus(rules: RuleSet, state: State, unit: Unit, space: str) -> int:
    """Extra movement a piece has if its move ends in that space (P01-5.3.3, P01-8.2.1): judgement `end_bonus`."""
    if "end_bonus" not in rules.judgements:
        return 0
    extra: int = rules.judge("end_bonus", state, unit, space)
    return extra


def best_base(rules: RuleSet, state: State, power: str, territory: str, ability: str) -> int:
    """The bonus that the bases of a territory give a power's pieces now; 0 without one that it may use (P40-2.4.3)."""
    held = state.spaces.get(territory)
    if held is None or not held.facilities or power in rules.parameters.get("cannot_use_facilities", ()):
        return 0
    best = 0
    for kind, damage in held.facilities:
        base = rules.board.units[kind]
        if base.can(ability) and operative(rules, kind, damage):
            best = max(best, base.figure("move_bonus", 1))
    if not best or marks.taken(territory) in state.marks:
        return 0
    return best if rules.judge("friendly_territory", state, power, territory) else 0


def operative(rules: RuleSet, kind: str, damage: int) -> bool:
    """Whether a facility with that damage still works (P40-1.2.7)."""
    limit = rules.board.units[kind].figure("inoperative_at")
    return not limit or damage < limit
