"""A clock that stands still until it is told to move."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


def moment(text: str) -> int:
    """Milliseconds since 1970 UTC of an ISO time such as `2026-08-03T12:30:00Z`."""
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


@dataclass
class SetClock:
    """Gives the time that was set, in milliseconds since 1970 UTC."""

    now: int

    def __call__(self) -> int:
        return self.now

    def set(self, text: str) -> None:
        """Move to an ISO time."""
        self.now = moment(text)

    def pass_time(self, *, hours: float = 0, minutes: float = 0, seconds: float = 0) -> None:
        """Move on."""
        self.now += round((hours * 3600 + minutes * 60 + seconds) * 1000)
