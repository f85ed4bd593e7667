"""A player's lines come in: laid over what is in force, checked by a dry run, appended, and answered in one append.

This is the only way orders enter a campaign, whether they came by mail, by JSON or over HTTP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.board.map import Board
from pbem.board.state import CARD_ORDERS, State, orders_key
from pbem.campaign.answer import Answer, AnsweredLine, answer_to, answered, refused_line
from pbem.campaign.dry_run import Checked, check_answers, check_given, check_orders
from pbem.campaign.filing import Filing, file_lines, lasts, phase_of_window
from pbem.campaign.load import Loaded, load
from pbem.campaign.mails import answer_mail, players_of
from pbem.campaign.naming import powers_in_words
from pbem.campaign.offered import with_offered
from pbem.campaign.play import Play
from pbem.campaign.referee import Referee
from pbem.campaign.timing import asked_types, fits_window, in_time, phases_of, who_is_awaited, window_for
from pbem.log.event import NewEvent
from pbem.log.store import Conflict, NewOutbox
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import LineResult, ReadContext, read_orders
from pbem.rules.marks import conceded
from pbem.rules.order_model import Entropy, Order, Research
from pbem.rules.ruleset import RuleSet
from pbem.rules.turn import COMBAT_MOVE, MOBILIZE, NONCOMBAT_MOVE

Line = Mapping[str, Any]
REST = "rest"
"""Where `rest default` is filed."""


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
    """The rows of an answer that comes with no append: they must say their campaign themselves."""
    return [replace(row, campaign=answer.campaign) for row in rows]


def consider(referee: Referee, loaded: Loaded, submission: Submission) -> tuple[Answer, list[NewEvent]]:
    """What to answer and what to record, in the position as loaded. Nothing is stored."""
    state = loaded.play.now
    board = loaded.play.rules.board
    powers = players_of(state).get(submission.player, ())
    mine = powers_in_words(board, powers) or "no power"
    results = with_offered(referee, loaded, powers, _read(loaded, powers, state, submission))
    awaited = _awaited(powers, state, loaded.play.rules)
    idle = "" if awaited else f". None of them is to order or answer now: {who_is_awaited(state, board)}"
    lines = [answered(result, idle) for result in results]
    by_power: dict[str, list[tuple[int, Order, str]]] = {}
    for index, result in enumerate(results):
        if result.order is None:
            continue
        power = result.power or _only_power(powers, state, loaded.play.rules)
        if power is None:
            why = f"you play {mine} and the line does not say for whom it is"
            hint = (f"put a line `{powers[0]}:` above it",) if powers else ()
            lines[index] = refused_line(lines[index], why, None, hint)
        elif power not in powers:
            theirs = powers_in_words(board, (power,))
            lines[index] = refused_line(lines[index], f"{theirs} is not yours to command; you play {mine}", None)
        else:
            by_power.setdefault(power, []).append((index, result.order, result.canonical or result.text))
    events: list[NewEvent] = []
    gone: list[str] = []
    unasked: list[str] = []
    now = referee.clock()
    play = loaded.play
    for power, entries in by_power.items():
        entries, refused = in_time(play, power, entries, submission.received_at)
        for index, why in refused:
            lines[index] = refused_line(lines[index], why, None)
        filing, checked = _check(play, power, entries, lines)
        for index, note in checked.items():
            lines[index] = note
        gone.extend(filing.gone)
        unasked.extend(_not_asked_again(play, power, filing))
        faulty = any(line.status in ("refused", "unreadable") and line.power in (None, power) for line in lines)
        made = _events(play.now, power, filing, submission, now, unfinished=faulty)
        play = play.with_facts([(event.type, event.payload) for event in made], now)
        events.extend(made)
    notes = (*submission.notes, *unasked, *_concessions(state, play.now, powers, board))
    return answer_to(loaded, play, submission.player, powers, lines, gone, notes), events


def _not_asked_again(play: Play, power: str, filing: Filing) -> Iterator[str]:
    """That placing ordered beside the combat moves stands for the rest of the turn, so that nobody waits in vain."""
    window = window_for(play.now, power, orders=True)
    if window is None or COMBAT_MOVE not in window.phases or NONCOMBAT_MOVE not in phases_of(play.rules, power):
        return
    filed = {phase for phase in (MOBILIZE, NONCOMBAT_MOVE, REST) if play.now.orders.get(orders_key(power, phase))}
    filed = (filed - set(filing.phases)) | {phase for phase, lines in filing.phases.items() if lines}
    if MOBILIZE in filed and not filed & {NONCOMBAT_MOVE, REST} and (filing.ready or MOBILIZE in filing.phases):
        name = powers_in_words(play.rules.board, (power,))
        yield (
            f"{name} will not be asked again after the battles, since placing is ordered: aircraft land by the default "
            "and nothing else moves. `noncombat:` before a line orders more."
        )


def _concessions(before: State, after: State, powers: Sequence[str], board: Board) -> Iterator[str]:
    """What nobody should say by accident, in every answer as long as it holds; and that it was taken back."""
    for power in powers:
        name = powers_in_words(board, (power,))
        if after.marks.get(conceded(power)):
            yield (
                f"{name} concedes: the game ends when all players of your side say so. Write `do not concede` to take "
                "it back."
            )
        elif before.marks.get(conceded(power)):
            yield f"{name} concedes no more."


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
    doubts: list[Checked] = []
    left = list(entries)
    for _ in range(4):
        filing = laid_over(left)
        checks = list(check_orders(play, power, filing.phases))
        checks.extend(check_answers(_with_cards(play, power, filing), power, filing.answers, filing.phases))
        checks.extend(check_given(play, power, filing.answers))
        refusals = [check for check in checks if not check.doubtful]
        doubts = [check for check in checks if check.doubtful]
        hit = _refused_entries(left, refusals)
        if not hit:
            break
        for index, check in hit:
            dropped[index] = refused_line(
                lines[index], check.reason, check.rule, (check.suggestion,) if check.suggestion else ()
            )
        left = [entry for entry in left if entry[0] not in dropped]
    told = {**_doubts(left, doubts, lines), **dropped}
    return laid_over(left), told


def _doubts(
    entries: Sequence[tuple[int, Order, str]], doubts: Sequence[Checked], lines: Sequence[AnsweredLine]
) -> dict[int, AnsweredLine]:
    """Lines of which a part is refused, or that research must help: the remark stands under them, or under the
    research if they came in earlier."""
    found: dict[int, AnsweredLine] = {}
    for index, check in _refused_entries(entries, doubts):
        hint = (check.suggestion,) if check.suggestion else ()
        found[index] = replace(lines[index], reason=check.reason, rule=check.rule, suggestions=hint)
    earlier = [check for check in doubts if all(check.text != text for _, _, text in entries)]
    research = next((index for index, order, _ in entries if isinstance(order, Research)), None)
    if earlier and research is not None and not lines[research].reason:
        check = earlier[0]
        why = check.reason[:1].lower() + check.reason[1:]
        found[research] = replace(lines[research], reason=f"`{check.text}`: {why}", rule=check.rule)
    return found


def _with_cards(play: Play, power: str, filing: Filing) -> Play:
    """The position with the cards ordered with the turn as the mail leaves them: answers are weighed behind them."""
    cards = filing.phases.get(CARD_ORDERS)
    if cards is None or not filing.answers:
        return play
    return play.with_facts([("orders_received", {"power": power, "phases": {CARD_ORDERS: list(cards)}})], 0)


def _refused_entries(
    entries: Sequence[tuple[int, Order, str]], refusals: Sequence[Checked]
) -> list[tuple[int, Checked]]:
    """Which lines are refused: of a line written several times the last ones, as many as are refused."""
    checks: dict[str, list[Checked]] = {}
    for check in refusals:
        checks.setdefault(check.text, []).append(check)
    found = []
    for text, some in checks.items():
        same = [index for index, _, written in entries if written == text]
        found += list(zip(reversed(same), reversed(some), strict=False))
    return found


# -- what is recorded -----------------------------------------------------------------------------------------------


def _events(
    state: State, power: str, filing: Filing, submission: Submission, now: int, *, unfinished: bool = False
) -> list[NewEvent]:
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
        more = {"unfinished": True} if unfinished else {}
        add("decision_given", {"window": deciding.id, "answers": answers, **more}, sealed=True)
    if filing.standing is not None:
        lasting = [line for line in answers if lasts(line)]
        passing = [line for line in answers if line not in lasting]
        kept = [line for line in filing.standing if line not in passing and line["order"]["type"] != Entropy.type]
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
