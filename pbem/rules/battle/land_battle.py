"""Battles in territories: who takes part, the steps in order, and walking into undefended ground."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State, Unit
from pbem.rules.battle import rounds
from pbem.rules.battle.aa_fire import aa_fire, guns, lone_guns
from pbem.rules.battle.bombardment import bombardment
from pbem.rules.battle.end_of_battle import capture_if_won
from pbem.rules.battle.model import (
    ATTACK,
    CLOSING,
    OPENING,
    WON,
    Battle,
    BattleStep,
    battle_id,
    emit_begun,
    emit_ended,
    fight,
)
from pbem.rules.battle.retreat import came_from, press_or_retreat
from pbem.rules.marks import FOUGHT, INTERCEPTED, JOB
from pbem.rules.query import acting, can, is_air, is_land
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

# -- who takes part -------------------------------------------------------------------------------------------------


def is_enemy(rules: RuleSet, state: State, power: str, unit: Unit) -> bool:
    """Whether a unit in an attacked space fights against this power: its owner is at war with it (P40-6.4.9)."""
    return state.at_war(power, unit.owner)


def land_attackers(rules: RuleSet, state: State, power: str, territory: str) -> tuple[Unit, ...]:
    """Land units and aircraft of the active power in the territory, but no raiders (P40-6.2.2, P40-6.3.10).

    Units of its allies there take no part (P40-6.4.8), nor units that fought elsewhere in this turn (P40-6.1.4).
    """
    return tuple(
        unit
        for unit in state.units_in(territory)
        if unit.owner in acting(rules, power)
        and unit.aboard is None
        and not unit.mark(JOB)
        and not unit.mark(FOUGHT)
        and (is_air(rules, unit) or is_land(rules, unit))
    )


def land_defenders(rules: RuleSet, state: State, power: str, territory: str) -> tuple[Unit, ...]:
    """All units of powers at war with the active power in the territory, together (P40-6.4.9, P40-6.3.14).

    Aircraft based there are among them (S42-5.8.6). Interceptors fight nowhere else (P40-5.3.3); guns count only where
    they can be casualties (P40-1.3.5), which is the parameter `guns_are_casualties`.
    """
    guns_too = rules.parameters.get("guns_are_casualties", False)
    return tuple(
        unit
        for unit in state.units_in(territory)
        if rules.judge("is_enemy", state, power, unit)
        and not unit.mark(INTERCEPTED)
        and (guns_too or not can(rules, unit, "anti_air"))
    )


def new_land_battle(
    rules: RuleSet,
    state: State,
    power: str,
    territory: str,
    landed: Sequence[str] = (),
    zones: tuple[str, ...] = (),
) -> Battle:
    """The battle of a territory; `landed` came ashore from `zones`."""
    attackers = land_attackers(rules, state, power, territory)
    overland = [unit for unit in attackers if unit.id not in landed and is_land(rules, unit)]
    return Battle(
        id=battle_id(state, f"land:{territory}"),
        kind="land",
        space=territory,
        attacker=power,
        attackers=[unit.id for unit in attackers],
        defenders=[unit.id for unit in land_defenders(rules, state, power, territory)],
        landed=[unit.id for unit in attackers if unit.id in landed],
        zones=zones,
        origins=came_from(rules, overland, territory),
        topics=("land.begin", "assault.begin") if landed else ("land.begin",),
    )


# -- fighting -------------------------------------------------------------------------------------------------------


def fight_for(game: Game, power: str, territory: str, landed: Sequence[str] = (), zones: tuple[str, ...] = ()) -> None:
    """Fight for a territory, or walk in where nobody defends it (P40-6.3.15, P40-6.10.2, P40-6.6.7).

    Without attackers left for it there is no battle (P40-6.3.9).

    A gun that is no casualty makes no battle by itself, but fires at aircraft sent into the attack.
    """
    if "land_battle_begins" in game.rules.steps:
        game.run("land_battle_begins", power, territory, landed)
    battle = new_land_battle(game.rules, game.state, power, territory, landed, zones)
    attackers = battle.units(game.state, ATTACK)
    if not attackers:
        return
    flak = guns(game.rules, game.state, battle)
    aircraft = any(is_air(game.rules, unit) for unit in attackers)
    if battle.defenders or (flak and aircraft):
        fighters = [unit.id for unit in attackers]
        game.emit("units_marked", {"units": fighters, "set": {FOUGHT: True}})
        fight(game, battle)
    elif any(is_land(game.rules, unit) for unit in attackers):
        battle.kind = "walk_in"
        battle.topics = ("walk_in.guns",) if flak else ("walk_in.landed",) if battle.landed else ()
        emit_begun(game, battle)
        battle.result = WON
        emit_ended(game, battle)
        capture_if_won(game, battle)


def nobody_defends(game: Game, battle: Battle) -> None:
    """After AA fire: a territory that only a gun held is open, there is no round of battle (P40-6.6.7)."""
    if not battle.defenders or not battle.units(game.state, ATTACK):
        rounds.end_test(game, battle)


LAND_BATTLE: tuple[BattleStep, ...] = (
    BattleStep("bombardment", "Bombardment from the sea", bombardment, when=OPENING),
    BattleStep("aa_fire", "Antiaircraft fire", aa_fire, when=OPENING),
    BattleStep("nobody_defends", "Only guns defend", nobody_defends, when=OPENING),
    BattleStep("attackers_fire", "Attackers fire", rounds.attackers_fire),
    BattleStep("defenders_fire", "Defenders fire", rounds.defenders_fire),
    BattleStep("remove_casualties", "Casualties are removed", rounds.remove_casualties),
    BattleStep("end_test", "Is the battle over?", rounds.end_test),
    BattleStep("press_or_retreat", "The attacker presses on or retreats", press_or_retreat),
    BattleStep("capture", "The territory changes hands", capture_if_won, when=CLOSING),
)
"""A battle in a territory whose guns are no casualties (P40-6.4.1, 6.4.2)."""

LONE_GUNS_OPENING = BattleStep("lone_guns", "Guns left alone are destroyed", lone_guns, when=OPENING)
LONE_GUNS_ROUND = BattleStep("lone_guns", "Guns left alone are destroyed", lone_guns)
"""Steps added where guns can be casualties: after AA fire, and after casualties of a round are removed."""
