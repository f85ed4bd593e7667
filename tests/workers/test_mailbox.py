"""Mail that waits at a provider counts if it came there in time, so it is fetched before a window closes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.campaign.config import Settings
from tests.mail.imap_server import ImapServer
from tests.mail.letters import GOOD, letter
from tests.service.kit import DEADLINE, Table
from workers.surroundings import Surroundings
from workers.tick import work_off


def over_imap(here: Surroundings, server: ImapServer) -> Surroundings:
    settings = replace(
        here.settings, imap_host="127.0.0.1", imap_port=server.port, imap_tls=False, imap_user="club",
        imap_password=server.password,
    )  # fmt: skip
    return replace(here, settings=settings, outlet=None)


def test_what_came_in_time_is_fetched_before_the_window_closes(table: Table, here: Surroundings) -> None:
    with ImapServer() as server:
        there = over_imap(here, server)
        work_off(there)
        server.add(letter("\n".join(GOOD)), "05-Aug-2026 19:59:00 +0000")
        table.clock.now = DEADLINE + 1
        work_off(there)
        assert table.window.id == "r3.japan:rest"
        assert sorted(event.payload["space"] for event in table.events("battle_begun")) == ["shan-state", "yunnan"]


def test_a_mailbox_that_cannot_be_read_keeps_the_window_open(table: Table, here: Surroundings) -> None:
    with ImapServer() as server:
        there = over_imap(here, server)
        work_off(there)
        broken = replace(there, settings=replace(there.settings, imap_password="wrong"))
        table.clock.now = DEADLINE + 1
        work_off(broken)
        assert table.window.id == "r3.japan:moves"
        work_off(there)
        assert table.window.id == "r3.japan:rest"


def test_a_mailbox_of_a_provider_can_have_another_name(tmp_path: Path) -> None:
    settings = Settings.from_environment({"PBEM_ORDERS_NAME": "club", "PBEM_BOUNCES_NAME": "club+bounce"})
    assert Settings.from_environment(settings.to_environment()) == settings
    with pytest.raises(ValueError, match="HOST:PORT"):
        Settings.from_environment({"PBEM_IMAP": "mail.example.org:x"})
