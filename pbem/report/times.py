"""Moments as players read them: in their own time zone and in UTC, in their language. Nobody's clock is asked."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

UTC_NAMES = frozenset(("UTC", "Etc/UTC", "Universal", "Zulu"))
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAYS_ZH = "一二三四五六日"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def zone_of(name: str) -> tzinfo:
    """A time zone by its IANA name; UTC for a name nobody knows."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def moment(at: int, language: str, zone: tzinfo = UTC) -> str:
    """`Thu 14 Mar 2024, 21:00` or `2024年3月14日 週四 21:00`; seconds only where there are some."""
    there = datetime.fromtimestamp(at // 1000, zone)
    clock = f"{there:%H:%M:%S}" if there.second else f"{there:%H:%M}"
    if language == "zh":
        return f"{there.year}年{there.month}月{there.day}日 週{DAYS_ZH[there.weekday()]} {clock}"
    return f"{DAYS[there.weekday()]} {there.day} {MONTHS[there.month - 1]} {there.year}, {clock}"


def both(at: int, language: str, zone_name: str) -> str:
    """A moment in the player's own zone with its UTC behind it; only UTC for a player who lives by it.

    The offset is printed too, so that the hour that exists twice in autumn is never in doubt.
    """
    zone = zone_of(zone_name)
    utc = moment(at, language)
    there = datetime.fromtimestamp(at // 1000, zone)
    offset = there.utcoffset()
    if zone is UTC or offset is None or zone_name in UTC_NAMES:
        return f"{utc} UTC"
    minutes = int(offset.total_seconds()) // 60
    sign = "+" if minutes >= 0 else "-"
    shift = f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
    here = moment(at, language, zone)
    return f"{here} ({zone_name}, UTC{shift}) = {utc} UTC"
