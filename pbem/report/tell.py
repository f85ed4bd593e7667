"""From events to a report: `tell` reads a stretch of the log once, as its reader may see it, and gives frozen values.

It needs the position before and after (folded from the same reader's events) and the printed board; it judges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.board.map import Board
from pbem.board.state import State
from pbem.board.view import public_view
from pbem.report.battles import BattleBook
from pbem.report.cards import CardBook, hand_counts, piles
from pbem.report.ledger import Ledger, Seen
from pbem.report.model import (
    Bought,
    Due,
    Headline,
    Luck,
    Money,
    Move,
    Placed,
    Report,
    TurnTold,
)
from pbem.report.positions import clashes_of, positions_of, space_views
from pbem.report.story import Fact, Story, TurnRead, read


def tell(
    campaign: str, board: Board, before: State, events: Sequence[Seen], after: State, window: str | None = None
) -> Report:
    """The public part of the report on `events`, which took the position from `before` to `after`.

    Sealed events among them are passed over whoever reads, so the same report is true for everybody; what its reader
    alone may know is told by `pbem.report.private`.
    """
    before, after = public_view(before), public_view(after)
    ledger = Ledger(board, before)
    story = Story(board, ledger, BattleBook(ledger), [])
    cards = CardBook(ledger, before)
    if before.segment is not None and before.power is not None:
        story.turns.append(TurnRead(before.power, before.round))
        story.phase = before.phase or ""
    for event in events:
        if event.readers is not None or event.type == "sealed":
            continue
        read(story, event)
        story.book.see(event)
        cards.see(event)
        ledger.see(event)
        if event.type == "correction_made":
            for fact in event.payload["facts"]:
                ledger.see(Fact(event.seq, fact["type"], event.at, fact["payload"]))
    story.book.close()
    told = _report(campaign, story, before, events, after, window)
    return replace(told, cards=cards.news, hand_counts=hand_counts(board, after), piles=piles(after))


def _report(
    campaign: str, story: Story, before: State, events: Sequence[Seen], after: State, window: str | None
) -> Report:
    board, settings = story.board, after.settings
    captured = {capture.space for capture in story.captures}
    entered = {battle.space for battle in story.book.battles if battle.unopposed}
    entered -= {battle.space for battle in story.book.battles if not battle.unopposed}
    positions = positions_of(board, before, after)
    changed = {row.space for row in positions}
    turns = [turn.told() for turn in story.turns]
    about = turns[0] if turns else None
    due = due_of(after, window)
    clashes = clashes_of(board, after, due)
    turns = [replace(turn, ahead=bool(clashes) and turn.power == after.power) for turn in turns]
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
        battles=tuple(battle for battle in story.book.battles if not battle.unopposed),
        rolls=tuple(story.book.rolls),
        captures=tuple(replace(capture, unopposed=capture.space in entered) for capture in story.captures),
        gone=tuple(story.gone),
        relations=tuple(story.relations),
        bought=_bought(story, after),
        placed=tuple(
            Placed(power, space, _by_rank(story, kinds), why, tuple(dict.fromkeys(rules)))
            for (power, space, why), (kinds, rules) in story.placed.items()
        ),
        money=_money(story, before, after),
        convoys=tuple(story.convoys),
        luck=tuple(Luck(power, *story.book.luck[power]) for power in board.powers if power in story.book.luck),
        positions=positions,
        moves=_moves(story),
        facilities=tuple(story.facilities),
        counters=_counters(before, after),
        notes=tuple(story.notes),
        clashes=clashes,
        due=due,
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


def _headline(story: Story, before: State, after: State, turns: Sequence[TurnTold]) -> Headline:
    if story.won:
        return Headline("won", tuple(turns), story.won)
    busy = [turn for turn in turns if turn.moved or turn.took or turn.lost or turn.destroyed or turn.battles]
    if not busy and before.round == 0:
        return Headline("begun", tuple(turns))
    return Headline("turns", tuple(busy or turns[:1]))


def _bought(story: Story, after: State) -> tuple[Bought, ...]:
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


def _by_rank(story: Story, kinds: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Kinds with their counts in the order of the unit table."""
    return tuple(sorted(kinds.items(), key=lambda row: story.ledger.rank(row[0])))


def _money(story: Story, before: State, after: State) -> tuple[Money, ...]:
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


def _moves(story: Story) -> tuple[Move, ...]:
    ways: dict[tuple[str, str, tuple[str, ...], str, str], list[tuple[str, str, int]]] = {}
    for owner, start, via, end, phase, kind in story.moves:
        ways.setdefault((owner, start, via, end, phase), []).append((owner, kind, 1))
    return tuple(
        Move(owner, start, via, end, story.ledger.sorted_force(rows), phase)
        for (owner, start, via, end, phase), rows in ways.items()
    )
