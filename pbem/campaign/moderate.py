"""What a moderator may do: pause, rewind, correct, rule, set deadlines, replace players, change addresses.

Every act is a public event by the moderator, appended together with the mails that tell everybody concerned; names,
addresses and tokens stay out of it. The board itself is changed by corrections only, which take effect at boundaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.board.evolve import HANDLERS, fold
from pbem.board.state import State
from pbem.campaign.create import NAME, new_token
from pbem.campaign.load import Loaded, load
from pbem.campaign.mails import notice_mails, players_of
from pbem.campaign.offered import offered_in
from pbem.campaign.referee import Referee
from pbem.log.event import MODERATOR, REWOUND, Event, NewEvent
from pbem.log.live import live
from pbem.log.store import Conflict, NewOutbox, Player
from pbem.rules.tape import Emitted, plain


class ModeratorMistake(ValueError):
    """An act that cannot be: the message says why and what would be right."""


@dataclass(frozen=True, slots=True)
class Done:
    """What an act left behind: the seq of its (first) event, None where it needed none, and a sentence about it."""

    seq: int | None
    said: str


@dataclass(frozen=True, slots=True)
class RewindPoint:
    """Where a campaign may be rewound to: the first event that would be void, and its name (`r3.japan`...)."""

    to: int
    name: str
    what: str


CORRECTABLE = (
    "units_created", "units_removed", "units_moved", "units_damaged", "units_converted", "units_marked",
    "control_changed", "facility_changed", "counter_changed", "purchases_changed", "relation_changed",
    "technology_gained", "mark_set", "group_formed", "group_dissolved", "card_moved", "game_won",
)  # fmt: skip
"""Facts of the board that a correction may state."""
NAMES_SPACES = ("units_created", "units_removed", "units_moved", "control_changed", "facility_changed")
"""Of these the ones whose `space`, `to` and `from` must be known."""
ID_GAP = 500
"""New pieces of a correction are numbered so far ahead: the turn may make pieces of its own before it takes effect."""


# -- pausing ----------------------------------------------------------------------------------------------------------


def pause(referee: Referee, campaign: str, reason: str) -> Done:
    """Nothing is adjudicated and no deadline passes until `resume`. Orders are still received and answered."""

    def act(loaded: Loaded) -> _Act:
        if loaded.play.now.paused:
            raise ModeratorMistake(f"{campaign} is paused already")
        return _Act([("paused", {"reason": reason})], "paused", {"reason": reason}, f"{campaign} is paused")

    return _do(referee, campaign, act)


def resume(referee: Referee, campaign: str) -> Done:
    """Go on. Open windows get the time back that the pause took from them."""

    def act(loaded: Loaded) -> _Act:
        state = loaded.play.now
        if not state.paused:
            raise ModeratorMistake(f"{campaign} is not paused")
        since = max(event.at for event in live(list(referee.store.read(campaign))) if event.type == "paused")
        lost = max(0, referee.clock() - since)
        facts: list[tuple[str, Mapping[str, Any]]] = [("resumed", {})]
        deadlines = {}
        for window in state.windows.values():
            if window.deadline is not None:
                deadlines[window.id] = window.deadline + lost
                why = "the pause does not count"
                facts.append(("deadline_set", {"window": window.id, "deadline": window.deadline + lost, "why": why}))
        return _Act(facts, "resumed", {"deadlines": deadlines}, f"{campaign} goes on")

    return _do(referee, campaign, act)


def extend(referee: Referee, campaign: str, deadline: int | None, reason: str, window: str | None = None) -> Done:
    """Set the deadline of an open window, in milliseconds UTC (None: no deadline)."""

    def act(loaded: Loaded) -> _Act:
        windows = loaded.play.now.windows
        chosen = window or next(iter(windows), None)
        if chosen is None or chosen not in windows:
            there = ", ".join(windows) or "none"
            wanted = f" {window}" if window else ""
            raise ModeratorMistake(f"{campaign} has no open window{wanted}; open now: {there}")
        if deadline is not None and deadline <= referee.clock():
            raise ModeratorMistake("that moment has passed already; a deadline lies in the future")
        payload = {"window": chosen, "deadline": deadline, "why": reason}
        return _Act([("deadline_set", payload)], "deadline", payload, f"the deadline of {chosen} is changed")

    return _do(referee, campaign, act)


# -- rewinding --------------------------------------------------------------------------------------------------------


def rewind_points(events: Sequence[Event]) -> list[RewindPoint]:
    """Where these events may be rewound to, oldest first: starts of segments and closings of orders windows."""
    points: list[RewindPoint] = []
    kinds: dict[str, str] = {}
    for event in live(events):
        if event.type == "segment_begun":
            name = event.payload["segment"]
            points.append(RewindPoint(event.seq, name, f"the start of {name}; its orders are void, too"))
        elif event.type == "window_opened":
            kinds[event.payload["window"]] = event.payload["kind"]
        elif event.type == "window_closed" and kinds.get(event.payload["window"]) == "orders":
            name = event.payload["window"]
            points.append(RewindPoint(event.seq + 1, name, f"just after {name} closed; its orders stand"))
    return [point for point in points if point.to <= events[-1].seq]


def rewind(referee: Referee, campaign: str, to: int | str, reason: str) -> Done:
    """Make everything from a rewind point on void: `to` is its name or its first void event.

    What players sent in that stretch is void, too; the mail about it offers each his orders for confirmation by `same`.
    """
    while True:
        loaded = load(referee, campaign)
        events = list(referee.store.read(campaign))
        point = _point(rewind_points(events), to, campaign)
        seq = loaded.size
        payload = {"to": point.to, "reason": reason}
        new = NewEvent(type=REWOUND, payload=payload, at=referee.clock(), actor=MODERATOR)
        lines = offered_in([event for event in events if event.seq >= point.to])
        mails = []
        for player, powers in _told(loaded.play.now).items():
            own = {power: [row["text"] for row in lines[power]] for power in powers if power in lines}
            params = {**payload, "point": point.name, "what": point.what, "offered": own}
            mails.extend(notice_mails(campaign, [player], "rewound", seq, referee.host, params))
        try:
            referee.store.append(campaign, seq, [new], outbox=mails)
        except Conflict:
            continue
        return Done(seq, f"{campaign} is back at {point.what}")


def _point(points: Sequence[RewindPoint], to: int | str, campaign: str) -> RewindPoint:
    for point in reversed(points):
        if to in (point.to, point.name):
            return point
    last = "; ".join(f"{point.to} or {point.name} ({point.what})" for point in points[-6:])
    raise ModeratorMistake(
        f"{campaign} cannot be rewound to {to}: only to the start of a segment or the closing of an orders window"
        + (f". The last ones: {last}" if last else "; there is none yet")
    )


# -- corrections and rulings ------------------------------------------------------------------------------------------


def correct(referee: Referee, campaign: str, facts: Sequence[Mapping[str, Any]], reason: str) -> Done:
    """Change the board by facts ({type, payload}, as docs/events.md lists them). Takes effect at the next boundary:
    between battles and phases, at the latest at the segment's end.
    """
    if not facts:
        raise ModeratorMistake("a correction needs at least one fact of the board")
    for fact in facts:
        if fact.get("type") not in CORRECTABLE or not isinstance(fact.get("payload"), Mapping):
            raise ModeratorMistake(
                f"a correction cannot say {fact.get('type')!r}; facts are objects with a payload and one of the types "
                f"{', '.join(CORRECTABLE)}"
            )
    request = {"reason": reason, "facts": plain([dict(fact) for fact in facts])}

    def act(loaded: Loaded) -> _Act:
        _try_out(loaded, request)
        return _Act(
            [("correction_requested", request)], "correction", request,
            f"the correction is recorded and takes effect at the next boundary of {campaign}",
        )  # fmt: skip

    return _do(referee, campaign, act)


def corrected(loaded: Loaded) -> State:
    """The position with the corrections that are recorded and have not taken effect yet: what a further one changes."""
    tape = loaded.play.tape
    done = {event.payload["request"] for event in tape if event.type == "correction_made"}
    waiting = [event for event in tape if event.type == "correction_requested" and event.seq not in done]
    made = [
        Emitted(loaded.size, "correction_made", 0, {"request": event.seq, **event.payload}, ()) for event in waiting
    ]
    return fold(loaded.play.now, made)


def _try_out(loaded: Loaded, request: Mapping[str, Any]) -> None:
    """A correction that the board cannot take must fail here, not in the midst of a turn."""
    state = corrected(loaded)
    for fact in request["facts"]:
        _check_names(loaded, state, fact["type"], fact["payload"])
    made = Emitted(loaded.size, "correction_made", 0, {"request": 0, **request}, ())
    try:
        fold(state, [made])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        kinds = ", ".join(dict.fromkeys(fact["type"] for fact in request["facts"]))
        shape = "; ".join(
            f"{kind} needs {(HANDLERS[kind][0].__doc__ or '').split(':')[0].strip()}" for kind in kinds.split(", ")
        )
        raise ModeratorMistake(f"the board cannot take this correction ({error!r}): {shape}") from None


def _check_names(loaded: Loaded, state: State, kind: str, payload: Mapping[str, Any]) -> None:
    board = loaded.play.rules.board
    for key in ("space", "to", "from") if kind in NAMES_SPACES else ():
        name = payload.get(key)
        if isinstance(name, str) and name not in board.spaces and name not in board.powers and ":" not in name:
            raise ModeratorMistake(f"{kind}: there is no space or power {name!r}")
    for key in ("power", "owner"):
        name = payload.get(key)
        if isinstance(name, str) and name not in board.powers:
            raise ModeratorMistake(f"{kind}: there is no power {name!r}; there are {', '.join(board.powers)}")
    if kind == "units_created":
        for row in payload.get("units", ()):
            if row[0] in state.units:
                raise ModeratorMistake(f"units_created: there is a piece {row[0]} already")
            if row[1] not in board.units:
                there = ", ".join(board.units)
                raise ModeratorMistake(f"units_created: there is no unit {row[1]!r}; there are {there}")
    elif "units" in payload:
        missing = [unit for unit in payload["units"] if unit not in state.units]
        if missing:
            raise ModeratorMistake(f"{kind}: there is no piece {', '.join(missing)}")


def rule(referee: Referee, campaign: str, text: str, about: int | None = None, rules: Iterable[str] = ()) -> Done:
    """A moderator's answer to a dispute, about event `about` if one is named, citing rules. It changes no board."""
    cited = list(rules)

    def act(loaded: Loaded) -> _Act:
        if about is not None and not 0 <= about < loaded.size:
            raise ModeratorMistake(f"{campaign} has events 0 to {loaded.size - 1}; there is no event {about}")
        payload = {"text": text, "about": about}
        done = f"the ruling is recorded and mailed to all players of {campaign}"
        return _Act([("dispute_ruled", payload)], "ruled", {**payload, "rules": cited}, done, tuple(cited))

    return _do(referee, campaign, act)


# -- people -----------------------------------------------------------------------------------------------------------


def replace_player(referee: Referee, campaign: str, player: str, by: Player) -> Done:
    """Somebody else plays from now on: `by` takes all powers of `player`, whose reply address stops working.

    `by.id` must be a new id, for the log keeps who did what; `by.token` is made here.
    """
    if not NAME.fullmatch(by.id):
        raise ModeratorMistake(f"{by.id!r} is no name for a player; use small letters, digits and hyphens")
    if "@" not in by.address:
        raise ModeratorMistake(f"{by.address!r} is no mail address")
    if referee.store.player(campaign, by.id) is not None:
        raise ModeratorMistake(f"there is a {by.id} in {campaign} already; give the new player an id of his own")

    def act(loaded: Loaded) -> _Act:
        seats = players_of(loaded.play.now)
        if player not in seats:
            raise ModeratorMistake(f"nobody called {player} plays in {campaign}; there are {', '.join(seats)}")
        payload = {"player": player, "by": by.id, "powers": list(seats[player])}
        done = f"{by.id} plays {', '.join(seats[player])} in {campaign} from now on"
        return _Act([("player_replaced", payload)], "replaced", payload, done, also=(by.id,))

    # The newcomer must be reachable before mails for him are queued; an act that fails takes him out again.
    referee.store.put_player(replace(by, campaign=campaign, token=new_token()))
    try:
        done = _do(referee, campaign, act)
    except ModeratorMistake:
        referee.store.delete_player(campaign, by.id)
        raise
    left = referee.store.player(campaign, player)
    if left is not None:
        gone = _with_new_token(left)
        referee.store.put_player(replace(gone, settings={**gone.settings, "replaced_by": by.id}))
    return done


def new_address(referee: Referee, campaign: str, player: str, address: str | None = None) -> Done:
    """A player's new mail address (None: as before) and in any case a new secret reply address; the old one is revoked.

    Nothing of it is in the log. The player gets a mail at the address that counts now.
    """
    known = referee.store.player(campaign, player)
    if known is None:
        there = ", ".join(person.id for person in referee.store.players(campaign))
        raise ModeratorMistake(f"nobody is called {player} in {campaign}; there are {there}")
    if address is not None and "@" not in address:
        raise ModeratorMistake(f"{address!r} is no mail address")
    fresh = _with_new_token(known)
    referee.store.put_player(replace(fresh, address=address or known.address))
    number = f"{referee.store.head(campaign).size}-{referee.clock()}"
    row = NewOutbox(
        kind="address",
        recipient=player,
        message_id=f"<address.{number}.{player}.{campaign}@{referee.host}>",
        params={"moved": address is not None},
        campaign=campaign,
    )
    referee.store.put_outbox([row])
    return Done(None, f"{player} has a new secret reply address in {campaign}; the old one is revoked")


def _with_new_token(player: Player) -> Player:
    """The same person with a fresh token; the old one is remembered as revoked, so that its use can be answered."""
    return replace(player, token=new_token(), settings=_revoked(player))


def _revoked(player: Player) -> dict[str, Any]:
    return {**player.settings, "revoked": [*player.settings.get("revoked", ()), player.token][-20:]}


# -- how an act is done -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Act:
    """Events to append and the notice about them."""

    facts: Sequence[tuple[str, Mapping[str, Any]]]
    notice: str
    params: Mapping[str, Any]
    said: str
    rules: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


def _do(referee: Referee, campaign: str, act: Any) -> Done:
    """Decide in the position as loaded, append events and mails at once; again if somebody was faster."""
    while True:
        loaded = load(referee, campaign)
        made: _Act = act(loaded)
        now = referee.clock()
        events = [
            NewEvent(type=kind, payload=plain(payload), at=now, actor=MODERATOR, rules=made.rules)
            for kind, payload in made.facts
        ]
        people = list(dict.fromkeys((*_told(loaded.play.now), *made.also)))
        mails = notice_mails(campaign, people, made.notice, loaded.size, referee.host, plain(made.params))
        try:
            referee.store.append(campaign, loaded.size, events, outbox=mails)
        except Conflict:
            continue
        return Done(loaded.size, made.said)


def _told(state: State) -> dict[str, tuple[str, ...]]:
    """Everybody who is told of an act, with the powers he plays: all players, and the moderator."""
    people = dict(players_of(state))
    moderator = state.settings.get("moderator")
    if moderator:
        people.setdefault(moderator, ())
    return people
