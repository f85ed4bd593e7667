"""From a row of the outbox to a mail's words: subject, text, HTML and attachments. What is read, its receiver may read.

The log is read with the receiver's eyes only; the single exception is the trial of an example, of which nothing but
yes or no comes out. Nothing is fetched, and the same log gives the same mail.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.campaign.referee import Referee
from pbem.campaign.timing import phases_of
from pbem.log.event import Event
from pbem.log.store import OutboxRow, Player
from pbem.report import notices
from pbem.report.answer import answer_html, answer_text, answer_view
from pbem.report.attached import public_events
from pbem.report.examples import example_for
from pbem.report.gather import Stretch, Trial, rules_and_board, seen_by, stretch, turn_of
from pbem.report.html import report_html
from pbem.report.model import Private, Report, Turn
from pbem.report.pdf import PublicRecord, report_pdf
from pbem.report.private import private_of
from pbem.report.tell import tell
from pbem.report.text import report_text
from pbem.report.words import Words

REPORT_KINDS = ("report", "ask")
RECORDS_KEPT = 4
"""Public records kept laid out: the players of a campaign get theirs one after the other."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that goes with a mail."""

    filename: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a mail says."""

    subject: str
    text: str
    html: str | None
    attachments: tuple[Attached, ...] = ()


def render(referee: Referee, row: OutboxRow) -> Rendered:
    """The mail of an outbox row for its recipient. KeyError for a kind that is not about the game.

    LookupError if the recipient is no player of the campaign.
    """
    assert row.campaign is not None
    player = referee.store.player(row.campaign, row.recipient)
    if player is None:
        raise LookupError(f"{row.recipient} does not play in {row.campaign}")
    note = referee.signer.sign(row.campaign, referee.clock())
    if row.kind in REPORT_KINDS:
        return _report(referee, row, player, note)
    if row.kind == "answer":
        return _answer(referee, row, player, note)
    return _notice(referee, row, player, note)


def subject(campaign: str, turn: Turn, words: Words) -> str:
    """`[p40-17] Japan, round 3: combat move`: the same for every mail about one turn, so that mails stay together."""
    if turn.power is None:
        return f"[{campaign}] {words.say('subject.begun')}"
    values = {"power": words.power(turn.power), "round": turn.round}
    if not turn.phases:
        return f"[{campaign}] {words.say('subject.turn', **values)}"
    phase = "combat_move" if "combat_move" in turn.phases else turn.phases[-1]
    return f"[{campaign}] {words.say('subject.phase', phase=words.phase(phase), **values)}"


# -- reports and questions --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Material:
    """A report with everything that printing it for one reader takes."""

    report: Report
    private: Private
    words: Words
    stretch: Stretch
    reader: str

    def record(self) -> PublicRecord:
        """The public pages, shared by all readers of the language."""
        report = self.report
        events = public_events(report.campaign, report.first, report.end, self.stretch.events)
        return _record(report, self.words, events)


def material(
    referee: Referee, campaign: str, player: Player, first: int, end: int | None = None, window: str | None = None
) -> Material:
    """What the events `first` .. `end` - 1 come to for one reader (`end` None: everything stored)."""
    events, powers = seen_by(referee, campaign, player.id, end)
    told = stretch(events, first)
    rules, board = rules_and_board(told.after)
    words = Words(board, player.language, player.time_zone)
    report = tell(campaign, board, told.before, told.events, told.after, window)
    own = tuple(power for power in board.powers if power in powers)
    example: tuple[str, ...] = ()
    hints = rules.parameters.get("card_hints", {})
    if report.due is not None and any(power in report.due.powers for power in own):
        trial = Trial(referee, campaign, player.id, told.after.size if end is None else end)
        moments = {name: hint[0] for name, hint in hints.items()}
        example = example_for(told.after, board, own, report.due, trial.accepted, moments)
    phases = phases_of(rules, own[0]) if own else ()
    private = private_of(told.after, own, report.due, told.events, phases, example, hints)
    return Material(report, private, words, told, player.name or player.id)


def _report(referee: Referee, row: OutboxRow, player: Player, note: str) -> Rendered:
    assert row.campaign is not None
    params = row.params
    made = material(referee, row.campaign, player, params["from"], params["to"], params.get("window"))
    asked = row.kind == "ask"
    attachments: tuple[Attached, ...] = ()
    if not asked:
        attachments = (pdf_of(made, note, referee.url),)
    return Rendered(
        subject(row.campaign, made.stretch.turn, made.words),
        report_text(made.report, made.private, made.words, note, referee.url, asked=asked),
        report_html(made.report, made.private, made.words, note, referee.url, asked=asked, pdf=bool(attachments)),
        attachments,
    )


def pdf_of(made: Material, note: str, url: str = "") -> Attached:
    """The report as a PDF file."""
    report = made.report
    data = report_pdf(made.record(), made.private, made.words, note, reader=made.reader, url=url)
    who = report.power or "start"
    begun = not report.round or report.headline.kind == "begun"
    name = f"{report.campaign}-start.pdf" if begun else f"{report.campaign}-round-{report.round}-{who}.pdf"
    return Attached(name, "application/pdf", data)


_records: OrderedDict[tuple[str, str, str], PublicRecord] = OrderedDict()


def _record(report: Report, words: Words, events: bytes) -> PublicRecord:
    """The public record of a report in a language, laid out once for several readers in this process."""
    due = repr(report.due).encode()
    key = (report.campaign, words.language, hashlib.sha256(events + due).hexdigest())
    known = _records.get(key)
    if known is None:
        known = _records[key] = PublicRecord(report, words, events)
        while len(_records) > RECORDS_KEPT:
            _records.popitem(last=False)
    return known


# -- answers and notices ----------------------------------------------------------------------------------------------


def _answer(referee: Referee, row: OutboxRow, player: Player, note: str) -> Rendered:
    assert row.campaign is not None
    params = row.params
    events, _ = seen_by(referee, row.campaign, player.id, params["seq"])
    words, phases = _words(events, player)
    link = ready_link(referee, player, params.get("window"))
    view = answer_view(params, phases, words, note, link, _still_asked(referee, row.campaign, player, params))
    return Rendered(
        subject(row.campaign, turn_of(events), words), answer_text(view, words), answer_html(view, words)
    )  # fmt: skip


def _still_asked(referee: Referee, campaign: str, player: Player, params: Mapping[str, Any]) -> tuple[str, ...]:
    """Lines that answer the open question, for who sent a mail in which none was."""
    powers = params.get("powers", ())
    answered = any(phases.get("answers") for phases in params.get("in_force", {}).values())
    if params.get("window_kind", "orders") == "orders" or answered or not set(powers) & set(params["waiting_for"]):
        return ()
    return material(referee, campaign, player, params["seq"], params["seq"], params["window"]).private.example


def ready_link(referee: Referee, player: Player, window: str | None) -> str:
    """Where a player says `ready` by a button; empty where the service has no web address."""
    if not referee.url or not player.token or window is None:
        return ""
    return f"{referee.url}/c/{player.campaign}/ready/{player.token}"


def _notice(referee: Referee, row: OutboxRow, player: Player, note: str) -> Rendered:
    assert row.campaign is not None
    events, _ = seen_by(referee, row.campaign, player.id, 1)
    words, _ = _words(events, player)
    notice = notices.notice_of(row.kind, row.campaign, row.params, words)
    return Rendered(
        f"[{row.campaign}] {words.say(f'{row.kind}.subject')}",
        notices.notice_text(notice, words, note),
        notices.notice_html(notice, words, note),
    )


def _words(events: list[Event], player: Player) -> tuple[Words, tuple[str, ...]]:
    """The reader's words for the campaign that event 0 describes, and the order of its phases."""
    rules, board = rules_and_board(stretch(events[:1], 0).after)
    return Words(board, player.language, player.time_zone), phases_of(rules, next(iter(board.powers)))
