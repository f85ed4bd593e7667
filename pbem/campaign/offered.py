"""The orders that a rewind made void, and how the one word `same` gives them again.

An offer stands for the window its orders were given for, and only until it is taken or written anew; answers in
mid-battle are never offered, for whoever gave them had seen dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.board.state import State
from pbem.campaign.load import Loaded
from pbem.campaign.referee import Referee
from pbem.log.event import Event
from pbem.orders.read import LineResult
from pbem.rules.order_model import Same, from_json

Line = Mapping[str, Any]
STANDING = ""
"""Window under which standing orders are offered: they belong to none."""


def offered_in(stretch: Iterable[Event], window: str | None = None) -> dict[str, list[Line]]:
    """By power the last orders of a void stretch: all of them, or those given for one window and standing orders."""
    filed: dict[str, dict[tuple[str, str], list[Line]]] = {}
    for event in stretch:
        if not event.readable or event.type not in ("orders_received", "standing_orders_given"):
            continue
        body = event.payload
        own = filed.setdefault(body["power"], {})
        if event.type == "standing_orders_given":
            own[STANDING, ""] = list(body["orders"])
        elif window is None or body.get("window") == window:
            for phase, lines in body["phases"].items():
                own[body.get("window", ""), phase] = list(lines)
    return {
        power: lines for power, parts in filed.items() if (lines := [line for part in parts.values() for line in part])
    }


def offered(referee: Referee, loaded: Loaded) -> dict[str, list[Line]]:
    """What `same` would give now: the orders for an open window that the last rewind made void."""
    if not loaded.rewinds:
        return {}
    last = loaded.rewinds[-1]
    stretch = list(referee.store.read(loaded.play.campaign, last.to, last.seq))
    found: dict[str, list[Line]] = {}
    for window in _open_orders(loaded.play.now):
        for power, lines in offered_in(stretch, window).items():
            found.setdefault(power, []).extend(line for line in lines if line not in found.get(power, ()))
    return found


def _open_orders(state: State) -> list[str]:
    return [window.id for window in state.windows.values() if window.kind == "orders"]


def with_offered(
    referee: Referee, loaded: Loaded, powers: Sequence[str], results: Sequence[LineResult]
) -> list[LineResult]:
    """The lines read, with the orders on offer in place of the word `same`; refused where nothing is on offer."""
    if not any(isinstance(result.order, Same) for result in results):
        return list(results)
    offers = offered(referee, loaded)
    out: list[LineResult] = []
    for result in results:
        if not isinstance(result.order, Same):
            out.append(result)
            continue
        own = [(power, line) for power in powers for line in offers.get(power, ())]
        if not own:
            reason = "there is nothing to confirm: no orders of yours were made void for the window that is open now"
            out.append(replace(result, status="refused", order=None, canonical="", reason=reason))
            continue
        out.append(result)
        out.extend(
            LineResult(result.line, line["text"], "accepted", from_json(line["order"]), line["text"], power=power)
            for power, line in own
        )
    return out
