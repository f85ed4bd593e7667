"""Fortunes of Victory put together: steps, judgements and battle steps that it adds to, replaces or wraps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.s42.fov import (
    battle_steps,
    cases,
    checking,
    draw,
    fire,
    fortune,
    hands,
    moves,
    phases,
    raids,
    seen,
    tactics,
    turn,
    weapons,
    windows,
)
from pbem.games.s42.fov.plays import CARD
from pbem.games.s42.fov.table import CARDS, DECKS, DRAW_PHASE, OPTIONS
from pbem.games.s42.parameters import UnknownOption
from pbem.rules.battle.dice_steps import OWN_STEPS
from pbem.rules.ruleset import RuleSet

OWN_DICE = ("rail_gun", "rocket", "victory_die", "research", "donation", "military_support")
"""Steps of cards whose dice are the active power's own."""

FIRE_RULES: Mapping[str, tuple[str, ...]] = {
    "card.jet_fighter": ("FOV-W05.2", "S42-5.4.3"),
    "card.super_bombers": ("FOV-W04.2",),
    "card.heavy_artillery": ("FOV-W08.1", "FOV-W08.2", "FOV-W08.4"),
    "card.heavy_tank": ("FOV-W09.1", "FOV-W09.2"),
    "card.powerful_torpedoes": ("FOV-W10.2", "FOV-W10.3", "FOV-W10.4"),
    "card.mechanized_offensive": ("FOV-T03.4",),
    "card.airborne_assault": ("FOV-T05.4",),
    "card.air_supremacy": ("FOV-T01.3",),
    "card.combined_arms": ("FOV-T02.1", "FOV-T02.2"),
    "card.entrenchment": ("FOV-T08.1",),
    "card.fortification": ("FOV-T07.2",),
    "card.fog_of_war": ("FOV-F02.2",),
    "card.rail_gun": ("FOV-W01.4", "FOV-W01.5", "FOV-FD07"),
    "losses.overrun": ("FOV-F03.4",),
}
"""Where the rule book says what about dice and losses."""

ODDS_STEPS: Mapping[str, str] = {
    "attackers_fire": "attackers_fire",
    "remove_struck": "remove",
    "press_or_retreat": "helpless_attackers",
    "rail_gun": "pbem.games.s42.fov.chances:RAIL_GUNS",
    "supreme_excellence": "pbem.games.s42.fov.chances:SUPREME_EXCELLENCE",
    **dict.fromkeys(("round_one_begins", "severe_weather"), "nothing"),
}
"""What the steps that cards add or wrap mean for odds (see `chances`)."""

CHECKED_HERE = (weapons, tactics, fortune)
"""Chapters that register the checks of their cards when they are loaded."""


def compose(rules: RuleSet) -> RuleSet:
    """The base game's rule set with the cards on top (FOV-1.8); the option `interceptors` suits them (FOV-1.9).

    Orders about cards are read with all others (FOV-10.1).
    """
    chosen = chosen_options(rules.options)
    base = rules.steps
    return rules.but(
        parameters=_parameters(rules, chosen),
        steps={
            "begin_turn": turn.begin_turn(base["begin_turn"]),
            "end_turn": turn.end_turn(base["end_turn"]),
            "combat_move": windows.combat_move(base["combat_move"]),
            "reactions": windows.reactions,
            "raids": raids.fight_raids(base["raids"]),
            "dice_seen": seen.dice_seen,
            "hits_fall": seen.hits_fall,
            "land_battle_begins": battle_steps.land_battle_begins,
            "noncombat_move": windows.noncombat_move(base["noncombat_move"]),
            "mobilize": phases.mobilize(base["mobilize"]),
            "collect_income": phases.collect_income(base["collect_income"]),
            DRAW_PHASE: draw.draw_phase,
        },
        judgements={
            "attack_values": fire.attack_values,
            "defense_values": fire.defense_values,
            "shots": fire.shots,
            "fire_topics": fire.fire_topics,
            "bomb_loads": fire.bomb_loads,
            "bomb_damage": fire.bomb_damage,
            "movement_points": moves.movement_points,
            "blitzes": moves.blitzes,
            "move_faults": moves.move_faults,
            "sites": phases.sites,
            "check_sealed": checking.check_sealed,
            "case_facts": cases.case_facts,
            "round_is_unlike": fire.round_is_unlike,
        },
        battles={
            "land": battle_steps.land_steps(rules.battles["land"]),
            "sea": battle_steps.sea_steps(rules.battles["sea"]),
            "raid_bombing": raids.bombing_steps(rules.battles["raid_bombing"]),
        },
        next_segment=turn.next_segment,
    )


def chosen_options(options: Mapping[str, Any]) -> dict[str, bool]:
    """The switches of the rule book's open questions with what a campaign sets (section 12); UnknownOption else."""
    chosen = dict(OPTIONS)
    for name in OPTIONS:
        if name in options:
            if not isinstance(options[name], bool):
                raise UnknownOption(f"option {name} is true or false, not {options[name]!r}")
            chosen[name] = options[name]
    return chosen


def _parameters(rules: RuleSet, chosen: Mapping[str, bool]) -> dict[str, Any]:
    orders: Mapping[str, tuple[str, ...]] = rules.parameter("loss_orders")
    books: Mapping[str, tuple[str, ...]] = rules.parameter("battle_citations")
    on_land = {name: ("tank/damage", *orders[name]) for name in ("land_attack", "land_defend")}
    return {
        **chosen,
        "odds_falls": {fire.HEAVY: "pbem.games.s42.fov.chances:heavy_hit"},
        "odds_steps": {**rules.parameters.get("odds_steps", {}), **ODDS_STEPS},
        "phases": turn.PHASES,
        "decks": DECKS,
        "setup_facts": hands.set_up(chosen["starting_cards_extra"]),
        "special_lines": {"play": moves.act_on_card},
        "sealed_answers": ("play", "draw", "discard", "research"),
        "card_hints": {kind.id: (kind.moments_under(chosen), kind.order) for kind in CARDS.values()},
        "cards_of_own_turn": tuple(kind.id for kind in CARDS.values() if kind.own_turn(chosen)),
        "own_dice_steps": (*rules.parameters.get("own_dice_steps", OWN_STEPS), *OWN_DICE),
        "loss_orders": {**orders, **on_land},
        "dear_marks": (CARD,),
        "battle_citations": {**books, "aa.choose": (*books["aa.choose"], "FOV-FD08"), **FIRE_RULES},
        "movement_citations": {
            **rules.parameter("movement_citations"),
            "scramblers_land": ("FOV-T06.4", "FOV-FD09"),
        },
    }
