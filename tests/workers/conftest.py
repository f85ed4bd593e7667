"""The fixture campaign, a real Redis, and the service's surroundings over both."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.config import Settings
from pbem.mail.addresses import scheme_for
from tests.service.kit import Table, open_table
from tests.support.redis import redis_server, redis_url
from workers.queue import NoJobs
from workers.surroundings import Surroundings, outlet_of

__all__ = ["here", "redis_server", "redis_url", "table"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Campaign p40-17, Japan's window open, half past twelve."""
    return open_table(tmp_path)


@pytest.fixture
def here(table: Table, tmp_path: Path) -> Surroundings:
    """The surroundings of a process without a queue; mails become files."""
    settings = Settings(mail_directory=str(tmp_path / "mail"))
    scheme = scheme_for(settings.host)
    return Surroundings(settings, table.referee, NoJobs(), scheme, outlet_of(settings, scheme))
