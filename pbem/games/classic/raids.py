"""Strategic bombing in the classic game: the gun fires, then bombs cost the holder of the complex money."""

from __future__ import annotations

from pbem.games.classic.rockets import pay_damage
from pbem.games.classic.weapons import dice_of
from pbem.rules.battle.aa_fire import aa_fire
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.dice_steps import BOMBS
from pbem.rules.battle.model import ATTACK, LOST, OPENING, OVER, Battle, BattleStep, announce
from pbem.rules.marks import FOUGHT
from pbem.rules.script import Game


def begin_raid(game: Game, battle: Battle) -> None:
    """Raiders do nothing else in this turn; no other defender fires at them (CLA-6.2.1, CLA-6.2.5)."""
    raiders = [unit.id for unit in battle.units(game.state, ATTACK)]
    game.emit("units_marked", {"units": raiders, "set": {FOUGHT: True}}, rules_for(game.rules, "raid.begin"))


def bombs(game: Game, battle: Battle) -> None:
    """Each surviving bomber rolls its dice; the sum is paid by the holder, as far as his money goes (CLA-6.2.3, 6.2.4).

    Heavy bombers roll three dice (CLA-3.13). The option `sbr_cap` limits what a territory costs in a turn to its value.
    """
    bombers = battle.units(game.state, ATTACK)
    if not bombers:
        return
    announce(game, battle, BOMBS)
    dice = [unit for unit in bombers for _ in range(dice_of(game.rules, game.state, battle, unit))]
    faces = game.roll(
        len(dice),
        power=game.state.power or battle.attacker,
        step=BOMBS,
        space=battle.space,
        dice=[{"unit": unit.id, "kind": unit.kind, "owner": unit.owner} for unit in dice],
    )
    payer = game.state.controller(battle.space) or ""
    rolled = sum(faces)
    amount = min(rolled, _cap(game, battle.space, rolled), game.state.counter(payer))
    told = {"battle": battle.id, "space": battle.space, "power": payer, "rolled": rolled, "paid": amount}
    game.emit("raid_paid", told, rules_for(game.rules, "raid.damage"))
    pay_damage(game, payer, amount, "bombed", battle.space)
    if game.rules.parameter("sbr_cap") and amount:
        so_far = game.state.marks.get(_paid(battle.space), 0)
        game.emit("mark_set", {"key": _paid(battle.space), "value": so_far + amount})


def _paid(space: str) -> str:
    return f"turn/bombed/{space}"


def _cap(game: Game, space: str, otherwise: int) -> int:
    if not game.rules.parameter("sbr_cap"):
        return otherwise
    return max(0, game.board.spaces[space].ipc - int(game.state.marks.get(_paid(space), 0)))


def end_raid(game: Game, battle: Battle) -> None:
    """The raid is over; bombers land in the noncombat move (CLA-6.2.6)."""
    battle.result = OVER if battle.units(game.state, ATTACK) else LOST


RAID: tuple[BattleStep, ...] = (
    BattleStep("begin_raid", "The raid begins", begin_raid, when=OPENING),
    BattleStep("aa_fire", "Antiaircraft fire", aa_fire, when=OPENING),
    BattleStep(BOMBS, "Bombs", bombs, when=OPENING),
    BattleStep("end_raid", "The raid is over", end_raid, when=OPENING),
)
"""A bombing raid (CLA-6.2.1 to CLA-6.2.6)."""
