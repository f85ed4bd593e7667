"""Which rule says what about movement: topics as the code calls them, and the rule's id in each rule book.

A game with a book of its own registers its table as the parameter `movement_citations`; a topic that a book does
not know has no id there.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules.decisions import Refusal
from pbem.rules.ruleset import RuleSet

PACIFIC_1940: Mapping[str, str] = {
    # terms and abilities
    "borders": "P40-1.2.1",
    "facilities_stay": "P40-1.2.6",
    "hostile_zone": "P40-1.2.5",
    "own_units": "P40-6.12.1",
    "capacity": "P40-1.3.13",
    "flight_deck": "P40-1.3.10",
    # combat move in general
    "simultaneous": "P40-4.1.2",
    "one_move": "P40-4.1.3",
    "reach_land": "P40-4.1.3",
    "reach_air": "P40-4.1.3",
    "reach_sea": "P40-4.1.3",
    "must_fight": "P40-4.1.4",
    "base_bonus": "P40-4.1.6",
    "moved_or_fought": "P40-7.2",
    # land
    "friendly_land": "P40-4.2.1",
    "stop_at_border": "P40-4.2.2",
    "stop_at_units": "P40-4.2.3",
    "guns_stay": "P40-4.2.4",
    "guns_at_sea": "P40-4.2.4",
    "blitz": "P40-4.2.5",
    "blitz_control": "P40-4.2.6",
    "pairing": "P40-4.2.7",
    # air
    "air_must_fight": "P40-4.3.2",
    "landing_shown": "P40-4.3.4",
    "from_deck": "P40-4.3.6",
    "nothing_to_hit": "P40-4.3.7",
    "raiders": "P40-6.2.1",
    "escorts": "P40-6.2.1",
    "raid_only": "P40-6.2.2",
    "parts": "P40-4.7.2",
    # ships
    "ship_stops": "P40-4.4.1",
    "end_to_attack": "P40-4.4.3",
    "submarine_passes": "P40-4.4.4",
    "attack_or_ignore": "P40-4.4.5",
    "lone_transports": "P40-4.4.5",
    "start_in_hostile": "P40-4.4.6",
    "launch_first": "P40-4.5.1",
    "guests_ride": "P40-4.5.2",
    "from_allied_deck": "P40-4.5.3",
    "damaged_deck": "P40-4.5.5",
    # transports
    "load": "P40-4.6.1",
    "load_moved": "P40-4.6.1",
    "load_hostile": "P40-4.6.1",
    "assault_only": "P40-4.6.4",
    "one_beach": "P40-4.6.5",
    "cargo_must_land": "P40-4.6.6",
    "after_unloading": "P40-4.6.7",
    "after_retreat": "P40-6.9.9",
    "passing_fire": "P40-4.6.9",
    "submarine_bars_landing": "P40-4.6.9",
    "transports_need_attacker": "P40-4.6.10",
    "allied_cargo": "P40-4.6.11",
    "allied_same_turn": "P40-4.6.11",
    "allied_cargo_war": "P40-2.3.4",
    "guarded_landing": "P40-6.12.5",
    "never_shipped": "P40-2.4.2",
    "peace_at_sea": "P40-2.3.8",
    "bombardment": "P40-6.3.4",
    "bombardment_limit": "P40-6.3.5",
    # noncombat move
    "not_hostile": "P40-7.3",
    "captured_guns": "P40-6.10.3",
    "idle_guns": "P40-2.4.4",
    "ships_not_hostile": "P40-7.5",
    "submarine_stops": "P40-7.5",
    "transport_used": "P40-7.6",
    "unload_friendly": "P40-7.7",
    "landing_place": "P40-7.8",
    "lost": "P40-7.9",
    "new_carrier": "P40-7.10",
    "forced_carrier": "P40-7.11",
    "landed_stays": "P40-7.12",
    "no_suicide": "P40-7.13",
    "slots": "P40-7.14",
    "bomber_no_deck": "P40-7.15",
    "guardians": "P40-2.5.3",
    # landing of the opponents' aircraft
    "scramblers_land": "P40-5.2.8",
    "interceptors_land": "P40-5.3.5",
    "stranded_land": "P40-6.5.13",
    # defaults
    "silent_ships": "P40-DP-05",
    "silent_intent": "P40-DP-07",
    "silent_submarines": "P40-DP-08",
    "silent_landing": "P40-DP-29",
}
"""Topics of this chapter in the rule book of Pacific 1940."""


def cite(rules: RuleSet, topic: str) -> str | None:
    """The id of the rule on a topic in the rule set's own book: the first, where the table lists several."""
    found = _rules_on(rules, topic)
    return found[0] if found else None


def cites(rules: RuleSet, *topics: str) -> tuple[str, ...]:
    """The ids of several topics, those that the book knows, each once."""
    return tuple(dict.fromkeys(rule for topic in topics for rule in _rules_on(rules, topic)))


def _rules_on(rules: RuleSet, topic: str) -> tuple[str, ...]:
    table: Mapping[str, str | tuple[str, ...]] = rules.parameters.get("movement_citations", PACIFIC_1940)
    said = table.get(topic, ())
    return (said,) if isinstance(said, str) else said


def refuse(rules: RuleSet, topic: str, reason: str, suggestion: str | None = None) -> Refusal:
    """A refusal that cites the rule on a topic."""
    return Refusal(reason, cite(rules, topic), suggestion)
