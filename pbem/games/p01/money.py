"""Money of Pacific (2001): treasuries, the countries behind the British seat, and what the land is worth to them.

India and Australia are one power, whose units are one force (P01-1.1.6), with two purses; each territory carries the
marker of one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.board.state import State
from pbem.games.p01.convoys import CENTRE, route_of
from pbem.games.p01.parameters import AUSTRALIA, CONVOY_FUND, INDIA, TREASURIES, UK, USA
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Game

CAPITALS: Mapping[str, str] = {INDIA: "india", AUSTRALIA: "new-south-wales"}
"""Capitals of the two countries of the British seat (P01-1.1.4)."""


def marker_key(space: str) -> str:
    """Mark of the campaign: which country's marker lies on a territory that Britain took from Japan."""
    return f"p01/marker/{space}"


def country_of(rules: RuleSet, state: State, space: str) -> str | None:
    """The country whose marker lies on a territory (P01-1.1.3, P01-7.2.8).

    The controlling power, or for Britain the treasury that owns the land.
    """
    holder = state.controller(space)
    if holder != UK:
        return holder
    said: str | None = state.marks.get(marker_key(space)) or rules.board.spaces[space].data.get("economy")
    return said if said in TREASURIES else AUSTRALIA


def purse(country: str) -> tuple[str, str]:
    """(power, counter) of a country's money."""
    return (UK, f"ipc_{country}") if country in (*TREASURIES, CONVOY_FUND) else (country, "ipc")


def money_of(state: State, country: str) -> int:
    """What a country has in its own treasury (P01-3.1.1)."""
    return state.counter(*purse(country))


def change_money(game: Game, country: str, by: int, why: str, rules: Sequence[str] = ()) -> None:
    """Money comes into a treasury or leaves it, never another's (P01-3.1.3)."""
    if by:
        power, counter = purse(country)
        game.emit("counter_changed", {"power": power, "counter": counter, "by": by, "why": why}, rules)


def capital_lost(rules: RuleSet, state: State, power: str) -> bool:
    """Whether a power can neither buy nor collect: its capital is in enemy hands, for Britain both (P01-7.3.5)."""
    if power == UK:
        return all(country_without_capital(state, country) for country in TREASURIES)
    capital = rules.board.powers[power].capital
    holder = state.controller(capital) if capital is not None else power
    return holder is not None and state.at_war(power, holder)


def country_without_capital(state: State, country: str) -> bool:
    """Whether one of the two British countries has lost its capital (P01-7.3.5)."""
    holder = state.controller(CAPITALS[country])
    return holder is not None and state.at_war(UK, holder)


# -- production -------------------------------------------------------------------------------------------------------


def production(rules: RuleSet, state: State, country: str) -> int:
    """A country's production level: its land that no enemy holds the route of, and American centres (P01-11.1.2).

    Who lies in a zone does not matter, only who holds its route (P01-11.1.4).
    """
    land = sum(
        space.ipc
        for space in rules.board.spaces.values()
        if space.ipc and not space.is_sea and country_of(rules, state, space.id) == country
        and not route_cut(rules, state, space.id)
    )  # fmt: skip
    return land + (centres_of(rules, state, USA) if country == USA else 0)


def route_cut(rules: RuleSet, state: State, territory: str) -> bool:
    """Whether a territory pays nobody, because the other side holds its convoy route (P01-11.1.3, P01-7.2.2)."""
    route, holder = route_of(rules, territory), state.controller(territory)
    if route is None or holder is None:
        return False
    master = state.controller(route)
    return master is not None and not rules.judge("allies", state, holder, master)


def centres_of(rules: RuleSet, state: State, owner: str) -> int:
    """What the convoy centres of a power yield: only those that its side controls, and only to it (P01-7.4.7)."""
    total = 0
    for row in rules.board.facts["convoy_zones"]:
        holder = state.controller(row["zone"])
        if row["kind"] == CENTRE and row["start_controller"] == owner and holder is not None:
            total += row["ipc"] if rules.judge("allies", state, owner, holder) else 0
    return total
