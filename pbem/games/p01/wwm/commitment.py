"""Patrols next to a sea battle may send fighters into it, each once in an enemy's turn; they fly back afterwards.

In their owner's own turn they attack like fighters that begin in their zone (WWM-5.8); else they stay on patrol until
his next deployment of air groups, and defend the zone only (WWM-5.9).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules import marks
from pbem.rules.battle.citations import refuse, rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.model import CLOSING, DEFEND, OPENING, Battle, BattleStep
from pbem.rules.battle.naming import chosen, space_name
from pbem.rules.battle.planning import sea_battle_due
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import CommitPatrol, Order
from pbem.rules.query import enemies_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

AWAY_FROM = "patrol_from"
"""Mark of a patrol fighter in a battle next door: the zone it patrols over."""
COMMITTED = "committed"
"""Mark of a patrol fighter that was in such a battle in this turn."""


def ready_patrols(rules: RuleSet, state: State, battle: Battle, power: str) -> list[Unit]:
    """A power's fighters that patrol over zones next to a battle and may join it (WWM-5.7).

    Not twice in a turn, and not from a patrol that is itself attacked in this turn.
    """
    found: list[Unit] = []
    for zone in rules.board.seas_beside(battle.space):
        attacked = state.marks.get(marks.sea_battle(zone)) or sea_battle_due(rules, state, battle.attacker, zone)
        if attacked:
            continue
        found += [
            unit for unit in state.units_in(zone)
            if unit.owner == power and unit.mark(marks.CAP) and not unit.mark(COMMITTED)
        ]  # fmt: skip
    return found


def commit_patrols(game: Game, battle: Battle) -> None:
    """Before the first cycle each owner of patrols next door may commit any of their fighters (WWM-5.6, WWM-D09).

    They defend at 4 and may be casualties; silent, none come. Owners decide sealed against each other.
    """
    decisions = [
        _decision(game, battle, power)
        for power in enemies_of(game.rules, game.state, battle.attacker)
        if ready_patrols(game.rules, game.state, battle, power)
    ]
    if not decisions:
        return
    answers = game.ask(decisions)
    for decision in decisions:
        by_zone: dict[str, list[str]] = {}
        for unit_id in answers[decision.key]:
            by_zone.setdefault(game.state.units[unit_id].space, []).append(unit_id)
        for zone, fighters in by_zone.items():
            came = {"units": fighters, "from": zone, "to": battle.space, "why": "committed",
                    "marks": {AWAY_FROM: zone}}  # fmt: skip
            game.emit("units_moved", came, rules_for(game.rules, "patrols.commit"))
            battle.defenders += fighters


def _decision(game: Game, battle: Battle, power: str) -> Decision:
    ready = ready_patrols(game.rules, game.state, battle, power)

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, Sequence[tuple[int, Refusal]]]:
        sent: list[str] = []
        refused: list[tuple[int, Refusal]] = []
        for index, order in enumerate(orders):
            if not isinstance(order, CommitPatrol) or order.to != battle.space:
                continue
            there = [unit for unit in ready if unit.space == order.zone and unit.id not in sent]
            taken, missing = chosen(game.rules, game.state, order.units, there, power)
            if missing is not None:
                refused.append((index, _cannot(game, battle, order)))
            else:
                sent += taken
        return sent, refused

    return Decision(
        key=f"{battle.id}:commit:{power}",
        power=power,
        kind="commit",
        interpret=lambda order: interpret_all([order])[0],
        interpret_all=interpret_all,
        default=list,
        space=battle.space,
        rules=rules_for(game.rules, "patrols.commit"),
        public={"battle": battle.id, "side": DEFEND, "zones": list(dict.fromkeys(unit.space for unit in ready)),
                "fighters": len(ready)},
        subject=battle_subject(game, battle, power),
        reaction=True,
    )  # fmt: skip


def _cannot(game: Game, battle: Battle, order: CommitPatrol) -> Refusal:
    zone, here = space_name(game.rules, order.zone), space_name(game.rules, battle.space)
    return refuse(
        game.rules, "patrols.commit",
        f"No such fighters of yours over {zone} can join the battle in {here}: a patrol next to it may, once in a "
        "turn, unless it is attacked itself.",
    )  # fmt: skip


def fly_back(game: Game, battle: Battle) -> None:
    """Fighters that are left return to the zone they patrol over (WWM-5.7)."""
    away = [unit for unit in game.state.units_in(battle.space) if unit.mark(AWAY_FROM)]
    for zone in dict.fromkeys(str(unit.mark(AWAY_FROM)) for unit in away):
        back = [unit.id for unit in away if unit.mark(AWAY_FROM) == zone]
        home = {"units": back, "from": battle.space, "to": zone, "why": "patrol",
                "marks": {AWAY_FROM: None, COMMITTED: True}}  # fmt: skip
        game.emit("units_moved", home, rules_for(game.rules, "patrols.back"))


COMMIT = BattleStep("commit_patrols", "Patrols next door join", commit_patrols, ("WWM-5.6", "WWM-5.7"), when=OPENING)
FLY_BACK = BattleStep("fly_back", "Patrols fly back", fly_back, ("WWM-5.7",), when=CLOSING)
