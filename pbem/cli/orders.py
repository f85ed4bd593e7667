"""`pbem orders check`: what is understood of a text of orders, and what the rules would refuse, without sending it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    Mistake,
    chosen,
    database_option,
    echo_json,
    json_option,
    listed,
    now,
    open_referee,
    read_stdin,
)
from pbem.cli.lazy import Usage

if TYPE_CHECKING:
    from pbem.campaign.answer import AnsweredLine
    from pbem.campaign.load import Loaded
    from pbem.orders.gazetteer import Gazetteer
    from pbem.orders.read import LineResult
    from pbem.rules.ruleset import RuleSet

SIGNS = {"accepted": "ok", "refused": "NO", "unreadable": "??", "ignored": "--"}


@click.group(no_args_is_help=True)
def orders() -> None:
    """Check orders: what is understood, what is refused and why."""


@orders.command()
@click.option("--game", help="p40, s42, classic or p01. Not needed with --campaign.")
@click.option("--edition", help="Which printing, e.g. card, 1e or 2e for p40. Default: the game's first.")
@click.option("--variant", "variants", multiple=True, help="A variant on top: fov, err or wwm.")
@click.option("--power", help="Whose orders these are. Default: whoever is to order.")
@click.option("--phase", help="The phase that lines without one belong to, e.g. combat_move or noncombat_move.")
@click.option("--campaign", "-c", metavar="ID", help="Check in the present position of this campaign.")
@click.option("--no-board", is_flag=True, help="Only what the lines mean, whatever stands on the board.")
@database_option
@json_option
def check(
    game: str | None,
    edition: str | None,
    variants: tuple[str, ...],
    power: str | None,
    phase: str | None,
    campaign: str | None,
    no_board: bool,
    database: str,
    as_json: bool,
) -> None:
    """Read orders from the standard input and say of each line what becomes of it. Nothing is sent or kept.

    The position is the published set-up of --game, or with --campaign the campaign's own; with --no-board only the
    meaning of the lines is told.

    \b
    Example:
      echo "3 inf Kwangsi -> Yunnan" | pbem orders check --game p40 --power japan
      pbem orders check --campaign p40-17 --json < orders.txt
    """
    if campaign is None and game is None:
        raise Usage("pbem orders check: which game? Give --game p40, s42, classic or p01, or --campaign ID")
    if campaign is not None and no_board:
        raise Usage("pbem orders check: --campaign has a board; leave out --no-board or give --game")
    if campaign is not None:
        rows = in_campaign(database, campaign, power, read_stdin())
    elif no_board:
        rows = meaning(str(game), edition, variants, power, phase, read_stdin())
    else:
        rows = at_set_up(str(game), edition, variants, power, phase, read_stdin())
    if as_json:
        echo_json(rows)
        return
    for row in rows:
        _print(row)


def meaning(
    game: str, edition: str | None, variants: tuple[str, ...], power: str | None, phase: str | None, text: str
) -> list[dict[str, Any]]:
    """Lines read for their meaning alone, in the form of the issue of every answer: see `row_of`."""
    from pbem.games.catalog import entry
    from pbem.orders.gazetteer import gazetteer
    from pbem.orders.read import ReadContext, read_orders

    names = gazetteer(game, edition if edition is not None else entry(game).default_edition)
    whose = _power_id(names, power)
    context = ReadContext(
        game=game,
        edition=edition,
        variants=variants,
        powers=(whose,) if whose else (),
        phase=_phase_id(names, phase),
    )
    return [row_of(result) for result in read_orders(text, names, context)]


def at_set_up(
    game: str, edition: str | None, variants: tuple[str, ...], power: str | None, phase: str | None, text: str
) -> list[dict[str, Any]]:
    """Lines checked against the published set-up, as if it were that power's turn in the first round."""
    from pbem.games.catalog import rule_set
    from pbem.orders.gazetteer import gazetteer

    rules = rule_set(game, edition, variants)
    names = gazetteer(game, rules.edition or None)
    whose = _power_id(names, power) or _first_power(rules)
    return _considered(_set_up(rules, whose, _phase_id(names, phase)), whose, text)


def in_campaign(database: str, campaign: str, power: str | None, text: str) -> list[dict[str, Any]]:
    """Lines checked in the present position of a campaign, for the power named or the one that is to order."""
    from pbem.campaign.load import load
    from pbem.campaign.mails import player_of
    from pbem.orders.gazetteer import gazetteer

    referee = open_referee(database)
    loaded = load(referee, chosen(referee.store, campaign))
    state = loaded.play.now
    waiting = [power for window in state.windows.values() for power in window.powers]
    if power is None and not waiting:
        raise Mistake(f"{campaign} waits for nobody now; name a power with --power")
    names = gazetteer(loaded.play.rules.game, loaded.play.rules.edition or None)
    whose = _power_id(names, power) or waiting[0]
    player = player_of(state, whose)
    if player is None:
        raise Mistake(f"nobody plays {whose} in {campaign}")
    return _considered(loaded, player, text)


def _considered(loaded: Loaded, player: str, text: str) -> list[dict[str, Any]]:
    from pbem.campaign.submit import Submission, consider

    submission = Submission(campaign=loaded.play.campaign, player=player, text=text, received_at=now(), number=0)
    answer, _ = consider(_clock_only(), loaded, submission)
    return [row_of(line) for line in answer.lines]


def _clock_only() -> Any:
    """A referee for considering without storing: only its clock is asked."""
    from types import SimpleNamespace

    return SimpleNamespace(clock=now)


def _set_up(rules: RuleSet, power: str, phase: str | None) -> Loaded:
    """A campaign in memory at the published set-up, waiting for that power's orders."""
    from pbem.campaign.check import optimistic_dice
    from pbem.campaign.load import Loaded
    from pbem.campaign.play import begin, run_on
    from pbem.orders.respond import StandingResponder
    from pbem.rules.setup import position

    given = {"round": 1, "power": power, "phase": _start(_phases(rules, power), phase), "from": "setup"}
    settings = {
        "game": rules.game,
        "edition": rules.edition,
        "variants": list(rules.variants),
        "options": dict(rules.options),
        "rules_version": rules.version,
        "seats": {power: [power]},
    }
    play = begin("check", rules, [("campaign_created", settings), *position(rules, given)])
    told = run_on(play, optimistic_dice(rules), StandingResponder(), now=0, may_close=lambda window: False)
    return Loaded(told.play, told.play.next_seq, (), (), 0, 0, frozenset())


def _phases(rules: RuleSet, power: str) -> list[str]:
    """The phases of a power's turn in their order, by the names they have in every game."""
    from pbem.games.catalog import load_facts
    from pbem.orders.names import GENERIC_PHASE

    return [GENERIC_PHASE.get(phase, phase) for phase in load_facts(rules.game, rules.edition)["phases"][power]]


def _start(phases: list[str], phase: str | None) -> str:
    """Where the turn begins: with its first phase, so that purchases may stand beside moves, or after combat."""
    if phase in phases and "noncombat_move" in phases and phases.index(phase) >= phases.index("noncombat_move"):
        return phase
    return phases[0]


def row_of(line: LineResult | AnsweredLine) -> dict[str, Any]:
    """One line and what became of it: status accepted, refused, unreadable or ignored; what does not apply is null.

    The reason of an accepted line is what was assumed.
    """
    return {
        "line": line.line,
        "text": line.text,
        "status": line.status,
        "canonical": line.canonical or None,
        "reason": line.reason or getattr(line, "note", None) or None,
        "rule": line.rule or None,
        "suggestions": list(line.suggestions),
    }


def print_lines(rows: Iterable[Mapping[str, Any]]) -> None:
    """Lines for people, one or two lines each."""
    for row in rows:
        _print(row)


def _print(row: Mapping[str, Any]) -> None:
    shown = row["canonical"] or row["text"]
    click.echo(f"{row['line']:>4} {SIGNS[row['status']]}  {shown}")
    if row["status"] == "accepted" and row["reason"]:
        click.echo(f"         note: {row['reason']}")
    if row["status"] in ("refused", "unreadable"):
        rule = f" [{row['rule']}]" if row["rule"] else ""
        click.echo(f"         {row['reason'] or 'not understood'}{rule}")
        for suggestion in row["suggestions"]:
            click.echo(f"         perhaps: {suggestion}")


def _first_power(rules: RuleSet) -> str:
    playing = [power for power in rules.board.powers.values() if power.playable]
    return min(playing, key=lambda power: power.order).id


def _power_id(names: Gazetteer, power: str | None) -> str | None:
    if power is None:
        return None
    found = names.lookup("power", power)
    if len(found) == 1:
        return str(found[0])
    raise Mistake(f"there is no power {power!r} in this game; there are {listed(list(names.powers))}")


def _phase_id(names: Gazetteer, phase: str | None) -> str | None:
    if phase is None:
        return None
    found = names.lookup("phase", phase)
    if len(found) == 1:
        return str(found[0])
    raise Mistake(f"there is no phase {phase!r}; phases are purchase, combat_move, noncombat_move, mobilize and others")
