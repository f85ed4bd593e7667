"""Rockets: once a turn an antiaircraft gun fires at an enemy's industrial complex, and its holder pays the die."""

from __future__ import annotations

from pbem.board.state import State, Unit
from pbem.games.classic.parameters import ROCKET_RANGE
from pbem.games.classic.weapons import ROCKETS, gun_could_fire_rocket, has
from pbem.rules.battle.citations import refuse, rules_for
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Rocket
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

AIMED = "turn/rocket"
"""Mark of the turn: {gun, target} of the rocket that will be fired before all battles."""


def order_rocket(game: Game, line: Filed) -> None:
    """Aim a rocket: one a turn in all (CLA-3.9, CLA-6.2.7); silent, none is fired (CLA-D04)."""
    assert isinstance(line.order, Rocket)
    gun = _gun_for(game.rules, game.state, line.power, line.order)
    if isinstance(gun, Refusal):
        game.refuse(line, "combat_move", gun)
    else:
        aimed = {"gun": gun.id, "target": line.order.target}
        game.emit("mark_set", {"key": AIMED, "value": aimed}, rules_for(game.rules, "rocket.aim"))


def _gun_for(rules: RuleSet, state: State, power: str, order: Rocket) -> Unit | Refusal:
    """The gun that fires: the one named, else the nearest; why not (CLA-6.2.7, CLA-6.2.9)."""
    name = rules.board.spaces[order.target].name
    if not has(state, power, ROCKETS):
        return refuse(rules, "rocket.weapon", "Your power has not developed rockets.")
    if AIMED in state.marks:
        return refuse(rules, "rocket.aim", "One rocket a turn is all: another is aimed already.")
    if not rules.judge("hostile_territory", state, power, order.target) or not has_complex(rules, state, order.target):
        return refuse(rules, "rocket.aim", f"{name} holds no enemy industrial complex.")
    guns = [
        unit
        for unit in state.units.values()
        if gun_could_fire_rocket(rules, state, power, unit) and order.space in (None, unit.space)
    ]
    if not guns:
        return refuse(rules, "rocket.gun", "There is no antiaircraft gun that you have held since your turn began.")
    far = {gun.id: rules.board.distance(gun.space, order.target, lambda space: True, 99) or 0 for gun in guns}
    nearest = min(guns, key=lambda gun: (far[gun.id], int(gun.id[1:])))
    if far[nearest.id] > ROCKET_RANGE:
        return refuse(
            rules, "rocket.aim",
            f"{name} is {far[nearest.id]} spaces away; a rocket reaches {ROCKET_RANGE}.",
            "Choose a nearer complex.",
        )  # fmt: skip
    return nearest


def has_complex(rules: RuleSet, state: State, space: str) -> bool:
    """Whether an industrial complex stands in a territory."""
    held = state.spaces.get(space)
    return held is not None and any(rules.board.units[kind].can("produces_units") for kind, _ in held.facilities)


def fire_rocket(game: Game) -> None:
    """One die: the controller pays that many IPC, as far as he has them; nobody fires back (CLA-6.2.8)."""
    aimed = game.state.marks.get(AIMED)
    if aimed is None or aimed["gun"] not in game.state.units:
        return
    target, power = aimed["target"], game.state.power or ""
    if not game.rules.judge("hostile_territory", game.state, power, target):
        return
    gun = game.state.units[aimed["gun"]]
    faces = game.roll(1, power=power, step="rocket", space=target, dice=[{"unit": gun.id, "kind": gun.kind}])
    payer = game.state.controller(target) or ""
    amount = min(faces[0], game.state.counter(payer))
    fired = {"power": power, "unit": gun.id, "from": gun.space, "space": target, "rolled": faces[0], "paid": amount}
    game.emit("rocket_fired", fired, rules_for(game.rules, "rocket.fire"))
    pay_damage(game, payer, amount, "rocket", target)


def pay_damage(game: Game, payer: str, amount: int, why: str, space: str) -> None:
    """Damage of raids and rockets is money to the bank; nobody's money falls below nothing (CLA-6.2.3, CLA-6.2.4)."""
    if amount:
        paid = {"power": payer, "counter": "ipc", "by": -amount, "why": why, "space": space}
        game.emit("counter_changed", paid, rules_for(game.rules, f"{why}.paid"))
