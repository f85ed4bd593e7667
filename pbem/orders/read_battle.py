"""Reads answers and standing orders about battles: casualties, submerging, reactions and battle plans."""

from __future__ import annotations

from dataclasses import replace

from pbem.orders.cursor import Cursor, Refusal
from pbem.orders.read_moves import Origin, facility, group_here, origins, trailing_condition
from pbem.orders.read_units import kinds, pick, some_group
from pbem.orders.words import Kind
from pbem.rules.order_model import (
    ALL,
    BattlePlan,
    BombTargets,
    Casualties,
    Condition,
    Intercept,
    Kamikaze,
    Order,
    Pick,
    PressOn,
    Retreat,
    RetreatPart,
    Scramble,
    SubmarineFire,
    Submerge,
)

_WHICH = {"casualties": "losses", "aa_losses": "aa", "air_losses": "air", "choose": "shared", "fog_losses": "fog",
          "heavy_artillery_losses": "heavy_artillery"}  # fmt: skip
_SEA_KINDS = ("battleship", "carrier", "cruiser", "destroyer", "submarine", "transport", "sea", "warship")

TO_WHICH_ZONE = "to which zone? write it behind an arrow, like `scramble 1 fighter SPACE -> SEA ZONE`"


def side_and_domain(cursor: Cursor) -> tuple[str | None, str | None]:
    """`attack`, `defend`, `land`, `sea` in any order, as far as they stand here."""
    side: str | None = None
    domain: str | None = None
    while (word := cursor.word("attack_side", "defend_side", "land_domain", "sea_domain")) is not None:
        if word in ("attack_side", "defend_side"):
            side = word.removesuffix("_side")
        else:
            # `sea` may also begin a zone's name.
            if word == "sea_domain":
                cursor.at -= 1
                if cursor.find("space") is not None:
                    return side, domain
                cursor.at += 1
            domain = word.removesuffix("_domain")
    return side, domain


def after_round(cursor: Cursor) -> int | None:
    """`after round 2`, `at start of round 3` (which is after round 2), `at once`."""
    if cursor.word("at_once"):
        return None
    word = cursor.word("after_round", "at_start_of_round")
    if word is None:
        return None
    number = cursor.take(Kind.NUMBER)
    if number is None or int(number.text) > 99:
        raise Refusal("after which round? write a number", deep=cursor.at)
    rounds = int(number.text)
    behind = cursor.word("rounds_after", "rounds_start")
    if word == "at_start_of_round" or behind == "rounds_start":
        if rounds < 1:
            raise Refusal("battle rounds count from 1", deep=cursor.at)
        return rounds - 1
    return rounds


def rounds_said(cursor: Cursor) -> tuple[int | None, Condition | None]:
    """`after round 2` is that round alone; `from round 2` is a condition: that round and all later ones."""
    since = cursor.shown().lower() == "from" and cursor.sees("after_round")
    rounds = after_round(cursor)
    return (None, Condition("ge", "round", rounds)) if since else (rounds, None)


def both(when: Condition | None, also: Condition | None) -> Condition | None:
    """Two conditions that must both hold, of which either may be missing."""
    if when is None or also is None:
        return when or also
    return Condition("and", of=(also, when))


def casualties(cursor: Cursor, verb: str, *, ranked: bool = False) -> list[Order]:
    """`casualties Karelia S.S.R.: tank first`, `casualties S round 2: ...`, `LOSS DEF LAND: inf > art`.

    `ranked`: an order of preference without saying so (`ool attack: inf, arm, ftr`).
    """
    side, domain = side_and_domain(cursor)
    shared = cursor.peek()
    if shared is not None and shared.key == "shared":
        cursor.at += 1
        side = "defend"
    cursor.word("in")
    space = cursor.named("space")
    side_behind, domain_behind = side_and_domain(cursor) if space is not None else (None, None)
    battle_round = None
    if cursor.word("round"):
        number = cursor.take(Kind.NUMBER)
        if number is None or int(number.text) < 1:
            raise Refusal("which battle round? write a number from 1", deep=cursor.at)
        battle_round = int(number.text)
        cursor.word("rounds_word")
    if (
        cursor.take(Kind.COLON, Kind.DASH) is None
        and cursor.find("unit") is None
        and space is None
        and (not cursor.sees("keep"))
    ):
        if _colon_ahead(cursor):
            raise cursor.unknown("space", "a space")
        raise Refusal("which units? write `casualties SPACE: infantry first`", deep=cursor.at)
    start = cursor.at
    found = _list(cursor, verb, space, side or side_behind, domain or domain_behind, battle_round, ranked=ranked)
    counted = any(token.kind is Kind.NUMBER for token in cursor.tokens[start : cursor.at])
    if not found.first and not counted and len({item.kind for item in found.picks}) > 2:
        cursor.notes.append(ONE_HIT_EACH)
    return [found]


def _colon_ahead(cursor: Cursor) -> bool:
    """Whether words stand here, of which no space is known, and then a colon: `casualties Yunan: infantry first`."""
    ahead = next((token for token in cursor.tokens[cursor.at :] if token.kind not in (Kind.WORD, Kind.NUMBER)), None)
    return ahead is not None and ahead.kind is Kind.COLON


def order_of_loss(cursor: Cursor, side: str) -> list[Order]:
    """`Attacking -- TRN, SUB, FTR`: the mail clubs' order of loss, a priority for every battle of its kind."""
    order = _list(cursor, "casualties", None, side, None, None)
    if not order.picks:
        raise cursor.unknown("unit", "a unit")
    domain = "sea" if any(item.kind in _SEA_KINDS for item in order.picks) else None
    if domain is None and any(item.kind in ("infantry", "tank", "artillery") for item in order.picks):
        domain = "land"
    return [replace(order, first=True, domain=domain, picks=_uncounted(order.picks))]


def _uncounted(picks: tuple[Pick, ...]) -> tuple[Pick, ...]:
    return tuple(replace(item, count=None) for item in picks)


ONE_HIT_EACH = (
    "read as one name for each hit; for an order of preference write `first` behind the names, as in "
    "`casualties: infantry, artillery, tank first`"
)


def _list(
    cursor: Cursor,
    verb: str,
    space: str | None,
    side: str | None,
    domain: str | None,
    battle_round: int | None,
    *,
    ranked: bool = False,
) -> Casualties:
    start = cursor.at
    listed = kinds(cursor, "open")
    for token in cursor.tokens[start : cursor.at]:
        if token.kind is Kind.COMPARE:
            ranked = True
    first = cursor.word("first_mark") is not None
    last: tuple[Pick, ...] = ()
    if cursor.word("last_mark"):
        if not listed:
            raise cursor.unknown("unit", "a unit")
        last, listed = _counted(listed[-1:], None), listed[:-1]
    keep: list[Pick] = []
    keep_land = 0
    while True:
        start = cursor.at
        cursor.separator()
        if cursor.word("keep"):
            chosen = pick(cursor)
            if chosen is None:
                raise cursor.unknown("unit", "a unit to keep")
            if chosen.kind == "land" and chosen.count is not None and chosen.owner is None and keep_land == 0:
                keep_land = chosen.count
            else:
                keep.append(chosen)
            continue
        more = pick(cursor, "any") if cursor.at > start else None
        if more is not None and cursor.word("last_mark"):
            last = (*last, more)
            continue
        cursor.at = start
        break
    when = trailing_condition(cursor)
    if not listed and not last and not keep and not keep_land:
        raise cursor.unknown("unit", "a unit")
    priority = first or ranked or not listed
    picks = _counted(listed, None if priority else 1)
    return Casualties(
        space, picks, priority, battle_round, _WHICH[verb], side, domain, keep_land, when, tuple(keep), last
    )  # fmt: skip


def _counted(listed: list[Pick], meaning: int | None) -> tuple[Pick, ...]:
    """The list with a number for each kind that had none."""
    return tuple(replace(item, count=meaning) if item.count == 0 else item for item in listed)


def press_on(cursor: Cursor) -> list[Order]:
    """`press on Burma`, `press on`."""
    if cursor.take(Kind.COLON):
        pass
    space = cursor.named("space")
    return [PressOn(space, trailing_condition(cursor))]


def submerge(cursor: Cursor) -> list[Order]:
    """`submerge Sea Zone 6: all`, `none`, `1 submarine`, `submerge if enemy destroyer left = 0`, `submerge always`."""
    side, _ = side_and_domain(cursor)
    space = cursor.named("space")
    rounds, since = rounds_said(cursor)
    cursor.take(Kind.COLON)
    units: tuple[Pick, ...] | str = ALL
    late = False
    if cursor.word("none", "never"):
        units = ()
    elif cursor.word("late"):
        late = True
    elif cursor.word("always"):
        pass
    elif not cursor.end() and not cursor.sees("if", "after_round", "at_once", "at_start_of_round"):
        listed = kinds(cursor, "one")
        if not listed:
            unknown = "space" if space is None and _colon_ahead(cursor) else "unit"
            raise cursor.unknown(unknown, "all, none or a number of submarines")
        if listed != [Pick("unit")]:
            units = tuple(listed)
    late = late or cursor.word("late") is not None
    if rounds is None and since is None:
        rounds, since = rounds_said(cursor)
    return [Submerge(space, units, rounds, None, both(trailing_condition(cursor), since), side, late)]


def withdraw_submarines(cursor: Cursor) -> list[Order]:
    """Classic: `withdraw 1 submarine West Spain Sea Zone -> North Sea after round 1`, `withdraw sub to North Sea`.

    With the advanced retreats also `withdraw 1 submarine West Spain Sea Zone: break off`.
    """
    side, _ = side_and_domain(cursor)
    units = tuple(kinds(cursor, "one"))
    cursor.word("from")
    space = cursor.named("space")
    rounds, since = rounds_said(cursor)
    cursor.take(Kind.COLON)
    broken_off = cursor.word("break_off") is not None
    to = cursor.space("the zone to go to") if not broken_off and cursor.arrow() else None
    if rounds is None and since is None:
        rounds, since = rounds_said(cursor)
    when = both(trailing_condition(cursor), since)
    if broken_off:
        return [Retreat(space, None, rounds, (RetreatPart(units, None, "break_off"),), None, when)]
    chosen: tuple[Pick, ...] | str = ALL if units == (Pick("submarine"),) else units
    return [Submerge(space, chosen, rounds, to, when, side, withdraws=to is None)]


def my_submarines(cursor: Cursor) -> list[Order]:
    """`my subs: withdraw at once, prefer West Africa SZ`."""
    if cursor.word("submerge"):
        return [Submerge(None, ALL, after_round(cursor), None, trailing_condition(cursor), "defend")]
    if cursor.word("stand", "press_on", "none"):
        return [Submerge(None, (), None, None, trailing_condition(cursor), "defend")]
    if not cursor.word("withdraw"):
        raise Refusal("what shall the submarines do? `withdraw`, `submerge` or `stand`", deep=cursor.at)
    rounds = after_round(cursor)
    cursor.separator()
    to = cursor.space("the zone they prefer") if cursor.word("prefer") or cursor.arrow() else None
    return [Submerge(None, ALL, rounds, to, trailing_condition(cursor), "defend", withdraws=to is None)]


def scramble(cursor: Cursor) -> list[Order]:
    """`scramble 1 fighter Japan -> Sea Zone 6`, `SCRAMBLE Hawaiian Islands -> SZ 26: 1 ftr`, `scramble none`."""
    if cursor.word("none", "never"):
        space = cursor.named("space")
        zone = cursor.space() if space is not None and cursor.arrow() else None
        return [Scramble((), space, zone, trailing_condition(cursor))]
    if cursor.find("space") is not None and not cursor.is_kind(Kind.NUMBER):
        space = cursor.space()
        if not cursor.arrow():
            raise Refusal(TO_WHICH_ZONE, deep=cursor.at)
        zone = cursor.space("the zone")
        if cursor.take(Kind.COLON) is None:
            raise Refusal("how many? write the aircraft first: `scramble 1 fighter SPACE -> ZONE`")
        units = () if cursor.word("none") else some_group(cursor)
        return [Scramble(units, space, zone, trailing_condition(cursor))]
    number = cursor.peek()
    after = cursor.peek(1)
    if number is not None and number.kind is Kind.NUMBER and after is not None and after.key == "from":
        cursor.at += 1
        cursor.word("from")
        found: list[Origin] = [((Pick("fighter", max(1, int(number.text))),), cursor.space())]
    else:
        found = origins(cursor)
    if not found:
        raise cursor.unknown("unit", "an aircraft")
    if not cursor.arrow():
        raise Refusal(TO_WHICH_ZONE, deep=cursor.at)
    zone = cursor.space("the zone")
    when = trailing_condition(cursor)
    return [Scramble(units, space, zone, when) for units, space in found]


def intercept(cursor: Cursor) -> list[Order]:
    """`intercept Germany: 1 fighter`, `intercept Germany: all if bombers >= 2`, `intercept none`.

    `intercept UK retreat from Baltic Sea` is read, so that it can be refused by the rule.
    """
    start = cursor.at
    cursor.named("power")
    if cursor.word("retreat"):
        cursor.word("from")
        return [Intercept(cursor.space("from where they retreat"), (Pick("unit"),), trailing_condition(cursor))]
    cursor.at = start
    space = None
    if not group_here(cursor):
        space = cursor.named("space")
    cursor.take(Kind.COLON)
    if cursor.word("none", "never"):
        return [Intercept(space, (), trailing_condition(cursor))]
    units = some_group(cursor)
    return [Intercept(space, units, trailing_condition(cursor))]


def kamikaze(cursor: Cursor) -> list[Order]:
    """`kamikaze Sea Zone 6: 2 on battleship, 1 on carrier`, `KAMIKAZE sz36 prefer=CV,BB max=3`, `kamikaze none`."""
    space = cursor.named("space")
    cursor.take(Kind.COLON)
    if cursor.word("none", "never"):
        return [Kamikaze(space, (), trailing_condition(cursor))]
    prefer: tuple[Pick, ...] = ()
    most = None
    strikes: list[tuple[int, Pick]] = []
    while not cursor.end() and not cursor.sees("if"):
        if cursor.word("prefer"):
            cursor.take(Kind.COMPARE)
            prefer = tuple(kinds(cursor))
        elif cursor.word("at_most"):
            cursor.take(Kind.COMPARE)
            number = cursor.take(Kind.NUMBER)
            if number is None:
                raise Refusal("at most how many?", deep=cursor.at)
            most = int(number.text)
        elif cursor.is_kind(Kind.NUMBER):
            strikes.append(_strike(cursor))
        elif (target := pick(cursor)) is not None and target.count is not None:
            strikes.append((target.count, replace(target, count=1)))
        else:
            raise Refusal(
                f'"{cursor.shown()}" was not understood; write `kamikaze SPACE: 2 on battleship, 1 on carrier`',
                deep=cursor.at,
            )
        cursor.separator()
    if not strikes and not prefer and most is None:
        raise Refusal("on which ships? write `kamikaze SPACE: 2 on battleship`, or `none`", deep=cursor.at)
    return [Kamikaze(space, tuple(strikes), trailing_condition(cursor), prefer, most)]


def _strike(cursor: Cursor) -> tuple[int, Pick]:
    number = cursor.take(Kind.NUMBER)
    assert number is not None
    if not 0 < int(number.text) <= 99:
        raise Refusal(f'"{number.text}" is no number of strikes', deep=cursor.at)
    if not cursor.word("on", "in"):
        raise Refusal("on what? write `2 on battleship`", deep=cursor.at)
    target = pick(cursor)
    if target is None:
        raise cursor.unknown("unit", "a ship")
    return int(number.text), target


def submarine_fire(cursor: Cursor) -> list[Order]:
    """`fire at transports Sea Zone 12: always | cargo | never`."""
    space = cursor.named("space")
    cursor.take(Kind.COLON)
    word = cursor.word("always", "only_cargo", "never")
    if word is None:
        raise Refusal("when? `always`, `cargo` (only if they carry something) or `never`", deep=cursor.at)
    return [SubmarineFire(space, "cargo" if word == "only_cargo" else word)]


AIMS = {"target_air": "air", "target_ground": "ground", "target_ships": "ships"}
"""What guns may be aimed at, by the word for it."""


def aim(cursor: Cursor) -> list[Order]:
    """`aim Caucasus: 1 artillery at aircraft, 1 artillery at ground units` (Classic, artillery that fires first)."""
    space = cursor.named("space")
    cursor.take(Kind.COLON)
    groups: list[tuple[Pick, str]] = []
    while not groups or cursor.separator():
        guns = pick(cursor)
        if guns is None:
            raise cursor.unknown("unit", "a number of artillery")
        cursor.word("aimed_at")
        target = cursor.word(*AIMS)
        if target is None:
            raise Refusal("at what? write `1 artillery at aircraft`, `at ground units` or `at ships`", deep=cursor.at)
        groups.append((guns, AIMS[target]))
    return [BombTargets(space, tuple(groups))]


def bomb(cursor: Cursor) -> list[Order]:
    """`bomb India: 2 bomber on ic_minor, 1 bomber on naval_base`, `BOMB: 2 -> IC, 1 -> NB`."""
    space = cursor.named("space")
    if cursor.take(Kind.COLON) is None:
        raise Refusal("which bombers on what? write `bomb SPACE: 2 on industrial_complex`", deep=cursor.at)
    groups: list[tuple[Pick, str]] = []
    while True:
        number, after = cursor.peek(), cursor.peek(1)
        bombers: Pick | None
        if (
            number is not None
            and number.kind is Kind.NUMBER
            and after is not None
            and (after.kind is Kind.ARROW or after.key == "on")
        ):
            if int(number.text) < 1:
                raise Refusal('"0" bombers do nothing', deep=cursor.at)
            cursor.at += 1
            bombers = Pick("bomber", int(number.text))
        else:
            bombers = pick(cursor)
        if bombers is None:
            raise cursor.unknown("unit", "a number of bombers")
        if not cursor.word("on") and not cursor.arrow():
            raise Refusal("on which facility? write `2 on naval_base`", deep=cursor.at)
        target = facility(cursor)
        if target is None:
            raise cursor.unknown("unit", "a facility")
        groups.append((bombers, target))
        if not cursor.separator():
            return [BombTargets(space, tuple(groups))]


def battle_plan(cursor: Cursor, plan: str) -> list[Order]:
    """`save air at all costs Ukraine S.S.R. from round 2`, `SAAC`, `WI`."""
    cursor.word("in")
    space = cursor.named("space")
    start = None
    token = cursor.peek()
    if token is not None and token.key in ("from", "after", "第"):
        start = after_round(cursor)
    if plan == "save_air_at_all_costs" and start is None:
        start = 2
    return [BattlePlan(plan, space, start)]
