"""What many commands share: options for database, campaign and viewer, reading events, JSON output, progress bars."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli.lazy import Usage

if TYPE_CHECKING:
    from pbem.campaign.config import Settings
    from pbem.campaign.referee import Referee
    from pbem.log.event import Event
    from pbem.log.event import Viewer as LogViewer
    from pbem.log.store import Store

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_DATABASE = "sqlite:///./pbem.sqlite3"
"""Where campaigns are kept when nothing else is said: a file in the present folder."""


class Mistake(click.ClickException):
    """The operator's or a player's mistake: one clear sentence on stderr, exit code 1."""


def database_option(command: F) -> F:
    """`--database URL`, else the environment's DATABASE_URL, else a SQLite file in this folder."""
    return click.option(
        "--database",
        metavar="URL",
        envvar="DATABASE_URL",
        default=DEFAULT_DATABASE,
        show_default=True,
        help="Where campaigns are kept: sqlite:///FILE or postgresql://USER@HOST/NAME (or set DATABASE_URL).",
    )(command)


def campaign_option(command: F) -> F:
    """`--campaign ID`; may be left out where the database holds only one."""
    return click.option("--campaign", "-c", metavar="ID", help="The campaign; may be left out if there is only one.")(
        command
    )


def log_file_option(command: F) -> F:
    """`--log FILE`: an exported log in place of the database."""
    return click.option(
        "--log",
        "log_file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Read an exported log (pbem log export) in place of the database.",
    )(command)


def json_option(command: F) -> F:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Answer as JSON, for programs.")(command)


def power_option(command: F) -> F:
    """`--power ID`, several times: see only what these powers may see."""
    return click.option(
        "--power",
        "powers",
        multiple=True,
        metavar="POWER",
        help="Show what the player of this power may see (several times: of these powers); "
        "`--power nobody` for what everybody may see. Default: everything.",
    )(command)


# -- the database ---------------------------------------------------------------------------------------------------


def settings_with(database: str) -> Settings:
    """This installation's settings from the environment, with that database."""
    from dataclasses import replace

    from pbem.campaign.config import Settings

    return replace(Settings.from_environment(os.environ), database=database)


def open_referee(url: str, *, create: bool = False) -> Referee:
    """The service's surroundings for one command; Mistake for a database that is not there."""
    from pbem.campaign.config import open_referee as opened

    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and not create and rest.startswith("/") and not Path(rest[1:]).exists():
        raise Mistake(
            f"there is no database {rest[1:]}; start a campaign with `pbem campaign new`, or name the database "
            "with --database or DATABASE_URL"
        )
    settings = settings_with(url)
    try:
        return opened(settings)
    except ValueError as error:
        raise Mistake(str(error)) from None


def open_database(url: str, *, create: bool = False) -> Store:
    """The database of that address, for commands that need nothing else."""
    return open_referee(url, create=create).store


def nudge(database: str, campaign: str | None) -> None:
    """Tell the workers, if there is a queue, that a campaign changed; without one the next tick finds it."""
    settings = settings_with(database)
    if settings.redis is None:
        return
    from workers.queue import open_jobs

    jobs = open_jobs(settings.redis)
    if campaign is not None:
        jobs.put("advance", campaign)
    jobs.put("send")


def now() -> int:
    """The present moment in milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def chosen(store: Store, campaign: str | None) -> str:
    """The campaign meant: the one named, else the only one there is."""
    known = store.campaigns()
    if campaign is None:
        if len(known) == 1:
            return known[0]
        if not known:
            raise Mistake("the database holds no campaign yet; `pbem campaign new` starts one")
        raise Mistake(f"which campaign? Name one with --campaign: {listed(known)}")
    if campaign not in known:
        raise Mistake(f"there is no campaign {campaign!r}" + (f"; there are {listed(known)}" if known else ""))
    return campaign


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names with commas, cut after some."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


# -- events ---------------------------------------------------------------------------------------------------------


def events_of(database: str, campaign: str | None, log_file: Path | None) -> tuple[str, list[Event]]:
    """The campaign's id and all its events, from the database or from an exported log."""
    if log_file is not None:
        return events_in_file(log_file)
    store = open_database(database)
    name = chosen(store, campaign)
    return name, list(store.read(name))


def events_in_file(path: Path) -> tuple[str, list[Event]]:
    """The events of an exported log, after checking that it is sound; sealed ones it may not show are closed."""
    from pbem.log.canonical import parse
    from pbem.log.codec import decode, from_header
    from pbem.log.event import CLOSED, ERASED
    from pbem.log.export import read_lines, verify

    lines = read_lines(path)
    report = verify(lines)
    if report.fault is not None:
        raise Mistake(f"{path} is not a sound log: {report.fault}")
    events = []
    for text in lines[1:]:
        line = parse(text)
        if "header" not in line:
            continue
        salt = bytes.fromhex(line["salt"]) if "salt" in line else None
        stored = from_header(line["header"], salt, line.get("payload"))
        events.append(decode(report.campaign, stored, ERASED if "erased" in line else CLOSED))
    return report.campaign, events


def viewer_of(powers: Sequence[str]) -> LogViewer:
    """The viewer that `--power` names; everything if it was not given."""
    from pbem.log.event import EVERYTHING

    if not powers:
        return EVERYTHING
    return frozenset(power for power in powers if power != "nobody")


def check_powers(powers: Sequence[str], events: Sequence[Event]) -> None:
    """Mistake for a power that nobody plays in this campaign."""
    known = [power for held in events[0].payload.get("seats", {}).values() for power in held]
    for power in powers:
        if power != "nobody" and power not in known:
            raise Mistake(f"nobody plays {power!r} in this campaign; the powers are {listed(known)}")


# -- input and output -----------------------------------------------------------------------------------------------


def read_stdin() -> str:
    """All of the standard input as UTF-8 text; a word of help if it is a terminal."""
    if sys.stdin.isatty():
        click.echo("(type or paste the text, then Ctrl-D)", err=True)
    return sys.stdin.buffer.read().decode("utf-8-sig")


def echo_json(value: Any, *, indent: int | None = 2) -> None:
    """JSON on stdout, characters as they are."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=indent))


def read_document(path: Path) -> Any:
    """A JSON or YAML file (by its ending); Mistake says where it is malformed."""
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix in (".yaml", ".yml"):
        try:
            import yaml
        except ImportError:
            raise Mistake(f"{path}: reading YAML needs the package pyyaml; JSON needs nothing") from None
        try:
            return yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise Mistake(f"{path} is no YAML: {' '.join(str(error).split())}") from None
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Mistake(f"{path} is no JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None


@contextmanager
def progress(title: str, total: int, *, least: int = 200) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr for long work, on a terminal only; the function takes how much is done so far."""
    if total < least or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)


def moment(at: int) -> str:
    """A moment as text in UTC, to the second."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def read_moment(text: str) -> int:
    """`2026-08-05T20:00Z`, `2026-08-05 20:00 +02:00`, or `+36h` from now, as milliseconds; a bare time is UTC."""
    from datetime import UTC, datetime

    plain = text.strip()
    if plain.startswith("+") and plain[-1:] in "hd" and plain[1:-1].isdigit():
        return now() + int(plain[1:-1]) * (3_600_000 if plain.endswith("h") else 86_400_000)
    try:
        read = datetime.fromisoformat(plain.replace(" UTC", "Z"))
    except ValueError:
        raise Usage(
            f"{text!r} is no moment; write 2026-08-05T20:00Z, 2026-08-05T22:00+02:00, or +36h for 36 hours from now"
        ) from None
    return int((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp() * 1000)
