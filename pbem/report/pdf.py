"""The turn report as PDF: a page for its reader, then the public record, laid out once for all readers of a language.

Nothing is fetched: only data: addresses are answered. The same report gives the same bytes: dates come from the
events, the identifier from the content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from io import BytesIO

from pydyf import PDF
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, ByteStringObject
from weasyprint import CSS, HTML, Attachment, Document
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher

from pbem.report.compact import compacted
from pbem.report.fonts import check_fonts
from pbem.report.glossary import glossary
from pbem.report.letters import Letters, needed
from pbem.report.map.draw import draw, draw_theatre
from pbem.report.mapview import map_view, title
from pbem.report.model import Money, Private, Report
from pbem.report.templating import filled, style_sheet
from pbem.report.vector import draw_page
from pbem.report.words import Words


@dataclass(frozen=True, slots=True)
class MoneyRow:
    """A treasury's line in the table, in IPC; `spent` is less what came back, `other` what fits no column."""

    power: str
    before: int
    spent: int
    territories: int
    convoys: int
    objectives: int
    other: int
    after: int


def money_row(money: Money) -> MoneyRow:
    """The changes of a treasury in the columns of the table; what fits none is `other`."""
    income = money.income
    spent = sum(by for why, by in money.changes if why == "refund" or (by < 0 and why not in ("income", "plunder")))
    territories = income.territories if income else 0
    convoys = -income.convoy_loss if income else 0
    objectives = sum(ipc for _, ipc in income.objectives) if income else 0
    other = money.after - money.before - spent - territories - convoys - objectives
    return MoneyRow(money.power, money.before, spent, territories, convoys, objectives, other, money.after)


class PublicRecord:
    """The public pages of one report in one language, laid out and written when first needed and then kept.

    `events` is what `public_events` gave; it travels inside as an attachment.
    """

    def __init__(self, report: Report, words: Words, events: bytes) -> None:
        self.report = report
        self.words = Words(words.board, words.language)  # UTC only: these pages are the same for everybody
        self.events = events
        self._written: bytes | None = None

    def pdf(self) -> bytes:
        """The pages as a file of their own."""
        if self._written is None:
            report = self.report
            moment = _moment(report)
            attachment = Attachment(
                string=self.events, name=events_name(report), created=moment, modified=moment,
                description=f"{report.campaign} {report.first}-{report.end - 1}", relationship="Data",
                url_fetcher=_fetcher(),
            )  # fmt: skip
            maps = self.maps()
            self._written = _written(self.html(maps), report, self.words.language, [attachment], maps)
        return self._written

    def maps(self) -> list[str]:
        """The map after the turn, and the theatre where most happened if much did; one to a page."""
        view = map_view(self.report, self.words)
        theatre = draw_theatre(view)
        return [draw(view)] if theatre is None else [draw(view), theatre]

    def html(self, maps: Sequence[str]) -> str:
        """The pages before layout: of the maps, which come first, only the letters."""
        report, words = self.report, self.words
        return filled(
            "pdf/public.html",
            words,
            report=report,
            turn=title(report, words),
            title=f"{report.campaign}: {title(report, words)}",
            maps=[needed((svg,)) for svg in maps],
            money=[money_row(row) for row in report.money],
            glossary=glossary(report.rules),
            option_list=words.options(report.options),
        )


def report_pdf(
    record: PublicRecord, private: Private, words: Words, note: str, *, reader: str = "", url: str = ""
) -> bytes:
    """The file for one reader: a page of his own before the public record. `note` is the checkpoint.

    Raises FontsMissing on a machine without a font for Chinese.
    """
    report = record.report
    cover = filled(
        "pdf/private.html",
        words,
        report=report,
        private=private,
        reader=reader or words.listed(words.power(power) for power in private.powers),
        turn=title(report, words),
        title=f"{report.campaign}: {title(report, words)}",
        note=note,
        url=url,
        attachment=events_name(report),
    )
    return _bound(_written(cover, report, words.language), record.pdf())


def events_name(report: Report) -> str:
    """The name of the attached events."""
    return f"{report.campaign}-{report.first}-{report.end - 1}.json"


def _bound(cover: bytes, record: bytes) -> bytes:
    """The cover's pages before the record's, whose attachment and dates stay; the identifier comes from the content."""
    writer = PdfWriter(clone_from=BytesIO(record))
    writer.merge(0, BytesIO(cover), import_outline=False)
    digest = hashlib.sha256(cover + record).digest()[:16]
    writer._ID = ArrayObject((ByteStringObject(digest), ByteStringObject(digest)))
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


@lru_cache(maxsize=1)
def _fetcher() -> URLFetcher:
    """Answers data: addresses and nothing else; an address that slipped in fails loudly."""
    return URLFetcher(allowed_protocols=["data"], fail_on_errors=True)


@lru_cache(maxsize=1)
def _fonts() -> FontConfiguration:
    """The fonts of this machine; FontsMissing rather than a page of boxes."""
    check_fonts()
    return FontConfiguration()


def _moment(report: Report) -> datetime:
    return datetime.fromtimestamp(report.at // 1000, UTC)


@lru_cache(maxsize=4)
def _style(language: str) -> CSS:
    """The style sheet of a language, read once."""
    return CSS(string=style_sheet("pdf/style.css", language), font_config=_fonts(), url_fetcher=_fetcher())


MAP_LEFT, MAP_TOP = 9.0, 9.0
"""Where a map begins on its page, in millimetres."""


def _written(
    html: str, report: Report, language: str, attachments: Sequence[Attachment] = (), maps: Sequence[str] = ()
) -> bytes:
    """Pages as a file whose dates are the report's own, so that the same pages are the same bytes.

    The first pages hold the letters of `maps` and become these.
    """
    document = HTML(string=html, base_url=None, url_fetcher=_fetcher()).render(
        font_config=_fonts(), stylesheets=[_style(language)]
    )  # fmt: skip
    document.metadata.created = document.metadata.modified = f"{_moment(report):%Y-%m-%dT%H:%M:%SZ}"
    document.metadata.generator = "pbem"

    def finish(document: Document, pdf: PDF) -> None:
        letters = Letters(document.fonts.values(), language)
        for number, svg in enumerate(maps):
            draw_page(pdf, number, svg, letters, MAP_LEFT, MAP_TOP)
        compacted(pdf)

    identifier = hashlib.sha256("".join((html, *maps)).encode()).hexdigest()[:32]
    made = document.write_pdf(attachments=list(attachments), pdf_identifier=identifier.encode(), finisher=finish)
    assert isinstance(made, bytes)
    return made
