"""Canonical texts of answers and standing orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.orders.pen import Pen
from pbem.orders.read_battle import AIMS
from pbem.orders.read_notes import DECISIONS
from pbem.rules import order_model as model
from pbem.rules.order_model import ALL, Pick

_WHICH = {"losses": "casualties", "aa": "aa_losses", "air": "air_losses", "shared": "choose", "fog": "fog_losses",
          "heavy_artillery": "heavy_artillery_losses"}  # fmt: skip


def _space(pen: Pen, space: str | None) -> str:
    return f" {pen.space(space)}" if space is not None else ""


def _side(pen: Pen, side: str | None) -> str:
    return f" {pen.word(side + '_side')}" if side is not None else ""


def _casualties(pen: Pen, order: model.Casualties) -> str:
    text = pen.word(_WHICH[order.which]) + _side(pen, order.side)
    if order.domain is not None:
        text += f" {pen.word(order.domain + '_domain')}"
    text += _space(pen, order.space) + pen.in_round(order.round) + ": "
    items = [pen.pick(pick, None if order.first else 1) for pick in order.picks]
    if order.first and items:
        items[-1] += f" {pen.word('first_mark')}"
    if order.keep_land:
        items.append(f"{pen.word('keep')} {order.keep_land} {pen.kind('land')}")
    items += [f"{pen.word('keep')} {pen.pick(pick)}" for pick in order.keep]
    items += [f"{pen.pick(pick, None)} {pen.word('last_mark')}" for pick in order.last]
    return text + ", ".join(items)


def _part(pen: Pen, part: model.RetreatPart) -> str:
    units = pen.group(part.units)
    if part.how == "break_off":
        return f"{units} {pen.word('break_off')}"
    if part.how == "re_embark":
        return f"{units} {pen.word('reembark')}"
    if part.how == "aboard":
        return f"{units} {pen.word('aboard')}"
    if part.how == "unload":
        return f"{pen.word('unload')} {units}{pen.to(part.to or '')}"
    return f"{units}{pen.to(part.to or '')}"


def _retreat(pen: Pen, order: model.Retreat) -> str:
    parts = order.parts
    plain = order.scope is None and order.side is None and order.to is None
    if parts and plain and all(part.how == "evacuate" for part in parts):
        text = pen.word("evacuate") + _space(pen, order.space) + pen.after_round(order.after_round)
        return text + " " + ", ".join(_evacuation(pen, part) for part in parts)
    if len(parts) == 1 and plain and parts[0].how == "break_off":
        return f"{_part(pen, parts[0])}{_space(pen, order.space)}{pen.at_start(order.after_round)}"
    text = pen.word("retreat") + _side(pen, order.side) + _space(pen, order.space)
    if order.scope is not None:
        text += f" ({pen.word('scope_' + order.scope)})"
    text += pen.after_round(order.after_round)
    if order.to is not None:
        text += pen.to(order.to)
    return text + (": " + ", ".join(_part(pen, part) for part in parts) if parts else "")


def _evacuation(pen: Pen, part: model.RetreatPart) -> str:
    where = pen.to(part.to) if part.to is not None else f" {pen.word('aboard')}"
    return f"{pen.word('via')} {pen.space(part.via or '')}{where}: {pen.group(part.units)}"


def _retreat_part(pen: Pen, order: model.RetreatPart) -> str:
    return _part(pen, order)


def _press_on(pen: Pen, order: model.PressOn) -> str:
    return pen.word("press_on") + _space(pen, order.space)


def _submerge(pen: Pen, order: model.Submerge) -> str:
    if order.to is not None or order.withdraws:
        units = (Pick("submarine"),) if isinstance(order.units, str) else order.units
        text = f"{pen.word('withdraw')}{_side(pen, order.side)} {pen.group(units)}{_space(pen, order.space)}"
        text += f" -> {pen.space(order.to)}" if order.to is not None else ""
        return text + pen.after_round(order.after_round)
    text = pen.word("submerge") + _side(pen, order.side) + _space(pen, order.space) + ": "
    if order.units == ALL:
        text += pen.word("all")
    else:
        assert not isinstance(order.units, str)
        text += pen.group(order.units) if order.units else pen.word("none")
    if order.late:
        text += f" {pen.word('late')}"
    return text + pen.after_round(order.after_round)


def _scramble(pen: Pen, order: model.Scramble) -> str:
    units = pen.group(order.units) if order.units else pen.word("none")
    text = f"{pen.word('scramble')} {units}{_space(pen, order.space)}"
    return text + (f" -> {pen.space(order.zone)}" if order.zone is not None else "")


def _intercept(pen: Pen, order: model.Intercept) -> str:
    units = pen.group(order.units) if order.units else pen.word("none")
    return f"{pen.word('intercept')}{_space(pen, order.space)}: {units}"


def _kamikaze(pen: Pen, order: model.Kamikaze) -> str:
    items = [f"{number} {pen.word('on')} {pen.pick(target, 1)}" for number, target in order.strikes]
    if order.prefer:
        items.append(f"{pen.word('prefer')} {pen.group(order.prefer, None)}")
    if order.most is not None:
        items.append(f"{pen.word('at_most')} {order.most}")
    return f"{pen.word('kamikaze')}{_space(pen, order.space)}: {', '.join(items) or pen.word('none')}"


def _submarine_fire(pen: Pen, order: model.SubmarineFire) -> str:
    word = pen.word("only_cargo" if order.when_to == "cargo" else order.when_to)
    return f"{pen.word('sub_fire')}{_space(pen, order.space)}: {word}"


def _bomb_targets(pen: Pen, order: model.BombTargets) -> str:
    if all(target in AIMS.values() for _, target in order.groups):
        words = {target: word for word, target in AIMS.items()}
        aimed = (f"{pen.pick(pick)} {pen.word('aimed_at')} {pen.word(words[target])}" for pick, target in order.groups)
        return f"{pen.word('aim')}{_space(pen, order.space)}: {', '.join(aimed)}"
    groups = ", ".join(f"{pen.pick(pick)} {pen.word('on')} {pen.kind(target)}" for pick, target in order.groups)
    return f"{pen.word('bomb')}{_space(pen, order.space)}: {groups}"


def _land(pen: Pen, order: model.LandAircraft) -> str:
    verb = f"{pen.word('land_cap')}:" if order.in_phase == "land_cap" else pen.word("land")
    return f"{verb} {pen.group(order.units)} {pen.route((order.space, order.to))}"


_GROUPS = ("stranded", "scrambled", "interceptors", "retreating")


def _landing_preference(pen: Pen, order: model.LandingPreference) -> str:
    group = pen.word(f"{order.group}_group") if order.group in _GROUPS else pen.kind(order.group)
    places = [_landing_place(pen, place) for place in order.places]
    return f"{pen.word('land')} {group}: {', '.join(places)}"


def _landing_place(pen: Pen, place: str) -> str:
    if place in ("nearest", "island"):
        return pen.word(place)
    return pen.kind("carrier") if place == "carrier" else pen.space(place)


def _battle_plan(pen: Pen, order: model.BattlePlan) -> str:
    text = pen.word(order.plan) + _space(pen, order.space)
    if order.from_round is None:
        return text
    return text + (pen.after_round(order.from_round) if pen.language == "zh" else f" from round {order.from_round}")


def _scorch(pen: Pen, order: model.Scorch) -> str:
    text = pen.word("scorch") + _space(pen, order.space)
    return text if order.scorches else f"{pen.word('do_not')} {text}"


def _consent(pen: Pen, order: model.Consent) -> str:
    return f"{pen.word('allow' if order.allowed else 'refuse')} {pen.word(order.to)}"


def _allow_cargo(pen: Pen, order: model.AllowCargo) -> str:
    return f"{pen.word('allow' if order.allowed else 'refuse')} {pen.power(order.power)} {pen.word('cargo')}"


def _last_resort(pen: Pen, order: model.LastResort) -> str:
    return f"{pen.word('last_resort')}{_space(pen, order.space)}: {pen.word('join' if order.joins else 'stand')}"


def _marker(pen: Pen, order: model.ControlMarker) -> str:
    where = pen.space(order.space) if order.space is not None else pen.word("default")
    category = "economy" if pen.names.known("economy", order.owner) else "power"
    return f"{pen.word('marker')} {where} {pen.thing(category, order.owner)}"


def _ask_me(pen: Pen, order: model.AskMe) -> str:
    text = pen.word("ask_me" if order.ask else "do_not_ask")
    if order.decision in DECISIONS:
        text += f" {pen.word(DECISIONS[order.decision])}"
    elif order.decision is not None:
        text += f" {pen.thing('card', order.decision)}"
    return text + _space(pen, order.space)


WRITERS: dict[str, Callable[[Pen, Any], str]] = {
    "casualties": _casualties, "retreat": _retreat, "retreat_part": _retreat_part, "press_on": _press_on,
    "submerge": _submerge, "scramble": _scramble, "intercept": _intercept, "kamikaze": _kamikaze,
    "submarine_fire": _submarine_fire, "bomb_targets": _bomb_targets, "land": _land,
    "landing_preference": _landing_preference, "battle_plan": _battle_plan, "scorch": _scorch, "consent": _consent,
    "allow_cargo": _allow_cargo, "last_resort": _last_resort, "marker": _marker, "ask_me": _ask_me,
}  # fmt: skip
