"""Where the variant's book says what, over the tables of the classic game: topics and the ids of its rules."""

from __future__ import annotations

from collections.abc import Mapping

PHASES: Mapping[str, str | tuple[str, ...]] = {
    "place_ships_enemies": ("CLA-9.3.2", "ERR-11.6"),
}

MOVEMENT: Mapping[str, str | tuple[str, ...]] = {
    "retreated": ("ERR-3.11", "CLA-6.9.7"),
    "retreated_ship": ("ERR-4.7", "ERR-9.10", "CLA-6.9.7"),
    "after_retreat": ("ERR-9.8", "ERR-4.7", "CLA-6.9.7"),
    "ships_not_hostile": ("ERR-11.4", "CLA-8.3"),
    "load_hostile": ("ERR-11.6", "CLA-5.9.7"),
    "start_in_hostile": ("ERR-11.5", "CLA-5.7.3"),
    "attack_or_ignore": ("ERR-11.3", "CLA-5.1.7"),
    "shared_zone": ("ERR-11.3", "ERR-11.1", "ERR-D11"),
    "combat_parts": ("ERR-1.3.3",),
    "retreated_defends": ("ERR-3.11", "ERR-1.3.3"),
}

BATTLES: Mapping[str, tuple[str, ...]] = {
    # everywhere
    "err.after_round": ("ERR-3.4",),
    "err.whole": ("ERR-3.6",),
    "err.no_place": ("ERR-3.8",),
    "err.air_stops": ("ERR-4.13", "ERR-9.9", "CLA-6.9.5"),
    "err.interception": ("ERR-9.5", "ERR-10.4"),
    "end.retreat": ("ERR-3.9", "CLA-6.9.1"),
    # attackers on land
    "err.attack_land": ("ERR-4.1", "ERR-3.5", "ERR-D01", "ERR-D02"),
    "err.overland": ("ERR-4.1", "ERR-2.5"),
    "err.own_way": ("ERR-4.10",),
    "err.unload": ("ERR-4.5",),
    "err.air_alone": ("ERR-5.4", "ERR-3.6"),
    "err.go_land.attack": ("ERR-4.1", "ERR-4.9", "ERR-4.11"),
    "err.weapons.attack": ("ERR-4.4",),
    "err.board.attack": ("ERR-4.2", "ERR-4.3", "ERR-4.9"),
    "err.ashore.attack": ("ERR-4.5", "ERR-4.6", "ERR-4.8"),
    "err.ships_rest": ("ERR-4.7", "ERR-4.12"),
    "err.assault_air": ("ERR-5.1", "ERR-5.3", "ERR-5.5", "ERR-D03"),
    # defenders on land
    "err.defend_land": ("ERR-6.1", "ERR-3.7", "ERR-6.10", "ERR-D04", "ERR-D06"),
    "err.go_land.defend": ("ERR-6.2", "ERR-6.5"),
    "err.adjacent": ("ERR-6.2",),
    "err.friendly_only": ("ERR-2.5",),
    "err.last_resort": ("ERR-6.4", "ERR-D08"),
    "err.no_way_out": ("ERR-6.6",),
    "err.guns_stay": ("ERR-6.8",),
    "err.fly": ("ERR-7.1", "ERR-7.2", "ERR-7.6"),
    "err.fly_near": ("ERR-7.1",),
    "err.closest": ("ERR-7.3", "ERR-D05"),
    "err.fly_range": ("ERR-7.4",),
    "err.fly_embattled": ("ERR-7.5",),
    "err.no_carriers": ("ERR-7.8",),
    # evacuation
    "err.ships_second": ("ERR-8.1", "ERR-6.3"),
    "err.ships_where": ("ERR-8.1",),
    "err.shore": ("ERR-8.2",),
    "err.room": ("ERR-8.3", "ERR-8.4"),
    "err.places_taken": ("ERR-8.6", "ERR-8.5"),
    "err.weapons.defend": ("ERR-8.7",),
    "err.agree": ("ERR-8.8", "ERR-D07"),
    "err.ships_battle": ("ERR-8.9",),
    "err.board.defend": ("ERR-8.1", "ERR-8.5", "ERR-8.10", "ERR-8.12"),
    "err.ashore.defend": ("ERR-8.2", "ERR-8.10"),
    "err.not_shipped": ("ERR-8.11",),
    # at sea
    "err.sea.attack": ("ERR-9.1", "ERR-D09"),
    "err.sea.defend": ("ERR-10.1", "ERR-10.2", "ERR-D10"),
    "err.canal": ("ERR-9.6",),
    "err.go_sea.attack": ("ERR-9.1", "ERR-9.2", "ERR-9.4"),
    "err.go_sea.defend": ("ERR-10.2",),
    "err.break_off.attack": ("ERR-3.3", "ERR-9.1", "ERR-11.1"),
    "err.break_off.defend": ("ERR-3.3", "ERR-10.2", "ERR-11.1"),
    "err.cargo.attack": ("ERR-9.8", "CLA-6.9.7"),
    "err.cargo.defend": ("ERR-10.6",),
    "err.wings": ("ERR-10.5",),
    "withdraw.attack": ("ERR-9.7", "CLA-6.8.1"),
    "withdraw.defend": ("ERR-10.8", "CLA-6.8.2"),
    "landing.off": ("ERR-9.8", "ERR-10.7", "CLA-5.10.2"),
    "sea.cleared": ("ERR-10.7", "CLA-6.4.5"),
    # artillery
    "err.artillery": ("ERR-1.2.5",),
    "err.artillery_aim": ("ERR-1.2.7", "ERR-1.2.6"),
}
