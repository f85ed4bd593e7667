"""Buying in Pacific (2001): each country out of its own treasury, and the infantry that China is granted.

What is bought waits off the map; which of the two British countries paid for it is kept in marks of the campaign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.board.state import State
from pbem.board.units import FACILITY
from pbem.games.p01.china import grant
from pbem.games.p01.money import change_money, country_without_capital, money_of
from pbem.games.p01.parameters import AUSTRALIA, CHINA, INDIA, JAPAN, TREASURIES, UK, USA
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal, holds
from pbem.rules.order_model import Buy, NothingTo, Place
from pbem.rules.placement import held_since_start
from pbem.rules.purchase import may_buy
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

COMPLEX = "industrial_complex"
COMPLEX_SITES = "p01/complex_sites"
"""Mark of the campaign: where complexes that were bought shall stand."""
CHINAS_COAST = ("manchuria", "shantung", "korea")
"""Japanese land that goes to China whichever Ally takes it (P01-7.2.3)."""


def bought_key(country: str) -> str:
    """Mark of the campaign: {kind: count} of what a British country bought and has not placed yet."""
    return f"p01/bought/{country}"


def waiting_of(state: State, country: str) -> dict[str, int]:
    """What a British country has bought and not placed yet."""
    return dict(state.marks.get(bought_key(country), {}))


def purchase(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 1: every line that its treasury can pay is bought, final at once (P01-3.1.1, P01-3.1.7, P01-3.1.12).

    Nobody must buy (P01-3.1.11, P01-D02); money that is left is kept (P01-3.1.5). Pieces never run out (P01-3.1.6,
    P01-1.4.7). The American seat's China is granted its infantry now (P01-3.1.13, P01-12.2.1).
    """
    for line in filed:
        if isinstance(line.order, Buy):
            wrong = _buy(game, line, line.order)
            if wrong is not None:
                game.refuse(line, "purchase", wrong)
        elif not isinstance(line.order, NothingTo):
            game.refuse(line, "purchase", refuse(game.rules, "buy", "This cannot be done in the purchase phase."))
    if game.state.power == USA:
        grant(game)


def _buy(game: Game, line: Filed, order: Buy) -> Refusal | None:
    rules, state = game.rules, game.state
    country = _who_pays(game, line, order)
    if isinstance(country, Refusal):
        return country
    if not holds(order.when, lambda test: money_of(state, country) if test.subject == "stock" else None):
        return Refusal("The condition of this line is not met.")
    wrong = _may_buy(rules, state, line.power, country, order)
    if wrong is not None:
        return wrong
    kind = rules.board.units[order.item]
    price, money = int(kind.cost or 0), money_of(state, country)
    count = money // price if order.count is None else order.count
    if count <= 0 or price * count > money:
        return _too_dear(rules, country, order, max(count, 1), price, money)
    change_money(game, country, -price * count, "purchase", cites(rules, "money"))
    power = UK if country in TREASURIES else country
    bought = {"power": power, "items": {order.item: count}, "why": "bought", "treasury": country}
    game.emit("purchases_changed", bought, cites(rules, "buy"))
    if power == UK:
        note_bought(game, country, order.item, count)
    if order.space is not None and kind.domain == FACILITY:
        meant = [*game.state.marks.get(COMPLEX_SITES, ()), *[order.space] * count]
        game.emit("mark_set", {"key": COMPLEX_SITES, "value": meant})
    return None


def note_bought(game: Game, country: str, item: str, by: int) -> None:
    """Keep how much of a kind waits for a British country."""
    waiting = waiting_of(game.state, country)
    waiting[item] = waiting.get(item, 0) + by
    left = {kind: count for kind, count in waiting.items() if count > 0}
    game.emit("mark_set", {"key": bought_key(country), "value": left or None})


def _who_pays(game: Game, line: Filed, order: Buy) -> str | Refusal:
    """The country whose treasury a line means (P01-3.1.2).

    Where a British line names none, the country at whose complex the seat's lines place such a piece; else India if
    it can pay for the line, else Australia.
    """
    said = order.treasury
    if line.power == CHINA or said == CHINA:
        return refuse(game.rules, "china_buys", "China buys nothing: its infantry are counted by the referee.")
    if line.power != UK:
        if said not in (None, line.power):
            return refuse(game.rules, "treasury", f"The money of {said} is not yours to spend.")
        return line.power
    if said in TREASURIES:
        return str(said)
    if said not in (None, UK):
        return refuse(game.rules, "treasury", f"The money of {said} is not yours to spend.")
    placed = _placed_at(game, line.power, order.item)
    if placed is not None:
        return placed
    kind = game.board.units.get(order.item)
    price = int(kind.cost or 0) * (order.count or 1) if kind is not None else 0
    return next((one for one in TREASURIES if money_of(game.state, one) >= price), INDIA)


def _placed_at(game: Game, power: str, item: str) -> str | None:
    """The one British country at whose home the filed placements put pieces of a kind."""
    found: dict[str, None] = {}
    for row in game.state.orders.get(f"{power}/mobilize", ()):
        order = row["order"]
        if order["type"] == Place.type and any(pick["kind"] == item for pick in order["units"]):
            near = (order["space"], *game.board.neighbours.get(order["space"], ()))
            for country, home in ((INDIA, "india"), (AUSTRALIA, "new-south-wales")):
                if home in near:
                    found[country] = None
    return next(iter(found)) if len(found) == 1 else None


def _may_buy(rules: RuleSet, state: State, power: str, country: str, order: Buy) -> Refusal | None:
    kind = rules.board.units.get(order.item)
    if kind is None or kind.cost is None or order.upgrade:
        return refuse(rules, "buy", f"There is no {order.item} to buy in this game.")
    if country in TREASURIES and country_without_capital(state, country):
        return refuse(rules, "no_capital_buy", f"{country.capitalize()} has lost its capital and buys nothing.")
    if country not in TREASURIES and rules.judge("capital_lost", state, country):
        return refuse(rules, "no_capital_buy", "Your capital is in enemy hands: you buy nothing.")
    barred = may_buy(rules, state, power, order.item)
    if barred is not None:
        return barred
    if order.space is not None and kind.domain == FACILITY:
        verdict: Refusal | None = rules.judge("may_build", state, power, order.item, order.space)
        return verdict
    return None


def _too_dear(rules: RuleSet, country: str, order: Buy, count: int, price: int, money: int) -> Refusal:
    name = rules.board.units[order.item]
    what = f"{count} {(name.name if count == 1 else name.plural).lower()}"
    purse = f"the treasury of {country.capitalize()}" if country in TREASURIES else "your treasury"
    return refuse(
        rules, "money", f"{what} cost {price * count} IPC, and {purse} holds {money}.",
        f"Buy at most {money // price}." if money >= price else None,
    )  # fmt: skip


# -- new complexes ----------------------------------------------------------------------------------------------------


def may_build(rules: RuleSet, state: State, power: str, kind: str, space: str) -> Refusal | None:
    """Why a complex may not be built in a territory; None if it may (P01-3.1.8, P01-3.1.9, P01-3.1.10, P01-D03).

    Printed American or Japanese, American since the turn began, worth something, without a complex; only the United
    States build (P01-3.1.4). Bases are never built (P01-1.4.6).
    """
    unit, printed = rules.board.units[kind], rules.board.spaces[space]
    if kind != COMPLEX:
        return refuse(rules, "bases", f"A {unit.name.lower()} is printed on the map and never built.")
    if power != USA:
        return refuse(rules, "who_builds", "Only the United States build industrial complexes.")
    name = printed.name
    if space in CHINAS_COAST:
        return refuse(rules, "built_left", f"{name} goes to China whoever takes it: no complex is built there.")
    if printed.is_sea or printed.original_owner not in (USA, JAPAN):
        return refuse(rules, "where_built", f"{name} is neither American nor Japanese land: no complex is built there.")
    if not held_since_start(state, power, space):
        return refuse(
            rules, "built_since" if state.controller(space) == power else "built_left",
            f"{name} has not been under your control since this turn began: no complex is built there.",
        )  # fmt: skip
    if printed.ipc < 1:
        return refuse(rules, "built_since", f"{name} is worth nothing: no complex is built there.")
    standing: Mapping[str, int] = dict(state.spaces[space].facilities)
    if COMPLEX in standing:
        return refuse(rules, "built_since", f"{name} has a complex already.")
    return None
