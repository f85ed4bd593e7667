"""Short notices to players about the campaign itself: paused, stopped, taken back, a new deadline, a ruling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.report.corrections import in_facts
from pbem.report.glossary import in_few_words
from pbem.report.layout import Page
from pbem.report.templating import filled
from pbem.report.words import Words


@dataclass(frozen=True, slots=True)
class Notice:
    """A first line, sentences below it, and lines to be copied as they are under headings."""

    first: str
    sentences: tuple[str, ...] = ()
    lines: tuple[tuple[str, tuple[str, ...]], ...] = ()


Params = Mapping[str, Any]


def _reason(params: Params, words: Words) -> tuple[str, ...]:
    reason = params.get("reason") or params.get("why") or ""
    return (words.say("notice.reason", reason=reason),) if reason else ()


def _paused(campaign: str, params: Params, words: Words) -> Notice:
    return Notice(
        words.say("paused.first", campaign=campaign), (*_reason(params, words), words.say("paused.why"))
    )  # fmt: skip


def _stopped(campaign: str, params: Params, words: Words) -> Notice:
    """Only the place of the difference is told: what stands there may be sealed from the reader."""
    first = words.say("stopped.first", campaign=campaign)
    place = {"reason": str(params.get("reason", "")).partition(":")[0]}
    return Notice(first, (words.say("stopped.why"), *_reason(place, words)))


def _resumed(campaign: str, params: Params, words: Words) -> Notice:
    times = tuple(
        words.say("due.until", time=words.time(at)) for at in params.get("deadlines", {}).values() if at is not None
    )
    return Notice(words.say("resumed.first", campaign=campaign), (words.say("resumed.why"), *times))


def _rewound(campaign: str, params: Params, words: Words) -> Notice:
    first = words.say("rewound.first", campaign=campaign, what=params.get("what", f"event {params.get('to')}"))
    offered = tuple((words.power(power), tuple(rows)) for power, rows in params.get("offered", {}).items() if rows)
    asked = words.say("rewound.offered" if offered else "rewound.none")
    return Notice(first, (*_reason(params, words), words.say("rewound.why"), asked), offered)


def _deadline(campaign: str, params: Params, words: Words) -> Notice:
    at = params.get("deadline")
    now = words.say("deadline.none") if at is None else words.say("deadline.window", time=words.time(at))
    return Notice(words.say("deadline.first", campaign=campaign), (now, *_reason(params, words)))


def _correction(campaign: str, params: Params, words: Words) -> Notice:
    first = words.say("correction.first", campaign=campaign)
    facts = in_facts(params.get("facts", ()), words)
    what = (words.say("correction.facts", facts=facts),) if facts else ()
    return Notice(first, (*_reason(params, words), *what, words.say("correction.why")))


def _ruled(campaign: str, params: Params, words: Words) -> Notice:
    about = params.get("about")
    said = [words.say("ruled.about", n=about)] if about is not None else []
    said.append(str(params.get("text", "")))
    said += [f"{rule}: {in_few_words(rule)}" for rule in params.get("rules", ())]
    return Notice(words.say("ruled.first", campaign=campaign), tuple(said))


def _replaced(campaign: str, params: Params, words: Words) -> Notice:
    powers = words.listed(words.power(power) for power in params.get("powers", ()))
    return Notice(words.say("replaced.first", campaign=campaign, powers=powers, by=params.get("by", "")))


def _address(campaign: str, params: Params, words: Words) -> Notice:
    return Notice(words.say("address.first", campaign=campaign), (words.say("address.why"),))


_WRITERS: Mapping[str, Callable[[str, Params, Words], Notice]] = {
    "paused": _paused,
    "stopped": _stopped,
    "resumed": _resumed,
    "rewound": _rewound,
    "deadline": _deadline,
    "correction": _correction,
    "ruled": _ruled,
    "replaced": _replaced,
    "address": _address,
}
KINDS = tuple(_WRITERS)
"""Kinds of notices; see `pbem.campaign.moderate` and `advance` for what causes them."""


def notice_of(kind: str, campaign: str, params: Params, words: Words) -> Notice:
    """The notice of an outbox row. KeyError for a kind nobody writes."""
    return _WRITERS[kind](campaign, params, words)


def notice_text(notice: Notice, words: Words, note: str) -> str:
    """The notice as mail text, with the checkpoint at its end."""
    page = Page()
    page.say(notice.first)
    page.blank()
    for sentence in notice.sentences:
        page.say(sentence)
    for heading, lines in notice.lines:
        page.heading(heading)
        for line in lines:
            page.line(line)
    page.heading(words.say("head.proof"))
    page.say(words.say("proof.short"))
    page.blank()
    page.verbatim(note)
    return page.text()


def notice_html(notice: Notice, words: Words, note: str) -> str:
    """The notice as HTML."""
    return filled("mail/notice.html", words, notice=notice, note=note, title=notice.first)
