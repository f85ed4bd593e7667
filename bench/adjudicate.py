"""Milliseconds to adjudicate Japan's whole first turn (and the great second one), orders read and checked before."""

from __future__ import annotations

from bench.figures import Figure, best_of
from pbem.campaign.filing import file_lines
from pbem.campaign.play import Play, run_on
from pbem.demo.script import pacific_1940
from pbem.dice.source import SeededThrowaway
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.respond import StandingResponder
from pbem.testing.determinism import play_turn, start


def filed(round_: int) -> Play:
    """The play at Japan's turn of a round, orders filed, nothing adjudicated."""
    script = pacific_1940()
    play = start(script, "bench")
    for _ in range(5 * (round_ - 1)):
        play, _ = play_turn(play, script, "bench")
    told = run_on(play, SeededThrowaway(1), StandingResponder(), now=0, may_close=lambda window: False)
    results = read_orders(
        script.turns[(round_, "japan")], gazetteer("p40", "2e"), ReadContext("p40", "2e", powers=("japan",))
    )
    lines = [(result.order, result.canonical) for result in results if result.order is not None]
    filing = file_lines("japan", lines, told.play.now)
    payload = {"power": "japan", "phases": {phase: list(rows) for phase, rows in filing.phases.items()}}
    return told.play.with_facts([("orders_received", payload)], 0)


def measure() -> list[Figure]:
    """Two turns."""
    figures = []
    for round_, aim in ((1, "under 30"), (2, "")):
        play = filed(round_)
        seconds = best_of(
            7,
            lambda play=play: run_on(  # type: ignore[misc]
                play, SeededThrowaway(1), StandingResponder(), now=0, may_close=lambda window: True
            ),
        )
        figures.append(Figure(f"adjudicate Japan's turn {round_}", seconds * 1000, "ms", aim=aim))
    return figures
