"""Which battles the moves have caused, read off the position: raids, assaults, sea and land battles.

Nothing is stored about battles to come; whoever asks reads the position, before reactions or after them.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle.amphibious import assaults_from, landings
from pbem.rules.battle.firing import category_of, may_take
from pbem.rules.battle.land_battle import land_attackers
from pbem.rules.battle.sea_battle import sea_attackers, sea_defenders
from pbem.rules.query import acting, can, is_air, is_ship, type_of
from pbem.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Plan:
    """The battles of a turn, in their groups and order (P40-6.1.1).

    `assaults` maps a territory to the zones its landing starts from; `seas` and `lands` are the other battles.
    """

    raids: tuple[str, ...]
    assaults: tuple[tuple[str, tuple[str, ...]], ...]
    seas: tuple[str, ...]
    lands: tuple[str, ...]


def plan_battles(rules: RuleSet, state: State, power: str) -> Plan:
    """All battles and walk-ins that the active power's moves have caused, each group in the order to be fought."""
    ashore = landings(state, power)
    raids, seas, lands = [], [], []
    together = acting(rules, power)
    own: dict[str, list[Unit]] = {}
    for unit in state.units.values():
        if unit.owner in together:
            own.setdefault(unit.space, []).append(unit)
    for space_id in rules.board.in_board_order(own):
        here = own[space_id]
        if rules.board.spaces[space_id].is_sea:
            if sea_battle_due(rules, state, power, space_id):
                seas.append(space_id)
            continue
        if any(unit.mark(marks.JOB) == "raid" for unit in here):
            raids.append(space_id)
        if space_id not in ashore and _contested(rules, state, power, space_id):
            lands.append(space_id)
    covered = {zone for zones in ashore.values() for zone in zones}
    return Plan(
        raids=in_sequence(rules, state, raids),
        assaults=tuple((territory, tuple(ashore[territory])) for territory in in_sequence(rules, state, list(ashore))),
        seas=tuple(zone for zone in in_sequence(rules, state, seas) if zone not in covered),
        lands=in_sequence(rules, state, lands),
    )


def in_sequence(rules: RuleSet, state: State, spaces: list[str]) -> tuple[str, ...]:
    """Spaces in the order the active player named, then in the order of his moves, then the board's (P40-DP-14,
    S42-5.1.2, S42-D06).

    Where the parameter `battles_by_name` is set, those he did not name go by their names (CLA-6.1.3).
    """
    named = list(state.marks.get(marks.BATTLE_SEQUENCE, ()))
    if rules.parameters.get("battles_by_name"):
        ordered = tuple(sorted(dict.fromkeys(spaces), key=lambda space: rules.board.spaces[space].name))
    else:
        named += state.marks.get(marks.MOVE_SEQUENCE, ())
        ordered = rules.board.in_board_order(spaces)
    rank = {space: index for index, space in reversed(list(enumerate(named)))}
    return tuple(sorted(ordered, key=lambda space: rank.get(space, len(named))))


def _contested(rules: RuleSet, state: State, power: str, territory: str) -> bool:
    """Whether units of the power that have not fought stand in a territory that is hostile to it."""
    if not land_attackers(rules, state, power, territory):
        return False
    return bool(rules.judge("hostile_territory", state, power, territory))


# -- sea battles ----------------------------------------------------------------------------------------------------


def sea_battle_due(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether a sea battle is to be fought in a zone, by the judgement `sea_battle_due` where the rule set has one."""
    if "sea_battle_due" in rules.judgements:
        return bool(rules.judge("sea_battle_due", state, power, zone))
    return warships_or_prey(rules, state, power, zone)


def sea_battle_fought(state: State, zone: str) -> bool:
    """Whether the sea battle of a zone was fought in the combat that is going on."""
    return bool(state.marks.get(marks.sea_battle(zone)) == state.marks.get(marks.COMBAT_PART, True))


def warships_or_prey(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether a sea battle is to be fought in a zone (P40-6.3.2, P40-4.4.5, P40-5.2.5, P40-DP-07).

    Always against scrambled aircraft and against surface warships. Against submarines and transports alone if so
    ordered; without an order if something came to attack, unless it covers a landing with ships that bombard.
    """
    attackers = sea_attackers(rules, state, power, zone)
    defenders = sea_defenders(rules, state, power, zone)
    if not attackers or not defenders:
        return False
    if rules.parameters.get("transports_never_fight_alone") and not any(type_of(rules, u).attack for u in attackers):
        return False
    if any(unit.mark(marks.SCRAMBLED_FROM) for unit in defenders) or rules.parameters.get("all_ships_are_fought"):
        return True
    if any(can(rules, unit, "surface_warship") for unit in defenders):
        return True
    intent = state.marks.get(marks.intent(zone))
    if intent is not None:
        return bool(intent == "attack")
    if not _something_to_hit(rules, attackers, defenders):
        return False
    came = any(
        type_of(rules, unit).attack and (is_air(rules, unit) or unit.mark(marks.MOVED) == "combat_move")
        for unit in attackers
        if unit.aboard is None
    )
    return came and not _covers_landing(rules, state, power, zone)


def _something_to_hit(rules: RuleSet, attackers: tuple[Unit, ...], defenders: tuple[Unit, ...]) -> bool:
    """Aircraft alone find no submarines without a destroyer (P40-4.3.7)."""
    finds = any(can(rules, unit, "anti_submarine") for unit in attackers)
    return any(
        type_of(rules, unit).attack and may_take(rules, category_of(rules, unit), finds, target)
        for unit in attackers
        for target in defenders
    )


def _covers_landing(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether units land from the zone with ships there that bombard (P40-DP-07)."""
    targets = assaults_from(state, power, zone)
    if not targets or all(state.marks.get(marks.bombarders(target)) == [] for target in targets):
        return False
    return any(
        unit.owner == power and is_ship(rules, unit) and can(rules, unit, "shore_bombard")
        for unit in state.units_in(zone)
    )
