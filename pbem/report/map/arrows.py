"""Movement and battle arrows: smooth lines from block to block with a head of their own, and battle marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
        return [_quadratic(points[0], control, points[1], step / 24) for step in range(25)]
    padded = [points[0], *points, points[-1]]
    line: list[Point] = []
    for p0, p1, p2, p3 in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        line += [_spline(p0, p1, p2, p3, step / 12) for step in range(12)]
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


def render(arrow: Arrow, line: list[Point], scale: float) -> str:
    """One arrow along a line: attacks thick, moves thin, air dashed, sea double."""
    ink = power_style(arrow.power).ink
    width = {"attack": 0.95, "move": 0.6, "air": 0.6, "sea": 1.0}[arrow.kind] * scale
    tip, before = line[-1], line[-1]
    head = (2.9 if arrow.kind == "attack" else 2.3) * scale
    travelled = 0.0
    cut = len(line) - 1
    for i in range(len(line) - 2, -1, -1):
        travelled += math.dist(line[i], line[i + 1])
        before, cut = line[i], i
        if travelled >= head * 0.9:
            break
    body = line[: cut + 1] if cut >= 1 else line[:1] + [before]
    angle = math.atan2(tip[1] - before[1], tip[0] - before[0])
    left = (tip[0] - head * math.cos(angle - 0.42), tip[1] - head * math.sin(angle - 0.42))
    right = (tip[0] - head * math.cos(angle + 0.42), tip[1] - head * math.sin(angle + 0.42))
    neck = (tip[0] - head * 0.72 * math.cos(angle), tip[1] - head * 0.72 * math.sin(angle))
    path = "M" + "L".join(f"{p[0]:.0f} {p[1]:.0f}" for p in [*body, neck])
    tri = "M" + "L".join(f"{p[0]:.0f} {p[1]:.0f}" for p in (tip, left, neck, right)) + "z"
    dash = f' stroke-dasharray="{number(1.7 * scale)} {number(0.9 * scale)}"' if arrow.kind == "air" else ""
    parts = [
        f'<path d="{path}" fill="none" stroke="#fff" stroke-width="{number(width + 0.7 * scale)}" '
        f'stroke-linecap="round" stroke-opacity=".85"/>',
        f'<path d="{tri}" fill="#fff" stroke="#fff" stroke-width="{number(0.7 * scale)}" stroke-linejoin="round"/>',
        f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{number(width)}"{dash}/>',
    ]
    if arrow.kind == "sea":
        parts.append(f'<path d="{path}" fill="none" stroke="#fff" stroke-width="{number(width * 0.34)}"/>')
    parts.append(f'<path d="{tri}" fill="{ink}"/>')
    return "".join(parts)


def label(arrow: Arrow, spot: Point, scale: float) -> tuple[str, Box]:
    """The label of an arrow in a small plate centred on a spot."""
    size = 2.0 * scale
    wide = text_width(arrow.label, size) + 1.0 * scale
    box = Box(spot[0] - wide / 2, spot[1] - 1.35 * scale, wide, 2.7 * scale)
    ink = power_style(arrow.power).ink
    return (
        f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(wide)}" height="{number(box.height)}" '
        f'rx="{number(0.7 * scale)}" fill="#fff" stroke="{ink}" stroke-width="{number(0.25 * scale)}"/>'
        f'<text x="{number(spot[0])}" y="{number(spot[1] + size * 0.36)}" font-size="{number(size)}" '
        f'text-anchor="middle" font-weight="bold" fill="{TEXT}">{escape(arrow.label)}</text>',
        box,
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
