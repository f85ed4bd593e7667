"""Reads what costs or brings money: purchases, repairs, research, placement, bids, shares of income, and war."""

from __future__ import annotations

from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.names import UNIT_LETTERS
from pbem.orders.read_moves import facility, trailing_condition
from pbem.orders.read_units import group, kinds, pick, some_group
from pbem.orders.words import Kind
from pbem.rules.order_model import (
    Bid,
    Buy,
    DeclareWar,
    GiveOil,
    NothingTo,
    Order,
    PayEconomy,
    Pick,
    Place,
    Refund,
    Repair,
    Research,
    SplitConvoys,
    StayAtPeace,
)


def declare_war(cursor: Cursor) -> list[Order]:
    """`declare war on uk, anzac`."""
    powers: list[str] = []
    while True:
        if cursor.text_is("the"):
            cursor.at += 1
        power = cursor.named("power")
        if power is None:
            raise cursor.unknown("power", "a power")
        powers.append(power)
        if not cursor.separator():
            return [DeclareWar(tuple(powers))]


def war_in_third_turn(cursor: Cursor) -> list[Order] | None:
    """`US3 WAR: yes`: the choice that the rules offer the USA on its third turn; None if this is something else."""
    words = [token.key for token in cursor.tokens]
    if words[:2] != ["us3", "war"] or words[-1] not in ("yes", "no"):
        return None
    cursor.at = len(cursor.tokens)
    return [StayAtPeace(words[-1] == "no")]


def _treasury(cursor: Cursor) -> str | None:
    return cursor.named("economy") or cursor.named("power")


def buy(cursor: Cursor) -> list[Order]:
    """`buy 2 infantry, 1 tank`, `buy 1 ic_minor Korea`, `buy for india: 2 infantry`, `BUY JPN inf*3 trn*max`."""
    cursor.take(Kind.COLON)
    if cursor.word("none"):
        return [NothingTo("purchase")]
    treasury = None
    start = cursor.at
    if cursor.word("for"):
        treasury = _treasury(cursor)
        if treasury is None:
            cursor.at = start
    elif cursor.find("unit") is None and (cursor.find("economy") or cursor.find("power")) and not _owns(cursor):
        treasury = _treasury(cursor)
    cursor.take(Kind.COLON)
    return purchases(cursor, treasury)


def _owns(cursor: Cursor) -> bool:
    return cursor.is_kind(Kind.NUMBER)


def purchases(cursor: Cursor, treasury: str | None = None) -> list[Order]:
    """A list of things to buy, each with its number and, for facilities, its space."""
    orders: list[Order] = []
    while True:
        start = cursor.at
        if orders:
            cursor.separator()
        item = _item(cursor)
        if item is None:
            cursor.at = start
            break
        orders.append(item)
    if not orders:
        raise cursor.unknown("unit", "a unit to buy")
    start = cursor.at
    if cursor.word("for"):
        treasury = _treasury(cursor)
        if treasury is None:
            cursor.at = start
    if treasury is not None:
        orders = [Buy(order.item, order.count, order.space, False, treasury) for order in orders
                  if isinstance(order, Buy)]  # fmt: skip
    return orders


def _item(cursor: Cursor) -> Buy | None:
    if cursor.end():
        return None
    chosen = pick(cursor) or _one_letter(cursor)
    if chosen is None:
        return None
    if chosen.kind == "industrial_complex" and "ic_minor" in cursor.names.units:
        raise Refusal(
            "which industrial complex, ic_minor or ic_major?", ("ic_minor", "ic_major"), deep=cursor.at
        )  # fmt: skip
    if chosen.kind not in cursor.names.units and chosen.kind != "artillery":
        raise Refusal(f'"{chosen.kind}" cannot be bought; name each kind of unit with its number', deep=cursor.at)
    if chosen.count is None:
        raise Refusal("how many? write a number", deep=cursor.at)
    space = None
    structure = cursor.names.units.get(chosen.kind) == "structure"
    if structure and not cursor.end():
        start = cursor.at
        if not cursor.take(Kind.AT):
            cursor.word("in", "for")
        space = cursor.named("space")
        if space is None:
            cursor.at = start
    most = cursor.peek()
    number: int | None = chosen.count
    if most is not None and most.kind is Kind.TIMES and (after := cursor.peek(1)) is not None and after.key == "max":
        cursor.at += 2
        number = None
    return Buy(chosen.kind, number, space)


def _one_letter(cursor: Cursor) -> Pick | None:
    """`C.` at the end of a list of purchases: read with a note, since nothing else can stand there."""
    token = cursor.peek()
    if token is None or cursor.at == 0 or token.text[:1] != token.text[:1].upper():
        return None
    kind = UNIT_LETTERS.get(token.key)
    if kind is None or kind not in cursor.names.units:
        return None
    cursor.at += 1
    cursor.notes.append(f'"{token.text}" was read as {kind}')
    return Pick(kind, 1)


def upgrade(cursor: Cursor) -> list[Order]:
    """`upgrade Korea`, `upgrade Korea to ic_major`."""
    start = cursor.at
    facility(cursor)
    cursor.word("in")
    space = cursor.named("space")
    if space is None:
        cursor.at = start
        space = cursor.space("the space of the complex")
    if cursor.word("to"):
        kind = facility(cursor)
        if kind != "ic_major":
            raise Refusal("only a minor complex is upgraded, to a major one", ("upgrade ... to ic_major",))
    return [Buy("ic_major", 1, space, True)]


def repair(cursor: Cursor) -> list[Order]:
    """`repair India 2`, `repair Kiangsu ic_minor 4`, `repair IC Japan 4`, `repair all`."""
    cursor.take(Kind.COLON)
    if cursor.word("none"):
        return [NothingTo("purchase")]
    orders: list[Order] = []
    while True:
        orders.append(_repair(cursor))
        start = cursor.at
        if not cursor.separator():
            return orders
        if cursor.end():
            cursor.at = start
            return orders


def _repair(cursor: Cursor) -> Repair:
    if cursor.word("all"):
        token = cursor.peek()
        if token is not None and token.key == "needed":
            cursor.at += 1
        return Repair(None)
    number = _points(cursor)
    kind = facility(cursor)
    cursor.word("in", "from")
    space = cursor.space("the space to repair")
    kind = kind or facility(cursor)
    if number is None:
        cursor.take(Kind.COLON)
        number = _points(cursor)
    if number is None:
        if not cursor.word("all") and not cursor.end() and not cursor.is_kind(Kind.COMMA, Kind.AND):
            raise Refusal(f'how many points? "{cursor.shown()}" is no number', deep=cursor.at)
        return Repair(space, kind)
    return Repair(space, kind, number)


def _points(cursor: Cursor) -> int | None:
    token = cursor.peek()
    if token is None or token.kind not in (Kind.NUMBER, Kind.BAD_NUMBER, Kind.DECIMAL):
        return None
    if token.kind is not Kind.NUMBER or not 0 < int(token.text) <= 999:
        raise Refusal(f'"{token.text}" is no number of points', deep=cursor.at + 1)
    cursor.at += 1
    return int(token.text)


def research(cursor: Cursor) -> list[Order]:
    """`research 2`, `research 1 for heavy_bombers`, `research: up to 6 for atomic_bomb, 3 for others`."""
    cursor.take(Kind.COLON)
    phase = "draw_card" if "fov" in cursor.context.variants else "research"
    orders: list[Order] = []
    while True:
        if cursor.tokens[cursor.at : cursor.at + 1] and cursor.shown().lower() == "up":
            cursor.at += 1
            cursor.word("to")
        token = cursor.peek()
        if token is None or token.kind is not Kind.NUMBER:
            raise Refusal(f'how many dice? "{cursor.shown()}" is no number', deep=cursor.at)
        cursor.at += 1
        if int(token.text) > 999:
            raise Refusal(f'"{token.text}" dice are more than anybody can pay', deep=cursor.at)
        cursor.word("die")
        technology = None
        if cursor.word("for") and not cursor.word("others"):
            technology = cursor.named("technology") or cursor.named("card")
            if technology is None:
                raise cursor.unknown("technology", "a technology")
        orders.append(Research(int(token.text), technology, phase))
        if not cursor.separator():
            return orders


def place(cursor: Cursor) -> list[Order]:
    """`place 2 infantry Japan`, `place 3 infantry Germany, rest Karelia S.S.R.`, `PLACE dd*1@sz9`."""
    cursor.take(Kind.COLON)
    if cursor.word("none"):
        cursor.word("to")
        cursor.word("place")
        return [NothingTo("mobilize")]
    orders: list[Order] = []
    while True:
        start = cursor.at
        if orders:
            cursor.separator()
        units = _placed(cursor)
        if not units:
            cursor.at = start
            break
        if not cursor.take(Kind.AT, Kind.ARROW):
            cursor.word("in", "to", "for")
        orders.append(Place(units, cursor.space("the space to place them in")))
    if not orders:
        if cursor.find("space") is not None and not cursor.is_kind(Kind.NUMBER):
            space = cursor.space()
            if cursor.take(Kind.COLON, Kind.DASH) is not None:
                return [Place(some_group(cursor), space)]
        raise cursor.unknown("unit", "a unit to place")
    return orders


def _placed(cursor: Cursor) -> tuple[Pick, ...]:
    if cursor.word("rest"):
        return (Pick("unit"),)
    return group(cursor)


def refund(cursor: Cursor) -> list[Order]:
    """`refund infantry, artillery`."""
    cursor.take(Kind.COLON)
    listed = kinds(cursor)
    if not listed:
        raise cursor.unknown("unit", "a unit")
    cursor.word("first_mark")
    return [Refund(tuple(item.kind for item in listed))]


def convoy(cursor: Cursor) -> list[Order]:
    """`convoy india 6, australia 6`, `CONVOY IND=5 AUS=7`, `CONVOY ratio=50/50`."""
    cursor.take(Kind.COLON)
    ratio = cursor.word("ratio") is not None
    if ratio and cursor.take(Kind.COMPARE):
        first, slash, second = cursor.take(Kind.NUMBER), cursor.take(Kind.SLASH), cursor.take(Kind.NUMBER)
        if first is None or slash is None or second is None:
            raise Refusal("write the ratio like 50/50", deep=cursor.at)
        shares = (("india", int(first.text)), ("australia", int(second.text)))
        return [SplitConvoys(shares, True)]
    split: list[tuple[str, int]] = []
    while True:
        treasury = cursor.named("economy")
        if treasury is None:
            raise cursor.unknown("economy", "a treasury")
        if (sign := cursor.peek()) is not None and sign.text in ("=", ":"):
            cursor.at += 1
        number = cursor.take(Kind.NUMBER)
        if number is None:
            raise Refusal(f'"{cursor.shown()}" is no whole number of IPCs', deep=cursor.at)
        if treasury in dict(split):
            raise Refusal(f"{treasury} stands twice", deep=cursor.at)
        split.append((treasury, int(number.text)))
        if not cursor.separator() and cursor.find("economy") is None:
            return [SplitConvoys(tuple(split), ratio)]


def oil(cursor: Cursor) -> list[Order]:
    """`oil uk 1`, `OIL BRI=1 if bri stock = 0`."""
    power = cursor.named("power")
    if power is None:
        raise cursor.unknown("power", "a power")
    if (sign := cursor.peek()) is not None and sign.text in ("=", ":"):
        cursor.at += 1
    number = cursor.take(Kind.NUMBER)
    if number is None:
        raise Refusal("how many markers?", deep=cursor.at)
    return [GiveOil(power, int(number.text), trailing_condition(cursor))]


def pay_economy(cursor: Cursor) -> list[Order]:
    """`pay economy`."""
    return [PayEconomy(True)]


def bid(cursor: Cursor, ipc: int | None = None, side: str | None = None) -> list[Order]:
    """`bid 20: 1 tank, 1 infantry Libya, 4 infantry Eastern Europe`; each group ends with its place."""
    if side is None:
        side = cursor.named("side")
    if ipc is None:
        number = cursor.take(Kind.NUMBER)
        if number is None:
            raise Refusal("how much is the bid?", deep=cursor.at)
        ipc = int(number.text)
    cursor.word("bid")
    cursor.take(Kind.COLON, Kind.DASH)
    wrapped = cursor.take(Kind.OPEN) is not None
    places: list[tuple[tuple[Pick, ...], str]] = []
    while True:
        start = cursor.at
        if places:
            cursor.separator()
        units = group(cursor)
        if not units:
            cursor.at = start
            break
        cursor.word("in", "to")
        places.append((units, cursor.space("where they are placed")))
        while True:
            start = cursor.at
            if not cursor.separator() or cursor.find("space") is None or cursor.find("unit") is not None:
                cursor.at = start
                break
            places.append((units, cursor.space()))
    if wrapped and cursor.take(Kind.CLOSE) is None:
        raise Refusal("a closing parenthesis is missing", deep=cursor.at)
    return [Bid(ipc, tuple(places), side)]
