"""One measured figure, with what it is compared to."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` in `unit`; `peer` names what was measured beside it in the same run, `aim` what is wanted."""

    name: str
    value: float
    unit: str
    peer: str = ""
    peer_value: float | None = None
    aim: str = ""

    def line(self) -> str:
        """For people."""
        text = f"{self.name:42} {self.value:12,.2f} {self.unit:12}"
        if self.peer_value is not None:
            text += f" {self.peer}: {self.peer_value:,.2f}, ratio {self.value / self.peer_value:.2f}"
        return f"{text}  (aim: {self.aim})" if self.aim else text


def best_of(runs: int, work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the fastest of several runs: what the work costs when nothing else disturbs it."""
    times = []
    for _ in range(runs):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)
