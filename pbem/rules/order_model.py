"""What a player can say, as values: every order, answer and standing order, and their JSON form.

The classes lie in `order_values`, `order_turn`, `order_answers` and `order_lines`; this is where they are found
together. They know names of units and spaces only as ids of the facts. Nothing here reads text (`pbem.orders` does)
or judges (the chapters of `pbem.rules` do). Each class carries `type`, its name in JSON.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from pbem.rules.order_answers import (
    AllowCargo,
    AskMe,
    BattlePlan,
    BombTargets,
    Casualties,
    Consent,
    ControlMarker,
    Intercept,
    Kamikaze,
    LandAircraft,
    LandingPreference,
    LastResort,
    PressOn,
    Retreat,
    RetreatPart,
    Scorch,
    Scramble,
    SubmarineFire,
    Submerge,
)
from pbem.rules.order_lines import (
    AddOnly,
    BattleNote,
    Bid,
    CancelPhase,
    Concede,
    Entropy,
    NothingTo,
    Ready,
    RestDefault,
    Same,
)
from pbem.rules.order_turn import (
    NO_CARD,
    Assign,
    AttackHere,
    BattleSequence,
    Bombard,
    Buy,
    CarrierWing,
    CombatAirPatrol,
    CommitPatrol,
    DeclareWar,
    Discard,
    DrawCard,
    Drop,
    FirstSeat,
    FormTaskForce,
    GiveOil,
    IgnoreHere,
    LandOnly,
    Load,
    Move,
    PayEconomy,
    Place,
    PlayCard,
    Refit,
    Refund,
    Repair,
    Research,
    Rocket,
    SplitConvoys,
    StayAtPeace,
    Unload,
)
from pbem.rules.order_values import ALL, KIND_CLASSES, SUBJECTS, Condition, Order, Pick

__all__ = [
    "ALL", "AddOnly", "AllowCargo", "AskMe", "Assign", "AttackHere", "BattleNote", "BattlePlan", "BattleSequence",
    "Bid", "BombTargets", "Bombard", "Buy", "CancelPhase", "CarrierWing", "Casualties", "CombatAirPatrol",
    "CommitPatrol", "Concede", "Condition", "Consent", "ControlMarker", "DeclareWar", "Discard", "DrawCard",
    "Drop", "Entropy", "FirstSeat", "FormTaskForce", "GiveOil", "IgnoreHere", "Intercept", "KIND_CLASSES", "Kamikaze",
    "LandAircraft", "LandOnly", "LandingPreference", "LastResort", "Load", "META", "Move", "NO_CARD", "NothingTo",
    "ORDER_TYPES", "Order", "OrderFormatError", "PayEconomy", "Pick", "Place", "PlayCard", "PressOn", "Ready",
    "Refit", "Refund", "Repair", "Research", "RestDefault", "Retreat", "RetreatPart", "Rocket", "STANDING",
    "SUBJECTS", "Same", "Scorch", "Scramble", "SplitConvoys", "StayAtPeace", "SubmarineFire", "Submerge", "Unload",
    "from_json", "phase_of", "to_json",
]  # fmt: skip


class OrderFormatError(ValueError):
    """A JSON value is no order: the message names the path, what stood there and what would be right."""


ORDER_TYPES: dict[str, type[Order]] = {
    cls.type: cls
    for cls in (
        DeclareWar, StayAtPeace, Buy, Repair, Research, Move, Load, Unload, AttackHere, IgnoreHere, Bombard, Assign,
        LandOnly, BattleSequence, Rocket, Drop, Place, Refund, FormTaskForce, CombatAirPatrol, PlayCard, DrawCard,
        SplitConvoys, Discard, CommitPatrol, CarrierWing, Refit, GiveOil, PayEconomy, FirstSeat, Casualties,
        RetreatPart, Retreat, PressOn, Submerge, Scramble, Intercept, Kamikaze, SubmarineFire, BombTargets,
        LandAircraft, LandingPreference, BattlePlan, Scorch, Consent, LastResort, ControlMarker, AllowCargo, AskMe,
        Ready, RestDefault, AddOnly, CancelPhase, Entropy, Same, Concede, NothingTo, Bid, BattleNote,
    )
}  # fmt: skip

STANDING: tuple[type[Order], ...] = (
    Casualties, Retreat, PressOn, Submerge, Scramble, Intercept, Kamikaze, SubmarineFire, BombTargets, LandAircraft,
    LandingPreference, BattlePlan, Scorch, Consent, LastResort, ControlMarker, AllowCargo, AskMe, CommitPatrol,
    FirstSeat,
)  # fmt: skip
META: tuple[type[Order], ...] = (
    Ready, RestDefault, AddOnly, CancelPhase, Entropy, Same, Concede, Bid, BattleNote,
)  # fmt: skip


def phase_of(order: Order) -> str | None:
    """The phase an order belongs to; None for standing orders, answers and lines about the orders themselves."""
    in_phase = getattr(order, "in_phase", None)
    return in_phase if isinstance(in_phase, str) else order.phase


# -- JSON -----------------------------------------------------------------------------------------------------------


def _encode(value: Any) -> Any:
    if isinstance(value, Order):
        return to_json(value)
    if isinstance(value, Pick | Condition):
        return {
            field.name: _encode(getattr(value, field.name))
            for field in fields(value)
            if getattr(value, field.name) != field.default
        }
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    return value


def to_json(order: Order) -> dict[str, Any]:
    """An order as JSON: `type` and every field that differs from its default."""
    out: dict[str, Any] = {"type": order.type}
    for field in fields(order):  # type: ignore[arg-type]
        value = getattr(order, field.name)
        if field.default is MISSING or value != field.default:
            out[field.name] = _encode(value)
    return out


_HINTS: dict[type, dict[str, Any]] = {}


def _hints(cls: type) -> dict[str, Any]:
    if cls not in _HINTS:
        _HINTS[cls] = typing.get_type_hints(cls)
    return _HINTS[cls]


def _decode(hint: Any, value: Any, path: str) -> Any:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        choices = typing.get_args(hint)
        if value is None and type(None) in choices:
            return None
        for choice in choices:
            if choice is type(None):
                continue
            if choice is str and not isinstance(value, str):
                continue
            if typing.get_origin(choice) is tuple and not isinstance(value, list):
                continue
            return _decode(choice, value, path)
        raise OrderFormatError(f"{path}: {value!r} is not allowed here")
    if origin is tuple:
        if not isinstance(value, list):
            raise OrderFormatError(f"{path}: a list is expected, not {value!r}")
        args = typing.get_args(hint)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_decode(args[0], item, f"{path}[{index}]") for index, item in enumerate(value))
        if len(value) != len(args):
            raise OrderFormatError(f"{path}: {len(args)} values are expected, not {len(value)}")
        return tuple(_decode(arg, item, f"{path}[{i}]") for i, (arg, item) in enumerate(zip(args, value, strict=True)))
    if hint in (Pick, Condition):
        return _decode_fields(hint, value, path)
    if isinstance(hint, type) and issubclass(hint, Order):
        return from_json(value, path)
    if hint is int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise OrderFormatError(f"{path}: a whole number is expected, not {value!r}")
        if abs(value) > 1_000_000_000:
            raise OrderFormatError(f"{path}: {value} is too large")
        return value
    if hint in (str, bool):
        if not isinstance(value, hint):
            raise OrderFormatError(f"{path}: a {'text' if hint is str else 'true or false'} is expected, not {value!r}")
        return value
    raise TypeError(f"no reading for {hint!r} at {path}")


def _decode_fields(cls: type, value: Any, path: str) -> Any:
    if not isinstance(value, Mapping):
        raise OrderFormatError(f"{path}: an object is expected, not {value!r}")
    hints = _hints(cls)
    known = {field.name: field for field in fields(cls)}
    unknown = sorted(str(key) for key in value if key not in known and key != "type")
    if unknown:
        raise OrderFormatError(f"{path}: unknown field {unknown[0]!r}; known are {', '.join(known)}")
    given: dict[str, Any] = {}
    for name, field in known.items():
        if name in value:
            given[name] = _decode(hints[name], value[name], f"{path}.{name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise OrderFormatError(f"{path}: {name} is missing")
    return cls(**given)


def from_json(value: Any, path: str = "order") -> Order:
    """The order that `to_json` wrote; raises OrderFormatError naming the path of what does not fit."""
    if not isinstance(value, Mapping):
        raise OrderFormatError(f"{path}: an object is expected, not {value!r}")
    name = value.get("type")
    cls = ORDER_TYPES.get(name) if isinstance(name, str) else None
    if cls is None:
        raise OrderFormatError(f"{path}.type: {name!r} is no kind of order; known are {', '.join(ORDER_TYPES)}")
    order = _decode_fields(cls, value, path)
    assert isinstance(order, Order)
    return order
