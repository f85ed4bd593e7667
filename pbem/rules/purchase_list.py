"""Purchases judged as one list: what costs more than the treasury holds, or could not be placed, is refused as a whole.

Rule books that take purchases line by line leave out the step `screen_purchases`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.units import FACILITY, SEA
from pbem.rules.citations import refuse
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import Buy, Repair
from pbem.rules.placement import Sites
from pbem.rules.purchase import condition_met, price_of, repair_targets
from pbem.rules.script import Filed, Game


def refuse_lists_too_dear(game: Game, filed: Sequence[Filed]) -> Sequence[Filed]:
    """The lines that are left: none, if purchases and repairs together cost more than there is (S42-3.1.1, 3.2.1)."""
    price = sum(_price_of_line(game, line) for line in filed)
    money = game.state.counter(game.state.power or "")
    if price <= money:
        return filed
    short = refuse(
        game.rules,
        "money",
        f"Purchases and repairs cost {price} IPC together, and the treasury holds {money}: {price - money} too many.",
        f"Order for at most {money} IPC.",
    )
    return _without(game, filed, (Buy, Repair), short)


def refuse_lists_beyond_production(game: Game, filed: Sequence[Filed]) -> Sequence[Filed]:
    """The lines that are left: no purchase, if the complexes could not place all of them this turn (S42-3.1.3).

    Complexes that are bought count for nothing; ships need complexes beside the sea. Asked after the repairs.
    """
    units = sea = 0
    for item, count in _bought(game, filed):
        domain = game.board.units[item].domain
        units += count if domain != FACILITY else 0
        sea += count if domain == SEA else 0
    sites: Sites = game.rules.judge("sites", game.state, game.state.power)
    room = sum(sites.capacity.values())
    coast = sum(output for land, output in sites.capacity.items() if game.board.seas_beside(land))
    if units > room:
        wrong = f"{units} units are bought, and your complexes can place {room} this turn: {units - room} too many."
    elif sea > coast:
        wrong = f"{sea} ships are bought, and complexes beside the sea can place {coast}: {sea - coast} too many."
    else:
        return filed
    limit = min(room, coast) if units <= room else room
    return _without(game, filed, (Buy,), refuse(game.rules, "production", wrong, f"Buy at most {limit}."))


def _bought(game: Game, filed: Sequence[Filed]) -> list[tuple[str, int]]:
    """(item, count) of the purchases that would be made; without a count as many as the rest of the money buys."""
    lines = [line for line in filed if isinstance(line.order, Buy) and _counts(game, line.order)]
    left = game.state.counter(game.state.power or "") - sum(_price_of_line(game, line) for line in lines)
    found: list[tuple[str, int]] = []
    for line in lines:
        order = line.order
        assert isinstance(order, Buy)
        count = order.count
        if count is None:
            price = price_of(game.rules, game.state, line.power, order)
            count = max(0, left // price)
            left -= count * price
        found.append((order.item, count))
    return found


def _counts(game: Game, order: Buy) -> bool:
    """Whether a line is a purchase at all: of something that has a price, and under a condition that is met."""
    kind = game.board.units.get(order.item)
    return kind is not None and bool(kind.cost) and condition_met(game.state, game.state.power or "", order)


def _price_of_line(game: Game, line: Filed) -> int:
    if isinstance(line.order, Buy):
        if not _counts(game, line.order):
            return 0
        return price_of(game.rules, game.state, line.power, line.order) * (line.order.count or 0)
    if isinstance(line.order, Repair):
        targets = repair_targets(game.rules, game.state, line.power, line.order)
        if isinstance(targets, Refusal):
            return 0
        damage = sum(row[2] for row in targets)
        return damage if line.order.points is None else min(line.order.points, damage)
    return 0


def _without(game: Game, filed: Sequence[Filed], kinds: tuple[type, ...], refusal: Refusal) -> Sequence[Filed]:
    for line in filed:
        if isinstance(line.order, kinds):
            game.refuse(line, "purchase", refusal)
    return [line for line in filed if not isinstance(line.order, kinds)]
