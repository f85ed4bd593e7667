"""What each unit of a battle needs to hit: values of the unit table, raised by support. It rolls nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.board.state import State, Unit
from pbem.board.units import UnitType
from pbem.rules.battle.model import ATTACK, Battle
from pbem.rules.ruleset import RuleSet


def effective_values(rules: RuleSet, state: State, battle: Battle, side: str) -> dict[str, int]:
    """The highest hitting face of each unit of a side still in the battle, computed anew (P40-6.4.7).

    Which judgement computes them is the rule set's: `attack_values` and `defense_values`.
    """
    name = "attack_values" if side == ATTACK else "defense_values"
    values = rules.judge(name, state, battle, battle.units(state, side))
    assert isinstance(values, dict)
    return values


def attack_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
    """Attack values with support: as many pairs as can be made, each supporter for one unit (P40-6.7.1-6.7.3, 6.7.5).

    Artillery raises one infantry or mechanized infantry, a fighter or tank one tactical bomber; the supporter itself
    is not changed (P40-1.3.2, 1.3.4, 1.3.6, 1.3.7).
    """
    present = list(units)
    table = rules.board.units
    values = {unit.id: table[unit.kind].attack for unit in present}
    _support(present, table, values, "artillery_supportable", "attack_supported", _supports)
    _support(present, table, values, "combined_arms", "attack_paired", _pairs)
    return values


def defense_values(rules: RuleSet, state: State, battle: Battle, units: Iterable[Unit]) -> dict[str, int]:
    """Defence values of the table: there is no support on defence (P40-6.7.4)."""
    return {unit.id: rules.board.units[unit.kind].defense for unit in units}


def _supports(supporter: UnitType, supported: UnitType) -> bool:
    return f"supports_{supported.id}" in supporter.abilities


def _pairs(supporter: UnitType, supported: UnitType) -> bool:
    return supporter.id in supported.data.get("pairs_with", ())


def _support(
    present: list[Unit],
    table: Mapping[str, UnitType],
    values: dict[str, int],
    ability: str,
    figure: str,
    fits: object,
) -> None:
    """Pair units of an ability one for one with their supporters and give them the supported figure."""
    assert callable(fits)
    wanting = [unit for unit in present if ability in table[unit.kind].abilities]
    if not wanting:
        return
    wanted = [table[kind] for kind in dict.fromkeys(unit.kind for unit in wanting)]
    free = [table[unit.kind] for unit in present if any(fits(table[unit.kind], kind) for kind in wanted)]
    for unit in wanting:
        kind = table[unit.kind]
        for index, supporter in enumerate(free):
            if fits(supporter, kind):
                values[unit.id] = kind.figure(figure, kind.attack)
                del free[index]
                break
