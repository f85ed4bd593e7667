"""Lines come in: laid over what is in force, refused with a reason, recorded and answered in one append, never lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.answer import Answer
from pbem.campaign.create import CampaignWanted
from pbem.campaign.submit import Submission, submit
from pbem.log.event import NewEvent
from pbem.log.store import InboxTaken, NewInbox
from pbem.testing.campaigns import everybody
from pbem.testing.table import Table

POWERS = ("japan", "usa", "china", "uk", "anzac")
WANTED = CampaignWanted("table-1", "p40", "2e", (), {}, everybody(POWERS, {"allies": POWERS[1:]}))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Japan's first window is open; one player leads all Allies."""
    begun = Table(tmp_path, WANTED)
    begun.go()
    return begun


def reasons(answer: Answer) -> list[str]:
    """Why lines were refused."""
    return [line.reason or "" for line in answer.lines if line.status == "refused"]


def test_accepted_lines_are_in_force_and_the_answer_is_queued_with_them(table: Table) -> None:
    answer = table.say("japan", "buy 3 inf\n2 inf Kwangsi -> Hunan")
    assert [line.status for line in answer.lines] == ["accepted", "accepted"]
    assert answer.in_force == {
        "japan": {"purchase": ("buy 3 infantry",), "combat_move": ("2 infantry Kwangsi -> Hunan",)}
    }
    [received] = table.events("orders_received")
    assert received.readers == ("japan",) and received.actor == "japan"
    [row] = [row for row in table.referee.store.outbox("table-1", "queued", limit=50) if row.kind == "answer"]
    assert row.cause == received.seq


def test_each_slip_gets_its_own_reason_and_the_good_lines_stand(table: Table) -> None:
    answer = table.say("japan", "buy 2 infx\n3 inf Kwangsi -> Atlantis\n1 inf Kwangsi -> Yunan\nbuy 3 inf")
    assert [line.status for line in answer.lines] == ["refused", "refused", "refused", "accepted"]
    assert answer.lines[0].suggestions == ("buy 2 infantry",)
    assert "Atlantis" in reasons(answer)[1]
    assert "1 inf Kwangsi -> Yunnan" in answer.lines[2].suggestions
    assert answer.in_force["japan"] == {"purchase": ("buy 3 infantry",)}


def test_a_line_that_the_rules_refuse_names_the_rule_and_is_not_recorded(table: Table) -> None:
    answer = table.say("japan", "buy 40 battleship")
    [line] = answer.lines
    assert line.status == "refused" and (line.rule or "").startswith("P40-")
    assert table.events("orders_received") == []


def test_a_new_mail_replaces_the_phases_it_speaks_of_and_says_what_is_gone(table: Table) -> None:
    table.say("japan", "buy 3 inf\n2 inf Kwangsi -> Hunan")
    answer = table.say("japan", "buy 1 artillery")
    assert answer.gone == ("buy 3 infantry",)
    assert answer.in_force["japan"] == {
        "purchase": ("buy 1 artillery",),
        "combat_move": ("2 infantry Kwangsi -> Hunan",),
    }
    assert table.say("japan", "cancel purchase").in_force["japan"]["purchase"] == ()


def test_adding_keeps_what_was_there(table: Table) -> None:
    table.say("japan", "buy 3 inf")
    answer = table.say("japan", "add\nbuy 1 artillery")
    assert answer.in_force["japan"]["purchase"] == ("buy 3 infantry", "buy 1 artillery")
    assert answer.gone == ()


def test_another_players_power_is_not_to_be_commanded(table: Table) -> None:
    answer = table.say("japan", "china: 1 inf Yunnan -> Hunan")
    assert reasons(answer) == ["you do not play China; you play Japan"]
    assert table.events("orders_received") == []


def test_who_plays_several_powers_says_for_which_one_a_line_is(table: Table) -> None:
    [why] = reasons(table.say("allies", "ready"))
    assert why.startswith("for which power? you play United States, China, United Kingdom and ANZAC")
    assert "the campaign waits for Japan" in why


def test_nothing_is_awaited_from_who_is_not_on_turn(table: Table) -> None:
    answer = table.say("allies", "china: ready")
    assert reasons(answer) == ["nothing is awaited from China now (the campaign waits for Japan)"]
    assert table.events("ready_given") == []


def test_orders_after_the_deadline_are_refused_and_those_that_came_before_count(table: Table) -> None:
    deadline = table.state.windows["r1.japan:moves"].deadline
    assert deadline is not None
    assert reasons(table.say("japan", "buy 3 inf", received_at=deadline)) == []
    [late] = reasons(table.say("japan", "buy 1 artillery", received_at=deadline + 1))
    assert late == "it came after the deadline of Japan, round 1 (moves); nothing was recorded"
    assert table.say("japan", "").in_force["japan"] == {"purchase": ("buy 3 infantry",)}


def test_orders_for_a_phase_that_is_over_are_refused_and_it_says_what_is_due(table: Table) -> None:
    table.say("japan", "buy 3 inf\nready")
    table.go()
    while not any(window.kind == "orders" for window in table.state.windows.values()):
        for power in next(iter(table.state.windows.values())).powers:
            table.say("allies", f"{power}: ready")
        table.go()
    [window] = table.state.windows.values()
    [why] = reasons(table.say("japan", "buy 1 artillery"))
    assert why.startswith("the purchase of this turn is over; now is the time for ")
    assert window.phases[0].replace("_", " ") in why


def test_saying_the_same_again_records_nothing_new(table: Table) -> None:
    table.say("japan", "STANDING ORDERS\nretreat if odds < 30%")
    again = table.say("japan", "STANDING ORDERS\nretreat if odds < 30%")
    assert again.standing == {"japan": ("if odds < 30%: retreat",)}
    assert len(table.events("standing_orders_given")) == 1


def test_when_somebody_appended_in_between_the_lines_are_considered_anew(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = table.referee.store
    append = store.append
    between: list[int] = []

    def meddled(campaign: str, expected: int, events: Sequence[NewEvent], **more: Any) -> Any:
        if not between:
            between.append(expected)
            append(campaign, expected, [NewEvent(type="press_sent", payload={"text": "hello"}, at=1)])
        return append(campaign, expected, events, **more)

    monkeypatch.setattr(store, "append", meddled)
    answer = table.say("japan", "buy 3 inf")
    assert between and answer.in_force["japan"] == {"purchase": ("buy 3 infantry",)}
    assert [event.seq for event in table.events("press_sent", "orders_received")] == [between[0], between[0] + 1]
    assert answer.seq == between[0] + 1


def test_a_mail_is_recorded_once_however_often_it_is_worked_on(table: Table) -> None:
    row = table.referee.store.put_inbox(NewInbox(source="test", dedupe_key="mail-1", received_at=1, raw=b"x")).id
    lines = Submission("table-1", "japan", "buy 3 inf", table.now, 7, inbox_id=row)
    submit(table.referee, lines)
    with pytest.raises(InboxTaken):
        submit(table.referee, lines)
    assert len(table.events("orders_received")) == 1


def test_who_orders_placing_alone_hears_that_he_is_not_asked_again(table: Table) -> None:
    """The rest of the turn is skipped for who filed lines for it; that must not come as a surprise."""
    notes = table.say("japan", "buy 1 infantry\nplace 1 infantry Japan").notes
    assert len(notes) == 1 and notes[0].startswith("Japan will not be asked again after the battles")
    assert table.say("japan", "2 infantry Kwangsi -> Yunnan").notes == ()
    assert len(table.say("japan", "ready").notes) == 1
    assert table.say("japan", "noncombat: 1 infantry Manchuria -> Jehol\nplace 1 infantry Japan\nready").notes == ()
