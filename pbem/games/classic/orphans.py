"""Defending fighters whose carrier was sunk: they come down at once, in the same zone, or are lost."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.model import Battle
from pbem.rules.movement.berths import Berth, Landing, by_space, choose_berths, decks_in, destroy, put_down
from pbem.rules.query import is_air
from pbem.rules.script import Game


def land_orphans(game: Game, battle: Battle) -> None:
    """Each lands on a carrier with room or on a friendly island in the zone, else it is lost (CLA-6.10.4, CLA-D15)."""
    homeless = [
        unit
        for unit in game.state.units_in(battle.space)
        if unit.owner != battle.attacker
        and unit.aboard is None
        and is_air(game.rules, unit)
        and game.state.at_war(battle.attacker, unit.owner)
    ]
    rules = rules_for(game.rules, "orphans.land")
    landings = [
        Landing(owner, space, tuple(aircraft), ("stranded",), rules)
        for (owner, space), aircraft in by_space(homeless).items()
    ]
    wanted = choose_berths(game, landings, berths, f"orphans/{battle.id}")
    for landing in landings:
        lost = [
            unit_id
            for unit_id in landing.aircraft
            if not put_down(game, unit_id, berths(game, unit_id), wanted[unit_id], rules, spends=False)
        ]
        destroy(game, lost, "nowhere_to_land", rules)


def berths(game: Game, unit_id: str) -> Sequence[Berth]:
    """Where an orphan may land now: carriers with room in the zone, own ones first, then friendly islands in it."""
    unit = game.state.units[unit_id]
    decks = decks_in(game.rules, game.state, unit.owner, {unit.space: 0})
    islands = [
        Berth(land, None, 1)
        for land in game.board.lands_beside(unit.space)
        if game.board.spaces[land].island and game.rules.judge("friendly_territory", game.state, unit.owner, land)
    ]
    return [*decks, *islands]
