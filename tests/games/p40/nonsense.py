"""Orders at random: mostly nonsense, sometimes legal. What a referee must survive without losing its head."""

from __future__ import annotations

from random import Random

from pbem.board.state import State, Unit
from pbem.rules.order_model import (
    AttackHere,
    Buy,
    DeclareWar,
    IgnoreHere,
    Intercept,
    Load,
    Move,
    Order,
    Pick,
    Place,
    Refund,
    Repair,
    Scramble,
    StayAtPeace,
    Unload,
)
from pbem.rules.ruleset import RuleSet

COUNTS = (1, 1, 2, 3, None)


def turn_orders(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """Lines for all phases of one turn, in no order."""
    lines = [*_politics(rules, power, chance), *_shopping(rules, state, power, chance)]
    mine = [unit for unit in state.units.values() if unit.owner == power and unit.space in rules.board.spaces]
    for phase in ("combat_move", "noncombat_move"):
        for _ in range(chance.randint(0, 14) if mine else 0):
            lines.append(_movement(rules, mine, chance, phase))
    zones = [space.id for space in rules.board.spaces.values() if space.is_sea]
    lines.extend(chance.choice((AttackHere(zone), IgnoreHere(zone))) for zone in chance.sample(zones, 3))
    chance.shuffle(lines)
    return lines


def standing_orders(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """What a power does in other powers' turns: everything rises whenever it may."""
    lines: list[Order] = [Intercept(None, (Pick("fighter"),))]
    for space, held in state.spaces.items():
        seas = rules.board.seas_beside(space)
        if held.controller == power and held.facility("air_base") is not None and seas:
            kind = chance.choice(("fighter", "tac_bomber"))
            lines.append(Scramble((Pick(kind, chance.choice((1, None))),), space, chance.choice(seas)))
    return lines


def _politics(rules: RuleSet, power: str, chance: Random) -> list[Order]:
    others = [other for other in rules.board.powers if other != power]
    lines: list[Order] = []
    if chance.random() < 0.3:
        lines.append(DeclareWar(tuple(chance.sample(others, chance.randint(1, 3)))))
    if chance.random() < 0.1:
        lines.append(StayAtPeace())
    return lines


def _shopping(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    kinds = [kind.id for kind in rules.board.units.values() if kind.cost]
    held = [space for space in rules.board.spaces if state.controller(space) == power]
    places = [*held, *(space.id for space in rules.board.spaces.values() if space.is_sea)]
    lines: list[Order] = []
    for _ in range(chance.randint(0, 4)):
        kind = chance.choice(kinds)
        if rules.board.units[kind].domain == "facility":
            upgrade = kind == "ic_major" and chance.random() < 0.3
            lines.append(Buy(kind, 1, chance.choice((None, *held)), upgrade=upgrade))
        else:
            lines.append(Buy(kind, chance.choice(COUNTS)))
    if chance.random() < 0.3:
        lines.append(Repair(chance.choice((None, *held)), None, chance.choice((None, 1, 3))))
    if chance.random() < 0.2:
        lines.append(Refund((chance.choice(kinds),)))
    for _ in range(chance.randint(0, 5)):
        lines.append(Place((Pick(chance.choice(kinds), chance.choice(COUNTS)),), chance.choice(places)))
    return lines


def _movement(rules: RuleSet, mine: list[Unit], chance: Random, phase: str) -> Order:
    board = rules.board
    unit = chance.choice(mine)
    picks = [Pick(unit.kind, chance.choice(COUNTS))]
    seas, lands = board.seas_beside(unit.space), board.lands_beside(unit.space)
    if board.units[unit.kind].domain == "land":
        if unit.aboard is not None and lands:
            return Unload(tuple(picks), unit.space, chance.choice(lands), in_phase=phase)
        if seas and not board.spaces[unit.space].is_sea and chance.random() < 0.3:
            return Load(tuple(picks), unit.space, chance.choice(seas), in_phase=phase)
    path = [unit.space]
    for _ in range(chance.randint(1, 3)):
        path.append(chance.choice(board.neighbours[path[-1]]))
    others = [other.kind for other in mine if other.space == unit.space and other.kind != unit.kind]
    if others and chance.random() < 0.4:
        picks.append(Pick(chance.choice(others), chance.choice(COUNTS)))
    purpose = chance.choice((None, None, None, "bomb", "escort"))
    return Move(tuple(picks), tuple(path), purpose, None, phase)
