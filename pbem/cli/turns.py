"""`pbem turns check`: recorded turns of other programs, replayed with their orders and dice and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem.cli.common import echo_json, json_option


@click.group(no_args_is_help=True)
def turns() -> None:
    """Check recorded turns of other programs."""


@turns.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@json_option
def check(paths: tuple[Path, ...], as_json: bool) -> int:
    """Replay recorded turns and compare money, dice, battles, control and the whole board.

    A line per turn; with --json an object {"file", "passed", "refused", "differences"} per line. The exit code is 1
    where a turn fails.

    \b
    Example: pbem turns check tests/turns/p40b_103
    """
    from importlib import import_module

    check_path = import_module("pbem.audit.turns").check_path

    failed = 0
    for path in paths:
        for result in check_path(path):
            failed += not result.passed
            if as_json:
                echo_json(_row(result), indent=None)
            else:
                problems = [f"refused: {text}" for text in map(_text, result.refused)]
                problems.extend(map(_text, result.differences))
                click.echo(f"{result.file}: " + ("pass" if result.passed else "; ".join(problems)))
    return 1 if failed else 0


def _row(result: Any) -> dict[str, Any]:
    if hasattr(result, "to_json"):
        row = result.to_json()
        assert isinstance(row, dict)
        return row
    return {
        "file": str(result.file),
        "passed": result.passed,
        "refused": list(result.refused),
        "differences": list(result.differences),
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)
