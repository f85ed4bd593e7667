"""The answer to orders, from what was taken in: what is gone, lines with a remark, everything now in force.

Most quarrels about mail begin with "my orders were in"; so the answer repeats all that counts, and proves when.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.dice.entropy import text_hash
from pbem.report import text as mail_text
from pbem.report.glossary import in_few_words
from pbem.report.layout import Page
from pbem.report.phrases import suggestion_line
from pbem.report.refusals import in_words
from pbem.report.templating import filled
from pbem.report.words import Words

MARKS = {"accepted": "-", "refused": "x", "unreadable": "?", "ignored": "."}


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer as it is printed. `rows` are the lines of the mail that something is to be said about.

    Lines that were taken as they stand are not among them, since everything in force is printed whole. `talk` says
    which lines were no orders; `checkpoint` is the signed note.
    """

    campaign: str
    first: str
    summary: str
    notes: tuple[str, ...]
    rows: tuple[AnswerRow, ...]
    talk: str
    in_force: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...]
    empty: tuple[str, ...]
    standing: tuple[tuple[str, tuple[str, ...]], ...]
    asks: tuple[tuple[str, tuple[str, ...]], ...]
    ready: tuple[str, ...]
    link: str
    waiting: str
    deadline: str
    examples: tuple[str, ...]
    entropy: tuple[tuple[str, tuple[str, ...], str], ...]
    seq: int
    checkpoint: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One line of the mail: its mark and status, the player's words, and what is to be said under it."""

    mark: str
    status: str
    text: str
    under: tuple[str, ...]


def answer_view(
    params: Mapping[str, Any],
    phases: Sequence[str],
    words: Words,
    checkpoint: str,
    link: str = "",
    examples: Sequence[str] = (),
) -> AnswerView:
    """From `Answer.to_json()` to what is printed; `phases` is the order of the phases of that game.

    `examples` are lines that would answer the question which still waits for the reader.
    """
    lines = params.get("lines", ())
    taken = [row for row in lines if row["status"] == "accepted"]
    missed = [row for row in lines if row["status"] in ("refused", "unreadable")]
    gone = params.get("gone", ())
    powers = tuple(params.get("powers", ()))
    in_force = params.get("in_force", {})
    ready = [power for power in powers if power in params.get("ready", ())]
    unready = [power for power in powers if power in params.get("waiting_for", ())]
    waiting = params.get("waiting_for", ())
    window = params.get("window")
    said: list[str] = []
    orders_due = params.get("window_kind", "orders") == "orders"
    addressed = [power for power in powers if power in params.get("window_powers", powers)] if orders_due else []
    if window and ready:
        key = "ready.yes" if waiting else "ready.all"
        said.append(words.say(key, powers=words.listed(words.power(power) for power in ready)))
    if window and unready:
        key = "ready.no" if link else "ready.no_link"
        if not orders_due:
            partly = missed and any(in_force.get(power, {}).get("answers") for power in unready)
            key = "ready.unfinished" if partly else "ready.asked"
        said.append(words.say(key, powers=words.listed(words.power(power) for power in unready)))
    deadline = params.get("deadline")
    result = _result(taken, missed, words)
    return AnswerView(
        campaign=params["campaign"],
        # A last line that ends with a name like `Karelia S.S.R.` brings the full stop of the sentence.
        first=words.say("gone.first", lines=words.apart(map(words.order, gone)).rstrip(".")) if gone else result,
        summary=result if gone else "",
        notes=tuple(in_words(str(note), words) for note in params.get("notes", ())),
        rows=_rows(lines, words),
        talk=_talk(lines, words),
        in_force=tuple((power, _ordered(in_force[power], phases)) for power in powers if in_force.get(power)),
        empty=tuple(
            words.say("in_force.none", power=words.power(power)) for power in addressed if not in_force.get(power)
        )
        if addressed or any(in_force.values())
        else (words.say("in_force.not_due"),),
        standing=tuple((power, tuple(rows)) for power, rows in params.get("standing", {}).items()),
        asks=tuple((power, tuple(rows)) for power, rows in params.get("asks", {}).items()),
        ready=tuple(said),
        link=link if unready and window and orders_due else "",
        waiting=words.say("waiting_for", powers=words.listed(words.power(power) for power in waiting))
        if waiting
        else words.say("waiting_for.none"),
        deadline=""
        if not waiting
        else words.say("due.until", time=words.time(deadline))
        if deadline is not None
        else words.say("due.no_deadline"),
        examples=tuple(map(words.order, examples)),
        entropy=tuple(
            (power, tuple(text.rstrip("\n").split("\n")) if text else (), text_hash(text))
            for power, text in params.get("texts", {}).items()
        ),
        seq=params["seq"],
        checkpoint=checkpoint,
    )


def _result(taken: Sequence[Any], missed: Sequence[Any], words: Words) -> str:
    if not taken:
        return words.say("answer.nothing")
    if not missed:
        return words.say("answer.recorded", accepted=words.many(_count_lines(taken), "lines"))
    return words.say(
        "answer.some",
        accepted=words.many(_count_lines(taken), "lines"),
        refused=words.many(_count_lines(missed), "lines"),
    )


def _count_lines(rows: Sequence[Any]) -> int:
    """Lines as the player wrote them, though one may be several orders."""
    return len({row.get("line", place) for place, row in enumerate(rows)})


def _rows(lines: Sequence[Mapping[str, Any]], words: Words) -> tuple[AnswerRow, ...]:
    """The lines that something is to be said about; a rule is put in words where it is cited first."""
    told: set[str] = set()
    once: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for place, row in enumerate(lines):
        # One line may be several orders (`buy 2 infantry, 1 tank`); what is wrong with them all is said once.
        same = (row.get("line", place), row["text"], row["status"], row.get("reason"))
        once.setdefault(same if row.get("reason") else (place,), row)
    rows = [_row(row, words, told) for row in once.values() if row["status"] != "ignored"]
    return tuple(row for row in rows if row.under)


def _row(row: Mapping[str, Any], words: Words, told: set[str]) -> AnswerRow:
    under: list[str] = []
    canonical = row.get("canonical")
    if row["status"] == "accepted" and not row.get("reason") and not row.get("condition"):
        return AnswerRow(MARKS["accepted"], row["status"], row["text"], ())
    if row["status"] == "accepted" and canonical and canonical.strip() != row["text"].strip():
        under.append(words.say("line.read_as", what=words.order(canonical)))
    if row.get("condition"):
        under.append(words.say("line.if", what=row["condition"]))
    if row.get("reason"):
        reason = in_words(str(row["reason"]), words)
        status = words.say(f"line.{row['status']}")
        under.append(f"{status}: {reason}" if row["status"] != "accepted" else reason)
    rule = row.get("rule")
    if rule:
        few = "" if rule in told else in_few_words(rule)
        told.add(rule)
        under.append(words.say("rule.short", rule=rule, text=few) if few else rule)
    under.extend(suggestion_line(what, words) for what in row.get("suggestions", ()))
    return AnswerRow(MARKS.get(row["status"], "-"), row["status"], row["text"], tuple(under))


HEADINGS = ("heading", "")
"""Why a line that was passed over needs no word: it did its work as a heading, or nothing is known of it."""


def _talk(lines: Sequence[Mapping[str, Any]], words: Words) -> str:
    """One sentence about the lines that were read but ordered nothing; empty if there are none."""
    passed = [row["text"] for row in lines if row["status"] == "ignored" and (row.get("reason") or "") not in HEADINGS]
    quoted = words.joined(words.say("quoted", text=text) for text in passed)
    return words.say("answer.talk", lines=quoted) if passed else ""


def _ordered(filed: Mapping[str, Sequence[str]], phases: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    known = [phase for phase in (*phases, *filed) if phase in filed]
    return tuple((phase, tuple(filed[phase])) for phase in dict.fromkeys(known))


def answer_text(view: AnswerView, words: Words) -> str:
    """The answer as mail text."""
    page = Page()
    page.say(view.first)
    if view.summary:
        page.say(view.summary)
    for note in view.notes:
        page.say(note)
    if view.rows:
        page.heading(words.say("head.lines"))
        for row in view.rows:
            page.item(row.text, row.mark)
            for under in row.under:
                page.say(under, 4)
    if view.talk:
        page.blank()
        page.say(view.talk)
    page.heading(words.say("head.in_force_now"))
    mail_text.in_force(page, view.in_force, words)
    for line in view.empty:
        page.say(line)
    page.heading(words.say("head.standing"))
    mail_text.standing(page, view.standing, view.asks, words)
    page.heading(words.say("head.due"))
    page.say(view.waiting)
    if view.deadline:
        page.say(view.deadline)
    for line in view.ready:
        page.say(line)
    if view.link:
        page.verbatim(view.link, 2)
    if view.examples:
        page.say(words.say("answer.example_each"))
        for line in view.examples:
            page.line(line)
    if view.entropy:
        page.heading(words.say("head.entropy"))
        for power, lines, digest in view.entropy:
            page.say(words.say("entropy.text", power=words.power(power)))
            for line in lines:
                page.line(line)
            if not lines:
                page.say(words.say("entropy.empty"), 2)
            page.say(words.say("entropy.hash", hash=digest))
    page.heading(words.say("head.proof"))
    page.say(words.say("seq", n=view.seq))
    page.say(words.say("proof.short"))
    page.blank()
    page.verbatim(view.checkpoint)
    return page.text()


def answer_html(view: AnswerView, words: Words) -> str:
    """The answer as HTML."""
    return filled("mail/answer.html", words, view=view, title=f"{view.campaign}: {view.first}")
