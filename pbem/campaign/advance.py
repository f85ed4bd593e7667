"""Adjudication of the live campaign: close what may be closed, run the scripts on, append what came, until it waits.

Any number of workers may call `advance` at any time: a campaign's lock saves work, `expected_seq` keeps it right.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.board.state import State, Window
from pbem.campaign.asking import must_ask, players_powers
from pbem.campaign.load import Loaded, keep_snapshot, load
from pbem.campaign.mails import ask_mails, notice_mails, players_of, report_mails
from pbem.campaign.play import Play, closing, run
from pbem.campaign.referee import DICE_SEED, Referee
from pbem.dice.chain import CHAIN_LENGTH, Chain, next_chain_due
from pbem.log.commitment import salt
from pbem.log.event import SERVICE, Event, NewEvent, secret_opened
from pbem.log.store import SALT_KEY, Conflict, NewOutbox
from pbem.orders.respond import StandingResponder
from pbem.rules.tape import Emitted, Outcome

HOUR = 3_600_000
MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class Advanced:
    """What one call did: events appended, and what the campaign waits for now (`next_look` in ms UTC, if a time)."""

    appended: int
    window: Window | None
    next_look: int | None
    over: bool = False
    stopped: str | None = None


def advance(referee: Referee, campaign: str) -> Advanced:
    """Bring a campaign as far as it can go now. Safe to call at any time, by anybody, any number of times."""
    with referee.store.campaign_lock(campaign):
        return _advance(referee, campaign)


def _advance(referee: Referee, campaign: str) -> Advanced:
    appended = 0
    while True:
        loaded = load(referee, campaign)
        keep_snapshot(referee, loaded)
        if loaded.play.now.paused:
            return Advanced(appended, None, None, stopped="paused")
        try:
            if next_chain_due(loaded.k) and len(loaded.chains) == loaded.chain + 1:
                _commit_chain(referee, loaded)
                continue
            step = _run_and_append(referee, loaded)
            appended += step.appended
            if step.finished:
                return Advanced(appended, None, None, over=True)
            if step.stopped is not None:
                return Advanced(appended, None, None, stopped=step.stopped)
            window, close_now = step.window, step.close_now
            assert window is not None
            loaded = load(referee, campaign) if step.appended else loaded
            state = loaded.play.now
            window = state.windows.get(window.id, window)
            why = "nobody to wait for" if close_now else may_close(referee, campaign, state, window)
            if why is None:
                return Advanced(appended, window, next_look(state, window))
            event = NewEvent(
                type="window_closed",
                payload=closing(loaded.play, window, why),
                at=referee.clock(),
                cause=_cause(window),
            )
            referee.store.append(campaign, loaded.size, [event])
            appended += 1
        except Conflict:
            continue


@dataclass(frozen=True, slots=True)
class _Step:
    appended: int
    window: Window | None = None
    close_now: bool = False
    finished: bool = False
    stopped: str | None = None


def _run_and_append(referee: Referee, loaded: Loaded) -> _Step:
    """Run from the tape's end to the next stop, across segments, and append it all at once with its mails."""
    campaign, now = loaded.play.campaign, referee.clock()
    dice = loaded.dice(referee)
    decks = loaded.decks(referee)
    play: Play = loaded.play
    events: list[Emitted] = []
    outcome: Outcome | None = None
    ended = False
    first = play.base.size
    while True:
        outcome = run(
            play, dice, StandingResponder(), now=now, must_ask=must_ask, void_purposes=loaded.void_purposes,
            decks=decks, void_cards=loaded.void_cards,
        )  # fmt: skip
        if outcome is None:
            break
        if outcome.difference is not None:
            reason = (
                f"the rules no longer give what the log says at event {outcome.difference.seq}; "
                "`pbem audit` shows both to the moderator"
            )
            return _stop(referee, loaded, reason)
        events.extend(outcome.events)
        play = play.plus(outcome.events)
        if not outcome.finished:
            break
        ended = True
    window = outcome.waiting.window if outcome is not None and outcome.waiting is not None else None
    state = play.now
    if not events:
        return _Step(0, window, bool(outcome and outcome.waiting and outcome.waiting.close_now), outcome is None)
    new = [_stored(event, now) for event in events]
    opened = window is not None and any(
        event.type == "window_opened" and event.payload["window"] == window.id for event in events
    )
    mails: list[NewOutbox] = []
    if window is not None and opened:
        deadline = deadline_of(state, window, now)
        if deadline is not None:
            payload = {"window": window.id, "deadline": deadline, "why": "by the campaign's settings"}
            new.append(NewEvent(type="deadline_set", payload=payload, at=now))
    new += _drawn_before(referee, loaded, events, now)
    end = loaded.size + len(new)
    setup_done = first == _setup_size(loaded) == loaded.size
    if ended or outcome is None or (opened and setup_done and window is not None and window.kind == "orders"):
        mails = report_mails(state, campaign, first, end, window.id if window else None, referee.host)
    elif window is not None and opened and not (outcome.waiting and outcome.waiting.close_now):
        mails = ask_mails(state, campaign, window, first, end, referee.host)
    referee.store.append(campaign, loaded.size, new, outbox=mails)
    return _Step(len(new), window, bool(outcome and outcome.waiting and outcome.waiting.close_now), outcome is None)


def _drawn_before(referee: Referee, loaded: Loaded, events: Sequence[Emitted], now: int) -> list[NewEvent]:
    """Openings of the sealed events that bound a card's name when it was drawn, for cards that are known to all now.

    So a card that is played can be proved to be the one that was drawn (FOV-6.1.7).
    """
    shown = [event.payload["card"] for event in events if event.type == "card_identified" and event.readers is None]
    if not shown:
        return []
    campaign = loaded.play.campaign
    sealed = {
        event.payload["card"]: event
        for event in referee.store.read(campaign)
        if event.type == "card_identified" and event.sealed and event.readable
    }
    opened = [secret_opened(sealed[card], at=now) for card in shown if card in sealed]
    key = referee.store.key(campaign, SALT_KEY)
    for event in events:
        if event.type == "card_identified" and event.readers is not None and event.payload["card"] in shown:
            just_now = Event(
                campaign, event.seq, 1, event.type, now, SERVICE, (), event.rules, event.payload, "",
                event.readers, salt(key, event.seq),
            )  # fmt: skip
            opened.append(secret_opened(just_now, at=now))
    return opened


def _commit_chain(referee: Referee, loaded: Loaded) -> None:
    """Publish the start of the next dice chain while the present one still has links."""
    number = len(loaded.chains)
    campaign = loaded.play.campaign
    try:
        seed = referee.store.key(campaign, DICE_SEED.format(number=number))
    except KeyError:
        seed = secrets.token_bytes(32)
        referee.store.put_key(campaign, DICE_SEED.format(number=number), seed)
    chain = Chain(seed, CHAIN_LENGTH)
    payload = {"chain": number, "start": chain.start.hex(), "length": chain.length}
    event = NewEvent(type="dice_chain_committed", payload=payload, at=referee.clock())
    referee.store.append(campaign, loaded.size, [event])


def _setup_size(loaded: Loaded) -> int:
    """The number of events of the set-up if the campaign is still in its first segment, else -1.

    While that is all there is, the first window's report goes out to everybody.
    """
    return loaded.play.base.size if loaded.play.base.round == 0 else -1


def _stored(event: Emitted, now: int) -> NewEvent:
    return NewEvent(type=event.type, payload=event.payload, at=now, rules=event.rules, readers=event.readers)


def _cause(window: Window) -> Sequence[int]:
    return (window.opened_seq,)


def _stop(referee: Referee, loaded: Loaded, reason: str) -> _Step:
    """The rules no longer give what the log says: the campaign stops for its moderator, it never silently diverges."""
    state = loaded.play.now
    people = list(players_of(state))
    told = [state.settings["moderator"]] if state.settings.get("moderator") else people
    event = NewEvent(type="paused", payload={"reason": reason}, at=referee.clock())
    mails = notice_mails(loaded.play.campaign, told, "stopped", loaded.size, referee.host, {"reason": reason})
    referee.store.append(loaded.play.campaign, loaded.size, [event], outbox=mails)
    return _Step(1, stopped=reason)


# -- when windows close ---------------------------------------------------------------------------------------------


def deadline_of(state: State, window: Window, now: int) -> int | None:
    """The deadline a window gets when it opens, from the campaign's settings; None for none."""
    hours = state.settings.get("orders_hours" if window.kind == "orders" else "decision_hours")
    return None if hours is None else now + hours * HOUR


def waited_for(state: State, window: Window) -> tuple[str, ...]:
    """Powers that must still speak before a window closes early: they have players and are not ready yet.

    A decision window is done with a power once it answered; an orders window once it said `ready` (or, with the
    setting `at_once`, once orders are in).
    """
    done = set(window.ready)
    if window.kind != "orders" or state.settings.get("closing") == "at_once":
        done |= set(window.answered)
    if window.kind == "orders":
        # Who plays several powers of one window speaks once for all of them.
        seats = state.settings.get("seats", {})
        done |= {power for held in seats.values() if done & set(held) & set(window.powers) for power in held}
    played = players_powers(state)
    return tuple(power for power in window.powers if power in played and power not in done)


def may_close(referee: Referee, campaign: str, state: State, window: Window) -> str | None:
    """Why a window may close now, or None. An unread mail from before the deadline keeps it open."""
    now = referee.clock()
    if not waited_for(state, window):
        if window.kind == "orders" and state.settings.get("closing") == "at_once" and window.answered:
            grace = state.settings.get("grace_minutes", 15) * MINUTE
            last = window.heard_at or window.opened_at
            if now < last + grace and set(window.powers) - set(window.ready):
                return None
        return "all are ready"
    if window.deadline is None or now <= window.deadline:
        return None
    if referee.store.unread(campaign, before=window.deadline + 1):
        return None
    return "its deadline has passed"


def next_look(state: State, window: Window) -> int | None:
    """When somebody should look again if nothing arrives: the deadline, or the end of the grace."""
    if not waited_for(state, window) and state.settings.get("closing") == "at_once":
        return (window.heard_at or window.opened_at) + int(state.settings.get("grace_minutes", 15)) * MINUTE
    return None if window.deadline is None else window.deadline + 1
