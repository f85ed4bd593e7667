"""Pacific 1940: who keeps what is taken. China's return, Dutch and French land, and what a capture unlocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.state import State
from pbem.games.p40.territory import (
    CHINA,
    CHINA_ALSO_IN,
    DUTCH,
    JAPAN,
    PASSIVE,
    UK,
    WESTERN_ALLIES,
)
from pbem.games.p40.war import note_attack
from pbem.rules import capture, marks
from pbem.rules.capture import Claim
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

KAMIKAZE_ISLANDS = ("philippines", "marianas", "okinawa", "iwo-jima")
"""Islands whose capture by the Allies drives Japan to kamikaze strikes (P40-5.1.2)."""


def claim(rules: RuleSet, state: State, power: str, space: str) -> Claim:
    """Who gets a territory that `power` has won.

    Chinese land returns to China whoever frees it (P40-6.10.8, P40-2.4.12); Dutch and French land stays with the
    winner (P40-6.10.7, P40-2.5.4, P40-2.5.6, P40-13-B22); what China takes in Kwangtung or Burma is British unless
    India is lost (P40-2.4.10); the rest goes by the common rule.
    """
    owner = rules.board.spaces[space].original_owner
    if owner == CHINA and power in WESTERN_ALLIES:
        return Claim(CHINA, ("P40-6.10.8", "P40-2.4.12"))
    if owner in PASSIVE:
        by_attack = ("P40-2.2.9", "P40-2.5.5") if owner == DUTCH else ("P40-2.2.11", "P40-2.5.6")
        first_taken = state.controller(space) == owner
        return Claim(power, by_attack if first_taken else ("P40-6.10.7",))
    if power == CHINA and space in CHINA_ALSO_IN:
        lost = rules.judge("capital_lost", state, UK)
        return Claim(CHINA if lost else UK, ("P40-2.4.10",))
    return capture.claim(rules, state, power, space)


def territory_taken(game: Game, space: str, power: str) -> None:
    """Before control passes: what Japan did to the Dutch or French is noted (P40-2.2.10, P40-2.6.6)."""
    if power == JAPAN and game.state.controller(space) in PASSIVE:
        note_attack(game, space)


def facilities_taken(game: Game, space: str, to: str) -> None:
    """China regains its land without complexes (P40-2.4.4, P40-6.10.8); elsewhere the common rule holds."""
    if to == CHINA and game.board.spaces[space].original_owner == CHINA:
        for kind, _ in game.state.spaces[space].facilities:
            if game.board.units[kind].can("produces_units"):
                game.emit(
                    "facility_changed",
                    {"space": space, "kind": kind, "damage": None, "why": "removed"},
                    ("P40-2.4.4", "P40-6.10.8"),
                )
        return
    capture.facilities_taken(game, space, to)


def marks_of_capture(rules: RuleSet, past: Mapping[str, Any], space: str, power: str, segment: str) -> dict[str, Any]:
    """Captures that later rules ask about.

    The first of the four islands taken by an Ally unlocks kamikazes (P40-5.1.2); what Japan takes of the Dutch and
    French it has attacked (P40-2.6.6).
    """
    kept: dict[str, Any] = {}
    if space in KAMIKAZE_ISLANDS and power != JAPAN and marks.KAMIKAZE_UNLOCKED not in past:
        kept[marks.KAMIKAZE_UNLOCKED] = {"segment": segment, "space": space}
    attacked = past.get(marks.has_attacked(JAPAN), ())
    if power == JAPAN and rules.board.spaces[space].original_owner in PASSIVE and space not in attacked:
        kept[marks.has_attacked(JAPAN)] = [*attacked, space]
    return kept
