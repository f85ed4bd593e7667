"""Pacific 1940 put together: the steps, judgements and figures of its three rule sets, card, 1e and 2e.

An edition is a column of Appendix C and a choice of steps; options override single figures in the first event only
(P40-0.5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.games.p40 import battles, china, ownership, territory, war
from pbem.games.p40.parameters import EDITIONS, figures, with_options
from pbem.rules import capture, convoy, income, mobilize, movement, objectives, politics, purchase, turn, victory
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

RULES_VERSION = 1
"""Rises whenever a recorded turn would run differently."""


def compose(edition: str, variants: tuple[str, ...], options: Mapping[str, Any]) -> RuleSet:
    """The rule set of one edition; `options` override parameters by their names in Appendix C.

    Raises UnknownOption (a ValueError) naming the option and what it may be.
    """
    from pbem.games.catalog import load_board

    chosen = with_options(EDITIONS[edition], options)
    parameters = {**chosen, **figures(chosen), **battles.figures(chosen), "phases": turn.PHASES}
    return RuleSet(
        id=f"p40-{edition}",
        game="p40",
        edition=edition,
        variants=variants,
        options=dict(options),
        version=RULES_VERSION,
        board=_board(load_board("p40", edition), parameters),
        parameters=parameters,
        steps=_steps(parameters),
        judgements=_judgements(parameters),
        next_segment=turn.next_segment,
        battles=battles.battles(parameters),
    )


def _board(printed: Board, parameters: Mapping[str, Any]) -> Board:
    """The printed board with the price of AA guns that the parameters name (P40-1.3).

    New Guinea and Dutch New Guinea are one island of two territories (P40-1.2.2).
    """
    gun = printed.units["aa_gun"]
    islands = {name: replace(printed.spaces[name], island=True) for name in ("new-guinea", "dutch-new-guinea")}
    return replace(
        printed,
        units={**printed.units, "aa_gun": replace(gun, cost=parameters["aa_price"])},
        spaces={**printed.spaces, **islands},
    )


def _steps(parameters: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The acts of a turn: movement, battles and the phases around them, chosen by the parameters."""
    return {
        "begin_turn": turn.begin_turn,
        "end_turn": turn.end_turn,
        "concession": victory.concession,
        "watch_victory": victory.watch_victory,
        "declare_victory": victory.declare_victory,
        "purchase": purchase.purchase,
        "declare_war": war.declare_war,
        "dutch_attacked": war.all_allies_enter if parameters["dutch_attack_brings_in_all"] else war.nobody_enters,
        "attacks_ordered": war.attacks_ordered,
        **movement.STEPS,
        **battles.steps(),
        "capture": capture.capture,
        "territory_taken": ownership.territory_taken,
        "facilities_taken": ownership.facilities_taken,
        "mobilize": mobilize.mobilize,
        "collect_income": income.collect_income,
        "convoy_losses": _CONVOYS[parameters["convoy_model"]],
        "collect_objectives": objectives.collect_objectives,
        **_AMERICAN_ENTRY[parameters["us_turn3_entry"]],
    }


_CONVOYS: Mapping[str, Callable[[Game, str], int]] = {
    "fixed": convoy.fixed_convoy_losses,
    "dice": convoy.rolled_convoy_losses,
}
_AMERICAN_ENTRY: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "automatic": {"income_begins": war.nothing_more, "objectives_begin": war.usa_enters_by_itself},
    "optional": {"income_begins": war.usa_may_enter, "objectives_begin": war.nothing_more},
}
"""At which moment of its third income phase the USA enter, and whether they are asked (P40-2.2.7)."""


def _judgements(parameters: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The questions about a position that chapters ask one another."""
    return {
        **movement.JUDGEMENTS,
        "allies": territory.allies,
        "friends_ground": territory.friends_ground,
        "friendly_territory": politics.friendly_territory,
        "friendly_at_start": politics.friendly_at_start,
        "hostile_territory": territory.hostile_territory,
        "closed_to": territory.closed_to,
        "fly_over": territory.fly_over,
        "may_attack": territory.may_attack,
        "may_end_in": territory.may_end_by_treaty if parameters["prewar_zone_limits"] else territory.may_end_anywhere,
        **battles.judgements(parameters),
        "capital_lost": politics.capital_lost,
        "claim": ownership.claim,
        "marks_of_capture": ownership.marks_of_capture,
        "marks_of_declaration": war.marks_of_declaration,
        "may_buy": china.may_buy,
        "may_repair": china.may_repair,
        "may_build": china.may_build,
        "sites": china.sites,
        "site": china.site,
        "default_places": china.default_places,
    }
