"""The switches of War Without Mercy, and what its rule book says where."""

from __future__ import annotations

from collections.abc import Mapping

SWITCHES: Mapping[str, tuple[str, ...]] = {
    "sz26_reading": ("46", "26"),
    "allied_oil_timing": ("collect", "start"),
    "oil_needs_route": ("no", "yes"),
    "supply": ("network", "control"),
    "deploy_start": ("anywhere", "bases_only"),
    "lone_capital_defends": ("no", "yes"),
    "cap_in_noncombat": ("yes", "no"),
    "pool_fighters": ("ride", "ashore"),
    "atf_loading": ("union", "formation_only"),
    "kido_free": ("turn1", "always"),
    "opt_eastern": ("no", "yes"),
    "opt_economy": ("no", "yes"),
}
"""Every switch with its values, the default first; `on` and `off` mean yes and no."""

PHASES = (
    "purchase", "land_cap", "deploy_air", "fuel_task_forces", "combat_move", "conduct_combat", "noncombat_move",
    "mobilize", "collect_income",
)  # fmt: skip
"""The phases in their order: three actions of the strategic phase (with landings of patrols), then a tactical turn."""

CITATIONS: Mapping[str, str | tuple[str, ...]] = {
    # initiative
    "initiative": ("WWM-2.2", "WWM-2.3"),
    "tie": "WWM-2.4",
    "who_is_first": ("WWM-2.5", "WWM-2.8", "WWM-2.9", "WWM-D01"),
    "britain_last": "WWM-2.6",
    "first_turn_order": "WWM-2.7",
    "first_turn_only_buys": "WWM-3.4",
    # purchase
    "buy": ("WWM-3.5", "P01-3.1.4", "P01-3.1.7", "P01-3.1.12"),
    # deployment of aircraft
    "land_cap": ("WWM-4.1", "P01-4.1.1", "P01-4.1.4"),
    "deploy": ("WWM-4.2", "WWM-4.3", "WWM-4.12", "WWM-4.10"),
    "deploy_stop": ("WWM-4.4", "WWM-4.7"),
    "deploy_leg": ("WWM-4.5", "WWM-4.6"),
    "deploy_since": ("WWM-4.7", "WWM-4.4"),
    "deploy_start": ("WWM-4.8", "WWM-4.4"),
    "deploy_over": "WWM-4.9",
    "deploy_deck": "WWM-4.11",
    "deploy_once": "WWM-4.13",
    # patrols
    "cap_set": ("WWM-5.1", "P01-8.3.10"),
    "cap_deck": ("WWM-5.10", "P01-8.3.2"),
    "cap_hostile": "WWM-5.2",
    "cap_against_cap": "WWM-5.3",
    "cap_later": "WWM-5.4",
    # supply
    "no_patrol": ("WWM-7.3", "WWM-6.1"),
    "no_supply": ("WWM-6.3", "WWM-6.2", "WWM-6.6"),
    "in_supply": ("WWM-7.3", "WWM-6.3", "WWM-6.4", "WWM-6.5"),
    # forming task forces
    "form": ("WWM-7.1", "WWM-7.2", "WWM-8.1", "WWM-7.15", "WWM-7.17"),
    "oil_short": ("WWM-7.1", "WWM-11.5"),
    "from_pool": ("WWM-7.4", "WWM-1.8", "WWM-7.16"),
    "from_map": ("WWM-7.5", "WWM-10.11"),
    "joins": ("WWM-7.6", "WWM-7.7"),
    "joins_hostile": "WWM-7.8",
    "loads": "WWM-7.9",
    "no_submarines": "WWM-7.10",
    "one_force": "WWM-7.11",
    "six_ships": "WWM-8.2",
    "carrier_escort": "WWM-8.3",
    "carrier_no_transport": "WWM-8.4",
    "carrier_one_battleship": "WWM-8.5",
    "bombard_no_carrier": "WWM-8.6",
    "bombard_one_transport": "WWM-8.7",
    "amphibious_escort": "WWM-8.8",
    "amphibious_no_battleship": "WWM-8.9",
    "amphibious_one_carrier": "WWM-8.10",
    "force_limits": ("WWM-8.11", "WWM-11.9"),
    "kido_butai": "WWM-8.12",
    # Eastern Operation
    "eastern": ("WWM-12.1", "WWM-12.2", "WWM-12.4"),
    "eastern_when": "WWM-12.1",
    "eastern_from": "WWM-12.3",
    "eastern_goal": ("WWM-12.5", "WWM-12.6"),
    # breakdown
    "breakdown": ("WWM-10.1", "WWM-10.2", "WWM-10.3", "WWM-10.6", "WWM-10.7"),
    "off_map": ("WWM-10.4", "WWM-10.5"),
    "refit": ("WWM-10.4", "P01-9.1.2"),
    "refit_default": ("WWM-10.4", "WWM-D12"),
    "refit_waits": "WWM-10.10",
    "new_capitals": "WWM-10.9",
    "wing": ("WWM-10.3", "WWM-D11"),
    # oil
    "oil_japan": ("WWM-11.2", "WWM-11.3", "WWM-11.4"),
    "oil_allies": ("WWM-11.5", "WWM-11.6"),
    "oil_britain": ("WWM-11.7", "WWM-D13"),
    "oil_limit": "WWM-11.8",
    "oil_gifts": ("WWM-11.7", "WWM-11.10"),
    # economy
    "economy_paid": ("WWM-13.1", "WWM-13.2", "WWM-D14"),
    "economy_unpaid": ("WWM-13.1", "WWM-13.3", "WWM-13.6"),
    # victory
    "points_win": ("P01-1.3.1", "WWM-14.1"),
    "starved": ("P01-1.3.4", "WWM-14.1", "WWM-13.4"),
    "held_japan": ("P01-1.3.2", "WWM-14.2"),
    "held_allies": ("P01-1.3.3", "WWM-14.2"),
}

MOVEMENT: Mapping[str, str | tuple[str, ...]] = {
    "lone_capital": ("WWM-7.13", "WWM-7.14"),
    "lone_deck": "WWM-7.14",
    "two_groups": "WWM-9.4",
    "one_zone_each": "WWM-9.3",
    "transport_alone": ("WWM-9.5", "WWM-9.7"),
    "bombardment": ("WWM-9.8", "P01-6.4.5", "P01-D13"),
    "eastern_goal": ("WWM-12.5", "WWM-12.6"),
}

BATTLES: Mapping[str, tuple[str, ...]] = {
    "patrols.commit": ("WWM-5.6", "WWM-5.7", "WWM-D09"),
    "patrols.back": ("WWM-5.7",),
    "fire.lone_capital": ("WWM-7.14",),
    "sea.begin": ("P01-6.1.1", "P01-6.1.2", "P01-5.1.7", "WWM-5.5", "WWM-9.9"),
}
