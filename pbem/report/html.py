"""Mails as HTML: phone first, styles inside the elements, nothing fetched, somebody's words always escaped."""

from __future__ import annotations

from pbem.report.mapview import title
from pbem.report.model import Private, Report
from pbem.report.templating import filled
from pbem.report.words import Words


def report_html(
    report: Report,
    private: Private,
    words: Words,
    note: str,
    url: str = "",
    *,
    asked: bool = False,
    pdf: bool = False,
) -> str:
    """A turn report, or with `asked` a question in mid-turn; `pdf` says that the report is attached as a PDF too."""
    return filled(
        "mail/report.html",
        words,
        report=report,
        private=private,
        note=note,
        url=url,
        asked=asked,
        pdf=pdf,
        turn=title(report, words),
        title=f"{report.campaign}: {title(report, words)}",
        option_list=words.options(report.options),
    )
