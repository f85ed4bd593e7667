"""The durable runner: executes a segment's script against its tape and goes on live where the tape ends.

The tape (`pbem.rules.tape`) is the list of live events since the segment began, readable in full. Events on it are
*input* (looked up by window), *foreign* (somebody else's: applied where they stand) or *script* (what a script
emitted: compared). This file does no I/O: the caller appends what comes out, and calls again when there is more input.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.board.evolve import evolve
from pbem.board.map import Board
from pbem.board.state import State, orders_key, without_lines
from pbem.dice.deck import DeckSource, ThrowawayDecks
from pbem.dice.purpose import Purpose, first_free_attempt, numbered
from pbem.dice.source import DiceSource
from pbem.rules.card_table import CardTable
from pbem.rules.decisions import Decision, Refusal
from pbem.rules.order_model import Condition, from_json, to_json
from pbem.rules.ruleset import RuleSet, Segment
from pbem.rules.script import Filed
from pbem.rules.tape import (
    FOREIGN,
    INPUT,
    Difference,
    Emitted,
    Outcome,
    Responder,
    ScriptFault,
    TapeEvent,
    VoidCards,
    Waiting,
    plain,
)


class _Stop(Exception):
    def __init__(self, waiting: Waiting) -> None:
        self.waiting = waiting


class _Enough(Exception):
    """The caller's `stop_when` said so."""


class _Differs(Exception):
    def __init__(self, difference: Difference) -> None:
        self.difference = difference


def never_ask(decision: Decision, state: State) -> bool:
    """The policy of dry runs: nothing is asked."""
    return False


@dataclass
class Runner:
    """Runs one segment once. Make a new one for every run.

    `state` is the position when the segment began, `tape` the live events since, `now` the time (ms UTC) for new
    events, `next_seq` the number the first new event gets. `must_ask` sees the public view only.
    """

    campaign: str
    rules: RuleSet
    segment_: Segment
    state_: State
    tape: Sequence[TapeEvent]
    dice: DiceSource
    responder: Responder
    next_seq: int
    now: int = 0
    must_ask: Callable[[Decision, State], bool] = never_ask
    stop_when: Callable[[Emitted], bool] = lambda event: False
    public_view: Callable[[State], State] = lambda state: state
    void_purposes: Collection[str] = ()
    decks: DeckSource = field(default_factory=lambda: ThrowawayDecks("no decks"))
    void_cards: VoidCards = field(default_factory=VoidCards)
    new: list[Emitted] = field(default_factory=list)
    _position: int = 0
    _keys: set[str] = field(default_factory=set)
    _purposes: set[str] = field(default_factory=set)
    _standing: Mapping[str, tuple[Any, ...]] | None = None
    _given: dict[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    _requests: list[TapeEvent] = field(default_factory=list)
    _sealed: dict[str, dict[str, list[Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._table = CardTable(self, self.decks, self.void_cards)

    # -- the whole run

    def execute(self) -> Outcome:
        """Run the script to its end, to a stop, or to the first difference from the tape."""
        try:
            self._take_inputs()
            self.emit(
                "segment_begun",
                {"segment": self.segment_.id, "round": self.segment_.round, "power": self.segment_.seat[0]},
            )
            self.segment_.run(self)
            self.boundary("segment_end")
            self.emit("segment_ended", {"segment": self.segment_.id})
        except _Stop as stop:
            return Outcome(tuple(self.new), self.state_, waiting=stop.waiting)
        except _Enough:
            return Outcome(tuple(self.new), self.state_, stopped=True)
        except _Differs as differs:
            return Outcome(tuple(self.new), self.state_, difference=differs.difference)
        left = self.next_script()
        if left is not None:
            return Outcome((), self.state_, difference=Difference(left.seq, _shown(left), "the end of the segment"))
        return Outcome(tuple(self.new), self.state_, finished=True)

    # -- the tape

    def _take_inputs(self, closing: str | None = None) -> None:
        """Apply input and foreign events from the current position on, up to the next script event.

        With `closing` no further than the closing of that window: what came later must not answer it.
        """
        while self._position < len(self.tape):
            event = self.tape[self._position]
            if event.type not in INPUT and event.type not in FOREIGN:
                return
            self._position += 1
            self._apply(event)
            if closing is not None and event.type == "window_closed" and event.payload["window"] == closing:
                return

    def _apply(self, event: Any) -> None:
        if event.type == "window_closed" and "answers" in event.payload:
            self._given[event.payload["window"]] = event.payload["answers"]
        elif event.type == "correction_requested":
            self._requests.append(event)
        elif event.type == "decision_given":
            answers = list(event.payload["answers"])
            self._sealed.setdefault(event.payload["power"], {})[event.payload["window"]] = answers
        elif event.type == "answers_weighed":
            self._spend(event.payload["power"], event.payload["spent"])
        self.state_ = evolve(self.state_, event)

    def _spend(self, power: str, texts: Sequence[str]) -> None:
        """Sealed lines that did what they were for are in force no more, wherever they were given."""
        for lines in self._sealed.get(power, {}).values():
            lines[:] = without_lines(lines, texts)
        if self._standing is not None and power in self._standing:
            self._standing = {**self._standing, power: without_lines(self._standing[power], texts)}

    def next_script(self) -> TapeEvent | None:
        """The script event that stands next on the tape; None where the tape has ended."""
        self._take_inputs()
        return self.tape[self._position] if self._position < len(self.tape) else None

    # -- what a script may touch

    @property
    def state(self) -> State:
        return self.state_

    @property
    def board(self) -> Board:
        return self.rules.board

    @property
    def segment(self) -> str:
        return self.segment_.id

    def run(self, step: str, *args: Any) -> Any:
        try:
            function = self.rules.steps[step]
        except KeyError:
            raise ScriptFault(f"rule set {self.rules.id} has no step {step!r}") from None
        return function(self, *args)

    def emit(
        self,
        event_type: str,
        payload: Mapping[str, Any],
        rules: Iterable[str] = (),
        *,
        readers: Iterable[str] | None = None,
    ) -> None:
        body = plain(payload)
        cited = tuple(rules)
        sealed_for = None if readers is None else tuple(sorted(readers))
        recorded = self.next_script()
        if recorded is not None:
            if (
                recorded.type != event_type
                or recorded.payload != body
                or tuple(recorded.rules) != cited
                or recorded.readers != sealed_for
            ):
                raise _Differs(Difference(recorded.seq, _shown(recorded), _shown_parts(event_type, body, cited)))
            self._position += 1
            self._apply(recorded)
        else:
            event = Emitted(self.next_seq + len(self.new), event_type, self.now, body, cited, sealed_for)
            self.new.append(event)
            self._apply(event)
            if self.stop_when(event):
                raise _Enough

    def orders(
        self,
        window: str,
        powers: Sequence[str],
        phases: Sequence[str],
        *,
        may_skip: bool = False,
        afresh: bool = False,
        asks: Sequence[Mapping[str, Any]] = (),
    ) -> dict[str, tuple[Filed, ...]]:
        window_id = self._unique(f"{self.segment}:{window}")
        opened = {"window": window_id, "kind": "orders", "powers": list(powers), "phases": list(phases)}
        self.emit("window_opened", {**opened, "asks": list(asks)} if asks else opened)
        filed_already = may_skip and all(
            any(self.state_.orders.get(orders_key(power, phase)) for phase in (*phases, "rest")) for power in powers
        )
        self._await(window_id, close_now=filed_already)
        if self._standing is None or afresh:
            self._standing = dict(self.state_.standing)
        lines: dict[str, tuple[Filed, ...]] = {}
        for phase in phases:
            lines[phase] = tuple(
                Filed(power, row["text"], from_json(row["order"]))
                for power in powers
                for row in self.state_.orders.get(orders_key(power, phase), ())
            )
        for power in powers:
            about = (*phases, "entropy", "rest") if may_skip else (*phases, "entropy")
            spent = [phase for phase in about if orders_key(power, phase) in self.state_.orders]
            if spent:
                self.emit("orders_spent", {"power": power, "phases": spent})
        return lines

    def _await(self, window_id: str, *, close_now: bool) -> None:
        """Go on if the window was closed, else stop. Inputs up to its closing are applied in their order."""
        self._take_inputs(closing=window_id)
        if window_id in self.state_.windows:
            left = self.next_script()
            if left is not None:
                raise _Differs(Difference(left.seq, _shown(left), f"waiting for {window_id}"))
            raise _Stop(Waiting(self.state_.windows[window_id], close_now))

    def ask(self, decisions: Sequence[Decision]) -> dict[str, Any]:
        ordered = sorted(decisions, key=lambda d: (d.power, d.key))
        if not ordered:
            return {}
        self._take_inputs()
        for decision in ordered:
            self._unique(decision.key)
        view = self.public_view(self.state_)
        asked = [decision for decision in ordered if decision.has_choice and self.must_ask(decision, view)]
        window_id = f"{self.segment}:{ordered[0].key}"
        if asked:
            powers = list(dict.fromkeys(decision.power for decision in asked))
            asks = [
                {
                    "key": d.key,
                    "power": d.power,
                    "kind": d.kind,
                    "space": d.space,
                    "round": d.round,
                    **plain(d.public),
                    **plain(d.when_asked()),
                }
                for d in asked
            ]
            kind = "reactions" if any(decision.reaction for decision in asked) else "decisions"
            self.emit("window_opened", {"window": window_id, "kind": kind, "powers": powers, "asks": asks})
            self._await(window_id, close_now=False)
        given = self._given.get(window_id, {})
        answers: dict[str, Any] = {}
        taken: list[dict[str, Any]] = []
        for decision in ordered:
            if decision.sealed:
                answers[decision.key] = self._sealed_lines(decision, window_id)
                continue
            tested: dict[str, int] = {}
            by, value, refused = self._settle(_noting_odds(decision, tested), given.get(decision.power, ()))
            answers[decision.key] = value
            row = {"key": decision.key, "power": decision.power, "kind": decision.kind, "by": by, "value": value}
            if by != "default":
                row.update(tested)
            if decision.space is not None:
                row["space"] = decision.space
            if decision.round:
                row["round"] = decision.round
            taken.append(row)
            for text, refusal in refused:
                self.emit(
                    "answer_refused",
                    {
                        "key": decision.key,
                        "power": decision.power,
                        "text": text,
                        **_refusal_json(refusal),
                        **({"partly": True} if refusal.partly else {}),
                    },
                    (refusal.rule,) if refusal.rule else (),
                    readers=(decision.power,),
                )
        if taken:
            recorded = (decision for decision in ordered if not decision.sealed)
            cited = tuple(dict.fromkeys(rule for decision in recorded for rule in decision.rules))
            self.emit("decisions_taken", {"decisions": taken}, cited)
        return answers

    def _sealed_lines(self, decision: Decision, window_id: str) -> list[dict[str, Any]]:
        """The lines that may answer a sealed decision: given to its window, to earlier ones of the segment, standing.

        They are read from the sealed inputs, for no window opens them. What was said at several places counts once, but
        a line that was written twice at one place is two lines.
        """
        power = decision.power
        windows = self._sealed.get(power, {})
        ordered = [windows.get(window_id, []), *(lines for window, lines in windows.items() if window != window_id)]
        standing = (self._standing if self._standing is not None else self.state_.standing).get(power, ())
        places = [((), given) for given in ordered]
        rows: list[dict[str, Any]] = []
        for kept, given in [*places, (standing, [])]:
            here: list[Any] = []
            for by, line in self.responder.candidates(decision, self.state_, kept, given):
                here.append(line["order"])
                if here.count(line["order"]) > sum(row["order"] == line["order"] for row in rows):
                    rows.append({"by": by, "text": line["text"], "order": line["order"]})
        return rows

    def _settle(self, decision: Decision, given: Sequence[Any]) -> tuple[str, Any, list[tuple[str, Refusal]]]:
        standing = (self._standing if self._standing is not None else self.state_.standing).get(decision.power, ())
        refused: list[tuple[str, Refusal]] = []
        lines = list(self.responder.candidates(decision, self.state_, standing, given))
        if decision.interpret_all is not None:
            for by in ("player", "standing"):
                own = [line for source, line in lines if source == by]
                if not own:
                    continue
                value, refusals = decision.interpret_all([from_json(line["order"]) for line in own])
                refused.extend((own[index]["text"], refusal) for index, refusal in refusals)
                if sum(not refusal.partly for _, refusal in refusals) < len(own):
                    return by, plain(value), refused
        else:
            for by, line in lines:
                value = decision.interpret(from_json(line["order"]))
                if not isinstance(value, Refusal):
                    return by, plain(value), refused
                refused.append((line["text"], value))
        return "default", plain(decision.default()), refused

    def roll(
        self,
        count: int,
        *,
        power: str,
        step: str,
        space: str | None = None,
        battle_round: int = 0,
        dice: Sequence[Mapping[str, Any]] = (),
    ) -> tuple[int, ...]:
        if count <= 0:
            return ()
        purpose = numbered(
            Purpose(self.campaign, self.state_.round, power, self.state_.phase or "turn", space, battle_round, step),
            self._purposes,
        )
        self._purposes.add(purpose.text())
        purpose = first_free_attempt(purpose, self.void_purposes)
        entropy = dict(sorted(self.state_.entropy.items()))
        body = {"purpose": purpose.text(), "entropy": entropy, "count": count}
        recorded = self.next_script()
        if recorded is None:
            payload = {**body, **self.dice.roll(purpose, entropy, count).result()}
        elif recorded.type == "dice_rolled" and all(recorded.payload[key] == body[key] for key in body):
            payload = dict(recorded.payload)
        else:
            raise _Differs(Difference(recorded.seq, _shown(recorded), _shown_parts("dice_rolled", body, ())))
        self.emit("dice_rolled", {**payload, "dice": plain(dice)})
        return tuple(payload["faces"])

    def lay_pile(self, deck: str, cards: Sequence[str], rules: Iterable[str] = ()) -> None:
        self._table.lay_pile(deck, cards, rules)

    def set_aside(self, deck: str, rules: Iterable[str] = ()) -> None:
        self._table.set_aside(deck, tuple(rules))

    def draw(self, deck: str, power: str, rules: Iterable[str] = ()) -> tuple[str, str]:
        return self._table.draw(deck, power, tuple(rules))

    def open_pile(self, deck: str, number: int, rules: Iterable[str] = ()) -> None:
        self._table.open_pile(deck, number, rules)

    def boundary(self, name: str) -> None:
        self._take_inputs()
        while self._requests:
            request = self._requests.pop(0)
            self.emit(
                "correction_made",
                {
                    "request": request.seq,
                    "reason": request.payload.get("reason", ""),
                    "facts": request.payload["facts"],
                },
            )

    def refuse(self, filed: Filed, phase: str, refusal: Refusal, *, lapsed: bool = False) -> None:
        self.emit(
            "order_lapsed" if lapsed else "order_refused",
            {
                "power": filed.power,
                "phase": phase,
                "text": filed.text,
                "order": to_json(filed.order),
                **_refusal_json(refusal),
            },
            (refusal.rule,) if refusal.rule else (),
        )

    def _unique(self, key: str) -> str:
        if key in self._keys:
            raise ScriptFault(f"key {key!r} is used twice in segment {self.segment}")
        self._keys.add(key)
        return key


def _noting_odds(decision: Decision, tested: dict[str, int]) -> Decision:
    """The decision, which notes the odds (parts per million) that a condition of an answer compared."""

    def subject(condition: Condition) -> int | None:
        value = decision.subject(condition)
        if condition.subject == "odds" and value is not None:
            tested["odds"] = value
        return value

    return replace(decision, subject=subject)


def _refusal_json(refusal: Refusal) -> dict[str, Any]:
    return {"reason": refusal.reason, "rule": refusal.rule, "suggestion": refusal.suggestion}


def _shown(event: TapeEvent) -> dict[str, Any]:
    return _shown_parts(event.type, event.payload, tuple(event.rules))


def _shown_parts(event_type: str, payload: Any, rules: tuple[str, ...]) -> dict[str, Any]:
    return {"type": event_type, "payload": payload, "rules": list(rules)}
