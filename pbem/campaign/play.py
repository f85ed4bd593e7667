"""One campaign as it stands in memory: the position at the last boundary, the tape since, and how to run on.

Everything here is a function of values; reading and appending are the caller's. The live service, dry runs, what-ifs,
ruling cases and audits all run play through this file, so they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.board.evolve import fold
from pbem.board.state import State, Window, orders_key
from pbem.board.view import public_view
from pbem.dice.deck import DeckSource, ThrowawayDecks
from pbem.dice.entropy import opened_text, text_hash
from pbem.dice.source import DiceSource, SeededThrowaway
from pbem.orders.respond import StandingResponder
from pbem.rules.decisions import Decision
from pbem.rules.order_model import Entropy, from_json
from pbem.rules.ruleset import RuleSet
from pbem.rules.runner import Runner, never_ask
from pbem.rules.tape import INPUT, Emitted, Outcome, Responder, TapeEvent, VoidCards, plain

Line = Mapping[str, Any]
NO_ORDERS: frozenset[str] = frozenset(("rest", "entropy"))
"""Keys under which lines are filed that belong to no phase of the game."""


SHARES_IN_DICE = frozenset(("orders", "reactions"))
"""Kinds of windows whose opened texts enter the dice."""

NO_DECKS = ThrowawayDecks("no decks")
"""Piles of runs that are thrown away, and of games without cards."""
NOTHING_VOID = VoidCards()
"""For campaigns without a rewind."""


@dataclass(frozen=True, slots=True)
class Play:
    """A campaign's rules, the position at the end of the last segment, the live events since, and the next number."""

    campaign: str
    rules: RuleSet
    base: State
    tape: tuple[TapeEvent, ...]
    next_seq: int

    @property
    def now(self) -> State:
        """The position with everything on the tape."""
        return fold(self.base, self.tape)

    def plus(self, events: Iterable[TapeEvent]) -> Play:
        """The same campaign with more events; a segment that ends among them moves the boundary."""
        tape = [*self.tape, *events]
        if not tape:
            return self
        base = self.base
        for index in range(len(tape) - 1, -1, -1):
            if tape[index].type == "segment_ended":
                base, tape = fold(base, tape[: index + 1]), tape[index + 1 :]
                break
        last = tape[-1].seq if tape else base.size - 1
        return replace(self, base=base, tape=tuple(tape), next_seq=last + 1)

    def with_facts(self, facts: Iterable[tuple[str, Mapping[str, Any]]], at: int) -> Play:
        """The same with events that were not stored: for cases, dry runs and what-ifs."""
        events = tuple(
            Emitted(self.next_seq + index, kind, at, plain(payload), ()) for index, (kind, payload) in enumerate(facts)
        )
        return self.plus(events)


def begin(campaign: str, rules: RuleSet, facts: Iterable[tuple[str, Mapping[str, Any]]], at: int = 0) -> Play:
    """A campaign in memory from the events of its set-up; the set-up ends a segment of its own."""
    empty = Play(campaign, rules, State(), (), 0)
    return empty.with_facts([*facts, ("segment_ended", {"segment": "setup"})], at)


def run(
    play: Play,
    dice: DiceSource,
    responder: Responder,
    *,
    now: int,
    must_ask: Callable[[Decision, State], bool] = never_ask,
    void_purposes: Collection[str] = (),
    stop_when: Callable[[Emitted], bool] = lambda event: False,
    decks: DeckSource = NO_DECKS,
    void_cards: VoidCards = NOTHING_VOID,
) -> Outcome | None:
    """Run the next segment against the tape; None if the game is over and nothing is left to run."""
    segment = play.rules.next_segment(play.rules, play.base)
    if segment is None:
        return None
    return Runner(
        campaign=play.campaign,
        rules=play.rules,
        segment_=segment,
        state_=play.base,
        tape=play.tape,
        dice=dice,
        responder=responder,
        next_seq=play.next_seq,
        now=now,
        must_ask=must_ask,
        public_view=public_view,
        void_purposes=void_purposes,
        stop_when=stop_when,
        decks=decks,
        void_cards=void_cards,
    ).execute()


def closing(play: Play, window: Window, why: str, known_to: Collection[str] | None = None) -> dict[str, Any]:
    """The payload of `window_closed`: what was sealed in the window is opened.

    Orders and reactions also enter the entropy map; answers in mid-battle never do, for their writer has seen dice.
    `texts` holds for each power addressed the very text whose hash is its share of the next dice: the canonical
    lines in force and open, each ended by LF, then its ENTROPY line (design: nothing in force is the empty text).

    `known_to`: as these powers may foresee it, so that nothing in it depends on the answers of others.
    """
    state = play.now
    given = {} if window.kind == "orders" else _opened(play, window, known_to)
    texts: dict[str, str] = {}
    orders: dict[str, dict[str, list[Line]]] = {}
    answers: dict[str, list[Line]] = {}
    for power in window.powers:
        if window.kind == "orders":
            filed = {
                phase: list(state.orders.get(orders_key(power, phase), ())) for phase in (*window.phases, "entropy")
            }
            orders[power] = {phase: lines for phase, lines in filed.items() if lines}
            lines = [line for phase in window.phases for line in filed[phase]]
            words = filed["entropy"]
        else:
            answers[power] = given[power]
            lines = [line for line in given[power] if line["order"]["type"] != Entropy.type]
            words = [line for line in given[power] if line["order"]["type"] == Entropy.type]
        share = _entropy_line(words)
        texts[power] = opened_text([line["text"] for line in lines], share)
    out: dict[str, Any] = {"window": window.id, "why": why}
    if window.kind in SHARES_IN_DICE:
        out |= {"texts": texts, "entropy": {power: text_hash(text) for power, text in texts.items()}}
    return {**out, "orders": orders} if window.kind == "orders" else {**out, "answers": answers}


def _entropy_line(lines: Sequence[Line]) -> str | None:
    if not lines:
        return None
    order = from_json(lines[-1]["order"])
    assert isinstance(order, Entropy)
    return f"ENTROPY {order.words}"


def last_answers(tape: Sequence[TapeEvent], window: str, power: str) -> list[Line]:
    """What a power has answered to an open window: its last answers replace all earlier ones."""
    for event in reversed(tape):
        if event.type == "decision_given" and event.payload["window"] == window and event.payload["power"] == power:
            return list(event.payload["answers"])
    return []


def _opened(play: Play, window: Window, known_to: Collection[str] | None) -> dict[str, list[Line]]:
    """Of each power's answers to a window those that are opened with it: of sealed kinds only what it plays now."""
    kinds = play.rules.parameters.get("sealed_answers", ())
    given = {
        power: last_answers(play.tape, window.id, power) if known_to is None or power in known_to else []
        for power in window.powers
    }
    open_ones = {
        power: [line for line in lines if line["order"]["type"] not in kinds] for power, lines in given.items()
    }
    if open_ones == given:
        return given
    played = _played_next(play, window, open_ones, known_to)
    opened: dict[str, list[Line]] = {}
    for power, lines in given.items():
        left = played.get(power, [])
        opened[power] = []
        for line in lines:
            if line["order"]["type"] in kinds:
                if line["text"] not in left:
                    continue
                left.remove(line["text"])
            opened[power].append(line)
    return opened


def _played_next(
    play: Play, window: Window, answers: Mapping[str, list[Line]], known_to: Collection[str] | None
) -> dict[str, list[str]]:
    """The texts of sealed lines that each power plays when a window closes: the script itself says it, before any die.

    A line that would be opened and not played would show a hand, so nothing less than the very run will do.
    """
    closed = {"window": window.id, "why": "to see what is played", "answers": dict(answers)}
    tried = play.with_facts([("window_closed", closed)], 0)
    responder: Responder = StandingResponder()
    if known_to is not None:
        kept = (event for event in tried.tape if not _is_answer_of_others(event, window, known_to))
        tried, responder = replace(tried, tape=tuple(kept)), Foreseen(frozenset(known_to), play.next_seq)
    outcome = run(
        tried,
        SeededThrowaway("never rolled"),
        responder,
        now=0,
        must_ask=asked_on(tried.tape),
        stop_when=lambda event: event.type in ("dice_rolled", "window_opened"),
    )
    played: dict[str, list[str]] = {}
    for event in outcome.events if outcome is not None else ():
        if event.type == "answers_weighed":
            played.setdefault(event.payload["power"], []).extend(event.payload["played"])
    return played


def asked_on(tape: Sequence[TapeEvent]) -> Callable[[Decision, State], bool]:
    """For runs in memory over what is recorded: asked is what was asked, by whatever policy; nothing new is."""
    asked = {ask["key"] for event in tape if event.type == "window_opened" for ask in event.payload.get("asks", ())}
    return lambda decision, state: decision.key in asked


def _is_answer_of_others(event: TapeEvent, window: Window, powers: Collection[str]) -> bool:
    return (
        event.type == "decision_given" and event.payload["window"] == window.id and event.payload["power"] not in powers
    )


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Standing orders and answers as some powers can foresee their working.

    What the others said before event `known` has taken effect and counts; afterwards they decide by default.
    """

    powers: frozenset[str]
    known: int

    def candidates(
        self, decision: Decision, state: State, standing: Sequence[Line], given: Sequence[Line]
    ) -> Iterable[tuple[str, Line]]:
        """As `StandingResponder`, of decisions to come for these powers only."""
        if decision.power not in self.powers and state.size >= self.known:
            return ()
        return StandingResponder().candidates(decision, state, standing, given)


@dataclass(frozen=True, slots=True)
class Told:
    """A stretch of play run in memory: the play after it, what scripts emitted on the way, and the last outcome."""

    play: Play
    events: tuple[Emitted, ...]
    outcome: Outcome | None


def run_on(
    play: Play,
    dice: DiceSource,
    responder: Responder,
    *,
    now: int,
    may_close: Callable[[Window], bool],
    must_ask: Callable[[Decision, State], bool] = never_ask,
    stop_when: Callable[[Emitted], bool] = lambda event: False,
    segments: int = 1,
    decks: DeckSource = NO_DECKS,
) -> Told:
    """Run in memory, closing every window that `may_close` allows, up to an end, a stop, or so many segments."""
    told: list[Emitted] = []
    outcome: Outcome | None = None
    while segments > 0:
        outcome = run(play, dice, responder, now=now, must_ask=must_ask, stop_when=stop_when, decks=decks)
        if outcome is None:
            break
        told.extend(outcome.events)
        play = play.plus(outcome.events)
        if outcome.finished:
            segments -= 1
            continue
        if outcome.waiting is None or not (outcome.waiting.close_now or may_close(outcome.waiting.window)):
            break
        play = play.with_facts([("window_closed", closing(play, outcome.waiting.window, "in memory"))], now)
    return Told(play, tuple(told), outcome)


def is_input(event: TapeEvent) -> bool:
    """Whether an event on a tape is something a player or the clock put in."""
    return event.type in INPUT
