"""Runs ruling cases: sets the position up, gives the orders, lets the rules rule, and compares with what must come.

It is the same play as in a live campaign (`pbem.campaign.play`), with recorded dice and nobody to wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.audit.case_model import Case, CaseError, Resolve, given_with_ids
from pbem.audit.expectations import Outcome, differences
from pbem.board.state import State
from pbem.campaign.asking import asked_only
from pbem.campaign.check import optimistic_dice
from pbem.campaign.dry_run import after_moves
from pbem.campaign.filing import file_lines
from pbem.campaign.play import Play, begin, run_on
from pbem.dice.deck import RecordedDecks
from pbem.dice.recorded import RecordedSource, read_batches
from pbem.games.catalog import UnknownGame, rule_set
from pbem.orders.gazetteer import Gazetteer, gazetteer
from pbem.orders.read import LineResult, ReadContext, read_orders
from pbem.orders.respond import StandingResponder
from pbem.rules.decisions import Refusal
from pbem.rules.order_model import STANDING, Order, from_json, to_json
from pbem.rules.position import position
from pbem.rules.ruleset import RuleSet
from pbem.rules.tape import Emitted, ScriptFault
from pbem.rules.vocabulary import foreign_line


@dataclass(frozen=True, slots=True)
class Refused:
    """One refused line: the text as it stood in the case, the order if it could be read, and why."""

    power: str
    line: str
    order: Mapping[str, Any] | None
    reason: str
    rule: str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case: `differences` is empty if it passed; `events` is the whole ruling, from `start` on."""

    case: Case
    differences: tuple[str, ...]
    events: tuple[Emitted, ...]
    refused: tuple[Refused, ...] = field(default=())
    start: State = field(default_factory=State)

    @property
    def passed(self) -> bool:
        """Whether everything came as the case says."""
        return not self.differences


def resolver(names: Gazetteer, case_id: str) -> Resolve:
    """Names of the case to ids, through the gazetteer that reads players' orders."""

    def resolve(sort: str, name: str) -> str:
        if not isinstance(name, str):
            raise CaseError(f"{case_id}: {name!r} is no name of a {sort}")
        if sort == "power" and name == "neutral":
            return name
        found = names.lookup(sort, name)
        if len(found) == 1:
            return found[0]
        if names.known(sort, name):
            return name
        if len(found) > 1:
            raise CaseError(f"{case_id}: {name!r} may mean {' or '.join(found)}")
        near = ", ".join(names.near(sort, name))
        raise CaseError(f"{case_id}: there is no {sort} {name!r}" + (f"; near: {near}" if near else ""))

    return resolve


def run_case(case: Case) -> Verdict:
    """Rule one case. Raises CaseError where the case itself cannot be read."""
    try:
        rules = rule_set(case.game, case.edition, case.variants, case.options)
    except UnknownGame as error:
        raise CaseError(f"{case.id}: {error}") from None
    names = gazetteer(case.game, case.edition)
    resolve = resolver(names, case.id)
    given = given_with_ids(case, resolve)
    play = begin(case.id, rules, position(rules, given))
    play, unread, filed = _file_everything(case, play, rules, names, resolve, given)
    try:
        batches = read_batches(case.dice)
    except ValueError as error:
        raise CaseError(f"{case.id}: {error}") from None
    recorded = RecordedSource(batches)
    decks = RecordedDecks({deck: row.get("draw", ()) for deck, row in (given.get("decks") or {}).items()})
    checked_only = case.until == "orders checked"
    phase = _phase_named(case.until, resolve)
    told = run_on(
        play,
        optimistic_dice(rules) if checked_only else recorded,
        StandingResponder(),
        now=0,
        may_close=lambda window: window.kind == "orders",
        must_ask=asked_only,
        stop_when=_end_of(rules, given, phase),
        segments=MOST_SEGMENTS if rules.parameters.get("turns_in_parts") else 1,
        decks=decks,
    )
    events = told.events
    refused = [*unread, *_refused_in(events, filed)]
    if checked_only:
        refused.extend(_refused_answers(rules, play, filed, refused))
    problems = [] if checked_only else list(recorded.problems())
    if told.outcome is not None and told.outcome.difference is not None:
        raise ScriptFault(str(told.outcome.difference))
    ruled = told.outcome.state if told.outcome is not None else told.play.now
    outcome = Outcome(
        rules=rules,
        state=play.now if checked_only else ruled,
        events=events,
        refused=refused,
        waiting=told.outcome.waiting if told.outcome is not None else None,
        order_of_pile=lambda deck: _draw_pile(case.id, decks, play.now if checked_only else ruled, deck),
    )
    found = differences(case, outcome, resolve, lambda text, power: _orders_of(text, power, given, rules, names))
    return Verdict(case, (*found, *(f"dice: {problem}" for problem in problems)), events, tuple(refused), play.now)


def _draw_pile(campaign: str, decks: RecordedDecks, state: State, deck: str) -> list[str]:
    """The cards of a draw pile, the top first."""
    held = state.decks.get(deck, {})
    left = held.get("left", 0)
    if not left:
        return []
    order = decks.pile(campaign, deck, max(held.get("pile", 0), 1), held["cards"], held.get("entropy", {})).order
    return list(order[len(order) - left :])


def _phase_named(until: str, resolve: Resolve) -> str | None:
    """The phase at whose end the case stops; None for the end of the turn (or of a check)."""
    if until in ("end of turn", "orders checked"):
        return None
    if until.startswith("end of "):
        return resolve("phase", until.removeprefix("end of "))
    raise CaseError(f"until {until!r} is not 'end of PHASE', 'end of turn' or 'orders checked'")


MOST_SEGMENTS = 12
"""Where a turn consists of several segments of several powers, a case looks no farther than this."""


def _end_of(rules: RuleSet, given: Mapping[str, Any], phase: str | None) -> Callable[[Emitted], bool]:
    """Where a case stops: at the end of a phase, or of the turn where that is one of several segments.

    There only the phases of the power in `given` count.
    """
    in_parts = bool(rules.parameters.get("turns_in_parts"))
    joint: Mapping[str, Sequence[str]] = rules.parameters.get("joint_turns", {})
    seat = next((first for first, powers in joint.items() if given["power"] in powers), given["power"])

    last = f"r{given['round']}.{seat}"

    def ends(event: Emitted) -> bool:
        if phase is None:
            return in_parts and event.type == "segment_ended" and event.payload["segment"] == last
        if event.type != "phase_ended" or event.payload["phase"] != phase:
            return False
        return not in_parts or event.payload["power"] == seat

    return ends


@dataclass(frozen=True, slots=True)
class _Filed:
    """A line of the case as it stood there, the order it was read as, and how that order is written."""

    power: str
    line: str
    order: Order
    written: str


def _file_everything(
    case: Case, play: Play, rules: RuleSet, names: Gazetteer, resolve: Resolve, given: Mapping[str, Any]
) -> tuple[Play, list[Refused], list[_Filed]]:
    """Orders and answers of the case as inputs on the tape; lines that cannot be read are refused at once.

    So are lines of other games.
    """
    unread: list[Refused] = []
    filed: list[_Filed] = []
    for power_name in dict.fromkeys((*case.orders, *case.answers)):
        power = resolve("power", power_name)
        accepted: list[tuple[Order, str]] = []
        for text in (case.orders.get(power_name, ""), case.answers.get(power_name, "")):
            for result in read_orders(text, names, _context(rules, power, given)):
                foreign = foreign_line(rules, result.order) if result.order is not None else None
                if result.order is not None and foreign is not None:
                    unread.append(Refused(power, result.text, to_json(result.order), foreign.reason, foreign.rule))
                elif result.order is not None:
                    accepted.append((result.order, result.canonical or result.text))
                    filed.append(_Filed(power, result.text, result.order, result.canonical or result.text))
                elif result.status in ("refused", "unreadable"):
                    unread.append(Refused(power, result.text, None, result.reason or "", result.rule))
        cards = rules.parameters.get("cards_of_own_turn", ())
        filing = file_lines(power, accepted, play.now, turn=power == given["power"], turn_cards=cards)
        facts: list[tuple[str, Mapping[str, Any]]] = []
        if filing.phases:
            facts.append(("orders_received", {"power": power, "phases": dict(filing.phases)}))
        if filing.answers:
            facts.append(("standing_orders_given", {"power": power, "orders": list(filing.answers)}))
        if filing.asks is not None:
            facts.append(("asking_set", {"power": power, "asks": [list(ask) for ask in filing.asks]}))
        play = play.with_facts(facts, 0)
    return play, unread, filed


def _context(rules: RuleSet, power: str, given: Mapping[str, Any]) -> ReadContext:
    phase = given.get("phase")
    return ReadContext(
        game=rules.game, edition=rules.edition or None, variants=tuple(rules.variants), powers=(power,),
        phase=phase if isinstance(phase, str) else None,
    )  # fmt: skip


def _orders_of(
    text: str, power: str | None, given: Mapping[str, Any], rules: RuleSet, names: Gazetteer
) -> tuple[Order, ...]:
    """What a line quoted in `expect` says, to find it among the refused ones however it is spelt."""
    results: Sequence[LineResult] = read_orders(text, names, _context(rules, power or given["power"], given))
    return tuple(result.order for result in results if result.order is not None)


def _refused_in(events: Sequence[Emitted], filed: Sequence[_Filed]) -> Iterator[Refused]:
    for event in events:
        body = event.payload
        if event.type in ("order_refused", "answer_refused"):
            order = body.get("order")
            yield Refused(body["power"], _line_of(body["text"], order, filed), order, body["reason"], body["rule"])
        elif event.type == "answers_weighed":
            for row in (row for row in body["refused"] if not row.get("lapsed")):
                line = _line_of(row["text"], row["order"], filed)
                yield Refused(body["power"], line, row["order"], row["reason"], row["rule"])


def _line_of(text: str, order: Mapping[str, Any] | None, filed: Sequence[_Filed]) -> str:
    """The line as it stood in the case; refused answers tell only how they are written."""
    wanted = from_json(order) if order is not None else None
    for line in filed:
        if line.order == wanted or (wanted is None and line.written == text):
            return line.line
    return text


def _refused_answers(
    rules: RuleSet, before: Play, filed: Sequence[_Filed], refused: Sequence[Refused]
) -> Iterator[Refused]:
    """Answers that could never be legal, judged without dice on the position after the combat moves."""
    if "check_answer" not in rules.judgements:
        return
    state = after_moves(before, before.base.power or "")
    known = {line.line for line in refused}
    for line in filed:
        if isinstance(line.order, STANDING) and line.line not in known:
            verdict = rules.judge("check_answer", state, line.power, line.order)
            if isinstance(verdict, Refusal):
                yield Refused(line.power, line.line, None, verdict.reason, verdict.rule)
