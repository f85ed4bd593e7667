"""The options of the classic game and the figures its chapters read: what each edition sets, what a campaign may set.

A variant adds options of its own; nothing here asks whether one is on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.catalog import UnknownGame
from pbem.games.classic.loss_orders import LOSS_ORDERS
from pbem.games.classic.paratroops import drop
from pbem.rules.battle.dice_steps import OWN_STEPS
from pbem.rules.vocabulary import OF_CARDS, OF_PATROLS, OF_TASK_FORCES

SECOND_EDITION: Mapping[str, Any] = {
    "russia_restricted": "off",
    "axis_advantage": False,
    "total_victory": False,
    "victory_check": "booklet",
    "economic_victory": True,
    "allied_economic_victory": 0,
    "no_new_complexes": False,
    "ic_limit": 0,
    "piece_limit": "off",
    "naval_placement_in_enemy_zone": False,
    "bid": {},
    "sbr_cap": False,
    "heavy_bomber_dice": 3,
    "tech_delay": False,
    "no_technology": False,
    "neutral_overflight": "violate",
    "neutrals_impassable": False,
    "neutral_charge": 3,
    "bombard_no_return_fire": False,
    "partial_amphibious_retreat": False,
    "two_hit_battleship": "off",
    "submersible_subs": False,
    "super_sub_defence": False,
    "air_vs_sub_ends_battle": False,
    "always_active_aa": False,
    "multiple_aa": False,
    "kamikaze": False,
    "scorched_earth": False,
    "one_panama_zone": False,
    "paratroopers": False,
    "single_unload": False,
    "strict_transport_combat": False,
    "limited_original_ics": False,
    "destroyers_and_artillery": False,
}
"""The second edition: options and what they are when a campaign says nothing (CLA-9.2.4, CLA-11.1 to CLA-11.8)."""

THIRD_EDITION: Mapping[str, Any] = {
    **SECOND_EDITION,
    "submersible_subs": True,
    "multiple_aa": True,
    "naval_placement_in_enemy_zone": True,
}
"""The third edition (CLA-13.3); aircraft that leave an assault and leaving shared zones are in `DIFFERENCES`."""

EDITIONS: Mapping[str, Mapping[str, Any]] = {"2e": SECOND_EDITION, "3e": THIRD_EDITION, "ib": THIRD_EDITION}

DIFFERENCES: Mapping[str, Mapping[str, Any]] = {
    "2e": {"aircraft_leave_assaults": False, "leaving_needs_combat": False, "extra_units": ()},
    "3e": {"aircraft_leave_assaults": True, "leaving_needs_combat": True, "extra_units": ()},
    "ib": {"aircraft_leave_assaults": True, "leaving_needs_combat": True, "extra_units": ("marine", "destroyer")},
}
"""What else an edition decides (CLA-13.3, CLA-5.1.6, CLA-6.9.8); Iron Blitz is the third with two more units."""

CHOICES: Mapping[str, tuple[Any, ...]] = {
    "russia_restricted": ("off", "no_attack", "no_movement_out"),
    "victory_check": ("booklet", "round"),
    "piece_limit": ("off", "box"),
    "heavy_bomber_dice": (3, 2),
    "neutral_overflight": ("violate", "pay", "forbidden"),
    "two_hit_battleship": ("off", "end_of_battle", "start_of_turn", "end_of_turn"),
}
"""Options that are a choice, the default first; of those that may be `off` true means the first other, false `off`."""

AXIS_ECONOMY = 84
"""IPC that the territories of Germany and Japan must be worth together (CLA-11.4)."""
CAPITALS_TO_WIN: Mapping[str, int] = {"axis": 2, "allies": 2}
"""Enemy capitals a side must hold (CLA-11.2, CLA-11.3)."""
RESEARCH_PRICE = 5
"""IPC for one research die (CLA-3.1)."""
TECHNOLOGIES: tuple[str, ...] = (
    "jet_power", "rockets", "super_submarines", "long_range_aircraft", "industrial_technology", "heavy_bombers",
)  # fmt: skip
"""The weapons in the order of the faces of the second die (CLA-3.4)."""
ROCKET_RANGE = 3
"""Spaces from an antiaircraft gun to its target (CLA-6.2.7)."""
PIECES_IN_THE_BOX: Mapping[str, int] = {"infantry": 15, "bomber": 3, "submarine": 6, "carrier": 2}
"""Stacks of a kind that a power can form with the pieces of one box, as far as they are known (CLA-1.3.2)."""
COMPLEXES_AT_START = 8
START_WEAPONS: Mapping[str, tuple[str, ...]] = {"germany": ("jet_power",), "japan": ("super_submarines",)}
"""What the Axis know with `axis_advantage` (CLA-13.3 and the table of options before it)."""


LINES_NOT_HERE = (
    OF_CARDS | OF_TASK_FORCES | OF_PATROLS
    | frozenset((
        "stay_at_peace", "scramble", "kamikaze", "submarine_fire", "intercept", "marker", "allow_cargo", "refund",
        "bid", "bomb_targets", "last_resort", "evacuate", "retreat_of_defenders",
    ))
)  # fmt: skip
"""Kinds of lines that other games have and this one has not (`pbem.rules.vocabulary`); variants bring some back."""


class UnknownOption(UnknownGame):
    """An option that does not exist or cannot have that value; the message says what there is."""


def chosen_options(
    edition: str, options: Mapping[str, Any], of_variants: Mapping[str, tuple[Any, ...]]
) -> dict[str, Any]:
    """All options with what a campaign sets; UnknownOption for what does not fit.

    `of_variants` are the options of its variants with the values they may have, the default first.
    """
    standard = {**EDITIONS[edition], **{name: values[0] for name, values in of_variants.items()}}
    chosen = dict(standard)
    for name, value in options.items():
        if name not in standard:
            raise UnknownOption(f"the classic game has no option {name!r}; there are {', '.join(standard)}")
        chosen[name] = _value(name, value, standard[name], CHOICES.get(name) or of_variants.get(name))
    return chosen


def _value(name: str, value: Any, default: Any, values: tuple[Any, ...] | None) -> Any:
    """One option's value; the words on and off, true and false mean the same."""
    if isinstance(default, bool):
        value = {"on": True, "off": False}.get(value, value) if isinstance(value, str) else value
        if not isinstance(value, bool):
            raise UnknownOption(f"option {name} is true or false, not {value!r}")
        if values is not None and value not in values:
            raise UnknownOption(f"option {name} can only be {'on' if default else 'off'}")
        return value
    if values is not None:
        if isinstance(value, bool) and "off" in values:
            value = next(word for word in values if word != "off") if value else "off"
        if value is None and "none" in values:
            value = "none"
        if isinstance(value, bool) or value not in values:
            raise UnknownOption(f"option {name} may be {' or '.join(map(str, values))}, not {value!r}")
        return value
    if isinstance(default, int):
        value = {"none": 0, "off": 0, None: 0, False: 0}.get(value, value)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise UnknownOption(f"option {name} is a whole number, not {value!r}")
        return value
    if not isinstance(value, Mapping):
        raise UnknownOption('option bid is like {"germany": {"ipc": 3, "units": {"Libya": {"tank": 1}}}}')
    return value


def _switched_off(chosen: Mapping[str, Any]) -> frozenset[str]:
    """Kinds of lines that belong to what an option leaves out (CLA-3.14, CLA-13.1, CLA-D16)."""
    off = {
        "scorch": not chosen["scorched_earth"],
        "research": chosen["no_technology"],
        "drop": not chosen["paratroopers"],
    }
    return frozenset(kind for kind, is_off in off.items() if is_off)


def figures(edition: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What the chapters read: the options, and figures that are the same everywhere or follow from them."""
    return {
        **chosen,
        **DIFFERENCES[edition],
        "one_side_each": "CLA-1.1.3",
        "lines_not_here": LINES_NOT_HERE | _switched_off(chosen),
        # purchase and placement
        "silent_repairs": False,
        "unplaced_is_lost": True,
        "starting_technologies": START_WEAPONS if chosen["axis_advantage"] else {},
        # movement
        "wings_ride": True,
        "blitz_past_guns": True,
        "taken_land_is_entered": True,
        "transports_attack_alone": True,  # CLA-6.4.2, CLA-6.4.6
        "aircraft_need_enemies": True,
        "loads_among_enemies": True,
        "beaches_may_differ": not chosen["single_unload"],
        "cargo_after_sea_battle": not chosen["strict_transport_combat"],
        "new_carriers_are_empty": True,
        "carriers_stay": True,
        "excess_is_lost": True,
        "aircraft_may_be_lost": True,
        "landing_is_shown": not chosen["kamikaze"],
        "flights_are_noted": True,
        "special_lines": {"drop": drop},
        "neutral_toll": chosen["neutral_charge"],
        "allied_cargo_needs_consent": False,
        "battle_bars_bombardment": True,
        "followers_lapse": True,
        # battles
        "loss_orders": LOSS_ORDERS,
        "fire_needs_target": "unit",
        "aircraft_find_submarines": True,  # CLA-6.4.4
        "silent_defenders": "default",
        "silent_chooser": "default",  # CLA-12.4, CLA-D21
        "odds_steps": {
            "note_origins": "nothing",
            "guest_fighters": "nothing",
            "drop_guests": "nothing",
            "withdraw_submarines": "nothing",
            "press_or_retreat": "helpless_attackers",
            "attacking_submarines_strike": "pbem.games.classic.odds:SUBMARINES",
            "only_submarines": "pbem.games.classic.odds:ONLY_SUBMARINES",
        },
        "battles_by_name": True,
        "hostile_ships": "enemy ships",
        "retreat_zone_is": "without enemy ships and without a battle of this turn",
        "aa_casualty_chooser": "attacker",
        "bombard_targets": "any",
        "bombard_unlimited": True,
        "bombard_return_fire": not chosen["bombard_no_return_fire"],  # CLA-6.6.3
        "own_dice_steps": (*OWN_STEPS, "research", "weapons", "rocket"),
        "dry_run_faces": {"research": (6,), "weapons": (5, 4, 3, 2, 1, 6)},
        "dry_run_sober_faces": {"research": (1,)},
    }
