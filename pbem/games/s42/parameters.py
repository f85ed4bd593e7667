"""The figures of 1942 Second Edition that chapters of the rules read, and the options a campaign may set.

A variant adds to both; nothing here asks whether one is on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.games.catalog import UnknownGame
from pbem.rules.battle.dice_steps import OWN_STEPS
from pbem.rules.vocabulary import (
    OF_ADVANCED_RETREATS,
    OF_CARDS,
    OF_CLASSIC,
    OF_PATROLS,
    OF_RESEARCH,
    OF_TASK_FORCES,
)

OPTIONS: Mapping[str, Any] = {
    "interceptors": False,
    "black_sea_closed": False,
    "total_victory": False,
    "bid": {},
    "submarine_escort": "warship",
    "overbuy": "refuse",
}
"""Options and what they are when a campaign says nothing (S42-1.5.1 to 1.5.6).

Several powers may be one player's; rules speak of powers only (S42-1.1.6).
"""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "submarine_escort": ("warship", "unit", "off"),
    "overbuy": ("refuse", "refund"),
}
"""Options that are a choice of words (S42-1.5.5, S42-1.5.6)."""

CITIES_TO_WIN: Mapping[str, int] = {"axis": 9, "allies": 10}
"""Victory cities a side needs (S42-1.2.2); with `total_victory` all thirteen (S42-1.2.4)."""
ALL_CITIES: Mapping[str, int] = {"axis": 13, "allies": 13}

DICE_ORDER = (
    "infantry", "artillery", "tank", "submarine", "destroyer", "cruiser", "carrier", "battleship", "fighter", "bomber",
)  # fmt: skip
"""Within one hit number the dice of a batch belong to the kinds in this order (S42-5.2.3)."""

LOSS_ORDERS: Mapping[str, tuple[str, ...]] = {
    "land_attack": ("infantry", "artillery", "tank", "fighter", "bomber"),
    "land_defend": ("infantry", "artillery", "aa_gun", "tank", "bomber", "fighter"),
    "sea_attack": (
        "battleship/damage", "submarine", "destroyer", "fighter", "cruiser", "bomber", "carrier", "battleship",
        "transport",
    ),
    "sea_defend": (
        "battleship/damage", "submarine", "destroyer", "cruiser", "fighter", "carrier", "battleship", "transport",
    ),
    "air_attack": ("fighter", "bomber"),
    "air_defend": ("fighter",),
}  # fmt: skip
"""Who is lost first when the owner is silent (S42-11.2.1 to S42-11.2.4, S42-D12, S42-D13)."""


LINES_NOT_HERE = (
    OF_CARDS | OF_RESEARCH | OF_TASK_FORCES | OF_PATROLS | OF_ADVANCED_RETREATS | OF_CLASSIC
    | frozenset((
        "stay_at_peace", "scramble", "kamikaze", "submarine_fire", "intercept", "parts", "battle_plan", "marker",
        "allow_cargo", "bid", "bomb_targets",
    ))
)  # fmt: skip
"""Kinds of lines that other games have and this one has not (`pbem.rules.vocabulary`); variants bring some back."""


class UnknownOption(UnknownGame):
    """An option that does not exist or cannot have that value; the message says what there is."""


def chosen_options(options: Mapping[str, Any], more: Iterable[str] = ()) -> dict[str, Any]:
    """All options with what a campaign sets (S42-1.5.1 to 1.5.6); UnknownOption for what does not fit.

    `more` are options that variants bring, to be named with those there are.
    """
    chosen = dict(OPTIONS)
    for name, value in options.items():
        if name not in OPTIONS:
            known = ", ".join((*OPTIONS, *more))
            raise UnknownOption(f"1942 Second Edition has no option {name!r}; there are {known}")
        if name in CHOICES and value not in CHOICES[name]:
            raise UnknownOption(f"option {name} may be {' or '.join(CHOICES[name])}, not {value!r}")
        if isinstance(OPTIONS[name], bool) and not isinstance(value, bool):
            raise UnknownOption(f"option {name} is true or false, not {value!r}")
        if name == "bid" and not isinstance(value, Mapping):
            raise UnknownOption('option bid is like {"germany": {"ipc": 3, "units": {"Libya": {"tank": 1}}}}')
        chosen[name] = value
    return chosen


def figures(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What the chapters read: the same in every campaign, or following from its options."""
    return {
        **chosen,
        "one_side_each": "S42-1.1.6",
        "lines_not_here": LINES_NOT_HERE - ({"intercept"} if chosen["interceptors"] else set()),
        # purchase and placement
        "silent_repairs": False,
        "repairs_are_exact": True,
        "refund_first": "dearest",
        # movement
        "must_sink_lone_transports": True,
        "lone_aa_destroyed_by_air": True,
        "submarines_may_stay_quiet": False,
        "all_ships_join": True,
        "silent_intent": "destroyer",
        "allied_cargo_needs_consent": False,
        "allied_boarding_any_time": True,
        "transports_never_fight_alone": True,
        "aircraft_may_face_submarines": True,
        "taken_land_is_entered": True,
        "followers_lapse": True,
        "bombers_raid_unasked": True,
        "battle_bars_bombardment": True,
        # battles
        "dice_order": DICE_ORDER,
        "loss_orders": LOSS_ORDERS,
        "silent_defenders": "default",
        "owners_in_loss_order": True,
        "silent_submarines": "alone",
        "fire_needs_target": "unit",
        "guns_are_casualties": True,
        "aa_casualty_chooser": "attacker",
        "bombard_targets": "any",
        "bombardment_by_zone": True,
        "raid_air_values": {"escort": 1, "bomber": 1, "interceptor": 2},
        "raid_bomber_bonus": {"bomber": 0},
        "own_dice_steps": OWN_STEPS,
        "odds_steps": {"transports_part": "nothing"},
        # victory
        "victory_cities": ALL_CITIES if chosen["total_victory"] else CITIES_TO_WIN,
    }
