"""Before the active power's noncombat move, its opponents' aircraft come down: scramblers, interceptors, the stranded.

Each goes home if home is still friendly, else at most one space; who finds nothing is lost. Reads the marks that
battles left; the owner decides where there is a choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import Unit
from pbem.rules import marks
from pbem.rules.movement.berths import Berth, Landing, by_space, choose_berths, decks_in, destroy, put_down
from pbem.rules.movement.citations import cites
from pbem.rules.query import is_air
from pbem.rules.script import Game

REACH = 1
"""How far such an aircraft may fly to a new landing place."""


def land_defenders(game: Game) -> None:
    """Land all of them before the active power moves anything (P40-7.1, P40-5.2.8, P40-5.3.5, P40-6.5.13)."""
    waiting = [unit for unit in game.state.units.values() if is_air(game.rules, unit) and must_come_down(game, unit)]
    landings = [
        Landing(owner, space, tuple(aircraft), groups_of(game, aircraft), rules_for(game, aircraft))
        for (owner, space), aircraft in by_space(waiting).items()
    ]
    wanted = choose_berths(game, landings, berths, "defenders")
    for landing in landings:
        lost = []
        # Those with the fewest places to go choose first, so that no deck is taken in vain.
        for unit_id in sorted(landing.aircraft, key=lambda one: len(berths(game, one))):
            if not put_down(game, unit_id, berths(game, unit_id), wanted[unit_id], landing.rules, spends=False):
                lost.append(unit_id)
        destroy(game, lost, "nowhere_to_land", landing.rules)


def must_come_down(game: Game, unit: Unit) -> bool:
    """Whether an aircraft of a power whose turn it is not is in the air, or stands where it cannot stay."""
    if unit.owner == game.state.power:
        return False
    if unit.mark(marks.SCRAMBLED_FROM) is not None or unit.mark(marks.STRANDED):
        return True
    return bool(unit.mark(marks.INTERCEPTED)) and not game.rules.judge(
        "friendly_territory", game.state, unit.owner, unit.space
    )


def berths(game: Game, unit_id: str) -> Sequence[Berth]:
    """Where such an aircraft may land now: home; the same ship, another deck in its zone; then one space away.

    The order is that of the defaults (P40-DP-26, P40-DP-27): island, carrier, first friendly territory.
    """
    rules, state = game.rules, game.state
    unit = state.units[unit_id]
    home = unit.mark(marks.SCRAMBLED_FROM)
    if home is not None and rules.judge("friendly_territory", state, unit.owner, home):
        return [Berth(home, None, REACH)]
    at_sea = game.board.spaces[unit.space].is_sea
    decks: list[Berth] = []
    if rules.board.units[unit.kind].can("carrier_capable"):
        here = decks_in(rules, state, unit.owner, {unit.space: 0}) if at_sea else []
        if here and unit.mark(marks.STRANDED):
            return _own_ship_first(unit, here)
        near = dict.fromkeys(game.board.seas_beside(unit.space), REACH)
        decks = [*here, *decks_in(rules, state, unit.owner, near)]
    lands = [
        Berth(land, None, REACH)
        for land in game.board.lands_beside(unit.space)
        if rules.judge("friendly_territory", state, unit.owner, land)
        and rules.judge("closed_to", state, unit.owner, unit, land) is None
    ]
    if "refuge_order" in rules.judgements:
        ordered: list[Berth] = rules.judge("refuge_order", state, unit, [*decks, *lands])
        return ordered
    return [*decks, *lands]


def _own_ship_first(unit: Unit, decks: list[Berth]) -> list[Berth]:
    """The ship it came from if that still takes it, else any other deck in the zone (P40-6.5.13)."""
    came_from = unit.aboard or unit.mark(marks.DECK)
    same = [berth for berth in decks if berth.deck == came_from]
    return same or decks


def rules_for(game: Game, aircraft: Sequence[str]) -> tuple[str, ...]:
    """The rules by which these aircraft land."""
    topics = {"scrambled": "scramblers_land", "stranded": "stranded_land", "interceptors": "interceptors_land"}
    return cites(game.rules, *(topics[group] for group in groups_of(game, aircraft)))


def groups_of(game: Game, aircraft: Sequence[str]) -> tuple[str, ...]:
    """The words by which landing preferences speak of these aircraft."""
    units = [game.state.units[unit_id] for unit_id in aircraft]
    groups = []
    if any(unit.mark(marks.SCRAMBLED_FROM) is not None for unit in units):
        groups.append("scrambled")
    if any(unit.mark(marks.STRANDED) for unit in units):
        groups.append("stranded")
    if any(unit.mark(marks.INTERCEPTED) for unit in units):
        groups.append("interceptors")
    return tuple(groups)
