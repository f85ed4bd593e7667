"""A group of commands that are loaded when they are called, and how bad usage is told in one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a command is (`module:name`), its line in the list, and a module without which it is not offered."""

    where: str
    short: str
    needs: str | None = None

    @property
    def here(self) -> bool:
        """Whether the command's module and what it needs are part of this installation. Neither is loaded."""
        return all(_found(module) for module in (self.where.partition(":")[0], self.needs) if module)

    def load(self) -> click.Command:
        """The command itself."""
        module, _, name = self.where.partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


def _found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


class Usage(click.ClickException):
    """Bad usage found by a command itself: one line on stderr, exit code 2."""

    exit_code = 2


class LazyGroup(click.Group):
    """A group whose commands are named by `commands_at` and loaded only when called."""

    def __init__(self, *args: Any, commands_at: Mapping[str, Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands_at = dict(commands_at)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands of this installation in the order of the table, which is the order of use."""
        return [name for name, entry in self.commands_at.items() if entry.here]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded now; None for an unknown one."""
        entry = self.commands_at.get(cmd_name)
        return entry.load() if entry is not None and entry.here else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table, so that nothing need be loaded for it."""
        rows = [(name, self.commands_at[name].short) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def one_line(usage: click.UsageError) -> str:
    """Bad usage as one line: which command, what is wrong, where to read on."""
    path = usage.ctx.command_path if usage.ctx is not None else "pbem"
    told = " ".join(usage.format_message().split())
    stop = "" if told.endswith((".", "?", ")")) else "."
    return f"{path}: {told}{stop} See: {path} --help"
