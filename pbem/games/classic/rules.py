"""The classic game put together: three editions, their options, and the place where a variant comes on top.

A variant is a package beside this file that has `OPTIONS` (name -> values, the default first), `LINES` (kinds of lines
that it brings) and `compose(rules: RuleSet) -> RuleSet`; it adds, replaces and wraps with `RuleSet.but`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from pbem.games.classic import (
    board,
    citations,
    combat,
    moves,
    neutrals,
    ownership,
    placement,
    research,
    turn,
    victory,
    weapons,
)
from pbem.games.classic.parameters import chosen_options, figures
from pbem.rules import capture, convoy, income, movement, politics, purchase
from pbem.rules import victory as common_victory
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

RULES_VERSION = 1
"""Rises whenever a recorded turn would run differently."""


def compose(edition: str, variants: tuple[str, ...], options: Mapping[str, Any]) -> RuleSet:
    """The rule set of an edition with a campaign's options, and its variants on top in the order named.

    Raises UnknownOption (a ValueError) naming the option and what it may be.
    """
    from pbem.games.catalog import load_board

    modules = [import_module(f"pbem.games.classic.{variant}") for variant in variants]
    of_variants = {name: values for module in modules for name, values in module.OPTIONS.items()}
    parameters = {
        **figures(edition, chosen_options(edition, options, of_variants)),
        "citations": citations.PHASES,
        "movement_citations": citations.MOVEMENT,
        "battle_citations": citations.BATTLES,
    }
    parameters["lines_not_here"] -= {line for module in modules for line in module.LINES}
    parameters["phases"] = turn.PHASES[1:] if parameters["no_technology"] else turn.PHASES
    rules = RuleSet(
        id=f"classic-{edition}",
        game="classic",
        edition=edition,
        variants=variants,
        options=dict(options),
        version=RULES_VERSION,
        board=board.with_options(load_board("classic", edition), parameters),
        parameters=parameters,
        steps=_steps(),
        judgements=_judgements(),
        next_segment=turn.next_segment,
        battles=combat.kinds_of_battles(parameters),
    )
    for module in modules:
        rules = module.compose(rules)
    return rules


def _steps() -> dict[str, Callable[..., Any]]:
    """The acts of a turn (CLA-2.1)."""
    return {
        "begin_turn": victory.begin_turn,
        "end_turn": victory.end_turn,
        "concession": common_victory.concession,
        "watch_victory": nothing,
        "declare_victory": nothing,
        "moves_and_combat": turn.moves_and_combat,
        "research": research.research,
        "purchase": placement.buy,
        "declare_war": politics.declare_war,
        **movement.STEPS,
        "combat_move": moves.combat_move,
        "combat_move_defaults": nothing,
        "noncombat_move": moves.noncombat_move,
        "land_defenders": nothing,
        **combat.steps(),
        "capture": capture.capture,
        "territory_taken": ownership.territory_taken,
        "territory_returned": ownership.territory_returned,
        "facilities_taken": nothing,
        "mobilize": placement.mobilize,
        "collect_income": income.collect_income,
        "income_begins": nothing,
        "convoy_losses": convoy.no_convoys,
        "objectives_begin": nothing,
        "collect_objectives": no_objectives,
    }


def _judgements() -> dict[str, Callable[..., Any]]:
    """The questions about a position that chapters ask one another."""
    return {
        **movement.JUDGEMENTS,
        "hostile_zone": combat.hostile_zone,
        "movement_points": weapons.movement_points,
        "neutral_ground": neutrals.neutral_ground,
        "allies": politics.allies,
        "friends_ground": politics.friends_ground,
        "friendly_territory": politics.friendly_territory,
        "friendly_at_start": politics.friendly_at_start,
        "hostile_territory": politics.hostile_territory,
        "closed_to": neutrals.closed_to,
        "fly_over": neutrals.fly_over,
        "open_sky": neutrals.open_sky,
        "may_attack": politics.may_attack,
        "may_end_in": politics.may_end_in,
        "move_faults": moves.move_faults,
        "landing_order": moves.nearest_first,
        **combat.judgements(),
        "capital_lost": politics.capital_lost,
        "claim": capture.claim,
        "marks_of_capture": capture.marks_of_capture,
        "unit_price": weapons.unit_price,
        "may_buy": placement.may_buy,
        "may_repair": purchase.may_repair,
        "may_build": placement.may_build,
        "sites": placement.sites,
        "site": placement.site,
        "default_places": placement.default_places,
    }


def nothing(game: Game, *about: Any) -> None:
    """A moment of the turn at which nothing happens in this game.

    Complexes are captured as they stand (CLA-7.1.2); ships in hostile zones stay and fight without an order
    (CLA-5.1.6); defending fighters have landed when their battle ended (CLA-6.10.4); nobody watches victory in
    mid-turn (CLA-11.1).
    """


def no_objectives(game: Game, power: str) -> list[list[Any]]:
    """Income is the land's value and nothing else (CLA-10.1)."""
    return []
