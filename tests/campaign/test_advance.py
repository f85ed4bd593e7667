"""When windows close: all are ready, the deadline has passed, orders are in; and never over an unread mail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.campaign.create import CampaignWanted
from pbem.log.store import NewInbox
from pbem.testing.campaigns import everybody
from pbem.testing.table import Table

POWERS = ("japan", "usa", "china", "uk", "anzac")
WANTED = CampaignWanted("table-1", "p40", "2e", (), {}, everybody(POWERS), reactions="standing")
FIRST = "r1.japan:moves"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Japan's first window is open."""
    begun = Table(tmp_path, WANTED)
    begun.go()
    return begun


def closings(table: Table) -> dict[str, str]:
    """Why each window closed."""
    return {event.payload["window"]: event.payload["why"] for event in table.events("window_closed")}


def test_a_window_closes_when_the_player_is_ready(table: Table) -> None:
    table.say("japan", "buy 3 inf")
    table.go()
    assert closings(table) == {}
    table.say("japan", "ready")
    table.go()
    assert closings(table)[FIRST] == "all are ready"


def test_whoever_takes_back_his_ready_is_waited_for(table: Table) -> None:
    table.say("japan", "ready")
    table.say("japan", "not ready")
    assert table.go().window is not None
    assert closings(table) == {}


def test_without_a_word_the_deadline_closes_it_and_not_a_moment_before(table: Table) -> None:
    deadline = table.state.windows[FIRST].deadline
    assert deadline is not None
    table.now = deadline - 10_000
    assert table.go().next_look == deadline + 1
    assert closings(table) == {}
    table.now = deadline
    table.go()
    assert closings(table)[FIRST] == "its deadline has passed"


def test_a_mail_that_came_in_time_and_is_not_read_yet_keeps_the_window_open(table: Table) -> None:
    store = table.referee.store
    deadline = table.state.windows[FIRST].deadline
    assert deadline is not None
    mail = NewInbox(source="test", received_at=deadline, raw=b"x", dedupe_key="mail-1", campaign="table-1")
    row = store.put_inbox(mail).id
    table.now = deadline + 60_000
    table.go()
    assert closings(table) == {}
    store.finish_inbox(row, "done", "nothing to record")
    table.go()
    assert closings(table)[FIRST] == "its deadline has passed"


def test_at_once_closes_after_the_grace_when_orders_are_in(tmp_path: Path) -> None:
    table = Table(tmp_path, replace(WANTED, closing="at_once", grace_minutes=10))
    table.go()
    table.say("japan", "buy 3 inf")
    table.go()
    assert closings(table) == {}
    table.later(9 / 60)
    table.go()
    assert closings(table) == {}
    table.later(1 / 60)
    table.go()
    assert closings(table)[FIRST] == "all are ready"


def test_without_hours_a_window_waits_for_ever(tmp_path: Path) -> None:
    table = Table(tmp_path, replace(WANTED, orders_hours=None))
    table.go()
    table.later(24 * 365)
    assert table.go().next_look is None
    assert closings(table) == {}


def test_to_advance_again_changes_nothing(table: Table) -> None:
    size = table.state.size
    assert table.go().appended == 0
    assert table.state.size == size


def test_the_closing_opens_the_orders_before_the_first_die(table: Table) -> None:
    table.say("japan", "2 inf, 1 art Kwangsi -> Yunnan\nready")
    table.go()
    [closed] = [event for event in table.events("window_closed") if event.payload["window"] == FIRST]
    assert closed.readers is None and "2 infantry" in str(closed.payload)
    assert all(event.seq > closed.seq for event in table.events("dice_rolled"))
    assert table.events("dice_rolled")
