"""The last step of a round: the attacker presses on or retreats, all together and to one space.

Seaborne units never retreat from a land battle; overland units and aircraft of an assault do so together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.board.state import State, Unit
from pbem.rules.battle.citations import rule_for, rules_for
from pbem.rules.battle.conditions import battle_subject, odds_now
from pbem.rules.battle.losses import remove_lost
from pbem.rules.battle.model import ATTACK, DEFEND, LOST, Battle, announce
from pbem.rules.battle.model import RETREAT as RETREATED_RESULT
from pbem.rules.battle.naming import chosen, listed, space_name
from pbem.rules.battle.plans import plan_presses_on, retreat_planned
from pbem.rules.battle.press_on import default_presses_on
from pbem.rules.battle.rounds import able_to_hit
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.marks import FROM, HOSTILE_AT_START, LANDING, RETREATED
from pbem.rules.order_model import BattlePlan, Order, PressOn, Retreat
from pbem.rules.query import can, count_by_kind, ids, is_air, is_land, is_ship
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

# -- who may go where -----------------------------------------------------------------------------------------------


def movers(rules: RuleSet, state: State, battle: Battle) -> tuple[Unit, ...]:
    """Attackers that may retreat: all but those that came ashore in this battle (P40-6.3.12, P40-6.9.2).

    Overland units may (P40-13-A19).

    A rule set may say otherwise with the judgement `may_retreat` (state, battle).
    """
    if "may_retreat" in rules.judgements:
        return tuple(rules.judge("may_retreat", state, battle))
    return tuple(unit for unit in battle.units(state, ATTACK) if unit.id not in battle.landed)


def needs_space(rules: RuleSet, units: Sequence[Unit]) -> bool:
    """Whether a retreat of these units needs a place to go: aircraft alone stay over the space (P40-6.9.6)."""
    return any(not is_air(rules, unit) for unit in units)


def destinations(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Spaces to which the attacker's land units or ships may retreat, in the order they came from."""
    judgement = "sea_retreat_zones" if rules.board.spaces[battle.space].is_sea else "land_retreat_territories"
    found = rules.judge(judgement, state, battle)
    assert isinstance(found, tuple)
    return found


def land_retreat_territories(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Adjacent territories, friendly now, that one of the attacking land units came from last (P40-6.9.3).

    For a tank that blitzed it is the territory that it took on its way (S42-5.10.3).
    """
    return tuple(
        space
        for space in battle.origins
        if rules.board.adjacent(space, battle.space)
        and not rules.board.spaces[space].is_sea
        and rules.judge("friendly_territory", state, battle.attacker, space)
    )


def sea_retreat_zones(rules: RuleSet, state: State, battle: Battle) -> tuple[str, ...]:
    """Adjacent zones one of the attacking ships came from, friendly at the turn's start and without enemy surface
    warships now (P40-6.9.4, 6.9.5, 6.9.10, P40-6.1.4, P40-13-B7)."""
    hostile_at_start = state.marks.get(HOSTILE_AT_START, ())
    return tuple(
        zone
        for zone in battle.origins
        if rules.board.adjacent(zone, battle.space)
        and zone not in hostile_at_start
        and not rules.judge("hostile_zone", state, battle.attacker, zone)
    )


# -- the step -------------------------------------------------------------------------------------------------------


def press_or_retreat(game: Game, battle: Battle) -> None:
    """After a full round the attacker may retreat, never the defender or his scramblers (P40-6.9.1, 6.9.8, 5.2.6).

    That holds for overland units and aircraft also when nobody landed from the sea (P40-6.3.11).

    Attacking transports left alone are lost if they have nowhere to go and the defender can still fire
    (P40-6.5.11).
    """
    rules, state = game.rules, game.state
    going = movers(rules, state, battle)
    if not going:
        return
    open_to = destinations(rules, state, battle) if needs_space(rules, going) else ()
    if needs_space(rules, going) and not open_to:
        if _helpless(game, battle):
            _lose_transports(game, battle)
        return
    decision = _decision(game, battle, going, open_to)
    answer = game.ask([decision])[decision.key]
    if answer["retreats"]:
        retreat(game, battle, going, answer["to"])


def _helpless(game: Game, battle: Battle) -> bool:
    attackers = battle.units(game.state, ATTACK)
    return all(can(game.rules, unit, "no_combat_value") for unit in attackers) and able_to_hit(game, battle, DEFEND)


def _lose_transports(game: Game, battle: Battle) -> None:
    lost = battle.units(game.state, ATTACK)
    announce(game, battle, "press_or_retreat")
    battle.lost[ATTACK] += [(unit.id, unit.kind) for unit in lost]
    remove_lost(game, battle, ids(lost), "press_or_retreat", "no_retreat")
    battle.result = LOST


def _decision(game: Game, battle: Battle, going: Sequence[Unit], open_to: tuple[str, ...]) -> Decision:
    def interpret(order: Order) -> Any:
        if isinstance(order, PressOn):
            return {"retreats": False}
        if isinstance(order, BattlePlan):
            stays = plan_presses_on(game.rules, game.state, battle, order)
            return {"retreats": False} if stays else {"retreats": True, "to": open_to[0] if open_to else None}
        assert isinstance(order, Retreat)
        wrong = retreat_refusal(game.rules, game.state, battle, order)
        if wrong is not None:
            return wrong
        to = order.to or _only_destination(order) or (open_to[0] if open_to else None)
        return {"retreats": True, "to": to if open_to else None}

    def default() -> Any:
        if default_presses_on(game, battle):
            return {"retreats": False}
        return {"retreats": True, "to": open_to[0] if open_to else None}

    rules = game.rules
    return Decision(
        key=f"{battle.id}:{battle.round}:retreat:{battle.attacker}",
        power=battle.attacker,
        kind="retreat",
        interpret=interpret,
        default=default,
        space=battle.space,
        round=battle.round,
        rules=rules_for(rules, "retreat.decide"),
        public={
            "battle": battle.id,
            "side": ATTACK,
            "domain": "sea" if rules.board.spaces[battle.space].is_sea else "land",
            "to": list(open_to),
            "own": count_by_kind(battle.units(game.state, ATTACK)),
            "enemy": count_by_kind(battle.units(game.state, DEFEND)),
        },
        subject=battle_subject(game, battle, battle.attacker),
        when_asked=odds_now(game, battle, battle.attacker),
        about=lambda order: retreat_planned(order, battle.round) if isinstance(order, BattlePlan) else True,
    )


def _only_destination(order: Retreat) -> str | None:
    spaces = list(dict.fromkeys(part.to for part in order.parts if part.to is not None))
    return spaces[0] if len(spaces) == 1 else None


# -- what is wrong with an order to retreat -------------------------------------------------------------------------


def retreat_refusal(rules: RuleSet, state: State, battle: Battle, order: Retreat) -> Refusal | None:
    """Why an attacker's retreat is illegal in the battle as it stands; None if it is legal."""
    here = space_name(rules, battle.space)
    going = movers(rules, state, battle)
    if order.after_round == 0 or order.side == DEFEND:
        return _refuse(rules, "retreat.after_round", f"Nobody retreats from {here} before one full round of battle.",
                       f"retreat {here} after round 1")  # fmt: skip
    if not going:
        return _refuse(rules, "retreat.seaborne", f"The units that landed in {here} from the sea cannot retreat.")
    wrong = _scope_refusal(rules, state, battle, order) or _parts_refusal(rules, state, battle, order)
    if wrong is not None:
        return wrong
    to = order.to or _only_destination(order)
    if not needs_space(rules, going):
        return None
    open_to = destinations(rules, state, battle)
    if to is None and open_to:
        return None
    if to is not None and to in open_to:
        return None
    return _destination_refusal(rules, state, battle, to, open_to)


def _destination_refusal(
    rules: RuleSet, state: State, battle: Battle, to: str | None, open_to: tuple[str, ...]
) -> Refusal:
    here = space_name(rules, battle.space)
    there = space_name(rules, to) if to is not None else "anywhere"
    hint = f"retreat {here} to {listed(rules, open_to)}" if open_to else f"press on {here}"
    if not rules.board.spaces[battle.space].is_sea:
        return _refuse(
            rules,
            "retreat.land",
            f"The land units cannot retreat from {here} to {there}: it must be an adjacent territory, friendly now, "
            "from which at least one of them came.",
            hint,
        )
    if not battle.origins:
        return _refuse(
            rules,
            "retreat.sea_none",
            f"The ships cannot retreat from {here} to {there}: none of them came from another zone this turn.",
            hint,
        )
    fit = rules.parameters.get("retreat_zone_is", "friendly when the turn began and free of enemy surface warships now")
    return _refuse(
        rules,
        "retreat.sea",
        f"The ships cannot retreat from {here} to {there}: it must be an adjacent zone from which one of them came, "
        f"{fit}.",
        hint,
    )


def _scope_refusal(rules: RuleSet, state: State, battle: Battle, order: Retreat) -> Refusal | None:
    """A part of an assault named by `scope`: landed units never, overland units and aircraft only together."""
    if order.scope is None:
        return None
    here = space_name(rules, battle.space)
    going = movers(rules, state, battle)
    air = any(is_air(rules, unit) for unit in going)
    ground = any(not is_air(rules, unit) for unit in going)
    if order.scope == "landed":
        return _refuse(rules, "retreat.seaborne", f"The units that landed in {here} from the sea cannot retreat.")
    if (order.scope == "air" and ground) or (order.scope == "overland" and air):
        return _together(rules, battle)
    return None


def _parts_refusal(rules: RuleSet, state: State, battle: Battle, order: Retreat) -> Refusal | None:
    """A retreat divided into parts: everybody who may retreat must go, and to one space (P40-6.9.2, 6.3.13)."""
    if not order.parts:
        return None
    going = movers(rules, state, battle)
    ashore = [state.units[unit_id] for unit_id in battle.landed if unit_id in state.units]
    named: list[str] = []
    for part in order.parts:
        taken, missing = chosen(
            rules, state, part.units, [unit for unit in going if unit.id not in named], battle=battle
        )
        if missing is not None and ashore and not chosen(rules, state, part.units, ashore, battle=battle)[1]:
            here = space_name(rules, battle.space)
            return _refuse(rules, "retreat.seaborne", f"The units that landed in {here} from the sea cannot retreat.")
        named += taken
    spaces = {part.to for part in order.parts if part.to is not None}
    if order.to is not None:
        spaces.add(order.to)
    left = [unit for unit in going if unit.id not in named]
    breaks_off = {part.how for part in order.parts} == {"break_off"} and not needs_space(rules, going)
    if len(spaces) > 1 or (any(part.how is not None for part in order.parts) and not breaks_off):
        return _one_body(rules, battle)
    if left and battle.landed:
        return _together(rules, battle)
    if any(not is_air(rules, unit) for unit in left) or (left and not needs_space(rules, going)):
        return _one_body(rules, battle)
    return None


def _one_body(rules: RuleSet, battle: Battle) -> Refusal:
    here = space_name(rules, battle.space)
    return _refuse(
        rules,
        "retreat.together",
        f"All attackers retreat from {here} together, and to one space.",
        f"retreat {here} to {listed(rules, battle.origins[:1])}" if battle.origins else None,
    )


def _together(rules: RuleSet, battle: Battle) -> Refusal:
    here = space_name(rules, battle.space)
    return _refuse(
        rules,
        "retreat.assault",
        f"The overland units and the aircraft in the battle of {here} retreat at the same time or not at all.",
        f"retreat {here}: overland and air",
    )


def _refuse(rules: RuleSet, topic: str, reason: str, suggestion: str | None = None) -> Refusal:
    return Refusal(reason, rule_for(rules, topic), suggestion)


# -- going ----------------------------------------------------------------------------------------------------------


def retreat(game: Game, battle: Battle, going: Sequence[Unit], to: str | None) -> None:
    """Carry out a retreat: land units or ships to one space, cargo along; aircraft wait over the space.

    Transports keep their cargo aboard and nothing of it lands this turn (P40-6.9.9); submerged submarines, which left
    the battle, stay where they are (P40-6.9.7). Units that landed fight on (P40-6.3.13).
    """
    rules = game.rules
    announce(game, battle, "press_or_retreat")
    walking = [unit.id for unit in going if not is_air(rules, unit)]
    flying = [unit.id for unit in going if is_air(rules, unit)]
    if walking and to is not None:
        cargo = [piece.id for unit_id in walking for piece in game.state.cargo_of(unit_id) if piece.id not in flying]
        aboard = [unit_id for unit_id in flying if game.state.units[unit_id].aboard in walking]
        if aboard:
            game.emit("units_unloaded", {"units": aboard, "from": battle.space, "to": battle.space, "why": "airborne"})
        game.emit(
            "units_moved",
            {
                "units": walking,
                "from": battle.space,
                "to": to,
                "why": "retreat",
                "battle": battle.id,
                "marks": {RETREATED: True},
            },
            rules_for(rules, *_retreat_topics(game, battle, going, to)),
        )
        if cargo:
            game.emit(
                "units_marked",
                {"units": cargo, "set": {RETREATED: True, LANDING: None}},
                rules_for(rules, "retreat.cargo"),
            )
    if flying:
        game.emit(
            "aircraft_broke_off",
            {"battle": battle.id, "space": battle.space, "units": flying},
            rules_for(rules, "retreat.air"),
        )
    battle.leave([unit.id for unit in going])
    if not battle.units(game.state, ATTACK):
        battle.result = RETREATED_RESULT


def _retreat_topics(game: Game, battle: Battle, going: Sequence[Unit], to: str) -> list[str]:
    topics = ["retreat.go_sea" if game.board.spaces[to].is_sea else "retreat.go_land"]
    if battle.landed:
        topics.append("retreat.leaves_landed")
    if all(can(game.rules, unit, "no_combat_value") for unit in going):
        topics.append("retreat.transports_alone")
    return topics


def came_from(rules: RuleSet, units: Sequence[Unit], space: str) -> tuple[str, ...]:
    """Spaces the ships or land units among these came from last, each once, in their order."""
    found: list[str] = []
    for unit in units:
        came = unit.mark(FROM)
        if (is_ship(rules, unit) or is_land(rules, unit)) and came not in (None, space) and came not in found:
            found.append(came)
    return tuple(found)
