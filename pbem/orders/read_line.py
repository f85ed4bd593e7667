"""Reads one order: finds its verb or its shape, and hands it to the chapter that knows it.

What several chapters could read is read by the one that gets to the end; what none can read is refused with the reason
of the one that got farthest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from pbem.orders import (
    read_battle,
    read_economy,
    read_landings,
    read_moves,
    read_notes,
    read_retreat,
    read_shapes,
    read_variants,
)
from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.names import GENERIC_PHASE
from pbem.orders.read_conditions import asks_for_capture, condition
from pbem.orders.words import Kind
from pbem.rules.order_model import Condition, Drop, Load, Move, NothingTo, Order, Unload

Reader = Callable[[Cursor], list[Order]]
Shape = Callable[[Cursor], list[Order] | None]

VERBS: dict[str, Reader] = {
    "declare_war": read_economy.declare_war,
    "buy": read_economy.buy,
    "upgrade": read_economy.upgrade,
    "repair": read_economy.repair,
    "research": read_economy.research,
    "place": read_economy.place,
    "refund": read_economy.refund,
    "convoy": read_economy.convoy,
    "oil": read_economy.oil,
    "pay_economy": read_economy.pay_economy,
    "bid": read_economy.bid,
    "move": read_moves.read_move,
    "deploy": read_moves.deploy,
    "load": read_moves.load,
    "unload": read_moves.unload,
    "attack": read_moves.attack,
    "ignore": read_moves.ignore,
    "bombard": read_moves.bombard,
    "assign": read_moves.assign,
    "land_only": read_moves.land_only,
    "battle_order": read_moves.battle_order,
    "rocket": read_moves.rocket,
    "drop": read_moves.drop,
    "cap": read_moves.cap,
    "commit": read_moves.commit,
    "casualties": lambda cursor: read_battle.casualties(cursor, "casualties"),
    "order_of_loss": lambda cursor: read_battle.casualties(cursor, "casualties", ranked=True),
    "aa_losses": lambda cursor: read_battle.casualties(cursor, "aa_losses"),
    "air_losses": lambda cursor: read_battle.casualties(cursor, "air_losses"),
    "choose": lambda cursor: read_battle.casualties(cursor, "choose"),
    "fog_losses": lambda cursor: read_battle.casualties(cursor, "fog_losses"),
    "heavy_artillery_losses": lambda cursor: read_battle.casualties(cursor, "heavy_artillery_losses"),
    "press_on": read_battle.press_on,
    "submerge": read_battle.submerge,
    "scramble": read_variants.scramble,
    "intercept": read_battle.intercept,
    "kamikaze": read_battle.kamikaze,
    "sub_fire": read_battle.submarine_fire,
    "bomb": read_battle.bomb,
    "aim": read_battle.aim,
    "land": read_landings.land,
    "land_cap": read_landings.land_cap,
    "stranded_group": lambda cursor: _from_verb(cursor, read_landings.land),
    "scrambled_group": lambda cursor: _from_verb(cursor, read_landings.land),
    "retreat": read_retreat.retreat,
    "withdraw": read_retreat.withdraw,
    "reembark": read_retreat.reembark,
    "evacuate": read_retreat.evacuate,
    "break_off": read_retreat.all_break_off,
    "play": read_variants.play,
    "roll_die": read_variants.roll_die,
    "draw": read_variants.draw,
    "discard": read_variants.discard,
    "form": read_variants.form,
    "eastern_force": read_variants.eastern,
    "refit": read_variants.refit,
    "carrier_wing": read_variants.carrier_wing,
    "first_seat": read_variants.first_seat,
    "marker": read_variants.marker,
    "scorch": read_variants.scorch,
    "allow": lambda cursor: read_variants.consent(cursor, True),
    "refuse": lambda cursor: read_variants.consent(cursor, False),
    "last_resort": read_variants.last_resort,
    "ask_me": lambda cursor: read_notes.ask(cursor, True),
    "do_not_ask": lambda cursor: read_notes.ask(cursor, False),
    "cancel": read_notes.cancel,
    "save_air": lambda cursor: read_battle.battle_plan(cursor, "save_air"),
    "save_air_at_all_costs": lambda cursor: read_battle.battle_plan(cursor, "save_air_at_all_costs"),
    "take_at_all_costs": lambda cursor: read_battle.battle_plan(cursor, "take_at_all_costs"),
    "kill_at_all_costs": lambda cursor: read_battle.battle_plan(cursor, "kill_at_all_costs"),
    "walk_in": lambda cursor: read_battle.battle_plan(cursor, "walk_in"),
}


def _from_verb(cursor: Cursor, reader: Reader) -> list[Order]:
    """Some verbs are also the name of a group of aircraft: read again from where they stand."""
    cursor.at = cursor.verb_at
    return reader(cursor)


SHAPES: tuple[Shape, ...] = (
    read_notes.battle_header,
    read_notes.battle_note,
    read_shapes.loss_orders,
    read_shapes.stay_at_peace,
    read_economy.war_in_third_turn,
    read_variants.no_card,
    read_notes.nothing,
    read_shapes.always,
    read_shapes.submarines,
    read_shapes.my_units,
    read_shapes.fleet,
    read_shapes.defend,
    read_retreat.break_off,
    read_shapes.prefers,
    read_shapes.ship_supports,
    read_shapes.transport_trip,
    read_shapes.told,
    read_shapes.space_then_verb,
    read_shapes.by_phase,
    read_shapes.bare_bid,
    read_shapes.bare_card,
    read_shapes.plain_move,
)


def read_order(cursor: Cursor) -> list[Order]:
    """The orders of one line or part of a line; Refusal says why there are none."""
    whole = read_notes.whole_line(cursor)
    if whole is not None:
        return whole
    _prefix(cursor)
    _own_name(cursor)
    if cursor.sees("rest_default"):
        cursor.phase = cursor.prefix = None
        whole = read_notes.whole_line(cursor)
        if whole is not None:
            return whole
    if cursor.end():
        raise Refusal("there is nothing behind the heading", unreadable=True)
    if not cursor.sees("discard") and cursor.word("if"):
        return _conditional(cursor)
    return _unconditional(cursor)


def _unconditional(cursor: Cursor) -> list[Order]:
    start, notes = cursor.at, list(cursor.notes)
    failures: list[Refusal] = []
    cursor.verb_at = start
    verb = cursor.word(*VERBS)
    if verb is not None:
        cursor.verb_end = cursor.at
        answer = _attempt(cursor, VERBS[verb], failures)
        if answer is not None:
            return answer
    # Most orders are plain moves; a line with an arrow and without a colon is tried as one first.
    kinds = {token.kind for token in cursor.tokens}
    plain_first = verb is None and Kind.ARROW in kinds and Kind.COLON not in kinds
    for shape in (read_shapes.plain_move, *SHAPES) if plain_first else SHAPES:
        cursor.at = start
        cursor.notes[:] = notes
        answer = _attempt(cursor, shape, failures)
        if answer is not None:
            return answer
    cursor.at = start
    cursor.notes[:] = notes
    raise max(failures, key=lambda failure: failure.deep) if failures else Refusal("not understood", unreadable=True)


def _attempt(cursor: Cursor, reader: Shape, failures: list[Refusal]) -> list[Order] | None:
    try:
        orders = reader(cursor)
        if not orders:
            return None
        cursor.finish()
        return orders
    except Refusal as refusal:
        failures.append(refusal)
        return None


def _prefix(cursor: Cursor) -> None:
    """`noncombat:`, `NCM`, `Placement:` before an order."""
    found = cursor.find("phase")
    if found is None or len(found.ids) > 1:
        return
    colon = cursor.peek(found.length)
    phase = GENERIC_PHASE.get(found.ids[0], found.ids[0])
    if colon is None or (colon.kind is not Kind.COLON and phase != "noncombat_move"):
        return
    if phase == "research" or (cursor.sees("repair", "draw", "declare_war", "battle_order") and phase != "mobilize"):
        return
    cursor.at += found.length
    cursor.take(Kind.COLON)
    if phase != "standing":
        cursor.phase = cursor.prefix = phase


def _own_name(cursor: Cursor) -> None:
    """`Japan attacks sz5 ...`, `A.H. builds ...`: the power that speaks, before a verb."""
    found = cursor.find("power")
    if found is None or len(found.ids) > 1:
        return
    start = cursor.at
    cursor.at += found.length
    verb = cursor.matches("buy") or cursor.matches("attack") or cursor.matches("move") or cursor.matches("place")
    if not verb or cursor.end():
        cursor.at = start
        return
    if cursor.power is not None and found.ids[0] != cursor.power:
        raise Refusal(f"these are orders for {found.ids[0]}, not for {cursor.power}", deep=cursor.at)


def _conditional(cursor: Cursor) -> list[Order]:
    """`if Hunan taken: 2 inf Kiangsi -> Hunan`: every order of the line waits for the condition."""
    when = condition(cursor)
    if cursor.take(Kind.COLON, Kind.COMMA) is None and not cursor.word("then") and not cursor.sees(*VERBS):
        raise Refusal("an order is expected behind the condition: `if SPACE taken: 2 infantry ...`", deep=cursor.at)
    cursor.word("then")
    if any(token.key == "else" for token in cursor.tokens[cursor.at :]) and not cursor.sees("land"):
        raise Refusal("write the other case as a line of its own, beginning with `if not ...`", deep=cursor.at)
    _prefix(cursor)
    unsaid = cursor.phase is None
    return [_after_combat(_waiting(order, when), unsaid, cursor) for order in _unconditional(cursor)]


def _after_combat(order: Order, unsaid: bool, cursor: Cursor) -> Order:
    """A move that waits for a capture is a noncombat move, unless its phase was said: captures come with combat."""
    if not unsaid or not isinstance(order, Move | Load | Unload | Drop) or not asks_for_capture(order.when):
        return order
    if order.in_phase != "combat_move":
        return order
    cursor.notes.append("read as a noncombat move, since it waits for a capture")
    return replace(order, in_phase="noncombat_move")


def _waiting(order: Order, when: Condition) -> Order:
    names = {field.name for field in fields(order)}  # type: ignore[arg-type]
    if "when" not in names or isinstance(order, NothingTo):
        raise Refusal(f"this order cannot wait for a condition ({order.type.replace('_', ' ')})", deep=99)
    held: Condition | None = order.when  # type: ignore[attr-defined]
    both = when if held is None else Condition("and", of=(when, held))
    return replace(order, when=both)  # type: ignore[type-var]
