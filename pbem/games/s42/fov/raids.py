"""What cards change in raids: a factory hidden at the last moment, and rockets after all raids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pbem.games.s42.fov import hands, plays
from pbem.games.s42.fov.plays import lay, tell
from pbem.games.s42.fov.table import DMG, TACTICS
from pbem.games.s42.fov.weapons import COMPLEX
from pbem.games.s42.fov.weighing import Weighing
from pbem.games.s42.fov.windows import asked, conclude, sealed
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.model import ATTACK, OPENING, Battle, BattleStep, Steps, before
from pbem.rules.decisions import holds
from pbem.rules.facilities import figure_there
from pbem.rules.order_model import PlayCard
from pbem.rules.query import enemies_of
from pbem.rules.script import Game


def late_cards(game: Game, battle: Battle) -> None:
    """Hidden Factory may be played after AA fire, before the damage (FOV-T09.2, FOV-FD03, FOV-R38).

    The sealed record comes whatever is in the hand; where no bomber survives the card is kept.
    """
    owner = game.state.controller(battle.space)
    if owner not in enemies_of(game.rules, game.state, battle.attacker):
        return
    if not hands.unused(game.state, owner, TACTICS) or plays.in_force(game.state, "hidden_factory", battle.space):
        return
    bombers = len(battle.units(game.state, ATTACK))
    w = Weighing(game.rules, game.state, owner, DMG)
    if bombers:
        question = sealed(
            f"{battle.id}:late:{owner}", owner, "hidden_factory", space=battle.space,
            public={"battle": battle.id, "bombers": bombers},
        )  # fmt: skip
        subject = battle_subject(game, battle, owner)
        for line in asked(game, question):
            order = line.order
            if not isinstance(order, PlayCard) or order.card != "hidden_factory":
                continue
            if order.space in (None, battle.space) and holds(order.when, subject) and not w.played:
                w.weigh([replace(line, order=replace(order, space=battle.space))])
    conclude(game, w, ("FOV-T09.2", "FOV-6.1.8"))
    for play in w.played:
        lay(game, play, DMG, {"battle": battle.id})


def fight_raids(base: Callable[..., Any]) -> Callable[..., Any]:
    """All raids, then all rockets (FOV-W02.2)."""

    def step(game: Game, power: str) -> None:
        base(game, power)
        for play in plays.in_force(game.state, "rocket_strike"):
            rocket(game, play)

    return step


def rocket(game: Game, play: plays.Play) -> None:
    """One die of damage to a complex, without AA fire or interception, up to its maximum (FOV-W02.2 to FOV-W02.4)."""
    space = play.space or ""
    before_ = game.state.spaces[space].facility(COMPLEX)
    gun = game.state.units.get(play.units[0])
    if before_ is None or gun is None:
        tell(game, play, "nothing", ("FOV-W02.2",))
        return
    row = {"unit": gun.id, "kind": gun.kind, "owner": gun.owner, "card": play.card}
    face = game.roll(1, power=play.power, step="rocket", space=space, dice=[row])[0]
    after_ = min(before_ + face, figure_there(game.rules, COMPLEX, "max_damage", space, before_ + face))
    game.emit(
        "facility_changed",
        {"space": space, "kind": COMPLEX, "damage": after_, "why": "card", "before": before_, "rolled": face},
        ("FOV-W02.2", "FOV-W02.3", "S42-5.3.5"),
    )
    tell(game, play, "damage", ("FOV-W02.2", "FOV-W02.4"), {"amount": after_ - before_})


LATE_CARDS = BattleStep("late_cards", "Cards before the damage", late_cards, ("FOV-T09.2",), OPENING)


def bombing_steps(steps: Steps) -> Steps:
    """The steps of a raid with the moment for late cards."""
    return before(steps, "bombs", LATE_CARDS)
