"""The switches of Pacific (2001) that a campaign may set, and the figures that chapters of the rules read.

There is no weapons development (P01-1.1.9) and no stacking limit (P01-5.1.8).

A variant brings switches of its own (`wwm.NAME`); nothing here asks whether it is on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.catalog import UnknownGame
from pbem.rules.battle.dice_steps import OWN_STEPS
from pbem.rules.vocabulary import OF_ADVANCED_RETREATS, OF_CARDS, OF_CLASSIC, OF_RESEARCH, OF_TASK_FORCES

JAPAN, UK, USA, CHINA = "japan", "uk", "usa", "china"
INDIA, AUSTRALIA, CONVOY_FUND = "india", "australia", "british-convoys"
TREASURIES = (INDIA, AUSTRALIA)
"""The two treasuries of the British seat (P01-3.1.2); a third purse holds convoy money until it is divided."""

YES_NO = ("yes", "no")
SWITCHES: Mapping[str, tuple[str, ...]] = {
    "setup": ("printed", "faq2003"),
    "capital_hold": ("round", "immediate"),
    "air_vs_sub": ("dd_needed", "always"),
    "bombard_return_fire": YES_NO,
    "dd_bombard": YES_NO,
    "dd_bombard_value": ("3", "2"),
    "dd_carrier_fights": YES_NO,
    "aa_gun_slots": ("1", "2"),
    "sub_pass": ("no", "no_dd"),
    "def_sub_first_strike": ("no", "yes"),
    "sub_late_submerge": YES_NO,
    "marine_artillery_stack": YES_NO,
    "place_in_hostile_sz": YES_NO,
    "ftr_on_new_carrier": ("no", "yes"),
    "ic_limit": ("value", "none"),
    "vp_floor": ("combined", "separate"),
    "kamikaze_trigger": ("always", "captured_island"),
    "kamikaze_targets": ("no_sub", "warships"),
    "kamikaze_stops_bombard": YES_NO,
    "queensland_sz32": YES_NO,
    "sz14_sz30": YES_NO,
}
"""Every switch with its values, the default first; players and cases may write `p01.setup` or `setup`."""

DICE_ORDER = (
    "infantry", "marine", "artillery", "tank", "fighter", "bomber", "battleship", "carrier", "destroyer", "submarine",
    "transport",
)  # fmt: skip
"""Within one hit number dice belong to the kinds in the order of the unit table (P01-6.1.6)."""

_LAND = ("infantry", "marine", "artillery", "tank", "fighter", "bomber")
_SEA = ("battleship/damage", "submarine", "transport", "destroyer", "fighter", "bomber", "carrier", "battleship")
LOSS_ORDERS: Mapping[str, tuple[str, ...]] = {
    "land_attack": ("infantry", "artillery", "marine", "tank", "fighter", "bomber"),
    "land_defend": ("infantry", "artillery", "marine", "tank", "fighter", "bomber"),
    "sea_attack": _SEA,
    "sea_defend": _SEA,
    "air_attack": ("fighter", "bomber"),
    "air_defend": ("fighter",),
}
"""Who is lost first when the owner is silent: damage to battleships, then the cheapest (P01-D09, P01-D11)."""


class UnknownOption(UnknownGame):
    """An option that does not exist or cannot have that value; the message says what there is."""


def chosen_switches(
    options: Mapping[str, Any], table: Mapping[str, tuple[str, ...]], prefix: str, others: tuple[str, ...] = ()
) -> dict[str, str]:
    """All switches of a table with what a campaign sets; UnknownOption for what does not fit.

    Options may be written with or without the prefix, yes and no also as true and false. Options that begin with one
    of the prefixes `others`, or that another table knows, are somebody else's.
    """
    chosen = {name: values[0] for name, values in table.items()}
    for written, value in options.items():
        name = written.removeprefix(f"{prefix}.")
        if name not in table:
            if written in others or written.partition(".")[0] in others:
                continue
            raise UnknownOption(f"Pacific (2001) has no option {written!r}; there are {', '.join(table)}")
        said = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        said = {"on": "yes", "off": "no"}.get(said, said)
        if said not in table[name]:
            raise UnknownOption(f"option {written} may be {' or '.join(table[name])}, not {value!r}")
        chosen[name] = said
    return chosen


LINES_NOT_HERE = (
    OF_CARDS | OF_RESEARCH | OF_TASK_FORCES | OF_ADVANCED_RETREATS | OF_CLASSIC | frozenset(("bid", "scramble"))
)
"""Kinds of lines that other games have and this one has not (`pbem.rules.vocabulary`); a variant brings some back."""


def figures(chosen: Mapping[str, str]) -> dict[str, Any]:
    """What the chapters read: the same in every campaign, or following from its switches (P01-A01 to P01-A36)."""
    yes = {name: value == "yes" for name, value in chosen.items()}
    return {
        **chosen,
        "lines_not_here": LINES_NOT_HERE,
        # seats
        "joint_turns": {USA: (USA, CHINA)},
        # purchase and placement
        "silent_repairs": False,
        "unplaced_units_wait": True,
        "placed_among_enemies": yes["place_in_hostile_sz"],
        "fighters_on_new_carriers": yes["ftr_on_new_carrier"],
        "complexes_are_limited": chosen["ic_limit"] == "value",
        # movement
        "never_shipped": (CHINA,),
        "allied_cargo_needs_consent": False,
        "allied_boarding_any_time": True,
        "transports_attack_alone": True,
        "submarines_may_stay_quiet": False,
        "all_ships_join": True,
        "followers_lapse": True,
        "new_carriers_are_empty": True,
        "fought_carriers_sail": True,
        "loaded_destroyers_shun_battle": not yes["dd_carrier_fights"],
        "submarines_pass_without_destroyer": chosen["sub_pass"] == "no_dd",
        # battles
        "all_ships_are_fought": True,
        "dice_order": DICE_ORDER,
        "loss_orders": LOSS_ORDERS,
        "silent_defenders": "default",
        "odds_steps": {
            "submerge": "pbem.games.p01.odds:SUBMERGE",
            "submerge_late": "nothing",
            "press_or_retreat": "nothing",
        },
        "fire_needs_target": "side",
        "guns_are_casualties": False,
        "aa_casualty_chooser": "attacker",
        "bombard_targets": "any",
        "bombard_unlimited": True,
        "bombard_return_fire": yes["bombard_return_fire"],
        "kamikaze_stops_bombard": yes["kamikaze_stops_bombard"],
        "defending_submarines_strike": yes["def_sub_first_strike"],
        "late_submerging": yes["sub_late_submerge"],
        "marines_add_support": yes["marine_artillery_stack"],
        "raid_air_values": {"escort": 1, "bomber": 0, "interceptor": 2},
        "raid_bomber_bonus": {"bomber": 0},
        "own_dice_steps": OWN_STEPS,
        # kamikazes
        "kamikaze_unlock": "start" if chosen["kamikaze_trigger"] == "always" else "capture",
        "kamikaze_needs_battle_or_assault": False,
        "kamikaze_target": "kamikaze_target",
        # end of the turn
        "marks_kept": ("cap", "submerged"),
        "points_counted_apart": chosen["vp_floor"] == "separate",
        "capital_falls_at_once": chosen["capital_hold"] == "immediate",
    }
