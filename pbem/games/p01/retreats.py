"""Step E: the attacker presses on or withdraws. Ships go together but for submarines, landed units never go.

Where to is a judgement of the rule set; how pieces go is the common machinery's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import refuse, rules_for
from pbem.rules.battle.conditions import battle_subject, odds_now
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.battle.naming import chosen, listed, space_name
from pbem.rules.battle.retreat import destinations, needs_space, retreat
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Order, PressOn, Retreat
from pbem.rules.query import can, count_by_kind, is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def movers(rules: RuleSet, state: State, battle: Battle, boats_too: bool = False) -> list[Unit]:
    """Who withdraws: all together (P01-6.5.12, P01-6.6.5); with units landed from the sea only aircraft (P01-6.4.8).

    Submarines stay and fight on unless the order names them or nothing else is left (P01-6.5.13).
    """
    attackers = battle.units(state, ATTACK)
    if battle.landed:
        return [unit for unit in attackers if is_air(rules, unit)]
    others = [unit for unit in attackers if not can(rules, unit, "submerge")]
    return list(attackers) if boats_too or not others else others


def land_retreat_territories(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Friendly adjacent territories from which at least one of the land units came (P01-6.6.5)."""
    return tuple(
        space
        for space in battle.origins
        if not rules.board.spaces[space].is_sea
        and rules.board.adjacent(space, battle.space)
        and rules.judge("friendly_territory", state, battle.attacker, space)
    )


def sea_retreat_zones(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Adjacent open zones from which at least one of the ships came (P01-6.5.12)."""
    return tuple(
        zone
        for zone in battle.origins
        if rules.board.adjacent(zone, battle.space) and not rules.judge("hostile_zone", state, battle.attacker, zone)
    )


def press_or_retreat(game: Game, battle: Battle) -> None:
    """After a cycle the attacker may withdraw; silent, he presses on (P01-6.1.3, P01-D12). Defenders never (6.5.14)."""
    rules, state = game.rules, game.state
    going = movers(rules, state, battle)
    if not going or (needs_space(rules, going) and not destinations(rules, state, battle)):
        return
    decision = _decision(game, battle, going)
    answer = game.ask([decision])[decision.key]
    if answer["retreats"]:
        leaving = movers(rules, game.state, battle, bool(answer.get("boats")))
        retreat(game, battle, leaving, answer["to"])


def _decision(game: Game, battle: Battle, going: Sequence[Unit]) -> Decision:
    rules, state = game.rules, game.state
    open_to = destinations(rules, state, battle) if needs_space(rules, going) else ()

    def interpret(order: Order) -> Any:
        if isinstance(order, PressOn):
            return {"retreats": False}
        assert isinstance(order, Retreat)
        wrong = retreat_refusal(rules, game.state, battle, order)
        if wrong is not None:
            return wrong
        to = _destination(order) or (open_to[0] if open_to else None)
        boats = _names_boats(rules, order)
        return {"retreats": True, "to": to if open_to else None, **({"boats": True} if boats else {})}

    return Decision(
        key=f"{battle.id}:{battle.round}:retreat:{battle.attacker}",
        power=battle.attacker,
        kind="retreat",
        interpret=interpret,
        default=lambda: {"retreats": False},
        space=battle.space,
        round=battle.round,
        rules=rules_for(rules, "retreat.decide"),
        public={
            "battle": battle.id,
            "side": ATTACK,
            "domain": "sea" if rules.board.spaces[battle.space].is_sea else "land",
            "to": list(open_to),
            "own": count_by_kind(battle.units(state, ATTACK)),
            "enemy": count_by_kind(battle.units(state, DEFEND)),
        },
        subject=battle_subject(game, battle, battle.attacker),
        when_asked=odds_now(game, battle, battle.attacker),
    )


def _destination(order: Retreat) -> str | None:
    spaces = dict.fromkeys(part.to for part in order.parts if part.to is not None)
    return order.to or (next(iter(spaces)) if len(spaces) == 1 else None)


def _names_boats(rules: RuleSet, order: Retreat) -> bool:
    """Whether an order takes submarines along."""
    kinds = [pick.kind for part in order.parts for pick in part.units]
    return any(kind in ("sea", "unit") or (kind in rules.board.units and rules.board.units[kind].can("submerge"))
               for kind in kinds)  # fmt: skip


def retreat_refusal(rules: RuleSet, state: State, battle: Battle, order: Retreat) -> Refusal | None:
    """Why a withdrawal is illegal in the battle as it stands; None if it is legal."""
    here = space_name(rules, battle.space)
    if order.after_round == 0 or order.side == DEFEND:
        return refuse(rules, "retreat.decide", f"Nobody withdraws from {here} before a full cycle of battle.",
                      f"retreat {here} after round 1")  # fmt: skip
    going = movers(rules, state, battle, _names_boats(rules, order))
    landed = [state.units[one] for one in battle.landed if one in state.units]
    if battle.landed:
        names_landed = any(
            not chosen(rules, state, part.units, landed, battle=battle)[1] for part in order.parts if part.units
        )
        if order.scope in ("landed", "overland", "overland_and_air") or names_landed or order.to or not going:
            return refuse(
                rules, "retreat.seaborne",
                f"The units that landed in {here} from the sea cannot withdraw; only aircraft may break off.",
                f"retreat {here}: air" if going else f"press on {here}",
            )  # fmt: skip
        return None
    spaces = {part.to for part in order.parts if part.to is not None}
    named: list[str] = []
    for part in order.parts:
        named += chosen(rules, state, part.units, [u for u in going if u.id not in named], battle=battle)[0]
    if len(spaces) > 1 or any(part.how for part in order.parts) or (named and len(named) < len(going)):
        return refuse(rules, "retreat.together", f"All attackers withdraw from {here} together, and to one space.")
    return _destination_refusal(rules, state, battle, order, going)


def _destination_refusal(
    rules: RuleSet, state: State, battle: Battle, order: Retreat, going: Sequence[Unit]
) -> Refusal | None:
    if not needs_space(rules, going):
        return None
    here, to = space_name(rules, battle.space), _destination(order)
    open_to = destinations(rules, state, battle)
    if (to is None and open_to) or to in open_to:
        return None
    at_sea = rules.board.spaces[battle.space].is_sea
    there = space_name(rules, to) if to is not None else "anywhere"
    what = (
        "an adjacent open zone from which one of the ships came"
        if at_sea
        else ("a friendly adjacent territory from which one of the land units came")
    )
    return refuse(
        rules, "retreat.sea" if at_sea else "retreat.land",
        f"The attackers cannot withdraw from {here} to {there}: it must be {what}.",
        f"retreat {here} to {listed(rules, open_to)}" if open_to else f"press on {here}",
    )  # fmt: skip
