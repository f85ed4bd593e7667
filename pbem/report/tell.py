"""From events to a report: `tell` reads a stretch of the log once, as its reader may see it, and gives frozen values.

It needs the position before and after (folded from the same reader's events) and the printed board; it judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State
from pbem.board.view import public_view
from pbem.report.battles import LOSS_DECISIONS, BattleBook, says
from pbem.report.ledger import Ledger, Seen
from pbem.report.model import (
    Answer,
    Bought,
    Capture,
    Due,
    FacilityChange,
    Gone,
    Headline,
    Income,
    Luck,
    Money,
    Move,
    Note,
    OrderLine,
    Placed,
    Relation,
    Report,
    TurnTold,
)
from pbem.report.positions import positions_of, space_views

NOTES: Mapping[str, tuple[str, str]] = {
    "paused": ("reason", ""),
    "resumed": ("", ""),
    "correction_made": ("reason", ""),
    "ruling_noted": ("text", ""),
    "dispute_opened": ("text", "player"),
    "dispute_ruled": ("text", ""),
    "player_replaced": ("power", ""),
    "press_sent": ("text", "from"),
    "mail_noted": ("text", ""),
    "concession_said": ("", "power"),
    "player_conceded": ("", "power"),
    "rules_version_changed": ("version", ""),
    "restored": ("", ""),
    "rewound": ("to", ""),
    "technology_gained": ("technology", "power"),
    "dice_chain_committed": ("", ""),
}
"""Events told as a remark: which member of the payload holds the words, and which says who spoke."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """A fact of a correction, in the form of an event."""

    seq: int
    type: str
    at: int
    payload: Mapping[str, Any]
    rules: tuple[str, ...] = ()
    readers: tuple[str, ...] | None = None


@dataclass(slots=True)
class _Turn:
    power: str
    round: int
    took: list[str] = field(default_factory=list)
    lost: int = 0
    destroyed: int = 0
    battles: int = 0
    moved: bool = False

    def told(self) -> TurnTold:
        return TurnTold(
            self.power, self.round, tuple(dict.fromkeys(self.took)), self.lost, self.destroyed, self.battles, self.moved
        )


@dataclass(slots=True)
class _Story:
    """What has been read so far."""

    board: Board
    ledger: Ledger
    book: BattleBook
    turns: list[_Turn]
    phase: str = ""
    orders: list[OrderLine] = field(default_factory=list)
    reactions: list[Answer] = field(default_factory=list)
    captures: list[Capture] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    bought: dict[str, dict[str, int]] = field(default_factory=dict)
    returned: dict[str, dict[str, int]] = field(default_factory=dict)
    placed: dict[tuple[str, str, str], tuple[dict[str, int], list[str]]] = field(default_factory=dict)
    money: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    income: dict[str, Income] = field(default_factory=dict)
    convoys: list[tuple[str, str, int]] = field(default_factory=list)
    moves: list[tuple[str, str, tuple[str, ...], str, str, str]] = field(default_factory=list)
    facilities: list[FacilityChange] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    won: str = ""

    @property
    def turn(self) -> _Turn | None:
        return self.turns[-1] if self.turns else None


def tell(
    campaign: str, board: Board, before: State, events: Sequence[Seen], after: State, window: str | None = None
) -> Report:
    """The public part of the report on `events`, which took the position from `before` to `after`.

    Sealed events among them are passed over whoever reads, so the same report is true for everybody; what its reader
    alone may know is told by `pbem.report.private`.
    """
    before, after = public_view(before), public_view(after)
    ledger = Ledger(board, before)
    story = _Story(board, ledger, BattleBook(ledger), [])
    if before.segment is not None and before.power is not None:
        story.turns.append(_Turn(before.power, before.round))
        story.phase = before.phase or ""
    for event in events:
        if event.readers is not None or event.type == "sealed":
            continue
        reader = _READERS.get(event.type)
        if reader is not None:
            reader(story, event.payload, event)
        elif event.type in NOTES:
            _note(story, event.payload, event)
        story.book.see(event)
        ledger.see(event)
        if event.type == "correction_made":
            for fact in event.payload["facts"]:
                ledger.see(_Fact(event.seq, fact["type"], event.at, fact["payload"]))
    story.book.close()
    return _report(campaign, story, before, events, after, window)


def _report(
    campaign: str, story: _Story, before: State, events: Sequence[Seen], after: State, window: str | None
) -> Report:
    board, settings = story.board, after.settings
    captured = {capture.space for capture in story.captures}
    positions = positions_of(board, before, after)
    changed = {row.space for row in positions}
    turns = [turn.told() for turn in story.turns]
    about = turns[0] if turns else None
    cited = [rule for event in events if event.readers is None and event.type != "sealed" for rule in event.rules]
    cited += [line.rule for line in story.orders if line.rule]
    return Report(
        campaign=campaign,
        title=settings.get("title") or board.title,
        game=settings.get("game", ""),
        edition=settings.get("edition") or "",
        board=board.id,
        variants=tuple(settings.get("variants", ())),
        options=tuple(sorted(settings.get("options", {}).items())),
        first=events[0].seq if events else after.size,
        end=after.size,
        at=max((event.at for event in events), default=0),
        round=about.round if about else after.round,
        power=about.power if about else after.power,
        headline=_headline(story, before, after, turns),
        orders=tuple(story.orders),
        reactions=tuple(story.reactions),
        battles=tuple(story.book.battles),
        rolls=tuple(story.book.rolls),
        captures=tuple(story.captures),
        gone=tuple(story.gone),
        relations=tuple(story.relations),
        bought=_bought(story, after),
        placed=tuple(
            Placed(power, space, _by_rank(story, kinds), why, tuple(dict.fromkeys(rules)))
            for (power, space, why), (kinds, rules) in story.placed.items()
        ),
        money=_money(story, before, after),
        convoys=tuple(story.convoys),
        luck=tuple(
            Luck(power, *story.book.luck[power]) for power in board.powers if power in story.book.luck
        ),
        positions=positions,
        moves=_moves(story),
        facilities=tuple(story.facilities),
        counters=_counters(before, after),
        notes=tuple(story.notes),
        due=due_of(after, window),
        winner=after.winner,
        spaces=space_views(board, after, captured, changed),
        rules=tuple(sorted(dict.fromkeys(cited), key=rule_key)),
    )


def rule_key(rule: str) -> tuple[Any, ...]:
    """Sorts `P40-9.2` before `P40-10.1`."""
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in rule.replace("-", ".").split("."))


def due_of(state: State, window: str | None) -> Due | None:
    """What the campaign waits for: the window named, else the first that is open; None if there is none."""
    known = state.windows.get(window or "") or next(iter(state.windows.values()), None)
    if known is None:
        return None
    done = set(known.ready)
    if known.kind != "orders" or state.settings.get("closing") == "at_once":
        done |= set(known.answered)
    played = [power for powers in state.settings.get("seats", {}).values() for power in powers]
    waiting = tuple(power for power in known.powers if power in played and power not in done)
    asks = tuple({name: _counted(value, state) for name, value in ask.items()} for ask in known.asks)
    return Due(known.id, known.kind, known.powers, known.phases, asks, known.deadline, waiting)


def _counted(value: Any, state: State) -> Any:
    """A list of unit ids as {kind: count}, for players know no ids; everything else as it is."""
    if isinstance(value, list | tuple) and value and all(isinstance(row, str) and row in state.units for row in value):
        counts: dict[str, int] = {}
        for row in value:
            kind = state.units[row].kind
            counts[kind] = counts.get(kind, 0) + 1
        return counts
    return value


def _headline(story: _Story, before: State, after: State, turns: Sequence[TurnTold]) -> Headline:
    if story.won:
        return Headline("won", tuple(turns), story.won)
    busy = [turn for turn in turns if turn.moved or turn.took or turn.lost or turn.destroyed or turn.battles]
    if not busy and before.round == 0:
        return Headline("begun", tuple(turns))
    return Headline("turns", tuple(busy or turns[:1]))


def _bought(story: _Story, after: State) -> tuple[Bought, ...]:
    known = {**story.bought, **story.returned}
    powers = [power for power in story.board.powers if power in known or after.purchased(power)]
    return tuple(
        Bought(
            power,
            _by_rank(story, story.bought.get(power, {})),
            _by_rank(story, after.purchased(power)),
            _by_rank(story, story.returned.get(power, {})),
        )
        for power in powers
    )


def _by_rank(story: _Story, kinds: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Kinds with their counts in the order of the unit table."""
    return tuple(sorted(kinds.items(), key=lambda row: story.ledger.rank(row[0])))


def _money(story: _Story, before: State, after: State) -> tuple[Money, ...]:
    rows = []
    for power, known in story.board.powers.items():
        if not known.playable:
            continue
        sums: dict[str, int] = {}
        for why, by in story.money.get(power, ()):
            sums[why] = sums.get(why, 0) + by
        rows.append(
            Money(power, before.counter(power), tuple(sums.items()), after.counter(power), story.income.get(power))
        )
    return tuple(rows)


def _counters(before: State, after: State) -> tuple[tuple[str, str, int, int], ...]:
    rows = []
    for key in dict.fromkeys((*before.counters, *after.counters)):
        power, _, name = key.partition("/")
        old, new = before.counters.get(key, 0), after.counters.get(key, 0)
        if name != "ipc" and old != new and before.round:
            rows.append((power, name, old, new))
    return tuple(rows)


def _moves(story: _Story) -> tuple[Move, ...]:
    ways: dict[tuple[str, str, tuple[str, ...], str, str], list[tuple[str, str, int]]] = {}
    for owner, start, via, end, phase, kind in story.moves:
        ways.setdefault((owner, start, via, end, phase), []).append((owner, kind, 1))
    return tuple(
        Move(owner, start, via, end, story.ledger.sorted_force(rows), phase)
        for (owner, start, via, end, phase), rows in ways.items()
    )


# -- one reader for each kind of event --------------------------------------------------------------------------------

Body = Mapping[str, Any]


def _segment(story: _Story, body: Body, event: Seen) -> None:
    story.turns.append(_Turn(body["power"], body["round"]))
    story.phase = ""


def _phase(story: _Story, body: Body, event: Seen) -> None:
    story.phase = body["phase"]
    turn = story.turn
    if turn is None or turn.power != body["power"]:
        # A seat of several powers: each phase names whose it is, and the headline follows.
        known = next((one for one in story.turns if one.power == body["power"]), None)
        if known is not None and turn is not None and known.round == turn.round:
            story.turns.remove(known)
            story.turns.append(known)
        else:
            story.turns.append(_Turn(body["power"], turn.round if turn else 0))


def _closed(story: _Story, body: Body, event: Seen) -> None:
    for power, phases in body.get("orders", {}).items():
        order = story.board.facts.get("phases", {}).get(power, ())
        for phase in dict.fromkeys((*order, *phases)):
            if phase in phases and phase not in ("rest", "entropy"):
                story.orders.extend(OrderLine(power, phase, line["text"], "done") for line in phases[phase])


def _refused(story: _Story, body: Body, event: Seen) -> None:
    status = "lapsed" if event.type == "order_lapsed" else "refused"
    line = OrderLine(
        body["power"], body["phase"], body["text"], status, body.get("reason") or "", body.get("rule"),
        body.get("suggestion"),
    )  # fmt: skip
    _settle(story, line)


def _accepted(story: _Story, body: Body, event: Seen) -> None:
    if body.get("note"):
        rule = event.rules[0] if event.rules else None
        _settle(story, OrderLine(body["power"], body["phase"], body["text"], "done", rule=rule, note=body["note"]))


def _settle(story: _Story, line: OrderLine) -> None:
    """Put what became of a line in the place of the line as it was opened."""
    for index, known in enumerate(story.orders):
        same = (known.power, known.text) == (line.power, line.text)
        if same and known.phase == line.phase and known.status == "done" and not known.note:
            story.orders[index] = line
            return
    story.orders.append(line)


def _decided(story: _Story, body: Body, event: Seen) -> None:
    for row in body["decisions"]:
        value = row.get("value", row.get("order"))
        units, spaces = story.ledger.mentioned(value)
        answer = Answer(
            row["power"], row["kind"], row.get("space"), row.get("round", 0), row["by"], value,
            story.ledger.force(units), tuple(spaces),
        )  # fmt: skip
        if story.book.answer(answer) or answer.kind in LOSS_DECISIONS:
            continue
        if answer.by == "default" and not answer.force and not says(value):
            continue
        story.reactions.append(answer)


def _created(story: _Story, body: Body, event: Seen) -> None:
    if body.get("why") == "set-up":
        return
    key = (body["owner"], body["space"], body.get("why", ""))
    kinds, rules = story.placed.setdefault(key, ({}, []))
    for row in body["units"]:
        kinds[row[1]] = kinds.get(row[1], 0) + 1
    rules.extend(event.rules)


def _removed(story: _Story, body: Body, event: Seen) -> None:
    ledger, turn = story.ledger, story.turn
    if turn is not None:
        for unit in body["units"]:
            if ledger.owner.get(unit) == turn.power:
                turn.lost += 1
            else:
                turn.destroyed += 1
    if story.book.space != body["space"]:
        story.gone.append(Gone(body["space"], ledger.force(body["units"]), body.get("why", ""), tuple(event.rules)))


def _moved(story: _Story, body: Body, event: Seen) -> None:
    if story.turn is not None:
        story.turn.moved = True
    start = body["from"]
    end = body.get("to") or body.get("zone") or start
    if start == end or start not in story.board.spaces or end not in story.board.spaces:
        return
    via = tuple(space for space in body.get("via", ()) if space in story.board.spaces)
    for unit in body["units"]:
        kind, owner = story.ledger.kind.get(unit, ""), story.ledger.owner.get(unit, "")
        story.moves.append((owner, start, via, end, story.phase, kind))


def _control(story: _Story, body: Body, event: Seen) -> None:
    story.captures.append(Capture(body["space"], body["from"], body["to"], body.get("why", ""), tuple(event.rules)))
    turn = story.turn
    if turn is not None and (body["to"] == turn.power or body.get("why") == "liberated"):
        turn.took.append(body["space"])


def _facility(story: _Story, body: Body, event: Seen) -> None:
    story.facilities.append(
        FacilityChange(
            body["space"], body["kind"], body["damage"], body.get("becomes"), body.get("why", ""), tuple(event.rules)
        )
    )


def _counter(story: _Story, body: Body, event: Seen) -> None:
    if body["counter"] == "ipc":
        story.money.setdefault(body["power"], []).append((body.get("why", ""), body["by"]))


def _purchases(story: _Story, body: Body, event: Seen) -> None:
    if body.get("why") in ("placed", "mobilized"):
        return
    back = body.get("why") == "returned"
    items = (story.returned if back else story.bought).setdefault(body["power"], {})
    for kind, by in body["items"].items():
        items[kind] = items.get(kind, 0) + (-by if back else by)


def _income(story: _Story, body: Body, event: Seen) -> None:
    story.income[body["power"]] = Income(
        body["territories"], body.get("convoy_loss", 0), tuple((row[0], row[1]) for row in body.get("objectives", ())),
        body["total"], tuple(event.rules),
    )  # fmt: skip


def _convoys(story: _Story, body: Body, event: Seen) -> None:
    story.convoys.extend((body["power"], zone, loss) for zone, loss in body["zones"])


def _relation(story: _Story, body: Body, event: Seen) -> None:
    story.relations.append(Relation(body["a"], body["b"], body["to"], body.get("why", ""), tuple(event.rules)))


def _battle(story: _Story, body: Body, event: Seen) -> None:
    if story.turn is not None:
        story.turn.battles += 1


def _won(story: _Story, body: Body, event: Seen) -> None:
    story.won = body["side"]


def _note(story: _Story, body: Body, event: Seen) -> None:
    words, speaker = NOTES[event.type]
    text = body.get(words, "") if words else ""
    who = body.get(speaker, "") if speaker else ""
    if event.type == "correction_made":
        facts = ", ".join(dict.fromkeys(fact["type"].replace("_", " ") for fact in body["facts"]))
        text = f"{text} ({facts})" if text else facts
    story.notes.append(Note(event.type, "" if text is None else str(text), str(who or ""), event.seq))


_READERS: Mapping[str, Callable[[_Story, Body, Seen], None]] = {
    "segment_begun": _segment,
    "phase_begun": _phase,
    "window_closed": _closed,
    "order_refused": _refused,
    "order_lapsed": _refused,
    "order_accepted": _accepted,
    "decisions_taken": _decided,
    "units_created": _created,
    "units_removed": _removed,
    "units_moved": _moved,
    "units_loaded": _moved,
    "units_unloaded": _moved,
    "control_changed": _control,
    "facility_changed": _facility,
    "counter_changed": _counter,
    "purchases_changed": _purchases,
    "income_collected": _income,
    "convoys_disrupted": _convoys,
    "relation_changed": _relation,
    "battle_begun": _battle,
    "game_won": _won,
}
