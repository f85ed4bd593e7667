"""Antiaircraft fire at the start of a battle in a territory, and guns left without other defenders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.dice_steps import AA_FIRE
from pbem.rules.battle.firing import OTHER, Volley, record_hits, roll_for
from pbem.rules.battle.hits import SINKS, Place
from pbem.rules.battle.loss_orders import aircraft_lost_first, list_key, listed_order
from pbem.rules.battle.losses import apply_losses, remove_lost
from pbem.rules.battle.model import ATTACK, DEFEND, WON, Battle, announce
from pbem.rules.decisions import Decision
from pbem.rules.marks import AIM, DROPPED
from pbem.rules.order_model import Casualties, Order
from pbem.rules.query import can, count_by_kind, is_air, type_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def guns(rules: RuleSet, state: State, battle: Battle) -> tuple[Unit, ...]:
    """Guns of powers at war with the attacker in the territory, whosever they are; cargo does not fire.

    They are pooled (S42-5.7.4) and fire in no other circumstances (S42-5.7.5). Nor do those of powers that cannot use
    what they hold (P40-2.4.4).
    """
    idle = rules.parameters.get("cannot_use_facilities", ())
    armed = (unit for unit in state.units_in(battle.space) if unit.aboard is None and can(rules, unit, "anti_air"))
    return tuple(gun for gun in armed if gun.owner not in idle and rules.judge("is_enemy", state, battle.attacker, gun))


def aa_fire(game: Game, battle: Battle) -> None:
    """Guns fire once, before round 1, at aircraft that attack the territory; a 1 hits (P40-6.6.1, 6.6.2).

    How many dice is the judgement `aa_shots`. Aircraft hit are removed before any other fire (P40-6.6.4).
    """
    rules, state = game.rules, game.state
    aircraft = [unit for unit in battle.units(state, ATTACK) if is_air(rules, unit) or unit.mark(DROPPED)]
    shots: tuple[Unit, ...] = rules.judge("aa_shots", state, battle, len(aircraft)) if aircraft else ()
    if not shots:
        return
    announce(game, battle, AA_FIRE)
    dice = sorted(((gun, _aim(rules, gun)) for gun in shots), key=lambda die: die[1])
    faces = roll_for(game, battle, AA_FIRE, dice)
    volley = Volley(DEFEND, AA_FIRE)
    for (gun, need), face in zip(dice, faces, strict=True):
        if face <= need:
            volley.hits.append((gun.id, OTHER))
    record_hits(game, battle, volley)
    if volley.hits:
        ids, by = _which(game, battle, volley, aircraft, shots[0].owner)
        apply_losses(game, battle, volley, ids, by, at_once=True)


def _aim(rules: RuleSet, gun: Unit) -> int:
    """The highest face with which a gun hits: its table's, unless a mark says otherwise."""
    return int(gun.mark(AIM, type_of(rules, gun).figure("hits_on", 1)))


def one_gun_at_every_plane(rules: RuleSet, state: State, battle: Battle, aircraft: int) -> tuple[Unit, ...]:
    """Only one gun fires however many there are: one die for each attacking aircraft (P40-6.6.3, P40-1.3.5).

    It fires also where nobody else defends (P40-13-B17).
    """
    there = guns(rules, state, battle)
    return there[:1] * aircraft


def three_shots_each(rules: RuleSet, state: State, battle: Battle, aircraft: int) -> tuple[Unit, ...]:
    """Each gun fires up to three shots, never more than one at each aircraft in all (P40-6.6.6, P40-1.3.5).

    Guns that aim better have their full share first.
    """
    there = sorted(guns(rules, state, battle), key=lambda gun: -_aim(rules, gun))
    shots = [gun for gun in there for _ in range(type_of(rules, gun).figure("shots", 3))]
    return tuple(shots[:aircraft])


def _which(game: Game, battle: Battle, volley: Volley, aircraft: Sequence[Unit], gunner: str) -> tuple[list[str], str]:
    """Which aircraft are lost: the attacker's or the defender's choice, as the rule set has it (P40-6.6.5, P40-DP-13).

    Silent, they go in the order of `aircraft_lost_first`.
    """
    chooser = battle.attacker if game.rules.parameter("aa_casualty_chooser") == "attacker" else gunner
    offered = [Place(unit.id, SINKS, False) for unit in aircraft]
    state = game.state

    def key(place: Place) -> tuple[int, bool, int, int]:
        unit = state.units[place.unit]
        return aircraft_lost_first(game.rules, unit, attacker_chooses=chooser == battle.attacker)

    default = sorted(offered, key=key)
    count = min(len(volley.hits), len(offered))
    if count == len(offered) or len({(unit.kind, unit.spent, unit.mark("start")) for unit in aircraft}) == 1:
        return [place.unit for place in default[:count]], "forced"

    def interpret(order: Order) -> Any:
        assert isinstance(order, Casualties)
        ordered, used = listed_order(game.rules, state, battle, order, offered, default, None, count)
        answer: dict[str, Any] = {"hits": [place.unit for place in ordered[:count]]}
        return answer if order.first else answer | {"list": list_key(order), "used": used}

    decision = Decision(
        key=f"{battle.id}:{battle.round}:{AA_FIRE}:{chooser}",
        power=chooser,
        kind="aa_losses",
        interpret=interpret,
        default=lambda: {"hits": [place.unit for place in default[:count]]},
        space=battle.space,
        round=battle.round,
        rules=rules_for(game.rules, "aa.choose"),
        public={
            "battle": battle.id,
            "side": ATTACK if chooser == battle.attacker else DEFEND,
            "domain": "land",
            "hits": count,
            "units": count_by_kind(aircraft),
        },
        subject=battle_subject(game, battle, chooser),
    )
    answer = game.ask([decision])[decision.key]
    if answer.get("list"):
        battle.used[answer["list"]] = answer["used"]
    return list(answer["hits"]), chooser


def lone_guns(game: Game, battle: Battle) -> None:
    """Guns that can be casualties and are left alone are destroyed without dice (P40-6.6.6, P40-6.9.8).

    Only if an attacker survived their fire; the territory then falls to a surviving land unit, if there is one.
    """
    rules = game.rules
    defenders = battle.units(game.state, DEFEND)
    if not defenders or not all(can(rules, unit, "anti_air") for unit in defenders):
        return
    if not battle.units(game.state, ATTACK):
        return
    announce(game, battle, "lone_guns")
    battle.lost[DEFEND] += [(unit.id, unit.kind) for unit in defenders]
    remove_lost(game, battle, [unit.id for unit in defenders], "lone_guns", "lone_guns")
    battle.result = WON
