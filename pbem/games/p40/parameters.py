"""The figures and choices in which the three rule sets of Pacific 1940 differ: Appendix C, one column each.

Research is no part of this game (P40-2.1.6), so no figure of it is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.catalog import UnknownGame
from pbem.rules.vocabulary import (
    OF_ADVANCED_RETREATS,
    OF_CARDS,
    OF_CLASSIC,
    OF_PATROLS,
    OF_RESEARCH,
    OF_TASK_FORCES,
)

CARD: Mapping[str, Any] = {
    "hit_test": "le",
    "us_turn3_entry": "automatic",
    "us_mobilization_bonus": 0,
    "dutch_attack_brings_in_all": True,
    "prewar_zone_limits": False,
    "mongolia": "closed",
    "objectives": (
        "japan-dei", "japan-centers", "japan-islands", "usa-wartime", "usa-philippines", "usa-okinawa-iwo",
        "china-burma-road", "uk-dei", "anzac-islands", "anzac-first-capture",
    ),
    "aa_price": 6,
    "aa_model": "one_gun",
    "aa_casualty_chooser": "defender",
    "lone_aa_destroyed_by_air": False,
    "must_sink_lone_transports": False,
    "upgrade_needs_undamaged_ic": True,
    "sub_strike_on_passing_transports": True,
    "subs_block_unescorted_assault": False,
    "scramble_from": "islands",
    "scramble_cap_per_base": None,
    "scramble_any_assault_in_zone": False,
    "kamikaze_unlock": "capture",
    "kamikaze_needs_battle_or_assault": False,
    "raid_air_values": {"escort": 1, "interceptor": 2, "bomber": 0},
    "raid_bomber_bonus": {"bomber": 0, "tac_bomber": 0},
    "tac_bombers_raid_bases": False,
    "bombard_targets": "land",
    "convoy_model": "fixed",
    "carrier_in_convoy": 1,
    "major_ic_only_original": False,
    "captured_major_becomes_minor": True,
    "plunder_by_any_captor": True,
    "transports_need_attacker": True,
}  # fmt: skip
"""The player aid card (`p40-card`).

Where it contradicts itself or says nothing the rule book's rulings hold: equal is a hit (P40-13-A1), a kamikaze hits on
two or less (P40-13-A2) and there are six in all (P40-13-A14), the defender picks aircraft lost to guns (P40-13-A3),
submarines submerge and find no submarines (P40-13-A4), the United States enter by themselves in round three with their
forty (P40-13-A6, P40-13-B23), an attack on the Dutch brings in everybody (P40-13-A7), strongholds are three
(P40-13-A8), Dutch control is not Allied (P40-13-A9), any captor plunders (P40-13-A10), Mongolia is closed (P40-13-B1),
bombardment hits land units (P40-13-B4), tactical bombers do not raid (P40-13-B13), the Philippines pay in peace
(P40-13-B14).
"""

FIRST_EDITION: Mapping[str, Any] = {
    **CARD,
    "us_turn3_entry": "optional",
    "dutch_attack_brings_in_all": False,
    "objectives": (
        "japan-dei", "japan-centers", "japan-islands", "usa-wartime", "usa-philippines", "usa-okinawa-iwo",
        "china-burma-road", "uk-dei", "uk-empire", "anzac-islands", "anzac-first-capture",
    ),
    "aa_casualty_chooser": "attacker",
    "bombard_targets": "any",
}  # fmt: skip
"""The published first edition with its errata (`p40-1e`)."""

SECOND_EDITION: Mapping[str, Any] = {
    **FIRST_EDITION,
    "us_mobilization_bonus": 30,
    "prewar_zone_limits": True,
    "objectives": (
        "japan-trade", "japan-perimeter", "japan-centers", "japan-dei", "usa-homeland", "usa-outer",
        "usa-alaska-mexico", "usa-philippines", "china-burma-road", "uk-kwangtung-malaya", "anzac-homeland",
        "anzac-islands",
    ),
    "aa_price": 5,
    "aa_model": "three_shots",
    "lone_aa_destroyed_by_air": True,
    "must_sink_lone_transports": True,
    "sub_strike_on_passing_transports": False,
    "subs_block_unescorted_assault": True,
    "scramble_from": "any",
    "scramble_cap_per_base": 3,
    "scramble_any_assault_in_zone": True,
    "kamikaze_unlock": "start",
    "kamikaze_needs_battle_or_assault": True,
    "raid_air_values": {"escort": 1, "interceptor": 1, "bomber": 1},
    "raid_bomber_bonus": {"bomber": 2, "tac_bomber": 0},
    "tac_bombers_raid_bases": True,
    "convoy_model": "dice",
    "carrier_in_convoy": 0,
    "major_ic_only_original": True,
}  # fmt: skip
"""The published second edition (`p40-2e`)."""

RULES_OF_OBJECTIVES: Mapping[str, str] = {
    "japan-dei": "P40-2.6.3", "japan-centers": "P40-2.6.4", "japan-islands": "P40-2.6.5",
    "japan-perimeter": "P40-2.6.5", "japan-trade": "P40-2.6.6", "usa-wartime": "P40-2.6.7",
    "usa-homeland": "P40-2.6.7", "usa-philippines": "P40-2.6.8", "usa-okinawa-iwo": "P40-2.6.9",
    "usa-outer": "P40-2.6.9", "usa-alaska-mexico": "P40-2.6.9", "china-burma-road": "P40-2.6.10",
    "uk-dei": "P40-2.6.11", "uk-empire": "P40-2.6.12", "uk-kwangtung-malaya": "P40-2.6.12",
    "anzac-islands": "P40-2.6.13", "anzac-first-capture": "P40-2.6.14", "anzac-homeland": "P40-2.6.14",
}  # fmt: skip
"""The rule behind each objective of the facts."""

VICTORY_RULES = {"axis": "P40-10.2", "allies": "P40-10.3"}
NEVER_SHIPPED = ("china",)
"""Powers whose units board no transports (P40-2.4.2)."""
CANNOT_USE_FACILITIES = ("china",)
"""Powers that can use no complex, no base and no AA gun they hold (P40-2.4.3, P40-2.4.4)."""
CONVOY_IMMUNE = ("china",)
"""Powers that lose nothing to convoy raids (P40-9.4.7, P40-2.4.11)."""
CONVOY_LOSS_PER_UNIT = {"battleship": 1, "carrier": 1, "cruiser": 1, "destroyer": 1, "submarine": 2}
"""IPC for each enemy piece in a convoy zone (P40-9.4.3)."""
CONVOY_DICE_PER_UNIT = {
    "battleship": 1, "cruiser": 1, "destroyer": 1, "submarine": 2, "fighter": 2, "tac_bomber": 2,
}  # fmt: skip
"""Dice for each enemy piece in a convoy zone (P40-9.4.8)."""
CONVOY_COUNTING_FACES = (1, 2, 3)

EDITIONS: Mapping[str, Mapping[str, Any]] = {"card": CARD, "1e": FIRST_EDITION, "2e": SECOND_EDITION}

LINES_NOT_HERE = (
    OF_CARDS | OF_RESEARCH | OF_TASK_FORCES | OF_PATROLS | OF_ADVANCED_RETREATS | OF_CLASSIC | frozenset(("bid",))
)
"""Kinds of lines that other games have and this one has not (`pbem.rules.vocabulary`)."""

CHOICES: Mapping[str, tuple[Any, ...]] = {
    "hit_test": ("le",),
    "us_turn3_entry": ("automatic", "optional"),
    "mongolia": ("closed", "attackable"),
    "aa_model": ("one_gun", "three_shots"),
    "aa_casualty_chooser": ("defender", "attacker"),
    "scramble_from": ("islands", "any"),
    "kamikaze_unlock": ("capture", "start"),
    "bombard_targets": ("land", "any"),
    "convoy_model": ("fixed", "dice"),
}
"""Parameters that are a choice of words."""


class UnknownOption(UnknownGame):
    """An option that does not exist or cannot have that value; the message says what there is."""


def figures(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Figures that chapters of the rules read and that are the same in all three rule sets, or follow from others."""
    return {
        "lines_not_here": LINES_NOT_HERE,
        "never_shipped": NEVER_SHIPPED,
        "cannot_use_facilities": CANNOT_USE_FACILITIES,
        "taken_land_is_entered": True,
        "guarded_landing_from_allies": chosen["scramble_any_assault_in_zone"],
        "objective_rules": RULES_OF_OBJECTIVES,
        "victory_rules": VICTORY_RULES,
        "convoy_immune": CONVOY_IMMUNE,
        "convoy_loss_per_unit": {**CONVOY_LOSS_PER_UNIT, "carrier": chosen["carrier_in_convoy"]},
        "convoy_dice_per_unit": CONVOY_DICE_PER_UNIT,
        "convoy_counting_faces": CONVOY_COUNTING_FACES,
    }


def with_options(column: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """A column of Appendix C with single figures overridden (P40-0.5); UnknownOption for what does not fit."""
    chosen = dict(column)
    for name, value in options.items():
        if name not in column:
            raise UnknownOption(f"Pacific 1940 has no option {name!r}; there are {', '.join(sorted(column))}")
        if name in CHOICES and value not in CHOICES[name]:
            raise UnknownOption(f"option {name} may be {' or '.join(CHOICES[name])}, not {value!r}")
        if isinstance(column[name], bool) and not isinstance(value, bool):
            raise UnknownOption(f"option {name} is true or false, not {value!r}")
        if isinstance(column[name], int) and (not isinstance(value, int) or value < 0):
            raise UnknownOption(f"option {name} is a whole number, not {value!r}")
        chosen[name] = tuple(value) if isinstance(value, list) else value
    return chosen
