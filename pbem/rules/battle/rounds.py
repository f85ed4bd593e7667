"""The steps that land and sea battles share: both sides fire, casualties go, and the test whether it is over."""

from __future__ import annotations

from pbem.rules.battle.dice_steps import ATTACKERS_FIRE, DEFENDERS_FIRE
from pbem.rules.battle.firing import can_hit_something, fire, shooters, skip_fire, with_targets
from pbem.rules.battle.losses import remove_behind, take_losses
from pbem.rules.battle.model import ATTACK, BOTH_GONE, DEFEND, LOST, STANDOFF, WON, Battle
from pbem.rules.battle.values import effective_values
from pbem.rules.script import Game


def attackers_fire(game: Game, battle: Battle) -> None:
    """Every attacker with attack 1 or more that has not acted fires; hit defenders go behind the line (P40-6.4.3)."""
    firing = shooters(game, battle, ATTACK, effective_values(game.rules, game.state, battle, ATTACK), behind=False)
    aimed = with_targets(game, battle, ATTACK, firing)
    if aimed:
        take_losses(game, battle, fire(game, battle, ATTACK, ATTACKERS_FIRE, aimed), at_once=False)
    elif firing:
        skip_fire(game, battle, ATTACK, ATTACKERS_FIRE)


def defenders_fire(game: Game, battle: Battle) -> None:
    """Every defender fires, those behind the line too; the attacker removes his losses at once (P40-6.4.4).

    Each power rolls for its own units in the one batch of the common defence (P40-6.12.2).
    """
    firing = shooters(game, battle, DEFEND, effective_values(game.rules, game.state, battle, DEFEND), behind=True)
    aimed = with_targets(game, battle, DEFEND, firing)
    if aimed:
        take_losses(game, battle, fire(game, battle, DEFEND, DEFENDERS_FIRE, aimed), at_once=True)
    elif firing:
        skip_fire(game, battle, DEFEND, DEFENDERS_FIRE)


def remove_casualties(game: Game, battle: Battle) -> None:
    """Defenders behind the casualty line are removed (P40-6.4.5)."""
    remove_behind(game, battle, "remove_casualties")


def end_test(game: Game, battle: Battle) -> None:
    """Over if a side has nobody left, or if neither side can score a further hit (P40-6.4.6).

    If both are gone the defender keeps the space.
    """
    attackers = battle.units(game.state, ATTACK)
    defenders = battle.units(game.state, DEFEND)
    if not attackers or not defenders:
        battle.result = WON if attackers else LOST if defenders else BOTH_GONE
    elif not any(able_to_hit(game, battle, side) for side in (ATTACK, DEFEND)):
        battle.result = STANDOFF


def able_to_hit(game: Game, battle: Battle, side: str) -> bool:
    """Whether a side has a unit of value 1 or more that can hit some enemy unit in the battle."""
    values = effective_values(game.rules, game.state, battle, side)
    armed = [unit for unit in battle.units(game.state, side) if values.get(unit.id, 0) >= 1]
    return bool(armed) and can_hit_something(game.rules, game.state, battle, side, armed)
