"""Lines made of the outlines of areas: each border once, coasts apart from borders, and coarser outlines.

Pure geometry on rings of whole numbers. Areas that touch share their points exactly, so a border is a piece that two
rings have in common and a coast is a piece that only one has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

Point = tuple[int, int]
Ring = tuple[Point, ...]


def ring_of(steps: Sequence[int]) -> Ring:
    """The points of a ring kept as a first point and steps, without repeating the first."""
    x, y = steps[0], steps[1]
    points = [(x, y)]
    for dx, dy in zip(steps[2::2], steps[3::2], strict=True):
        x, y = x + dx, y + dy
        points.append((x, y))
    return tuple(points[:-1] if points[-1] == points[0] else points)


def lines_of(rings: Iterable[Ring], shared: bool) -> list[Ring]:
    """The borders of areas (`shared`), each once, or what no other area touches; in the order of the rings."""
    rings = list(rings)
    counts = Counter(_segment(a, b) for ring in rings for a, b in _segments(ring))
    done: set[tuple[Point, Point]] = set()
    lines: list[Ring] = []
    for ring in rings:
        line: list[Point] = []
        for a, b in _segments(ring):
            segment = _segment(a, b)
            if (counts[segment] > 1) != shared or segment in done:
                _end(line, lines)
                line = []
                continue
            done.add(segment)
            if not line:
                line = [a]
            line.append(b)
        _end(line, lines)
    return lines


def _end(line: list[Point], lines: list[Ring]) -> None:
    if len(line) > 1:
        lines.append(tuple(line))


def _segments(ring: Ring) -> Iterable[tuple[Point, Point]]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def _segment(a: Point, b: Point) -> tuple[Point, Point]:
    return (a, b) if a < b else (b, a)


def coarse(line: Ring, tolerance: float) -> Ring:
    """A line with fewer points, nowhere farther than `tolerance` from the first (Douglas and Peucker)."""
    keep = {0, len(line) - 1}
    work = [(0, len(line) - 1)]
    while work:
        first, last = work.pop()
        farthest, where = tolerance * tolerance, 0
        for place in range(first + 1, last):
            away = _away(line[place], line[first], line[last])
            if away > farthest:
                farthest, where = away, place
        if where:
            keep.add(where)
            work += [(first, where), (where, last)]
    return tuple(line[place] for place in sorted(keep))


def _away(point: Point, start: Point, end: Point) -> float:
    """The square of a point's distance from a straight piece."""
    x, y = point[0] - start[0], point[1] - start[1]
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = x * dx + y * dy
    length = dx * dx + dy * dy
    if along <= 0 or length == 0:
        return x * x + y * y
    if along >= length:
        return (x - dx) ** 2 + (y - dy) ** 2
    return (dx * y - dy * x) ** 2 / length


def path(line: Ring, closed: bool = False) -> str:
    """SVG path data of a line."""
    (x, y), *more = line
    if not more:
        return ""
    return f"M{x} {y}L" + " ".join(f"{x} {y}" for x, y in more) + ("z" if closed else "")
