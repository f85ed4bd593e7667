"""Pressing on and retreating in the classic game: all together, to where somebody came from; never from an assault."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.rules.battle import retreat as common
from pbem.rules.battle.model import ATTACK, OPENING, Battle, BattleStep
from pbem.rules.battle.model import RETREAT as RETREATED
from pbem.rules.marks import FROM
from pbem.rules.query import is_air, is_land
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def is_assault(battle: Battle) -> bool:
    """Whether land units landed in this battle, also when they are lost by now (CLA-5.10.1)."""
    return bool(battle.landed or battle.zones)


def may_retreat(rules: RuleSet, state: State, battle: Battle) -> tuple[Unit, ...]:
    """Attackers that may leave a battle: all together (CLA-6.9.2); from an assault nobody, no aircraft (CLA-6.9.8).

    In the third edition aircraft may leave an assault, all together; overland units too where the option says so.
    Allied fighters aboard are cargo (CLA-12.2).
    """
    guests = battle.notes.get("guests", ())
    units = tuple(unit for unit in battle.units(state, ATTACK) if unit.id not in guests)
    if not is_assault(battle):
        return units
    if rules.parameter("partial_amphibious_retreat"):
        return tuple(unit for unit in units if unit.id not in battle.landed)
    if rules.parameter("aircraft_leave_assaults"):
        return tuple(unit for unit in units if is_air(rules, unit))
    return ()


def land_retreat_territories(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Adjacent territories, friendly now, from which any attacking unit came last, aircraft included (CLA-6.9.3)."""
    came = (unit.mark(FROM) for unit in battle.units(state, ATTACK))
    origins = dict.fromkeys((*battle.origins, *battle.notes.get("origins", ()), *(space for space in came if space)))
    return tuple(
        space
        for space in origins
        if space in rules.board.lands_beside(battle.space)
        and rules.judge("friendly_territory", state, battle.attacker, space)
    )


def presses_on(rules: RuleSet, state: State, battle: Battle) -> bool:
    """What silence means (CLA-6.9.11, CLA-D09, CLA-D14).

    On land press on until the land units that attacked are gone, then the aircraft break off; aircraft alone, and
    ships, press on to the end.
    """
    if rules.board.spaces[battle.space].is_sea:
        return True
    left = battle.units(state, ATTACK)
    if any(is_land(rules, unit) for unit in left):
        return True
    return not any(rules.board.units[kind].domain == "land" for _, kind in battle.lost[ATTACK])


def note_origins(game: Game, battle: Battle) -> None:
    """Where all attackers came from is remembered, also of those that are lost later (CLA-6.9.3)."""
    came = (unit.mark(FROM) for unit in battle.units(game.state, ATTACK))
    battle.notes["origins"] = [space for space in dict.fromkeys(came) if space]


def press_or_retreat(game: Game, battle: Battle) -> None:
    """After a full round the attacker presses on or retreats (CLA-6.9.1); allied guests go with their carriers."""
    common.press_or_retreat(game, battle)
    left = battle.units(game.state, ATTACK)
    guests = battle.notes.get("guests", ())
    if left and all(unit.id in guests for unit in left):
        battle.leave([unit.id for unit in left])
        battle.result = RETREATED


NOTE_ORIGINS = BattleStep("note_origins", "Where the attackers came from", note_origins, when=OPENING)
PRESS_OR_RETREAT = BattleStep("press_or_retreat", "The attacker presses on or retreats", press_or_retreat)
