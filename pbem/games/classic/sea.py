"""Sea battles of the classic game: submarines that strike first, guests aboard carriers, and the zone afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.classic.orphans import land_orphans
from pbem.games.classic.retreat import PRESS_OR_RETREAT
from pbem.games.classic.withdrawal import withdraw_submarines
from pbem.rules.battle import rounds
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.dice_steps import ATTACKING_SUBMARINES
from pbem.rules.battle.firing import fire, with_targets
from pbem.rules.battle.losses import take_losses
from pbem.rules.battle.model import (
    ATTACK,
    CLOSING,
    DEFEND,
    LOST,
    OPENING,
    STANDOFF,
    WON,
    Battle,
    BattleStep,
    Steps,
    after,
    other_side,
)
from pbem.rules.battle.values import effective_values
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.marks import SUBMERGED
from pbem.rules.order_model import Consent, Order
from pbem.rules.query import can, count_by_kind, is_air
from pbem.rules.script import Game

FIRST_SHOT = "surprise_strike_attacking_only"
FIGHTER_LOSSES = "fighter_losses"


SURFACED = "surfaced"
"""Mark of a submarine that was submerged in a battle of this turn and lies in its zone again."""


def cleared(zone: str) -> str:
    """Mark of the turn: the attacker won the sea battle of a zone, which is clear for his landing (CLA-6.4.5)."""
    return f"turn/cleared/{zone}"


# -- fighters of allies aboard ----------------------------------------------------------------------------------------


def guest_fighters(game: Game, battle: Battle) -> None:
    """Allied fighters aboard attacking carriers do not fire, but may be lost if their owner agrees (CLA-6.7.8, D22)."""
    carriers = [unit.id for unit in battle.units(game.state, ATTACK) if can(game.rules, unit, "carries_aircraft")]
    aboard: dict[str, list[str]] = {}
    for ship in carriers:
        for unit in game.state.cargo_of(ship):
            if is_air(game.rules, unit) and unit.owner != battle.attacker:
                aboard.setdefault(unit.owner, []).append(unit.id)
    if not aboard:
        return
    decisions = [_may_be_lost(game, battle, owner, guests) for owner, guests in aboard.items()]
    answers = game.ask(decisions)
    for decision, guests in zip(decisions, aboard.values(), strict=True):
        if answers[decision.key]:
            battle.attackers += guests
            battle.notes["guests"] = [*battle.notes.get("guests", ()), *guests]


def _may_be_lost(game: Game, battle: Battle, owner: str, guests: Sequence[str]) -> Decision:
    def interpret(order: Order) -> bool | Refusal:
        assert isinstance(order, Consent)
        return order.allowed

    return Decision(
        key=f"{battle.id}:guests:{owner}",
        power=owner,
        kind="consent",
        interpret=interpret,
        default=lambda: False,
        space=battle.space,
        rules=rules_for(game.rules, "guests.agree"),
        public={
            "battle": battle.id,
            "about": FIGHTER_LOSSES,
            "own": count_by_kind(game.state.units[unit_id] for unit_id in guests),
            "silent": "refuse",
        },
        about=lambda order: isinstance(order, Consent) and order.to == FIGHTER_LOSSES,
    )


def drop_guests(game: Game, battle: Battle) -> None:
    """Guests whose carrier is sunk go down with it (CLA-6.7.7); guests alone are no attack."""
    guests = [uid for uid in battle.notes.get("guests", ()) if uid in game.state.units]
    lost = [uid for uid in guests if game.state.units[uid].aboard is None]
    if lost:
        gone = {"space": battle.space, "units": lost, "why": "carrier_lost", "battle": battle.id}
        game.emit("units_removed", gone, rules_for(game.rules, "losses.cargo"))
        battle.leave(lost)
    if guests and all(unit.id in guests for unit in battle.units(game.state, ATTACK)):
        battle.leave(guests)
        if battle.units(game.state, DEFEND):
            battle.result = LOST


# -- fire -------------------------------------------------------------------------------------------------------------


def submarines_strike(game: Game, battle: Battle) -> None:
    """Attacking submarines fire first, in every round; what they hit is gone and does not fire (CLA-6.5.2, CLA-6.5.8).

    Defending submarines fire with the other defenders (CLA-6.5.5). A destroyer that can find submarines takes the
    first shot from them (CLA-6.8.8).
    """
    if destroyer_faces(game, battle, ATTACK):
        return
    values = effective_values(game.rules, game.state, battle, ATTACK)
    firing = {u.id: values[u.id] for u in battle.units(game.state, ATTACK) if can(game.rules, u, FIRST_SHOT)}
    aimed = with_targets(game, battle, ATTACK, firing)
    battle.acted += list(firing)
    if aimed:
        take_losses(game, battle, fire(game, battle, ATTACK, ATTACKING_SUBMARINES, aimed), at_once=True)


def destroyer_faces(game: Game, battle: Battle, side: str) -> bool:
    """Whether a side's submarines face an enemy destroyer that can find them."""
    return any(can(game.rules, unit, "anti_submarine") for unit in battle.units(game.state, other_side(side)))


def aircraft_find_only_submarines(game: Game, battle: Battle) -> None:
    """The battle ends when only aircraft of one side and submarines of the other are left (option, CLA-6.8.7)."""
    sides = [battle.units(game.state, side) for side in (ATTACK, DEFEND)]
    for one, other in (sides, reversed(sides)):
        if all(is_air(game.rules, unit) for unit in one) and all(can(game.rules, u, FIRST_SHOT) for u in other):
            battle.result = STANDOFF


# -- afterwards -------------------------------------------------------------------------------------------------------


def after_sea_battle(game: Game, battle: Battle) -> None:
    """A zone without enemies in the battle is clear for the attacker (CLA-6.4.5); submarines surface (CLA-6.8.6)."""
    if battle.result == WON:
        clear = {"key": cleared(battle.space), "value": True}
        game.emit("mark_set", clear, rules_for(game.rules, "sea.cleared"))
    if game.rules.parameter("two_hit_battleship") == "end_of_battle":
        _repair(game)
    under = [unit.id for unit in game.state.units_in(battle.space) if unit.mark(SUBMERGED)]
    if under:
        surfaced = {"units": under, "set": {SUBMERGED: None, SURFACED: True}, "why": "surfaced", "space": battle.space}
        game.emit("units_marked", surfaced, rules_for(game.rules, "submarines.surface"))


def _repair(game: Game) -> None:
    """Battleships that were hit are whole again when the battle is over (option, CLA-13.2)."""
    hurt: dict[str, list[str]] = {}
    for unit in game.state.units.values():
        if unit.damage:
            hurt.setdefault(unit.space, []).append(unit.id)
    for space, ships in hurt.items():
        whole = {"space": space, "damage": dict.fromkeys(ships, 0), "why": "repair"}
        game.emit("units_damaged", whole, ("CLA-13.2",))


def sea_steps(parameters: Mapping[str, Any]) -> Steps:
    """A sea battle round by round (CLA-6.4, CLA-6.5)."""
    steps: Steps = (
        BattleStep("guest_fighters", "Fighters of allies aboard", guest_fighters, when=OPENING),
        BattleStep("attacking_submarines_strike", "Attacking submarines fire", submarines_strike),
        BattleStep("attackers_fire", "Attackers fire", rounds.attackers_fire),
        BattleStep("defenders_fire", "Defenders fire", rounds.defenders_fire),
        BattleStep("remove_casualties", "Casualties are removed", rounds.remove_casualties),
        BattleStep("drop_guests", "Guests of sunk carriers", drop_guests),
        BattleStep("end_test", "Is the battle over?", rounds.end_test),
        BattleStep("withdraw_submarines", "Submarines may withdraw", withdraw_submarines),
        PRESS_OR_RETREAT,
        BattleStep("after_sea_battle", "The zone after the battle", after_sea_battle, when=CLOSING),
        BattleStep("land_orphans", "Fighters without a carrier land", land_orphans, when=CLOSING),
    )
    if parameters["air_vs_sub_ends_battle"]:
        extra = BattleStep("only_submarines", "Aircraft find only submarines", aircraft_find_only_submarines)
        steps = after(steps, "end_test", extra)
    return steps
