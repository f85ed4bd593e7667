"""Moments in the player's zone and in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.report.times import both, moment


def at(*parts: int) -> int:
    """Milliseconds of a moment in UTC."""
    return int(datetime(*parts, tzinfo=UTC).timestamp()) * 1000  # type: ignore[misc, arg-type]


def test_both_zones_are_named_with_their_dates() -> None:
    assert both(at(2024, 3, 14, 23, 30), "en", "Asia/Taipei") == (
        "Fri 15 Mar 2024, 07:30 (Asia/Taipei, UTC+08:00) = Thu 14 Mar 2024, 23:30 UTC"
    )


def test_the_hour_that_exists_twice_is_told_apart() -> None:
    first, second = (both(at(2024, 10, 27, hour, 30), "en", "Europe/Berlin") for hour in (0, 1))
    assert "02:30 (Europe/Berlin, UTC+02:00)" in first
    assert "02:30 (Europe/Berlin, UTC+01:00)" in second


def test_utc_alone_and_zones_nobody_knows_are_said_once() -> None:
    for name in ("UTC", "Mars/Olympus", "", "../../etc/passwd"):
        said = both(at(2024, 3, 14, 13, 0), "en", name)
        assert said == "Thu 14 Mar 2024, 13:00 UTC"


def test_chinese_dates() -> None:
    assert moment(at(2024, 3, 14, 13, 0), "zh") == "2024年3月14日 週四 13:00"
