"""The letters of drawn maps: which are needed, and where in a PDF's fonts they are.

A page that will be drawn holds nothing but its letters when WeasyPrint lays it out, so that their fonts are in the
file; afterwards the drawing sets them where they belong. Laid out one by one as SVG they would take longer than all
the rest of a report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from pbem.report.fonts import CHINESE, LATIN, MONO

BOLD = 600
"""Weights from here on are bold."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter in a font: the font's name among the page's resources, the glyph's number, its width in sizes."""

    font: str
    number: int
    width: float


def is_bold(attributes: Mapping[str, str]) -> bool:
    """Whether a text of an SVG is bold."""
    return attributes.get("font-weight") == "bold"


def needed(svgs: Iterable[str]) -> tuple[str, str]:
    """All letters of the texts of some SVGs, plain and bold, with blanks between so that none is drawn with another."""
    found: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for svg in svgs:
        for node in ElementTree.fromstring(svg).iter():
            if node.tag.endswith("}text"):
                found[is_bold(node.attrib)].update(dict.fromkeys("".join(node.itertext())))
    plain, bold = (" ".join(sorted(letters)) for letters in found)
    return plain, bold


class Letters:
    """The glyphs of a laid-out document, by letter and weight. Made from `Document.fonts` as WeasyPrint 70 keeps it."""

    def __init__(self, fonts: Iterable[Any], language: str) -> None:
        order = (*CHINESE, *LATIN) if language == "zh" else (*LATIN, *CHINESE)
        ranks = {family: place for place, family in enumerate(order)}
        self._glyphs: tuple[dict[str, Glyph], dict[str, Glyph]] = ({}, {})
        upright = [font for font in fonts if font.family not in MONO and not font.style]
        for font in sorted(upright, key=lambda font: ranks.get(font.family, len(ranks))):
            glyphs = self._glyphs[font.weight >= BOLD]
            for number, letter in font.to_unicode.items():
                glyphs.setdefault(letter, Glyph(font.hash, number, font.widths[number] / 1000))

    def glyph(self, letter: str, bold: bool) -> Glyph | None:
        """Where a letter is, in the other weight if need be; None if no font has it."""
        return self._glyphs[bold].get(letter) or self._glyphs[not bold].get(letter)

    def line(self, text: str, bold: bool) -> list[Glyph]:
        """The glyphs of a text, those that no font has left out."""
        return [glyph for letter in text if (glyph := self.glyph(letter, bold)) is not None]
