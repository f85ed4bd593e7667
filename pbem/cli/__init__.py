"""The `pbem` command: the list of commands, and how mistakes are told. Each group of commands has a file of its own.

Nothing but click is loaded before a command is chosen, so that `pbem --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from pbem import __version__
from pbem.cli.lazy import Entry, LazyGroup, Usage, one_line
from pbem.cli.mistakes import mistake_in

COMMANDS = {
    "demo": Entry("pbem.cli.demo:demo", "Play a short campaign by real mail on this machine."),
    "up": Entry("pbem.cli.up:up", "Start everything: web, mail server, workers, a Redis server if none is given."),
    "campaign": Entry("pbem.cli.campaign:campaign", "Start, list and show campaigns."),
    "orders": Entry("pbem.cli.orders:orders", "Check orders: what is understood, what is refused and why."),
    "mail": Entry("pbem.cli.mail:mail", "Take in one mail from a file or a pipe."),
    "moderate": Entry("pbem.cli.moderate:moderate", "Pause, rewind, correct, rule, extend, replace a player."),
    "report": Entry("pbem.cli.report:report", "Write a player's turn report to files."),
    "replay": Entry("pbem.cli.replay:replay", "Show the position at any moment of a campaign."),
    "explain": Entry("pbem.cli.explain:explain", "Explain one event, or print a rule."),
    "audit": Entry("pbem.cli.audit:audit", "Recompute a campaign from its inputs and compare."),
    "log": Entry("pbem.cli.log:log", "Show, export, import and verify the log of a campaign."),
    "case": Entry("pbem.cli.case:case", "Run ruling cases: what would the referee rule?"),
    "turns": Entry("pbem.cli.turns:turns", "Check recorded turns of other programs.", needs="pbem.audit.turns"),
    "odds": Entry("pbem.cli.odds:odds", "The exact odds of a battle.", needs="pbem.odds"),
    "serve": Entry("pbem.cli.serve:serve", "Run one server: web, smtp or lmtp."),
    "worker": Entry("pbem.cli.serve:worker", "Run one worker."),
    "tick": Entry("pbem.cli.serve:tick", "Find all due work in the database and do or queue it, once."),
}

HELP = """A referee for Axis & Allies campaigns played by e-mail.

Every command has its own --help with an example. To see the service at work, run `pbem demo`; to see what it makes of
your orders, run

\b
    echo "3 infantry Kwangsi -> Yunnan" | pbem orders check --game p40 --power japan
"""


@click.group(cls=LazyGroup, commands_at=COMMANDS, help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pbem")
def pbem() -> None:
    """The whole command; its help is HELP."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process: 0 done, 1 the answer is no or a mistake, 2 bad usage."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit code; every mistake is one line on stderr."""
    try:
        result = pbem.main(args=None if arguments is None else list(arguments), prog_name="pbem", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.format_message())
        return 0
    except Usage as usage:
        told = usage.format_message()
        click.echo(told if told.startswith("pbem") else f"pbem: {told}", err=True)
        return 2
    except click.UsageError as usage:
        click.echo(one_line(usage), err=True)
        return 2
    except click.ClickException as mistake:
        click.echo(f"pbem: {mistake.format_message()}", err=True)
        return mistake.exit_code
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("pbem: stopped", err=True)
        return 130
    except BrokenPipeError:
        # The reader of our output (`head`, say) has seen enough; nothing more may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        mistake_text = mistake_in(error)
        if mistake_text is None:
            raise
        click.echo(f"pbem: {mistake_text}", err=True)
        return 1
