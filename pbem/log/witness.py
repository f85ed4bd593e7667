"""A witness on disk: one small file per campaign with the last checkpoint that was signed.

It belongs where a restore of the database does not put it back: another disk, or the mail archive's.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class FileWitness:
    """Keeps `CAMPAIGN.checkpoint` files in a directory; safe for several processes of one machine."""

    def __init__(self, directory: Path | str) -> None:
        self._directory = Path(directory)
        self._directory.mkdir(parents=True, exist_ok=True)

    def last(self, campaign: str) -> str | None:
        """The note remembered."""
        try:
            return self._path(campaign).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def record(self, campaign: str, note: str, instead_of: str | None) -> bool:
        """Remember this note if `instead_of` is still the last one; on disk when this returns."""
        path = self._path(campaign)
        with open(self._directory / "lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.last(campaign) != instead_of:
                return False
            fresh = path.with_suffix(".new")
            with open(fresh, "w", encoding="utf-8") as file:
                file.write(note)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, path)
            directory = os.open(self._directory, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)
        return True

    def _path(self, campaign: str) -> Path:
        return self._directory / f"{campaign}.checkpoint"
