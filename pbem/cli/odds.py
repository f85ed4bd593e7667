"""`pbem odds`: the exact distribution of a battle, from forces written as in orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import echo_json, json_option
from pbem.cli.lazy import Usage

if TYPE_CHECKING:
    from pbem.odds.outcome import Left, Odds
    from pbem.odds.setting import Setting, Some
    from pbem.orders.cursor import Cursor
    from pbem.rules.order_model import Casualties
    from pbem.rules.ruleset import RuleSet

MOST_SHOWN = 4
"""How many ways a side may end the text form lists."""
LEAST_SHOWN = 0.01
"""What is less probable the text form leaves out, unless it is the most probable."""
BAR = 30


@click.command(no_args_is_help=True)
@click.option("--game", required=True, help="p40, s42, classic or p01.")
@click.option("--edition", help="Which printing, e.g. card, 1e or 2e for p40. Default: the game's first.")
@click.option("--variant", "variants", multiple=True, help="A variant on top: fov, err or wwm.")
@click.option("--attack", required=True, metavar="UNITS", help='Who attacks, like "3 inf 2 tank 3 fig".')
@click.option("--defend", required=True, metavar="UNITS", help='Who defends, like "5 inf 2 art, 1 bb damaged".')
@click.option("--sea", is_flag=True, help="A sea battle; else it is on land.")
@click.option("--amphibious", is_flag=True, help="All attacking land units come from the sea.")
@click.option("--landed", metavar="UNITS", help="Only these come from the sea.")
@click.option("--bombard", metavar="UNITS", help="Ships that bombard before the landing.")
@click.option("--attacker-losses", metavar="KINDS", help='In which order, like "inf,art,tank,fighter".')
@click.option("--defender-losses", metavar="KINDS", help='In which order; "bb damage" is the hit that only damages.')
@json_option
def odds(
    game: str,
    edition: str | None,
    variants: tuple[str, ...],
    attack: str,
    defend: str,
    sea: bool,
    amphibious: bool,
    landed: str | None,
    bombard: str | None,
    attacker_losses: str | None,
    defender_losses: str | None,
    as_json: bool,
) -> None:
    """The exact odds of a battle: who wins, how long it takes, what both lose, who is left. Nothing is sampled.

    Both sides fight to the end. Losses are taken in the given order, then in the rule set's default order.

    \b
    Example:
      pbem odds --game p40 --edition 2e --attack "3 inf 2 tank 3 fig" --defend "5 inf 2 art 1 tank"
      pbem odds --game p40 --sea --attack "2 sub 1 bb" --defend "1 dd 1 cv 2 ftr" --json
    """
    from pbem.games.catalog import UnknownGame, rule_set
    from pbem.odds.calculate import odds_of
    from pbem.odds.outcome import OddsUnknown, WrongForces
    from pbem.odds.setting import Setting, make_battle

    try:
        rules = rule_set(game, edition, variants)
    except (UnknownGame, ModuleNotFoundError) as error:
        raise Usage(f"pbem odds: {error}") from None
    setting = Setting(
        attackers=_units(rules, "--attack", attack),
        defenders=_units(rules, "--defend", defend),
        sea=sea,
        amphibious=amphibious,
        landed=None if landed is None else _units(rules, "--landed", landed),
        bombarding=() if bombard is None else _units(rules, "--bombard", bombard),
    )
    losses: dict[str, Casualties] = {}
    for side, option, text in (
        ("attack", "--attacker-losses", attacker_losses),
        ("defend", "--defender-losses", defender_losses),
    ):
        if text is not None:
            losses[side] = _losses(rules, option, text)
    try:
        state, battle = make_battle(rules, setting)
        found = odds_of(rules, state, battle, losses)
    except (WrongForces, OddsUnknown) as error:
        raise Usage(f"pbem odds: {error}") from None
    if as_json:
        echo_json(found.to_json())
        return
    for line in _lines(rules, setting, found):
        click.echo(line)


# -- reading --------------------------------------------------------------------------------------------------------


def _cursor(rules: RuleSet, text: str) -> Cursor:
    from pbem.orders.cursor import Cursor, ReadContext
    from pbem.orders.gazetteer import gazetteer
    from pbem.orders.words import tokens

    return Cursor(tokens(text), gazetteer(rules.game, rules.edition or None), ReadContext(rules.game, rules.edition))


def _units(rules: RuleSet, option: str, text: str) -> tuple[Some, ...]:
    """Units written as in orders; `2 bb damaged` are two damaged ones."""
    from pbem.odds.setting import Some
    from pbem.orders.cursor import Refusal
    from pbem.orders.read_units import pick

    found: list[Some] = []
    cursor = _cursor(rules, text)
    try:
        while not cursor.end():
            if found:
                cursor.separator()
            at = cursor.at
            hurt = _number_before_damaged(cursor)
            lot = pick(cursor)
            if lot is None:
                raise cursor.unknown("unit", "a unit")
            if lot.count is None or lot.kind not in rules.board.units:
                raise Refusal(f'"{cursor.tokens[at].text}" is no number of units of one kind')
            if lot.owner is not None:
                raise Refusal("whose units they are makes no difference here; leave the power out")
            found.append(Some(lot.kind, hurt or lot.count, 1 if lot.damage or hurt else 0))
    except Refusal as refusal:
        raise _usage(option, refusal) from None
    return tuple(found)


def _number_before_damaged(cursor: Cursor) -> int:
    """`1 damaged bb`: the number, and past both words, so that the unit follows; 0 where it is not written so."""
    from pbem.orders.words import Kind

    number, word = cursor.peek(), cursor.peek(1)
    if number is None or word is None or number.kind is not Kind.NUMBER or word.key not in ("damaged", "dmg"):
        return 0
    cursor.at += 2
    return int(number.text[:3])


def _losses(rules: RuleSet, option: str, text: str) -> Casualties:
    """An order of loss: kinds of units."""
    from pbem.orders.cursor import Refusal
    from pbem.orders.read_units import kinds
    from pbem.rules.order_model import Casualties

    cursor = _cursor(rules, text)
    try:
        picks = kinds(cursor)
        if not cursor.end() or not picks:
            raise cursor.unknown("unit", "a unit")
        for pick in picks:
            if pick.count is not None:
                raise Refusal("an order of loss names kinds of units, without numbers")
    except Refusal as refusal:
        raise _usage(option, refusal) from None
    return Casualties(space=None, first=True, picks=tuple(picks))


def _usage(option: str, refusal: Any) -> Usage:
    said = "did you mean" in refusal.reason
    hint = f"; perhaps {' or '.join(refusal.suggestions)}" if refusal.suggestions and not said else ""
    return Usage(f"pbem odds {option}: {refusal.reason}{hint}")


# -- telling --------------------------------------------------------------------------------------------------------


def _lines(rules: RuleSet, setting: Setting, odds: Odds) -> list[str]:
    where = "at sea" if setting.sea else "from the sea" if setting.amphibious or setting.bombarding else "on land"
    worth = {"attacker": _worth(rules, setting.attackers), "defender": _worth(rules, setting.defenders)}
    lines = [
        f"{rules.id}, {where}",
        f"  attack   {_told(rules, setting.attackers)} ({worth['attacker']} IPC)",
        f"  defend   {_told(rules, setting.defenders)} ({worth['defender']} IPC)",
    ]
    if setting.bombarding:
        lines.append(f"  bombard  {_told(rules, setting.bombarding)}")
    lines.append("")
    rows = [
        ("attacker wins", odds.attacker_wins),
        ("defender wins", odds.defender_wins),
        ("both gone", odds.both_gone),
    ]
    if odds.standoff:
        rows.append(("standoff", odds.standoff))
    lines += [f"  {name:<14} {_percent(chance):>7}  {_bar(chance)}".rstrip() for name, chance in rows]
    lines += [
        "",
        f"  {odds.rounds:.1f} rounds; the attacker loses {odds.attacker_loss_ipc:.1f} of {worth['attacker']} IPC, "
        f"the defender {odds.defender_loss_ipc:.1f} of {worth['defender']}",
        "",
    ]
    for side in ("attacker", "defender"):
        lines += _left_lines(rules, side, odds.survivors[side])
    return lines


def _left_lines(rules: RuleSet, side: str, rows: Sequence[Left]) -> list[str]:
    shown = [row for row in rows[:MOST_SHOWN] if row.probability >= LEAST_SHOWN] or list(rows[:1])
    lines = [
        f"  {side + ' left' if not index else '':<14} {_percent(row.probability):>7}  {_named(rules, row)}"
        for index, row in enumerate(shown)
    ]
    rest = 1 - sum(row.probability for row in shown)
    if len(rows) > len(shown) and rest >= LEAST_SHOWN / 2:
        lines.append(f"  {'':<14} {_percent(rest):>7}  one of {len(rows) - len(shown)} other ways")
    return lines


def _named(rules: RuleSet, left: Left) -> str:
    if not left.units:
        return "nobody"
    parts = []
    for kind, count in left.units.items():
        hurt = left.damaged.get(kind, 0)
        parts.append(_counted(rules, kind, count) + (f" ({hurt} damaged)" if hurt else ""))
    return ", ".join(parts)


def _told(rules: RuleSet, lots: Sequence[Some]) -> str:
    return ", ".join(
        _counted(rules, lot.kind, lot.count) + (" (damaged)" if lot.damage else "") for lot in lots if lot.count
    )


def _counted(rules: RuleSet, kind: str, count: int) -> str:
    named = rules.board.units[kind]
    return f"{count} {(named.name if count == 1 else named.plural).lower()}"


def _worth(rules: RuleSet, lots: Sequence[Some]) -> int:
    table: Mapping[str, Any] = rules.board.units
    return sum((table[lot.kind].cost or 0) * lot.count for lot in lots)


def _percent(chance: float) -> str:
    if 0 < chance < 0.0005:
        return "< 0.1 %"
    if 0.9995 <= chance < 1 - 1e-12:
        return "> 99.9 %"
    return f"{100 * chance:.1f} %"


def _bar(chance: float) -> str:
    return "#" * round(BAR * chance)
