"""Mails of a campaign in a database: every reader gets his own, and only what he may know."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdf import PdfReader

from pbem.campaign.advance import advance
from pbem.campaign.answer import Answer
from pbem.campaign.create import CampaignWanted, PlayerWanted, create_campaign
from pbem.campaign.load import load
from pbem.campaign.moderate import pause
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, consider, submit
from pbem.log.checkpoint import Signer, verify_note
from pbem.log.store import OutboxRow, open_store
from pbem.report.render import Rendered, render
from tests.report.kit import NOON

CAMPAIGN = "p40-17"
PEOPLE = (
    PlayerWanted("aki", ("japan",), "aki@players.example", "Aki", "en", "Asia/Tokyo"),
    PlayerWanted("ben", ("usa",), "ben@players.example", "Ben", "en", "America/Chicago"),
    PlayerWanted("cai", ("china",), "cai@players.example", "Cai", "zh", "Asia/Taipei"),
    PlayerWanted("dee", ("uk", "anzac"), "dee@players.example", "Dee", "en", "Europe/London"),
)
MODERATOR = PlayerWanted("mod", (), "mod@players.example", "Mod")


class Table:
    """A campaign and its clock."""

    def __init__(self, folder: Path) -> None:
        self.now = NOON
        store = open_store(f"sqlite:///{folder}/campaign.db")
        self.referee = Referee(store, Signer(store), lambda: self.now, "pbem.example", "https://pbem.example")
        create_campaign(
            self.referee, CampaignWanted(CAMPAIGN, "p40", "2e", players=PEOPLE, moderator=MODERATOR, title="Friday")
        )
        self.number = 0

    def say(self, player: str, text: str) -> Answer:
        """A mail of orders comes in."""
        self.number += 1
        self.now += 60_000
        return submit(self.referee, Submission(CAMPAIGN, player, text, self.now, self.number))

    def mails(self) -> dict[tuple[str, str], OutboxRow]:
        """The mails queued since the last time, by kind and recipient."""
        store = self.referee.store
        rows = store.claim_outbox(self.now, lease=1, limit=100)
        for row in rows:
            store.mark_sent(row.id, row.claim, self.now)
        return {(row.kind, row.recipient): row for row in rows}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table at which Japan has sent orders and the others standing orders."""
    made = Table(tmp_path_factory.mktemp("table"))
    advance(made.referee, CAMPAIGN)
    yield made
    made.referee.store.close()


@pytest.fixture(scope="module")
def first(table: Table) -> dict[tuple[str, str], OutboxRow]:
    """The first mails."""
    return table.mails()


@pytest.fixture(scope="module")
def answers(table: Table, first: dict[tuple[str, str], OutboxRow]) -> dict[tuple[str, str], OutboxRow]:
    """The answers to Japan's and China's mails."""
    table.say("cai", "casualties Hunan: infantry first\nask me retreat")
    table.say(
        "aki",
        "buy 3 infantry\n3 infantry Kiangsi -> Hunan\n1 artillery Kiangsi -> Hunan\n1 bomber Japan -> Hunan\n"
        "9 tank Manchuria -> <i>Amur</i>\nretreat Hunan if round > 3\nrest default\nENTROPY plum blossom",
    )
    return table.mails()


@pytest.fixture(scope="module")
def turn(table: Table, answers: dict[tuple[str, str], OutboxRow]) -> dict[tuple[str, str], OutboxRow]:
    """The reports after Japan's turn."""
    table.say("aki", "ready")
    advance(table.referee, CAMPAIGN)
    return table.mails()


def rendered(table: Table, row: OutboxRow) -> Rendered:
    """A row's mail."""
    return render(table.referee, row)


def everything(mail: Rendered) -> str:
    """All words of a mail, those of its PDF and of the events in it included."""
    parts = [mail.subject, mail.text, mail.html or ""]
    for each in mail.attachments:
        run = subprocess.run(["pdftotext", "-", "-"], input=each.data, capture_output=True, check=True)
        parts.append(run.stdout.decode())
        parts += [data.decode() for files in PdfReader(io.BytesIO(each.data)).attachments.values() for data in files]
    return "\n".join(parts)


def test_everybody_gets_the_first_mail_and_one_is_asked(table: Table, first: dict[tuple[str, str], OutboxRow]) -> None:
    assert {who for kind, who in first if kind == "report"} == {"aki", "ben", "cai", "dee", "mod"}
    aki, ben = rendered(table, first["report", "aki"]), rendered(table, first["report", "ben"])
    assert "That is you: Japan." in aki.text and "That is you" not in ben.text
    assert "You play Japan.\n" in aki.text and "You play Japan." in aki.html
    assert aki.subject == ben.subject == "[p40-17] Japan, round 1: combat move"
    assert rendered(table, first["report", "cai"]).subject == "[p40-17] 第1輪 日本：戰鬥移動"
    assert rendered(table, first["report", "mod"]).text.startswith("The campaign begins.")


def test_the_example_in_the_mail_is_accepted(table: Table, first: dict[tuple[str, str], OutboxRow]) -> None:
    text = rendered(table, first["report", "aki"]).text
    lines = text.split("accepted now):\n\n")[1].split("\n\n")[0].split("\n")
    assert any("->" in line for line in lines)
    trial = Submission(CAMPAIGN, "aki", "\n".join(lines), table.now, "trial")
    answer, _ = consider(table.referee, load(table.referee, CAMPAIGN), trial)
    assert {line.status for line in answer.lines} == {"accepted"}


def test_the_answer_goes_to_its_writer_with_a_checkpoint(
    table: Table, answers: dict[tuple[str, str], OutboxRow]
) -> None:
    mail = rendered(table, answers["answer", "aki"])
    assert "Japan, combat move:\n  3 infantry Kiangsi -> Hunan\n" in mail.text
    assert "9 tank Manchuria -> <i>Amur</i>" in mail.text and "<i>Amur" not in (mail.html or "")
    token = next(p.token for p in table.referee.store.players(CAMPAIGN) if p.id == "aki")
    assert f"https://pbem.example/c/p40-17/ready/{token}" in mail.text
    event = next(iter(table.referee.store.read(CAMPAIGN, 0, 1)))
    note = mail.text[mail.text.index("pbem.example/c/p40-17\n") :]
    assert verify_note(note, event.payload["log_key"]).size >= answers["answer", "aki"].params["seq"]


def test_reports_show_the_turn_and_hide_what_is_sealed(table: Table, turn: dict[tuple[str, str], OutboxRow]) -> None:
    mails = {who: everything(rendered(table, row)) for (kind, who), row in turn.items() if kind == "report"}
    assert set(mails) == {"aki", "ben", "cai", "dee", "mod"}
    for who, words in mails.items():
        assert "3 infantry Kiangsi -> Hunan" in words, who
        told = "casualties Hunan: infantry first" in words or "傷亡 湖南: 步兵 優先" in words
        assert told == (who == "cai"), who
        assert ("retreat Hunan" in words and "round > 3" in words) == (who == "aki"), who
    for person in PEOPLE:
        for words in mails.values():
            assert person.address not in words
    tokens = [player.token for player in table.referee.store.players(CAMPAIGN)]
    assert not any(token in words for token in tokens for words in mails.values())


def test_the_same_row_is_the_same_mail(table: Table, turn: dict[tuple[str, str], OutboxRow]) -> None:
    row = turn["report", "ben"]
    before = rendered(table, row)
    table.say("ben", "buy 1 infantry")
    after = rendered(table, row)
    assert before.attachments[0].data != b""
    cut = "CHECKPOINT"
    assert before.text.split(cut)[0] == after.text.split(cut)[0]
    table.mails()
    assert rendered(table, row) == after


def test_a_refusal_is_said_in_the_readers_language(table: Table, turn: dict[tuple[str, str], OutboxRow]) -> None:
    table.say("cai", "1 infantry Hunan -> Atlantis")
    mail = rendered(table, table.mails()["answer", "cai"])
    assert "不認得地區「Atlantis」" in mail.text and "unknown space" not in mail.text


def test_a_pause_is_told(table: Table, turn: dict[tuple[str, str], OutboxRow]) -> None:
    pause(table.referee, CAMPAIGN, "holidays")
    mail = rendered(table, table.mails()["paused", "cai"])
    assert mail.subject == "[p40-17] 暫停"
    assert "holidays" in mail.text and mail.attachments == ()
