"""What each kind of line does in a move phase: which pieces a `Move` means, loads and landings written as one path.

Every function gives a refusal or plans its deeds on the sketch; nothing is emitted here.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.units import AIR, FACILITY, LAND, SEA
from pbem.rules.decisions import Refusal
from pbem.rules.movement.air import fly
from pbem.rules.movement.citations import refuse
from pbem.rules.movement.land import march
from pbem.rules.movement.loading import Consents, load
from pbem.rules.movement.picks import domain_of, split_by_domain
from pbem.rules.movement.sea import sail
from pbem.rules.movement.sketch import Sketch
from pbem.rules.movement.unloading import unload
from pbem.rules.order_model import Load, Move, Pick, Unload
from pbem.rules.query import is_air, is_land, is_ship


def carry_out(sketch: Sketch, order: Move | Load | Unload, consents: Consents) -> Refusal | None:
    """Plan one line that moves pieces."""
    if isinstance(order, Load):
        loaded = load(sketch, order.units, order.space, order.zone, order.onto, consents)
        return loaded if isinstance(loaded, Refusal) else None
    if isinstance(order, Unload):
        return unload(sketch, order.units, order.zone, order.space)
    return move(sketch, order, consents)


def move(sketch: Sketch, order: Move, consents: Consents) -> Refusal | None:
    """`2 infantry Kiangsi -> Hunan` and everything else that is written as a path.

    A path from land into the sea loads, one from the sea onto land unloads; ships on the way carry what boarded.
    """
    if len(order.path) < 2:
        return refuse(sketch.rules, "borders", "A move names where it starts and where it ends.")
    picks = split_by_domain(sketch.rules, _spelt_out(sketch, order))
    fixed = [pick.kind for pick in order.units if domain_of(sketch.rules, pick) == FACILITY]
    if fixed:
        kind = sketch.board.units[fixed[0]]
        return refuse(sketch.rules, "facilities_stay", f"{kind.plural} never move.", "Leave it out.")
    if not any(picks.values()):
        return refuse(sketch.rules, "borders", f"No unit that can move is named in {sketch.name(order.path[0])}.")
    seas = [sketch.board.spaces[space].is_sea for space in order.path]
    if picks[AIR] and not (seas[0] and picks[SEA]):
        refusal = fly(sketch, picks[AIR], order.path, order.purpose, order.target)
        if refusal is not None:
            return refusal
        picks[AIR] = ()
    if not picks[LAND] and not picks[SEA]:
        return None
    if not any(seas):
        if picks[SEA]:
            return refuse(sketch.rules, "borders", "Ships sail from sea zone to sea zone only.")
        return march(sketch, picks[LAND], order.path)
    return _ferry(sketch, (*picks[LAND], *picks[SEA], *picks[AIR]), order.path, seas, consents)


def _spelt_out(sketch: Sketch, order: Move) -> tuple[Pick, ...]:
    """Descriptions that mean every unit of a space become one for each domain that is there."""
    picks: list[Pick] = []
    for pick in order.units:
        if pick.kind != "unit":
            picks.append(pick)
            continue
        owners = (pick.owner,) if pick.owner else sketch.acting
        here = [unit for unit in sketch.here(order.path[0]) if unit.owner in owners]
        tests = ((LAND, is_land), (AIR, is_air), (SEA, is_ship))
        picks.extend(
            Pick(domain, None, pick.owner)
            for domain, test in tests
            if any(test(sketch.rules, unit) and (domain != LAND or unit.aboard is None) for unit in here)
        )
    return tuple(picks)


def _ferry(
    sketch: Sketch, picks: Sequence[Pick], path: Sequence[str], seas: Sequence[bool], consents: Consents
) -> Refusal | None:
    """Load where the path enters the sea, sail along it, unload where it comes ashore."""
    domains = split_by_domain(sketch.rules, picks)
    zones = tuple(space for space, is_sea in zip(path, seas, strict=True) if is_sea)
    from_land, to_land = not seas[0], not seas[-1] and len(path) > 1
    middle = path[1 if from_land else 0 : len(path) - 1 if to_land else len(path)]
    if tuple(middle) != zones or (from_land and to_land and not zones):
        return refuse(
            sketch.rules,
            "friendly_land",
            "Land units cross the sea aboard transports: write where they board, where they sail and where they land.",
        )
    sailing: tuple[Pick, ...] = tuple(picks)
    if from_land:
        if not domains[LAND]:
            return refuse(sketch.rules, "borders", "Ships sail from sea zone to sea zone only.")
        ships = load(sketch, domains[LAND], path[0], zones[0], None, consents)
        if isinstance(ships, Refusal):
            return ships
        kinds = dict.fromkeys(sketch.unit(ship).kind for ship in ships)
        sailing = tuple(Pick(kind, sum(sketch.unit(ship).kind == kind for ship in ships), ids=ships) for kind in kinds)
        escort = tuple(pick for pick in domains[SEA] if pick.kind not in kinds)
        sailing = (*sailing, *escort)
    if len(zones) > 1:
        sailed = sail(sketch, sailing, zones)
        if isinstance(sailed, Refusal):
            return sailed
    if to_land:
        if not domains[LAND]:
            return refuse(sketch.rules, "borders", "Ships stay at sea; name the cargo that goes ashore.")
        return unload(sketch, domains[LAND], zones[-1], path[-1])
    return None
