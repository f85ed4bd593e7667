"""`pbem report`: a player's turn report as files: mail text, HTML and PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    Mistake,
    campaign_option,
    chosen,
    database_option,
    echo_json,
    json_option,
    listed,
    open_referee,
)

if TYPE_CHECKING:
    from pbem.campaign.referee import Referee

FORMATS = ("txt", "html", "pdf")


@click.command()
@campaign_option
@click.option("--player", metavar="ID", help="For whose eyes. May be left out if there is only one player.")
@click.option("--turn", metavar="SEGMENT", help="Which turn, such as r3.japan. Default: the last report mailed.")
@click.option("--from", "first", type=click.IntRange(min=0), help="Report the events from this one on.")
@click.option("--to", "end", type=click.IntRange(min=1), help="Stop before this event.")
@click.option("--format", "formats", multiple=True, type=click.Choice(FORMATS), help="Default: all three.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=Path("."), help="Folder. Default: this one."
)
@database_option
@json_option
def report(
    campaign: str | None,
    player: str | None,
    turn: str | None,
    first: int | None,
    end: int | None,
    formats: tuple[str, ...],
    out: Path,
    database: str,
    as_json: bool,
) -> None:
    """Write a turn report as its player gets it by mail.

    \b
    Example:
      pbem report --campaign p40-17 --player japan --out reports/
      pbem report --campaign p40-17 --player usa --turn r2.japan --format txt
    """
    referee = open_referee(database)
    name = chosen(referee.store, campaign)
    people = {person.id: person for person in referee.store.players(name)}
    if player is None and len(people) == 1:
        player = next(iter(people))
    if player not in people:
        there = listed(list(people)) or "nobody: this copy of the campaign has no players"
        raise Mistake(f"for whom? --player may be {there}" if player is None else f"nobody is called {player}; {there}")
    begin, stop, window = _stretch(referee, name, player, turn, first, end)
    from pbem.report.html import report_html
    from pbem.report.render import material, pdf_of
    from pbem.report.text import report_text

    note = referee.signer.sign(name, referee.clock())
    made = material(referee, name, people[player], begin, stop, window)
    out.mkdir(parents=True, exist_ok=True)
    stem = f"{name}-{begin}-{player}"
    written = []
    for kind in formats or FORMATS:
        path = out / f"{stem}.{kind}"
        if kind == "txt":
            path.write_text(report_text(made.report, made.private, made.words, note, referee.url), encoding="utf-8")
        elif kind == "html":
            page = report_html(made.report, made.private, made.words, note, referee.url)
            path.write_text(page, encoding="utf-8")
        else:
            path.write_bytes(pdf_of(made, note, referee.url).data)
        written.append(str(path))
    if as_json:
        echo_json({"campaign": name, "player": player, "from": begin, "to": stop, "files": written})
    else:
        for shown in written:
            click.echo(shown)


def _stretch(
    referee: Referee, name: str, player: str, turn: str | None, first: int | None, end: int | None
) -> tuple[int, int | None, str | None]:
    """First event, end and window of the report that is wanted."""
    size = referee.store.head(name).size
    if end is not None and end > size:
        raise Mistake(f"{name} has events 0 to {size - 1}; --to may be {size} at most")
    if turn is not None:
        return _turn(referee, name, turn)
    if first is not None or end is not None:
        if (first or 0) >= (end or size):
            raise Mistake(f"there is no event from {first or 0} to {(end or size) - 1}")
        return first or 0, end, _window(referee, name) if end is None else None
    for row in referee.store.outbox(name, limit=1000):
        if row.kind == "report" and row.recipient == player:
            return row.params["from"], row.params["to"], row.params.get("window")
    return 0, None, _window(referee, name)


def _turn(referee: Referee, name: str, turn: str) -> tuple[int, int | None, str | None]:
    from pbem.log.live import live

    begin: int | None = None
    known = []
    for event in live(list(referee.store.read(name))):
        if event.type == "segment_begun":
            known.append(event.payload["segment"])
            begin = event.seq if event.payload["segment"] == turn else begin
        elif event.type == "segment_ended" and event.payload["segment"] == turn and begin is not None:
            return begin, event.seq + 1, None
    if begin is None:
        raise Mistake(f"{name} has no turn {turn!r}" + (f"; the last ones: {listed(known[-6:])}" if known else " yet"))
    return begin, None, _window(referee, name)


def _window(referee: Referee, name: str) -> str | None:
    from pbem.campaign.load import load

    return next(iter(load(referee, name).play.now.windows), None)
