"""A process tree: starts children, starts dead ones again, and ends them in order. It knows nothing of what they do."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from workers.serve import CANNOT_START, CHILD

_logger = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_STEADY = 30.0
"""Seconds after which a child counts as running well, so that its next death is forgiven quickly again."""


class CannotStart(Exception):
    """A child says that it cannot run as it was told to; its own words stand in the log."""


@dataclass
class Child:
    """One kind of process, and the one that runs now."""

    name: str
    arguments: Sequence[str]
    patience: float = 10.0
    """Seconds from SIGTERM to SIGKILL."""
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = _FIRST_PAUSE
    again_at: float = 0.0

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self.process is not None and self.process.poll() is None


@dataclass
class Tree:
    """Children with one environment. They run in sessions of their own: a Ctrl-C reaches only this process."""

    environment: Mapping[str, str]
    children: list[Child] = field(default_factory=list)
    clock: Callable[[], float] = time.monotonic

    def start(self, child: Child) -> None:
        """Start a child; it is watched from now on."""
        child.process = subprocess.Popen(
            [sys.executable, "-m", *child.arguments],
            env={**os.environ, **self.environment, CHILD: "1"},
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        child.started = self.clock()
        if child not in self.children:
            self.children.append(child)
        _logger.info("%s is process %d", child.name, child.process.pid)

    def watch(self) -> None:
        """Look once at every child and start the dead ones again. Raises CannotStart."""
        now = self.clock()
        for child in self.children:
            if child.process is None or child.process.poll() is None:
                continue
            code = child.process.returncode
            if child.again_at == 0.0:
                if code == CANNOT_START:
                    raise CannotStart(f"{child.name} cannot start; see above")
                child.pause = _FIRST_PAUSE if now - child.started > _STEADY else min(child.pause * 2, _LONGEST_PAUSE)
                child.again_at = now + child.pause
                _logger.warning("%s ended (%d); again in %.1f s", child.name, code, child.pause)
            elif now >= child.again_at:
                child.again_at = 0.0
                self._close(child)
                self.start(child)

    def stop(self) -> None:
        """End all children, the last started first; who does not end in time is killed."""
        for child in reversed(self.children):
            if child.running and child.process is not None:
                child.process.terminate()
                try:
                    child.process.wait(timeout=child.patience)
                except subprocess.TimeoutExpired:
                    _logger.warning("%s did not end in time", child.name)
                    child.process.kill()
                    child.process.wait()
            self._close(child)

    def _close(self, child: Child) -> None:
        if child.process is not None and child.process.stdin is not None:
            child.process.stdin.close()
