"""The combat phase of the classic game: guns, rockets, raids, then all battles in the attacker's order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.board.state import State
from pbem.games.classic import flak, raids, retreat, rockets, sea, weapons
from pbem.games.classic.check import check_answer
from pbem.games.classic.loss_orders import order_of_loss
from pbem.games.classic.moves import supports_by_default
from pbem.games.classic.withdrawal_zones import zones_for_attacker
from pbem.odds.judgement import odds
from pbem.rules import marks
from pbem.rules.battle import land_battle, order_of_battles
from pbem.rules.battle.amphibious import land_cargo, waiting_cargo
from pbem.rules.battle.bombardment import bombardment
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.land_battle import fight_for
from pbem.rules.battle.model import OPENING, BattleStep, Steps, citing, replaced
from pbem.rules.battle.naming import is_kind
from pbem.rules.battle.planning import plan_battles, sea_battle_due
from pbem.rules.battle.sea_battle import sea_attackers, sea_defenders
from pbem.rules.decisions import holds
from pbem.rules.order_model import Condition, LandOnly, from_json
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game


def conduct_combat(game: Game) -> None:
    """Phase 4 (CLA-6.1.1): fire at aircraft passing over, the rocket, raids, then one battle after the other."""
    supports_by_default(game)
    flak.fire_at_passing(game)
    rockets.fire_rocket(game)
    game.run("raids", game.state.power)
    game.run("battles", game.state.power)


def battles(game: Game, power: str) -> None:
    """Sea and land battles, each to its end, in the attacker's order (CLA-6.1.1, CLA-D05).

    The sea battle of a zone comes before the landings from that zone, whatever the order says.
    """
    plan = plan_battles(game.rules, game.state, power)
    assaults = dict(plan.assaults)
    ashore = [zone for zones in assaults.values() for zone in zones]
    seas = [z for z in dict.fromkeys((*plan.seas, *ashore)) if sea_battle_due(game.rules, game.state, power, z)]
    for space in game.rules.judge("battle_order", game.state, seas, [*assaults, *plan.lands]):
        if space in assaults:
            assault(game, power, space, assaults[space])
        elif game.board.spaces[space].is_sea:
            order_of_battles.sea_battle(game, power, space)
        else:
            fight_for(game, power, space)
        game.boundary("between_battles")


def battle_order(rules: RuleSet, state: State, seas: Sequence[str], lands: Sequence[str]) -> tuple[str, ...]:
    """Spaces in the order the attacker named, then sea before land, each by name (CLA-6.1.3)."""
    named: Sequence[str] = state.marks.get(marks.BATTLE_SEQUENCE, ())
    rank = {space: place for place, space in reversed(list(enumerate(named)))}

    def key(space: str) -> tuple[int, bool, str]:
        return rank.get(space, len(named)), space not in seas, rules.board.spaces[space].name

    return tuple(sorted((*seas, *lands), key=key))


def assault(game: Game, power: str, territory: str, zones: Sequence[str]) -> None:
    """Sea battles of the zones, then the landing, in neutral land without a battle (CLA-5.10.2, CLA-6.4, CLA-5.5.6)."""
    for zone in zones:
        order_of_battles.sea_battle(game, power, zone)
    _call_off(game, power, territory, zones)
    if "before_landing" in game.rules.steps:
        game.run("before_landing", power, territory, zones)
    landed, used = land_cargo(game, power, territory, zones)
    if landed and game.rules.judge("neutral_ground", game.state, territory):
        game.run("capture", territory, power, tuple(landed))
    if game.rules.judge("hostile_territory", game.state, power, territory):
        fight_for(game, power, territory, landed, used)


def _call_off(game: Game, power: str, territory: str, zones: Sequence[str]) -> None:
    """The landing goes on after the sea battle unless a condition says otherwise (CLA-D12), and is final (5.10.5)."""
    said = game.state.marks.get(marks.land_only(territory)) or game.state.marks.get(marks.land_only(None))
    if said is None:
        return
    order = from_json({"type": LandOnly.type, "space": territory, "when": said})
    assert isinstance(order, LandOnly)
    for zone in zones:
        if not holds(order.when, _subject(game, zone, power)):
            cargo = [unit.id for unit in waiting_cargo(game.state, power, zone, territory)]
            off = {"units": cargo, "set": {marks.LANDING: None}, "why": "landing_off", "space": zone, "to": territory}
            game.emit("units_marked", off, rules_for(game.rules, "landing.called_off"))


def _subject(game: Game, zone: str, power: str) -> Callable[[Condition], int | None]:
    """The numbers such a condition may test: units left in the zone, own ones and enemies'."""

    def value(condition: Condition) -> int | None:
        if condition.subject not in ("own_left", "enemy_left"):
            return None
        enemies = condition.subject == "enemy_left"
        return sum(
            1
            for unit in game.state.units_in(zone)
            if (game.state.at_war(power, unit.owner) if enemies else unit.owner == power)
            and (condition.kind is None or is_kind(game.rules, condition.kind, unit))
        )

    return value


def battle_is_due(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """A battle comes into being in every hostile zone that own ships or aircraft entered or stay in (CLA-5.1.6, 5.1.7).

    Transports alone fight one too, without an attack (CLA-6.4.6).
    """
    return bool(sea_attackers(rules, state, power, zone) and sea_defenders(rules, state, power, zone))


def landing_open(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether cargo may land from a zone: nobody hostile is left, or the battle there was won (CLA-6.4.5, 5.9.7)."""
    return bool(state.marks.get(sea.cleared(zone))) or not rules.judge("hostile_zone", state, power, zone)


def hostile_zone(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    """Whether a sea zone holds an enemy sea unit of any type, transports and submarines included (CLA-1.2.5)."""
    table = rules.board.units
    return any(table[unit.kind].domain == "sea" and state.at_war(power, unit.owner) for unit in state.units_in(zone))


# -- steps of battles -------------------------------------------------------------------------------------------------

STEP_RULES: Mapping[str, tuple[str, ...]] = {
    "guest_fighters": ("CLA-6.7.8",),
    "attacking_submarines_strike": ("CLA-6.5.2",),
    "attackers_fire": ("CLA-6.5.3", "CLA-6.5.4", "CLA-6.5.9"),
    "defenders_fire": ("CLA-6.5.5", "CLA-6.5.9"),
    "remove_casualties": ("CLA-6.5.6",),
    "end_test": ("CLA-6.5.8", "CLA-6.5.10"),
    "withdraw_submarines": ("CLA-6.5.7", "CLA-6.8.5"),
    "press_or_retreat": ("CLA-6.5.7", "CLA-6.9.1"),
    "after_sea_battle": ("CLA-6.4.5",),
    "land_orphans": ("CLA-6.10.4",),
    "aa_fire": ("CLA-6.3.1", "CLA-6.3.3"),
    "bombardment": ("CLA-6.6.1", "CLA-6.6.4"),
    "nobody_defends": ("CLA-6.5.10",),
    "capture": ("CLA-6.10.1",),
    "begin_raid": ("CLA-6.2.1",),
    "bombs": ("CLA-6.2.3",),
    "end_raid": ("CLA-6.2.6",),
}
"""The rule behind each step."""


def kinds_of_battles(parameters: Mapping[str, Any]) -> dict[str, Steps]:
    """The steps of each kind of battle (CLA-6.5.1 to CLA-6.5.8).

    Guns fire in no sea battle (CLA-6.3.4); they are nobody's losses (CLA-6.7.4), nor are ships that support a landing
    (CLA-6.6.5), for they stand in no list of fighters.
    """
    table = {step.name: step for step in land_battle.LAND_BATTLE}
    rest = tuple(step for name, step in table.items() if name not in ("bombardment", "aa_fire", "nobody_defends"))
    shots = BattleStep("bombardment", "Battleships support the landing", bombardment, when=OPENING)
    land = (retreat.NOTE_ORIGINS, table["aa_fire"], shots, table["nobody_defends"], *rest)
    land = replaced(land, "press_or_retreat", retreat.PRESS_OR_RETREAT)
    kinds = {
        "land": land,
        "sea": sea.sea_steps(parameters),
        "raid_bombing": raids.RAID,
        flak.KIND: flak.OVERFLIGHT,
    }
    passing: Mapping[str, tuple[str, ...]] = {"aa_fire": ("CLA-5.6.1", "CLA-5.6.2"), "end_overflight": ("CLA-5.6.4",)}
    raid: Mapping[str, tuple[str, ...]] = {"aa_fire": ("CLA-6.2.2",)}
    special: Mapping[str, Mapping[str, tuple[str, ...]]] = {flak.KIND: passing, "raid_bombing": raid}
    return {kind: citing(steps_, {**STEP_RULES, **special.get(kind, {})}) for kind, steps_ in kinds.items()}


def steps() -> dict[str, Callable[..., Any]]:
    """The phase of combat and its parts."""
    return {"conduct_combat": conduct_combat, "raids": order_of_battles.raids, "battles": battles}


def judgements() -> dict[str, Callable[..., Any]]:
    """The questions that battles ask."""
    return {
        "attack_values": weapons.attack_values,
        "defense_values": weapons.defense_values,
        "dice_of": weapons.dice_of,
        "aa_shots": flak.aa_shots,
        "is_enemy": land_battle.is_enemy,
        "order_of_loss": order_of_loss,
        "sea_battle_due": battle_is_due,
        "battle_order": battle_order,
        "landing_open": landing_open,
        "may_retreat": retreat.may_retreat,
        "land_retreat_territories": retreat.land_retreat_territories,
        "sea_retreat_zones": zones_for_attacker,
        "presses_on": retreat.presses_on,
        "odds": odds,
        "check_answer": check_answer,
    }
