"""`pbem replay --at SEQ`: the position at any moment of a campaign, as somebody may see it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    Mistake,
    campaign_option,
    check_powers,
    database_option,
    echo_json,
    events_of,
    json_option,
    log_file_option,
    power_option,
    viewer_of,
)

if TYPE_CHECKING:
    from pbem.board.state import State


@click.command()
@campaign_option
@log_file_option
@power_option
@click.option("--at", "seq", type=click.IntRange(min=0), help="The position after this event. Default: the last one.")
@database_option
@json_option
def replay(
    campaign: str | None, log_file: Path | None, powers: tuple[str, ...], seq: int | None, database: str, as_json: bool
) -> None:
    """Show the position after an event: whose turn, money, every space with its units.

    \b
    Example:
      pbem replay --campaign p40-17 --at 120
      pbem replay --log p40-17.jsonl.gz --power japan --json
    """
    from pbem.board.evolve import fold
    from pbem.board.state import State, state_to_json
    from pbem.board.view import view
    from pbem.log.event import EVERYTHING, visible
    from pbem.log.live import live

    name, stored = events_of(database, campaign, log_file)
    check_powers(powers, stored)
    last = len(stored) - 1 if seq is None else seq
    if last >= len(stored):
        raise Mistake(f"{name} has events 0 to {len(stored) - 1}; there is no event {last}")
    viewer = viewer_of(powers)
    events = [event for event in visible(stored[: last + 1], viewer) if not event.erased]
    state = view(fold(State(), live(events)), None if viewer is EVERYTHING else frozenset(viewer))
    if as_json:
        echo_json({"campaign": name, "seq": last, "state": state_to_json(state)})
    else:
        click.echo(f"{name} after event {last}")
        for line in position_lines(state):
            click.echo(line)


def position_lines(state: State) -> list[str]:
    """A position for people."""
    from pbem.games.catalog import load_board

    board = load_board(state.settings["game"], state.settings["edition"])
    lines = [f"round {state.round}, {state.power or 'nobody'}, {state.phase or 'between phases'}"]
    if state.winner:
        lines.append(f"won by {state.winner}")
    if state.paused:
        lines.append("paused")
    lines.extend(f"waits for {', '.join(window.powers)}: {window.id}" for window in state.windows.values())
    for power in board.powers:
        counts = state.counters_of(power)
        bought = state.purchased(power)
        if counts or bought:
            rows = [f"{name} {value}" for name, value in counts.items()]
            rows.extend(f"to place: {count} {kind}" for kind, count in bought.items())
            lines.append(f"{power}: {', '.join(rows)}")
    wars = [key.replace("|", " and ") for key, status in state.relations.items() if status == "war"]
    if wars:
        lines.append(f"at war: {'; '.join(wars)}")
    for space in board.spaces.values():
        lines.extend(_space_lines(state, space.id, space.name))
    for key, filed in state.orders.items():
        lines.append(f"orders {key.replace('/', ', ')}:")
        lines.extend(f"    {row['text']}" for row in filed)
    for power, filed in state.standing.items():
        if filed:
            lines.append(f"standing orders of {power}:")
            lines.extend(f"    {row['text']}" for row in filed)
    return lines


def _space_lines(state: State, space: str, name: str) -> list[str]:
    held = state.spaces.get(space)
    owners: dict[str, dict[str, int]] = {}
    for unit in state.units_in(space):
        label = unit.kind + (f" (damage {unit.damage})" if unit.damage else "") + (" aboard" if unit.aboard else "")
        kinds = owners.setdefault(unit.owner, {})
        kinds[label] = kinds.get(label, 0) + 1
    parts = [f"{owner} " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()) for owner, kinds in owners.items()]
    if held is not None:
        parts.extend(f"{kind}{f' (damage {damage})' if damage else ''}" for kind, damage in held.facilities)
    controller = held.controller if held is not None else None
    if not parts and controller is None:
        return []
    return [f"{name}{f' [{controller}]' if controller else ''}: {'; '.join(parts) or 'empty'}"]
