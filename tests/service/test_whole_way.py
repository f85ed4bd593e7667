"""A mail's whole way with real parts: SMTP, Redis, a worker's own process, both databases, and SMTP out."""

from __future__ import annotations

import re
import smtplib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis

from pbem.campaign.config import Settings, wall_clock
from pbem.campaign.load import load
from pbem.campaign.referee import Referee
from pbem.log.checkpoint import verify_note
from pbem.log.store import OutboxRow, Player
from pbem.mail.catcher import MailCatcher
from pbem.mail.desk_bounces import bounce_tag
from pbem.mail.phrases import MARKER
from pbem.mail.serve import MailServer
from pbem.testing.campaigns import campaign_from
from tests.mail.letters import DECOY, GOOD, JAPAN, JAPAN_ADDRESS, letter
from tests.service.kit import CAMPAIGN, PLAYERS, POSITION, wanted
from tests.service.processes import Processes, caught, plain, processes, send, until
from tests.support.redis import redis_server, redis_url
from workers.serve import mail_server
from workers.surroundings import build

__all__ = ["redis_server", "redis_url"]

pytestmark = pytest.mark.slow

EVERYBODY = [player.address for player in PLAYERS] + ["mod@club.example"]
GOOD_TEXT = "\n".join(GOOD) + "\n"


@dataclass
class Service:
    """A running service and what is needed to look at it from outside."""

    settings: Settings
    referee: Referee
    server: MailServer
    catcher: MailCatcher
    processes: Processes

    def mail(self, raw: bytes, sender: str = JAPAN, to: str = JAPAN_ADDRESS) -> None:
        send(self.server.port, raw, sender, to)

    def wait_for(self, address: str, count: int, seconds: float = 90.0) -> list[Any]:
        """The mails of an address when there are so many."""

        def enough() -> list[Any] | None:
            mails = caught(self.catcher, address)
            return mails if len(mails) >= count else None

        return until(enough, f"{count} mails for {address}", seconds)

    def sent(self, message_id: str) -> OutboxRow:
        """The row of a mail of ours."""
        row = self.referee.store.outbox_by_message_id(message_id)
        assert row is not None
        return row

    def player(self, name: str) -> Player:
        found = self.referee.store.player(CAMPAIGN, name)
        assert found is not None
        return found

    def types(self) -> list[str]:
        return [event.type for event in self.referee.store.read(CAMPAIGN)]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Both databases."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/campaign.sqlite3"
    return str(request.getfixturevalue("postgres_url"))


@contextmanager
def service(database: str, redis_url: str, tmp_path: Path) -> Iterator[Service]:
    """The fixture campaign by the real clock, mail server and catcher here, no worker yet."""
    with MailCatcher(tmp_path / "caught", wall_clock) as catcher:
        settings = Settings(
            database=database,
            redis=redis_url,
            host="pbem.example",
            relay_host="127.0.0.1",
            relay_port=catcher.port,
            relay_tls="none",
            check_dkim=False,
            smtp_port=0,
            tick_seconds=0.2,
        )
        here = build(settings)
        campaign_from(here.referee, wanted(), POSITION)
        with mail_server(here) as server, processes(settings, tmp_path / "log") as running:
            yield Service(settings, here.referee, server, catcher, running)
        here.referee.store.close()


def test_a_turn_from_mail_to_mail(database: str, redis_url: str, tmp_path: Path) -> None:
    """One story, since starting everything costs more than any of its parts."""
    with service(database, redis_url, tmp_path) as made:
        made.processes.start("worker")
        made.processes.start("tick")
        first = made.wait_for(JAPAN, 1)[0]
        assert plain(first).startswith(MARKER) and first["Auto-Submitted"] == "auto-generated"
        assert first["Reply-To"] == JAPAN_ADDRESS and "r3.japan" in first["References"]
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            made.mail(letter(GOOD_TEXT), to="orders+p40-17.zzzzzzz@pbem.example")
        for address in EVERYBODY:
            made.wait_for(address, 1)
        a_delivery_report_marks_the_mail_and_flags_the_player(made, str(first["Message-ID"]))

        made.mail(
            letter(GOOD_TEXT + "ready\n", in_reply_to=str(first["Message-ID"]), message_id="<turn-3@players.example>")
        )
        mails = made.wait_for(JAPAN, 3)
        (answer,) = [mail for mail in mails if mail["Auto-Submitted"] == "auto-replied"]
        assert answer["In-Reply-To"] == "<turn-3@players.example>" and answer["Subject"].lower().count("re:") == 1
        for line in ("3 infantry Kwangsi -> Yunnan", "2 infantry Siam -> Shan State"):
            assert line in plain(answer)
        assert "battle_ended" in made.types() and made.player("japan").settings.get("unreachable") is None
        assert list(load(made.referee, CAMPAIGN).play.now.windows) == ["r3.japan:rest"]
        no_mail_holds_what_its_reader_may_not_know(made)
        no_checkpoint_is_mailed_that_is_not_in_the_database(made)


def a_delivery_report_marks_the_mail_and_flags_the_player(made: Service, message_id: str) -> None:
    """M59: what comes back to the return path of a report of ours."""
    row = made.sent(message_id)
    back = f"bounces+{bounce_tag(row, made.player('japan'))}@pbem.example"
    raw = letter(
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        f"Final-Recipient: rfc822; {JAPAN}\nAction: failed\nStatus: 5.1.1\n\n"
        f"--b\nContent-Type: message/rfc822\n\nSubject: report\n\n{DECOY}\n--b--\n",
        to=back,
        content_type='multipart/report; report-type=delivery-status; boundary="b"',
        **{"from": "MAILER-DAEMON@mx.example"},
    )
    until(lambda: made.sent(message_id).state == "sent", "the report marked as sent")
    send(made.server.port, raw, "", back)
    until(lambda: made.sent(message_id).state == "failed", "the report marked as failed")
    flagged = until(lambda: made.player("japan").settings.get("unreachable"), "the flag")
    assert flagged["status"] == "5.1.1"
    notices = made.wait_for("mod@club.example", 2)
    assert any("does not reach japan" in plain(mail) for mail in notices)
    assert "orders_received" not in made.types()


def no_mail_holds_what_its_reader_may_not_know(made: Service) -> None:
    """No secret address but the reader's own; and before combat nobody knew Japan's orders."""
    tokens = {player.address: player.token for player in made.referee.store.players(CAMPAIGN)}
    for address in EVERYBODY:
        for path in made.catcher.messages(address):
            raw = path.read_bytes().decode("ascii")
            assert not [other for other, token in tokens.items() if other != address and token in raw]
        if address != JAPAN:
            assert "Kwangsi -> Yunnan" not in plain(caught(made.catcher, address)[0])


def no_checkpoint_is_mailed_that_is_not_in_the_database(made: Service) -> None:
    key = next(iter(made.referee.store.read(CAMPAIGN, 0, 1))).payload["log_key"]
    signed = set()
    for mail in caught(made.catcher, JAPAN):
        text = plain(mail).replace("\r\n", "\n")
        found = re.search(r"^ *(pbem\.example/c/p40-17\n *\d+\n *\S+\n *\n? *— \S+ \S+)$", text, re.MULTILINE)
        assert found is not None, text
        note = "\n".join(line.strip() for line in found.group(1).split("\n")) + "\n"
        signed.add(verify_note(note, key).size)
    assert signed <= {head.size for head in made.referee.store.checkpoints(CAMPAIGN)}


# -- crashes ----------------------------------------------------------------------------------------------------------


def test_redis_may_forget_everything(database: str, redis_url: str, tmp_path: Path) -> None:
    with service(database, redis_url, tmp_path) as made:
        made.mail(letter(GOOD_TEXT + "ready\n"))
        connection = redis.Redis.from_url(redis_url)
        connection.flushall()
        worker = made.processes.start("worker")
        made.processes.start("tick")
        made.wait_for(JAPAN, 2)
        connection.flushall()
        made.mail(letter("rest default\nready\n", message_id="<rest@players.example>"))
        connection.flushall()
        until(lambda: "r3.usa:moves" in load(made.referee, CAMPAIGN).play.now.windows, "the next power's turn")
        assert worker.poll() is None
        for address in EVERYBODY:
            made.wait_for(address, 2)


def lock_is_held(settings: Settings) -> bool:
    """Whether a worker is adjudicating."""
    with sqlite3.connect(settings.database.removeprefix("sqlite:///")) as connection:
        return bool(connection.execute("SELECT count(*) FROM leases").fetchone()[0])


def test_m91_a_worker_killed_in_mid_turn(redis_url: str, tmp_path: Path) -> None:
    """Killed while it adjudicates, twice; the battle goes on with the same dice and everybody gets one report."""
    database = f"sqlite:///{tmp_path}/campaign.sqlite3"
    with service(database, redis_url, tmp_path) as made:
        tick_process = made.processes.start("tick")
        worker = made.processes.start("worker")
        for address in EVERYBODY:
            made.wait_for(address, 1)
        # Japan wants to be asked about retreats: the turn stops in mid-battle, with dice on the log.
        made.mail(letter(GOOD_TEXT + "ask me\nready\n"))
        kills = 0
        while kills < 2:
            until(lambda: lock_is_held(made.settings) or "dice_rolled" in made.types(), "a worker at work", 40)
            made.processes.kill(worker)
            kills += 1
            worker = made.processes.start("worker")
        until(lambda: "dice_rolled" in made.types(), "the first dice", 60)
        windows = until(lambda: load(made.referee, CAMPAIGN).play.now.windows, "a window in mid-battle", 60)
        before = list(made.referee.store.read(CAMPAIGN))
        assert [window.kind for window in windows.values()] == ["decisions"]
        assert before[-1].type in ("window_opened", "deadline_set") and "dice_rolled" in made.types()
        made.mail(letter("ready\n", message_id="<decided-1@players.example>"))
        made.processes.kill(worker)
        worker = made.processes.start("worker")
        until(lambda: fought_out(made), "the end of combat", 90)
        after = list(made.referee.store.read(CAMPAIGN))
        assert after[: len(before)] == before
        assert [event.seq for event in after] == list(range(len(after)))
        links = [event.payload["k"] for event in after if event.type == "dice_rolled"]
        assert links == list(range(links[0], links[0] + len(links))) and len(set(links)) == len(links)
        rows = made.referee.store.outbox(CAMPAIGN, limit=1000)
        until(lambda: not made.referee.store.outbox(CAMPAIGN, "queued"), "all mails sent", 150)
        ids = [str(mail["Message-ID"]) for address in EVERYBODY for mail in caught(made.catcher, address)]
        assert len(ids) == len(set(ids)) and {row.message_id for row in rows} <= set(ids)
        assert tick_process.poll() is None


def fought_out(made: Service) -> bool:
    """Whether combat is over; Japan lets the default answer whatever it is asked on the way."""
    windows = load(made.referee, CAMPAIGN).play.now.windows
    if any(window.kind == "decisions" and "japan" not in window.ready for window in windows.values()):
        made.mail(letter("ready\n", message_id=f"<decided-{time.monotonic_ns()}@players.example>"))
        time.sleep(1.0)
    return "r3.japan:rest" in windows
