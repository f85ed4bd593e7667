"""What a recorded turn's player would have written: its purchases, moves and placements as orders of each phase.

Lines that the record only implies (attack this zone, leave that one alone, buy nothing) are marked as such: a refusal
of them is no refusal of what was recorded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.audit.turns_record import UPGRADE, Moved, Some, Table, Turn
from pbem.board.map import Board
from pbem.rules.order_model import (
    AttackHere,
    Buy,
    DeclareWar,
    IgnoreHere,
    Load,
    Move,
    NothingTo,
    Order,
    Pick,
    Place,
    Repair,
    Unload,
)

PHASES = ("purchase", "combat_move", "noncombat_move", "mobilize")


@dataclass(frozen=True, slots=True)
class Line:
    """One order with its phase. `move` is the number of the recorded move; `implied` lines are not in the record."""

    phase: str
    order: Order
    move: int | None = None
    implied: bool = False


def lines_of(board: Board, turn: Turn, before: Table) -> list[Line]:
    """All lines of a turn, phase by phase; a phase without any says so, that no default takes its place."""
    lines = [
        *_purchases(turn),
        *_declarations(board, turn),
        *(line for moved in turn.moves for line in _moved(board, turn, moved)),
        *_intentions(board, turn, before),
        *(Line("mobilize", Place((_pick(some),), space)) for some, space in _placements(turn)),
    ]
    for phase in PHASES:
        if not any(line.phase == phase for line in lines):
            lines.append(Line(phase, NothingTo(phase), implied=True))
    return lines


def _pick(some: Some) -> Pick:
    return Pick(some.kind, some.count, some.owner, damage=bool(some.damage))


def _purchases(turn: Turn) -> Iterator[Line]:
    for space, facility, points in turn.repairs:
        yield Line("purchase", Repair(space, facility, points))
    upgraded = [space for some, space in turn.placements if some.kind == UPGRADE for _ in range(some.count)]
    for some in turn.purchases:
        if some.kind != UPGRADE:
            yield Line("purchase", Buy(some.kind, some.count))
    for space in upgraded:
        yield Line("purchase", Buy("ic_major", 1, space, upgrade=True))


def _declarations(board: Board, turn: Turn) -> Iterator[Line]:
    """War upon players; land of powers without a turn is attacked without a word."""
    for foe in turn.declared:
        if foe in board.powers and board.powers[foe].playable:
            yield Line("combat_move", DeclareWar((foe,)))


def _placements(turn: Turn) -> Iterator[tuple[Some, str]]:
    """What was placed where, equal pieces of a space in one line."""
    sums: dict[tuple[str, str], int] = {}
    for some, space in turn.placements:
        if some.kind == UPGRADE:
            continue
        sums[(some.kind, space)] = sums.get((some.kind, space), 0) + some.count
    for (kind, space), count in sums.items():
        yield Some(kind, count), space


# -- moves ----------------------------------------------------------------------------------------------------------


def _moved(board: Board, turn: Turn, moved: Moved) -> Iterator[Line]:
    """The lines of one recorded move: boarding, landing, or a path.

    Aircraft fly by themselves, but for guests of other powers, which ride along.
    """
    first, last = moved.path[0], moved.path[-1]
    own = [some for some in moved.units if board.units[some.kind].domain != "air" or some.owner in (None, turn.power)]
    of_domain = {
        domain: tuple(_pick(some) for some in own if board.units[some.kind].domain == domain)
        for domain in ("land", "air", "sea")
    }
    land, air, sea = of_domain["land"], of_domain["air"], of_domain["sea"]
    if not land and moved.names_cargo:
        sea = tuple(
            replace(pick, empty=True) if board.units[pick.kind].figure("transport_capacity") else pick for pick in sea
        )
    starts_at_sea, ends_at_sea = board.spaces[first].is_sea, board.spaces[last].is_sea
    if air:
        yield Line(moved.phase, Move(air, moved.path, in_phase=moved.phase, purpose=_purpose(turn, last)), moved.number)
    if land and starts_at_sea and ends_at_sea:
        yield Line(moved.phase, Move((*land, *sea), moved.path, in_phase=moved.phase), moved.number)
        return
    if land and ends_at_sea:
        yield Line(moved.phase, Load(land, first, last, None, moved.phase), moved.number)
    elif land and starts_at_sea:
        yield Line(moved.phase, Unload(land, first, last, moved.phase), moved.number)
    elif land:
        yield Line(moved.phase, Move(land, moved.path, in_phase=moved.phase), moved.number)
    if sea:
        yield Line(moved.phase, Move(sea, moved.path, in_phase=moved.phase), moved.number)


def _purpose(turn: Turn, space: str) -> str | None:
    """Aircraft bomb where the record has a raid and no other battle."""
    kinds = [battle.kind for battle in turn.battles if battle.space == space]
    return "bomb" if kinds and all(kind == "raid" for kind in kinds) else None


# -- intentions -------------------------------------------------------------------------------------------------------


def _intentions(board: Board, turn: Turn, before: Table) -> Iterator[Line]:
    """Attack where a battle at sea is recorded; leave alone what may be left alone where none is."""
    fought = [battle.space for battle in turn.battles if battle.kind == "sea"]
    for zone in dict.fromkeys(fought):
        yield Line("combat_move", _engages(board, turn, before, zone), implied=True)
    for zone in _shared_zones(board, turn, before):
        if zone not in fought:
            yield Line("combat_move", IgnoreHere(zone), implied=True)


def _engages(board: Board, turn: Turn, before: Table, zone: str) -> Order:
    """The line that sends into a battle at sea those whom the record names, and lets submarines that lie there be."""
    attackers = next((battle.attackers for battle in turn.battles if battle.space == zone), None)
    if attackers is None or zone not in before:
        return AttackHere(zone)
    fighting = Counter(some.kind for some in attackers for _ in range(some.count))
    there = Counter({kind: n for (owner, kind, _), n in before[zone].units.items() if owner == turn.power})
    for moved in turn.moves:
        if moved.phase == "combat_move":
            for some in moved.units:
                there[some.kind] += some.count * ((moved.path[-1] == zone) - (moved.path[0] == zone))
    quiet = {
        kind: there[kind] - fighting[kind]
        for kind in there
        if kind in board.units and board.units[kind].can("submerge") and there[kind] > fighting[kind]
    }
    if not quiet:
        return AttackHere(zone)
    enemies = [kind for owner, kind, _ in before[zone].units if owner in _enemies(board, turn.power, before, zone)]
    if any(kind in board.units and board.units[kind].can("surface_warship") for kind in enemies):
        return IgnoreHere(zone, tuple(Pick(kind, count) for kind, count in quiet.items()))
    ships = tuple(Pick(kind, n) for kind, n in fighting.items() if board.units[kind].domain == "sea")
    return AttackHere(zone, ships)


def _shared_zones(board: Board, turn: Turn, before: Table) -> list[str]:
    """Zones where enemies lie and where units of the acting power end a combat move, or lie and may be kept in."""
    ends = [moved.path[-1] for moved in turn.moves if moved.phase == "combat_move"]
    lie = [space for space, held in before.items() if any(owner == turn.power for owner, _, _ in held.units)]
    return [
        space
        for space in board.in_board_order((*ends, *lie))
        if board.spaces[space].is_sea and space in before and _enemies(board, turn.power, before, space)
    ]


def _enemies(board: Board, power: str, before: Table, space: str) -> Sequence[str]:
    return [owner for owner, _, _ in before[space].units if owner in board.powers and not board.allied(owner, power)]
