"""A player who knows the map and the prices and nothing else: random orders as text, most of them legal.

For tests of whole campaigns. Whatever it writes must be survived; what is refused is part of the test.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.board.map import Board
from pbem.board.state import State, Unit
from pbem.board.units import AIR, LAND, SEA
from pbem.orders.gazetteer import gazetteer
from pbem.orders.write import write
from pbem.rules.order_model import Buy, DeclareWar, Load, Move, Order, Pick, Place, Repair, Unload
from pbem.rules.ruleset import RuleSet


def random_text(chance: random.Random, rules: RuleSet, state: State, power: str) -> str:
    """A whole turn of one power as a mail's text."""
    names = gazetteer(rules.game, rules.edition or None)
    return "\n".join(write(order, names, "en") for order in _orders(chance, rules, state, power))


def _orders(chance: random.Random, rules: RuleSet, state: State, power: str) -> Iterator[Order]:
    board = rules.board
    if chance.random() < 0.25:
        others = [p.id for p in board.powers.values() if p.playable and not board.allied(power, p.id)]
        at_peace = [other for other in others if not state.at_war(power, other)]
        if at_peace:
            yield DeclareWar((chance.choice(at_peace),))
    yield from _purchases(chance, rules, state, power)
    moved: set[str] = set()
    for phase, share in (("combat_move", 0.35), ("noncombat_move", 0.35)):
        own = [u for u in state.units.values() if u.owner == power and u.aboard is None and u.id not in moved]
        chance.shuffle(own)
        for unit in own[: int(len(own) * share)]:
            path = _path(chance, board, unit)
            if path is None:
                continue
            moved.add(unit.id)
            yield Move((Pick(unit.kind, 1),), path, in_phase=phase)
        yield from _ferries(chance, board, state, power, phase)


def _purchases(chance: random.Random, rules: RuleSet, state: State, power: str) -> Iterator[Order]:
    board = rules.board
    money = state.counter(power)
    buyable = [
        board.units[kind] for kind in board.facts["build_lists"].get(power, ()) if board.units[kind].cost is not None
    ]
    damaged = [
        (space, kind, damage)
        for space, held in state.spaces.items()
        if held.controller == power
        for kind, damage in held.facilities
        if damage
    ]
    for space, kind, damage in damaged[:2]:
        if money > damage:
            money -= damage
            yield Repair(space, kind, chance.randint(1, damage))
    for _ in range(6):
        affordable = [item for item in buyable if (item.cost or 99) <= money]
        if not affordable:
            return
        item = chance.choice(affordable)
        money -= item.cost or 0
        yield Buy(item.id, 1)
        if chance.random() < 0.3:
            homes = [s for s, held in state.spaces.items() if held.controller == power]
            if homes:
                home = chance.choice(homes)
                seas = board.seas_beside(home)
                where = chance.choice(seas) if item.domain == SEA and seas else home
                yield Place((Pick(item.id, 1),), where)


def _path(chance: random.Random, board: Board, unit: Unit) -> tuple[str, ...] | None:
    """A random walk of at most the unit's movement over spaces of its domain, at least one step long."""
    kind = board.units[unit.kind]
    path = [unit.space]
    if unit.space not in board.neighbours:
        return None
    for _ in range(chance.randint(1, max(1, kind.move))):
        steps = [
            near
            for near in board.neighbours[path[-1]]
            if kind.domain == AIR or board.spaces[near].is_sea == (kind.domain == SEA)
        ]
        steps = [near for near in steps if near not in path]
        if not steps:
            break
        path.append(chance.choice(steps))
    return tuple(path) if len(path) > 1 else None


def _ferries(chance: random.Random, board: Board, state: State, power: str, phase: str) -> Iterator[Order]:
    """Transports take somebody aboard here and put somebody ashore there."""
    for ship in state.units.values():
        if ship.owner != power or board.units[ship.kind].figure("transport_capacity") == 0 or chance.random() < 0.5:
            continue
        if ship.space not in board.neighbours:
            continue
        shores = board.lands_beside(ship.space)
        cargo = list(state.cargo_of(ship.id))
        waiting = [
            unit
            for shore in shores
            for unit in state.units_in(shore)
            if unit.owner == power and board.units[unit.kind].domain == LAND
        ]
        zone = ship.space
        if waiting and not cargo:
            unit = chance.choice(waiting)
            yield Load((Pick(unit.kind, 1),), unit.space, ship.space, in_phase=phase)
            cargo = [unit]
            further = [near for near in board.neighbours[zone] if board.spaces[near].is_sea]
            if further and chance.random() < 0.7:
                zone = chance.choice(further)
                yield Move((Pick(ship.kind, 1),), (ship.space, zone), in_phase=phase)
        landings = board.lands_beside(zone)
        if cargo and landings:
            yield Unload((Pick(cargo[0].kind, 1),), zone, chance.choice(landings), in_phase=phase)


def faults(rules: RuleSet, state: State) -> list[str]:
    """What can never be on the table: cargo without a ship, too much of it, negative money, damage beyond the hits."""
    board = rules.board
    found: list[str] = []
    for unit in state.units.values():
        kind = board.units[unit.kind]
        if unit.aboard is not None:
            ship = state.units.get(unit.aboard)
            if ship is None or ship.space != unit.space:
                found.append(f"{unit.id} is aboard {unit.aboard}, which is not there")
        if kind.hits > 1 and unit.damage >= kind.hits:
            found.append(f"{unit.id} has taken {unit.damage} hits and is still there")
        at_sea = unit.space in board.spaces and board.spaces[unit.space].is_sea
        if kind.domain == SEA and unit.space in board.spaces and not at_sea:
            found.append(f"ship {unit.id} stands on land in {unit.space}")
        if kind.domain == LAND and at_sea and unit.aboard is None:
            found.append(f"land unit {unit.id} swims in {unit.space}")
    for ship in state.units.values():
        kind = board.units[ship.kind]
        cargo = list(state.cargo_of(ship.id))
        room = kind.figure("transport_capacity")
        load = sum(board.units[unit.kind].figure("transport_cost") for unit in cargo)
        if room and load > room and not kind.figure("carrier_capacity"):
            found.append(f"{ship.id} carries {load} of {room}")
        decks = kind.figure("carrier_capacity")
        if decks and len(cargo) > decks:
            found.append(f"{ship.id} carries {len(cargo)} aircraft on {decks} places")
    found.extend(f"{key} is {count}" for key, count in state.counters.items() if count < 0)
    found.extend(f"{key}: {count} waiting" for key, count in state.purchases.items() if count < 0)
    return found
