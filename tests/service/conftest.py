"""The fixture campaign for every test of this folder, and real databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.kit import Table, open_table
from tests.support.postgres import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url", "table"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Campaign p40-17, Japan's window open, half past twelve."""
    return open_table(tmp_path)
