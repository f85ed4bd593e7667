"""Draws the maps' SVG straight into a PDF: a path stays a path, a pictogram becomes a form drawn many times.

WeasyPrint draws SVG as well, but point by point, letter by letter and every repeated pictogram anew, which took half
of a report's time and of its size. The maps keep to few kinds of elements, so this translation is short; anything else
is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pydyf

from pbem.report.letters import Letters, is_bold

_COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+")
_PAIR = re.compile(r"(-?\d+)[ ,]+(-?\d+)")
_CALL = re.compile(r"(\w+)\(([^)]*)\)")
KAPPA = 0.5523
"""How far the control points of a quarter circle stand from its ends, in radii."""
POINTS_PER_MILLIMETRE = 72 / 25.4
PICTOGRAM_BOX = (-4, -4, 44, 32)
"""Large enough for every pictogram with its strokes."""

FINE = 2
"""Decimals of coordinates within pictograms and patterns; those of the map itself are whole, a twentieth millimetre."""

Paint = Mapping[str, str]


def _tag(node: Element) -> str:
    return node.tag.rpartition("}")[2]


@dataclass(slots=True)
class Content:
    """A content stream being written, with the resources it names.

    `base` is how the drawing lies on its page, which patterns are measured from: scale, and where its corner is.
    """

    base: tuple[float, float, float] = (1.0, 0.0, 0.0)
    lines: list[str] = field(default_factory=list)
    states: dict[str, pydyf.Dictionary] = field(default_factory=dict)
    forms: dict[str, pydyf.Stream] = field(default_factory=dict)
    patterns: dict[str, pydyf.Stream] = field(default_factory=dict)

    def resources(self) -> pydyf.Dictionary:
        """What the stream's names stand for; forms and patterns are objects of their own already."""
        return pydyf.Dictionary({
            "ExtGState": pydyf.Dictionary(self.states),
            "XObject": pydyf.Dictionary({name: form.reference for name, form in self.forms.items()}),
            "Pattern": pydyf.Dictionary({name: tile.reference for name, tile in self.patterns.items()}),
        })  # fmt: skip

    def data(self) -> list[bytes]:
        """The stream's bytes."""
        return ["\n".join(self.lines).encode("ascii")]


def draw_page(pdf: Any, page_number: int, svg: str, letters: Letters, left: float, top: float) -> None:
    """Make an SVG all that stands on a page, its corner `left` and `top` millimetres from the page's.

    ValueError for an element or a command that no map uses.
    """
    root = ElementTree.fromstring(svg)
    defined = {node.attrib["id"]: node for node in root.iter() if "id" in node.attrib}
    x, y, width, _ = (float(value) for value in root.attrib["viewBox"].split())
    scale = float(root.attrib["width"].removesuffix("mm")) * POINTS_PER_MILLIMETRE / width
    page = pdf.objects[pdf.pages["Kids"][3 * page_number]]
    high = page["MediaBox"][3] - page["MediaBox"][1]
    across, down = left * POINTS_PER_MILLIMETRE - x * scale, high - top * POINTS_PER_MILLIMETRE + y * scale
    content = Content((scale, across, down))
    content.lines.append(f"{_numbers((scale, 0, 0, -scale, across, down), 5)} cm")
    _Artist(pdf, defined, letters, content, 0).draw(root, {})
    shared, own = _object(pdf, page["Resources"]), content.resources()
    if "Font" in shared:
        own["Font"] = shared["Font"]
    page["Resources"] = own
    stream = _object(pdf, page["Contents"])
    stream.stream, stream.compress = content.data(), True


def _object(pdf: Any, reference: bytes) -> Any:
    """The object of a PDF that a reference names."""
    return pdf.objects[int(reference.split()[0])]


def _form(content: Content, box: Sequence[float]) -> pydyf.Stream:
    facts = {"Type": "/XObject", "Subtype": "/Form", "BBox": pydyf.Array(box), "Resources": content.resources()}
    return pydyf.Stream(content.data(), facts, compress=True)


class _Artist:
    """Writes elements into a content stream; makes an object of a pictogram or a pattern when it is first used."""

    def __init__(
        self, pdf: Any, defined: Mapping[str, Element], letters: Letters, content: Content, decimals: int
    ) -> None:
        self.pdf, self.defined, self.letters = pdf, defined, letters
        self.content, self.decimals = content, decimals

    def draw(self, node: Element, inherited: Paint) -> None:
        tag, looks = _tag(node), {**inherited, **node.attrib}
        if tag in ("svg", "g"):
            self._group(node, looks)
        elif tag == "use":
            self._use(looks)
        elif tag in _SHAPES:
            self._paint(_SHAPES[tag](looks, self.decimals), looks)
        elif tag == "text":
            self._text(node, looks)
        elif tag != "defs":
            raise ValueError(f"maps draw no <{tag}>")

    def _group(self, node: Element, looks: Paint) -> None:
        clip = node.attrib.get("clip-path")
        if clip:
            area = self.defined[_named(clip)][0]
            self.content.lines.append(f"q {_rect(area.attrib, 0)} W n")
        passed = {"fill": looks["fill"]} if "fill" in looks else {}
        for child in node:
            self.draw(child, passed)
        if clip:
            self.content.lines.append("Q")

    def _use(self, looks: Paint) -> None:
        name = looks["href"].removeprefix("#")
        if name not in self.content.forms:
            inner = Content()
            _Artist(self.pdf, self.defined, self.letters, inner, FINE).draw(self.defined[name], {})
            self.content.forms[name] = _form(inner, PICTOGRAM_BOX)
            self.pdf.add_object(self.content.forms[name])
        self.content.lines.append(f"q {_numbers(_matrix(looks['transform']), 3)} cm /{name} Do Q")

    def _text(self, node: Element, looks: Paint) -> None:
        """One line of letters; `text-anchor` is reckoned with their true widths."""
        size = float(looks["font-size"])
        glyphs = self.letters.line("".join(node.itertext()), is_bold(looks))
        shift = _ANCHORS[looks.get("text-anchor", "start")] * sum(glyph.width for glyph in glyphs) * size
        lean = LEAN if looks.get("font-style") == "italic" else 0
        place = _numbers((1, 0, lean, -1, float(looks["x"]) - shift, float(looks["y"])), 1)
        shown = []
        for font, run in groupby(glyphs, key=lambda glyph: glyph.font):
            shown.append(f"/{font} {_number(size, 1)} Tf <{''.join(f'{glyph.number:04x}' for glyph in run)}> Tj")
        if shown:
            self.content.lines += [f"BT {_colour(looks.get('fill', '#000'))} rg {place} Tm", *shown, "ET"]

    def _paint(self, path: str, looks: Paint) -> None:
        fill, stroke = looks.get("fill", "#000"), looks.get("stroke", "none")
        rule = "*" if looks.get("fill-rule") == "evenodd" else ""
        how = {(True, True): f"B{rule}", (True, False): f"f{rule}", (False, True): "S"}.get(
            (fill != "none", stroke != "none")
        )
        if not path or how is None:
            return
        lines = ["q", self._alpha(looks)]
        if fill.startswith("url("):
            lines.append(f"/Pattern cs /{self._pattern(_named(fill))} scn")
        elif fill != "none":
            lines.append(f"{_colour(fill)} rg")
        if stroke != "none":
            lines.append(f"{_colour(stroke)} RG {_number(float(looks.get('stroke-width', 1)))} w")
            lines.append(f"{_CAPS[looks.get('stroke-linecap', 'butt')]} J {_JOINS[looks.get('stroke-linejoin', '')]} j")
            dash = looks.get("stroke-dasharray")
            lines.append(f"[{dash}] 0 d" if dash else "")
        self.content.lines += [line for line in (*lines, path, how, "Q") if line]

    def _alpha(self, looks: Paint) -> str:
        fill, stroke = looks.get("fill-opacity", "1"), looks.get("stroke-opacity", "1")
        if float(fill) == float(stroke) == 1:
            return ""
        name = f"a{round(100 * float(fill))}-{round(100 * float(stroke))}"
        self.content.states[name] = pydyf.Dictionary({"ca": float(fill), "CA": float(stroke)})
        return f"/{name} gs"

    def _pattern(self, name: str) -> str:
        if name not in self.content.patterns:
            node = self.defined[name]
            wide, high = (float(node.attrib[side]) for side in ("width", "height"))
            inner = Content()
            artist = _Artist(self.pdf, self.defined, self.letters, inner, FINE)
            for child in node:
                artist.draw(child, {})
            scale, across, down = self.content.base
            repeat = _matrix(node.attrib["patternTransform"])[0] * scale
            facts = {
                "Type": "/Pattern", "PatternType": 1, "PaintType": 1, "TilingType": 1, "XStep": wide, "YStep": high,
                "BBox": pydyf.Array((0, 0, wide, high)), "Resources": inner.resources(),
                "Matrix": pydyf.Array((repeat, 0, 0, -repeat, across, down)),
            }  # fmt: skip
            self.content.patterns[name] = pydyf.Stream(inner.data(), facts, compress=True)
            self.pdf.add_object(self.content.patterns[name])
        return name


_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
LEAN = 0.2
"""How far italic letters lean, in heights."""
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"": 0, "miter": 0, "round": 1, "bevel": 2}


# -- shapes as operators ----------------------------------------------------------------------------------------------


def _path(looks: Paint, decimals: int) -> str:
    return operators(looks["d"], decimals)


def operators(data: str, decimals: int = FINE) -> str:
    """Path data as PDF operators. ValueError for elliptic arcs and other commands that no map uses."""
    out: list[str] = []
    x = y = start_x = start_y = 0.0
    for letter, text in _COMMAND.findall(data):
        if letter in "ML" and "." not in text:
            # Whole numbers as they stand: nearly all points of a map.
            pairs = _PAIR.findall(text)
            out += [f"{a} {b} {'l' if place or letter == 'L' else 'm'}" for place, (a, b) in enumerate(pairs)]
            x, y = float(pairs[-1][0]), float(pairs[-1][1])
            if letter == "M":
                start_x, start_y = float(pairs[0][0]), float(pairs[0][1])
            continue
        values = [float(value) for value in _NUMBER.findall(text)]
        kind, relative = letter.upper(), letter.islower()
        if kind == "Z":
            out.append("h")
            x, y = start_x, start_y
            continue
        step = _STEPS.get(kind)
        if step is None:
            raise ValueError(f"maps draw no path command {letter!r}")
        for place in range(0, len(values), step):
            points = _reached(kind, values[place : place + step], x, y, relative)
            x, y = points[-1]
            if kind == "M" and place == 0:
                start_x, start_y = x, y
            operator = "c" if step > 2 else "m" if kind == "M" and place == 0 else "l"
            out.append(_numbers((axis for point in points for axis in point), decimals) + f" {operator}")
    return "\n".join(out)


def _reached(kind: str, given: Sequence[float], x: float, y: float, relative: bool) -> list[tuple[float, float]]:
    """The points of one step that begins at `x`, `y`, the last being its end; a quadratic curve as a cubic one."""
    left, top = (x, y) if relative else (0.0, 0.0)
    if kind == "H":
        return [(left + given[0], y)]
    if kind == "V":
        return [(x, top + given[0])]
    points = [(left + given[i], top + given[i + 1]) for i in range(0, len(given), 2)]
    if kind != "Q":
        return points
    (turn_x, turn_y), (end_x, end_y) = points
    return [
        (x + (turn_x - x) * 2 / 3, y + (turn_y - y) * 2 / 3),
        (end_x + (turn_x - end_x) * 2 / 3, end_y + (turn_y - end_y) * 2 / 3),
        (end_x, end_y),
    ]


_STEPS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4}
"""Numbers that one step of a command takes."""


def _rect(looks: Paint, decimals: int) -> str:
    x, y, wide, high = (float(looks[name]) for name in ("x", "y", "width", "height"))
    radius = min(float(looks.get("rx", 0)), wide / 2, high / 2)
    if radius <= 0:
        return _numbers((x, y, wide, high), decimals) + " re"
    turn = radius * (1 - KAPPA)
    right, bottom = x + wide, y + high
    steps = (
        ((x + radius, y), "m"), ((right - radius, y), "l"),
        ((right - turn, y, right, y + turn, right, y + radius), "c"), ((right, bottom - radius), "l"),
        ((right, bottom - turn, right - turn, bottom, right - radius, bottom), "c"), ((x + radius, bottom), "l"),
        ((x + turn, bottom, x, bottom - turn, x, bottom - radius), "c"), ((x, y + radius), "l"),
        ((x, y + turn, x + turn, y, x + radius, y), "c"),
    )  # fmt: skip
    return "\n".join(f"{_numbers(points, decimals)} {operator}" for points, operator in steps) + " h"


def _circle(looks: Paint, decimals: int) -> str:
    x, y, radius = (float(looks[name]) for name in ("cx", "cy", "r"))
    corner = {"x": str(x - radius), "y": str(y - radius)}
    return _rect({**corner, "width": str(2 * radius), "height": str(2 * radius), "rx": str(radius)}, decimals)


_SHAPES = {"path": _path, "rect": _rect, "circle": _circle}


# -- values -----------------------------------------------------------------------------------------------------------


def _named(reference: str) -> str:
    """`url(#name)` without its wrapping."""
    return reference.removeprefix("url(#").removesuffix(")")


def _matrix(transform: str) -> tuple[float, ...]:
    """`translate(x y) scale(s)` as a matrix; either may be missing."""
    x = y = 0.0
    scale = 1.0
    for name, text in _CALL.findall(transform):
        values = [float(value) for value in _NUMBER.findall(text)]
        if name == "translate":
            x, y = values
        elif name == "scale":
            (scale,) = values
        else:
            raise ValueError(f"maps draw no transform {name!r}")
    return scale, 0, 0, scale, x, y


def _colour(value: str) -> str:
    digits = value.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return " ".join(f"{int(digits[place : place + 2], 16) / 255:.3f}".rstrip("0").rstrip(".") for place in (0, 2, 4))


def _number(value: float, decimals: int = FINE) -> str:
    rounded = round(value, decimals)
    return str(int(rounded)) if rounded == int(rounded) else f"{rounded:.{decimals}f}".rstrip("0")


def _numbers(values: Iterable[float], decimals: int) -> str:
    return " ".join(_number(value, decimals) for value in values)
