"""1942 Second Edition put together: one rule set, its options, and the place where a variant comes on top.

A variant is a module of this package that has `compose(rules: RuleSet) -> RuleSet`; it adds, replaces and wraps with
`RuleSet.but` and finds the campaign's options in `rules.options`. Options of its own it names in `OPTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from pbem.games.s42 import battles, board, citations, defaults, victory
from pbem.games.s42.parameters import chosen_options, figures
from pbem.rules import (
    capture,
    convoy,
    income,
    mobilize,
    movement,
    placement,
    politics,
    purchase,
    purchase_list,
    turn,
)
from pbem.rules import victory as common_victory
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

RULES_VERSION = 1
"""Rises whenever a recorded turn would run differently."""


def compose(edition: str, variants: tuple[str, ...], options: Mapping[str, Any]) -> RuleSet:
    """The rule set with a campaign's options, and its variants on top in the order named.

    Raises UnknownOption (a ValueError) naming the option and what it may be.
    """
    from pbem.games.catalog import load_board

    added = {variant: import_module(f"pbem.games.s42.{variant}") for variant in variants}
    theirs = tuple(name for module in added.values() for name in getattr(module, "OPTIONS", ()))
    chosen = chosen_options({name: value for name, value in options.items() if name not in theirs}, theirs)
    figures_ = figures(chosen)
    parameters = {
        **figures_,
        "lines_not_here": figures_["lines_not_here"]
        - {line for m in added.values() for line in getattr(m, "LINES", ())},
        "phases": turn.PHASES,
        "citations": citations.PHASES,
        "movement_citations": citations.MOVEMENT,
        "battle_citations": citations.BATTLES,
    }
    rules = RuleSet(
        id="s42",
        game="s42",
        edition=edition,
        variants=variants,
        options=dict(options),
        version=RULES_VERSION,
        board=board.with_options(load_board("s42", edition), chosen),
        parameters=parameters,
        steps=_steps(chosen),
        judgements=_judgements(chosen),
        next_segment=turn.next_segment,
        battles=battles.battles(),
    )
    for variant in variants:
        rules = added[variant].compose(rules)
    return rules


def _steps(chosen: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The acts of a turn, phase by phase; no phase is reopened, none acts out of its time (S42-2.1.1, S42-2.1.2).

    Phases may be passed, but battles are fought, aircraft land and bought units are mobilized (S42-2.1.3, S42-4.1.6);
    a power with nothing left has its turn all the same (S42-2.1.5). Purchases stand once combat moves begin and unspent
    money stays (S42-3.1.4, S42-3.1.5). New units do nothing before the next turn (S42-8.3.2).
    """
    return {
        "begin_turn": turn.begin_turn,
        "end_turn": victory.end_turn,
        "concession": common_victory.concession,
        "watch_victory": nothing,
        "declare_victory": nothing,
        "purchase": purchase.purchase,
        "screen_orders": purchase_list.refuse_lists_too_dear,
        **_production_limit(chosen),
        "declare_war": politics.declare_war,
        **movement.STEPS,
        "combat_move_defaults": defaults.combat_move_defaults,
        **battles.steps(),
        "capture": capture.capture,
        "territory_taken": nothing,
        "facilities_taken": nothing,
        "mobilize": mobilize.mobilize,
        "collect_income": income.collect_income,
        "income_begins": nothing,
        "convoy_losses": convoy.no_convoys,
        "objectives_begin": nothing,
        "collect_objectives": no_objectives,
    }


def _production_limit(chosen: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """What cannot be placed is not bought, unless the option gives it back later (S42-3.1.3, S42-1.5.6)."""
    if chosen["overbuy"] == "refund":
        return {"screen_purchases": purchase_list.settle_counts}
    return {"screen_purchases": purchase_list.refuse_lists_beyond_production}


def _judgements(chosen: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The questions about a position that chapters ask one another.

    Land is friendly, hostile or neutral for a side, never for one power alone (S42-1.3.4, S42-10.4.2); nobody limits
    how many pieces stand in a space, or of how many powers (S42-1.3.7, S42-10.1.2); an ally's land stays the ally's
    (S42-10.4.1). Ships never enter land (S42-4.3.3), aircraft no neutral land
    (S42-4.6.2).
    """
    return {
        **movement.JUDGEMENTS,
        "allies": politics.allies,
        "friends_ground": politics.friends_ground,
        "friendly_territory": politics.friendly_territory,
        "friendly_at_start": politics.friendly_at_start,
        "hostile_territory": politics.hostile_territory,
        "closed_to": board.closed_black_sea if chosen["black_sea_closed"] else politics.closed_to,
        "fly_over": politics.fly_over,
        "may_attack": politics.may_attack,
        "may_end_in": politics.may_end_in,
        **battles.judgements(),
        "capital_lost": politics.capital_lost,
        "claim": capture.claim,
        "marks_of_capture": capture.marks_of_capture,
        "may_buy": purchase.may_buy,
        "may_repair": purchase.may_repair,
        "may_build": placement.may_build,
        "sites": placement.sites,
        "site": placement.site,
        "default_places": defaults.default_places,
        "complex_sites": defaults.complex_sites,
        "landing_order": defaults.landing_order,
        "refuge_order": defaults.refuge_order,
    }


def nothing(game: Game, *about: Any) -> None:
    """A moment of the turn at which nothing happens in this game.

    A complex keeps its damage when it changes hands (S42-6.1.5), nobody watches victory in mid-round (S42-1.2.3).
    """


def no_objectives(game: Game, power: str) -> list[list[Any]]:
    """There are no bonus incomes (S42-9.1.2)."""
    return []
