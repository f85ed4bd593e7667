"""How players are reached: second addresses, copies to the first one, what bounces, what a relay refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.campaign.referee import Referee
from pbem.log.store import OutboxRow, Player
from pbem.mail.addresses import bounce_address
from pbem.mail.compose import Composed
from pbem.mail.deliver import Outlet, Rendered, deliver_due
from pbem.mail.desk_bounces import bounce_tag
from pbem.mail.desk_directory import scheme_of
from pbem.mail.letters import Letter
from pbem.mail.send import Delivered, Delivery, PermanentFailure
from tests.mail.letters import GOOD_1, JAPAN, letter
from tests.service.kit import CAMPAIGN, Table

SECOND = "j.player@second.example"


def in_words(referee: Referee, row: OutboxRow) -> Rendered:
    """Mails about the game in one line: how they look is tested elsewhere."""
    return Letter(f"[{row.campaign}] {row.kind}", f"{row.kind}\n")


class Post:
    """A way out that remembers what went out, and what each address answers."""

    def __init__(self, table: Table) -> None:
        self.sent: list[Composed] = []
        self.refusing: set[str] = set()
        self.outlet = Outlet(scheme_of(table.referee), self.send, in_words)

    def send(self, mail: Composed) -> Delivery:
        if mail.recipient in self.refusing:
            return PermanentFailure(550, "no such user")
        self.sent.append(mail)
        return Delivered("taken")

    def to(self, address: str) -> list[Composed]:
        return [mail for mail in self.sent if mail.recipient == address]


@pytest.fixture
def post(table: Table) -> Post:
    """Japan has registered a second address; the first reports are on their way."""
    player = japan(table)
    table.referee.store.put_player(replace(player, settings={"addresses": [SECOND]}))
    made = Post(table)
    deliver_due(table.referee, made.outlet, 100)
    return made


def japan(table: Table) -> Player:
    player = table.referee.store.player(CAMPAIGN, "japan")
    assert player is not None
    return player


def bounce(table: Table, row: OutboxRow, action: str = "failed", tag: str | None = None) -> str:
    back = bounce_address(scheme_of(table.referee), tag or bounce_tag(row, japan(table)))
    raw = letter(
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        f"Final-Recipient: rfc822; {JAPAN}\nAction: {action}\nStatus: 5.1.1\n\n--b--\n",
        to=back,
        message_id=f"<dsn-{action}-{row.id}@mx.example>",
        content_type='multipart/report; report-type=delivery-status; boundary="b"',
        **{"from": "MAILER-DAEMON@mx.example"},
    )
    return table.receive(raw, sender="", to=back).status


def report_to_japan(table: Table) -> OutboxRow:
    return next(row for row in table.mails("report") if row.recipient == "japan")


def test_what_bounces_goes_to_the_next_address_once(table: Table, post: Post) -> None:
    row = report_to_japan(table)
    assert len(post.to(JAPAN)) == 1 and post.to(SECOND) == []
    assert bounce(table, row) == "silent"
    assert japan(table).settings["unreachable"]["status"] == "5.1.1"
    deliver_due(table.referee, post.outlet, 100)
    assert len(post.to(SECOND)) == 1
    again = next(other for other in table.mails("report") if other.params.get("reply", {}).get("address") == 1)
    assert bounce(table, again) == "silent"
    deliver_due(table.referee, post.outlet, 100)
    assert len(post.to(SECOND)) == 1
    table.receive(letter(GOOD_1))
    assert "unreachable" not in japan(table).settings


def test_a_delay_marks_nothing(table: Table, post: Post) -> None:
    row = report_to_japan(table)
    bounce(table, row, "delayed")
    assert report_to_japan(table).state == "sent" and "unreachable" not in japan(table).settings


def test_a_guessed_return_path_marks_nothing(table: Table, post: Post) -> None:
    row = report_to_japan(table)
    bounce(table, row, tag=f"m{row.id}.{'0' * 16}")
    assert report_to_japan(table).state == "sent" and "unreachable" not in japan(table).settings
    assert table.events("mail_noted") == []


def test_an_answer_goes_where_the_mail_came_from_and_a_copy_home(table: Table, post: Post) -> None:
    post.sent.clear()
    raw = letter(GOOD_1, **{"from": f"Japan Player <{SECOND}>"})
    assert table.receive(raw, sender=SECOND).status == "done"
    deliver_due(table.referee, post.outlet, 100)
    assert sorted(mail.recipient for mail in post.sent) == sorted((SECOND, JAPAN))
    assert len({mail.message_id for mail in post.sent}) == 1


def test_whom_the_relay_refuses_is_flagged_and_the_moderator_told(table: Table, post: Post) -> None:
    post.refusing = {JAPAN}
    table.receive(letter(GOOD_1))
    deliver_due(table.referee, post.outlet, 100)
    assert japan(table).settings["unreachable"]["status"] == "550"
    (notice,) = table.mails("moderator_notice")
    assert notice.recipient == "mod" and table.mails("answer")[0].state == "failed"
    deliver_due(table.referee, post.outlet, 100)
    assert len(table.mails("moderator_notice")) == 1


def test_the_same_row_gives_the_same_mail(table: Table, post: Post) -> None:
    from pbem.mail.deliver import compose_row

    row = report_to_japan(table)
    first, second = (compose_row(table.referee, post.outlet, row, japan(table))[0].raw for _ in range(2))
    assert first == second
