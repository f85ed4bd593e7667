"""Reads the conditions of standing orders: `odds < 40%`, `round >= 2 and own land < 2`, `Hunan taken`, `not (...)`.

`not` binds closest, then `and`, then `or`. A chance is kept as parts per million, everything else as whole numbers.
"""

from __future__ import annotations

from fractions import Fraction

from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.words import Kind, Token, fold
from pbem.rules.order_model import Condition

_DEEPEST = 12
_COMPARISONS = {"<": "lt", "<=": "le", "=<": "le", ">": "gt", ">=": "ge", "=": "eq", "==": "eq"}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}
_PLAIN = ("odds", "own_land", "bombers", "escorts", "attackers", "enemy_hits", "own_hits", "landing", "subject_round")


def condition(cursor: Cursor, depth: int = 0) -> Condition:
    """A whole condition: parts joined by `or`."""
    if depth == 0:
        _split_words(cursor)
    return _joined(cursor, "or", depth)


def asks_for_capture(when: Condition | None) -> bool:
    """Whether a condition waits for a space to be taken, or not taken, this turn."""
    if when is None:
        return False
    return when.subject == "taken" or any(asks_for_capture(part) for part in when.of)


def _split_words(cursor: Cursor) -> None:
    """`enemy_dd`, `bri_stock`: words joined by underscores that are no name stand for several words."""
    split: list[Token] = []
    for index, token in enumerate(cursor.tokens):
        known = index < cursor.at or "_" not in token.text or token.kind is not Kind.WORD
        if known or any(cursor.names.lookup(category, token.text) for category in ("unit", "space", "card")):
            split.append(token)
        else:
            split += [Token(token.kind, part, fold(part), token.start, token.end) for part in token.text.split("_")]
    cursor.tokens = tuple(split)


def _joined(cursor: Cursor, op: str, depth: int) -> Condition:
    if depth > _DEEPEST:
        raise Refusal("this condition is nested too deeply")
    parts = [_joined(cursor, "and", depth) if op == "or" else _negated(cursor, depth)]
    while cursor.word(op) or (op == "and" and _ampersand(cursor)):
        parts.append(_joined(cursor, "and", depth) if op == "or" else _negated(cursor, depth))
    return parts[0] if len(parts) == 1 else Condition(op, of=tuple(parts))


def _ampersand(cursor: Cursor) -> bool:
    token = cursor.peek()
    return token is not None and token.text == "&" and cursor.take(Kind.AND) is not None


def _negated(cursor: Cursor, depth: int) -> Condition:
    if cursor.matches("not") and not cursor.matches("not_taken"):
        cursor.word("not")
        return Condition("not", of=(_negated(cursor, depth + 1),)) if depth <= _DEEPEST else _too_deep()
    if cursor.take(Kind.OPEN):
        inner = condition(cursor, depth + 1)
        if cursor.take(Kind.CLOSE) is None:
            raise Refusal("a closing parenthesis is missing in the condition", deep=cursor.at)
        return inner
    return _test(cursor)


def _too_deep() -> Condition:
    raise Refusal("this condition is nested too deeply")


def _test(cursor: Cursor) -> Condition:
    if cursor.word("only_air_left", "no_land_left"):
        return Condition("eq", "own_land", 0)
    if cursor.word("not"):
        return Condition("not", of=(_test(cursor),))
    start = cursor.at
    for shape in (_no_units, _breakthrough, _about_space, _stock, _lives):
        found = shape(cursor)
        if found is not None:
            return found
        cursor.at = start
    return _comparison(cursor)


def _no_units(cursor: Cursor) -> Condition | None:
    """`no friendly surface ship`, `no enemy destroyer`: none of a kind is left."""
    token = cursor.peek()
    if token is None or token.key not in ("no", "無"):
        return None
    cursor.at += 1
    side = "enemy_left" if cursor.word("own_side", "enemy_side") == "enemy_side" else "own_left"
    found = cursor.find("unit")
    if found is None or len(found.ids) > 1:
        return None
    cursor.at += found.length
    cursor.word("left")
    return Condition("eq", side, 0, found.ids[0])


def _breakthrough(cursor: Cursor) -> Condition | None:
    if cursor.word("none", "do_not") and cursor.word("breakthrough"):
        return Condition("eq", "breakthrough", 0)
    start = cursor.at
    if cursor.word("breakthrough"):
        if not cursor.is_kind(Kind.COMPARE):
            return Condition("eq", "breakthrough", 1)
        cursor.at = start
        cursor.word("breakthrough")
        op = _operator(cursor)
        return Condition(op, "breakthrough", _whole(cursor))
    return None


def _about_space(cursor: Cursor) -> Condition | None:
    """`Hunan taken`, `taken Hunan`, `Karelia attacked by >= 3 units`, `India bombed by >= 2`."""
    early = cursor.word("taken", "not_taken")
    if early is not None:
        space = cursor.named("space")
        return Condition("eq", "taken", int(early == "taken"), space=space) if space is not None else None
    found = cursor.find("space")
    if found is None:
        return None
    if len(found.ids) > 1:
        raise cursor.ambiguous("space", found)
    space = found.ids[0]
    cursor.at += found.length
    word = cursor.word("taken", "not_taken", "attacked", "bombed")
    if word is None:
        subject = cursor.word("attackers", "bombers", "escorts", "odds")
        if subject is None:
            return None
        op = _operator(cursor)
        value = _chance(cursor) if subject == "odds" else _whole(cursor)
        return Condition(op, subject, value, space=space)
    if word in ("taken", "not_taken"):
        return Condition("eq", "taken", 1 if word == "taken" else 0, space=space)
    subject = "attackers" if word == "attacked" else "bombers"
    op, value = "ge", 1
    if cursor.word("by"):
        op = _operator(cursor) if cursor.is_kind(Kind.COMPARE) else "ge"
        value = _whole(cursor)
        cursor.word("unit_word")
    return Condition(op, subject, value, space=space)


def _stock(cursor: Cursor) -> Condition | None:
    power = cursor.find("power")
    ahead = power.length if power is not None else 0
    start = cursor.at
    cursor.at += ahead
    if not cursor.word("stock"):
        cursor.at = start
        return None
    op = _operator(cursor)
    return Condition(op, "stock", _whole(cursor), power.ids[0] if power is not None else None)


def _lives(cursor: Cursor) -> Condition | None:
    """`bb lives`, `arm lost`: at least one of a kind is left, or lost."""
    kind = cursor.find("unit")
    if kind is None or len(kind.ids) > 1:
        return None
    cursor.at += kind.length
    if cursor.word("lives"):
        return Condition("ge", "own_left", 1, kind.ids[0])
    if cursor.word("lost"):
        return Condition("ge", "own_lost", 1, kind.ids[0])
    return None


def _subject(cursor: Cursor, whose: str) -> tuple[str, str | None] | None:
    """A subject and the kind it counts: `odds`, `own infantry left`, `enemy lost`.

    A bare kind (`destroyers = 0`) is read as `whose`, with a note.
    """
    plain = cursor.word(*_PLAIN)
    if plain is not None:
        if plain == "own_land":
            cursor.word("unit_word")
            if cursor.word("lost", "left") == "lost":
                return "own_lost", "land"
        return ("round" if plain == "subject_round" else plain), None
    side = cursor.word("own_lost", "enemy_lost", "own_left", "enemy_left", "own_side", "enemy_side")
    kind = None
    found = cursor.find("unit")
    if found is not None:
        if len(found.ids) > 1:
            raise cursor.ambiguous("unit", found)
        kind = found.ids[0]
        cursor.at += found.length
    if side is None:
        if kind is None:
            return None
        behind = cursor.word("lost", "left")
        if behind is not None:
            return f"own_{behind}", kind
        cursor.notes.append(f"the condition counts {whose} {kind} left")
        return f"{whose}_left", kind
    behind = cursor.word("left", "lost")
    owner = side.split("_")[0]
    state = "lost" if behind == "lost" or side.endswith("lost") else "left"
    subject = f"{owner}_{state}"
    if subject == "own_left" and kind == "land":
        return "own_land", None
    return subject, kind


def _operator(cursor: Cursor) -> str:
    word = cursor.word(*_MIRRORED)
    if word is not None:
        return word
    token = cursor.take(Kind.COMPARE)
    if token is None or token.text not in _COMPARISONS:
        raise Refusal(
            f'a comparison (<, <=, >, >=, =) is expected in the condition before "{cursor.shown()}"', deep=cursor.at
        )
    return _COMPARISONS[token.text]


def _whole(cursor: Cursor) -> int:
    token = cursor.take(Kind.NUMBER)
    if token is None:
        raise Refusal(f'a whole number is expected in the condition, not "{cursor.shown()}"', deep=cursor.at)
    return int(token.text)


def _chance(cursor: Cursor) -> int:
    """`40%`, `40.5%` or `0.4`, as parts per million."""
    token = cursor.take(Kind.NUMBER, Kind.DECIMAL)
    if token is None:
        raise Refusal(f'a chance like 40% is expected, not "{cursor.shown()}"', deep=cursor.at)
    number = Fraction(token.text)
    percent = cursor.take(Kind.PERCENT) is not None
    if not percent and number > 1:
        raise Refusal(f'"{token.text}" is no chance; write {token.text}%', (f"{token.text}%",), deep=cursor.at)
    parts = number * (10_000 if percent else 1_000_000)
    if parts > 1_000_000:
        raise Refusal(f'"{token.text}%" is more than certain', deep=cursor.at)
    if parts.denominator != 1:
        raise Refusal(f'"{token.text}" has more digits than are kept (millionths)', deep=cursor.at)
    return int(parts)


def _factor(cursor: Cursor) -> Fraction:
    """`* 3 / 2`, `*1.5`, `/2` behind a subject."""
    factor = Fraction(1)
    while True:
        if cursor.take(Kind.TIMES):
            factor *= _number(cursor)
        elif cursor.take(Kind.SLASH):
            factor /= _number(cursor)
        else:
            return factor


def _number(cursor: Cursor) -> Fraction:
    token = cursor.take(Kind.NUMBER, Kind.DECIMAL)
    if token is None or Fraction(token.text) == 0 or len(token.text) > 6:
        raise Refusal(f'a small number is expected in the condition, not "{cursor.shown()}"', deep=cursor.at)
    return Fraction(token.text)


def _comparison(cursor: Cursor) -> Condition:
    left = _subject(cursor, "enemy")
    if left is None:
        raise Refusal(
            f'"{cursor.shown()}" is nothing a condition can ask; it may ask odds, round, own or enemy units lost or'
            " left, own land, attackers, bombers, escorts, or whether a space was taken, like `if odds < 40%`",
            deep=cursor.at,
        )
    if left[0] == "landing" and not cursor.is_kind(Kind.COMPARE, Kind.TIMES, Kind.SLASH):
        return Condition("ge", "landing", 1)
    factor = _factor(cursor)
    op = _operator(cursor)
    if left[0] == "odds":
        return Condition(op, "odds", _chance(cursor))
    if cursor.is_kind(Kind.NUMBER):
        value = Fraction(_whole(cursor)) / factor
        if value.denominator != 1:
            raise Refusal("compare with a whole number", deep=cursor.at)
        return Condition(op, left[0], int(value), left[1])
    right = _subject(cursor, "own")
    if right is None or right[0] == "odds":
        raise Refusal(f'a number is expected in the condition, not "{cursor.shown()}"', deep=cursor.at)
    if left[0] == "own_hits" and right == ("enemy_left", None):
        right = ("enemy_hits", None)
    scale = _factor(cursor)
    if factor != 1:
        # The subject that is scaled stands on the right of a stored condition.
        if scale != 1:
            raise Refusal("only one side of a comparison may be multiplied", deep=cursor.at)
        left, right, op, scale = right, left, _MIRRORED[op], factor
    return Condition(
        op, left[0], None, left[1], None, (), right[0], right[1], scale.numerator, scale.denominator
    )  # fmt: skip
