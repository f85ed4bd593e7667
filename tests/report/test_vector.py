"""Maps drawn straight into a PDF look as they do when WeasyPrint draws them, and nothing unknown is passed over."""

from __future__ import annotations

import io
import subprocess
from typing import Any
from urllib.parse import quote

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from weasyprint import HTML

from pbem.report.letters import Letters, needed
from pbem.report.map import Arrow, draw
from pbem.report.vector import draw_page, operators
from tests.report.test_map_drawing import start_view

PAGE = "<style>@page{size:A4 landscape;margin:9mm}body{margin:0;font-family:'Open Sans','Noto Sans CJK TC'}</style>"


def theirs(svg: str) -> bytes:
    """A page on which WeasyPrint draws a picture."""
    made = HTML(string=f'{PAGE}<img style="display:block" src="data:image/svg+xml,{quote(svg)}">').write_pdf()
    assert made is not None
    return bytes(made)


def ours(svg: str) -> bytes:
    """A page that holds the letters of a picture and becomes it."""
    plain, bold = needed([svg])

    def finish(document: Any, pdf: Any) -> None:
        draw_page(pdf, 0, svg, Letters(document.fonts.values(), "en"), 9, 9)

    made = HTML(string=f"{PAGE}<p>{plain} <b>{bold}</b>").write_pdf(finisher=finish)
    assert made is not None
    return bytes(made)


def pixels(data: bytes) -> numpy.ndarray[Any, Any]:
    """The page as a grey picture."""
    run = subprocess.run(["pdftoppm", "-r", "60", "-gray", "-"], input=data, capture_output=True, check=True)
    _, size, _, rest = run.stdout.split(b"\n", 3)
    width, height = (int(number) for number in size.split())
    return numpy.frombuffer(rest, dtype=numpy.uint8).reshape(height, width).astype(int)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_map_looks_the_same_whoever_draws_it(language: str) -> None:
    arrows = (Arrow("japan", "kwangsi", (), "yunnan", kind="attack", units=(("infantry", 3),)),
              Arrow("usa", "sz-26", ("sz-16",), "sz-6", kind="sea"))  # fmt: skip
    svg = draw(start_view("p40", "2e", arrows=arrows, battles=("yunnan",), language=language))
    first, second = pixels(theirs(svg)), pixels(ours(svg))
    assert first.shape == second.shape
    # Patterns begin elsewhere and places are whole numbers; everything else is the same.
    assert abs(first - second).mean() < 3
    assert abs(first - 255).mean() > 20


def test_words_stay_words_and_pictograms_are_stored_once() -> None:
    svg = draw(start_view("p40", "2e", note="Arrows are moves."))
    reader = PdfReader(io.BytesIO(ours(svg)))
    text = reader.pages[0].extract_text()
    assert "Philippines" in text and "Arrows are moves." in text
    content = reader.pages[0].get_contents()
    assert content is not None and content.get_data().count(b"/u-infantry Do") > 20
    assert len(reader.pages[0]["/Resources"]["/XObject"]) < 30
    assert len(ours(svg)) < len(theirs(svg))


def test_letters_are_found_in_both_weights() -> None:
    texts = '<text>ab a</text><text font-weight="bold">c</text>'
    plain, bold = needed([f'<svg xmlns="http://www.w3.org/2000/svg">{texts}</svg>'])
    assert (plain.split(), bold) == (["a", "b"], "c")


def test_a_path_is_translated_step_by_step() -> None:
    assert operators("M10 20l5 0 0 -5H3V1z") == "10 20 m\n15 20 l\n15 15 l\n3 15 l\n3 1 l\nh"
    assert operators("M0 0c1 2 3 4 5 6c1 0 1 0 2 2") == "0 0 m\n1 2 3 4 5 6 c\n6 6 6 6 7 8 c"
    assert operators("M0 0q3 -3 6 0") == "0 0 m\n2 -2 4 -2 6 0 c"
    assert operators("M1.26 .5h.1", 1) == "1.3 0.5 m\n1.4 0.5 l"


@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=1, max_size=20))
def test_steps_and_places_come_to_the_same(steps: list[tuple[int, int]]) -> None:
    x, y = 7, 9
    places = []
    for dx, dy in steps:
        x, y = x + dx, y + dy
        places.append(f"{x} {y}")
    assert operators("M7 9l" + " ".join(f"{dx} {dy}" for dx, dy in steps)) == operators("M7 9L" + " ".join(places))


def test_what_no_map_uses_is_refused() -> None:
    with pytest.raises(ValueError, match="'a'"):
        operators("M0 0a1 1 0 0 1 2 2")
    odd = draw(start_view("p40", "2e")).replace("</svg>", '<ellipse cx="1" cy="1" rx="1" ry="2"/></svg>')
    with pytest.raises(ValueError, match="ellipse"):
        ours(odd)
