"""Orders that are known by their shape and not by a verb in front: `1 fighter break off Okinawa`, `SUB DEF: submerge`.

Each function reads one shape and answers None where the line is something else; a Refusal says that it is this shape
and wrong.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.orders import read_battle, read_economy, read_landings, read_moves, read_retreat, read_variants, triplea
from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.read_units import group
from pbem.orders.words import Kind
from pbem.rules.order_model import (
    AttackHere,
    Bombard,
    CarrierWing,
    Concede,
    DrawCard,
    IgnoreHere,
    LandingPreference,
    Load,
    Move,
    Order,
    PayEconomy,
    Pick,
    Place,
    PressOn,
    Retreat,
    Scorch,
    StayAtPeace,
    Submerge,
    Unload,
)


def stay_at_peace(cursor: Cursor) -> list[Order] | None:
    if cursor.word("stay_at_peace"):
        return [StayAtPeace(True)]
    if cursor.word("towards"):
        powers = read_economy.declare_war(cursor)
        return powers if cursor.word("war") else None
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


def submarines(cursor: Cursor) -> list[Order] | None:
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


def space_then_verb(cursor: Cursor) -> list[Order] | None:
    """`SZ 41: attack`, `SZ 41: ignore`, `Egypt: retreat after round 1 to Syria`, `North Sea: break off`."""
    found = cursor.find("space")
    if found is None or len(found.ids) > 1:
        return None
    cursor.at += found.length
    if cursor.take(Kind.COLON) is None:
        return None
    word = cursor.word("attack", "ignore", "retreat", "press_on", "break_off")
    if word in ("retreat", "break_off") and not (word == "retreat" and cursor.end()):
        return read_retreat.leaving(cursor, found.ids[0], word)
    if word is None or not cursor.end():
        return None
    cursor.at = 0
    space = cursor.space()
    cursor.take(Kind.COLON)
    cursor.word(word)
    if word == "attack":
        return [AttackHere(space)]
    if word == "ignore":
        return [IgnoreHere(space)]
    if word == "press_on":
        return [PressOn(space)]
    return [Retreat(space)]


def transport_trip(cursor: Cursor) -> list[Order] | None:
    """`trn North Sea SZ load 2 inf United Kingdom -> Karelia SZ, unload Karelia S.S.R.`: three orders in one."""
    ships = group(cursor)
    zone = cursor.named("space") if ships and all(pick.kind == "transport" for pick in ships) else None
    if zone is None or zone not in cursor.names.seas:
        return None
    phase = read_moves.move_phase(cursor)
    orders: list[Order] = []
    cargo: tuple[Pick, ...] = ()
    cursor.separator()
    if cursor.word("load"):
        for units, space in read_moves.origins(cursor):
            orders.append(Load(units, space, zone, None, phase))
            cargo = (*cargo, *units)
    zones = (zone, *read_moves.path(cursor))
    if len(zones) > 1:
        orders.append(Move(ships, zones, None, None, phase))
    cursor.separator()
    if cursor.word("unload"):
        landed = group(cursor) or cargo
        cursor.arrow()
        cursor.word("in")
        if not landed:
            raise Refusal("which units go ashore?", deep=cursor.at)
        orders.append(Unload(landed, zones[-1], cursor.space("where they go ashore"), phase))
    return orders if len(orders) > 1 else None


def ship_supports(cursor: Cursor) -> list[Order] | None:
    """`bb North Sea SZ support Norway`."""
    units = group(cursor)
    zone = cursor.named("space") if units else None
    if zone is None or not cursor.word("bombard"):
        return None
    return [Bombard(cursor.space("the territory"), zone, units)]


def told(cursor: Cursor) -> list[Order] | None:
    """`2 infantry moved from Kiangsu to Anhwe`, `1 infantry placed in Japan`: as TripleA tells it."""
    units = group(cursor)
    verb = cursor.peek()
    if not units or verb is None or verb.key not in ("moved", "placed"):
        return None
    cursor.at += 1
    if verb.key == "placed":
        cursor.word("in")
        return [Place(units, cursor.space("the space"))]
    cursor.word("from")
    first = cursor.space("where they stood")
    path = read_moves.path(cursor)
    if not path:
        raise Refusal("where to?", deep=cursor.at)
    return triplea.moves(units, (first, *path), read_moves.move_phase(cursor), cursor.names)


def prefers(cursor: Cursor) -> list[Order] | None:
    """`ftr prefer Germany`: where defending aircraft retreat to."""
    units = group(cursor)
    if not units or not cursor.word("prefer"):
        return None
    return [LandingPreference("retreating", read_landings.places(cursor))]


def fleet(cursor: Cursor) -> list[Order] | None:
    token = cursor.peek()
    if token is not None and token.key == "fleet":
        cursor.at += 1
    elif not cursor.word("fleet_order"):
        return None
    return read_retreat.fleet(cursor)


def defend(cursor: Cursor) -> list[Order] | None:
    token = cursor.peek()
    if token is not None and token.key == "defend":
        cursor.at += 1
    elif not cursor.word("defend_order"):
        return None
    return read_retreat.defend(cursor)


def loss_orders(cursor: Cursor) -> list[Order] | None:
    """`Attacking -- TRN, SUB, FTR`."""
    token = cursor.peek()
    if token is None or token.key not in ("attacking", "defending"):
        return None
    cursor.at += 1
    if cursor.take(Kind.DASH, Kind.COLON) is None:
        return None
    return read_battle.order_of_loss(cursor, "attack" if token.key == "attacking" else "defend")


def my_units(cursor: Cursor) -> list[Order] | None:
    if not cursor.word("mine"):
        return None
    found = cursor.find("unit")
    if found is None or len(found.ids) > 1 or found.ids[0] not in ("transport", "fighter"):
        return None
    cursor.at += found.length
    return read_variants.my_units(cursor)


def always(cursor: Cursor) -> list[Order] | None:
    if not cursor.word("always"):
        return None
    return read_variants.play(cursor, True) if cursor.word("play") else None


def bare_card(cursor: Cursor) -> list[Order] | None:
    """`hidden_factory Germany if bombers >= 2`: a card's name without `play`, where it is the name of nothing else."""
    if "fov" not in cursor.context.variants:
        return None
    found = cursor.find("card")
    if found is None or found.ids[0] in ("scramble", "eureka", "donation"):
        return None
    cursor.at += found.length
    return [read_variants.card_order(cursor, found.ids[0])]


def bare_bid(cursor: Cursor) -> list[Order] | None:
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


def by_phase(cursor: Cursor) -> list[Order] | None:
    """Under a heading, or in a window of that phase, a list of units is bought or placed without a verb."""
    phase = cursor.phase or cursor.window
    if phase == "purchase":
        return read_economy.purchases(cursor)
    if phase == "mobilize":
        return read_economy.place(cursor)
    if cursor.phase == "land_cap":
        return read_landings.land_cap(cursor)
    return None


def plain_move(cursor: Cursor) -> list[Order] | None:
    return read_moves.move(cursor)
