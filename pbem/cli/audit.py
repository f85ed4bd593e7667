"""`pbem audit`: a campaign recomputed from its inputs, and what is stored compared with what was signed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    Mistake,
    campaign_option,
    chosen,
    database_option,
    echo_json,
    events_in_file,
    json_option,
    log_file_option,
    open_database,
    progress,
)

if TYPE_CHECKING:
    from pbem.log.event import Event
    from pbem.log.store import Store


@click.command()
@campaign_option
@log_file_option
@click.option("--all", "everything", is_flag=True, help="Audit every campaign of the database.")
@database_option
@json_option
def audit(campaign: str | None, log_file: Path | None, everything: bool, database: str, as_json: bool) -> int:
    """Run a campaign again from its inputs: the same rules must give the same events, dice included.

    From the database, every stored event is hashed again and the head compared with each checkpoint that was signed,
    too. The exit code is 1 at the first difference.

    \b
    Example:
      pbem audit --campaign p40-17
      pbem audit --log p40-17.jsonl.gz
    """
    if log_file is not None:
        name, events = events_in_file(log_file)
        rows = [_row(name, events, None)]
    else:
        store = open_database(database)
        names = store.campaigns() if everything else [chosen(store, campaign)]
        rows = [_row(name, _verified(store, name), store) for name in names]
    if as_json:
        echo_json(rows if everything else rows[0])
    else:
        for row in rows:
            _print(row)
    return 0 if all(row["equal"] for row in rows) else 1


def _verified(store: Store, name: str) -> list[Event] | str:
    """The events, each hashed again; a sentence where what is stored is not what was promised."""
    from pbem.log.store import Damaged

    size = store.head(name).size
    events: list[Event] = []
    try:
        with progress(f"{name}: hashing", size) as done:
            for event in store.read(name, verify=True):
                events.append(event)
                if event.seq % 256 == 0:
                    done(event.seq)
        _compare_checkpoints(store, name)
    except Damaged as error:
        return str(error)
    return events


def _compare_checkpoints(store: Store, name: str) -> None:
    """Every checkpoint ever signed must be a root of what is stored."""
    from pbem.log.checkpoint import verify_note
    from pbem.log.merkle import Edge
    from pbem.log.store import Damaged

    log_key = next(iter(store.read(name, 0, 1))).payload["log_key"]
    edge = Edge()
    for signed in store.checkpoints(name):
        seen = verify_note(signed.note, log_key)
        edge = edge.extend(store.entries(name, edge.size, seen.size))
        if edge.size != seen.size or edge.root() != seen.root:
            raise Damaged(f"{name}: the events stored do not lead to the checkpoint of {seen.size} events")


def _row(name: str, events: list[Event] | str, store: Store | None) -> dict[str, Any]:
    from pbem.audit.recompute import recompute

    row: dict[str, Any] = {"campaign": name, "equal": False, "events": 0, "segments": 0, "rolls": 0, "seq": None}
    if isinstance(events, str):
        return {**row, "difference": events}
    if not all(event.readable or event.erased for event in events):
        raise Mistake(f"{name}: this log holds only what one viewer may see; an audit needs a complete export")
    if any(event.erased for event in events):
        return {**row, "events": len(events), "difference": "payloads were erased, so it cannot be recomputed"}
    try:
        with progress(f"{name}: recomputing", len(events)) as done:
            found = recompute(name, events, done)
    except ValueError as error:
        return {**row, "events": len(events), "difference": str(error)}
    row |= {
        "equal": found.equal,
        "events": found.events,
        "segments": found.segments,
        "rolls": found.rolls,
        "difference": found.difference,
        "seq": found.seq,
    }
    if store is not None:
        row |= {"root": store.head(name).root.hex(), "checkpoints": len(store.checkpoints(name))}
    return row


def _print(row: dict[str, Any]) -> None:
    if row["equal"]:
        signed = f"; {row['checkpoints']} checkpoints lead to it" if "checkpoints" in row else ""
        click.echo(
            f"{row['campaign']}: equal. {row['events']} events, {row['segments']} segments and {row['rolls']} rolls "
            f"came out as recorded{signed}."
        )
        return
    where = "" if row["seq"] is None else f" at event {row['seq']}"
    click.echo(f"{row['campaign']}: DIFFERENT{where}: {row['difference']}")
