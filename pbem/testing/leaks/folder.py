"""The folder that a campaign left behind (`pbem demo`): whether anything in it tells a player what he may not know.

Read are `log/*.jsonl` (the complete log), `mails/ADDRESS/*.eml`, `reports/ADDRESS-*.pdf`, `sent/PLAYER-*.eml` (what a
player said himself is no secret from him), `service/*.log`, and the database in `service/`, from which everybody's
pages and exports are made.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.board.evolve import fold
from pbem.board.state import State
from pbem.campaign.load import rules_of
from pbem.campaign.referee import Referee
from pbem.log.canonical import parse
from pbem.log.checkpoint import Signer
from pbem.log.codec import decode, from_header
from pbem.log.event import Event
from pbem.log.export import export, read_lines, verify
from pbem.log.live import live
from pbem.log.store import Store, open_store
from pbem.report.words import Words
from pbem.testing.leaks.artefacts import Artefact, Campaign, mails
from pbem.testing.leaks.search import Finding, Search, Word
from pbem.testing.leaks.served import in_process, paths
from pbem.testing.leaks.words import Powers, hidden_cards
from pbem.web.app import create_app

PUBLIC: Powers = frozenset()


class NoCampaign(ValueError):
    """A folder that holds no complete log of a campaign: the message says what is missing."""


@dataclass
class Looked:
    """What was looked at and what was found; `secrets` are the cards hidden from each reader at the end."""

    leaks: list[Finding]
    artefacts: list[Artefact]
    secrets: dict[str, tuple[str, ...]]
    words: int
    skipped: list[str] = field(default_factory=list)


def look(folder: Path) -> Looked:
    """Search everything in the folder. Raises NoCampaign."""
    events = _log(folder)
    seats: Mapping[str, tuple[str, ...]] = {
        player: tuple(powers) for player, powers in fold(State(), live(events)).settings["seats"].items()
    }
    database = next(iter(sorted(folder.glob("service/*.sqlite3"))), None)
    name = events[0].campaign
    with TemporaryDirectory() as place:
        store = _copied(database, Path(place)) if database is not None else None
        return _look(folder, events, seats, store, name)


def _copied(database: Path, place: Path) -> Store:
    """The database in a copy of its own, for pages sign what they show."""
    copy = place / "copy.sqlite3"
    with sqlite3.connect(database) as source:
        copy.write_bytes(source.serialize())
    source.close()
    return open_store(f"sqlite:///{copy}")


def _look(
    folder: Path, events: list[Event], seats: Mapping[str, tuple[str, ...]], store: Store | None, name: str
) -> Looked:
    tokens = {one.id: one.token for one in store.players(name)} if store is not None else {}
    board = rules_of(fold(State(), events[:1])).board
    campaign = Campaign(events, [Words(board, "en"), Words(board, "zh")], tokens)
    artefacts = [*_mails(folder, seats, len(events)), *_files(folder, seats, len(events))]
    skipped = []
    if store is not None:
        artefacts += _from_database(store, name, seats, tokens)
        store.close()
    else:
        skipped.append("pages and exports: there is no database in service/")
    own = _said(folder, campaign, artefacts)
    leaks = [one for one in campaign.leaks(artefacts) if one.word not in own.get(_owner(one, artefacts), ())]
    secrets = {
        reader: tuple(sorted(hidden_cards(events, powers)))
        for reader, powers in [("public", PUBLIC), *((who, frozenset(held)) for who, held in seats.items())]
    }
    words = {word.name for one in artefacts for word in campaign.forbidden(one.reader, one.size, one.owner)}
    return Looked(leaks, artefacts, secrets, len(words), skipped)


def _log(folder: Path) -> list[Event]:
    for path in sorted((*folder.glob("log/*.jsonl"), *folder.glob("log/*.jsonl.gz"))):
        lines = read_lines(path)
        report = verify(lines)
        if report.fault is not None:
            raise NoCampaign(f"{path} is not a sound log: {report.fault}")
        if report.viewer == "everything":
            rows = [row for row in map(parse, lines[1:]) if "header" in row]
            return [
                decode(report.campaign, from_header(row["header"], bytes.fromhex(row["salt"]), row["payload"]))
                for row in rows
                if "payload" in row
            ]
    raise NoCampaign(f"{folder}/log holds no complete log; make it with `pbem log export FILE` without --power")


def _mails(folder: Path, seats: Mapping[str, tuple[str, ...]], size: int) -> Iterator[Artefact]:
    for place in sorted(folder.glob("mails/*")):
        player = place.name.partition("@")[0]
        raws = ((f"{place.name}/{path.name}", path.read_bytes()) for path in sorted(place.glob("*.eml")))
        yield from mails(raws, frozenset(seats.get(player, ())), player, size)


def _files(folder: Path, seats: Mapping[str, tuple[str, ...]], size: int) -> Iterator[Artefact]:
    for path in sorted(folder.glob("reports/*.pdf")):
        player = path.name.partition("@")[0]
        yield Artefact(f"reports/{path.name}", path.read_bytes(), frozenset(seats.get(player, ())), size, player)
    for path in sorted(folder.glob("service/*.log")):
        yield Artefact(f"service/{path.name}", path.read_bytes(), PUBLIC, size)


def _from_database(
    store: Store, campaign: str, seats: Mapping[str, tuple[str, ...]], tokens: Mapping[str, str]
) -> Iterator[Artefact]:
    app = create_app(Referee(store, Signer(store), lambda: 0))
    fetch = in_process(app)
    size = store.head(campaign).size
    rows = store.outbox(campaign, limit=1000)
    for reader in (*tokens, None):
        powers = frozenset(seats.get(reader or "", ()))
        credential = tokens.get(reader or "", "")
        own = {row.kind: row.id for row in rows if row.recipient == reader}
        values: dict[str, list[object]] = {
            "campaign": [campaign], "number": [*own.values(), 1], "form": ["txt", "html"],
            "token": [credential] if credential else [],
        }  # fmt: skip
        for path in paths(app, values):
            head, body = fetch(path, credential)
            yield Artefact(f"{reader or 'public'} GET {path}", head + b"\n\n" + body, powers, size, reader)
        yield Artefact(f"{reader or 'public'} export", b"".join(export(store, campaign, powers)), powers, size)


def _said(folder: Path, campaign: Campaign, artefacts: list[Artefact]) -> dict[str, set[str]]:
    """The words that each player used himself in what he sent."""
    words: dict[str, Word] = {}
    for one in artefacts:
        words |= {word.name: word for word in campaign.forbidden(one.reader, one.size, one.owner)}
    search = Search(words.values())
    said: dict[str, set[str]] = {}
    for path in sorted(folder.glob("sent/*.eml")):
        player = path.name.rpartition("-")[0]
        said.setdefault(player, set()).update(found.word for found in search.look(path.read_bytes()))
    return said


def _owner(finding: Finding, artefacts: list[Artefact]) -> str:
    return next((one.owner or "" for one in artefacts if one.name == finding.artefact), "")
