"""A player's lines come in: laid over what is in force, checked by a dry run, appended, and answered in one append.

This is the only way orders enter a campaign, whether they came by mail, by JSON or over HTTP.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.board.state import SEALED_PHASES, State, Window, orders_key
from pbem.campaign.advance import waited_for
from pbem.campaign.dry_run import Checked, check_answers, check_orders
from pbem.campaign.filing import STANDING_PHASE, Filing, file_lines, phase_of_window
from pbem.campaign.load import Loaded, load
from pbem.campaign.mails import answer_mail, players_of
from pbem.campaign.naming import window_in_words
from pbem.campaign.offered import with_offered
from pbem.campaign.play import Play, closing
from pbem.campaign.referee import Referee
from pbem.log.event import NewEvent
from pbem.log.store import Conflict, NewOutbox
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import UNSAID_POWER, LineResult, ReadContext, read_orders
from pbem.orders.respond import ANSWERED_BY
from pbem.rules.order_model import CancelPhase, Entropy, Order, PlayCard, Ready, RestDefault, phase_of
from pbem.rules.ruleset import RuleSet

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """One line of the mail and what became of it: `accepted`, `refused`, `unreadable` or `ignored`."""

    line: int
    text: str
    status: str
    canonical: str | None = None
    reason: str | None = None
    rule: str | None = None
    suggestions: tuple[str, ...] = ()
    power: str | None = None
    condition: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The form the API, the command line and the outbox use."""
        return {
            "line": self.line, "text": self.text, "status": self.status, "canonical": self.canonical,
            "reason": self.reason, "rule": self.rule, "suggestions": list(self.suggestions),
            "power": self.power, "condition": self.condition,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What the player is told: every line, what is gone, everything now in force, and what the campaign waits for.

    `seq` is the number of events stored when it was made; `in_force` by power and phase, `standing` and `asks` by
    power, as texts; `texts` what would be opened if the window closed now (its SHA-256 is the power's share of dice).
    """

    campaign: str
    player: str
    powers: tuple[str, ...]
    lines: tuple[AnsweredLine, ...]
    gone: tuple[str, ...]
    in_force: Mapping[str, Mapping[str, tuple[str, ...]]]
    standing: Mapping[str, tuple[str, ...]]
    asks: Mapping[str, tuple[str, ...]]
    window: str | None
    deadline: int | None
    ready: tuple[str, ...]
    waiting_for: tuple[str, ...]
    seq: int
    notes: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    window_kind: str = "orders"
    """What the window asks for: `orders`, `reactions` or `decisions`."""
    window_powers: tuple[str, ...] = ()
    """The powers that the window addresses."""

    def to_json(self) -> dict[str, Any]:
        """As plain JSON, for the outbox and the API. It holds the player's own orders: for his eyes only."""
        return {
            "campaign": self.campaign, "player": self.player, "powers": list(self.powers),
            "lines": [line.to_json() for line in self.lines], "gone": list(self.gone),
            "in_force": {power: {phase: list(lines) for phase, lines in phases.items()}
                         for power, phases in self.in_force.items()},
            "standing": {power: list(lines) for power, lines in self.standing.items()},
            "asks": {power: list(lines) for power, lines in self.asks.items()},
            "window": self.window, "deadline": self.deadline, "ready": list(self.ready),
            "waiting_for": list(self.waiting_for), "seq": self.seq, "notes": list(self.notes),
            "texts": dict(self.texts), "window_kind": self.window_kind, "window_powers": list(self.window_powers),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Submission:
    """What came in: the player, the text (or read lines), when its last byte came, and its place in the inbox.

    `number` makes the answer's Message-ID; `notes` are sentences for the top of the answer (what was cut, which part
    was read); `reply` holds what the mail layer needs to thread the answer. `also_done` are further rows of the inbox
    that are finished with it: a mail that was held until this one confirmed it.
    """

    campaign: str
    player: str
    text: str
    received_at: int
    number: int | str
    inbox_id: int | None = None
    orders: Sequence[Line] | None = None
    notes: tuple[str, ...] = ()
    reply: Mapping[str, Any] = field(default_factory=dict)
    also_done: tuple[int, ...] = ()


def submit(referee: Referee, submission: Submission, *, mail_answer: bool = True) -> Answer:
    """Take a player's lines in. On return they are durable, and the answer is queued (if `mail_answer`).

    Raises the store's NoSuchCampaign, or InboxTaken if this arrival was dealt with before.
    """
    while True:
        loaded = load(referee, submission.campaign)
        answer, events = consider(referee, loaded, submission)
        outbox: list[NewOutbox] = []
        if mail_answer:
            params = {**answer.to_json(), "reply": dict(submission.reply)}
            cause = loaded.size if events else None
            outbox.append(
                answer_mail(submission.campaign, submission.player, submission.number, referee.host, params, cause)
            )
        done = (*(() if submission.inbox_id is None else (submission.inbox_id,)), *submission.also_done)
        try:
            if events or submission.also_done:
                referee.store.append(submission.campaign, loaded.size, events, outbox=outbox, inbox_done=done)
            elif submission.inbox_id is not None:
                referee.store.finish_inbox(
                    submission.inbox_id, "done", "nothing to record", outbox=_own(outbox, answer)
                )
            elif outbox:
                referee.store.put_outbox(_own(outbox, answer))
        except Conflict:
            continue
        return answer


def _own(rows: Sequence[NewOutbox], answer: Answer) -> list[NewOutbox]:
    return [
        NewOutbox(
            kind=row.kind, recipient=row.recipient, message_id=row.message_id, params=row.params, cause=row.cause,
            campaign=answer.campaign,
        )
        for row in rows
    ]  # fmt: skip


def consider(referee: Referee, loaded: Loaded, submission: Submission) -> tuple[Answer, list[NewEvent]]:
    """What to answer and what to record, in the position as loaded. Nothing is stored."""
    state = loaded.play.now
    powers = players_of(state).get(submission.player, ())
    results = with_offered(referee, loaded, powers, _read(loaded, powers, state, submission))
    awaited = _awaited(powers, state, loaded.play.rules)
    idle = "" if awaited else f". None of them is to order or answer now: {_who_is_awaited(state)}"
    lines = [_answered(result, idle) for result in results]
    by_power: dict[str, list[tuple[int, Order, str]]] = {}
    for index, result in enumerate(results):
        if result.order is None:
            continue
        power = result.power or _only_power(powers, state, loaded.play.rules)
        if power is None:
            lines[index] = _refuse(
                lines[index],
                f"you play {_listed(powers)} and the line does not say for whom it is",
                None,
                (f"put a line `{powers[0]}:` above it",) if powers else (),
            )
        elif power not in powers:
            lines[index] = _refuse(lines[index], f"{power} is not yours to command; you play {_listed(powers)}", None)
        else:
            by_power.setdefault(power, []).append((index, result.order, result.canonical or result.text))
    events: list[NewEvent] = []
    gone: list[str] = []
    now = referee.clock()
    play = loaded.play
    for power, entries in by_power.items():
        entries, refused = _in_time(play, power, entries, submission)
        for index, why in refused:
            lines[index] = _refuse(lines[index], why, None)
        filing, checked = _check(play, power, entries, lines)
        for index, note in checked.items():
            lines[index] = note
        gone.extend(filing.gone)
        made = _events(play.now, power, filing, submission, now)
        play = play.with_facts([(event.type, event.payload) for event in made], now)
        events.extend(made)
    after = play.now
    return _answer(loaded, after, play, submission, powers, lines, gone), events


# -- reading --------------------------------------------------------------------------------------------------------


def _read(loaded: Loaded, powers: Sequence[str], state: State, submission: Submission) -> Sequence[LineResult]:
    rules = loaded.play.rules
    names = gazetteer(rules.game, rules.edition or None)
    context = ReadContext(
        game=rules.game,
        edition=rules.edition or None,
        variants=tuple(rules.variants),
        powers=tuple(powers),
        open_powers=_awaited(powers, state, rules),
        phase=phase_of_window(state, powers),
    )
    return read_orders(submission.text, names, context)


def _only_power(powers: Sequence[str], state: State, rules: RuleSet) -> str | None:
    if len(powers) == 1:
        return powers[0]
    waiting = _awaited(powers, state, rules)
    return waiting[0] if len(waiting) == 1 else None


def _awaited(powers: Sequence[str], state: State, rules: RuleSet) -> tuple[str, ...]:
    """Those of a player's powers that an open window addresses; of powers that act together the first (P01-1.2.2)."""
    joint: Mapping[str, Sequence[str]] = rules.parameters.get("joint_turns", {})
    led = {follower for leader, together in joint.items() if leader in powers for follower in together[1:]}
    asked = [power for power in powers if any(power in window.powers for window in state.windows.values())]
    return tuple(power for power in asked if power not in led)


def _answered(result: LineResult, idle: str) -> AnsweredLine:
    """`idle` is what to add where a line does not say for whom it is, and none of the player's powers is awaited."""
    return AnsweredLine(
        line=result.line,
        text=result.text,
        status=result.status,
        canonical=result.canonical,
        reason=(f"{result.reason}{idle}" if result.reason.startswith(UNSAID_POWER) else result.reason)
        or result.note
        or None,
        rule=result.rule,
        suggestions=_whole_lines(result),
        power=result.power,
    )


_UNKNOWN = re.compile(r'(?:unknown \w+ )?"([^"]+)"')


def _whole_lines(result: LineResult) -> tuple[str, ...]:
    """Near spellings as the lines that they would make, so that a player can copy one; others as they are."""
    wrong = _UNKNOWN.match(result.reason)
    if wrong is None or result.text.count(wrong[1]) != 1:
        return tuple(result.suggestions)
    return tuple(result.text.replace(wrong[1], near) for near in result.suggestions)


def _refuse(line: AnsweredLine, reason: str, rule: str | None, suggestions: tuple[str, ...] = ()) -> AnsweredLine:
    return AnsweredLine(
        line.line, line.text, "refused", line.canonical, reason, rule, suggestions or line.suggestions, line.power
    )


def _listed(powers: Sequence[str]) -> str:
    return " and ".join(powers) or "no power"


# -- windows --------------------------------------------------------------------------------------------------------


def window_for(state: State, power: str, *, orders: bool) -> Window | None:
    """The open window that addresses a power: one for orders, or one for answers."""
    for window in state.windows.values():
        if (window.kind == "orders") == orders and power in window.powers:
            return window
    return None


def _in_time(
    play: Play, power: str, entries: Sequence[tuple[int, Order, str]], submission: Submission
) -> tuple[list[tuple[int, Order, str]], list[tuple[int, str]]]:
    """Orders for phases need an open orders window of that power that still waits for these phases."""

    state = play.now
    window = window_for(state, power, orders=True)
    late = window is not None and window.deadline is not None and submission.received_at > window.deadline
    kept: list[tuple[int, Order, str]] = []
    refused: list[tuple[int, str]] = []
    for index, order, text in entries:
        if isinstance(order, Ready) and window is None and window_for(state, power, orders=False) is None:
            refused.append((index, f"nothing is awaited from {power} now ({_who_is_awaited(state)})"))
            continue
        phase = order.of_phase if isinstance(order, CancelPhase) else phase_of(order)
        secret = phase in SEALED_PHASES or isinstance(order, PlayCard)
        if (phase is None or phase == STANDING_PHASE or secret) and not isinstance(order, RestDefault):
            if secret and late and getattr(order, "when", None) is None:
                refused.append((index, f"it came after the deadline of {window_in_words(window.id) if window else ''}"))
            else:
                kept.append((index, order, text))
        elif window is None and phase is not None and _may_wait(play, power, phase):
            kept.append((index, order, text))
        elif window is None:
            refused.append((index, _why_not_now(state, power)))
        elif late:
            refused.append((index, f"it came after the deadline of {window_in_words(window.id)}; nothing was recorded"))
        elif phase is not None and _is_past(play, window, phase):
            refused.append(
                (
                    index,
                    f"the {phase.replace('_', ' ')} of this turn is over; now is the time for "
                    f"{', '.join(each.replace('_', ' ') for each in window.phases)}",
                )
            )
        else:
            kept.append((index, order, text))
    return kept, refused


def _why_not_now(state: State, power: str) -> str:
    """Why orders for a phase of a power cannot be taken while no window asks for them."""
    deciding = window_for(state, power, orders=False)
    if deciding is not None:
        asked = [ask["kind"].replace("_", " ") for ask in deciding.asks if ask["power"] == power]
        return (
            f"the battles are not over: {power} is asked about {' and '.join(dict.fromkeys(asked))} first; orders for "
            "a phase are taken again when that is decided, and you will be asked for them"
        )
    return f"no orders are awaited from {power} now ({_who_is_awaited(state)}); nothing was recorded"


def _who_is_awaited(state: State) -> str:
    waits = ", ".join(sorted({power for window in state.windows.values() for power in window.powers}))
    return f"the campaign waits for {waits or 'nobody'}"


def _may_wait(play: Play, power: str, phase: str) -> bool:
    """Whether orders for a later action may be filed while others act: they stay sealed until their turn (WWM-3.7)."""
    others_act = window_for(play.now, power, orders=False) is None
    may = bool(play.rules.parameters.get("orders_may_wait")) and others_act
    return may and phase in phases_of(play.rules, power)


def _is_past(play: Play, window: Window, phase: str) -> bool:
    order = phases_of(play.rules, window.powers[0])
    if phase not in order or not window.phases:
        return False
    return bool(order.index(phase) < order.index(window.phases[0]))


def phases_of(rules: RuleSet, power: str) -> tuple[str, ...]:
    """The phases of a power's turn in their order: as the rule set says, else as the board's facts do."""
    known: Sequence[str] = rules.parameters.get("phases") or rules.board.facts.get("phases", {}).get(power, ())
    return tuple(known)


# -- checking -------------------------------------------------------------------------------------------------------


def _check(
    play: Play, power: str, entries: Sequence[tuple[int, Order, str]], lines: Sequence[AnsweredLine]
) -> tuple[Filing, dict[int, AnsweredLine]]:
    """Lay the lines over what is in force, dry-run, drop what is refused, and lay again without it."""
    state = play.now
    turn = window_for(state, power, orders=True) is not None
    asked = asked_types(window_for(state, power, orders=False), power)
    cards = play.rules.parameters.get("cards_of_own_turn", ())

    def laid_over(entries: Sequence[tuple[int, Order, str]]) -> Filing:
        lines = [(order, text) for _, order, text in entries]
        return file_lines(power, lines, state, turn=turn, turn_cards=cards, asked=asked)

    dropped: dict[int, AnsweredLine] = {}
    left = list(entries)
    for _ in range(4):
        filing = laid_over(left)
        refusals: list[Checked] = list(check_orders(play, power, filing.phases))
        refusals.extend(check_answers(play, power, filing.answers))
        hit = [(entry, check) for check in refusals for entry in left if entry[2] == check.text]
        if not hit:
            break
        for (index, _, _), check in hit:
            dropped[index] = _refuse(
                lines[index], check.reason, check.rule, (check.suggestion,) if check.suggestion else ()
            )
        left = [entry for entry in left if entry[0] not in dropped]
    return laid_over(left), dropped


def asked_types(window: Window | None, power: str) -> frozenset[str]:
    """Types of orders that an open decision window asks of a power."""

    asks = [ask for ask in window.asks if ask["power"] == power] if window is not None else []
    return frozenset(name for ask in asks for name in ANSWERED_BY.get(ask["kind"], (ask["kind"],)))


# -- what is recorded -----------------------------------------------------------------------------------------------


def _events(state: State, power: str, filing: Filing, submission: Submission, now: int) -> list[NewEvent]:
    common: dict[str, Any] = {"power": power, "received_at": submission.received_at}
    if submission.inbox_id is not None:
        common["inbox"] = submission.inbox_id
    window = window_for(state, power, orders=True)
    deciding = window_for(state, power, orders=False)
    events: list[NewEvent] = []

    def add(kind: str, payload: Mapping[str, Any], sealed: bool) -> None:
        events.append(
            NewEvent(
                type=kind,
                payload={**common, **payload},
                at=now,
                actor=submission.player,
                readers=(power,) if sealed else None,
            )
        )

    if filing.phases:
        phases = {phase: list(lines) for phase, lines in filing.phases.items()}
        where = {"window": window.id} if window is not None else {}
        add("orders_received", {**where, "phases": phases}, sealed=True)
    answers = [line for line in filing.answers if deciding is not None and fits_window(line, deciding, power)]
    if deciding is not None and answers:
        add("decision_given", {"window": deciding.id, "answers": answers}, sealed=True)
    if filing.standing is not None:
        kept = [line for line in filing.standing if line not in answers and line["order"]["type"] != Entropy.type]
        before = list(state.standing.get(power, ()))
        if kept != before:
            add("standing_orders_given", {"orders": kept}, sealed=True)
    if filing.asks is not None:
        add("asking_set", {"asks": [list(ask) for ask in filing.asks]}, sealed=False)
    if filing.ready is not None:
        ready_for = window or deciding
        if ready_for is not None:
            add("ready_given", {"window": ready_for.id, "ready": filing.ready}, sealed=False)
    if filing.concede is not None:
        add("concession_said", {"conceding": filing.concede}, sealed=False)
    return events


def fits_window(line: Line, window: Window, power: str) -> bool:
    """Whether a line answers something that an open decision window asks of a power."""

    order = line["order"]
    if order["type"] == Entropy.type:
        return True
    for ask in window.asks:
        if ask["power"] != power or order["type"] not in ANSWERED_BY.get(ask["kind"], (ask["kind"],)):
            continue
        space = order.get("space")
        if space is None or ask.get("space") is None or space == ask["space"]:
            return True
    return False


# -- the answer -----------------------------------------------------------------------------------------------------


def _answer(
    loaded: Loaded,
    state: State,
    play: Play,
    submission: Submission,
    powers: Sequence[str],
    lines: Sequence[AnsweredLine],
    gone: Sequence[str],
) -> Answer:

    window = next((window for window in state.windows.values() if set(window.powers) & set(powers)), None) or next(
        iter(state.windows.values()), None
    )
    in_force = {power: _in_force(loaded.play.rules, state, power) for power in powers}
    texts: Mapping[str, str] = {}
    if window is not None:
        texts = {
            power: text for power, text in closing(play, window, "shown").get("texts", {}).items() if power in powers
        }
    return Answer(
        campaign=submission.campaign,
        player=submission.player,
        powers=tuple(powers),
        lines=tuple(lines),
        gone=tuple(gone),
        in_force=in_force,
        standing={power: tuple(line["text"] for line in state.standing.get(power, ())) for power in powers},
        asks={
            power: tuple(" ".join(filter(None, ("ask me", *ask))) for ask in state.marks.get(f"asking/{power}", ()))
            for power in powers
        },
        window=window.id if window is not None else None,
        deadline=window.deadline if window is not None else None,
        ready=window.ready if window is not None else (),
        waiting_for=waited_for(state, window) if window is not None else (),
        seq=loaded.size,
        notes=submission.notes,
        texts=texts,
        window_kind=window.kind if window is not None else "orders",
        window_powers=window.powers if window is not None else (),
    )


def _in_force(rules: RuleSet, state: State, power: str) -> dict[str, tuple[str, ...]]:
    """Everything a power has filed, by phase in the order of play; what belongs to no phase comes last."""
    start = orders_key(power, "")
    filed = {key[len(start) :]: lines for key, lines in state.orders.items() if key.startswith(start)}
    play = [phase for phase in phases_of(rules, power) if phase in filed]
    last = [phase for phase in ("rest", "entropy") if phase in filed]
    between = [phase for phase in filed if phase not in play and phase not in last]
    return {phase: tuple(line["text"] for line in filed[phase]) for phase in (*play, *between, *last)}
