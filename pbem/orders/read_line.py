"""Reads one order: finds its verb or its shape, and hands it to the chapter that knows it.

What several chapters could read is read by the one that gets to the end; what none can read is refused with the reason
of the one that got farthest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from pbem.orders import read_battle, read_economy, read_moves, read_notes, read_retreat, read_variants
from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.names import GENERIC_PHASE
from pbem.orders.read_conditions import condition
from pbem.orders.words import Kind
from pbem.rules.order_model import Condition, IgnoreHere, NothingTo, Order, Pick, Submerge

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
    "cap": read_moves.cap,
    "commit": read_moves.commit,
    "casualties": lambda cursor: read_battle.casualties(cursor, "casualties"),
    "aa_losses": lambda cursor: read_battle.casualties(cursor, "aa_losses"),
    "air_losses": lambda cursor: read_battle.casualties(cursor, "air_losses"),
    "choose": lambda cursor: read_battle.casualties(cursor, "choose"),
    "fog_losses": lambda cursor: read_battle.casualties(cursor, "fog_losses"),
    "heavy_artillery_losses": lambda cursor: read_battle.casualties(cursor, "heavy_artillery_losses"),
    "press_on": read_battle.press_on,
    "submerge": read_battle.submerge,
    "scramble": read_battle.scramble,
    "intercept": read_battle.intercept,
    "kamikaze": read_battle.kamikaze,
    "sub_fire": read_battle.submarine_fire,
    "bomb": read_battle.bomb,
    "land": read_battle.land,
    "land_cap": read_battle.land_cap,
    "stranded_group": lambda cursor: _from_verb(cursor, read_battle.land),
    "scrambled_group": lambda cursor: _from_verb(cursor, read_battle.land),
    "retreat": read_retreat.retreat,
    "withdraw": read_retreat.withdraw,
    "reembark": read_retreat.reembark,
    "evacuate": read_retreat.evacuate,
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


def _stay_at_peace(cursor: Cursor) -> list[Order] | None:
    from pbem.rules.order_model import CarrierWing, Concede, DrawCard, PayEconomy, Scorch, StayAtPeace

    if cursor.word("stay_at_peace"):
        return [StayAtPeace(True)]
    start = cursor.at
    if cursor.word("do_not"):
        if cursor.word("stay_at_peace"):
            return [StayAtPeace(False)]
        if cursor.word("concede"):
            return [Concede(False)]
        if cursor.word("roll_die"):
            return [DrawCard("none")]
        if cursor.word("pay_economy"):
            return [PayEconomy(False)]
        if cursor.word("scorch"):
            return [Scorch(cursor.named("space"), False)]
        if cursor.word("carrier_wing"):
            return [CarrierWing(False)]
        if cursor.word("declare_war"):
            return [StayAtPeace(True)]
    cursor.at = start
    return None


def _submarines(cursor: Cursor) -> list[Order] | None:
    """`SUB DEF: submerge if ...`, `SUB ATT: strike`, `SUB SZ 6: stay quiet`, `my subs: withdraw at once`."""
    mine = cursor.word("mine") is not None
    found = cursor.find("unit")
    if found is None or found.ids != ("submarine",):
        return None
    cursor.at += found.length
    side, _ = read_battle.side_and_domain(cursor)
    space = cursor.named("space") if not mine else None
    if cursor.take(Kind.COLON) is None:
        return None
    if mine:
        return read_battle.my_submarines(cursor)
    token, after = cursor.peek(), cursor.peek(1)
    if token is not None and token.key == "stay" and after is not None and after.key == "quiet":
        cursor.at += 2
        if space is None:
            raise Refusal("in which zone? write `ignore ZONE with all submarine`", deep=cursor.at)
        return [IgnoreHere(space, (Pick("submarine"),))]
    if token is not None and token.key in ("strike", "fight"):
        cursor.at += 1
        return [Submerge(space, (), None, None, read_moves.trailing_condition(cursor), side)]
    if cursor.word("submerge"):
        orders = read_battle.submerge(cursor)
        cursor.take(Kind.COMMA)
        token = cursor.peek()
        if token is not None and token.key == "else":
            cursor.at = len(cursor.tokens)
        return [replace(order, side=side, space=space) for order in orders if isinstance(order, Submerge)]
    return None


def _space_then_verb(cursor: Cursor) -> list[Order] | None:
    """`SZ 41: attack`, `SZ 41: ignore`."""
    found = cursor.find("space")
    if found is None or len(found.ids) > 1:
        return None
    cursor.at += found.length
    if cursor.take(Kind.COLON) is None:
        return None
    word = cursor.word("attack", "ignore", "retreat", "press_on")
    if word is None or not cursor.end():
        return None
    cursor.at = 0
    space = cursor.space()
    cursor.take(Kind.COLON)
    cursor.word(word)
    if word == "attack":
        return [read_moves.AttackHere(space)]
    if word == "ignore":
        return [IgnoreHere(space)]
    if word == "press_on":
        return [read_battle.PressOn(space)]
    return [read_retreat.Retreat(space)]


def _ship_supports(cursor: Cursor) -> list[Order] | None:
    """`bb North Sea SZ support Norway`."""
    units = read_moves.group(cursor)
    zone = cursor.named("space") if units else None
    if zone is None or not cursor.word("bombard"):
        return None
    return [read_moves.Bombard(cursor.space("the territory"), zone, units)]


def _prefers(cursor: Cursor) -> list[Order] | None:
    """`ftr prefer Germany`: where defending aircraft retreat to."""
    units = read_moves.group(cursor)
    if not units or not cursor.word("prefer"):
        return None
    return [read_battle.LandingPreference("retreating", read_battle.places(cursor))]


def _fleet(cursor: Cursor) -> list[Order] | None:
    token = cursor.peek()
    if token is None or token.key != "fleet":
        return None
    cursor.at += 1
    return read_retreat.fleet(cursor)


def _defend(cursor: Cursor) -> list[Order] | None:
    token = cursor.peek()
    if token is None or token.key != "defend":
        return None
    cursor.at += 1
    return read_retreat.defend(cursor)


def _loss_orders(cursor: Cursor) -> list[Order] | None:
    """`Attacking -- TRN, SUB, FTR`."""
    token = cursor.peek()
    if token is None or token.key not in ("attacking", "defending"):
        return None
    cursor.at += 1
    if cursor.take(Kind.DASH, Kind.COLON) is None:
        return None
    return read_battle.order_of_loss(cursor, "attack" if token.key == "attacking" else "defend")


def _my_units(cursor: Cursor) -> list[Order] | None:
    if not cursor.word("mine"):
        return None
    found = cursor.find("unit")
    if found is None or len(found.ids) > 1 or found.ids[0] not in ("transport", "fighter"):
        return None
    cursor.at += found.length
    return read_variants.my_units(cursor)


def _always(cursor: Cursor) -> list[Order] | None:
    if not cursor.word("always"):
        return None
    return read_variants.play(cursor, True) if cursor.word("play") else None


def _bare_card(cursor: Cursor) -> list[Order] | None:
    """`hidden_factory Germany if bombers >= 2`: a card's name without `play`, where it is the name of nothing else."""
    if "fov" not in cursor.context.variants:
        return None
    found = cursor.find("card")
    if found is None or found.ids[0] in ("scramble", "eureka", "donation"):
        return None
    cursor.at += found.length
    return [read_variants.card_order(cursor, found.ids[0])]


def _bare_bid(cursor: Cursor) -> list[Order] | None:
    """`20 (1 tank Libya)`, `Axis+9: inf in wr`, `8 bid 1inf egy`."""
    side = cursor.named("side")
    if side is not None and cursor.take(Kind.AND) is None:
        return None
    number = cursor.take(Kind.NUMBER)
    if number is None:
        return None
    if side is None and not cursor.is_kind(Kind.OPEN) and not cursor.sees("bid"):
        return None
    return read_economy.bid(cursor, int(number.text), side)


def _by_phase(cursor: Cursor) -> list[Order] | None:
    """Under a heading, or in a window of that phase, a list of units is bought or placed without a verb."""
    phase = cursor.phase or cursor.window
    if phase == "purchase":
        return read_economy.purchases(cursor)
    if phase == "mobilize":
        return read_economy.place(cursor)
    return None


def _plain_move(cursor: Cursor) -> list[Order] | None:
    return read_moves.move(cursor)


SHAPES: tuple[Shape, ...] = (
    read_notes.battle_header,
    read_notes.battle_note,
    _loss_orders,
    _stay_at_peace,
    read_economy.war_in_third_turn,
    read_notes.nothing,
    _always,
    _submarines,
    _my_units,
    _fleet,
    _defend,
    read_retreat.break_off,
    _prefers,
    _ship_supports,
    _space_then_verb,
    _by_phase,
    _bare_bid,
    _bare_card,
    _plain_move,
)


def read_order(cursor: Cursor) -> list[Order]:
    """The orders of one line or part of a line; Refusal says why there are none."""
    whole = read_notes.whole_line(cursor)
    if whole is not None:
        return whole
    _prefix(cursor)
    _own_name(cursor)
    if cursor.end():
        raise Refusal("there is nothing behind the heading", unreadable=True)
    if cursor.word("if"):
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
    for shape in SHAPES:
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
    if cursor.take(Kind.COLON, Kind.COMMA) is None and not cursor.word("then"):
        raise Refusal("an order is expected behind the condition: `if Hunan taken: 2 infantry ...`", deep=cursor.at)
    cursor.word("then")
    if any(token.key == "else" for token in cursor.tokens[cursor.at :]) and not cursor.sees("land"):
        raise Refusal("write the other case as a line of its own, beginning with `if not ...`", deep=cursor.at)
    _prefix(cursor)
    return [_waiting(order, when) for order in _unconditional(cursor)]


def _waiting(order: Order, when: Condition) -> Order:
    names = {field.name for field in fields(order)}  # type: ignore[arg-type]
    if "when" not in names or isinstance(order, NothingTo):
        raise Refusal(f"this order cannot wait for a condition ({order.type.replace('_', ' ')})", deep=99)
    held: Condition | None = order.when  # type: ignore[attr-defined]
    both = when if held is None else Condition("and", of=(when, held))
    return replace(order, when=both)  # type: ignore[type-var]
