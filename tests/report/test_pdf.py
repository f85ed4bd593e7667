"""The PDF: one file for one reader, the same bytes every time, nothing fetched, nothing of others inside."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from pypdf import PdfReader

from pbem.board.evolve import fold
from pbem.report.attached import public_events
from pbem.report.compact import bare_outlines
from pbem.report.dice_faces import strip, strip_size
from pbem.report.fonts import CJK_SAMPLE
from pbem.report.model import Die
from pbem.report.pdf import PublicRecord, events_name, report_pdf
from pbem.report.tell import tell
from pbem.report.words import Words
from tests.report.kit import BEN, NOON, NOTE, PRESS, board, japans_turn, start

BEFORE = start()
TOLD = japans_turn(BEFORE)
REPORT = tell("p40-17", board(), BEFORE, TOLD, fold(BEFORE, TOLD), "r3.usa:moves")
EVENTS = public_events("p40-17", REPORT.first, REPORT.end, TOLD)
ZH = Words(board(), "zh", "Asia/Taipei")


@pytest.fixture(scope="module")
def made() -> bytes:
    """The Chinese report of the American player."""
    return report_pdf(PublicRecord(REPORT, ZH, EVENTS), BEN, ZH, NOTE, url="https://pbem.example")


@cache
def pages_of(data: bytes) -> tuple[str, ...]:
    """The text layer of each page, without blanks and line breaks."""
    run = subprocess.run(["pdftotext", "-enc", "UTF-8", "-", "-"], input=data, capture_output=True, check=True)
    return tuple("".join(page.split()) for page in run.stdout.decode().split("\f")[:-1])


def words_of(data: bytes) -> str:
    """The text layer, without blanks and line breaks."""
    return "".join(pages_of(data)).replace("\f", "")


def test_the_same_report_is_the_same_bytes(made: bytes) -> None:
    again = report_pdf(PublicRecord(REPORT, ZH, EVENTS), BEN, ZH, NOTE, url="https://pbem.example")
    assert again == made


def test_its_dates_are_those_of_the_events(made: bytes) -> None:
    facts = PdfReader(io.BytesIO(made)).metadata
    assert facts is not None and facts.creation_date is not None
    assert int(facts.creation_date.timestamp()) * 1000 == NOON + 58_000 == facts.modification_date.timestamp() * 1000


def test_one_page_is_the_readers_and_the_rest_is_public(made: bytes) -> None:
    reader = PdfReader(io.BytesIO(made))
    first, *others = pages_of(made)
    assert "retreatallifodds<40%" in first
    assert not any("retreatall" in page for page in others)
    sizes = [(round(page.mediabox.width), round(page.mediabox.height)) for page in reader.pages]
    assert sizes[0] == (595, 842) and (842, 595) in sizes


def test_the_public_events_travel_inside(made: bytes) -> None:
    attached = PdfReader(io.BytesIO(made)).attachments
    assert list(attached) == [events_name(REPORT)]
    (data,) = attached[events_name(REPORT)]
    assert data == EVENTS
    told = json.loads(data)
    assert [row["seq"] for row in told["events"]] == [event.seq for event in TOLD if event.readers is None]
    assert "secret plan" not in data.decode() and "casualties Hunan" not in data.decode()


def test_what_is_sealed_is_nowhere_in_the_file(made: bytes) -> None:
    assert "secretplan" not in words_of(made)
    assert "casualtiesHunan" not in words_of(made)


def test_chinese_is_drawn_with_a_chinese_font(made: bytes) -> None:
    fonts = {
        str(font["/BaseFont"])
        for page in PdfReader(io.BytesIO(made)).pages
        for font in page["/Resources"]["/Font"].values()
    }
    assert any("CJK" in name or "WenQuanYi" in name for name in fonts)
    assert "日本取得湖南" in words_of(made)


def test_fonts_in_the_file_hold_only_what_is_printed(made: bytes) -> None:
    reader = PdfReader(io.BytesIO(made))
    sizes = [
        len(font["/DescendantFonts"][0]["/FontDescriptor"][kind].get_data())
        for page in reader.pages
        for font in page["/Resources"]["/Font"].values()
        for kind in ("/FontFile2", "/FontFile3")
        if kind in font["/DescendantFonts"][0]["/FontDescriptor"]
    ]
    assert sizes and max(sizes) < 100_000
    assert len(made) < 300_000


def test_only_fonts_with_character_ids_lose_their_empty_glyphs() -> None:
    path = subprocess.run(["fc-match", "-f", "%{file}", "DejaVu Sans"], capture_output=True, text=True, check=True)
    assert bare_outlines(Path(path.stdout).read_bytes()) is None


def test_markup_in_press_is_printed_and_fetches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_connection(*args: object, **values: object) -> None:
        raise AssertionError("rendering opened a connection")

    monkeypatch.setattr(socket.socket, "connect", no_connection)
    small = tell("p40-17", board(), BEFORE, TOLD[-6:-4], BEFORE, None)
    assert [note.text for note in small.notes] == [PRESS]
    data = report_pdf(PublicRecord(small, Words(board()), b"{}\n"), BEN, Words(board()), NOTE)
    assert "<script>alert(1)</script>" in words_of(data)
    assert len(PdfReader(io.BytesIO(data)).attachments) == 1


def test_hits_and_misses_are_drawn_differently() -> None:
    hit, miss = Die("u1", "infantry", "japan", 2, 2), Die("u1", "infantry", "japan", 1, 2)
    assert strip([hit]) != strip([miss])
    assert 'fill="#16212a"' in strip([hit]) and 'fill="#16212a"' not in strip([miss])  # body against frame
    assert strip_size(30)[1] > strip_size(14)[1]


def test_a_machine_without_chinese_fonts_fails_loudly(tmp_path: Path) -> None:
    config = tmp_path / "fonts.conf"
    config.write_text(f"<fontconfig><dir>{tmp_path}</dir><cachedir>{tmp_path}/cache</cachedir></fontconfig>")
    run = subprocess.run(
        [sys.executable, "-c", "from pbem.report.fonts import check_fonts; check_fonts()"],
        env={**os.environ, "FONTCONFIG_FILE": str(config)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode != 0
    assert "FontsMissing" in run.stderr and "fonts-noto-cjk" in run.stderr
    assert len(CJK_SAMPLE) == 2
