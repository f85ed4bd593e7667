"""Dry runs of orders and answers: what the rules would refuse, found by running the very scripts in memory.

Nobody else's hidden orders take part: opponents answer by default, so a check gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.board.state import State, orders_key
from pbem.board.view import view
from pbem.campaign.check import Optimistic, optimistic_dice, sober_dice
from pbem.campaign.play import NO_ORDERS, Foreseen, Play, asked_on, closing, run_on
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import STANDING, Research, from_json
from pbem.rules.vocabulary import foreign_line

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Checked:
    """A line that the rules refuse: its canonical text, the phase, why, by which rule, and what would be right.

    `doubtful`: only in part, or only if research brings nothing; the line stands, and the player is told.
    """

    text: str
    phase: str
    reason: str
    rule: str | None
    suggestion: str | None = None
    doubtful: bool = False


def check_orders(play: Play, power: str, phases: Mapping[str, Sequence[Line]]) -> Iterator[Checked]:
    """Run the rest of the turn in memory with these lines in place of the filed ones; yield what is refused."""
    if not phases:
        return
    for phase, filed in phases.items():
        yield from lines_of_other_games(play, phase, filed)
    lines = _of_this_game(play, phases)
    if not any(lines.values()):
        return
    answered = play.with_facts([("orders_received", {"power": power, "phases": lines})], 0)
    refused = list(_refused(answered, power, play.next_seq, optimistic_dice(play.rules)))
    research = answered.now.orders.get(orders_key(power, "research"), ())
    if "dry_run_sober_faces" in play.rules.parameters and any(
        row["order"]["type"] == Research.type for row in research
    ):
        refused = _without_breakthrough(refused, _refused(answered, power, play.next_seq, sober_dice(play.rules)))
    yield from refused


def _refused(play: Play, power: str, known: int, dice: Optimistic) -> Iterator[Checked]:
    """What the rules refuse of the lines of a power when the turn is played with these dice."""
    told = run_on(
        play,
        dice,
        Foreseen(frozenset((power,)), known),
        now=0,
        may_close=lambda window: True,
        must_ask=asked_on(play.tape),
        stop_when=lambda event: False,
    )
    for event in told.events:
        if event.type == "order_refused" and event.payload["power"] == power:
            body = event.payload
            yield Checked(body["text"], body["phase"], body["reason"], body["rule"], body.get("suggestion"))
        elif event.type == "answers_weighed" and event.payload["power"] == power:
            for row in event.payload["refused"]:
                if not (row.get("by_chance") or row.get("lapsed") or row.get("idle")):
                    moment = event.payload["moment"]
                    yield Checked(row["text"], moment, row["reason"], row["rule"], row.get("suggestion"))


def _without_breakthrough(always: Sequence[Checked], sober: Iterator[Checked]) -> list[Checked]:
    """What is refused whatever research brings, told by what is there without it; behind it what needs a breakthrough.

    The money left and the moves that are possible are told as they will most likely be, not as luck would have them.
    """
    left = list(sober)
    out: list[Checked] = []
    for lucky in always:
        same = next((row for row in left if (row.text, row.phase) == (lucky.text, lucky.phase)), None)
        if same is not None:
            left.remove(same)
        out.append(same or lucky)
    for row in left:
        out.append(replace(row, reason=f"Without a breakthrough it is refused: {row.reason}", doubtful=True))
    return out


def lines_of_other_games(play: Play, phase: str, lines: Sequence[Line]) -> Iterator[Checked]:
    """Lines of a kind that this game, with the variants that are on, does not have."""
    for line in lines:
        verdict = foreign_line(play.rules, from_json(line["order"]))
        if verdict is not None:
            yield Checked(line["text"], phase, verdict.reason, verdict.rule, verdict.suggestion)


def _of_this_game(play: Play, phases: Mapping[str, Sequence[Line]]) -> dict[str, list[Line]]:
    """Orders by phase without those of other games; how the rest is played and words for the dice are no orders."""
    return {
        phase: [line for line in filed if foreign_line(play.rules, from_json(line["order"])) is None]
        for phase, filed in phases.items()
        if phase not in NO_ORDERS
    }


def check_answers(
    play: Play, power: str, answers: Sequence[Line], phases: Mapping[str, Sequence[Line]] | None = None
) -> Iterator[Checked]:
    """Answers and standing orders that can never be legal in the position as that power may see it.

    `phases`: orders that come in with them, so that a retreat is judged with the landing of the same mail.
    """
    yield from lines_of_other_games(play, "answers", answers)
    if "check_answer" not in play.rules.judgements or not answers:
        return
    moving = any(window.kind == "orders" and power in window.powers for window in play.now.windows.values())
    state = view(after_moves(_filed(play, power, phases or {}), power) if moving else play.now, frozenset((power,)))
    sealed = [line for line in answers if line["order"]["type"] in play.rules.parameters.get("sealed_answers", ())]
    if sealed:
        for line, refusal in play.rules.judge("check_sealed", state, power, sealed):
            yield Checked(line["text"], "answers", refusal.reason, refusal.rule, refusal.suggestion)
    for line in answers:
        order = from_json(line["order"])
        if isinstance(order, STANDING):
            verdict = play.rules.judge("check_answer", state, power, order)
            if isinstance(verdict, Refusal):
                yield Checked(line["text"], "answers", verdict.reason, verdict.rule, verdict.suggestion)


def _filed(play: Play, power: str, phases: Mapping[str, Sequence[Line]]) -> Play:
    """The play with these orders in place of those filed before, as far as this game has such orders."""
    lines = _of_this_game(play, phases)
    return play.with_facts([("orders_received", {"power": power, "phases": lines})], 0) if lines else play


def check_given(play: Play, power: str, answers: Sequence[Line]) -> Iterator[Checked]:
    """Answers to the question of an open window that the rules would refuse, found by closing it in memory.

    Lines of which only a part is refused take effect; what is refused of them is told as doubtful.
    """
    asked = (window for window in play.now.windows.values() if window.kind == "decisions" and power in window.powers)
    window = next(asked, None)
    if window is None or not answers:
        return
    given: dict[str, Any] = {"power": power, "window": window.id, "answers": list(answers)}
    answered = play.with_facts([("decision_given", given)], 0)
    told = run_on(
        answered.with_facts([("window_closed", closing(answered, window, "in memory"))], 0),
        optimistic_dice(play.rules),
        Foreseen(frozenset((power,)), play.next_seq),
        now=0,
        may_close=lambda other: False,
        must_ask=asked_on(play.tape),
        stop_when=lambda event: event.type == "decisions_taken",
    )
    keys = {ask["key"] for ask in window.asks}
    for event in told.events:
        body = event.payload
        if event.type == "answer_refused" and body["power"] == power and body["key"] in keys:
            partly = bool(body.get("partly"))
            reason = f"A part of it is refused: {body['reason']}" if partly else body["reason"]
            yield Checked(body["text"], "answers", reason, body["rule"], body.get("suggestion"), partly)


def after_moves(play: Play, power: str) -> State:
    """The position when the combat moves filed so far are made and no die is rolled: what answers are judged on."""
    told = run_on(
        play,
        optimistic_dice(play.rules),
        Foreseen(frozenset((power,)), play.next_seq),
        now=0,
        may_close=lambda window: window.kind == "orders",
        must_ask=asked_on(play.tape),
        stop_when=lambda event: event.type == "phase_ended" and event.payload["phase"] == "combat_move",
    )
    return told.outcome.state if told.outcome is not None and told.outcome.stopped else play.now
