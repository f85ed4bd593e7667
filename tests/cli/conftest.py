"""The command line as the tests call it: in this process, with its own input, output and database."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run

CAMPAIGN = {
    "id": "p40-17",
    "game": "p40",
    "edition": "2e",
    "players": [
        {"id": "japan", "powers": ["japan"], "address": "japan@players.example", "token": "jp7k2q"},
        {"id": "china", "powers": ["china"], "address": "china@players.example", "token": "cn4x9m"},
        {"id": "kim", "powers": ["usa", "uk", "anzac"], "address": "kim@players.example", "token": "km8r3v"},
    ],
    "moderator": {"id": "mod", "address": "mod@club.example"},
    "reactions": "standing",
}


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """The answer read as JSON."""
        return json.loads(self.out)

    def rows(self) -> list[Any]:
        """The answer read as JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]


class Cli:
    """Calls commands; `database` is passed to all that take one."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.folder, self._capture, self._patch = folder, capture, patch
        self.database = f"sqlite:///{folder}/pbem.sqlite3"
        patch.setenv("DATABASE_URL", self.database)
        patch.chdir(folder)
        for name in ("REDIS_URL", "SMTP_RELAY", "PBEM_MAIL_DIR", "PBEM_HOST", "PBEM_WITNESS"):
            patch.delenv(name, raising=False)

    def __call__(self, *arguments: str | Path, stdin: str | bytes = "") -> Said:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        self._capture.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = self._capture.readouterr()
        return Said(code, out, err)

    def good(self, *arguments: str | Path, stdin: str | bytes = "") -> Said:
        """A command that must succeed."""
        said = self(*arguments, stdin=stdin)
        assert said.code == 0, said.err + said.out
        return said

    def mail(self, player: str, text: str, *options: str) -> Said:
        """A mail of a player, taken in."""
        return self.good("mail", "receive", *options, stdin=letter(player, text))

    def tick(self) -> None:
        """Everything that is due is done."""
        self.good("tick")


TOKENS = {row["id"]: row["token"] for row in CAMPAIGN["players"]}  # type: ignore[index, attr-defined]
_numbers = iter(range(1, 1_000_000))


def letter(player: str, text: str) -> bytes:
    """The bytes of a mail from a player to his reply address."""
    head = (
        f"From: {player}@players.example\r\nTo: orders+p40-17.{TOKENS[player]}@pbem.example\r\n"
        f"Subject: Re: [p40-17] orders\r\nMessage-ID: <{next(_numbers)}@players.example>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    )
    return (head + text.replace("\n", "\r\n")).encode()


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line in an empty folder, with no campaign yet."""
    return Cli(tmp_path, capsys, monkeypatch)


@pytest.fixture
def begun(cli: Cli) -> Cli:
    """The command line with one campaign that waits for Japan."""
    (cli.folder / "campaign.json").write_text(json.dumps(CAMPAIGN), encoding="utf-8")
    cli.good("campaign", "new", "--from", "campaign.json")
    return cli


@pytest.fixture
def fought(begun: Cli) -> Cli:
    """The same after Japan's first battle: its moves are made, the rest of its turn is awaited."""
    begun.mail("japan", "buy 2 transport\n3 infantry Kwangsi -> Yunnan\nready\n")
    begun.tick()
    return begun


Played = Callable[[], None]
