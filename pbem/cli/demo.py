"""`pbem demo`: a short campaign played for real on this machine, and where to look at what came of it."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from pbem.campaign.config import Settings, open_referee


@click.command(name="demo")
@click.option("--game", default="p40", show_default=True, help="Which game to play.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("out"),
    show_default=True,
    help="Where mails, reports and the log are left.",
)
@click.option("--quiet", is_flag=True, help="Say only how it ended.")
def demo(game: str, out: Path, quiet: bool) -> None:
    """Play a short campaign end to end: real SMTP, Redis, two workers, PDF reports, a verified log.

    \b
    Example:
      pbem demo --game p40 --out out
    """
    from pbem.demo.play import DemoFailed, fresh, play
    from pbem.demo.script import SCRIPTS

    if game not in SCRIPTS:
        raise click.UsageError(f"there is no demonstration of {game!r}; there are {', '.join(SCRIPTS)}")
    script = SCRIPTS[game]()
    out = out.resolve()
    fresh(out)
    logging.basicConfig(filename=out / "service" / "service.log", level=logging.INFO, force=True)
    say = (lambda line: None) if quiet else click.echo
    settings = replace(
        Settings(),
        database=f"sqlite:///{out / 'service' / 'pbem.sqlite3'}",
        http_port=_free_port(),
        smtp_port=_free_port(),
        workers=2,
        tick_seconds=1.0,
        check_dkim=False,
    )
    say(
        f"{script.title}: {script.rounds} rounds, {len(script.seats)} players, two workers. "
        "It takes one to four minutes; the services' own words go to service/service.log."
    )
    try:
        with _Services(settings, out / "mails") as running:
            played = play(script, out, running, say)
    except DemoFailed as failure:
        raise click.ClickException(f"{failure}; the services' log is {out / 'service' / 'service.log'}") from None
    _keep_log(settings, out)
    sound = _checked(out, say)
    click.echo(
        f"\n{played.rounds} rounds in {played.seconds:.0f} s: {played.mails_sent} mails sent by the players, "
        f"{played.mails_received} received, {played.pdfs} PDF reports, {played.events} events, "
        f"{played.refused} {'line' if played.refused == 1 else 'lines'} of orders refused or lapsed."
    )
    code, program = Path(__file__).parent.parent, Path(sys.argv[0])
    for note in script.notes:
        click.echo(f"  - {note}")
    click.echo(
        f"\nOpen:\n  {out}/reports/   the turn reports (PDF), one per player and turn"
        f"\n  {out}/mails/     every mail as it arrived (.eml), a folder per player"
        f"\n  {out}/sent/      what the players wrote"
        f"\n  {out}/log/demo.jsonl   the whole log; check it yourself with any Python:"
        f"\n    python3 {code}/log/check_log.py {out}/log/demo.jsonl"
        f"\n    python3 {code}/dice/check_dice.py {out}/log/demo.jsonl"
        f"\nand look around:\n  {program} replay --database {settings.database} --at 200"
        f"\n  {program} explain --database {settings.database} 200"
    )
    if not sound:
        raise click.ClickException("the log did not verify")


class _Services:
    """All services in this process tree for as long as the block lasts; gives the settings as they came to be."""

    def __init__(self, settings: Settings, mails: Path) -> None:
        self.settings = settings
        self.mails = mails
        self.stop = threading.Event()
        self.up = threading.Event()
        self.running: Settings | None = None
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._run, name="services")

    def _run(self) -> None:
        from pbem.cli.up import run_everything

        try:
            run_everything(self.settings, self.mails, self.stop, self._told)
        except BaseException as error:  # told in the main thread, whatever it is
            self.failure = error
        finally:
            self.up.set()

    def _told(self, running: object) -> None:
        self.running = running.settings  # type: ignore[attr-defined]
        self.up.set()

    def __enter__(self) -> Settings:
        self.thread.start()
        self.up.wait(60)
        if self.running is None:
            self.stop.set()
            self.thread.join()
            raise click.ClickException(f"the services did not start: {self.failure or 'no answer in a minute'}")
        return self.running

    def __exit__(self, *exception: object) -> None:
        self.stop.set()
        self.thread.join()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _keep_log(settings: Settings, out: Path) -> None:
    from pbem.log.export import write

    referee = open_referee(settings)
    referee.signer.sign("demo", referee.clock())
    write(referee.store, "demo", out / "log" / "demo.jsonl")


def _checked(out: Path, say: object) -> bool:
    """Verify the exported log as a stranger would, with the two stand-alone programs, and recompute it by the rules."""
    import pbem

    code = Path(pbem.__file__).parent
    log = str(out / "log" / "demo.jsonl")
    database = f"sqlite:///{out / 'service' / 'pbem.sqlite3'}"
    checks: Sequence[tuple[str, list[str]]] = (
        ("the log's hashes and signatures", [sys.executable, str(code / "log" / "check_log.py"), log]),
        ("every die", [sys.executable, str(code / "dice" / "check_dice.py"), log]),
        (
            "the rules, from the inputs",
            [sys.executable, "-m", "pbem.cli", "audit", "--database", database, "-c", "demo"],
        ),
    )
    sound = True
    for what, command in checks:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        last = (done.stdout.strip() or done.stderr.strip()).splitlines()[-1:] or [""]
        click.echo(f"{'verified' if done.returncode == 0 else 'FAILED  '}  {what}: {last[0].strip()}")
        sound = sound and done.returncode == 0
    return sound
