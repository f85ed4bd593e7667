"""Dividing land masses and waters among spaces: shortest ways on a grid, and smooth borders traced from the result.

A space gets the cells that its seeds reach first without leaving the land (or the water), so that every area is in
one piece and stops at its own coast. Build time only; knows no games and draws nothing.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from atlas import polygons
from shapely.geometry import LineString, MultiPolygon, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize

Cell = tuple[int, int]
NONE = -1
_STEPS = [(dy, dx, math.hypot(dy, dx)) for dy in range(-2, 3) for dx in range(-2, 3) if math.gcd(dy, dx) == 1]


@dataclass(frozen=True, slots=True)
class Grid:
    """Square cells over the window; row 0 lies at the south edge."""

    width: float
    height: float
    cell: float

    @property
    def shape(self) -> tuple[int, int]:
        return math.ceil(self.height / self.cell), math.ceil(self.width / self.cell)

    def cell_of(self, x: float, y: float) -> Cell:
        rows, columns = self.shape
        return min(rows - 1, max(0, int(y / self.cell))), min(columns - 1, max(0, int(x / self.cell)))

    def center(self, cell: Cell) -> tuple[float, float]:
        return (cell[1] + 0.5) * self.cell, (cell[0] + 0.5) * self.cell

    def mask(self, geometry: BaseGeometry) -> np.ndarray:
        """True where the centre of a cell lies inside."""
        rows, columns = self.shape
        result = np.zeros((rows, columns), dtype=bool)
        for part in polygons(geometry):
            west, south, east, north = part.bounds
            (r0, c0), (r1, c1) = self.cell_of(west, south), self.cell_of(east, north)
            xs, ys = np.meshgrid((np.arange(c0, c1 + 1) + 0.5) * self.cell, (np.arange(r0, r1 + 1) + 0.5) * self.cell)
            shapely.prepare(part)
            result[r0 : r1 + 1, c0 : c1 + 1] |= shapely.contains_xy(part, xs, ys)
        return result

    def line(self, a: tuple[float, float], b: tuple[float, float]) -> list[Cell]:
        """The cells along a straight line."""
        count = max(1, int(math.dist(a, b) / self.cell * 2))
        cells = [self.cell_of(a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count)
                 for i in range(count + 1)]  # fmt: skip
        return list(dict.fromkeys(cells))


def nearest_open(open_cells: np.ndarray, start: Cell, reach: int = 60) -> Cell | None:
    """The open cell nearest to a start, ties broken by row and column."""
    best: tuple[float, Cell] | None = None
    rows, columns = open_cells.shape
    for radius in range(reach):
        for r in range(max(0, start[0] - radius), min(rows, start[0] + radius + 1)):
            for c in range(max(0, start[1] - radius), min(columns, start[1] + radius + 1)):
                if max(abs(r - start[0]), abs(c - start[1])) == radius and open_cells[r, c]:
                    key = (math.hypot(r - start[0], c - start[1]), (r, c))
                    best = key if best is None or key < best else best
        if best is not None and best[0] <= radius:
            return best[1]
    return best[1] if best else None


def spread(
    open_cells: np.ndarray,
    seeds: Mapping[int, Iterable[Cell]],
    factor: Callable[[int], np.ndarray | None] = lambda label: None,
    forbidden: Mapping[Cell, frozenset[int]] | None = None,
) -> np.ndarray:
    """Label every open cell with the seed label that reaches it at least cost.

    `factor(label)` multiplies the cost of each cell for that label; `forbidden` closes single cells to labels.
    """
    rows, columns = open_cells.shape
    wide = columns + 4
    # Flat lists with a closed margin of two cells: the loop below runs tens of millions of times.
    opened = np.pad(open_cells, 2).ravel().tolist()
    labels = [NONE] * len(opened)
    factors = {label: (np.pad(f, 2).ravel().tolist() if (f := factor(label)) is not None else None) for label in seeds}
    closed = {(r + 2) * wide + c + 2: group for (r, c), group in (forbidden or {}).items()}
    best = [math.inf] * len(opened)
    steps = []
    for dy, dx, length in _STEPS:
        sy, sx = (dy > 0) - (dy < 0), (dx > 0) - (dx < 0)
        between = (sy * wide + sx, (dy - sy) * wide + dx - sx)
        steps.append((dy * wide + dx, length, between if dy * dy + dx * dx > 2 else None,
                      (dx, dy * wide) if abs(dy) == abs(dx) == 1 else None))  # fmt: skip
    heap = [(0.0, label, (r + 2) * wide + c + 2) for label in sorted(seeds) for r, c in seeds[label]]
    heapq.heapify(heap)
    pop, push = heapq.heappop, heapq.heappush
    while heap:
        cost, label, here = pop(heap)
        if labels[here] != NONE:
            continue
        labels[here] = label
        weights = factors[label]
        for offset, length, between, corner in steps:
            there = here + offset
            if not opened[there] or labels[there] != NONE:
                continue
            if between is not None and not (opened[here + between[0]] and opened[here + between[1]]):
                continue
            if corner is not None and not (opened[here + corner[0]] or opened[here + corner[1]]):
                continue
            price = cost + (length if weights is None else length * weights[there])
            if price < best[there]:
                if there in closed and label in closed[there]:
                    continue
                best[there] = price
                push(heap, (price, label, there))
    return np.array(labels, dtype=np.int32).reshape(rows + 4, wide)[2:-2, 2:-2].copy()


def extend(labels: np.ndarray) -> np.ndarray:
    """Give every unlabelled cell the label of a nearest labelled one."""
    result = labels.copy()
    while True:
        empty = result == NONE
        if not empty.any() or empty.all():
            return result
        grown = result.copy()
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)):
            moved = np.full_like(result, NONE)
            ys, xs = slice(max(0, dy), None if dy >= 0 else dy), slice(max(0, dx), None if dx >= 0 else dx)
            yt, xt = slice(max(0, -dy), None if dy <= 0 else -dy), slice(max(0, -dx), None if dx <= 0 else -dx)
            moved[ys, xs] = result[yt, xt]
            fill = (grown == NONE) & (moved != NONE)
            grown[fill] = moved[fill]
        result = grown


def contacts(labels: np.ndarray, others: np.ndarray | None = None) -> dict[tuple[int, int], int]:
    """How many cell sides each pair of labels shares (with `others`: labels of one grid beside those of another)."""
    found: dict[tuple[int, int], int] = {}
    second = labels if others is None else others
    for a, b in ((labels[:, :-1], second[:, 1:]), (labels[:-1], second[1:])):
        _count(a, b, found, others is None)
    if others is not None:
        for a, b in ((labels[:, 1:], second[:, :-1]), (labels[1:], second[:-1])):
            _count(a, b, found, False)
    return found


def _count(a: np.ndarray, b: np.ndarray, found: dict[tuple[int, int], int], sort: bool) -> None:
    where = (a >= 0) & (b >= 0) & (a != b)
    pairs, counts = np.unique(np.stack([a[where], b[where]]), axis=1, return_counts=True)
    for (first, last), count in zip(pairs.T.tolist(), counts.tolist(), strict=True):
        key = (min(first, last), max(first, last)) if sort else (first, last)
        found[key] = found.get(key, 0) + count


def way(open_cells: np.ndarray, starts: Sequence[Cell], goals: set[Cell], price: np.ndarray) -> list[Cell]:
    """The cheapest way from any start to any goal; empty if there is none."""
    rows, columns = open_cells.shape
    best = dict.fromkeys(starts, 0.0)
    before: dict[Cell, Cell] = {}
    heap = [(0.0, cell) for cell in sorted(starts)]
    heapq.heapify(heap)
    done: set[Cell] = set()
    while heap:
        cost, cell = heapq.heappop(heap)
        if cell in done:
            continue
        done.add(cell)
        if cell in goals:
            result = [cell]
            while result[-1] in before:
                result.append(before[result[-1]])
            return result[::-1]
        for dy, dx, step in _STEPS:
            if dy * dy + dx * dx > 2:
                continue
            y, x = cell[0] + dy, cell[1] + dx
            if 0 <= y < rows and 0 <= x < columns and open_cells[y, x]:
                if dy and dx and not (open_cells[cell[0], x] or open_cells[y, cell[1]]):
                    continue
                new = cost + step * float(price[y, x])
                if new < best.get((y, x), math.inf):
                    best[(y, x)] = new
                    before[(y, x)] = cell
                    heapq.heappush(heap, (new, (y, x)))
    return []


def areas(labels: np.ndarray, grid: Grid, rounds: int = 2, tolerance: float = 0.55) -> dict[int, MultiPolygon]:
    """Trace the labelled cells into areas whose shared borders are smoothed once, so that no gap opens."""
    lines = [_smooth(arc, rounds, tolerance) for arc in _arcs(labels)]
    faces = list(polygonize(shapely.union_all([LineString(line) for line in lines])))
    found: dict[int, list[BaseGeometry]] = {}
    rows, columns = labels.shape
    for face in faces:
        spot: Point = face.representative_point()
        r, c = min(rows - 1, max(0, int(spot.y))), min(columns - 1, max(0, int(spot.x)))
        found.setdefault(int(labels[r, c]), []).append(face)
    scaled: dict[int, MultiPolygon] = {}
    for label, parts in sorted(found.items()):
        union = shapely.union_all(parts)
        scaled[label] = MultiPolygon(polygons(shapely.transform(union, lambda p: p * grid.cell)))
    return scaled


def _arcs(labels: np.ndarray) -> list[list[tuple[int, int]]]:
    """Border lines between labels, from node to node, as corner points (x, y) of cells."""
    rows, columns = labels.shape
    padded = np.full((rows + 2, columns + 2), -9, dtype=np.int32)
    padded[1:-1, 1:-1] = labels
    links: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for r, c in zip(*(axis.tolist() for axis in np.nonzero(padded[:, :-1] != padded[:, 1:])), strict=True):
        if 1 <= r <= rows:
            a, b = (c, r - 1), (c, r)
            links.setdefault(a, []).append(b)
            links.setdefault(b, []).append(a)
    for r, c in zip(*(axis.tolist() for axis in np.nonzero(padded[:-1] != padded[1:])), strict=True):
        if 1 <= c <= columns:
            a, b = (c - 1, r), (c, r)
            links.setdefault(a, []).append(b)
            links.setdefault(b, []).append(a)
    nodes = {p for p, ends in links.items() if len(ends) != 2} | {(0, 0), (columns, 0), (0, rows), (columns, rows)}
    used: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    arcs = []
    for start in sorted(nodes) + sorted(set(links) - nodes):
        for step in sorted(links.get(start, [])):
            if (start, step) in used:
                continue
            arc = [start, step]
            used |= {(start, step), (step, start)}
            while arc[-1] not in nodes and arc[-1] != start:
                ahead = [p for p in links[arc[-1]] if p != arc[-2] and (arc[-1], p) not in used]
                if not ahead:
                    break
                used |= {(arc[-1], ahead[0]), (ahead[0], arc[-1])}
                arc.append(ahead[0])
            arcs.append(arc)
    return arcs


def _smooth(arc: list[tuple[int, int]], rounds: int, tolerance: float) -> np.ndarray:
    """Cut the corners off an arc; its end points stay."""
    middle = [arc[0]] + [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(arc, arc[1:], strict=False)] + [arc[-1]]
    line = np.array(LineString(middle).simplify(tolerance).coords)
    if arc[0] == arc[-1] and len(line) < 5:
        return np.array(middle)
    for _ in range(rounds):
        a, b = line[:-1], line[1:]
        cut = np.empty((2 * len(a) + 2, 2))
        cut[0], cut[-1] = line[0], line[-1]
        cut[1:-1:2], cut[2:-1:2] = a * 0.75 + b * 0.25, a * 0.25 + b * 0.75
        line = cut
    return line
