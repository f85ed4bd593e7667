"""Reads what moves: marches, flights and voyages, loading and unloading, patrols, bombardment and battle choices."""

from __future__ import annotations

from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.read_conditions import condition
from pbem.orders.read_units import group, kinds, some_group
from pbem.orders.words import Kind
from pbem.rules.order_model import (
    Assign,
    AttackHere,
    BattleSequence,
    Bombard,
    CombatAirPatrol,
    CommitPatrol,
    Condition,
    Drop,
    IgnoreHere,
    LandOnly,
    Load,
    Move,
    Order,
    Pick,
    Rocket,
    Unload,
)

_PURPOSES = {"to_bomb": "bomb", "to_escort": "escort", "to_attack": "attack", "to_patrol": "patrol"}
Origin = tuple[tuple[Pick, ...], str]


def move_phase(cursor: Cursor) -> str:
    """The phase a move belongs to: what a heading or prefix says, else the open window, else the combat move."""
    if cursor.phase in ("combat_move", "noncombat_move", "deploy_air"):
        return cursor.phase
    return "noncombat_move" if cursor.phase is None and cursor.window == "noncombat_move" else "combat_move"


def origins(cursor: Cursor) -> list[Origin]:
    """`3 inf Kwangsi + 2 inf from Siam`: groups with the space each stands in."""
    found: list[Origin] = []
    while True:
        start = cursor.at
        if found:
            cursor.separator()
        units = group(cursor)
        if not units:
            cursor.at = start
            return found
        if not cursor.take(Kind.AT) and not (cursor.find("space", 1) is not None and cursor.take(Kind.COLON)):
            cursor.word("from", "in")
        space = cursor.space("the space where they stand")
        found.append((units, space))


def path(cursor: Cursor) -> list[str]:
    """`-> Hunan -> Kweichow`: the spaces behind one or more arrows."""
    spaces = []
    while cursor.arrow():
        spaces.append(cursor.space("a space behind the arrow"))
    return spaces


def trailing_condition(cursor: Cursor) -> Condition | None:
    """`... if odds < 40%` at the end of an order."""
    return condition(cursor) if cursor.word("if") else None


def move(cursor: Cursor) -> list[Order]:
    """`2 inf, 1 art Kiangsi -> Hunan`, also with several origins or the spaces first (`Kiangsi -> Hunan: 2 inf`)."""
    if cursor.word("from"):
        return _from_first(cursor)
    if cursor.find("space") is not None and not cursor.is_kind(Kind.NUMBER) and group_here(cursor) is False:
        return _space_first(cursor)
    found = origins(cursor)
    if not found:
        raise cursor.unknown("unit", "a unit")
    spaces = path(cursor) or ([cursor.target] if cursor.target is not None else [])
    if not spaces:
        raise Refusal("where to? write the space behind an arrow, like `3 infantry SPACE -> SPACE`", deep=cursor.at)
    return _moves(cursor, found, spaces)


def group_here(cursor: Cursor) -> bool:
    """Whether units stand here, and not a space; nothing is taken."""
    start, notes = cursor.at, len(cursor.notes)
    try:
        return bool(group(cursor))
    except Refusal:
        return True
    finally:
        cursor.at = start
        del cursor.notes[notes:]


def _from_first(cursor: Cursor) -> list[Order]:
    space = cursor.space()
    cursor.take(Kind.COLON, Kind.COMMA)
    start = cursor.at
    units = group(cursor)
    if not units:
        cursor.at = start
        spaces = path(cursor)
        cursor.take(Kind.COLON, Kind.COMMA)
        return _moves(cursor, [(some_group(cursor), space)], spaces)
    return _moves(cursor, [(units, space)], path(cursor))


def _space_first(cursor: Cursor) -> list[Order]:
    first = cursor.space()
    spaces = path(cursor)
    if spaces:
        if cursor.take(Kind.COLON) is None:
            raise Refusal("which units? write them first: `3 infantry SPACE -> SPACE`", deep=cursor.at)
        units = some_group(cursor)
        return _moves(cursor, [(units, first)], spaces)
    if cursor.take(Kind.COLON, Kind.DASH) is None:
        raise Refusal("units and an arrow are missing; write `3 infantry SPACE -> SPACE`", deep=cursor.at)
    start, notes = cursor.at, len(cursor.notes)
    units = group(cursor)
    further = path(cursor) if units else []
    if further:
        return _moves(cursor, [(units, first)], further)
    cursor.at = start
    del cursor.notes[notes:]
    found = origins(cursor)
    if not found:
        raise cursor.unknown("unit", "a unit")
    return _moves(cursor, found, [first])


def _moves(cursor: Cursor, found: list[Origin], spaces: list[str]) -> list[Order]:
    purpose, target = _purpose(cursor)
    part = cursor.word("to_sea", "on_land") if purpose is None else None
    when = trailing_condition(cursor)
    phase = move_phase(cursor)
    if not spaces:
        raise Refusal("where to? write the space behind an arrow", deep=cursor.at)
    orders: list[Order] = []
    for units, origin in found:
        boards = _boarding(cursor, units, (origin, *spaces)) if purpose is None and part is None else None
        if boards is None:
            orders.append(Move(units, (origin, *spaces), purpose, target, phase, when))
        elif boards:
            cursor.notes.append("read as `load`")
            orders.append(Load(units, origin, spaces[0], None, phase, when))
        else:
            cursor.notes.append("read as `unload`")
            orders.append(Unload(units, origin, spaces[0], phase, when))
        if part is not None:
            orders.append(Assign(units, spaces[-1], "sea" if part == "to_sea" else "land"))
    return orders


def _boarding(cursor: Cursor, units: tuple[Pick, ...], spaces: tuple[str, ...]) -> bool | None:
    """Whether a move of land units is boarding (True) or landing (False); None if it is an ordinary move."""
    if len(spaces) != 2 or any(cursor.names.units.get(pick.kind) != "land" for pick in units):
        return None
    at_sea = [space in cursor.names.seas for space in spaces]
    return at_sea[1] if at_sea[0] != at_sea[1] else None


def _purpose(cursor: Cursor) -> tuple[str | None, str | None]:
    found = cursor.word(*_PURPOSES)
    if found is None:
        return None, None
    target = None
    if found == "to_bomb" and not cursor.end():
        target = facility(cursor)
    return _PURPOSES[found], target


def facility(cursor: Cursor) -> str | None:
    """A facility named here, and past it."""
    found = cursor.find("unit")
    if found is None:
        return None
    if len(found.ids) > 1:
        raise cursor.ambiguous("unit", found)
    domain = cursor.names.units.get(found.ids[0])
    if domain != "structure" and found.ids[0] != "industrial_complex":
        return None
    cursor.at += found.length
    return found.ids[0]


def read_move(cursor: Cursor) -> list[Order]:
    """`move 2 inf Kiangsi -> Hunan`."""
    return move(cursor)


def deploy(cursor: Cursor) -> list[Order]:
    """`deploy 1 fighter Formosa -> Ryukyu Islands -> Caroline Islands`."""
    found = origins(cursor)
    if not found:
        raise cursor.unknown("unit", "an aircraft")
    spaces: list[str] = []
    if cursor.word("via"):
        spaces.append(cursor.space("a base on the way"))
        while cursor.separator():
            spaces.append(cursor.space("a base on the way"))
    spaces += path(cursor)
    if not spaces:
        raise Refusal("where to? write the bases behind arrows", deep=cursor.at)
    when = trailing_condition(cursor)
    return [Move(units, (origin, *spaces), "deploy", None, "deploy_air", when) for units, origin in found]


def _boarders(cursor: Cursor) -> list[Origin]:
    found = origins(cursor)
    if not found:
        raise cursor.unknown("unit", "a unit")
    if not cursor.arrow() and not cursor.word("in", "aboard"):
        raise Refusal("where to? write the space behind an arrow", deep=cursor.at)
    return found


def load(cursor: Cursor) -> list[Order]:
    """`load 2 infantry Japan -> Sea Zone 6 onto 1 transport`, or `load 2 infantry Japan onto transport Sea Zone 6`."""
    found = _boarders(cursor)
    onto = some_group(cursor)[0] if cursor.find("space") is None and group_here(cursor) else None
    if onto is not None:
        cursor.word("in")
    zone = cursor.space("a sea zone")
    if zone not in cursor.names.seas:
        name = cursor.names.name("space", zone)
        raise Refusal(f"units board ships in a sea zone, and {name} is none", deep=cursor.at)
    if onto is None and cursor.word("to", "aboard", "in"):
        onto = some_group(cursor)[0]
    when = trailing_condition(cursor)
    return [Load(units, origin, zone, onto, move_phase(cursor), when) for units, origin in found]


def unload(cursor: Cursor) -> list[Order]:
    """`unload 2 infantry Sea Zone 19 -> Formosa`."""
    found = _boarders(cursor)
    space = cursor.space("a space behind the arrow")
    when = trailing_condition(cursor)
    return [Unload(units, zone, space, move_phase(cursor), when) for units, zone in found]


def attack(cursor: Cursor) -> list[Order]:
    """`attack Sea Zone 6`, `attack Sea Zone 12 with 1 cruiser`, `attack sz5 with 4 ftr and sz9 with 2 sub`."""
    cursor.word("in")
    cursor.take(Kind.COLON)
    orders: list[Order] = []
    while True:
        if group_here(cursor) and cursor.find("space") is None:
            if orders:
                return orders
            return move(cursor)
        space = cursor.space("the space to attack")
        units: tuple[Pick, ...] = ()
        coming = _coming(cursor)
        if coming:
            orders += _moves(cursor, coming, [space])
            return orders
        if cursor.word("with"):
            units = _attackers(cursor)
        if space not in cursor.names.seas:
            name = cursor.names.name("space", space)
            raise Refusal(
                f"{name} is land: say where the attackers come from, like `3 infantry SPACE -> {name}`",
                deep=cursor.at,
            )
        orders.append(AttackHere(space, units))
        start = cursor.at
        if not cursor.separator():
            return orders
        cursor.word("attack")
        if cursor.find("space") is None:
            cursor.at = start
            return orders


def _coming(cursor: Cursor) -> list[Origin]:
    """`with 3 inf from Kwangsi and 2 inf from Siam`, `from Kwangsi with 3 inf`: attackers and where they come from."""
    start, notes = cursor.at, len(cursor.notes)
    try:
        if cursor.word("with"):
            return origins(cursor)
        if cursor.word("from"):
            space = cursor.space()
            if cursor.word("with"):
                return [(some_group(cursor), space)]
    except Refusal:
        pass
    cursor.at = start
    del cursor.notes[notes:]
    return []


def _attackers(cursor: Cursor) -> tuple[Pick, ...]:
    units = some_group(cursor)
    if any(pick.kind == "unit" and pick.count is None for pick in units):
        following = cursor.peek()
        if following is not None and following.key == "else":
            raise Refusal('"everything else" must be written out: which units, and from where', deep=cursor.at)
    return units


def ignore(cursor: Cursor) -> list[Order]:
    """`ignore Sea Zone 6`, `ignore Sea Zone 6 with all submarine`."""
    space = cursor.space("the zone to leave alone")
    units = some_group(cursor) if cursor.word("with") else ()
    return [IgnoreHere(space, units)]


def bombard(cursor: Cursor) -> list[Order]:
    """`bombard Norway with 1 cruiser from Sea Zone 6`, `bombard Norway: 1 cruiser`, `bombard all`."""
    if cursor.word("all"):
        cursor.word("everywhere")
        return [Bombard(None, None, (Pick("sea"),))]
    space = None if cursor.word("everywhere") else cursor.space("the territory to bombard")
    units: tuple[Pick, ...] = ()
    if cursor.word("with") or cursor.take(Kind.COLON):
        if not cursor.word("none"):
            units = tuple(kinds(cursor, "one"))
            if not units:
                raise cursor.unknown("unit", "a ship")
    elif not cursor.sees("from"):
        units = (Pick("sea"),)
    zone = cursor.space("the zone they fire from") if cursor.word("from") else None
    return [Bombard(space, zone, units)]


def assign(cursor: Cursor) -> list[Order]:
    """`assign 2 fighter Malaya to sea`, also `assign 2 ftr -> SEA 37`."""
    units = some_group(cursor)
    if cursor.take(Kind.ARROW) is not None:
        part = "land"
        if cursor.word("land_domain"):
            space = cursor.space()
        else:
            space = cursor.space()
            part = "sea" if space in cursor.names.seas else "land"
        return [Assign(units, space, part)]
    cursor.word("from", "in")
    space = cursor.space("the space they fly to")
    if (word := cursor.word("to_sea", "on_land")) is None:
        raise Refusal("to which part of the battle? end the line with `to sea` or `to land`", deep=cursor.at)
    return [Assign(units, space, "sea" if word == "to_sea" else "land")]


def land_only(cursor: Cursor) -> list[Order]:
    """`land only if own battleship left >= 1`, with `: Norway` for one landing."""
    when = condition(cursor)
    space = cursor.space() if cursor.take(Kind.COLON) else None
    return [LandOnly(space, when)]


def battle_order(cursor: Cursor) -> list[Order]:
    """`order: Sea Zone 37, Malaya, Hunan`."""
    cursor.take(Kind.COLON)
    spaces = [cursor.space("a battle's space")]
    while cursor.separator() or cursor.take(Kind.ARROW):
        spaces.append(cursor.space("a battle's space"))
    return [BattleSequence(tuple(spaces))]


def rocket(cursor: Cursor) -> list[Order]:
    """`rocket Germany -> United Kingdom`, `rocket United Kingdom`."""
    first = cursor.space("the target")
    if cursor.arrow():
        return [Rocket(first, cursor.space("the target"))]
    return [Rocket(None, first)]


def drop(cursor: Cursor) -> list[Order]:
    """`drop 1 infantry Germany -> Karelia S.S.R. with 1 bomber`, further `from SPACE to SPACE` of the bomber."""
    found = origins(cursor)
    if not found:
        raise cursor.unknown("unit", "infantry")
    spaces = path(cursor)
    if not spaces:
        raise Refusal("where to? write the space behind an arrow", deep=cursor.at)
    if not cursor.word("with"):
        raise Refusal("with which bomber? end the line with `with 1 bomber`", deep=cursor.at)
    bombers = some_group(cursor)
    start = cursor.space("where the bomber starts") if cursor.word("from") else None
    end = cursor.space("where the bomber lands") if cursor.arrow() else None
    when = trailing_condition(cursor)
    phase = move_phase(cursor)
    return [Drop(units, (origin, *spaces), bombers, start, end, phase, when) for units, origin in found]


def _patrol(cursor: Cursor) -> tuple[list[Origin], str]:
    if cursor.find("space") is not None and not cursor.is_kind(Kind.NUMBER):
        space = cursor.space()
        number = cursor.take(Kind.NUMBER)
        if number is None or int(number.text) == 0:
            raise Refusal("how many fighters? write `cap 2 fighter SPACE -> ZONE`", deep=cursor.at)
        found: list[Origin] = [((Pick("fighter", int(number.text)),), space)]
    else:
        found = origins(cursor)
        if not found:
            raise cursor.unknown("unit", "an aircraft")
    if not cursor.arrow():
        raise Refusal("over which zone? write it behind an arrow", deep=cursor.at)
    return found, cursor.space("the zone")


def cap(cursor: Cursor) -> list[Order]:
    """`cap 1 fighter Guam -> Sea Zone 25`."""
    found, zone = _patrol(cursor)
    phase = cursor.prefix if cursor.prefix in ("combat_move", "deploy_air") else None
    if phase is None and cursor.prefix is None and cursor.window == "deploy_air":
        phase = "deploy_air"
    when = trailing_condition(cursor)
    return [CombatAirPatrol(units, space, zone, phase or "noncombat_move", when) for units, space in found]


def commit(cursor: Cursor) -> list[Order]:
    """`commit all fighter Sea Zone 30 -> Sea Zone 29`, `COMMIT sz30->sz29 all if ...`."""
    if cursor.find("space") is not None and not cursor.is_kind(Kind.NUMBER):
        zone = cursor.space()
        if not cursor.arrow():
            raise Refusal("into which battle? write its zone behind an arrow", deep=cursor.at)
        target = cursor.space()
        units = some_group(cursor)
        when = trailing_condition(cursor)
        return [CommitPatrol(units, zone, target, when)]
    found, target = _patrol(cursor)
    when = trailing_condition(cursor)
    return [CommitPatrol(units, zone, target, when) for units, zone in found]
