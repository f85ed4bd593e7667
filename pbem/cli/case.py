"""`pbem case run | play`: ruling cases, which are small positions with what must come of them (docs/cases.md)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import Mistake, json_option, progress

if TYPE_CHECKING:
    from pbem.audit.cases import Verdict
    from pbem.rules.tape import Emitted

FILES = click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
)


@click.group(no_args_is_help=True)
def case() -> None:
    """Run ruling cases: what would the referee rule?"""


@case.command()
@FILES
@json_option
def run(files: tuple[Path, ...], as_json: bool) -> int:
    """Rule every case of these files and compare with what each case expects.

    Files are JSON Lines, one JSON object, or YAML; `-` reads the standard input. A line per case says `pass` or
    what differs; the exit code is 1 where a case fails. With --json each line is an object
    {"id", "passed", "differences", "events"}.

    \b
    Example: pbem case run tests/games/p40/cases/*.jsonl
    """
    rows = [(path, row) for path in files for row in rows_of(path)]
    failed = 0
    with progress("cases", len(rows), least=40) as done:
        for index, (_, row) in enumerate(rows):
            name, differences, events = ruled(row)
            failed += bool(differences)
            done(index + 1)
            _tell(name, differences, events, as_json)
    if not as_json:
        click.echo(f"{len(rows)} cases, {len(rows) - failed} pass, {failed} fail")
    return 1 if failed else 0


def rows_of(path: Path) -> Iterator[Any]:
    """The cases of a file as plain JSON. Mistake where the file as a whole cannot be read."""
    from pbem.audit.case_model import read_rows

    if str(path) == "-":
        yield from read_rows(sys.stdin.buffer.read().decode("utf-8-sig"), "-")
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Mistake(f"{path} is no UTF-8 text: byte {error.start} cannot be read") from None
    yield from read_rows(text, path.name)


def ruled(row: Any) -> tuple[str, list[str], list[dict[str, Any]]]:
    """Rule one case: its id, what differs, and the events. A case that cannot be read or ruled differs, too."""
    from pbem.audit.case_model import CaseError, case_from_json
    from pbem.audit.cases import run_case

    name = str(row.get("id", "case")) if isinstance(row, Mapping) else "case"
    try:
        verdict = run_case(case_from_json(row, name))
    except CaseError as error:
        return name, [f"the case cannot be read: {error}"], []
    except Exception as error:  # one broken case must not silence the others; the sentence names the fault
        return name, [f"the rules failed on it: {type(error).__name__}: {error}"], []
    return name, list(verdict.differences), [event_row(event) for event in verdict.events]


def event_row(event: Emitted) -> dict[str, Any]:
    """An event of a ruling as plain JSON."""
    return {"seq": event.seq, "type": event.type, "rules": list(event.rules), "payload": event.payload}


def _tell(name: str, differences: list[str], events: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        from json import dumps

        line = {"id": name, "passed": not differences, "differences": differences, "events": events}
        click.echo(dumps(line, ensure_ascii=False))
    else:
        click.echo(f"{name}: " + ("pass" if not differences else "; ".join(differences)))


@case.command()
@FILES
def play(files: tuple[Path, ...]) -> int:
    """Print the whole ruling of each case: every event, the rules it follows with their words, every die.

    \b
    Example: pbem case play my-question.json
    """
    from pbem.audit.case_model import case_from_json
    from pbem.audit.cases import run_case

    failed = 0
    for path in files:
        for index, row in enumerate(rows_of(path), start=1):
            verdict = run_case(case_from_json(row, f"{path.name}, case {index}"))
            failed += not verdict.passed
            _print_ruling(verdict)
    return 1 if failed else 0


def _print_ruling(verdict: Verdict) -> None:
    from pbem.audit.telling import Teller

    case = verdict.case
    rules = " ".join(filter(None, (case.game, case.edition, *case.variants)))
    click.echo(f"== {case.id} ({rules}{', ' + case.topic if case.topic else ''})")
    for power, text in (*case.orders.items(), *case.answers.items()):
        for line in text.splitlines():
            click.echo(f"   {power}: {line}")
    teller = Teller(case.game, case.edition, verdict.start)
    for refused in verdict.refused:
        click.echo(f"   REFUSED {refused.power}: {refused.line}")
        click.echo(f"           {refused.reason}")
        for text in teller.new_rules([refused.rule] if refused.rule else []):
            click.echo(f"           {text}")
    for event in verdict.events:
        for text in teller.lines(event):
            click.echo(f"   {text}")
    if verdict.passed:
        click.echo("   => as expected")
    for difference in verdict.differences:
        click.echo(f"   => DIFFERS: {difference}")
    if case.why:
        click.echo(f"   why: {case.why}")
