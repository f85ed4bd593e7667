"""The combat phase: raids, then assaults, then all other battles, one after the other."""

from __future__ import annotations

from pbem.rules import marks
from pbem.rules.battle.amphibious import land_cargo
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.land_battle import fight_for
from pbem.rules.battle.model import ATTACK, fight
from pbem.rules.battle.planning import in_sequence, plan_battles, sea_battle_due, sea_battle_fought
from pbem.rules.battle.raids import new_air_battle, new_bombing
from pbem.rules.battle.sea_battle import new_sea_battle
from pbem.rules.script import Game


def conduct_combat(game: Game) -> None:
    """Phase 3: all raids, all assaults (sea, bombardment, land), all other battles (P40-6.1.1, P40-6.3.1).

    Each is fought to its end before the next begins (P40-6.1.3), in the active player's order within its group.
    """
    for part in ("raids", "assaults", "other_battles"):
        game.run(part, game.state.power)


def raids(game: Game, power: str) -> None:
    """All raids; every air battle is fought before any bomb is dropped (P40-6.1.2)."""
    targets = plan_battles(game.rules, game.state, power).raids
    for territory in targets:
        air = new_air_battle(game.rules, game.state, power, territory)
        if air is not None:
            fight(game, air)
            game.boundary("between_battles")
    for territory in targets:
        bombing = new_bombing(game.rules, game.state, power, territory)
        if bombing is not None:
            fight(game, bombing)
            game.boundary("between_battles")


def assaults(game: Game, power: str) -> None:
    """Each assault: all sea battles of its zones, then bombardment and land battle (P40-6.3.1, S42-5.1.3)."""
    for territory, zones in plan_battles(game.rules, game.state, power).assaults:
        for zone in zones:
            sea_battle(game, power, zone)
        landed, used = land_cargo(game, power, territory, zones)
        if game.rules.judge("hostile_territory", game.state, power, territory):
            fight_for(game, power, territory, landed, used)
        game.boundary("between_battles")


def other_battles(game: Game, power: str) -> None:
    """Sea and land battles that belong to no assault."""
    plan = plan_battles(game.rules, game.state, power)
    board = game.board
    for space in in_sequence(game.rules, game.state, [*plan.seas, *plan.lands]):
        if board.spaces[space].is_sea:
            sea_battle(game, power, space)
        else:
            fight_for(game, power, space)
        game.boundary("between_battles")


def sea_battle(game: Game, power: str, zone: str) -> None:
    """The sea battle of a zone, if one is due; it is fought once and bars bombardment from there (P40-6.3.3)."""
    state = game.state
    if sea_battle_fought(state, zone) or not sea_battle_due(game.rules, state, power, zone):
        return
    battle = new_sea_battle(game.rules, state, power, zone)
    fought = {"key": marks.sea_battle(zone), "value": state.marks.get(marks.COMBAT_PART, True)}
    game.emit("mark_set", fought, rules_for(game.rules, "bombardment.sea_battle"))
    game.emit("units_marked", {"units": [unit.id for unit in battle.units(state, ATTACK)], "set": {marks.FOUGHT: True}})
    fight(game, battle)
