"""What a teller has read so far, and one small function for each kind of event that says something to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.board.map import Board
from pbem.report.battles import LOSS_DECISIONS, BattleBook, says
from pbem.report.ledger import Ledger, Seen
from pbem.report.model import (
    Answer,
    Capture,
    FacilityChange,
    Gone,
    Income,
    Note,
    OrderLine,
    Relation,
    TurnTold,
)
from pbem.report.ways_out import leaving

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
class Fact:
    """A fact of a correction, in the form of an event."""

    seq: int
    type: str
    at: int
    payload: Mapping[str, Any]
    rules: tuple[str, ...] = ()
    readers: tuple[str, ...] | None = None


@dataclass(slots=True)
class TurnRead:
    """One power's share of what was read, for the headline."""

    power: str
    round: int
    took: list[str] = field(default_factory=list)
    lost: int = 0
    destroyed: int = 0
    battles: int = 0
    moved: bool = False

    def told(self) -> TurnTold:
        """The same as a value."""
        return TurnTold(
            self.power, self.round, tuple(dict.fromkeys(self.took)), self.lost, self.destroyed, self.battles, self.moved
        )


@dataclass(slots=True)
class Story:
    """What has been read so far."""

    board: Board
    ledger: Ledger
    book: BattleBook
    turns: list[TurnRead]
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
    def turn(self) -> TurnRead | None:
        """Whose turn is being read."""
        return self.turns[-1] if self.turns else None


Body = Mapping[str, Any]


def _segment(story: Story, body: Body, event: Seen) -> None:
    story.turns.append(TurnRead(body["power"], body["round"]))
    story.phase = ""


def _phase(story: Story, body: Body, event: Seen) -> None:
    story.phase = body["phase"]
    turn = story.turn
    if turn is None or turn.power != body["power"]:
        # A seat of several powers: each phase names whose it is, and the headline follows.
        known = next((one for one in story.turns if one.power == body["power"]), None)
        if known is not None and turn is not None and known.round == turn.round:
            story.turns.remove(known)
            story.turns.append(known)
        else:
            story.turns.append(TurnRead(body["power"], turn.round if turn else 0))


def _closed(story: Story, body: Body, event: Seen) -> None:
    for power, phases in body.get("orders", {}).items():
        order = story.board.facts.get("phases", {}).get(power, ())
        for phase in dict.fromkeys((*order, *phases)):
            if phase in phases and phase not in ("rest", "entropy"):
                story.orders.extend(OrderLine(power, phase, line["text"], "done") for line in phases[phase])


def _refused(story: Story, body: Body, event: Seen) -> None:
    status = "lapsed" if event.type == "order_lapsed" else "refused"
    line = OrderLine(
        body["power"], body["phase"], body["text"], status, body.get("reason") or "", body.get("rule"),
        body.get("suggestion"),
    )  # fmt: skip
    _settle(story, line)


def _accepted(story: Story, body: Body, event: Seen) -> None:
    if body.get("note"):
        rule = event.rules[0] if event.rules else None
        _settle(story, OrderLine(body["power"], body["phase"], body["text"], "done", rule=rule, note=body["note"]))


def _settle(story: Story, line: OrderLine) -> None:
    """Put what became of a line in the place of the line as it was opened."""
    for index, known in enumerate(story.orders):
        same = (known.power, known.text) == (line.power, line.text)
        if same and known.phase == line.phase and known.status == "done" and not known.note:
            story.orders[index] = line
            return
    story.orders.append(line)


def _decided(story: Story, body: Body, event: Seen) -> None:
    for row in body["decisions"]:
        value = row.get("value", row.get("order"))
        units, spaces = story.ledger.mentioned(value)
        answer = Answer(
            row["power"], row["kind"], row.get("space"), row.get("round", 0), row["by"], value,
            story.ledger.force(units), tuple(spaces),
            tuple((story.ledger.force(group), how, to) for (how, to), group in leaving(value).items()),
        )  # fmt: skip
        if story.book.answer(answer, event.rules) or answer.kind in LOSS_DECISIONS:
            continue
        if answer.by == "default" and not answer.force and not says(value):
            continue
        story.reactions.append(answer)


def _created(story: Story, body: Body, event: Seen) -> None:
    if body.get("why") == "set-up":
        return
    key = (body["owner"], body["space"], body.get("why", ""))
    kinds, rules = story.placed.setdefault(key, ({}, []))
    for row in body["units"]:
        kinds[row[1]] = kinds.get(row[1], 0) + 1
    rules.extend(event.rules)


def _removed(story: Story, body: Body, event: Seen) -> None:
    ledger, turn = story.ledger, story.turn
    if turn is not None:
        for unit in body["units"]:
            if ledger.owner.get(unit) == turn.power:
                turn.lost += 1
            else:
                turn.destroyed += 1
    if story.book.space != body["space"]:
        story.gone.append(Gone(body["space"], ledger.force(body["units"]), body.get("why", ""), tuple(event.rules)))


def _moved(story: Story, body: Body, event: Seen) -> None:
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


def _control(story: Story, body: Body, event: Seen) -> None:
    story.captures.append(Capture(body["space"], body["from"], body["to"], body.get("why", ""), tuple(event.rules)))
    turn = story.turn
    if turn is not None and (body["to"] == turn.power or body.get("why") == "liberated"):
        turn.took.append(body["space"])


def _facility(story: Story, body: Body, event: Seen) -> None:
    story.facilities.append(
        FacilityChange(
            body["space"], body["kind"], body["damage"], body.get("becomes"), body.get("why", ""), tuple(event.rules)
        )
    )


def _counter(story: Story, body: Body, event: Seen) -> None:
    if body["counter"] == "ipc":
        story.money.setdefault(body["power"], []).append((body.get("why", ""), body["by"]))


def _purchases(story: Story, body: Body, event: Seen) -> None:
    if body.get("why") in ("placed", "mobilized"):
        return
    back = body.get("why") == "returned"
    items = (story.returned if back else story.bought).setdefault(body["power"], {})
    for kind, by in body["items"].items():
        items[kind] = items.get(kind, 0) + (-by if back else by)


def _income(story: Story, body: Body, event: Seen) -> None:
    story.income[body["power"]] = Income(
        body["territories"], body.get("convoy_loss", 0), tuple((row[0], row[1]) for row in body.get("objectives", ())),
        body["total"], tuple(event.rules),
    )  # fmt: skip


def _convoys(story: Story, body: Body, event: Seen) -> None:
    story.convoys.extend((body["power"], zone, loss) for zone, loss in body["zones"])


def _relation(story: Story, body: Body, event: Seen) -> None:
    story.relations.append(Relation(body["a"], body["b"], body["to"], body.get("why", ""), tuple(event.rules)))


def _battle(story: Story, body: Body, event: Seen) -> None:
    if story.turn is not None and body["defenders"]:
        story.turn.battles += 1


def _won(story: Story, body: Body, event: Seen) -> None:
    story.won = body["side"]


def note(story: Story, body: Body, event: Seen) -> None:
    words, speaker = NOTES[event.type]
    text = body.get(words, "") if words else ""
    who = body.get(speaker, "") if speaker else ""
    facts = tuple(body["facts"]) if event.type == "correction_made" else ()
    for fact in facts:
        if fact["type"] == "counter_changed":
            _counter(story, fact["payload"], event)
    kind = event.type
    if kind == "concession_said" and not body["conceding"]:
        kind = "concession_taken_back"
    story.notes.append(Note(kind, "" if text is None else str(text), str(who or ""), event.seq, facts))


READERS: Mapping[str, Callable[[Story, Body, Seen], None]] = {
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


def read(story: Story, event: Seen) -> None:
    """Take in one public event: what it says is put down, what says nothing to a report is passed over."""
    reader = READERS.get(event.type)
    if reader is not None:
        reader(story, event.payload, event)
    elif event.type in NOTES:
        note(story, event.payload, event)
