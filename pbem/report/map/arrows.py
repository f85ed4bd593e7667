"""Movement and battle arrows: smooth lines from block to block with a head of their own, and battle marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pbem.report.map.geometry import Box
from pbem.report.map.style import ALERT, TEXT, number, power_style, text_width
from pbem.report.map.symbols import star
from pbem.report.map.view import Arrow

Point = tuple[float, float]


def route(points: Sequence[Point], bend: float) -> list[Point]:
    """A smooth line through points; a straight pair is bent sideways a little so that pairs do not hide each other."""
    if len(points) == 2:
        (x0, y0), (x1, y1) = points
        dx, dy = x1 - x0, y1 - y0
        control = ((x0 + x1) / 2 - dy * bend, (y0 + y1) / 2 + dx * bend)
        return [_quadratic(points[0], control, points[1], step / 12) for step in range(13)]
    padded = [points[0], *points, points[-1]]
    line: list[Point] = []
    for p0, p1, p2, p3 in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        line += [_spline(p0, p1, p2, p3, step / 6) for step in range(6)]
    return [*line, points[-1]]


def _quadratic(a: Point, b: Point, c: Point, t: float) -> Point:
    s = 1 - t
    return s * s * a[0] + 2 * s * t * b[0] + t * t * c[0], s * s * a[1] + 2 * s * t * b[1] + t * t * c[1]


def _spline(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    def axis(i: int) -> float:
        return 0.5 * (
            2 * b[i] + (c[i] - a[i]) * t + (2 * a[i] - 5 * b[i] + 4 * c[i] - d[i]) * t * t
            + (3 * b[i] - a[i] - 3 * c[i] + d[i]) * t * t * t
        )  # fmt: skip

    return axis(0), axis(1)


def trimmed(line: list[Point], start: Box, end: Box) -> list[Point]:
    """The part of a line outside the boxes at its ends; the whole line if nothing would be left."""
    first = next((i for i, p in enumerate(line) if not _inside(p, start)), 0)
    last = next((i for i in range(len(line) - 1, -1, -1) if not _inside(line[i], end)), len(line) - 1)
    return line[first : last + 1] if last - first >= 2 else line[len(line) // 3 :]


def _inside(point: Point, box: Box) -> bool:
    return box.x <= point[0] <= box.right and box.y <= point[1] <= box.bottom


WIDTHS = {"attack": 0.95, "move": 0.6, "air": 0.6, "sea": 0.8}
"""Of a line in millimetres."""
QUIET = 0.62
"""What happens outside combat is drawn so much thinner."""
DASH, GAP = 1.7, 0.9


@dataclass(frozen=True, slots=True)
class Pen:
    """How a line looks; lines of the same pen are drawn as one."""

    ink: str
    width: float
    dashed: bool
    double: bool


def layer(drawn: Sequence[tuple[Arrow, list[Point]]], scale: float) -> str:
    """Arrows along their lines: attacks thick, moves thin, air dashed, sea double, what is quiet thinner and below."""
    bodies: dict[Pen, list[str]] = {}
    heads: dict[tuple[str, float], list[str]] = {}
    for arrow, line in sorted(drawn, key=lambda pair: not pair[0].quiet):
        ink, less = power_style(arrow.power).ink, QUIET if arrow.quiet else 1.0
        pen = Pen(ink, WIDTHS[arrow.kind] * less * scale, arrow.kind == "air", arrow.kind == "sea" and not arrow.quiet)
        body, head = shape(line, (2.9 if arrow.kind == "attack" else 2.3) * (less + 1) / 2 * scale)
        bodies.setdefault(pen, []).append(body)
        heads.setdefault((ink, less), []).append(head)
    under = [
        f'<path d="{"".join(paths)}" fill="none" stroke="#fff" stroke-width="{number(pen.width + 0.6 * scale)}" '
        f'stroke-linecap="round" stroke-opacity=".8"/>'
        for pen, paths in bodies.items()
    ]
    tips = [
        f'<path d="{"".join(paths)}" fill="{ink}" stroke="#fff" stroke-width="{number(0.25 * scale)}" '
        f'stroke-linejoin="round"/>'
        for (ink, _), paths in heads.items()
    ]
    return "".join([*under, *(_stroke(pen, "".join(paths), scale) for pen, paths in bodies.items()), *tips])


def _stroke(pen: Pen, path: str, scale: float) -> str:
    dash = f' stroke-dasharray="{number(DASH * scale)} {number(GAP * scale)}"' if pen.dashed else ""
    line = f'<path d="{path}" fill="none" stroke="{pen.ink}" stroke-width="{number(pen.width)}"{dash}/>'
    if pen.double:
        line += f'<path d="{path}" fill="none" stroke="#fff" stroke-width="{number(pen.width * 0.34)}"/>'
    return line


def shape(line: list[Point], head: float) -> tuple[str, str]:
    """Path data of an arrow's body and of its head, `head` map units long."""
    tip, before = line[-1], line[-1]
    travelled, cut = 0.0, len(line) - 1
    for i in range(len(line) - 2, -1, -1):
        travelled += math.dist(line[i], line[i + 1])
        before, cut = line[i], i
        if travelled >= head * 0.9:
            break
    body = line[: cut + 1] if cut >= 1 else [line[0], before]
    angle = math.atan2(tip[1] - before[1], tip[0] - before[0])
    left = (tip[0] - head * math.cos(angle - 0.42), tip[1] - head * math.sin(angle - 0.42))
    right = (tip[0] - head * math.cos(angle + 0.42), tip[1] - head * math.sin(angle + 0.42))
    neck = (tip[0] - head * 0.72 * math.cos(angle), tip[1] - head * 0.72 * math.sin(angle))
    return _path([*body, neck]), _path([tip, left, neck, right]) + "z"


def _path(points: Sequence[Point]) -> str:
    first, *more = (f"{x:.0f} {y:.0f}" for x, y in points)
    return f"M{first}L{' '.join(more)}"


ICON, FIGURE = 2.9, 1.7
"""Width of a pictogram and height of a figure in a plate, in millimetres."""


def plate_size(arrow: Arrow, scale: float) -> tuple[float, float]:
    """Width and height of the plate that says what moves: pictograms with their counts, else the label's words."""
    if not arrow.units:
        return text_width(arrow.label, 2.0 * scale) + 1.0 * scale, 2.7 * scale
    wide = sum(ICON + 0.3 + (len(str(count)) * 1.05 if count > 1 else 0.0) for _, count in arrow.units)
    return (wide + 0.5) * scale, 2.6 * scale


def plate(arrow: Arrow, box: Box, scale: float) -> str:
    """The plate of an arrow in its place."""
    ink = power_style(arrow.power).ink
    parts = [
        f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" height="{number(box.height)}" '
        f'rx="{number(0.7 * scale)}" fill="#fff" stroke="{ink}" stroke-width="{number(0.25 * scale)}"/>'
    ]
    if not arrow.units:
        x, y = box.x + 0.5 * scale, box.y + 2.05 * scale
        parts.append(_words(x, y, escape(arrow.label), 2.0 * scale))
    left = box.x + 0.4 * scale
    for unit, count in arrow.units:
        parts.append(f'<use href="#u-{unit}" transform="translate({number(left)} {number(box.y + 0.32 * scale)}) '
                     f'scale({ICON * scale / 36:.3f})"/>')  # fmt: skip
        left += (ICON + 0.15) * scale
        if count > 1:
            parts.append(_words(left, box.y + 1.92 * scale, str(count), FIGURE * scale))
            left += len(str(count)) * 1.05 * scale
        left += 0.15 * scale
    return "".join(parts)


def _words(x: float, y: float, text: str, size: float) -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" font-weight="bold" fill="{TEXT}">'
        f"{text}</text>"
    )


def battle(x: float, y: float, scale: float) -> str:
    """A burst with crossed strokes: a battle is fought here."""
    reach = 0.85 * scale
    return (
        f'<path d="{star(x, y, 2.5 * scale, 9, 0.62)}" fill="{ALERT}" stroke="#fff" '
        f'stroke-width="{number(0.35 * scale)}"/>'
        f'<path d="M{number(x - reach)} {number(y - reach)}L{number(x + reach)} {number(y + reach)}'
        f'M{number(x + reach)} {number(y - reach)}L{number(x - reach)} {number(y + reach)}" stroke="#fff" '
        f'stroke-width="{number(0.55 * scale)}" stroke-linecap="round"/>'
    )
