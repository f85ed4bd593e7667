"""Reads what only some rule sets know: victory cards, task forces, oil, initiative, markers and consent."""

from __future__ import annotations

from dataclasses import replace

from pbem.orders import read_battle
from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.read_moves import path, trailing_condition
from pbem.orders.read_units import group, some_group
from pbem.orders.words import Kind
from pbem.rules.order_model import (
    NO_CARD,
    AllowCargo,
    CarrierWing,
    Condition,
    Consent,
    ControlMarker,
    Discard,
    DrawCard,
    FirstSeat,
    FormTaskForce,
    LastResort,
    Order,
    Pick,
    PlayCard,
    Refit,
    Scorch,
    Scramble,
)

_FLAGS = {"with_move": "with_move", "late": "late", "always": "always"}


def play(cursor: Cursor, always: bool = False) -> list[Order]:
    """`play heavy_tank: 1 tank Karelia S.S.R.`, `play super_bombers with move: 2 bomber Germany`, `play none`."""
    if cursor.word("none", "no_card"):
        return [PlayCard(NO_CARD)]
    card = cursor.named("nickname")
    if card is None:
        raise cursor.unknown("card", "a card")
    return [card_order(cursor, card, ("always",) if always else ())]


def no_card(cursor: Cursor) -> list[Order] | None:
    """`no cards`: the answer to the question about cards, where there are any."""
    return [PlayCard(NO_CARD)] if "fov" in cursor.context.variants and cursor.word("no_card") else None


def scramble(cursor: Cursor) -> list[Order]:
    """The reaction of that name; where scrambling is a card, `scramble 2 fighter A -> B` plays it."""
    if "fov" not in cursor.context.variants:
        return read_battle.scramble(cursor)
    start, notes = cursor.at, len(cursor.notes)
    try:
        found = [order for order in read_battle.scramble(cursor) if isinstance(order, Scramble)]
    except Refusal:
        del cursor.notes[notes:]
        cursor.at = start
        return [card_order(cursor, "scramble")]
    return [
        PlayCard("scramble", units=order.units, path=tuple(filter(None, (order.space, order.zone))), when=order.when)
        if order.units
        else PlayCard(NO_CARD)
        for order in found
    ]


def card_order(cursor: Cursor, card: str, words: tuple[str, ...] = ()) -> PlayCard:
    """What follows a card's name: flags, then its objects behind a colon, then a condition."""
    flags = list(words)
    while (flag := cursor.word(*_FLAGS)) is not None:
        if flag == "with_move":
            # `with move: ...` names the move it goes with.
            pass
        flags.append(_FLAGS[flag])
    colon = cursor.take(Kind.COLON) is not None
    order = PlayCard(card, words=tuple(flags))
    if colon or not (cursor.end() or cursor.sees("if")):
        order = _objects(cursor, order, flags)
    when = trailing_condition(cursor)
    return replace(order, when=when)


def _objects(cursor: Cursor, order: PlayCard, flags: list[str]) -> PlayCard:
    units: tuple[Pick, ...] = ()
    number = None
    if cursor.word("first_miss"):
        flags.append("first_miss")
        units = (Pick("fighter", 1),)
    else:
        power = cursor.find("power")
        if power is not None and cursor.at + power.length == len(cursor.tokens) and cursor.find("space") is None:
            return replace(order, power=cursor.named("power"), words=tuple(flags))
        if power is not None and cursor.at + power.length == len(cursor.tokens) and order.card in _PARTNER_CARDS:
            return replace(order, power=cursor.named("power"), words=tuple(flags))
        units = group(cursor)
    cursor.word("in", "from")
    space = None
    spaces: tuple[str, ...] = ()
    if cursor.find("space") is not None:
        space = cursor.space()
        further = path(cursor)
        if further:
            spaces, space = (space, *further), None
    more = _more_routes(cursor) if spaces else ()
    if cursor.word("intercepting"):
        flags.append("intercepting")
    cursor.take(Kind.COMMA)
    if cursor.word("round"):
        token = cursor.take(Kind.NUMBER)
        if token is None:
            raise Refusal("which battle round?", deep=cursor.at)
        number = int(token.text)
        cursor.word("rounds_word")
    if not units and space is None and not spaces:
        raise cursor.unknown("space", "what the card is played on")
    return replace(order, space=space, units=units, words=tuple(flags), number=number, path=spaces, more=more)


def _more_routes(cursor: Cursor) -> tuple[tuple[tuple[Pick, ...], tuple[str, ...]], ...]:
    """`..., 1 fighter Gibraltar -> Germany`: further units of the card with their own paths."""
    routes: list[tuple[tuple[Pick, ...], tuple[str, ...]]] = []
    while True:
        start = cursor.at
        cursor.separator()
        units = group(cursor)
        if not units:
            cursor.at = start
            return tuple(routes)
        cursor.word("in", "from")
        first = cursor.space("where they stand")
        routes.append((units, (first, *path(cursor))))


_PARTNER_CARDS = ("combined_bomber_offensive",)


def roll_die(cursor: Cursor) -> list[Order]:
    """`roll victory die`, `roll victory die: never`."""
    cursor.take(Kind.COLON)
    if cursor.word("never", "none"):
        return [DrawCard("none")]
    return [DrawCard("victory_die")]


def draw(cursor: Cursor) -> list[Order]:
    """`draw tactics`, `draw none`."""
    if cursor.word("none"):
        return [DrawCard("none")]
    deck = cursor.named("deck")
    if deck is None:
        raise cursor.unknown("deck", "a deck")
    cursor.take(Kind.COMMA)
    return [DrawCard(deck, _cards(cursor) if cursor.word("discard") else ())]


def _cards(cursor: Cursor) -> tuple[str, ...]:
    cards: list[str] = []
    cursor.take(Kind.COLON)
    while True:
        card = cursor.named("nickname")
        if card is None:
            raise cursor.unknown("card", "a card")
        cards.append(card)
        if not cursor.separator():
            return tuple(cards)


def discard(cursor: Cursor) -> list[Order]:
    """`discard force_majeure, donation`."""
    return [Discard(_cards(cursor))]


def form(cursor: Cursor) -> list[Order]:
    """`form carrier task force Sea Zone 36: 1 carrier from pool, 2 destroyer`, `... cargo 2 infantry from Formosa`."""
    word = cursor.word("carrier_force", "bombardment_force", "amphibious_force", "eastern_force")
    if word is None:
        raise Refusal("which kind? carrier, bombardment or amphibious task force", deep=cursor.at)
    cursor.word("task_force")
    zone = cursor.named("space")
    if zone is None and word != "eastern_force":
        raise cursor.unknown("space", "the zone of the task force")
    cursor.take(Kind.COLON)
    units = _force_units(cursor)
    cargo: tuple[Pick, ...] = ()
    cursor.separator()
    if cursor.word("cargo"):
        cargo = _force_units(cursor)
    if not units:
        raise cursor.unknown("unit", "a ship")
    return [FormTaskForce(word.removesuffix("_force"), zone, units, cargo)]


def eastern(cursor: Cursor) -> list[Order]:
    """`EASTERN TRN*2 DD*1 inf*4`: ships and cargo of the Eastern Operation in one list."""
    cursor.take(Kind.COLON)
    units = some_group(cursor)
    ships = tuple(item for item in units if cursor.names.units.get(item.kind) != "land")
    cargo = tuple(item for item in units if cursor.names.units.get(item.kind) == "land")
    return [FormTaskForce("eastern", None, ships, cargo)]


def _force_units(cursor: Cursor) -> tuple[Pick, ...]:
    """Units with where they come from: `1 transport from Sea Zone 25`, `1 carrier from pool`, `DD@sz36`."""
    picks: list[Pick] = []
    while True:
        start = cursor.at
        if picks:
            cursor.separator()
        if cursor.sees("cargo"):
            cursor.at = start
            return tuple(picks)
        stand = cursor.find("space")
        if stand is not None and len(stand.ids) == 1 and not cursor.is_kind(Kind.NUMBER):
            # `cargo Japan inf*3 art*1`: the place first, for all that follow it.
            cursor.at += stand.length
            picks += [replace(item, came_from=stand.ids[0]) for item in some_group(cursor)]
            continue
        found = group(cursor)
        if not found:
            cursor.at = start
            return tuple(picks)
        origin = None
        if cursor.word("from") or cursor.take(Kind.AT):
            origin = cursor.space("where they come from")
        # Only the unit that stands before `from` comes from there.
        picks += found[:-1]
        picks.append(replace(found[-1], came_from=origin) if origin is not None else found[-1])


def refit(cursor: Cursor) -> list[Order]:
    """`refit 1 destroyer Sea Zone 9`, `REFIT sz9`."""
    units = group(cursor)
    cursor.word("in", "to")
    return [Refit(cursor.space("the zone"), units)]


def carrier_wing(cursor: Cursor) -> list[Order]:
    """`carrier fighters ride`, `carrier fighters land`."""
    cursor.take(Kind.COLON)
    word = cursor.word("rides", "land")
    if word is None:
        raise Refusal("`ride` or `land`?", deep=cursor.at)
    return [CarrierWing(word == "rides")]


def first_seat(cursor: Cursor) -> list[Order]:
    """`first seat japan`, `INIT first=JPN`."""
    if (sign := cursor.peek()) is not None and sign.text in ("=", ":"):
        cursor.at += 1
    power = cursor.named("power")
    if power is None:
        raise cursor.unknown("power", "a power")
    when: Condition | None = trailing_condition(cursor)
    return [FirstSeat(power, when)]


def marker(cursor: Cursor) -> list[Order]:
    """`marker French Indo-China china`, `MARKER FIC=CHN`, `marker default australia`."""
    space = None if cursor.word("default") else cursor.space("the captured space")
    if (sign := cursor.peek()) is not None and sign.text in ("=", ":"):
        cursor.at += 1
    owner = cursor.named("economy") or cursor.named("power")
    if owner is None:
        raise cursor.unknown("power", "a power")
    return [ControlMarker(space, owner)]


def scorch(cursor: Cursor) -> list[Order]:
    """`scorch Karelia S.S.R.`, `scorch` (everywhere)."""
    cursor.word("everywhere")
    return [Scorch(cursor.named("space"))]


def consent(cursor: Cursor, allowed: bool) -> list[Order]:
    """`allow anzac cargo`, `refuse evacuation`, `allow fighter losses`, `ALLOW US transports carry ANZAC`."""
    if cursor.word("evacuation"):
        return [Consent("evacuation", allowed)]
    if cursor.word("fighter_losses"):
        return [Consent("fighter_losses", allowed)]
    power = cursor.named("power")
    if power is None:
        raise cursor.unknown("power", "a power, `evacuation` or `fighter losses`")
    if cursor.word("cargo"):
        return [AllowCargo(power, allowed)]
    token = cursor.peek()
    if token is not None and cursor.names.lookup("unit", token.text) == ("transport",):
        cursor.at += 1
        carry = cursor.peek()
        if carry is not None and carry.key in ("carry", "to"):
            cursor.at += 1
            if (following := cursor.peek()) is not None and following.key == "carry":
                cursor.at += 1
            if power != cursor.power and cursor.power is not None:
                raise Refusal(f"{power}'s transports are not yours; {power} must allow it")
            guest = cursor.named("power")
            if guest is not None:
                return [AllowCargo(guest, allowed)]
    raise Refusal("write `allow POWER cargo`", deep=cursor.at)


def my_units(cursor: Cursor) -> list[Order] | None:
    """`my transports: no evacuation`, `my fighters: may be lost`; None if it is something else."""
    words = [token.key for token in cursor.tokens if token.kind is Kind.WORD]
    if cursor.take(Kind.COLON) is None:
        return None
    if words[-2:] == ["no", "evacuation"] or words[-1:] == ["evacuation"]:
        allowed = "no" not in words
        cursor.at = len(cursor.tokens)
        return [Consent("evacuation", allowed)]
    if "lost" in words:
        allowed = "not" not in words and "never" not in words
        cursor.at = len(cursor.tokens)
        return [Consent("fighter_losses", allowed)]
    return None


def last_resort(cursor: Cursor) -> list[Order]:
    """`last resort: join`, `last resort: stand`, `last resort Ukraine S.S.R.: join`."""
    space = cursor.named("space")
    cursor.take(Kind.COLON)
    word = cursor.word("join", "stand")
    if word is None:
        raise Refusal("`last resort: join` or `last resort: stand`?", deep=cursor.at)
    return [LastResort(word == "join", space)]
