"""Reads groups of units: `2 inf, 1 art and 1 tank`, `all fighters`, `1 tank (from Libya)`, and lists of kinds."""

from __future__ import annotations

from pbem.orders.cursor import Cursor, Refusal, bad_number
from pbem.orders.names import NICKNAMES, NUMBER_WORDS, UNIT_LETTERS
from pbem.orders.words import Kind
from pbem.rules.order_model import Pick


class _NoCount:
    """Says that no number stands here, which is not the same as `all`."""


_NO_COUNT = _NoCount()
_MOST = 999


def count(cursor: Cursor) -> int | None | _NoCount:
    """The number that stands here (None for `all`), and past it; _NO_COUNT if none does."""
    token = cursor.peek()
    if token is None:
        return _NO_COUNT
    if token.kind in (Kind.BAD_NUMBER, Kind.DECIMAL):
        raise bad_number(token, cursor.at)
    if token.kind is Kind.NUMBER:
        number = int(token.text)
        if number == 0:
            raise Refusal('"0" is no count of units; leave the line out, or write how many', deep=cursor.at + 1)
        if number > _MOST:
            raise Refusal(f'"{token.text}" is too many; the highest count is {_MOST}', deep=cursor.at + 1)
        cursor.at += 1
        times = cursor.peek()
        if times is not None and (times.kind is Kind.TIMES or times.key == "x"):
            cursor.at += 1
        else:
            _measure_word(cursor)
        return number
    if token.key in NUMBER_WORDS and token.kind is Kind.WORD and not _begins_name(cursor):
        cursor.at += 1
        _measure_word(cursor)
        return NUMBER_WORDS[token.key]
    if token.kind is Kind.TIMES or (token.key == "x" and token.kind is Kind.WORD):
        return _NO_COUNT
    if cursor.word("all"):
        return None
    return _NO_COUNT


def _begins_name(cursor: Cursor) -> bool:
    """Whether a number word here is the beginning of a name (`四川`)."""
    found = (cursor.find("unit"), cursor.find("space"))
    return any(name is not None and name.length > 1 for name in found)


def _measure_word(cursor: Cursor) -> None:
    token = cursor.peek()
    if token is not None and token.key in ("個", "架", "艘", "輛", "支", "隊") and cursor.find("unit") is None:
        cursor.at += 1


def _multiplier(cursor: Cursor) -> int | None:
    """`inf*3`, `inf x3`, `inf x 3`: the number behind a unit."""
    token = cursor.peek()
    if token is None:
        return None
    following = cursor.peek(1)
    if (token.kind is Kind.TIMES or token.key == "x") and following is not None and following.kind is Kind.NUMBER:
        cursor.at += 2
        return _positive(following.text)
    if token.kind is Kind.WORD and token.key[:1] == "x" and token.key[1:].isdecimal() and token.key.isascii():
        cursor.at += 1
        return _positive(token.key[1:])
    return None


def _positive(text: str) -> int:
    number = int(text[:9])
    if not 0 < number <= 999:
        raise Refusal(f'"{text}" is no count of units')
    return number


def unit(cursor: Cursor, counted: bool) -> str | None:
    """The kind of unit that stands here, and past it; None if none does; a refusal if it may be several."""
    found = cursor.find("unit")
    token = cursor.peek()
    if found is None:
        if counted and token is not None and token.key in UNIT_LETTERS:
            kind = UNIT_LETTERS[token.key]
            if kind in cursor.names.units:
                cursor.at += 1
                return kind
        return None
    if len(found.ids) > 1:
        raise cursor.ambiguous("unit", found)
    if found.key in NICKNAMES and found.ids[0] == NICKNAMES[found.key]:
        text = " ".join(item.text for item in cursor.tokens[cursor.at : cursor.at + found.length])
        cursor.notes.append(f'"{text}" was read as {found.ids[0]}')
    cursor.at += found.length
    return found.ids[0]


def _is_plural(cursor: Cursor, key: str, kind: str) -> bool:
    if not key.endswith("s") or not key.isascii():
        return False
    return cursor.names.lookup("unit", key[:-1]) == (kind,)


def pick(cursor: Cursor, bare: str = "one") -> Pick | None:
    """One choice of units, and past it; None if none stands here.

    `bare` says what a kind without a number means: `one` (one unit; a plural is refused), `any` (as many as there
    are, in lists of kinds), `part` (one unit, but all of a class like `aircraft`), `open` (count 0, for the caller to
    settle).
    """
    start = cursor.at
    number = count(cursor)
    counted = not isinstance(number, _NoCount)
    but = 0
    if counted and number is None:
        but = _but(cursor)
    mine = cursor.word("mine") if cursor.peek() is not None else None
    owner = _owner(cursor)
    empty = cursor.word("empty") is not None
    if owner is None:
        owner = _owner(cursor)
    key_at = cursor.at
    kind = unit(cursor, counted)
    damage = False
    if kind is None:
        kind = _damaged(cursor)
        damage = kind is not None
    if kind is None:
        if counted and number is None and not empty or mine and not counted:
            kind = "unit"
        elif counted:
            raise _what_units(cursor, number)
        else:
            cursor.at = start
            return None
    if mine and owner is None and kind == "unit":
        owner = cursor.power
    times = _multiplier(cursor) if not counted else None
    amount: int | None
    if counted:
        assert not isinstance(number, _NoCount)
        amount = number
    elif times is not None:
        amount = times
    elif bare == "open":
        amount = 0
    elif bare == "any" or kind in ("overland", "landed") or _means_all(cursor, kind, bare):
        amount = None
    else:
        key = "".join(token.key for token in cursor.tokens[key_at : cursor.at])
        if kind in ("unit", "land", "air", "sea", "warship") or _is_plural(cursor, key, kind):
            text = cursor.tokens[cursor.at - 1].text
            name = cursor.names.name("unit", kind)
            raise Refusal(f'how many? "{text}" has no number', (f"1 {name}", f"all {name}"), deep=cursor.at + 1)
        amount = 1
    if amount is None and counted:
        but = but or _but(cursor)
    return _with_details(cursor, Pick(kind, amount, owner, but=but, damage=damage, empty=empty))


def _means_all(cursor: Cursor, kind: str, bare: str) -> bool:
    if bare == "part" and kind in ("unit", "land", "air", "sea", "warship"):
        return True
    return cursor.tokens[cursor.at - 1].key == "everything"


def _damaged(cursor: Cursor) -> str | None:
    """`BBdmg`, `CVdmg`: a unit and the hit that only damages it, written as one word."""
    token = cursor.peek()
    if token is None or not token.key.endswith("dmg"):
        return None
    found = cursor.names.lookup("unit", token.key.removesuffix("dmg"))
    if len(found) != 1:
        return None
    cursor.at += 1
    return found[0]


def _but(cursor: Cursor) -> int:
    start = cursor.at
    if cursor.word("but"):
        number = count(cursor)
        if isinstance(number, int):
            return number
    cursor.at = start
    return 0


def _owner(cursor: Cursor) -> str | None:
    """A power before a unit (`2 anzac infantry`); never before anything else."""
    found = cursor.find("power")
    if found is None:
        return None
    after = cursor.at + found.length
    if cursor.names.find("unit", cursor.tokens, after) is None:
        following = cursor.tokens[after].key if after < len(cursor.tokens) else ""
        if following not in ("empty", "空"):
            return None
    longer = cursor.find("unit")
    if longer is not None and longer.length > found.length:
        return None
    if len(found.ids) > 1:
        raise cursor.ambiguous("power", found)
    cursor.at = after
    return found.ids[0]


def _what_units(cursor: Cursor, number: object) -> Refusal:
    shown = "all" if number is None else str(number)
    token = cursor.peek()
    if token is None:
        return Refusal(f'"{shown}" of what? a unit is missing at the end', deep=cursor.at)
    if cursor.find("space") is not None or token.kind is not Kind.WORD:
        return Refusal(f'"{shown}" of what? a unit is expected before "{token.text}"', deep=cursor.at)
    return cursor.unknown("unit", "a unit")


def _with_details(cursor: Cursor, chosen: Pick) -> Pick:
    """What may stand behind a unit: `damage`, `from pool`, `(from Libya)`, `(aboard transport)`, `(u17, u18)`."""
    damage = cursor.word("damage") is not None or chosen.damage
    empty = chosen.empty
    came_from, aboard, pool, ids = chosen.came_from, chosen.aboard, chosen.pool, chosen.ids
    start = cursor.at
    if cursor.word("from"):
        if cursor.word("pool"):
            pool = True
        else:
            cursor.at = start
    if cursor.is_kind(Kind.OPEN):
        opened = cursor.at
        cursor.at += 1
        if cursor.shown().lower() == "no" and _no_planes(cursor):
            return Pick(chosen.kind, chosen.count, chosen.owner, came_from, aboard, pool, ids, chosen.but, damage, True)
        inner = _details(cursor)
        if inner is None or cursor.take(Kind.CLOSE) is None:
            cursor.at = opened
        else:
            came_from, aboard, in_pool, ids = inner
            pool = pool or in_pool
    return Pick(
        chosen.kind, chosen.count, chosen.owner, came_from, aboard, pool, ids, chosen.but, damage, empty
    )  # fmt: skip


def _no_planes(cursor: Cursor) -> bool:
    start = cursor.at
    cursor.at += 1
    if unit(cursor, False) == "air" and cursor.take(Kind.CLOSE) is not None:
        return True
    cursor.at = start
    return False


def _details(cursor: Cursor) -> tuple[str | None, str | None, bool, tuple[str, ...]] | None:
    came_from: str | None = None
    aboard: str | None = None
    pool = False
    ids: list[str] = []
    while True:
        if cursor.word("from"):
            if cursor.word("pool"):
                pool = True
            else:
                came_from = cursor.space()
        elif cursor.word("aboard"):
            aboard = unit(cursor, False)
            if aboard is None:
                return None
        elif (token := cursor.peek()) is not None and token.key[:1] == "u" and token.key[1:].isdecimal():
            ids.append(token.key)
            cursor.at += 1
        else:
            return None
        if not cursor.take(Kind.COMMA):
            return came_from, aboard, pool, tuple(ids)


def group(cursor: Cursor, bare: str = "one") -> tuple[Pick, ...]:
    """Several choices joined by commas, `and`, `+` or nothing. Stops before what is no unit; may be empty."""
    picks: list[Pick] = []
    while True:
        start = cursor.at
        if picks:
            cursor.separator()
        chosen = None if _starts_zone(cursor) else pick(cursor, bare)
        if chosen is None:
            cursor.at = start
            return tuple(picks)
        picks.append(chosen)


def some_group(cursor: Cursor, bare: str = "one") -> tuple[Pick, ...]:
    """A group that must not be empty."""
    picks = group(cursor, bare)
    if not picks:
        raise cursor.unknown("unit", "a unit")
    return picks


def _starts_zone(cursor: Cursor) -> bool:
    """Whether a number here begins a zone's name (`6 Sea Zone`) and not a count."""
    if not cursor.is_kind(Kind.NUMBER):
        return False
    found = cursor.find("space")
    return found is not None and found.length > 1


def kinds(cursor: Cursor, bare: str = "any") -> list[Pick]:
    """A list of kinds in order, separated by commas, `>`, `-`, `and` or arrows, as in orders of loss."""
    listed: list[Pick] = []
    while True:
        start = cursor.at
        if listed:
            cursor.separator()
            token = cursor.peek()
            if token is not None and (
                token.kind in (Kind.DASH, Kind.ARROW, Kind.SLASH) or (token.kind is Kind.COMPARE and token.text == ">")
            ):
                cursor.at += 1
        chosen = pick(cursor, bare)
        if chosen is None:
            cursor.at = start
            return listed
        listed.append(chosen)
