"""What a player can say, as values: every order, answer and standing order, and their JSON form.

This file knows names of units and spaces only as ids of the facts. It reads no text (`pbem.orders` does) and judges
nothing (the chapters of `pbem.rules` do). Each class carries `type`, its name in JSON.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar

ALL = "all"


class OrderFormatError(ValueError):
    """A JSON value is no order: the message names the path, what stood there and what would be right."""


@dataclass(frozen=True, slots=True)
class Pick:
    """Some units by description: `3 infantry`, `2 anzac infantry`, `all fighters`, `1 tank (from Libya)`.

    `count` None means all. `owner` None means the power that speaks. `came_from` chooses among equals; `aboard`
    names the kind of carrier they stand on; `pool` takes from off the map; `ids` names pieces outright.
    """

    kind: str
    count: int | None = None
    owner: str | None = None
    came_from: str | None = None
    aboard: str | None = None
    pool: bool = False
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A test that a standing order waits for, as a small tree.

    `op` is `and`, `or`, `not` (then `of` holds the parts) or a comparison of `subject` with `value`:
    `lt le gt ge eq`. Subjects: `odds` (attacker's chance to win, parts per million, or the owner's own chance
    for a defender), `round` (battle rounds fought), `own_lost`, `enemy_lost`, `own_left`, `enemy_left` (units;
    `kind` narrows to one type), `own_land`, `taken` (a space: was it taken this turn; value 1 or 0), `bombers`,
    `escorts`.
    """

    op: str
    subject: str | None = None
    value: int | None = None
    kind: str | None = None
    space: str | None = None
    of: tuple[Condition, ...] = ()


class Order:
    """Base of everything a player can say. `type` is its JSON name, `phase` the step it belongs to, if one."""

    __slots__ = ()
    type: ClassVar[str] = ""
    phase: ClassVar[str | None] = None


# -- orders for the phases of a turn --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeclareWar(Order):
    """`declare war on uk`: processed before any move of the phase, wherever the line stands."""

    type: ClassVar[str] = "declare_war"
    phase: ClassVar[str | None] = "combat_move"
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StayAtPeace(Order):
    """`stay at peace`: decline an entry into the war that the rules offer."""

    type: ClassVar[str] = "stay_at_peace"
    phase: ClassVar[str | None] = "collect_income"


@dataclass(frozen=True, slots=True)
class Buy(Order):
    """`buy 2 infantry`; an upgrade names `ic_major` and its space (`upgrade Korea`); facilities may name one."""

    type: ClassVar[str] = "buy"
    phase: ClassVar[str | None] = "purchase"
    item: str
    count: int = 1
    space: str | None = None
    upgrade: bool = False


@dataclass(frozen=True, slots=True)
class Repair(Order):
    """`repair India 2`, `repair Kiangsu ic_minor 4`; `points` None removes all damage."""

    type: ClassVar[str] = "repair"
    phase: ClassVar[str | None] = "purchase"
    space: str
    facility: str | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Research(Order):
    """`research 2 dice`, `research 1 die for heavy_bombers`."""

    type: ClassVar[str] = "research"
    phase: ClassVar[str | None] = "research"
    dice: int
    technology: str | None = None


@dataclass(frozen=True, slots=True)
class Move(Order):
    """`2 inf 1 art Kiangsi -> Hunan`: units along a path of spaces, the first where they stand.

    `purpose` is None, `bomb`, `escort`, `attack`, `patrol`, `deploy`; `target` names a facility to bomb.
    A later phase is chosen by `in_phase` (`noncombat:` before the line).
    """

    type: ClassVar[str] = "move"
    units: tuple[Pick, ...]
    path: tuple[str, ...]
    purpose: str | None = None
    target: str | None = None
    in_phase: str = "combat_move"
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Load(Order):
    """`load 2 infantry Japan -> Sea Zone 6`: units board transports (or destroyers, carriers) in a zone."""

    type: ClassVar[str] = "load"
    units: tuple[Pick, ...]
    space: str
    zone: str
    onto: Pick | None = None
    in_phase: str = "combat_move"
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Unload(Order):
    """`unload 2 infantry Sea Zone 19 -> Formosa`: cargo goes ashore, as an assault or in the noncombat move."""

    type: ClassVar[str] = "unload"
    units: tuple[Pick, ...]
    zone: str
    space: str
    in_phase: str = "combat_move"
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class AttackHere(Order):
    """`attack Sea Zone 6`, `attack Sea Zone 12 with 1 cruiser`: fight enemies that need not be fought."""

    type: ClassVar[str] = "attack"
    phase: ClassVar[str | None] = "combat_move"
    space: str
    units: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class IgnoreHere(Order):
    """`ignore Sea Zone 6`: leave alone enemies there that need not be fought."""

    type: ClassVar[str] = "ignore"
    phase: ClassVar[str | None] = "combat_move"
    space: str


@dataclass(frozen=True, slots=True)
class Bombard(Order):
    """`bombard Norway with 1 cruiser from Sea Zone 6`; no units at all means `bombard Norway with nothing`."""

    type: ClassVar[str] = "bombard"
    phase: ClassVar[str | None] = "combat_move"
    space: str
    zone: str | None
    units: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class BattleSequence(Order):
    """`order: SZ 37, Malaya, Hunan`: in which order the battles are fought, within the rules' own order."""

    type: ClassVar[str] = "battle_sequence"
    phase: ClassVar[str | None] = "combat_move"
    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rocket(Order):
    """`rocket Germany -> United Kingdom`: an antiaircraft gun fires a rocket at an industrial complex."""

    type: ClassVar[str] = "rocket"
    phase: ClassVar[str | None] = "combat_move"
    space: str
    target: str


@dataclass(frozen=True, slots=True)
class Place(Order):
    """`place 2 infantry Japan`, `place ic_minor Korea`, `place 1 fighter Sea Zone 6` (onto a carrier there)."""

    type: ClassVar[str] = "place"
    phase: ClassVar[str | None] = "mobilize"
    units: tuple[Pick, ...]
    space: str


@dataclass(frozen=True, slots=True)
class Refund(Order):
    """`refund infantry, artillery`: which items go back to the bank first when room is short."""

    type: ClassVar[str] = "refund"
    phase: ClassVar[str | None] = "mobilize"
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormTaskForce(Order):
    """`form carrier task force Sea Zone 36: 1 carrier from pool, 2 destroyer`."""

    type: ClassVar[str] = "form_task_force"
    phase: ClassVar[str | None] = "fuel_task_forces"
    kind: str
    zone: str
    units: tuple[Pick, ...]
    cargo: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class CombatAirPatrol(Order):
    """`cap 1 fighter Guam -> Sea Zone 25`: put aircraft on patrol."""

    type: ClassVar[str] = "cap"
    units: tuple[Pick, ...]
    space: str
    zone: str
    in_phase: str = "noncombat_move"
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class PlayCard(Order):
    """`play heavy_tank: 1 tank Karelia S.S.R.`: a card with its objects, and a condition in standing orders."""

    type: ClassVar[str] = "play"
    card: str
    space: str | None = None
    units: tuple[Pick, ...] = ()
    words: tuple[str, ...] = ()
    number: int | None = None
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class DrawCard(Order):
    """`draw tactics`, `draw none`, `discard supply_lines`: phase 7 of the victory-card variant."""

    type: ClassVar[str] = "draw"
    phase: ClassVar[str | None] = "draw_card"
    deck: str
    discard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SplitConvoys(Order):
    """`convoy india 6, australia 6`: how shared convoy income is divided among treasuries."""

    type: ClassVar[str] = "convoy_split"
    phase: ClassVar[str | None] = "collect_income"
    shares: tuple[tuple[str, int], ...]


# -- answers and standing orders ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Casualties(Order):
    """`casualties S: tank first` (every round) or `casualties S: carrier, fighter` (one name for each hit).

    `space` None holds for every battle; `first` tells a priority from a consumed list; `round` limits it to one
    battle round; `side` may be `attack` or `defend`, `domain` `land` or `sea`, for campaign-wide orders. `which` is
    `losses`, `aa` (aircraft lost to AA fire), `air` (air battle of a raid) or `shared` (the attacker's choice
    between disagreeing defenders).
    """

    type: ClassVar[str] = "casualties"
    space: str | None
    picks: tuple[Pick, ...]
    first: bool = True
    round: int | None = None
    which: str = "losses"
    side: str | None = None
    domain: str | None = None
    keep_land: int = 0
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class RetreatPart(Order):
    """One part of a split retreat: `3 infantry to Karelia S.S.R.`, `1 carrier break off`, `landed re-embark`."""

    type: ClassVar[str] = "retreat_part"
    units: tuple[Pick, ...]
    to: str | None = None
    how: str | None = None


@dataclass(frozen=True, slots=True)
class Retreat(Order):
    """`retreat Hunan after round 1 to Kiangsi`; `parts` only where the rule set lets a side divide."""

    type: ClassVar[str] = "retreat"
    space: str | None
    to: str | None = None
    after_round: int | None = None
    parts: tuple[RetreatPart, ...] = ()
    scope: str | None = None
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class PressOn(Order):
    """`press on Burma`: no retreat from that battle (space None: from none)."""

    type: ClassVar[str] = "press_on"
    space: str | None
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Submerge(Order):
    """`submerge Sea Zone 6: all` / `none` / `1 submarine`; classic `withdraw` names `to`."""

    type: ClassVar[str] = "submerge"
    space: str | None
    units: tuple[Pick, ...] | str = ALL
    after_round: int | None = None
    to: str | None = None
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Scramble(Order):
    """`scramble 1 fighter Japan -> Sea Zone 6`; no units: `scramble none` (space and zone None: nowhere)."""

    type: ClassVar[str] = "scramble"
    units: tuple[Pick, ...]
    space: str | None = None
    zone: str | None = None
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Intercept(Order):
    """`intercept Germany: 1 fighter`; no units: none."""

    type: ClassVar[str] = "intercept"
    space: str | None
    units: tuple[Pick, ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Kamikaze(Order):
    """`kamikaze Sea Zone 6: 2 on battleship, 1 on carrier`; no strikes: none."""

    type: ClassVar[str] = "kamikaze"
    space: str | None
    strikes: tuple[tuple[int, Pick], ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class SubmarineFire(Order):
    """`fire at transports Sea Zone 12: always | cargo | never`: submarines against passing transports."""

    type: ClassVar[str] = "submarine_fire"
    space: str | None
    when_to: str = "always"


@dataclass(frozen=True, slots=True)
class BombTargets(Order):
    """`bomb India: 2 on ic_minor, 1 on naval_base`: surviving bombers by facility."""

    type: ClassVar[str] = "bomb_targets"
    space: str
    groups: tuple[tuple[Pick, str], ...]


@dataclass(frozen=True, slots=True)
class LandAircraft(Order):
    """`land 2 fighter Sea Zone 31 -> Wake Island`: where aircraft go whose deck or base is gone."""

    type: ClassVar[str] = "land"
    units: tuple[Pick, ...]
    space: str
    to: str
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class AllowCargo(Order):
    """`allow anzac cargo`: that power's units may board this power's transports."""

    type: ClassVar[str] = "allow_cargo"
    power: str
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class AskMe(Order):
    """`ask me`, `ask me casualties Yunnan`, `do not ask retreat`: stop and ask instead of defaulting."""

    type: ClassVar[str] = "ask_me"
    decision: str | None = None
    space: str | None = None
    ask: bool = True


# -- lines about the orders themselves ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ready(Order):
    """`ready` / `not ready`: the window need not wait for this player."""

    type: ClassVar[str] = "ready"
    is_ready: bool = True


@dataclass(frozen=True, slots=True)
class RestDefault(Order):
    """`rest default`: no second mail for the rest of the turn."""

    type: ClassVar[str] = "rest_default"


@dataclass(frozen=True, slots=True)
class AddOnly(Order):
    """`add` as first line: the lines below are added, nothing is replaced."""

    type: ClassVar[str] = "add"


@dataclass(frozen=True, slots=True)
class CancelPhase(Order):
    """`cancel combat_move`: empty that phase (`standing` empties the standing orders)."""

    type: ClassVar[str] = "cancel"
    of_phase: str


@dataclass(frozen=True, slots=True)
class Entropy(Order):
    """`ENTROPY any words`: the player's own share in the next dice."""

    type: ClassVar[str] = "entropy"
    words: str


@dataclass(frozen=True, slots=True)
class Same(Order):
    """`same`: confirm the orders that a ruling made void."""

    type: ClassVar[str] = "same"


@dataclass(frozen=True, slots=True)
class Concede(Order):
    """`concede`: all players of a side must say so."""

    type: ClassVar[str] = "concede"
    conceding: bool = True


ORDER_TYPES: dict[str, type[Order]] = {
    cls.type: cls
    for cls in (
        DeclareWar, StayAtPeace, Buy, Repair, Research, Move, Load, Unload, AttackHere, IgnoreHere, Bombard,
        BattleSequence, Rocket, Place, Refund, FormTaskForce, CombatAirPatrol, PlayCard, DrawCard, SplitConvoys,
        Casualties, RetreatPart, Retreat, PressOn, Submerge, Scramble, Intercept, Kamikaze, SubmarineFire,
        BombTargets, LandAircraft, AllowCargo, AskMe, Ready, RestDefault, AddOnly, CancelPhase, Entropy, Same,
        Concede,
    )
}  # fmt: skip

STANDING: tuple[type[Order], ...] = (
    Casualties, Retreat, PressOn, Submerge, Scramble, Intercept, Kamikaze, SubmarineFire, BombTargets, LandAircraft,
    AllowCargo, AskMe,
)  # fmt: skip
META: tuple[type[Order], ...] = (Ready, RestDefault, AddOnly, CancelPhase, Entropy, Same, Concede)


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
