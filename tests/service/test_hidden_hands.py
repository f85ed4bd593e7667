"""Hidden hands of Fortunes of Victory, with real parts: only their owner finds his cards in anything he is given."""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

import pbem
from pbem.testing.leaks.artefacts import Artefact
from pbem.testing.leaks.guesses import Digests, hidden, salted, salts_to_try, unsalted
from pbem.testing.leaks.search import Finding
from pbem.testing.leaks.words import hidden_cards
from tests.service.hidden_hands import CAMPAIGN, HELD, POWERS, PUBLIC, Played, played, rows
from tests.service.processes import caught, plain
from tests.support.redis import redis_server
from tools import search_leaks

__all__ = ["redis_server"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table(redis_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """One campaign for all tests of this file: starting everything costs more than any of them."""
    redis.Redis.from_url(redis_server).flushall()
    with played(redis_server, tmp_path_factory.mktemp("hands")) as made:
        yield made


@dataclass
class Found:
    """All that anybody was given, the hidden words in it, and everything in it that looks like a digest."""

    artefacts: list[Artefact]
    words: dict[str, list[Finding]]
    digests: Digests


@pytest.fixture(scope="module")
def found(table: Played) -> Found:
    """One search for all tests."""
    given = [*table.mailed(), *table.served(), *table.exported(), *table.commanded(), *table.logged()]
    for name, data in zip(("complete log", "database"), table.complete(), strict=True):
        given.append(Artefact(name, data, frozenset(POWERS), len(table.events), None))
    digests = Digests()
    held = [word for words in table.held().values() for word in words]
    return Found(given, table.campaign.look(given, held, digests), digests)


def test_nobody_finds_what_he_may_not_know(table: Played, found: Found) -> None:
    """FOV-6.1.2, FOV-6.1.5, FOV-6.1.9: hidden cards, sealed lines, tokens and keys of others, in any guise."""
    given = [one for one in found.artefacts if one.name not in ("complete log", "database")]
    leaks = table.campaign.leaks(given, found.words)
    assert leaks == [], "\n".join(map(str, leaks))
    for name, powers, _ in table.readers():
        secret = hidden_cards(table.events, powers)
        expected = {card for power, cards in HELD.items() if power not in powers for card in cards}
        assert expected <= set(secret), f"{name}: the search looks for every card that others hold"
    kinds = {one.name.partition(" ")[0].partition("/")[0] for one in given}
    assert {*POWERS, "mod", "public", "logs", "redis"} <= kinds
    for power in POWERS:
        assert sum(one.name.startswith(f"{power}/") for one in given) >= 3, "mails"


def test_no_hash_gives_a_card_away(table: Played, found: Found) -> None:
    """FOV-6.1.7: every plausible text about every hidden card, hashed without salt or with all that a reader knows."""
    cards = hidden(table.events, PUBLIC)
    published = (key for known in found.digests.found.values() for key in sorted(known)[:20])
    keys = [CAMPAIGN.encode(), bytes(32), *published]
    assert len(cards) >= 10 and unsalted(found.digests, cards, CAMPAIGN, keys) == []
    for powers in (PUBLIC, frozenset(("usa",))):
        assert salted(table.events, powers, salts_to_try(table.events, powers, CAMPAIGN)) == []
    with_salts = salts_to_try(table.events, frozenset(POWERS), CAMPAIGN)
    assert len(salted(table.events, PUBLIC, with_salts)) == len(cards), "with the salts it is easy"
    salts = [event.salt for event in table.events]
    assert len(set(salts)) == len(salts) and {len(salt) for salt in salts} == {16}


def test_everybody_finds_his_own_cards(table: Played, found: Found) -> None:
    """FOV-6.1.2: the search sees the cards where they may be, in every kind of thing; the moderator's copy has all."""
    where: dict[str, set[str]] = {}
    for name, findings in found.words.items():
        for finding in findings:
            where.setdefault(finding.word, set()).add(name)
    for power, words in table.held().items():
        for word in words:
            names = where[word.name]
            assert sum(name.startswith(f"{power}/") for name in names) >= 2, "mails"
            assert {f"{power} export", f"{power} proofs", "complete log", "database"} <= names
            for address in ("/state", "/log", "/events?limit=1000&first=0"):
                assert f"{power} GET /api/campaigns/{CAMPAIGN}{address}" in names
            assert {f"{power} pbem log show", f"{power} pbem log show --json", f"{power} pbem replay --json"} <= names
            assert any(name.startswith(f"{power} pbem explain") for name in names)
            forms = {name.rpartition(".")[2] for name in names if name.startswith(f"{power} ") and "/reports/" in name}
            assert forms == {"txt", "html", "pdf"}


def test_every_log_verifies_for_its_reader(table: Played, tmp_path: Path) -> None:
    """FOV-6.1.7: with the two programs that need nothing but Python, and with a checkpoint out of a mail."""
    for one in table.exported():
        name, _, kind = one.name.partition(" ")
        if kind != "export":
            continue
        log = tmp_path / f"{name}.jsonl"
        log.write_bytes(one.data)
        checkpoint = tmp_path / f"{name}.txt"
        own = [] if name == "public" else caught(table.catcher, table.address(name))
        checkpoint.write_text("\n".join(map(plain, own)), encoding="utf-8")
        extra = ["--checkpoint", str(checkpoint)] if own else []
        assert "SOUND" in run("log/check_log.py", str(log), *extra)
        assert "all dice are as they must be" in run("dice/check_dice.py", str(log))


def run(program: str, *arguments: str) -> str:
    """A program of the package by itself, which may import nothing of it."""
    path = Path(pbem.__file__).parent / program
    done = subprocess.run([sys.executable, "-I", str(path), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_draw_is_proved_by_whoever_has_a_log(table: Played, tmp_path: Path) -> None:
    """FOV-6.1.3, FOV-6.1.7: the card that Germany drew and played is the one its pile and its sealed event named."""
    for name in ("germany", "ussr", "public"):
        log = next(one.data for one in table.exported() if one.name == f"{name} export")
        lines = rows(log)
        drawn = next(row["payload"] for row in lines if row.get("header", {}).get("type") == "card_drawn"
                     and row["payload"].get("from") is None)  # fmt: skip
        opened = [row["payload"] for row in lines if row.get("header", {}).get("type") == "secret_opened"]
        (proof,) = [row for row in opened if row["payload"]["payload"]["card"] == drawn["card"]]
        assert proof["payload"]["payload"]["name"] == table.drawn and proof["payload"]["readers"] == ["germany"]
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(log)
        assert "1 piles opened" in run("dice/check_dice.py", str(path))
        false = log.replace(f'"name":"{table.drawn}"'.encode(), b'"name":"supreme_excellence"')
        assert false != log
        path.write_bytes(false)
        with pytest.raises(AssertionError, match="do not match the commitment"):
            run("log/check_log.py", str(path))


def test_the_folder_of_a_campaign_is_searched(
    table: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a demonstration leaves it: nothing is found, until a mail lies in the wrong folder and a log says too much."""
    for name in ("log", "service", "sent"):
        (tmp_path / name).mkdir()
    shutil.copytree(table.folder / "caught" / table.address("usa"), tmp_path / "mails" / table.address("usa"))
    (tmp_path / "mails" / table.address("uk")).mkdir()
    complete, database = table.complete()
    (tmp_path / "log" / "campaign.jsonl").write_bytes(complete)
    (tmp_path / "service" / "pbem.sqlite3").write_bytes(database)
    assert search_leaks.main([str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "nothing was found" in said and "hidden from uk at the end: atomic_bomb, " in said
    mails = tmp_path / "mails"
    (tmp_path / "service" / "pbem.sqlite3").unlink()
    wrong = sorted((mails / table.address("usa")).glob("*.eml"))[-1]
    for path in mails.rglob("*.eml"):
        if path != wrong:
            path.unlink()
    shutil.copy(wrong, mails / table.address("uk") / "wrong.eml")
    (tmp_path / "service" / "service.log").write_bytes(base64.b64encode(b"now japan holds super bombers in its hand"))
    assert search_leaks.main([str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "LEAK  service/service.log: card super_bombers (base64)" in said
    assert f"LEAK  {table.address('uk')}/wrong.eml: card atomic_bomb" in said


def test_a_folder_without_a_log_is_said_to_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert search_leaks.main([str(tmp_path)]) == 2
    assert "holds no complete log" in capsys.readouterr().err
