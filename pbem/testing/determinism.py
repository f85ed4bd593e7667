"""Prints everything that recorded turns give, so that two runs can be compared byte by byte.

`python -m pbem.testing.determinism` needs the standard library alone: it plays with the pure core. tools/determinism.sh
runs it on every CPython found, under several hash seeds.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from typing import Any

from pbem.board.state import state_to_json
from pbem.campaign.filing import file_lines, phase_of_window
from pbem.campaign.play import Play, begin, closing, run, run_on
from pbem.demo.script import SCRIPTS, Script
from pbem.dice.source import SeededThrowaway
from pbem.games.catalog import rule_set
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.respond import StandingResponder
from pbem.rules.setup import start_events
from pbem.rules.tape import TapeEvent


def start(script: Script, name: str) -> Play:
    """A campaign of a demonstration's game, in memory."""
    rules = rule_set(script.game, script.edition, script.variants, script.options)
    created = {
        "game": script.game,
        "edition": rules.edition,
        "variants": list(script.variants),
        "options": dict(script.options),
        "rules_version": rules.version,
        "seats": {player: list(powers) for player, powers in script.seats.items()},
    }
    return begin(name, rules, [("campaign_created", created), *start_events(rules)])


def play_turn(play: Play, script: Script, seed: str) -> tuple[Play, tuple[TapeEvent, ...]]:
    """One segment with the script's lines for it; gives everything that happened, inputs included, in order."""
    everything: list[TapeEvent] = []

    def note(facts: Play, before: Play) -> None:
        everything.extend(facts.tape[len(before.tape) :])

    told = run_on(play, SeededThrowaway(seed), StandingResponder(), now=0, may_close=lambda window: False)
    everything.extend(told.events)
    play = told.play
    if told.outcome is None or told.outcome.waiting is None:
        return play, tuple(everything)
    names = gazetteer(script.game, script.edition)
    for power in told.outcome.waiting.window.powers:
        text = script.text(told.outcome.waiting.window.id.partition(":")[0], play.now.round, power)
        phase = phase_of_window(play.now, (power,))
        context = ReadContext(script.game, script.edition, script.variants, powers=(power,), phase=phase)
        results = read_orders(text, names, context)
        lines = [(result.order, result.canonical) for result in results if result.order is not None]
        cards = play.rules.parameters.get("cards_of_own_turn", ())
        filing = file_lines(power, lines, play.now, turn=True, turn_cards=cards)
        payload = {"power": power, "phases": {phase: list(rows) for phase, rows in filing.phases.items()}}
        facts: list[tuple[str, dict[str, Any]]] = [("orders_received", payload)]
        if filing.standing is not None:
            facts.append(("standing_orders_given", {"power": power, "orders": list(filing.standing)}))
        filed = play.with_facts(facts, 0)
        note(filed, play)
        play = filed
    while True:
        outcome = run(play, SeededThrowaway(seed), StandingResponder(), now=0)
        if outcome is None:
            return play, tuple(everything)
        if outcome.difference is not None:
            raise AssertionError(f"the script differs from its own tape: {outcome.difference}")
        everything.extend(outcome.events)
        play = play.plus(outcome.events)
        if outcome.waiting is None:
            return play, tuple(everything)
        closed = play.with_facts([("window_closed", closing(play, outcome.waiting.window, "scripted"))], 0)
        note(closed, play)
        play = closed


def lines_of(names: Iterable[str]) -> Iterable[str]:
    """For each game named: every event of its recorded turns and the position after each turn, as JSON."""
    for game in names:
        script = SCRIPTS[game]()
        play = start(script, f"{game}-determinism")
        for _ in range(script.length):
            play, events = play_turn(play, script, game)
            for event in events:
                row = [event.seq, event.type, event.payload, list(event.rules), event.readers]
                yield json.dumps(row, ensure_ascii=False)
            yield json.dumps(state_to_json(play.base), ensure_ascii=False)


def digest(names: Iterable[str]) -> str:
    """One hash over all of it."""
    found = hashlib.sha256()
    for line in lines_of(names):
        found.update(line.encode() + b"\n")
    return found.hexdigest()


def main() -> None:
    """Print a hash for each game, played in both orders of games."""
    games = sorted(SCRIPTS)
    for game in (*games, *reversed(games)):
        sys.stdout.write(f"{game} {digest([game])}\n")


if __name__ == "__main__":
    main()
