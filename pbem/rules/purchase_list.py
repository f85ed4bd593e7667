"""Purchases judged as one list: what costs more than the treasury holds, or could not be placed, is refused as a whole.

Rule books that take purchases line by line leave out the step `screen_purchases`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    free = [line for line in filed if isinstance(line.order, Repair) and not _price_of_line(game, line)]
    kept = _without(game, [line for line in filed if line not in free], (Buy, Repair), short)
    return [line for line in filed if line in kept or line in free]


def refuse_lists_beyond_production(game: Game, filed: Sequence[Filed]) -> Sequence[Filed]:
    """The lines that are left: no purchase, if the complexes could not place all of them this turn (S42-3.1.3).

    Complexes that are bought count for nothing; ships need complexes beside the sea. Asked after the repairs.
    """
    room, coast = _production(game)
    filed = _with_counts(game, filed, room, coast)
    units, sea = _need_room(game, filed)
    if units > room:
        wrong = f"{units} units are bought, and your complexes can place {room} this turn: {units - room} too many."
    elif sea > coast:
        wrong = f"{sea} ships are bought, and complexes beside the sea can place {coast}: {sea - coast} too many."
    else:
        return filed
    limit = min(room, coast) if units <= room else room
    return _without(game, filed, (Buy,), refuse(game.rules, "production", wrong, f"Buy at most {limit}."))


def settle_counts(game: Game, filed: Sequence[Filed]) -> Sequence[Filed]:
    """The lines with a number in each: `infantry*max` is as many as the rest of the list leaves money for."""
    return _with_counts(game, filed, None, None)


def _production(game: Game) -> tuple[int, int]:
    """How many units the complexes can place this turn, and how many of them may be ships."""
    sites: Sites = game.rules.judge("sites", game.state, game.state.power)
    coast = sum(output for land, output in sites.capacity.items() if game.board.seas_beside(land))
    return sum(sites.capacity.values()), coast


def _need_room(game: Game, filed: Sequence[Filed]) -> tuple[int, int]:
    """How many units a list buys that must be placed, and how many ships among them."""
    units = sea = 0
    for line in filed:
        if isinstance(line.order, Buy) and _counts(game, line.order):
            domain, count = game.board.units[line.order.item].domain, line.order.count or 0
            units += count if domain != FACILITY else 0
            sea += count if domain == SEA else 0
    return units, sea


def _with_counts(game: Game, filed: Sequence[Filed], room: int | None, coast: int | None) -> list[Filed]:
    """Purchases without a number get the largest that money, and room where it is limited, allow; none is refused."""
    left = game.state.counter(game.state.power or "") - sum(
        _price_of_line(game, line) for line in filed if isinstance(line.order, Buy)
    )
    settled: list[Filed] = []
    units, sea = _need_room(game, filed)
    for line in filed:
        order = line.order
        if not isinstance(order, Buy) or order.count is not None or not _counts(game, order):
            settled.append(line)
            continue
        price, domain = price_of(game.rules, game.state, line.power, order), game.board.units[order.item].domain
        count = max(0, left // price)
        if room is not None and domain != FACILITY:
            count = max(0, min(count, room - units))
        if coast is not None and domain == SEA:
            count = max(0, min(count, coast - sea))
        if not count:
            topic, why = ("money", "money") if left < price else ("production", "room")
            kind = game.board.units[order.item].name.lower()
            game.refuse(line, "purchase", refuse(game.rules, topic, f"No {why} is left for another {kind}."))
            continue
        left -= count * price
        units += count if domain != FACILITY else 0
        sea += count if domain == SEA else 0
        settled.append(replace(line, order=replace(order, count=count)))
    return settled


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
