"""Canonical texts of the orders for the phases of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.orders.pen import Pen
from pbem.rules import order_model as model


def _declare_war(pen: Pen, order: model.DeclareWar) -> str:
    return f"{pen.word('declare_war')} {', '.join(pen.power(power) for power in order.powers)}"


def _stay_at_peace(pen: Pen, order: model.StayAtPeace) -> str:
    return pen.word("stay_at_peace") if order.stays else f"{pen.word('do_not')} {pen.word('stay_at_peace')}"


def _treasury(pen: Pen, treasury: str) -> str:
    category = "economy" if pen.names.known("economy", treasury) else "power"
    return pen.thing(category, treasury)


def _buy(pen: Pen, order: model.Buy) -> str:
    if order.upgrade and order.space is not None:
        return f"{pen.word('upgrade')} {pen.space(order.space)} {pen.word('to')} {pen.kind(order.item)}"
    text = pen.word("buy")
    if order.treasury is not None:
        text += f" {pen.word('for')} {_treasury(pen, order.treasury)}:"
    if order.count is None:
        text += f" {pen.kind(order.item)} * max"
    else:
        text += f" {order.count} {pen.kind(order.item)}"
    return text + (f" {pen.space(order.space)}" if order.space is not None else "")


def _repair(pen: Pen, order: model.Repair) -> str:
    if order.space is None:
        return f"{pen.word('repair')} {pen.word('all')}"
    facility = f" {pen.kind(order.facility)}" if order.facility is not None else ""
    points = str(order.points) if order.points is not None else pen.word("all")
    return f"{pen.word('repair')} {pen.space(order.space)}{facility} {points}"


def _research(pen: Pen, order: model.Research) -> str:
    text = f"{pen.word('research')} {order.dice}"
    if order.technology is None:
        return text
    category = "technology" if pen.names.known("technology", order.technology) else "card"
    return f"{text} {pen.word('for')} {pen.thing(category, order.technology)}"


_PURPOSES = {"bomb": "to_bomb", "escort": "to_escort", "attack": "to_attack", "patrol": "to_patrol"}


def _move(pen: Pen, order: model.Move) -> str:
    text = f"{pen.group(order.units)} {pen.route(order.path)}"
    if order.purpose == "deploy":
        return f"{pen.word('deploy')} {text}"
    if order.purpose is not None:
        text += f" {pen.word(_PURPOSES[order.purpose])}"
    return text + (f" {pen.kind(order.target)}" if order.target is not None else "")


def _load(pen: Pen, order: model.Load) -> str:
    text = f"{pen.word('load')} {pen.group(order.units)} {pen.route((order.space, order.zone))}"
    return text + (f" {pen.word('aboard')} {pen.pick(order.onto)}" if order.onto is not None else "")


def _unload(pen: Pen, order: model.Unload) -> str:
    return f"{pen.word('unload')} {pen.group(order.units)} {pen.route((order.zone, order.space))}"


def _here(verb: str) -> Callable[[Pen, Any], str]:
    def text(pen: Pen, order: model.AttackHere | model.IgnoreHere) -> str:
        units = f" {pen.word('with')} {pen.group(order.units)}" if order.units else ""
        return f"{pen.word(verb)} {pen.space(order.space)}{units}"

    return text


def _bombard(pen: Pen, order: model.Bombard) -> str:
    where = pen.space(order.space) if order.space is not None else pen.word("everywhere")
    units = pen.group(order.units) if order.units else pen.word("none")
    zone = f" {pen.word('from')} {pen.space(order.zone)}" if order.zone is not None else ""
    return f"{pen.word('bombard')} {where} {pen.word('with')} {units}{zone}"


def _assign(pen: Pen, order: model.Assign) -> str:
    part = pen.word("to_sea" if order.part == "sea" else "on_land")
    return f"{pen.word('assign')} {pen.group(order.units)} {pen.space(order.space)} {part}"


def _land_only(pen: Pen, order: model.LandOnly) -> str:
    where = f": {pen.space(order.space)}" if order.space is not None else ""
    return f"{pen.word('land_only')} {pen.condition(order.when)}{where}"


def _battle_sequence(pen: Pen, order: model.BattleSequence) -> str:
    return f"{pen.word('battle_order')}: {', '.join(pen.space(space) for space in order.spaces)}"


def _rocket(pen: Pen, order: model.Rocket) -> str:
    spaces = (order.target,) if order.space is None else (order.space, order.target)
    return f"{pen.word('rocket')} {pen.route(spaces)}"


def _drop(pen: Pen, order: model.Drop) -> str:
    text = f"{pen.word('drop')} {pen.group(order.units)} {pen.route(order.path)}"
    text += f" {pen.word('with')} {pen.group(order.by)}"
    text += f" {pen.word('from')} {pen.space(order.start)}" if order.start is not None else ""
    return text + (f" {pen.word('to')} {pen.space(order.end)}" if order.end is not None else "")


def _place(pen: Pen, order: model.Place) -> str:
    return f"{pen.word('place')} {pen.group(order.units)} {pen.space(order.space)}"


def _refund(pen: Pen, order: model.Refund) -> str:
    return f"{pen.word('refund')} {', '.join(pen.kind(item) for item in order.items)}"


def _form_task_force(pen: Pen, order: model.FormTaskForce) -> str:
    zone = f" {pen.space(order.zone)}" if order.zone is not None else ""
    text = f"{pen.word('form')} {pen.word(order.kind + '_force')} {pen.word('task_force')}{zone}: "
    text += pen.group(order.units, origin=False)
    return text + (f", {pen.word('cargo')} {pen.group(order.cargo, origin=False)}" if order.cargo else "")


def _cap(pen: Pen, order: model.CombatAirPatrol) -> str:
    return f"{pen.word('cap')} {pen.group(order.units)} {pen.route((order.space, order.zone))}"


def _play(pen: Pen, order: model.PlayCard) -> str:
    text = f"{pen.word('play')} {pen.thing('card', order.card)}"
    for word in ("with_move", "late"):
        text += f" {pen.word(word)}" if word in order.words else ""
    parts = []
    if "first_miss" in order.words:
        parts.append(pen.word("first_miss"))
    elif order.units:
        parts.append(pen.group(order.units))
    if order.power is not None:
        parts.append(pen.power(order.power))
    if order.path:
        parts.append(pen.route(order.path))
    elif order.space is not None:
        parts.append(pen.space(order.space))
    if "intercepting" in order.words:
        parts.append(pen.word("intercepting"))
    if order.number is not None:
        parts.append(pen.in_round(order.number).strip())
    text += f": {' '.join(parts)}" if parts else ""
    text += "".join(f", {pen.group(units)} {pen.route(path)}" for units, path in order.more)
    return f"{pen.word('always')} {text}" if "always" in order.words else text


def _draw(pen: Pen, order: model.DrawCard) -> str:
    if order.deck == "victory_die":
        return pen.word("roll_die")
    if order.deck == "none":
        return f"{pen.word('draw')} {pen.word('none')}"
    text = f"{pen.word('draw')} {pen.thing('deck', order.deck)}"
    return text + (f", {_cards(pen, order.discard)}" if order.discard else "")


def _cards(pen: Pen, cards: tuple[str, ...]) -> str:
    return f"{pen.word('discard')} {', '.join(pen.thing('card', card) for card in cards)}"


def _discard(pen: Pen, order: model.Discard) -> str:
    return _cards(pen, order.cards)


def _convoy_split(pen: Pen, order: model.SplitConvoys) -> str:
    shares = ", ".join(f"{_treasury(pen, treasury)} {number}" for treasury, number in order.shares)
    ratio = f" {pen.word('ratio')}" if order.ratio else ""
    return f"{pen.word('convoy')}{ratio} {shares}"


def _commit(pen: Pen, order: model.CommitPatrol) -> str:
    return f"{pen.word('commit')} {pen.group(order.units)} {pen.route((order.zone, order.to))}"


def _carrier_wing(pen: Pen, order: model.CarrierWing) -> str:
    return f"{pen.word('carrier_wing')} {pen.word('rides' if order.rides else 'land')}"


def _refit(pen: Pen, order: model.Refit) -> str:
    units = f" {pen.group(order.units)}" if order.units else ""
    return f"{pen.word('refit')}{units} {pen.space(order.zone)}"


def _give_oil(pen: Pen, order: model.GiveOil) -> str:
    return f"{pen.word('oil')} {pen.power(order.power)} {order.amount}"


def _pay_economy(pen: Pen, order: model.PayEconomy) -> str:
    return pen.word("pay_economy") if order.pays else f"{pen.word('do_not')} {pen.word('pay_economy')}"


def _first_seat(pen: Pen, order: model.FirstSeat) -> str:
    return f"{pen.word('first_seat')} {pen.power(order.power)}"


def _nothing(pen: Pen, order: model.NothingTo) -> str:
    if order.in_phase == "purchase":
        return f"{pen.word('buy')} {pen.word('none')}"
    return f"{pen.phase(order.in_phase)}: {pen.word('none')}"


def _bid(pen: Pen, order: model.Bid) -> str:
    side = f" {pen.thing('side', order.side)}" if order.side is not None else ""
    places = ", ".join(f"{pen.group(units)} {pen.space(space)}" for units, space in order.places)
    return f"{pen.word('bid')}{side} {order.ipc}" + (f": {places}" if places else "")


def _battle_note(pen: Pen, order: model.BattleNote) -> str:
    """Notes are shown, never read back as orders; several kinds of note print the part they have."""
    parts = []
    if order.space is not None:
        number = f"#{order.number} - " if order.number is not None else ""
        defending = f" ({pen.group(order.defending)})" if order.defending else ""
        return f"{number}{pen.space(order.space)}{defending}"
    if order.attacker is not None and order.defender is not None:
        return (f"Total {pen.power(order.attacker)} v. {pen.power(order.defender)} --- "
                f"{pen.group(order.attacking)} v. {pen.group(order.defending)}")  # fmt: skip
    if order.attacking:
        parts.append(f"Attacker: {pen.group(order.attacking)}")
    if order.defending:
        parts.append(f"Defender: {pen.group(order.defending)}")
    if order.winner is not None:
        verb = "captures" if order.captured else "wins"
        parts.append(
            f"{order.winner.capitalize()} {verb} while losing {pen.group(order.lost)}".removesuffix(" while losing ")
        )
    return "; ".join(parts)


def _lines(keyword: str) -> Callable[[Pen, Any], str]:
    return lambda pen, order: pen.word(keyword)


WRITERS: dict[str, Callable[[Pen, Any], str]] = {
    "declare_war": _declare_war, "stay_at_peace": _stay_at_peace, "buy": _buy, "repair": _repair,
    "research": _research, "move": _move, "load": _load, "unload": _unload, "attack": _here("attack"),
    "ignore": _here("ignore"), "bombard": _bombard, "assign": _assign, "land_only": _land_only,
    "battle_sequence": _battle_sequence, "rocket": _rocket, "drop": _drop, "place": _place, "refund": _refund,
    "form_task_force": _form_task_force, "cap": _cap, "play": _play, "draw": _draw, "discard": _discard,
    "convoy_split": _convoy_split, "commit": _commit, "carrier_wing": _carrier_wing, "refit": _refit,
    "give_oil": _give_oil, "pay_economy": _pay_economy, "first_seat": _first_seat, "nothing": _nothing, "bid": _bid,
    "battle_note": _battle_note,
    "ready": lambda pen, order: pen.word("ready" if order.is_ready else "not_ready"),
    "rest_default": _lines("rest_default"), "add": _lines("add"), "same": _lines("same"),
    "cancel": lambda pen, order: f"{pen.word('cancel')} {pen.thing('phase', order.of_phase)}",
    "entropy": lambda pen, order: f"ENTROPY {order.words}".rstrip(),
    "concede": lambda pen, order: pen.word("concede") if order.conceding
    else f"{pen.word('do_not')} {pen.word('concede')}",
}  # fmt: skip
