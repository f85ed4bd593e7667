"""Purchase and repair: what is bought waits for the end of the turn, what is repaired works at once.

Lines are one simultaneous order (P40-3.2; repairs count before purchases); each takes effect whole or is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.board.state import State
from pbem.rules import marks
from pbem.rules.citations import cites, refuse
from pbem.rules.decisions import Refusal, holds
from pbem.rules.order_model import Buy, Condition, NothingTo, Repair
from pbem.rules.query import can
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game
from pbem.rules.turn import controller_at_start

REPAIR, REPAIR_BY_DEFAULT = "repair", "repair by default"
UPGRADE = "ic_upgrade"
"""The item under which a paid upgrade waits for the mobilization phase; its place is in `marks.upgrades`."""


def purchase(game: Game, filed: Sequence[Filed]) -> None:
    """Repairs, then purchases, then ships repaired free of charge at naval bases (P40-3.1 to P40-3.8).

    Steps `screen_orders` and `screen_purchases` give the lines that may go on, if a rule set has them (S42-3.2.1,
    S42-3.1.3).
    """
    power = game.state.power
    assert power is not None
    if game.rules.judge("capital_lost", game.state, power):
        _nothing_without_capital(game, filed)
        return
    silent = not filed
    if "screen_orders" in game.rules.steps:
        filed = game.run("screen_orders", filed)
    for line in filed:
        if isinstance(line.order, Repair):
            _repair(game, line, line.order)
    if "screen_purchases" in game.rules.steps:
        filed = game.run("screen_purchases", filed)
    for line in filed:
        if isinstance(line.order, Buy):
            _buy(game, line, line.order)
        elif not isinstance(line.order, Repair | NothingTo):
            game.refuse(line, "purchase", refuse(game.rules, "buy", "This cannot be done in the purchase phase."))
    if silent and game.rules.parameters.get("silent_repairs", True):
        _repair_by_default(game, power)
    _repair_ships(game, power)


def _nothing_without_capital(game: Game, filed: Sequence[Filed]) -> None:
    for line in filed:
        if not isinstance(line.order, NothingTo):
            game.refuse(
                line,
                "purchase",
                refuse(game.rules, "no_capital_buy", "Your capital is in enemy hands: you can neither buy nor repair."),
            )


# -- repairs ----------------------------------------------------------------------------------------------------------


def _repair(game: Game, line: Filed, order: Repair) -> None:
    """Remove damage from facilities the power controls, at a price per point, working at once (P40-3.4)."""
    targets = repair_targets(game.rules, game.state, line.power, order)
    if isinstance(targets, Refusal):
        game.refuse(line, "purchase", targets)
        return
    damaged = sum(damage for _, _, damage in targets)
    if (order.points or 0) > damaged and game.rules.parameters.get("repairs_are_exact"):
        where = game.board.spaces[order.space].name if order.space is not None else "your territories"
        much = f"There is {damaged} damage in {where}; more than that cannot be repaired."
        game.refuse(line, "purchase", refuse(game.rules, "repair_too_much", much, f"Repair {damaged}."))
        return
    points = damaged if order.points is None else min(order.points, damaged)
    price = points * repair_price(game.rules)
    money = game.state.counter(line.power)
    if price > money:
        game.refuse(
            line,
            "purchase",
            refuse(
                game.rules, "money",
                f"Removing {points} points of damage costs {price} IPC, and {money} are left.",
                f"Repair at most {money // repair_price(game.rules)}.",
            ),
        )  # fmt: skip
        return
    for space, kind, damage in targets:
        gone = min(points, damage)
        points -= gone
        _mend(game, line.power, space, kind, damage, gone, REPAIR)


def _mend(game: Game, power: str, space: str, kind: str, damage: int, points: int, why: str) -> None:
    if points <= 0:
        return
    cited = cites(game.rules, *(("repair",) if why == REPAIR else ("repair", "silent_repair")))
    pay(game, power, points * repair_price(game.rules), why)
    game.emit("facility_changed", {"space": space, "kind": kind, "damage": damage - points, "why": why}, cited)


def repair_targets(rules: RuleSet, state: State, power: str, order: Repair) -> list[tuple[str, str, int]] | Refusal:
    """(space, kind, damage) of the facilities a line means, in the order in which its points are spent."""
    barred: Refusal | None = rules.judge("may_repair", state, power)
    if barred is not None:
        return barred
    if order.space is None:
        return [row for row in damaged_facilities(rules, state, power) if _is_kind(rules, row[1], order.facility)]
    name = rules.board.spaces[order.space].name
    if state.controller(order.space) != power:
        return refuse(rules, "repair_whose", f"{name} is not yours: you repair only facilities that you control.")
    standing = [row for row in facilities_in(state, order.space) if _is_kind(rules, row[1], order.facility)]
    damaged = [row for row in standing if row[2] > 0]
    if not standing:
        kind = rules.board.units.get(order.facility or "")
        what = kind.name.lower() if kind is not None else "facility"
        return refuse(rules, "repair", f"There is no {what} in {name}.")
    if not damaged:
        return refuse(rules, "repair_too_much", f"Nothing in {name} is damaged.", "Leave the line out.")
    if len(damaged) > 1 and order.points is not None:
        kinds = ", ".join(kind for _, kind, _ in damaged)
        return refuse(
            rules, "repair", f"Several facilities in {name} are damaged: {kinds}.",
            f"Say which: `repair {name} {damaged[0][1]} {order.points}`.",
        )  # fmt: skip
    return damaged


def _is_kind(rules: RuleSet, kind: str, wanted: str | None) -> bool:
    if wanted is None or kind == wanted:
        return True
    return wanted == "industrial_complex" and rules.board.units[kind].can("produces_units")


def facilities_in(state: State, space: str) -> list[tuple[str, str, int]]:
    """(space, kind, damage) of what stands in a territory."""
    held = state.spaces.get(space)
    return [] if held is None else [(space, kind, damage) for kind, damage in held.facilities]


def damaged_facilities(rules: RuleSet, state: State, power: str) -> list[tuple[str, str, int]]:
    """(space, kind, damage) of a power's damaged facilities: bases first, then complexes, in the board's order."""
    rows = [
        row
        for space in rules.board.spaces
        if state.controller(space) == power
        for row in facilities_in(state, space)
        if row[2] > 0
    ]
    return sorted(rows, key=lambda row: rules.board.units[row[1]].can("produces_units"))


def repair_price(rules: RuleSet) -> int:
    """IPC for one point of damage (P40-3.4)."""
    return int(rules.board.facts.get("facility_damage", {}).get("repair_cost_per_point", 1))


def _repair_by_default(game: Game, power: str) -> None:
    """A silent power repairs bases until they work, then complexes, as its money allows (P40-DP-04)."""
    if game.rules.judge("may_repair", game.state, power) is not None:
        return
    for space, kind, damage in damaged_facilities(game.rules, game.state, power):
        works_at = game.board.units[kind].figure("inoperative_at")
        wanted = damage - (works_at - 1) if works_at else damage
        affordable = game.state.counter(power) // repair_price(game.rules)
        _mend(game, power, space, kind, damage, min(wanted, affordable), REPAIR_BY_DEFAULT)


def _repair_ships(game: Game, power: str) -> None:
    """Damaged capital ships beside a working friendly naval base are repaired free of charge (P40-3.5).

    Bases are repaired before them (P40-13-B19).
    """
    for zone in game.board.spaces.values():
        if not zone.is_sea:
            continue
        damaged = [
            unit.id
            for unit in game.state.units_in(zone.id)
            if unit.owner == power and unit.damage and can(game.rules, unit, "capital_ship")
        ]
        if damaged and _repairs_beside(game.rules, game.state, power, zone.id):
            game.emit(
                "units_damaged",
                {"space": zone.id, "damage": dict.fromkeys(damaged, 0), "why": "repair"},
                cites(game.rules, "repair_ships"),
            )


def _repairs_beside(rules: RuleSet, state: State, power: str, zone: str) -> bool:
    return any(
        rules.judge("friendly_territory", state, power, land) and marks.taken(land) not in state.marks
        and any(
            rules.board.units[kind].can("repairs_capital_ships") and works(rules, kind, damage)
            for _, kind, damage in facilities_in(state, land)
        )
        for land in rules.board.lands_beside(zone)
    )  # fmt: skip


def works(rules: RuleSet, kind: str, damage: int) -> bool:
    """Whether a base with this damage is operative (P40-1.2.7)."""
    limit = rules.board.units[kind].figure("inoperative_at")
    return not limit or damage < limit


# -- purchases --------------------------------------------------------------------------------------------------------


def _buy(game: Game, line: Filed, order: Buy) -> None:
    """Pay for items, which wait until they are placed (P40-3.1, P40-3.3); more may be bought than fits (P40-3.8).

    A silent power keeps its money (P40-DP-03).
    """
    if not condition_met(game.state, line.power, order):
        game.refuse(line, "purchase", Refusal("The condition of this line is not met."), lapsed=True)
        return
    refusal = _may_buy(game.rules, game.state, line.power, order)
    if refusal is not None:
        game.refuse(line, "purchase", refusal)
        return
    price = price_of(game.rules, game.state, line.power, order)
    money = game.state.counter(line.power)
    count = money // price if order.count is None else order.count
    if count <= 0 or price * count > money:
        game.refuse(line, "purchase", _too_dear(game.rules, order, max(count, 1), price, money))
        return
    item = UPGRADE if order.upgrade else order.item
    pay(game, line.power, price * count, "purchase")
    game.emit(
        "purchases_changed",
        {"power": line.power, "items": {item: count}, "why": "bought"},
        cites(game.rules, "upgrade" if order.upgrade else "buy"),
    )
    if order.space is not None:
        key = marks.meant_for(item)
        meant = [*game.state.marks.get(key, ()), *[order.space] * count]
        game.emit("mark_set", {"key": key, "value": meant})


def pay(game: Game, power: str, amount: int, why: str) -> None:
    """Money leaves a power's own treasury, never another's (P40-1.1.2); negative: it comes back."""
    if amount:
        game.emit("counter_changed", {"power": power, "counter": "ipc", "by": -amount, "why": why})


def price_of(rules: RuleSet, state: State, power: str, order: Buy) -> int:
    """IPC for one of the items of a line, or for one upgrade; by the judgement `unit_price` where there is one."""
    kind = rules.board.units[order.item]
    if "unit_price" in rules.judgements and not order.upgrade:
        return int(rules.judge("unit_price", state, power, order.item))
    return kind.figure("upgrade_cost") if order.upgrade else int(kind.cost or 0)


def _too_dear(rules: RuleSet, order: Buy, count: int, price: int, money: int) -> Refusal:
    name = rules.board.units[order.item]
    what = f"{count} {(name.name if count == 1 else name.plural).lower()}"
    return refuse(
        rules,
        "money",
        f"{'An upgrade' if order.upgrade else what} costs {price * count} IPC, and {money} are left.",
        f"Buy at most {money // price}." if money >= price else None,
    )


def _may_buy(rules: RuleSet, state: State, power: str, order: Buy) -> Refusal | None:
    kind = rules.board.units.get(order.item)
    if kind is None or kind.cost is None:
        return refuse(rules, "buy", f"There is no {order.item} to buy in this game.")
    if order.treasury not in (None, power):
        whose = rules.board.powers[order.treasury].name if order.treasury in rules.board.powers else order.treasury
        reason = f"Every power buys for itself out of its own treasury, not for {whose}."
        return refuse(rules, "no_gifts", reason, "Leave the name out.")
    refusal: Refusal | None = rules.judge("may_buy", state, power, order.item)
    if refusal is not None:
        return refusal
    if order.upgrade and not kind.figure("upgrade_cost"):
        return refuse(rules, "upgrade", "Only a minor complex can be upgraded.", "`upgrade Korea`")
    if order.upgrade:
        return may_upgrade(rules, state, power, order.space)
    if order.space is not None and kind.domain == "facility":
        return rules.judge("may_build", state, power, order.item, order.space)  # type: ignore[no-any-return]
    return None


def may_buy(rules: RuleSet, state: State, power: str, item: str) -> Refusal | None:
    """Why a power may not buy an item; None if its build list has it (P40-3.1)."""
    listed: Mapping[str, Sequence[str]] = rules.board.facts["build_lists"]
    if item in listed.get(power, ()):
        return None
    name = rules.board.units[item].name.lower()
    return refuse(rules, "buy", f"{rules.board.powers[power].name} cannot buy {name}.")


def may_repair(rules: RuleSet, state: State, power: str) -> Refusal | None:
    """Why a power may repair nothing at all; None if it may."""
    return None


def may_upgrade(rules: RuleSet, state: State, power: str, space: str | None) -> Refusal | None:
    """Why a minor complex may not be upgraded; None if it may: value, held since the start, undamaged (P40-3.6)."""
    if space is None:
        return refuse(rules, "upgrade", "Say which complex is to be upgraded.", "`upgrade Korea`")
    name = rules.board.spaces[space].name
    damage = state.spaces[space].facility("ic_minor")
    if damage is None or state.controller(space) != power or controller_at_start(state, space) != power:
        return refuse(rules, "upgrade", f"You have held no minor complex in {name} since the start of your turn.")
    if rules.board.spaces[space].ipc < rules.board.units["ic_major"].figure("min_ipc"):
        return refuse(rules, "upgrade", f"{name} is not worth enough for a major complex.")
    if rules.parameter("upgrade_needs_undamaged_ic") and damage > 0:
        return refuse(
            rules, "upgrade", f"The complex in {name} has {damage} damage; a damaged complex is not upgraded.",
            f"Repair it in the same purchase: `repair {name} {damage}`.",
        )  # fmt: skip
    if rules.parameter("major_ic_only_original") and rules.board.spaces[space].original_owner != power:
        return refuse(rules, "upgrade", f"{name} was not yours originally: no major complex may stand there.")
    if space in state.marks.get(marks.meant_for(UPGRADE), ()):
        return refuse(rules, "upgrade", f"The complex in {name} is being upgraded already.")
    return None


def condition_met(state: State, power: str, order: Buy) -> bool:
    """Whether a line's condition, if it has one, holds now."""
    return holds(order.when, lambda condition: _stock(state, power, condition))


def _stock(state: State, power: str, condition: Condition) -> int | None:
    """The numbers a purchase may depend on: `stock` is the money at hand, `breakthrough` 1 if a weapon was won now."""
    if condition.subject == "breakthrough":
        return int(bool(state.marks.get(marks.WEAPONS_WON)))
    return state.counter(power) if condition.subject == "stock" else None
