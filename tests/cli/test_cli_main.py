"""The command as a whole: its help, bad usage, mistakes, and that it answers without loading what it does not need."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from pbem.cli import COMMANDS, pbem
from tests.cli.conftest import Cli

HEAVY = ("rich", "flask", "cryptography", "sqlite3", "weasyprint", "pbem.games.catalog", "pbem.rules.runner", "asyncio")


def leaves(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from leaves(found, f"{path} {name}")
    else:
        yield path, command


LEAVES = dict(leaves(pbem, "pbem"))


def test_help_names_every_command_that_is_here_and_says_what_it_is_for(cli: Cli) -> None:
    said = cli.good("--help")
    for name, entry in COMMANDS.items():
        assert (f"  {name} " in said.out) == entry.here, name
    assert cli.good().out == said.out


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from pbem.cli import run; code = run(['--help']); "
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("path", LEAVES)
def test_every_command_tells_what_it_does_and_shows_an_example(path: str) -> None:
    command = LEAVES[path]
    assert command.help and "Example" in command.help, path
    assert path in command.help, "the example is of this command"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{path} {parameter.opts}"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["campaign", "nonsense"],
        ["orders", "check"],
        ["orders", "check", "--game", "p40", "--nonsense"],
        ["orders", "check", "--campaign", "x", "--no-board"],
        ["case", "run"],
        ["case", "run", "no-such-file.json"],
        ["campaign", "new"],
        ["campaign", "new", "x1", "--game", "p40", "--option", "nonsense"],
        ["replay", "--at", "many"],
        ["explain"],
        ["explain", "nonsense"],
        ["moderate", "extend", "--reason", "x"],
        ["moderate", "extend", "--until", "soon", "--reason", "x"],
        ["moderate", "rewind"],
        ["serve", "nonsense"],
        ["log", "export"],
    ],
    ids=" ".join,
)
def test_bad_usage_is_one_line_and_exit_code_2(begun: Cli, arguments: list[str]) -> None:
    said = begun(*arguments)
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("pbem") and said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["campaign", "show", "nobody"], "there is no campaign 'nobody'; there are p40-17"),
        (["orders", "check", "--game", "chess"], "there is no game 'chess'; there are p40, s42, classic, p01"),
        (["orders", "check", "--game", "p40", "--power", "mars"], "no power 'mars'"),
        (["orders", "check", "--game", "p40", "--edition", "9e"], "no edition '9e'"),
        (["orders", "check", "--game", "p40", "--phase", "tea"], "no phase 'tea'"),
        (["replay", "--at", "99999"], "there is no event 99999"),
        (["replay", "--power", "mars"], "nobody plays 'mars'"),
        (["explain", "99999"], "there is no event 99999"),
        (["explain", "P40-99.1"], "there is no rule P40-99.1"),
        (["moderate", "resume"], "is not paused"),
        (["moderate", "rewind", "--to", "7", "--reason", "x"], "cannot be rewound to 7"),
        (["report", "--player", "mars"], "nobody is called mars"),
        (["worker"], "set REDIS_URL"),
        (["campaign", "show", "--database", "mysql://x"], "unknown kind of database"),
        (["campaign", "show", "--database", "sqlite:///nowhere/at.all"], "there is no database"),
        (["campaign", "new", "p40-17", "--game", "p40", "--others", "a@example.org"], "already"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_sentence_and_exit_code_1(begun: Cli, arguments: list[str], told: str) -> None:
    said = begun(*arguments)
    assert said.code == 1
    assert told in said.err and said.err.count("\n") == 1
    assert "Traceback" not in said.err


def test_a_fault_of_the_service_is_not_hidden(begun: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise AssertionError("our own fault")

    monkeypatch.setattr("pbem.campaign.load.load", broken)
    with pytest.raises(AssertionError, match="our own fault"):
        begun("campaign", "show")


def test_an_output_that_nobody_reads_to_its_end_is_no_fault() -> None:
    command = f"{sys.executable} -m pbem.cli explain P40-4.4.8 | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr and done.returncode in (0, 1)
    assert done.stdout == "P"
