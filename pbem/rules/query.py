"""Plain questions about a position that every chapter asks: whose units stand where. It decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pbem.board.state import State, Unit
from pbem.board.units import AIR, LAND, SEA, UnitType
from pbem.rules.ruleset import RuleSet


def type_of(rules: RuleSet, unit: Unit) -> UnitType:
    """The unit table's line for a piece."""
    return rules.board.units[unit.kind]


def is_land(rules: RuleSet, unit: Unit) -> bool:
    """Whether a piece is a land unit."""
    return rules.board.units[unit.kind].domain == LAND


def is_air(rules: RuleSet, unit: Unit) -> bool:
    """Whether a piece is an aircraft."""
    return rules.board.units[unit.kind].domain == AIR


def is_ship(rules: RuleSet, unit: Unit) -> bool:
    """Whether a piece is a ship."""
    return rules.board.units[unit.kind].domain == SEA


def can(rules: RuleSet, unit: Unit, ability: str) -> bool:
    """Whether a piece's kind has an ability tag."""
    return ability in rules.board.units[unit.kind].abilities


def enemies_of(rules: RuleSet, state: State, power: str) -> tuple[str, ...]:
    """Powers at war with `power`, in the board's order."""
    return tuple(other for other in rules.board.powers if state.at_war(power, other))


def acting(rules: RuleSet, power: str) -> tuple[str, ...]:
    """The powers whose pieces act together in a power's turn: itself, and those its seat moves with it (P01-2.1.2).

    The parameter `joint_turns` maps a seat's first power to all of them.
    """
    together: tuple[str, ...] = rules.parameters.get("joint_turns", {}).get(power, (power,))
    return together


def units_of(state: State, power: str, space: str) -> tuple[Unit, ...]:
    """A power's pieces in a space, cargo included."""
    return tuple(unit for unit in state.units_in(space) if unit.owner == power)


def enemy_units(state: State, power: str, space: str, *, cargo: bool = False) -> tuple[Unit, ...]:
    """Pieces of powers at war with `power` in a space; those aboard ships only with `cargo`."""
    return tuple(
        unit for unit in state.units_in(space) if state.at_war(power, unit.owner) and (cargo or unit.aboard is None)
    )


def choose(state: State, ids: Iterable[str]) -> tuple[Unit, ...]:
    """The pieces of these ids that still exist, in the order given."""
    return tuple(state.units[unit_id] for unit_id in ids if unit_id in state.units)


def ids(units: Iterable[Unit]) -> tuple[str, ...]:
    """Their ids."""
    return tuple(unit.id for unit in units)


def where(units: Iterable[Unit], test: Callable[[Unit], bool]) -> Iterator[Unit]:
    """Those that pass a test."""
    return (unit for unit in units if test(unit))


def count_by_kind(units: Iterable[Unit]) -> dict[str, int]:
    """How many of each kind, in order of first appearance."""
    counts: dict[str, int] = {}
    for unit in units:
        counts[unit.kind] = counts.get(unit.kind, 0) + 1
    return counts


def in_dice_order(rules: RuleSet, units: Iterable[Unit], value: Callable[[Unit], int]) -> list[Unit]:
    """Pieces in the order in which their dice are read: by value, then by the unit table, then by id (P40-0.7).

    A rule book with an order of its own gives it as the parameter `dice_order`, a list of kinds (S42-5.2.3).
    """
    said: Sequence[str] = rules.parameters.get("dice_order", ())
    rank = {kind: place for place, kind in enumerate(said)}

    def place(unit: Unit) -> tuple[int, int, int, int]:
        return value(unit), rank.get(unit.kind, len(rank)), rules.board.units[unit.kind].rank, int(unit.id[1:])

    return sorted(units, key=place)


def names(rules: RuleSet, units: Iterable[Unit]) -> str:
    """`2 infantry, 1 tank` for sentences to players."""
    counts = count_by_kind(units)
    table = rules.board.units
    return ", ".join(
        f"{n} {(table[kind].name if n == 1 else table[kind].plural).lower()}" for kind, n in counts.items()
    )
