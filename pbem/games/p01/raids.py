"""Bombing raids of Pacific (2001): the gun first, one round in the air, then bombs that cost money at once."""

from __future__ import annotations

from pbem.board.state import State
from pbem.games.p01.income import lose_points
from pbem.games.p01.money import change_money, country_of, money_of
from pbem.games.p01.parameters import JAPAN
from pbem.rules import marks
from pbem.rules.battle import raids as common
from pbem.rules.battle.aa_fire import aa_fire, guns
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.dice_steps import AIR_ATTACKERS, AIR_DEFENDERS, BOMBS
from pbem.rules.battle.firing import fire
from pbem.rules.battle.losses import take_losses
from pbem.rules.battle.model import ATTACK, DEFEND, LOST, OPENING, OVER, Battle, BattleStep, announce, fight
from pbem.rules.battle.planning import plan_battles
from pbem.rules.query import type_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def raids(game: Game, power: str) -> None:
    """All raids of the turn, each whole before the next (P01-6.1.1, P01-6.2.1, P01-6.2.12)."""
    for territory in plan_battles(game.rules, game.state, power).raids:
        air = new_air_battle(game.rules, game.state, power, territory)
        if air is not None:
            fight(game, air)
        _interceptors_are_free(game, territory)
        bombing = common.new_bombing(game.rules, game.state, power, territory)
        if bombing is not None:
            fight(game, bombing)
        game.boundary("between_battles")


def new_air_battle(rules: RuleSet, state: State, power: str, territory: str) -> Battle | None:
    """The fight before the bombs: if a gun stands there or fighters rose."""
    attackers = common.raiders(state, power, territory)
    defenders = common.interceptors(rules, state, power, territory)
    battle = Battle(
        f"raid_air:{territory}", "raid_air", territory, power, [unit.id for unit in attackers],
        [unit.id for unit in defenders], topics=("raid_air.begin",),
    )  # fmt: skip
    return battle if attackers and (defenders or guns(rules, state, battle)) else None


def _interceptors_are_free(game: Game, territory: str) -> None:
    """Interceptors defend the territory again later in the turn (P01-6.2.13)."""
    up = [unit.id for unit in game.state.units_in(territory) if unit.mark(marks.INTERCEPTED)]
    if up:
        game.emit("units_marked", {"units": up, "set": {marks.INTERCEPTED: None}},
                  rules_for(game.rules, "intercept.back"))  # fmt: skip


def interceptors_fire(game: Game, battle: Battle) -> None:
    """Each interceptor hits on 2, surprised ones on 1; the attacker chooses who is lost (P01-6.2.6, P01-6.1.10)."""
    ready = battle.units(game.state, DEFEND)
    need = game.rules.parameter("raid_air_values")["interceptor"]
    if game.rules.judge("surprised", game.state, battle.attacker):
        need = 1
    if ready and battle.units(game.state, ATTACK):
        firing = {unit.id: need for unit in ready}
        volley = fire(game, battle, DEFEND, AIR_DEFENDERS, firing)
        take_losses(game, battle, volley, at_once=False, kind="air_losses")


def escorts_fire(game: Game, battle: Battle) -> None:
    """Each escort hits on 1, also one just lost; bombers do not fire (P01-6.2.7)."""
    need = game.rules.parameter("raid_air_values")["escort"]
    firing = {unit.id: need for unit in battle.units(game.state, ATTACK) if unit.mark(marks.JOB) == "escort"}
    if firing and battle.units(game.state, DEFEND):
        volley = fire(game, battle, ATTACK, AIR_ATTACKERS, firing)
        take_losses(game, battle, volley, at_once=False, kind="air_losses")


RAID_AIR_BATTLE: tuple[BattleStep, ...] = (
    BattleStep("aa_fire", "Antiaircraft fire", aa_fire, when=OPENING),
    BattleStep("air_defenders_fire", "Interceptors fire", interceptors_fire),
    BattleStep("air_attackers_fire", "Escorts fire", escorts_fire),
    BattleStep("end_air_battle", "Losses of the air battle are removed", common.end_air_battle),
)
"""AA fire at bombers and escorts (P01-6.2.4, P01-6.2.5), then one cycle in the air."""


def bombs(game: Game, battle: Battle) -> None:
    """Each bomber that is left rolls a die; the total is paid at once by the owner of the complex (P01-6.2.8).

    Not limited by the value of the land (P01-6.2.9), down to an empty treasury (P01-6.2.10): the Indian one for
    India, the Australian one for Australia (P01-6.2.14). If Japan pays, it may lose points (P01-6.2.11).
    """
    bombers = battle.units(game.state, ATTACK)
    game.emit("units_marked", {"units": [unit.id for unit in bombers], "set": {marks.FOUGHT: True}})
    announce(game, battle, BOMBS)
    dice = [unit for unit in bombers for _ in range(type_of(game.rules, unit).figure("bombing_dice", 1))]
    faces = game.roll(
        len(dice),
        power=game.state.power or battle.attacker,
        step=BOMBS,
        space=battle.space,
        dice=[{"unit": unit.id, "kind": unit.kind, "owner": unit.owner, "bonus": 0} for unit in dice],
    )
    country = country_of(game.rules, game.state, battle.space)
    if country is None:
        return
    paid = min(sum(faces), money_of(game.state, country))
    told = {"battle": battle.id, "space": battle.space, "power": game.state.controller(battle.space),
            "treasury": country, "rolled": sum(faces), "paid": paid}  # fmt: skip
    game.emit("raid_paid", told, rules_for(game.rules, "raid.damage"))
    change_money(game, country, -paid, "raid", rules_for(game.rules, "raid.paid"))
    if country == JAPAN:
        lose_points(game, paid)


def end_bombing(game: Game, battle: Battle) -> None:
    """The raid is over; whoever is left lands in the noncombat move."""
    battle.result = OVER if battle.units(game.state, ATTACK) else LOST


RAID_BOMBING: tuple[BattleStep, ...] = (
    BattleStep("bombs", "Bombs", bombs),
    BattleStep("end_bombing", "The raid is over", end_bombing),
)
"""Bombing costs IPCs and hurts nothing else (P01-6.2.8)."""
