"""Pacific (2001) put together: one rule set, its switches, and the place where a variant comes on top.

A variant is a package of this one that has `compose(rules: RuleSet) -> RuleSet`; it adds, replaces and wraps with
`RuleSet.but` and finds the campaign's options in `rules.options`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from pbem.games.p01 import (
    battles,
    board,
    citations,
    control,
    income,
    money,
    moves,
    patrols,
    placement,
    purchase,
    turn,
    victory,
    zones,
)
from pbem.games.p01.parameters import SWITCHES, chosen_switches, figures
from pbem.rules import capture, movement, politics
from pbem.rules import purchase as common_purchase
from pbem.rules import victory as common_victory
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

RULES_VERSION = 1
"""Rises whenever a recorded turn would run differently."""
VARIANTS = ("wwm",)
"""Variants, which are also the prefixes of their switches."""


def compose(edition: str, variants: tuple[str, ...], options: Mapping[str, Any]) -> RuleSet:
    """The rule set with a campaign's switches, and its variants on top in the order named.

    Raises UnknownOption (a ValueError) naming the option and what it may be.
    """
    from pbem.games.catalog import load_board

    theirs = tuple(name for variant in variants for name in import_module(f"pbem.games.p01.{variant}").SWITCHES)
    chosen = chosen_switches(options, SWITCHES, "p01", (*variants, *theirs))
    rules = RuleSet(
        id="p01",
        game="p01",
        edition=edition,
        variants=variants,
        options=dict(options),
        version=RULES_VERSION,
        board=board.with_switches(load_board("p01", edition), chosen),
        parameters={
            **figures(chosen),
            "phases": turn.PHASES,
            "citations": citations.PHASES,
            "movement_citations": citations.MOVEMENT,
            "battle_citations": citations.BATTLES,
        },
        steps=_steps(),
        judgements=_judgements(),
        next_segment=turn.next_segment,
        battles=battles.battles(citations.STEPS),
    )
    for variant in variants:
        rules = import_module(f"pbem.games.p01.{variant}").compose(rules)
    return rules


def _steps() -> dict[str, Callable[..., Any]]:
    """The acts of a turn (P01-2.1.1)."""
    return {
        "concession": common_victory.concession,
        "watch_victory": nothing,
        "purchase": purchase.purchase,
        "land_cap": patrols.land_patrols,
        "declare_war": politics.declare_war,
        **movement.STEPS,
        "combat_move": moves.combat_move,
        "combat_move_defaults": moves.nothing_by_default,
        "noncombat_move": moves.noncombat_move,
        **battles.steps(),
        "capture": control.capture,
        "capitals_taken": victory.capitals_taken,
        "mobilize": placement.place_units,
        "piece_placed": placement.piece_placed,
        "resurface": turn.resurface,
        "collect_income": income.collect_income,
        "paid_level": income.paid_level,
        "income_line": income.other_line,
        "judge_points": victory.judge_points,
        "turn_completed": victory.turn_completed,
    }


def _judgements() -> dict[str, Callable[..., Any]]:
    """The questions about a position that chapters ask one another.

    All Allies are friends (P01-1.1.5, P01-12.3.3); the Soviet Union and the Himalayas are closed, from the air too
    (P01-1.1.8).
    """
    return {
        **movement.JUDGEMENTS,
        "hostile_zone": zones.hostile_zone,
        "bars_submarines": zones.bars_submarines,
        "movement_points": zones.movement_points,
        "end_bonus": zones.end_bonus,
        "has_business": moves.has_business,
        "allies": politics.allies,
        "friends_ground": politics.friends_ground,
        "friendly_territory": politics.friendly_territory,
        "friendly_at_start": politics.friendly_at_start,
        "hostile_territory": politics.hostile_territory,
        "closed_to": politics.closed_to,
        "fly_over": politics.fly_over,
        "may_attack": politics.may_attack,
        "may_end_in": zones.may_end_in,
        "bars_patrol": patrols.bars_patrol,
        **battles.judgements(),
        "refuge_order": moves.refuge_order,
        "landing_order": moves.landing_order,
        "capital_lost": money.capital_lost,
        "claim": capture.claim,
        "marks_of_capture": capture.marks_of_capture,
        "marks_of_history": victory.marks_of_history,
        "may_buy": common_purchase.may_buy,
        "may_repair": common_purchase.may_repair,
        "may_build": purchase.may_build,
        "sites": placement.sites,
        "site": placement.site,
        "default_places": placement.default_places,
    }


def nothing(game: Game, *about: Any) -> None:
    """A moment of the turn at which nothing happens in this game."""
