"""`pbem log show | export | import | verify`: the log of a campaign, as text, as a file, and checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pbem.cli.common import (
    Mistake,
    campaign_option,
    check_powers,
    chosen,
    database_option,
    echo_json,
    events_of,
    json_option,
    log_file_option,
    moment,
    open_database,
    power_option,
    viewer_of,
)


@click.group(no_args_is_help=True)
def log() -> None:
    """Show, export, import and verify the log of a campaign."""


@log.command()
@campaign_option
@log_file_option
@power_option
@click.option("--from", "first", type=click.IntRange(min=0), default=0, help="First event to show.")
@click.option("--to", "end", type=click.IntRange(min=0), help="Stop before this event.")
@click.option("--type", "types", multiple=True, help="Only events of this type (several times).")
@database_option
@json_option
def show(
    campaign: str | None,
    log_file: Path | None,
    powers: tuple[str, ...],
    first: int,
    end: int | None,
    types: tuple[str, ...],
    database: str,
    as_json: bool,
) -> None:
    """Print the events of a campaign, one after the other. With --json an object a line.

    \b
    Example:
      pbem log show --campaign p40-17 --from 120
      pbem log show --log p40-17.jsonl.gz --type dice_rolled --json
    """
    from pbem.audit.telling import Teller
    from pbem.board.state import State
    from pbem.log.event import visible
    from pbem.log.live import is_void, live, rewinds

    _, stored = events_of(database, campaign, log_file)
    check_powers(powers, stored)
    events = visible(stored, viewer_of(powers))
    known = rewinds(events)
    settings = events[0].payload
    teller = Teller(settings["game"], settings["edition"], State(), texts=False)
    alive = {event.seq for event in live(events)}
    for event in events:
        shown = event.seq >= first and (end is None or event.seq < end) and (not types or event.type in types)
        if as_json:
            if shown:
                click.echo(json.dumps(event_row(event, is_void(event.seq, known)), ensure_ascii=False))
            continue
        lines = teller.lines(event) if event.seq in alive else [f"(void) {event.type}"]
        if shown:
            _print(event, lines)


def event_row(event: Any, void: bool) -> dict[str, Any]:
    """An event as plain JSON, as far as its reader may see it."""
    row = {**event.header(), "void": void, "sealed": event.sealed}
    if event.readable:
        row |= {
            "type": event.type,
            "at": event.at,
            "actor": event.actor,
            "cause": list(event.cause),
            "rules": list(event.rules),
            "payload": dict(event.payload),
        }
    return row


def _print(event: Any, lines: list[str]) -> None:
    when = moment(event.at)[:19] if event.at >= 0 else " " * 19
    lock = "*" if event.sealed else " "
    click.echo(f"{event.seq:>6}{lock} {when}  {lines[0]}")
    for line in lines[1:]:
        click.echo(f"{'':<29}{line}")


@log.command()
@campaign_option
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@power_option
@database_option
def export(campaign: str | None, file: Path, powers: tuple[str, ...], database: str) -> None:
    """Write a campaign's log to one file, packed if its name ends in .gz.

    Without --power it is a complete copy, for backups and for moving to another database; keep it from the players
    while the campaign runs. With --power it holds what that player may see, and still verifies.

    \b
    Example:
      pbem log export --campaign p40-17 p40-17.jsonl.gz
      pbem log export --campaign p40-17 --power japan for-japan.jsonl
    """
    from pbem.log.export import write

    store = open_database(database)
    name = chosen(store, campaign)
    check_powers(powers, list(store.read(name, 0, 1)))
    if not file.parent.is_dir():
        raise Mistake(f"there is no folder {file.parent}")
    write(store, name, file, viewer_of(powers))
    click.echo(f"{file}: {store.head(name).size} events of {name}")


@log.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The campaign's keys as JSON, {name: hex}; without them it can be read and not continued.",
)
@database_option
@json_option
def import_(file: Path, keys: Path | None, database: str, as_json: bool) -> None:
    """Take over a complete export into this database, after checking all of it.

    \b
    Example: pbem log import p40-17.jsonl.gz --database sqlite:///copy.db
    """
    from pbem.log.export import import_ as take_over
    from pbem.log.export import read_lines

    lines = read_lines(file)
    head = take_over(open_database(database, create=True), lines, keys=_keys(keys))
    name = json.loads(lines[0])["campaign"]
    if as_json:
        echo_json({"campaign": name, "size": head.size, "root": head.root.hex()})
    else:
        click.echo(f"{name}: {head.size} events, head {head.root.hex()}")


def _keys(path: Path | None) -> dict[str, bytes] | None:
    if path is None:
        return None
    try:
        return {str(name): bytes.fromhex(value) for name, value in json.loads(path.read_text(encoding="utf-8")).items()}
    except (ValueError, TypeError, AttributeError):
        raise Mistake(f"{path} is no JSON object of names and hexadecimal keys") from None


def _notes_in(path: Path) -> list[str]:
    """The checkpoints in a file: the note alone, or the whole mail that it came in."""
    from pbem.log.check_log import find_notes

    found = find_notes(path.read_text(encoding="utf-8-sig", errors="replace"))
    if not found:
        raise Mistake(f"{path} holds no checkpoint: save the mail with its last lines, from the line .../c/CAMPAIGN on")
    return found


@log.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@campaign_option
@click.option(
    "--checkpoint",
    "checkpoints",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A checkpoint, or a mail with one; the log must lead to it (several times).",
)
@database_option
@json_option
def verify(file: Path | None, campaign: str | None, checkpoints: tuple[Path, ...], database: str, as_json: bool) -> int:
    """Check a log: every hash, every signature, every die. FILE is an export; without it the database is checked.

    The exit code is 1 if anything is wrong. To check without this program, use pbem/log/check_log.py and
    pbem/dice/check_dice.py, which need nothing but Python.

    \b
    Example:
      pbem log verify p40-17.jsonl.gz --checkpoint mail.txt
      pbem log verify --campaign p40-17
    """
    from dataclasses import asdict

    from pbem.dice.check_dice import check as check_dice
    from pbem.log import export as exporting

    if file is not None:
        lines = exporting.read_lines(file)
    else:
        store = open_database(database)
        name = chosen(store, campaign)
        for _ in store.read(name, verify=True):
            pass
        lines = [line.rstrip(b"\n") for line in exporting.export(store, name)]
    report = exporting.verify(lines, [note for path in checkpoints for note in _notes_in(path)])
    dice = None if report.fault is not None else check_dice(line.decode() for line in lines)
    sound = report.fault is None and (dice is None or not dice.problems)
    if as_json:
        echo_json(
            {
                "sound": sound,
                **asdict(report),
                "dice": None if dice is None else {"notes": dice.notes, "problems": dice.problems},
            }
        )
        return 0 if sound else 1
    click.echo(report.text())
    if dice is not None:
        click.echo(f"dice         {dice.summary()}")
        for note in dice.notes:
            click.echo(f"remark       {note}")
        for problem in dice.problems:
            click.echo(f"DICE WRONG   {problem}")
    return 0 if sound else 1
