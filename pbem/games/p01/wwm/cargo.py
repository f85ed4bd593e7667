"""Troops that board a task force while it forms: from where the ships start, or beside the zone of formation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.board.state import State, Unit
from pbem.rules.citations import refuse
from pbem.rules.decisions import Refusal
from pbem.rules.movement.shipping import fits_aboard, is_transport
from pbem.rules.order_model import Pick
from pbem.rules.query import is_land
from pbem.rules.ruleset import RuleSet

Row = tuple[str, str, str]
"""A piece, the ship it boards, and the zone in which it does."""


@dataclass(frozen=True, slots=True)
class Stowage:
    """Who boards where, before the ships gather and after."""

    on_the_way: tuple[Row, ...] = ()
    in_zone: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece to be stowed, and the (ship, zone) pairs that could take it aboard, best first."""

    unit: Unit
    options: tuple[tuple[str, str], ...]


def stow(
    rules: RuleSet,
    state: State,
    power: str,
    ships: Sequence[Unit],
    zone: str,
    picks: Sequence[Pick],
    only: tuple[str, str] | None = None,
) -> Stowage | Refusal:
    """Find room for the cargo of an order (WWM-7.9): capacities are those of the base game.

    `only` is (zone, territory) where all cargo must board: the Eastern Operation's (WWM-12.3).
    """
    carriers = sorted(
        (ship for ship in ships if is_transport(rules, ship)),
        key=lambda ship: rules.board.units[ship.kind].data.get("loads_only") is not None,
    )
    pieces: list[_Piece] = []
    for pick in _with_origins(picks):
        found = _pieces(rules, state, power, pick, carriers, zone, {piece.unit.id for piece in pieces}, only)
        if isinstance(found, Refusal):
            return found
        pieces += found
    holds = {ship.id: list(state.cargo_of(ship.id)) for ship in carriers}
    pieces.sort(key=lambda piece: (-rules.board.units[piece.unit.kind].figure("transport_cost"), len(piece.options)))
    placed = _fit(rules, {ship.id: ship for ship in carriers}, holds, pieces, [20_000])
    if placed is None:
        return refuse(rules, "loads", "The transports and destroyers of this force have not room for all that cargo.")
    return Stowage(
        tuple(row for row in placed if row[2] != zone), tuple(row for row in placed if row[2] == zone)
    )  # fmt: skip


def _with_origins(picks: Sequence[Pick]) -> list[Pick]:
    """`4 infantry, 1 artillery from Caroline Islands`: an origin also holds for what stands before it."""
    out: list[Pick] = []
    origin: str | None = None
    for pick in reversed(picks):
        origin = pick.came_from or origin
        out.append(replace(pick, came_from=origin))
    return out[::-1]


def _pieces(
    rules: RuleSet,
    state: State,
    power: str,
    pick: Pick,
    carriers: Sequence[Unit],
    zone: str,
    taken: set[str],
    only: tuple[str, str] | None,
) -> list[_Piece] | Refusal:
    """The pieces that one description means, each with the ships it could board."""
    board = rules.board
    kind = board.units.get(pick.kind)
    if kind is None or kind.domain != "land" or not kind.figure("transport_cost"):
        return refuse(rules, "loads", f"{pick.kind} is no cargo of a task force; land units are.")
    if only is not None and pick.came_from not in (None, only[1]):
        return refuse(
            rules, "eastern_from",
            f"The troops of the Eastern Operation come from {board.spaces[only[1]].name}, not from "
            f"{board.spaces[pick.came_from or ''].name}.",
        )  # fmt: skip
    near = [only[1]] if only is not None else [pick.came_from] if pick.came_from else list(board.lands_beside(zone))
    found: list[_Piece] = []
    wrong: Refusal | None = None
    for territory in near:
        options = _options(rules, territory or "", carriers, zone, only)
        if not options:
            name = board.spaces[territory or ""].name
            wrong = refuse(
                rules, "loads",
                f"No ship of this force starts or forms beside {name}: nothing boards from there.",
            )  # fmt: skip
            continue
        here = [
            unit
            for unit in state.units_in(territory or "")
            if unit.owner == power and unit.kind == pick.kind and unit.aboard is None and unit.id not in taken
            and is_land(rules, unit)
        ]  # fmt: skip
        found += [_Piece(unit, options) for unit in here]
    wanted = len(found) if pick.count is None else pick.count
    if wanted > len(found) or not found:
        called = (kind.name if len(found) == 1 else kind.plural).lower()
        few = refuse(rules, "loads", f"There are only {len(found)} {called} of yours to board this force.")
        return wrong or few
    return found[:wanted]


def _options(
    rules: RuleSet, territory: str, carriers: Sequence[Unit], zone: str, only: tuple[str, str] | None
) -> tuple[tuple[str, str], ...]:
    """(ship, zone) pairs for cargo of a territory: in the zone of formation, or where the ship starts.

    With the switch `atf_loading` only the former.
    """
    board = rules.board
    if only is not None:
        return tuple((ship.id, ship.space) for ship in carriers)
    if board.adjacent(territory, zone):
        return tuple((ship.id, zone) for ship in carriers)
    if rules.parameter("wwm_loading") == "formation_only":
        return ()
    return tuple(
        (ship.id, ship.space)
        for ship in carriers
        if ship.space in board.spaces and ship.space != zone and board.adjacent(territory, ship.space)
    )


def _fit(
    rules: RuleSet, ships: dict[str, Unit], holds: dict[str, list[Unit]], pieces: Sequence[_Piece], tries: list[int]
) -> list[Row] | None:
    """Room for all pieces, the largest first; `tries` bounds the search."""
    if not pieces:
        return []
    tries[0] -= 1
    if tries[0] < 0:
        return None
    piece, rest = pieces[0], pieces[1:]
    for ship, zone in piece.options:
        if not fits_aboard(rules, ships[ship], [*holds[ship], piece.unit]):
            continue
        holds[ship].append(piece.unit)
        further = _fit(rules, ships, holds, rest, tries)
        if further is not None:
            return [(piece.unit.id, ship, zone), *further]
        holds[ship].pop()
    return None
