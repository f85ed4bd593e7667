"""Which units of a battle a player's words mean: picks such as `2 anzac infantry` or `carrier damage`.

Movement has its own reading of picks (least moved first); here all units stand in one place and only kind, owner
and a few states count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.board.state import State, Unit
from pbem.board.units import AIR, LAND, SEA
from pbem.rules.battle.model import Battle
from pbem.rules.marks import DROPPED
from pbem.rules.order_model import Pick
from pbem.rules.query import can, type_of
from pbem.rules.ruleset import RuleSet

_DOMAINS = {"land": LAND, "air": AIR, "sea": SEA}


def is_meant(
    rules: RuleSet, state: State, pick: Pick, unit: Unit, speaker: str | None = None, battle: Battle | None = None
) -> bool:
    """Whether a pick describes a unit. Without an owner it means the speaker's units; no speaker: anybody's."""
    owner = pick.owner or speaker
    if owner is not None and unit.owner != owner:
        return False
    if pick.ids:
        return unit.id in pick.ids
    if pick.came_from is not None and pick.came_from not in (unit.mark("from"), unit.mark("start"), unit.space):
        return False
    if pick.aboard is not None and (unit.aboard is None or state.units[unit.aboard].kind != pick.aboard):
        return False
    if pick.empty and any(True for _ in state.cargo_of(unit.id)):
        return False
    return is_kind(rules, pick.kind, unit, battle)


def is_kind(rules: RuleSet, kind: str, unit: Unit, battle: Battle | None = None) -> bool:
    """Whether a unit is of a kind or of one of the sets of kinds that a pick may name."""
    if kind == unit.kind or kind == "unit":
        return True
    if kind in _DOMAINS:
        return type_of(rules, unit).domain == _DOMAINS[kind]
    if kind == "warship":
        return can(rules, unit, "surface_warship")
    if kind == "paratrooper":
        return unit.mark(DROPPED) is not None
    if battle is not None and kind in ("overland", "landed"):
        return type_of(rules, unit).domain == LAND and (unit.id in battle.landed) == (kind == "landed")
    return False


def chosen(
    rules: RuleSet,
    state: State,
    picks: Sequence[Pick],
    among: Iterable[Unit],
    speaker: str | None = None,
    battle: Battle | None = None,
) -> tuple[list[str], Pick | None]:
    """The ids that picks take from `among`, each unit once, and the first pick for which there are too few."""
    left = list(among)
    taken: list[str] = []
    for pick in picks:
        fitting = [unit for unit in left if is_meant(rules, state, pick, unit, speaker, battle)]
        wanted = len(fitting) - pick.but if pick.count is None else pick.count
        if wanted > len(fitting) or (not fitting and pick.count is None):
            return taken, pick
        for unit in fitting[: max(wanted, 0)]:
            taken.append(unit.id)
            left.remove(unit)
    return taken, None


def words(rules: RuleSet, pick: Pick) -> str:
    """A pick as players write it: `2 infantry`, `all fighters`."""
    kind = rules.board.units.get(pick.kind)
    name = pick.kind.replace("_", " ") if kind is None else (kind.name if pick.count == 1 else kind.plural).lower()
    power = rules.board.powers.get(pick.owner or "")
    owner = f"{power.name} " if power is not None else ""
    return f"{'all' if pick.count is None else pick.count} {owner}{name}"


def space_name(rules: RuleSet, space: str) -> str:
    """The printed name of a space."""
    known = rules.board.spaces.get(space)
    return known.name if known is not None else space


def listed(rules: RuleSet, spaces: Sequence[str]) -> str:
    """`Kiangsi, Kwangsi or Yunnan`."""
    known = [space_name(rules, space) for space in spaces]
    return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} or {known[-1]}" if known else "nowhere"
