"""`pbem moderate ...`: what a moderator may do. Every act stands in the log and is mailed to all concerned."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli.common import (
    Mistake,
    campaign_option,
    chosen,
    database_option,
    echo_json,
    json_option,
    listed,
    moment,
    nudge,
    open_referee,
    read_document,
    read_moment,
)
from pbem.cli.lazy import Usage

if TYPE_CHECKING:
    from pbem.campaign.moderate import Done
    from pbem.campaign.referee import Referee

F = TypeVar("F", bound=Callable[..., Any])


@click.group(no_args_is_help=True)
def moderate() -> None:
    """Pause, rewind, correct, rule, extend, replace a player, look after held mails.

    Everything done here is an event in the campaign's log, and is mailed to all players.
    """


def _common(command: F) -> F:
    """The options of every command here."""
    return campaign_option(database_option(json_option(command)))


def _reason(command: F) -> F:
    return click.option("--reason", required=True, help="Why; all players read it.")(command)


def _open(database: str, campaign: str | None) -> tuple[Referee, str]:
    referee = open_referee(database)
    return referee, chosen(referee.store, campaign)


def _tell(done: Done, database: str, name: str, as_json: bool) -> None:
    nudge(database, name)
    if as_json:
        echo_json({"seq": done.seq, "said": done.said})
    else:
        click.echo(done.said + ("" if done.seq is None else f" (event {done.seq})"))


@moderate.command()
@_reason
@_common
def pause(campaign: str | None, reason: str, database: str, as_json: bool) -> None:
    """Stop adjudication and the clock; orders are still received.

    \b
    Example: pbem moderate pause --campaign p40-17 --reason "Holidays until 2 January"
    """
    from pbem.campaign import moderate as acts

    referee, name = _open(database, campaign)
    _tell(acts.pause(referee, name, reason), database, name, as_json)


@moderate.command()
@_common
def resume(campaign: str | None, database: str, as_json: bool) -> None:
    """Go on after a pause; open windows get back the time they lost.

    \b
    Example: pbem moderate resume --campaign p40-17
    """
    from pbem.campaign import moderate as acts

    referee, name = _open(database, campaign)
    _tell(acts.resume(referee, name), database, name, as_json)


@moderate.command()
@click.option("--until", metavar="MOMENT", help="2026-08-05T20:00Z, 2026-08-05T22:00+02:00, or +36h from now.")
@click.option("--no-deadline", is_flag=True, help="No deadline at all for this window.")
@click.option("--window", metavar="ID", help="Which window; may be left out if only one is open.")
@_reason
@_common
def extend(
    campaign: str | None, until: str | None, no_deadline: bool, window: str | None, reason: str, database: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Set another deadline for the open window.

    \b
    Example: pbem moderate extend --campaign p40-17 --until +48h --reason "Anna asked for two days"
    """
    from pbem.campaign import moderate as acts

    if (until is None) == (not no_deadline):
        raise Usage("pbem moderate extend: give --until MOMENT, or --no-deadline")
    deadline = None if until is None else read_moment(until)
    referee, name = _open(database, campaign)
    _tell(acts.extend(referee, name, deadline, reason, window), database, name, as_json)


@moderate.command()
@click.option("--to", metavar="POINT", help="A segment (r3.japan), an orders window (r3.japan:moves), or an event.")
@click.option("--list", "show", is_flag=True, help="List the points one may rewind to.")
@click.option("--reason", help="Why; all players read it.")
@_common
def rewind(campaign: str | None, to: str | None, show: bool, reason: str | None, database: str, as_json: bool) -> None:
    """Take play back to the start of a segment, or to the moment an orders window closed.

    What came after is void but stays in the log. Dice are rolled anew. The mail about it offers each player his void
    orders, to be given again by the one word `same`.

    \b
    Example:
      pbem moderate rewind --campaign p40-17 --list
      pbem moderate rewind --campaign p40-17 --to r3.japan --reason "A wrong map edge was used"
    """
    from pbem.campaign import moderate as acts

    referee, name = _open(database, campaign)
    if show:
        points = acts.rewind_points(list(referee.store.read(name)))
        if as_json:
            echo_json([{"to": point.to, "name": point.name, "what": point.what} for point in points])
        else:
            for point in points:
                click.echo(f"{point.to:>6}  {point.name:<24} {point.what}")
        return
    if to is None or not reason:
        raise Usage("pbem moderate rewind: give --to POINT and --reason WHY, or --list to see the points")
    _tell(acts.rewind(referee, name, int(to) if to.isdigit() else to, reason), database, name, as_json)


@moderate.command()
@click.option(
    "--facts", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Facts as a JSON or YAML list of {type, payload}; docs/events.md has them all.",
)  # fmt: skip
@click.option("--money", multiple=True, metavar="POWER=IPC", help="What a power's money should be: japan=26.")
@click.option("--control", multiple=True, metavar="SPACE=POWER", help="Who should control a space: Kiangsu=china.")
@click.option("--add", multiple=True, metavar="'POWER N UNIT SPACE'", help="Pieces to add: 'japan 2 infantry Korea'.")
@click.option("--remove", multiple=True, metavar="'POWER N UNIT SPACE'", help="Pieces to take away, likewise.")
@_reason
@_common
def correct(
    campaign: str | None, facts: Path | None, money: tuple[str, ...], control: tuple[str, ...], add: tuple[str, ...],
    remove: tuple[str, ...], reason: str, database: str, as_json: bool,
) -> None:  # fmt: skip
    """Correct the board: money, control, pieces, or any facts. It takes effect between battles or phases.

    \b
    Example:
      pbem moderate correct --campaign p40-17 --money japan=26 --add "china 1 infantry Hunan" \\
          --reason "The income of round 2 was counted wrongly"
    """
    from pbem.campaign import moderate as acts
    from pbem.campaign.load import load

    referee, name = _open(database, campaign)
    stated = read_document(facts) if facts is not None else []
    if not isinstance(stated, list) or not all(isinstance(fact, dict) for fact in stated):
        raise Mistake(f"{facts}: a list of facts is expected, each an object with type and payload")
    words = Correction(load(referee, name))
    made = [*map(words.money, money), *map(words.control, control), *map(words.add, add)]
    made.extend(fact for text in remove for fact in words.remove(text))
    _tell(acts.correct(referee, name, [*stated, *made], reason), database, name, as_json)


class Correction:
    """Facts of the board from a moderator's few words, in the position as it is now with all recorded corrections."""

    def __init__(self, loaded: Any) -> None:
        from pbem.campaign.moderate import ID_GAP, corrected
        from pbem.orders.gazetteer import gazetteer

        self.state = corrected(loaded)
        self.names = gazetteer(loaded.play.rules.game, loaded.play.rules.edition or None)
        self.next_unit = self.state.next_unit + ID_GAP

    def money(self, text: str) -> dict[str, Any]:
        """`japan=26`."""
        name, sign, value = text.partition("=")
        if not sign or not value.strip().isdigit():
            raise Usage(f"pbem moderate correct: --money {text!r} is not POWER=IPC, like japan=26")
        power = self._one("power", name)
        by = int(value) - self.state.counter(power)
        return _fact("counter_changed", power=power, counter="ipc", by=by, why="correction")

    def control(self, text: str) -> dict[str, Any]:
        """`Kiangsu=china`."""
        name, sign, value = text.partition("=")
        if not sign:
            raise Usage(f"pbem moderate correct: --control {text!r} is not SPACE=POWER, like Kiangsu=china")
        space, power = self._one("space", name), self._one("power", value)
        before = self.state.controller(space)
        return _fact("control_changed", **{"space": space, "from": before, "to": power, "why": "correction"})

    def add(self, text: str) -> dict[str, Any]:
        """`china 1 infantry Hunan`."""
        owner, count, kind, space = self._pieces(text, "--add")
        units = [[f"u{self.next_unit + index}", kind] for index in range(count)]
        self.next_unit += count
        return _fact("units_created", space=space, owner=owner, units=units, why="correction")

    def remove(self, text: str) -> list[dict[str, Any]]:
        """`china 1 infantry Hunan`: those with the highest numbers."""
        owner, count, kind, space = self._pieces(text, "--remove")
        here = [unit.id for unit in self.state.units_in(space) if (unit.owner, unit.kind) == (owner, kind)]
        if len(here) < count:
            raise Mistake(f"{owner} has {len(here)} {kind} in {self.names.name('space', space)}, not {count}")
        return [_fact("units_removed", space=space, units=here[-count:], why="correction")]

    def _pieces(self, text: str, option: str) -> tuple[str, int, str, str]:
        found = re.fullmatch(r"\s*(\S+)\s+(\d{1,3})\s+(.+)", text)
        words = found[3].split() if found else []
        for cut in range(len(words) - 1, 0, -1):
            kinds = self.names.lookup("unit", " ".join(words[:cut]))
            if found and len(kinds) == 1 and int(found[2]) > 0:
                owner = self._one("power", found[1])
                return owner, int(found[2]), kinds[0], self._one("space", " ".join(words[cut:]))
        raise Usage(
            f"pbem moderate correct: {option} {text!r} is not 'POWER N UNIT SPACE', like 'japan 2 infantry Korea'"
        )

    def _one(self, sort: str, name: str) -> str:
        found = self.names.lookup(sort, name.strip())
        if len(found) == 1:
            return found[0]
        near = listed(self.names.near(sort, name))
        raise Mistake(f"there is no {sort} {name.strip()!r}" + (f"; near: {near}" if near else ""))


def _fact(kind: str, **payload: Any) -> dict[str, Any]:
    return {"type": kind, "payload": payload}


@moderate.command()
@click.argument("text")
@click.option("--about", type=click.IntRange(min=0), metavar="SEQ", help="The event that the dispute is about.")
@click.option("--rule", "rules", multiple=True, metavar="ID", help="A rule that decides it (several times).")
@_common
def rule(
    campaign: str | None, text: str, about: int | None, rules: tuple[str, ...], database: str, as_json: bool
) -> None:
    """Answer a dispute; TEXT (or `-` for the standard input) is mailed to all and stays in the log.

    \b
    Example: pbem moderate rule "The bombardment stands." --about 412 --rule P40-6.3.4 --campaign p40-17
    """
    from pbem.campaign import moderate as acts
    from pbem.rules.texts import rule as rule_of

    unknown = [rule_id for rule_id in rules if rule_of(rule_id) is None]
    if unknown:
        raise Mistake(f"there is no rule {unknown[0]}; `pbem explain RULE` prints one")
    referee, name = _open(database, campaign)
    said = sys.stdin.buffer.read().decode("utf-8-sig") if text == "-" else text
    if not said.strip():
        raise Usage("pbem moderate rule: the ruling is empty")
    _tell(acts.rule(referee, name, said.strip(), about, rules), database, name, as_json)


@moderate.command("replace-player")
@click.argument("player")
@click.option("--by", "new_id", required=True, metavar="ID", help="The new player's id, one of his own.")
@click.option("--address", required=True, help="The new player's mail address.")
@click.option("--name", default="", help="What to call him in mails.")
@click.option("--language", default="en", show_default=True, help="en or zh.")
@click.option("--time-zone", default="UTC", show_default=True, help="Such as Europe/Berlin.")
@_common
def replace_player(
    campaign: str | None, player: str, new_id: str, address: str, name: str, language: str, time_zone: str,
    database: str, as_json: bool,
) -> None:  # fmt: skip
    """Let somebody else play the powers of PLAYER from now on. The old reply address stops working.

    \b
    Example: pbem moderate replace-player ben --by dora --address dora@example.org --campaign p40-17
    """
    from pbem.campaign import moderate as acts
    from pbem.log.store import Player

    referee, campaign_id = _open(database, campaign)
    by = Player(
        id=new_id, campaign=campaign_id, name=name or new_id, address=address, language=language, time_zone=time_zone
    )
    _tell(acts.replace_player(referee, campaign_id, player, by), database, campaign_id, as_json)


@moderate.command("new-address")
@click.argument("player")
@click.option("--address", help="The player's new mail address; left out, only the secret reply address changes.")
@_common
def new_address(campaign: str | None, player: str, address: str | None, database: str, as_json: bool) -> None:
    """Give a player a new secret reply address, and a new mail address if --address names one.

    \b
    Example: pbem moderate new-address ben --address ben@new.example.org --campaign p40-17
    """
    from pbem.campaign import moderate as acts

    referee, name = _open(database, campaign)
    _tell(acts.new_address(referee, name, player, address), database, name, as_json)


@moderate.command()
@_common
def held(campaign: str | None, database: str, as_json: bool) -> None:
    """List the mails that wait for a moderator, with why.

    \b
    Example: pbem moderate held --campaign p40-17
    """
    referee, name = _open(database, campaign)
    rows = [
        {"inbox": row.id, "received_at": row.received_at, "from": row.envelope.get("sender", ""), "why": row.note}
        for row in referee.store.inbox(name, "held")
    ]
    if as_json:
        echo_json(rows)
        return
    if not rows:
        click.echo("no mail is held")
    for row in rows:
        click.echo(f"{row['inbox']:>6}  {moment(row['received_at'])}  from {row['from']}: {row['why']}")


@moderate.command()
@click.argument("inbox", type=int)
@_common
def release(campaign: str | None, inbox: int, database: str, as_json: bool) -> None:
    """Let a held mail count, with the time at which it came.

    \b
    Example: pbem moderate release 31 --campaign p40-17
    """
    from pbem.mail.desk_accept import release as let_count
    from pbem.mail.desk_directory import scheme_of

    referee, _ = _open(database, campaign)
    try:
        handled = let_count(referee, inbox, scheme_of(referee))
    except LookupError as error:
        raise Mistake(str(error.args[0])) from None
    if as_json:
        echo_json({"inbox": inbox, "status": handled.status, "why": handled.why, "player": handled.player})
    else:
        click.echo(f"mail {inbox} of {handled.player}: {handled.status}, {handled.why}")
