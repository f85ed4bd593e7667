"""Windows, orders and answers: what is asked, filed, spent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.board.draft import Fact, Payload, on
from pbem.board.state import Window, orders_key


@on("window_opened", "windows")
def _window_opened(draft: Any, p: Payload, event: Fact) -> None:
    """{window, kind, powers, phases?, asks?}: the deadline comes by `deadline_set`."""
    draft.windows[p["window"]] = Window(
        p["window"], p["kind"], tuple(p["powers"]), tuple(p.get("phases", ())), tuple(p.get("asks", ())),
        event.at, p.get("deadline"), opened_seq=event.seq,
    )  # fmt: skip


@on("deadline_set", "windows")
def _deadline_set(draft: Any, p: Payload, event: Fact) -> None:
    """{window, deadline, why}: milliseconds UTC, or null for none."""
    window = draft.windows.get(p["window"])
    if window is not None:
        draft.windows[p["window"]] = replace(window, deadline=p["deadline"])


@on("window_closed", "windows", "entropy", "orders")
def _window_closed(draft: Any, p: Payload, event: Fact) -> None:
    """{window, why, texts: {power: text}, entropy: {power: hex}, orders? | answers?}: the sealed is opened.

    `orders` is {power: {phase: lines}} for an orders window, `answers` {power: lines} for decisions. Dice may follow.
    """
    draft.windows.pop(p["window"], None)
    draft.entropy.update(p.get("entropy", {}))
    for power, phases in p.get("orders", {}).items():
        for phase, lines in phases.items():
            draft.orders[orders_key(power, phase)] = tuple(lines)


@on("orders_received", "orders", "windows")
def _orders_received(draft: Any, p: Payload, event: Fact) -> None:
    """{power, phases: {phase: [{text, order}]}, window?}: replaces the orders of each phase named."""
    for phase, lines in p["phases"].items():
        draft.orders[orders_key(p["power"], phase)] = tuple(lines)
    _answered(draft, p, event)


@on("orders_spent", "orders")
def _orders_spent(draft: Any, p: Payload, event: Fact) -> None:
    """{power, phases}: the orders of these phases were carried out and are in force no more."""
    for phase in p["phases"]:
        draft.orders.pop(orders_key(p["power"], phase), None)


@on("decision_given", "windows")
def _decision_given(draft: Any, p: Payload, event: Fact) -> None:
    """{power, window, answers: [{text, order}], unfinished?}: replaces that power's earlier answers in the window.

    `unfinished`: other lines of the mail were refused, so the window still waits for that power.
    """
    _answered(draft, p, event)
    window = draft.windows.get(p["window"])
    if window is not None and p.get("unfinished"):
        others = tuple(power for power in window.answered if power != p["power"])
        draft.windows[window.id] = replace(window, answered=others)


@on("asking_set", "marks")
def _asking_set(draft: Any, p: Payload, event: Fact) -> None:
    """{power, asks: [[decision or null, space or null]]}: when play stops for that power instead of defaulting."""
    draft.marks[f"asking/{p['power']}"] = p["asks"]


@on("ready_given", "windows")
def _ready_given(draft: Any, p: Payload, event: Fact) -> None:
    """{power, window, ready}: the window need (or need not) wait for that power."""
    window = draft.windows.get(p["window"])
    if window is not None:
        others = tuple(power for power in window.ready if power != p["power"])
        draft.windows[window.id] = replace(window, ready=(*others, p["power"]) if p["ready"] else others)


@on("concession_said", "marks")
def _concession_said(draft: Any, p: Payload, event: Fact) -> None:
    """{power, conceding}: a power's player concedes the game, or takes it back."""
    if p["conceding"]:
        draft.marks[f"conceded/{p['power']}"] = True
    else:
        draft.marks.pop(f"conceded/{p['power']}", None)


@on("standing_orders_given", "standing")
def _standing_orders_given(draft: Any, p: Payload, event: Fact) -> None:
    """{power, orders: [{text, order}]}: replaces all standing orders of that power; sealed to it."""
    draft.standing[p["power"]] = tuple(p["orders"])


def _answered(draft: Any, p: Payload, event: Fact) -> None:
    window = draft.windows.get(p.get("window"))
    if window is not None:
        answered = window.answered if p["power"] in window.answered else (*window.answered, p["power"])
        draft.windows[window.id] = replace(window, answered=answered, heard_at=event.at)
