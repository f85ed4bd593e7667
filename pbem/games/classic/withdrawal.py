"""Submarines leave a sea battle after a full round: the attacker's first, then the defenders', each owner for itself.

A third-edition defender may submerge instead. Where they may go is in `withdrawal_zones`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.games.classic.withdrawal_zones import battle_of_this_turn, zones_for_attacker, zones_for_defender
from pbem.rules.battle.citations import rule_for, rules_for
from pbem.rules.battle.conditions import battle_subject
from pbem.rules.battle.model import ATTACK, DEFEND, RETREAT, WON, Battle, announce, other_side
from pbem.rules.battle.naming import chosen, listed, space_name, words
from pbem.rules.battle.submarines import submerge
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.marks import RETREATED
from pbem.rules.order_model import ALL, Order, Submerge
from pbem.rules.query import can, is_air
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

SUBMERGES = "submerge"
"""Stands in an answer in place of a zone: the submarine goes under where it is (CLA-6.8.6)."""


def is_submarine(rules: RuleSet, unit: Unit) -> bool:
    """Whether a unit is a submarine, which may leave a battle alone."""
    return can(rules, unit, "no_hit_on_air")


def withdraw_submarines(game: Game, battle: Battle) -> None:
    """Attacker first, then the defenders, losses removed before and the decision to press on after (CLA-6.8.5).

    Not where the other side has a destroyer that finds them (CLA-6.8.8).
    """
    for side in (ATTACK, DEFEND):
        if battle.result is not None or _found_out(game, battle, side):
            continue
        submarines = [unit for unit in battle.units(game.state, side) if is_submarine(game.rules, unit)]
        owners = list(dict.fromkeys(unit.owner for unit in submarines))
        decisions = [
            question
            for owner in owners
            if (question := _question(game, battle, side, owner, [u.id for u in submarines if u.owner == owner]))
        ]
        if decisions:
            answers = game.ask(decisions)
            for decision in decisions:
                carry_out(game, battle, answers[decision.key])
        if not battle.units(game.state, side):
            battle.result = RETREAT if side == ATTACK else WON


def _found_out(game: Game, battle: Battle, side: str) -> bool:
    return any(can(game.rules, unit, "anti_submarine") for unit in battle.units(game.state, other_side(side)))


def places(rules: RuleSet, state: State, battle: Battle, side: str, owner: str) -> tuple[str, ...]:
    """Where submarines of an owner may go: zones, and `submerge` where they may (CLA-6.8.1, 6.8.2, 6.8.6).

    A rule set may widen it with the judgement `withdrawal_places` (state, battle, side, owner).
    """
    if "withdrawal_places" in rules.judgements:
        return tuple(rules.judge("withdrawal_places", state, battle, side, owner))
    return common_places(rules, state, battle, side, owner)


def common_places(rules: RuleSet, state: State, battle: Battle, side: str, owner: str) -> tuple[str, ...]:
    """Zones to withdraw to; in the third edition a defender may also submerge (CLA-6.8.6)."""
    if side == ATTACK:
        return zones_for_attacker(rules, state, battle)
    under = (SUBMERGES,) if rules.parameter("submersible_subs") else ()
    return (*zones_for_defender(rules, state, battle, owner), *under)


def carry_out(game: Game, battle: Battle, goes: dict[str, str]) -> None:
    """Submarines leave the battle: to their zones, or under water (CLA-6.8.2, CLA-6.8.6)."""
    under = [unit_id for unit_id, to in goes.items() if to == SUBMERGES]
    if goes:
        announce(game, battle, "withdraw_submarines")
    if under:
        submerge(game, battle, under)
    side = ATTACK if any(unit_id in battle.attackers for unit_id in goes) else DEFEND
    for zone in dict.fromkeys(to for to in goes.values() if to != SUBMERGES):
        leaving = [unit_id for unit_id, to in goes.items() if to == zone]
        rules = rules_for(game.rules, f"withdraw.{side}")
        told: dict[str, Any] = {"why": "withdrew", "battle": battle.id}
        if zone == battle.space:
            stay = {"units": leaving, "set": {RETREATED: True}, "space": zone, **told, "why": "broke_off"}
            game.emit("units_marked", stay, rules)
        else:
            moved = {"units": leaving, "from": battle.space, "to": zone, "marks": {RETREATED: True}, **told}
            game.emit("units_moved", moved, rules)
        battle.leave(leaving)


# -- the question -----------------------------------------------------------------------------------------------------


def _question(game: Game, battle: Battle, side: str, owner: str, submarines: list[str]) -> Decision | None:
    """What the owner of some submarines is asked; None where they have nowhere to go and fight on (CLA-6.8.4)."""
    rules = game.rules
    open_to = places(rules, game.state, battle, side, owner)

    def interpret_all(orders: Sequence[Order]) -> tuple[Any, Sequence[tuple[int, Refusal]]]:
        return read_withdrawals(rules, game.state, battle, side, owner, orders)

    def default() -> dict[str, str]:
        return default_withdrawal(rules, game.state, battle, side, submarines, open_to)

    return Decision(
        key=f"{battle.id}:{battle.round}:withdraw:{side}:{owner}",
        power=owner,
        kind="withdraw",
        interpret=lambda order: interpret_all([order])[0],
        interpret_all=interpret_all,
        default=default,
        space=battle.space,
        round=battle.round,
        rules=rules_for(rules, f"withdraw.ask.{side}"),
        public={
            "battle": battle.id,
            "side": side,
            "domain": "sea",
            "submarines": len(submarines),
            "to": list(open_to),
            "rounds_fought": battle.round,
        },
        subject=battle_subject(game, battle, owner),
        has_choice=bool(open_to),
        about=lambda order: isinstance(order, Submerge) or _names_submarines(game, battle, side, owner, order),
    )


def _names_submarines(game: Game, battle: Battle, side: str, owner: str, order: Order) -> bool:
    """Whether another kind of line speaks of submarines alone, where a rule set lets it (`about_submarines`)."""
    if "about_submarines" not in game.rules.judgements:
        return False
    return bool(game.rules.judge("about_submarines", game.state, battle, side, owner, order))


def default_withdrawal(
    rules: RuleSet, state: State, battle: Battle, side: str, submarines: Sequence[str], open_to: Sequence[str]
) -> dict[str, str]:
    """Silent submarines stay (CLA-D10), defenders that only aircraft oppose withdraw to the first zone (CLA-D11)."""
    helpless = side == DEFEND and all(is_air(rules, unit) for unit in battle.units(state, ATTACK))
    zones = [place for place in open_to if place not in (SUBMERGES, battle.space)]
    return dict.fromkeys(submarines, zones[0]) if helpless and zones else {}


def read_withdrawals(
    rules: RuleSet, state: State, battle: Battle, side: str, owner: str, orders: Sequence[Order]
) -> tuple[dict[str, str], list[tuple[int, Refusal]]]:
    """Which submarines go where by these lines, and the lines that are refused, by index.

    Lines that name the battle decide alone, if there are any; a line for every battle that prefers a zone takes the
    first legal one where its zone is closed.
    """
    open_to = places(rules, state, battle, side, owner)
    own = [u for u in battle.units(state, side) if u.owner == owner and is_submarine(rules, u)]
    named = [index for index, order in enumerate(orders) if getattr(order, "space", None) is not None]
    refused: list[tuple[int, Refusal]] = []
    goes: dict[str, str] = {}
    for index in named or range(len(orders)):
        order = orders[index]
        lines = [order] if isinstance(order, Submerge) else rules.judge("submarine_lines", state, battle, order)
        for line in lines:
            left = [unit for unit in own if unit.id not in goes]
            found = _one_line(rules, state, battle, side, line, left, open_to)
            if isinstance(found, Refusal):
                refused.append((index, found))
                break
            goes.update(found)
    return goes, refused


def _one_line(
    rules: RuleSet,
    state: State,
    battle: Battle,
    side: str,
    order: Submerge,
    left: Sequence[Unit],
    open_to: Sequence[str],
) -> dict[str, str] | Refusal:
    here = space_name(rules, battle.space)
    if isinstance(order.units, str):
        leaving = [unit.id for unit in left] if order.units == ALL else []
    elif not order.units:
        return {}
    else:
        leaving, missing = chosen(rules, state, order.units, left)
        if missing is not None:
            return Refusal(
                f"There are not {words(rules, missing)} of yours in the battle in {here}.",
                rule_for(rules, f"withdraw.{side}"),
            )
    to = _destination(order, open_to)
    if to == SUBMERGES and to not in open_to:
        return submerging_refusal(rules, side, open_to)
    if to is None or to not in open_to:
        return withdrawal_refusal(rules, state, battle, side, order.to, open_to)
    return dict.fromkeys(leaving, to)


def _destination(order: Submerge, open_to: Sequence[str]) -> str | None:
    """Where a line sends submarines: where it says, else to the first open zone; under water if it says that."""
    if order.to is not None and (order.to in open_to or order.space is not None):
        return order.to
    if order.to is None and not order.withdraws:
        return SUBMERGES
    zones = [place for place in open_to if place != SUBMERGES]
    return zones[0] if zones else None


def submerging_refusal(rules: RuleSet, side: str, open_to: Sequence[str]) -> Refusal:
    """Why submarines do not submerge: attackers never, defenders in the third edition only (CLA-6.8.6)."""
    zones = [place for place in open_to if place != SUBMERGES]
    hint = f"They may withdraw; open are: {listed(rules, zones)}." if zones else "They stay and fight."
    if side == ATTACK:
        reason = "Attacking submarines do not submerge."
    else:
        reason = "Submarines do not submerge in this campaign."
    return Refusal(reason, rule_for(rules, "submarines.submerge"), hint)


def withdrawal_refusal(
    rules: RuleSet, state: State, battle: Battle, side: str, to: str | None, open_to: Sequence[str]
) -> Refusal:
    """Why submarines may not withdraw to a zone (CLA-6.8.1 to CLA-6.8.4)."""
    here = space_name(rules, battle.space)
    there = space_name(rules, to) if to is not None else "anywhere"
    zones = [place for place in open_to if place != SUBMERGES]
    hint = f"Open are: {listed(rules, zones)}." if zones else "They stay and fight."
    if to is not None and to != battle.space and battle_of_this_turn(rules, state, to):
        reason = f"A battle of this turn is fought in {there}; no submarine withdraws there."
        return Refusal(reason, rule_for(rules, "withdraw.battle"), hint)
    if side == ATTACK:
        reason = (
            f"Submarines cannot withdraw from {here} to {there}: it must be an adjacent zone, empty or friendly, from "
            "which attacking ships came."
        )
    else:
        reason = (
            f"Submarines cannot withdraw from {here} to {there}: it must be an adjacent zone without enemy ships and "
            "aircraft."
        )
    return Refusal(reason, rule_for(rules, f"withdraw.{side}"), hint)
