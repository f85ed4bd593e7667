"""Campaigns of chance in the classic game, with and without the variant: nothing breaks, nothing comes from nowhere."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.board.state import State
from pbem.campaign.play import begin
from pbem.games.catalog import rule_set
from pbem.games.classic.parameters import CHOICES, EDITIONS
from pbem.rules.ruleset import RuleSet
from pbem.rules.setup import start_events
from pbem.testing.chance import turns_of_chance
from tests.games.classic.generals import standing_orders, turn_orders

TURNS, LONG = 10, 60
TABLES: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("2e", (), {}),
    ("3e", (), {}),
    ("2e", ("err",), {}),
    ("3e", ("err",), {"err_last_resort": "choice", "err_partial_retreat": True, "err_aa_retreat": True}),
    ("2e", (), {"two_hit_battleship": "end_of_turn", "scorched_earth": True, "destroyers_and_artillery": True,
                "neutral_overflight": "pay", "always_active_aa": True, "partial_amphibious_retreat": True}),
    ("ib", (), {"tech_delay": True, "kamikaze": True, "one_panama_zone": True, "piece_limit": "box", "sbr_cap": True}),
    ("2e", ("err",), {"err_artillery": "er2", "err_landing_after_breakoff": "blocked", "multiple_aa": True}),
    ("ib", ("err",), {"err_artillery": "none", "super_sub_defence": True, "submersible_subs": True}),
    ("3e", (), {"paratroopers": True, "submersible_subs": False, "limited_original_ics": True, "ic_limit": 4,
                "strict_transport_combat": True, "air_vs_sub_ends_battle": True, "single_unload": True}),
)  # fmt: skip


def play_table(table: int, turns: int, seed: int, *, twice: bool = False) -> int:
    """So many turns of one table; gives the number that were played before somebody won."""
    return play(*TABLES[table], turns, seed, twice=twice)


def play(
    edition: str, variants: tuple[str, ...], options: dict[str, Any], turns: int, seed: int, *, twice: bool = False
) -> int:
    """So many turns of an edition with variants and options; gives the number that were played."""
    rules = rule_set("classic", edition, variants, options)
    start = begin("chance", rules, start_events(rules))
    played = 0
    told = turns_of_chance(
        start, turns, Random(seed), standing_orders, turn_orders, first_seed=seed * 1000, twice=twice
    )  # fmt: skip
    for _, turn in told:
        check_zones(rules, turn.play.now)
        played += 1
    return played


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_campaigns_of_chance(table: int) -> None:
    assert play_table(table, TURNS, table) > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 104))
@pytest.mark.parametrize("edition", range(2))
def test_long_campaigns_without_a_variant(edition: int, seed: int) -> None:
    """The plain second and third edition: every turn is ruled twice, to the same events."""
    assert play_table(edition, LONG, seed, twice=True) > 0


def options_of_chance(edition: str, chance: Random) -> dict[str, Any]:
    """Every second option of an edition, with any value it may have."""
    chosen: dict[str, Any] = {}
    for name, default in EDITIONS[edition].items():
        if name == "bid" or chance.random() < 0.5:
            continue
        values = CHOICES.get(name) or ((True, False) if isinstance(default, bool) else (default, 4, 110))
        chosen[name] = chance.choice(values)
    return chosen


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1010))
def test_campaigns_with_options_of_chance(seed: int) -> None:
    """Options change nothing about what must hold, alone or together."""
    chance = Random(seed)
    edition = chance.choice(("2e", "3e"))
    assert play(edition, (), options_of_chance(edition, chance), 2 * TURNS, seed, twice=True) > 0


def check_zones(rules: RuleSet, state: State) -> None:
    """Enemies share a zone only where edition or variant let them, or a submarine surfaced (CLA-1.2.6, 6.8.6)."""
    may_share = rules.variants or any(
        rules.parameter(option) for option in ("naval_placement_in_enemy_zone", "submersible_subs")
    )
    for zone in (space.id for space in rules.board.spaces.values() if space.is_sea):
        sides = {rules.board.side_of(unit.owner) for unit in state.units_in(zone)}
        assert len(sides) < 2 or may_share, zone
