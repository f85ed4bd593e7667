"""The first step of a sea round: each submarine strikes, submerges or neither, and the strikes are fired.

The attacker decides before the defender; both before the dice of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import Unit
from pbem.rules.battle.citations import rule_for, rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.dice_steps import ATTACKING_SUBMARINES, DEFENDING_SUBMARINES
from pbem.rules.battle.firing import category_of, fire, has_destroyer, may_take, with_targets
from pbem.rules.battle.losses import remove_behind, take_losses
from pbem.rules.battle.model import ATTACK, DEFEND, Battle, other_side
from pbem.rules.battle.naming import chosen, space_name, words
from pbem.rules.battle.values import effective_values
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.marks import SUBMERGED
from pbem.rules.order_model import ALL, Order, Submerge
from pbem.rules.query import can
from pbem.rules.script import Game


def submarines_choose(game: Game, battle: Battle) -> None:
    """Strike or submerge, for every submarine separately, attacker first (P40-6.5.2, P40-1.3.12).

    That the attacker decides first is P40-13-B5.

    Barred where an enemy destroyer is in the battle at this moment (P40-6.5.3): then submarines fire later like
    other ships. Who acts here does not fire again in this round (P40-6.5.5).
    """
    state = game.state
    free = {
        side: [unit.id for unit in battle.units(state, side) if can(game.rules, unit, "submerge")]
        if not has_destroyer(game.rules, state, battle, other_side(side))
        else []
        for side in (ATTACK, DEFEND)
    }
    for side in (ATTACK, DEFEND):
        if free[side]:
            ask_to_submerge(game, battle, side, free[side])
    for side in (ATTACK, DEFEND):
        strikers = [
            unit.id
            for unit in battle.units(game.state, side)
            if unit.id in free[side] and can(game.rules, unit, "surprise_strike")
        ]
        battle.strikers[side] = strikers
        battle.acted += strikers


def ask_to_submerge(game: Game, battle: Battle, side: str, submarines: Sequence[str]) -> None:
    """Ask the owners of these submarines; those told to submerge leave the battle at once (P40-6.5.6)."""
    owners = list(dict.fromkeys(game.state.units[unit_id].owner for unit_id in submarines))
    decisions = [
        _decision(game, battle, side, power, [uid for uid in submarines if game.state.units[uid].owner == power])
        for power in owners
    ]
    answers = game.ask(decisions)
    under: list[str] = []
    for decision in decisions:
        under += answers[decision.key]
    if under:
        submerge(game, battle, under)


def submerge(game: Game, battle: Battle, under: Sequence[str]) -> None:
    """Submarines leave this battle for good and stay in the zone, till the turn ends (P40-6.5.6, S42-5.11.2)."""
    battle.leave(under)
    game.emit(
        "units_marked",
        {"units": list(under), "set": {SUBMERGED: True}, "why": "submerged", "battle": battle.id,
         "space": battle.space, "round": battle.round},
        rules_for(game.rules, "submarines.submerge"),
    )  # fmt: skip


def _decision(game: Game, battle: Battle, side: str, power: str, submarines: list[str]) -> Decision:
    own = [game.state.units[unit_id] for unit_id in submarines]

    def interpret(order: Order) -> Any:
        assert isinstance(order, Submerge)
        if order.late:
            return []
        if isinstance(order.units, str):
            return list(submarines) if order.units == ALL else []
        if not order.units:
            return []
        taken, missing = chosen(game.rules, game.state, order.units, own)
        if missing is not None:
            return Refusal(
                f"There are not {words(game.rules, missing)} of yours to submerge in the battle in "
                f"{space_name(game.rules, battle.space)}; you have {len(own)} there.",
                rule_for(game.rules, "submarines.choose"),
                f"submerge {space_name(game.rules, battle.space)}: all",
            )
        return taken

    return Decision(
        key=f"{battle.id}:{battle.round}:submerge:{side}:{power}",
        power=power,
        kind="submerge",
        interpret=interpret,
        default=lambda: default_submerging(game, battle, side, submarines),
        space=battle.space,
        round=battle.round,
        rules=rules_for(game.rules, "submarines.choose"),
        public={"battle": battle.id, "side": side, "submarines": len(own), "rounds_fought": battle.round - 1},
        subject=battle_subject(game, battle, power),
    )


def default_submerging(game: Game, battle: Battle, side: str, submarines: Sequence[str]) -> list[str]:
    """Which submarines go under when nobody said so (P40-DP-18, P40-DP-19): attackers strike.

    Defenders submerge if no surface warship of theirs is left and the attackers have a unit that could hit them;
    where the parameter `silent_submarines` is `alone`, if only submarines and transports defend (S42-D11).
    """
    if "default_submerging" in game.rules.judgements:
        return list(game.rules.judge("default_submerging", game.state, battle, side, submarines))
    if side == ATTACK:
        return []
    state = game.state
    if game.rules.parameters.get("silent_submarines") == "alone":
        alone = all(
            can(game.rules, unit, "submerge") or can(game.rules, unit, "no_combat_value")
            for unit in battle.units(state, DEFEND)
        )
        return list(submarines) if alone else []
    if any(can(game.rules, unit, "surface_warship") for unit in battle.units(state, DEFEND)):
        return []
    finds = has_destroyer(game.rules, state, battle, ATTACK)
    values = effective_values(game.rules, state, battle, ATTACK)
    threats: list[Unit] = [unit for unit in battle.units(state, ATTACK) if values[unit.id] >= 1]
    target = state.units[submarines[0]]
    threatened = any(may_take(game.rules, category_of(game.rules, unit), finds, target) for unit in threats)
    return list(submarines) if threatened else []


def attacking_submarines_strike(game: Game, battle: Battle) -> None:
    """Surprise strike of the attackers: 2 or less; units hit wait until both sides have struck (P40-6.5.4)."""
    _strike(game, battle, ATTACK, ATTACKING_SUBMARINES)


def defending_submarines_strike(game: Game, battle: Battle) -> None:
    """Surprise strike of the defenders: 1; submarines just hit by the other strike still fire (P40-6.5.4)."""
    _strike(game, battle, DEFEND, DEFENDING_SUBMARINES)


def _strike(game: Game, battle: Battle, side: str, step: str) -> None:
    strikers = battle.strikers.get(side, [])
    if not strikers:
        return
    values = effective_values(game.rules, game.state, battle, side)
    firing = with_targets(game, battle, side, {uid: values[uid] for uid in strikers if values.get(uid, 0) >= 1})
    if firing:
        take_losses(game, battle, fire(game, battle, side, step, firing), at_once=False)


def remove_struck(game: Game, battle: Battle) -> None:
    """What the strikes destroyed is gone before anybody else fires (P40-6.5.4)."""
    remove_behind(game, battle, "remove_struck")
