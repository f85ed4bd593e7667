"""`pbem turns check`: recorded turns of other programs, replayed with their orders and dice and compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import echo_json, json_option

if TYPE_CHECKING:
    from pbem.audit.turns import TurnResult


@click.group(no_args_is_help=True)
def turns() -> None:
    """Check recorded turns of other programs."""


@turns.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@json_option
def check(paths: tuple[Path, ...], as_json: bool) -> int:
    """Replay recorded turns and compare money, dice, battles, control and the whole board.

    A path is a turn, a folder of turns with its board.json, or a file with a whole game. A line per turn; with --json
    an object {"file", "passed", "refused", "differences"} per line. The exit code is 1 where a turn fails. What is
    refused for a rule where the record says that the other program departs from it does not fail a turn.

    \b
    Example: pbem turns check tests/data/turns
    """
    from pbem.audit.turns import check_path

    failed = 0
    for path in paths:
        for result in check_path(path):
            failed += not result.passed
            if as_json:
                echo_json(result.to_json(), indent=None)
            else:
                click.echo(f"{result.file}: {_verdict(result)}")
    return 1 if failed else 0


def _verdict(result: TurnResult) -> str:
    """Pass or what is wrong, and what the referee refused with the last word."""
    refused = [f"refused: {line}" for line in result.refused]
    if result.passed:
        return "pass" + (f" ({'; '.join(refused)})" if refused else "")
    return "; ".join([*refused, *result.differences])
