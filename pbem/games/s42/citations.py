"""Where the rule book of 1942 Second Edition says what: topics of the chapters, and the ids of its rules.

The tables are parameters (`citations`, `movement_citations`, `battle_citations`); a variant may add to them.
"""

from __future__ import annotations

from collections.abc import Mapping

PHASES: Mapping[str, str | tuple[str, ...]] = {
    # politics
    "impassable": "S42-1.3.5",
    "neutral": "S42-1.3.5",
    "peace": "S42-1.1.3",
    "war": "S42-1.1.3",
    "must_fight": "S42-4.1.3",
    # purchase and repair
    "buy": ("S42-3.1.1", "S42-3.1.2", "S42-D01"),
    "money": ("S42-3.2.1", "S42-3.1.1"),
    "production": ("S42-3.1.3", "S42-1.5.6"),
    "repair": ("S42-3.3.1", "S42-D02"),
    "repair_whose": "S42-3.3.2",
    "repair_too_much": "S42-3.3.3",
    "no_capital_buy": ("S42-3.4.1", "S42-2.1.4", "S42-6.3.2"),
    # control
    "won": ("S42-6.1.1", "S42-6.1.4"),
    "undefended": ("S42-6.1.2", "S42-6.1.4"),
    "liberated": ("S42-6.2.1", "S42-6.2.2"),
    "kept_for_ally": "S42-6.2.3",
    "capital_freed": ("S42-6.3.3", "S42-6.3.5"),
    "plunder": ("S42-6.3.1", "S42-6.3.2"),
    "restored": "S42-6.2.4",
    # mobilization
    "place": ("S42-8.1.2", "S42-8.1.1"),
    "silent_place": "S42-D19",
    "capacity": "S42-8.1.3",
    "place_land": ("S42-8.1.2", "S42-8.1.8"),
    "place_ships": "S42-8.1.4",
    "place_among_enemies": "S42-8.1.5",
    "place_aircraft": "S42-8.1.6",
    "build_complex": ("S42-8.2.1", "S42-1.4.6"),
    "refund": "S42-8.3.1",
    "refund_order": "S42-D20",
    "no_capital_place": ("S42-8.4.1", "S42-2.1.4"),
    "new_carrier": ("S42-8.1.7", "S42-7.2.3"),
    "lost_aircraft": "S42-4.6.7",
    # income
    "income": "S42-9.1.1",
    "no_capital_income": ("S42-9.1.3", "S42-2.1.4"),
    "no_gifts": "S42-1.1.5",
    # end
    "concession": ("S42-1.2.5", "S42-D22"),
}

MOVEMENT: Mapping[str, str | tuple[str, ...]] = {
    # terms and abilities
    "borders": "S42-1.3.1",
    "own_units": "S42-4.1.1",
    "capacity": "S42-1.4.4",
    # combat move in general
    "one_move": "S42-4.1.1",
    "reach_land": "S42-4.2.3",
    "reach_sea": "S42-4.3.1",
    "reach_air": "S42-4.6.1",
    "must_fight": "S42-4.1.3",
    "moved_or_fought": "S42-4.1.4",
    # land
    "friendly_land": "S42-4.2.2",
    "stop_at_border": "S42-4.2.1",
    "stop_at_units": "S42-4.2.5",
    "guns_stay": "S42-4.9.1",
    "guns_at_sea": "S42-4.7.11",
    "blitz": "S42-4.2.4",
    # air
    "air_must_fight": "S42-4.1.3",
    "landing_shown": ("S42-4.6.4", "S42-4.6.5"),
    "nothing_to_hit": "S42-4.1.3",
    "raiders": "S42-5.3.1",
    "escorts": ("S42-5.4.6", "S42-5.4.1", "S42-1.5.1"),
    "raid_only": ("S42-5.3.2", "S42-4.1.5"),
    "parts": ("S42-4.1.5", "S42-4.10.3", "S42-D04"),
    # ships
    "ship_stops": "S42-4.3.2",
    "submarine_passes": "S42-4.4.1",
    "submarine_stops": ("S42-7.1.6", "S42-4.4.5"),
    "attack_or_ignore": ("S42-4.3.5", "S42-4.10.4"),
    "lone_transports": "S42-4.3.6",
    "start_in_hostile": "S42-4.3.8",
    "launch_first": "S42-4.8.1",
    "guests_ride": "S42-4.8.3",
    "canal": "S42-4.5.4",
    "canal:Suez Canal": "S42-4.5.1",
    "canal:Panama Canal": "S42-4.5.2",
    "canal_taken": "S42-4.5.3",
    # transports
    "load": "S42-4.7.1",
    "load_moved": "S42-4.7.2",
    "load_hostile": "S42-4.7.4",
    "assault_only": "S42-4.1.3",
    "one_beach": "S42-4.7.6",
    "cargo_must_land": "S42-4.7.7",
    "after_unloading": "S42-4.7.5",
    "after_retreat": "S42-5.5.4",
    "submarine_bars_landing": ("S42-4.7.12", "S42-1.5.5"),
    "submarine_escorted": ("S42-4.7.12", "S42-4.3.5"),
    "transports_need_attacker": "S42-4.3.10",
    "allied_cargo": ("S42-10.5.3", "S42-10.7.1"),
    "allied_same_turn": "S42-10.5.2",
    "allied_assault": ("S42-10.5.1", "S42-10.5.4"),
    "peace_at_sea": "S42-10.1.1",
    "bombardment": ("S42-5.5.5", "S42-4.10.2", "S42-D08"),
    "bombardment_limit": "S42-5.5.5",
    # noncombat move
    "not_hostile": ("S42-7.1.2", "S42-7.1.3"),
    "follows": ("S42-7.1.3", "S42-7.1.4"),
    "ships_not_hostile": "S42-7.1.2",
    "submarine_among_enemies": "S42-7.1.6",
    "through_canal": ("S42-7.1.7", "S42-4.5.2", "S42-4.5.1"),
    "transport_used": "S42-4.7.9",
    "unload_friendly": "S42-7.3.1",
    "landing_place": ("S42-7.2.1", "S42-4.6.3"),
    "lost": ("S42-7.2.4", "S42-4.6.7"),
    "forced_carrier": ("S42-7.2.5", "S42-4.6.6"),
    "landed_stays": ("S42-7.2.6", "S42-7.2.2"),
    "no_suicide": "S42-7.2.5",
    "slots": "S42-1.4.5",
    "bomber_no_deck": "S42-4.8.6",
    # landing of the opponents' aircraft
    "interceptors_land": "S42-5.4.5",
    "stranded_land": ("S42-5.11.3", "S42-5.11.4", "S42-D16"),
    # defaults
    "silent_ships": ("S42-4.3.11", "S42-4.10.5"),
    "silent_intent": "S42-D07",
    "silent_landing": "S42-D18",
}

BATTLES: Mapping[str, tuple[str, ...]] = {
    # kinds of battles, and how they end
    "sea.begin": ("S42-5.6.1", "S42-5.5.2"),
    "land.begin": ("S42-5.8.1", "S42-10.2.1"),
    "assault.begin": ("S42-5.5.1", "S42-5.5.9"),
    "walk_in.begin": ("S42-6.1.2", "S42-4.2.8"),
    "walk_in.landed": ("S42-5.5.8", "S42-6.1.2"),
    "raid_air.begin": ("S42-5.4.3",),
    "raid_bombing.begin": ("S42-5.3.1", "S42-5.3.9"),
    "end.attacker": ("S42-5.6.13",),
    "end.defender": ("S42-5.8.3",),
    "end.both_gone": ("S42-5.8.4",),
    "end.standoff": ("S42-5.6.12",),
    "end.retreat": ("S42-5.10.1",),
    "end.over": ("S42-5.3.6",),
    # fire
    "fire.attack": ("S42-1.4.1", "S42-5.2.1", "S42-5.2.3"),
    "fire.supported": ("S42-1.4.2",),
    "fire.defend": ("S42-1.4.1", "S42-5.2.1", "S42-5.2.3"),
    "fire.no_submarines": ("S42-5.6.14",),
    "bombardment.sea_battle": ("S42-5.5.5",),
    "bombardment.where": ("S42-5.5.5",),
    # losses
    "losses.owner_chooses": ("S42-5.9.1", "S42-D12", "S42-D13"),
    "losses.forced": ("S42-5.9.3",),
    "losses.agreed": ("S42-10.3.1", "S42-10.3.2"),
    "losses.attacker_chooses": ("S42-10.3.1", "S42-10.3.2", "S42-D21"),
    "losses.transports_last": ("S42-5.9.5",),
    "losses.wasted": ("S42-5.9.2",),
    "losses.not_eligible": ("S42-5.9.3",),
    "losses.removed": ("S42-5.6.8", "S42-5.8.2"),
    "losses.struck": ("S42-5.6.5",),
    "losses.cargo": ("S42-4.7.10", "S42-4.8.3", "S42-10.5.5"),
    "losses.defenceless": ("S42-5.6.10", "S42-4.3.6"),
    "losses.lone_guns": ("S42-5.7.6",),
    "losses.no_retreat": ("S42-5.6.11",),
    "aa.choose": ("S42-5.7.3", "S42-D09"),
    # submarines
    "submarines.choose": ("S42-5.6.3", "S42-D10", "S42-D11"),
    "submarines.submerge": ("S42-5.6.4",),
    # retreat
    "retreat.decide": ("S42-5.10.1", "S42-D14", "S42-D15"),
    "retreat.after_round": ("S42-5.10.1",),
    "retreat.defender": ("S42-5.10.10", "S42-5.6.15"),
    "retreat.together": ("S42-5.10.2",),
    "retreat.land": ("S42-5.10.2",),
    "retreat.sea": ("S42-5.10.8",),
    "retreat.sea_none": ("S42-5.10.5",),
    "retreat.seaborne": ("S42-5.10.6", "S42-5.5.10"),
    "retreat.assault": ("S42-5.10.6",),
    "retreat.go_land": ("S42-5.10.2", "S42-5.10.9"),
    "retreat.go_sea": ("S42-5.10.2", "S42-5.10.8", "S42-5.10.9"),
    "retreat.cargo": ("S42-5.10.7", "S42-5.5.4"),
    "retreat.air": ("S42-5.10.4", "S42-5.10.5"),
    # after battles
    "decks.attacker": ("S42-5.11.5",),
    "decks.defender": ("S42-5.11.3",),
    "landing.off": ("S42-5.5.3", "S42-5.5.4"),
    "landing.go": ("S42-5.5.3", "S42-5.5.11"),
    # raids
    "raid.damage": ("S42-5.3.4", "S42-5.3.5"),
    # reactions
    "intercept.who": ("S42-5.4.2", "S42-5.4.6"),
    "intercept.when": ("S42-5.4.2", "S42-D05"),
    "intercept.go": ("S42-5.4.2",),
}
