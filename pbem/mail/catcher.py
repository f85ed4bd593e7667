"""A mail server that keeps everything as .eml files and delivers nothing: for trying the service out, and for tests."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from pbem.mail.serve import MailServer, ServerLimits
from pbem.mail.values import Envelope

_KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789@.+-_")


def folder_name(address: str) -> str:
    """The folder of an address: the address itself, with what is unsafe in a file name replaced."""
    name = "".join(ch if ch in _KEPT else "_" for ch in address.lower())[:200]
    return name.lstrip(".") or "_"


def store(directory: Path, recipient: str, name: str, raw: bytes) -> Path:
    """Write a mail into its recipient's folder, whole or not at all; the same name is written over."""
    folder = directory / folder_name(recipient)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.eml"
    temporary = folder / f".{name}.tmp"
    with temporary.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    return path


class MailCatcher:
    """Listens on `port` (0: a free one) and files each mail under each recipient, in the order of receipt."""

    def __init__(
        self,
        directory: Path,
        clock_ms: Callable[[], int],
        host: str = "127.0.0.1",
        port: int = 0,
        limits: ServerLimits | None = None,
    ) -> None:
        self.directory = directory
        self._count = 0
        self._server = MailServer(
            self._keep,
            lambda address: True,
            hosts=None,
            clock_ms=clock_ms,
            host=host,
            port=port,
            limits=limits or ServerLimits(size=25_000_000, recipients=100),
            name="mail-catcher",
        )

    @property
    def port(self) -> int:
        return self._server.port

    def messages(self, recipient: str) -> list[Path]:
        """The mails of a recipient, oldest first."""
        folder = self.directory / folder_name(recipient)
        return sorted(folder.glob("*.eml")) if folder.is_dir() else []

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        self._server.stop()

    def _keep(self, raw: bytes, envelope: Envelope) -> str:
        self._count += 1
        name = f"{envelope.received_at_ms:014d}-{self._count:06d}-{hashlib.sha256(raw).hexdigest()[:12]}"
        for recipient in envelope.recipients:
            store(self.directory, recipient, name, raw)
        return name

    def __enter__(self) -> MailCatcher:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
