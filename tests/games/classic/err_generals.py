"""Players of the advanced retreats who are asked everything and answer in mid-battle, as chance has it.

They read what a question offers and write one of the lines that its mail would show, or a retreat of their own in which
each kind of unit goes one of the ways that the question lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from pbem.board.state import State
from pbem.campaign.play import Play, Told, closing, run
from pbem.dice.source import SeededThrowaway
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.respond import StandingResponder
from pbem.orders.write import write
from pbem.report.ways_out import answers
from pbem.rules.order_model import Buy, Order, Pick, Research, Retreat, RetreatPart, Rocket
from pbem.rules.ruleset import RuleSet
from pbem.rules.tape import Emitted, filed_line
from pbem.testing.chance import with_orders
from tests.games.classic.generals import standing_orders, turn_orders

ASKED = ("retreat", "break_off", "last_resort", "consent", "withdraw", "aim", "land")
LATER_PARTS = ("moves_of_ships", "moves_on_land")
HOW = {"land": None, "sea": None, "fly": None, "break_off": "break_off", "aboard": "evacuate", "ashore": "evacuate"}


@dataclass(slots=True)
class Talk:
    """What was asked and answered in a campaign: questions by kind, units that left by how, lines of mails.

    `refused` are those of the last that the rules refused when they were carried out.
    """

    asked: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    written: set[tuple[str, str]] = field(default_factory=set)
    refused: list[tuple[str, str]] = field(default_factory=list)


def turn_with_answers(play: Play, seed: int, chance: Random, talk: Talk) -> tuple[Told, Play]:
    """One turn to its end; questions in mid-battle and windows of a later part are answered when they open.

    Also the campaign before the turn with the whole tape of it, inputs included.
    """
    segment = play.rules.next_segment(play.rules, play.now)
    assert segment is not None
    active = segment.seat[0]
    play = with_orders(play, active, chance, standing_orders, turn_orders)
    told: list[Emitted] = []
    while True:
        outcome = run(
            play, SeededThrowaway(seed), StandingResponder(), now=0,
            must_ask=lambda decision, state: decision.kind in ASKED,
        )  # fmt: skip
        assert outcome is not None
        told += outcome.events
        if outcome.finished:
            tape = (*play.tape, *outcome.events)
            whole = replace(play, tape=tape, next_seq=tape[-1].seq + 1)
            return Told(play.plus(outcome.events), tuple(told), outcome), whole
        assert outcome.waiting is not None, outcome
        window = outcome.waiting.window
        play = play.plus(outcome.events)
        if window.kind == "orders" and window.id.rpartition(":")[2] in LATER_PARTS:
            play = with_orders(play, active, chance, standing_orders, more_moves)
        for power in window.powers if window.kind != "orders" else ():
            asks = [ask for ask in window.asks if ask["power"] == power]
            lines = [line for ask in asks for line in _answer(play, ask, chance, talk)]
            play = play.with_facts([("decision_given", {"window": window.id, "power": power, "answers": lines})], 0)
        play = play.with_facts([("window_closed", closing(play, window, "in memory"))], 0)


def more_moves(rules: RuleSet, state: State, power: str, chance: Random) -> list[Order]:
    """Orders for a later part of a turn: what belonged to the time before the first is over."""
    return [line for line in turn_orders(rules, state, power, chance) if not isinstance(line, Buy | Research | Rocket)]


def _answer(play: Play, ask: Mapping[str, Any], chance: Random, talk: Talk) -> Iterator[dict[str, Any]]:
    """A line of the mail, a plan of one's own, or silence."""
    talk.asked[ask["kind"]] += 1
    names = gazetteer("classic", play.rules.edition)
    if ask.get("options") and ask["kind"] == "retreat" and chance.random() < 0.4:
        order = _own_plan(ask, chance)
        yield filed_line(order, write(order, names))
        return
    lines = list(answers(ask, play.rules.board))
    if lines and chance.random() < 0.9:
        text = chance.choice(lines)
        context = ReadContext("classic", play.rules.edition, play.rules.variants, (ask["power"],), "conduct_combat")
        (read,) = read_orders(text, names, context)
        assert read.order is not None, (text, read)
        talk.written.add((ask["key"], read.text))
        yield filed_line(read.order, read.text)


def _own_plan(ask: Mapping[str, Any], chance: Random) -> Order:
    """Every kind of unit goes one or two of the ways that the question lists for it, or is not named."""
    parts: list[RetreatPart] = []
    aboard = RetreatPart((Pick("landed"),), None, "re_embark")
    for row in ask["options"]:
        ways = [way for way in row.get("to", ()) if way["how"] in HOW]
        if not ways or chance.random() < 0.1:
            continue
        left = row["count"]
        for way in chance.sample(ways, min(len(ways), 2)):
            some = left if chance.random() < 0.6 else chance.randint(0, left)
            left -= some
            by_ship = way["how"] in ("aboard", "ashore")
            if some and ask["side"] == "attack" and by_ship:
                parts += [] if aboard in parts else [aboard]
                if way["how"] == "ashore":
                    parts.append(RetreatPart((Pick(row["kind"], some),), way["space"], "unload"))
            elif some:
                to = None if way["how"] in ("break_off", "aboard") else way["space"]
                parts.append(
                    RetreatPart((Pick(row["kind"], some),), to, HOW[way["how"]], way["via"] if by_ship else None)
                )
    return Retreat(ask["space"], None, None, tuple(parts))


def note(told: Told, talk: Talk) -> None:
    """Count the retreats of a turn, and lines of mails that were refused when they were carried out."""
    for event in told.events:
        body = event.payload
        if event.type == "decisions_taken":
            for row in body["decisions"]:
                value = row["value"]
                for goes in value.get("goes", ()) if isinstance(value, Mapping) else ():
                    talk.left[f"{row['kind']} {goes[1]}"] += 1
        elif event.type == "answer_refused" and (body["key"], body["text"]) in talk.written:
            talk.refused.append((body["text"], body["reason"]))
    talk.written.clear()
