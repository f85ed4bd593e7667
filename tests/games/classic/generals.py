"""Generals who attack whatever is near and retreat whenever they feel like it: orders of chance, many of them legal."""

from __future__ import annotations

from random import Random

from pbem.board.state import State, Unit
from pbem.rules.order_model import (
    AttackHere,
    BattlePlan,
    BattleSequence,
    Buy,
    Casualties,
    Consent,
    Drop,
    IgnoreHere,
    LandAircraft,
    LastResort,
    Load,
    Move,
    Order,
    Pick,
    Place,
    PressOn,
    Research,
    Retreat,
    RetreatPart,
    Rocket,
    Scorch,
    Submerge,
    Unload,
)
from pbem.rules.ruleset import RuleSet

COUNTS = (1, 1, 2, 3, None)
SCOPES = (None, None, "air", "landed", "overland", "overland_and_air")
PLANS = ("save_air", "save_air_at_all_costs", "take_at_all_costs", "kill_at_all_costs")


def turn_orders(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """Lines for all phases of one turn: attacks on neighbours, landings, raids, rockets, and a little shopping."""
    lines: list[Order] = [Research(chance.randint(0, 3))] if chance.random() < 0.5 else []
    lines += _shopping(rules, state, power, chance)
    mine = [unit for unit in state.units.values() if unit.owner == power and unit.aboard is None]
    chance.shuffle(mine)
    for unit in mine[: len(mine) * 2 // 3]:
        lines += _attack(rules, state, unit, chance)
    for unit in mine[len(mine) * 2 // 3 :]:
        lines.append(Move((Pick(unit.kind, 1),), _walk(rules, unit, chance), in_phase="noncombat_move"))
    enemies = [
        s
        for s, held in state.spaces.items()
        if held.facilities and not rules.board.allied(power, held.controller or "")
    ]
    if enemies:
        lines.append(Rocket(None, chance.choice(enemies)))
    zones = [space.id for space in rules.board.spaces.values() if space.is_sea]
    lines += [chance.choice((AttackHere(zone), IgnoreHere(zone))) for zone in chance.sample(zones, 4)]
    lines.append(BattleSequence(tuple(chance.sample(list(rules.board.spaces), 5))))
    return lines


def _shopping(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    kinds = [kind.id for kind in rules.board.units.values() if kind.cost]
    held = [space for space in rules.board.spaces if state.controller(space) == power] or list(rules.board.spaces)
    zones = [zone for space in held for zone in rules.board.seas_beside(space)] or held
    lines: list[Order] = [Buy(chance.choice(kinds), chance.choice(COUNTS)) for _ in range(chance.randint(1, 4))]
    for _ in range(chance.randint(0, 5)):
        lines.append(Place((Pick(chance.choice(kinds), chance.choice(COUNTS)),), chance.choice((*held, *zones))))
    return lines


def _attack(rules: RuleSet, state: State, unit: Unit, chance: Random) -> list[Order]:
    """One unit goes for an enemy it can reach, over land, by sea or by ship."""
    board = rules.board
    kind = board.units[unit.kind]
    pick = Pick(unit.kind, chance.choice((1, None)))
    if kind.figure("transport_capacity"):
        return _ferry(rules, state, unit, chance)
    reached = board.reach(unit.space, lambda _space: True, kind.move)
    goals = [space for space in reached if space != unit.space and _holds_enemies(rules, state, unit.owner, space)]
    if kind.domain != "air":
        goals = [space for space in goals if board.spaces[space].is_sea == (kind.domain == "sea")]
    if not goals:
        return [Move((pick,), _walk(rules, unit, chance), in_phase=chance.choice(("combat_move", "noncombat_move")))]
    built = [space for space in goals if space in state.spaces and state.spaces[space].facilities]
    if unit.kind == "bomber" and built and chance.random() < 0.5:
        return [Move((pick,), (unit.space, chance.choice(built)), "bomb")]
    if unit.kind == "bomber" and chance.random() < 0.2:
        phase = chance.choice(("combat_move", "noncombat_move"))
        return [Drop((Pick("infantry", 1),), (unit.space, chance.choice(goals)), (pick,), in_phase=phase)]
    return [Move((pick,), (unit.space, chance.choice(goals)))]


def _holds_enemies(rules: RuleSet, state: State, power: str, space: str) -> bool:
    if rules.board.spaces[space].is_sea:
        return any(not rules.board.allied(power, unit.owner) for unit in state.units_in(space))
    holder = state.controller(space)
    return holder is None or not rules.board.allied(power, holder)


def _ferry(rules: RuleSet, state: State, ship: Unit, chance: Random) -> list[Order]:
    """A transport takes an army aboard, sails, and lands it where enemies are."""
    board = rules.board
    phase = chance.choice(("combat_move", "combat_move", "noncombat_move"))
    shores = [u for land in board.lands_beside(ship.space) for u in state.units_in(land) if u.owner == ship.owner]
    lines: list[Order] = []
    army = [unit for unit in shores if board.units[unit.kind].domain == "land"]
    for unit in army[: chance.randint(1, 2)]:
        lines.append(Load((Pick(unit.kind, 1),), unit.space, ship.space, in_phase=phase))
    zones = list(board.reach(ship.space, lambda zone: board.spaces[zone].is_sea, 2))
    zone = chance.choice(zones)
    if zone != ship.space:
        lines.append(Move((Pick(ship.kind, 1),), (ship.space, zone), in_phase=phase))
    beaches = [land for land in board.lands_beside(zone) if _holds_enemies(rules, state, ship.owner, land)]
    if beaches:
        lines += [Unload((Pick(unit.kind, 1),), zone, chance.choice(beaches), in_phase=phase) for unit in army[:2]]
    return lines


def _walk(rules: RuleSet, unit: Unit, chance: Random) -> tuple[str, ...]:
    path = [unit.space]
    for _ in range(chance.randint(1, 3)):
        path.append(chance.choice(rules.board.neighbours[path[-1]]))
    return tuple(path)


# -- standing orders --------------------------------------------------------------------------------------------------


def standing_orders(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """Retreats of every form a line can have, submarines, losses, plans and consents, everywhere and nowhere."""
    spaces = list(rules.board.spaces)
    lines: list[Order] = []
    for space in chance.sample(spaces, len(spaces) * 2 // 3):
        lines += _about(rules, space, chance)
    if chance.random() < 0.5:
        lines.append(
            Retreat(None, after_round=chance.choice((None, 1, 2)), side=chance.choice((None, "attack", "defend")))
        )
    lines.append(Consent("evacuation", chance.random() < 0.7))
    lines.append(Consent("fighter_losses", chance.random() < 0.5))
    lines.append(LastResort(chance.random() < 0.7))
    lines.append(Submerge(None, side=chance.choice((None, "attack", "defend")), withdraws=chance.random() < 0.5))
    chance.shuffle(lines)
    return lines


def _about(rules: RuleSet, space: str, chance: Random) -> list[Order]:
    near = chance.choice(rules.board.neighbours[space])
    after = chance.choice((None, None, 0, 1, 2))
    kinds = [kind.id for kind in rules.board.units.values() if kind.domain != "facility"]
    one = Pick(chance.choice((*kinds, "unit", "land", "air")), chance.choice(COUNTS))
    asked = chance.randint(0, 8)
    if asked == 0:
        return [Retreat(space, None, after, scope=chance.choice(SCOPES))]
    if asked == 1:
        return [Retreat(space, near, after)]
    if asked <= 4:
        return [Retreat(space, None, after, tuple(_part(rules, space, chance) for _ in range(chance.randint(1, 3))))]
    if asked == 5:
        return [
            Submerge(space, chance.choice(("all", (Pick("submarine", 1),))), after, chance.choice((None, near, space)))
        ]
    if asked == 6:
        return [BattlePlan(chance.choice(PLANS), space, chance.choice((None, 2)))]
    if asked == 7:
        return [
            Casualties(space, (one,), round=after or None),
            Scorch(space),
            LandAircraft((Pick("fighter"),), space, near),
        ]
    return [PressOn(space)]


def _part(rules: RuleSet, space: str, chance: Random) -> RetreatPart:
    near = list(rules.board.neighbours[space])
    seas = [zone for zone in near if rules.board.spaces[zone].is_sea]
    kinds = [kind.id for kind in rules.board.units.values() if kind.domain != "facility"]
    picks = (Pick(chance.choice((*kinds, "unit", "infantry", "fighter")), chance.choice(COUNTS)),)
    how = chance.choice((None, None, "break_off", "re_embark", "unload", "aboard", "evacuate"))
    if how in ("break_off", "re_embark", "aboard"):
        return RetreatPart(picks, None, how)
    if how == "evacuate":
        zone = chance.choice(seas or near)
        return RetreatPart(picks, chance.choice((None, *rules.board.lands_beside(zone))), how, zone)
    return RetreatPart(picks, chance.choice(near), how)
