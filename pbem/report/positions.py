"""What stands where, before and after: the spaces that changed, and the whole map as values for drawing."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.board.map import Board
from pbem.board.state import State, Unit
from pbem.board.units import LAND
from pbem.report.ledger import Ledger
from pbem.report.map.view import SpaceView
from pbem.report.model import Clash, Due, Force, Position
from pbem.rules.marks import JOB, LANDING


def force_in(ledger: Ledger, state: State) -> dict[str, Force]:
    """The units of every space that has some, cargo included."""
    rows: dict[str, list[tuple[str, str, int]]] = {}
    for unit in state.units.values():
        rows.setdefault(unit.space, []).append((unit.owner, unit.kind, 1))
    return {space: ledger.sorted_force(found) for space, found in rows.items()}


def positions_of(board: Board, before: State, after: State) -> tuple[Position, ...]:
    """Spaces whose units or controller changed, in the board's order; none when the first position is empty."""
    if not before.spaces:
        return ()
    ledger = Ledger(board, before)
    old, new = force_in(ledger, before), force_in(ledger, after)
    rows = []
    for space in board.spaces:
        was, now = before.controller(space), after.controller(space)
        if old.get(space, ()) != new.get(space, ()) or was != now:
            rows.append(Position(space, old.get(space, ()), new.get(space, ()), was, now))
    return tuple(rows)


def space_views(
    board: Board, state: State, captured: Collection[str], changed: Collection[str]
) -> Mapping[str, SpaceView]:
    """Every space of the board as the map shows it."""
    found: dict[str, dict[tuple[str, str], list[int]]] = {}
    for unit in state.units.values():
        counts = found.setdefault(unit.space, {}).setdefault((unit.owner, unit.kind), [0, 0])
        counts[0] += 1
        counts[1] += unit.damage > 0
    place = {power: number for number, power in enumerate(board.powers)}
    return {
        space: SpaceView(
            controller=state.controller(space),
            units=tuple(
                (owner, kind, counts[0], counts[1])
                for (owner, kind), counts in sorted(
                    found.get(space, {}).items(),
                    key=lambda item: (place.get(item[0][0], 99), board.units[item[0][1]].rank, item[0]),
                )
            ),
            facilities=state.spaces[space].facilities if space in state.spaces else (),
            captured=space in captured,
            changed=space in changed,
        )
        for space in board.spaces
    }


def clashes_of(board: Board, state: State, due: Due | None) -> tuple[Clash, ...]:
    """What is about to be fought when the window that is due asks before the battles; () at any other time.

    Everybody sees the pieces after the combat moves; which of these spaces are fought in, the rules decide later.
    """
    active = state.power
    if active is None or due is None or due.kind == "orders":
        return ()
    if due.kind != "reactions" and not any(ask.get("kind") == "card" and ask.get("moment") for ask in due.asks):
        return ()
    ledger = Ledger(board, state)
    found = []
    for space in board.spaces:
        # Cargo is not in a battle at sea; what is to land counts where it lands.
        at_sea = board.spaces[space].is_sea
        units = [unit for unit in state.units_in(space) if not (at_sea and board.units[unit.kind].domain == LAND)]
        units += [unit for unit in state.units.values() if not at_sea and unit.mark(LANDING) == space]
        came = [unit for unit in units if unit.owner == active]
        others = [unit for unit in units if state.at_war(active, unit.owner)]
        holder = state.controller(space)
        if came and (others or (holder is not None and state.at_war(active, holder))):
            raid = all(unit.mark(JOB) for unit in came)
            found.append(Clash(space, holder, _force(ledger, came), _force(ledger, others), raid))
    return tuple(found)


def _force(ledger: Ledger, units: list[Unit]) -> Force:
    return ledger.sorted_force((unit.owner, unit.kind, 1) for unit in units)
