"""What is due is found from the database alone, done once, and never waits for a queue that forgot it."""

from __future__ import annotations

from dataclasses import replace

import redis

from pbem.mail.compose import Composed
from pbem.mail.send import TemporaryFailure
from tests.mail.letters import GOOD_1, letter
from tests.service.kit import CAMPAIGN, DEADLINE, Table
from workers.queue import JOBS, MAILS, NoJobs, RedisJobs
from workers.surroundings import Surroundings
from workers.tick import Due, due_work, purge, tick, work_off


def without_mail(here: Surroundings) -> Surroundings:
    return replace(here, outlet=None)


def test_everything_that_is_due_is_found(table: Table, here: Surroundings) -> None:
    (row,) = table.keep(letter(GOOD_1))
    assert due_work(here) == [Due("handle", row), Due("advance", CAMPAIGN), Due("send")]


def test_what_was_done_is_due_no_more(table: Table, here: Surroundings) -> None:
    quiet = without_mail(here)
    table.keep(letter(GOOD_1))
    assert work_off(quiet) > 0
    assert due_work(quiet) == [] and work_off(quiet) == 0 and Due("send") in due_work(here)
    assert table.in_force() == ["3 infantry Kwangsi -> Yunnan"]


def test_a_deadline_makes_a_campaign_due(table: Table, here: Surroundings) -> None:
    quiet = without_mail(here)
    work_off(quiet)
    table.clock.now = DEADLINE
    assert Due("advance", CAMPAIGN) not in due_work(quiet)
    table.clock.now = DEADLINE + 1
    assert Due("advance", CAMPAIGN) in due_work(quiet)
    work_off(quiet)
    assert table.window.id == "r3.japan:rest"


def test_whoever_forgets_what_was_done_does_it_again_without_effect(table: Table, here: Surroundings) -> None:
    quiet = without_mail(here)
    table.keep(letter(GOOD_1))
    work_off(quiet)
    size = table.referee.store.head(CAMPAIGN).size
    work_off(replace(quiet, jobs=NoJobs()))
    assert table.referee.store.head(CAMPAIGN).size == size


def test_a_mail_that_breaks_our_code_is_held_in_the_end(table: Table, here: Surroundings) -> None:
    (row,) = table.keep(letter(GOOD_1))
    table.referee.store.put_settings(CAMPAIGN, {"mail": "nonsense"})
    work_off(without_mail(here))
    assert table.row(row).status == "unread"
    table.clock.now = DEADLINE + 1
    work_off(without_mail(here))
    assert table.row(row).status == "held"
    assert [mail.recipient for mail in table.mails("moderator_notice")] == ["mod"]
    work_off(without_mail(here))
    assert table.window.id == "r3.japan:rest"  # the window did not wait for ever


def test_mails_that_cannot_be_sent_wait_longer_each_time(table: Table, here: Surroundings) -> None:
    assert here.outlet is not None
    for row in table.referee.store.claim_outbox(table.clock.now, limit=100):
        table.referee.store.mark_sent(row.id, row.claim, table.clock.now)
    table.receive(letter(GOOD_1, first="From: Someone <x@evil.example>\n"))
    (notice,) = table.mails("moderator_notice")
    tries: list[int] = []

    def busy(mail: Composed) -> TemporaryFailure:
        tries.append(table.clock.now)
        return TemporaryFailure(451, "later")

    failing = replace(here, outlet=replace(here.outlet, send=busy))
    for _ in range(30):
        work_off(failing)
        table.clock.pass_time(minutes=1)
    waits = [(later - earlier) // 60_000 for earlier, later in zip(tries, tries[1:], strict=False)]
    assert waits == [1, 2, 5, 15]
    row = table.referee.store.outbox_row(notice.id)
    assert row is not None and (row.state, row.error) == ("queued", "451 later")


def test_old_bytes_are_forgotten(table: Table, here: Surroundings) -> None:
    (row,) = table.keep(letter(GOOD_1))
    work_off(without_mail(here))
    assert purge(here) == 0
    table.clock.pass_time(hours=24 * 91)
    assert purge(here) == 1 and table.row(row).raw is None and table.row(row).sha256


# -- the queue ------------------------------------------------------------------------------------------------------


def test_jobs_carry_ids_only_and_wait_once(table: Table, here: Surroundings, redis_url: str) -> None:
    connection = redis.Redis.from_url(redis_url)
    queued = replace(here, jobs=RedisJobs(connection))
    (row,) = table.keep(letter(GOOD_1))
    assert tick(queued) == tick(queued) == 3
    assert connection.llen(f"rq:queue:{JOBS}") == 2 and connection.llen(f"rq:queue:{MAILS}") == 1
    everything = b"".join(
        connection.dump(key) or b"" for key in connection.scan_iter() if connection.type(key) == b"hash"
    )
    assert b"Kwangsi" not in everything and b"@" not in everything and str(row).encode() in everything


def test_a_job_may_be_queued_again_once_it_has_begun(redis_url: str) -> None:
    connection = redis.Redis.from_url(redis_url)
    jobs = RedisJobs(connection)
    jobs.put("advance", "a")
    jobs.put("advance", "a")
    assert connection.llen(f"rq:queue:{JOBS}") == 1
    jobs.begun("advance", "a")
    jobs.put("advance", "a")
    assert connection.llen(f"rq:queue:{JOBS}") == 2


def test_a_queue_that_cannot_be_reached_harms_nobody() -> None:
    jobs = RedisJobs(redis.Redis.from_url("unix:///nowhere/redis.sock"))
    jobs.put("advance", "a")
    jobs.begun("advance", "a")
    jobs.rest("advance", "a", 5)
    jobs.saw("a", 1, None)
    assert jobs.seen("a") is None
