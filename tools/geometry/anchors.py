"""How much room each space wants, and where its name and its units go.

Places are boxes in map units (20 to a millimetre of an A4 page) that keep off other spaces' land and other boxes as
far as there is room. Build time only.
"""

from __future__ import annotations

from typing import Any

import atlas
import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

PIXEL = 20
_BIG = [(34, 20), (30, 19), (27, 17), (24, 16), (22, 14), (20, 13), (18, 12), (16, 13), (16, 11), (14, 12), (14, 9),
        (12, 11), (12, 8), (10, 10), (10, 7)]  # fmt: skip
_ISLE = [(24, 16), (22, 14), (20, 13), (19, 11), (17, 10), (15, 9), (13, 8), (11, 7)]
_SMALL = [(19, 11), (17, 10), (15, 9), (13, 8), (11, 7)]


def wishes(work: Any) -> dict[str, float]:
    """The relative room each space wants on the page."""
    result: dict[str, float] = {}
    islands: dict[str, int] = {}
    for space in work.spaces:
        if work.kind(space) != "sea" and all(work.kind(n) == "sea" for n in work.neighbours(space)):
            for zone in sorted(work.neighbours(space)):
                islands[zone] = islands.get(zone, 0) + 1
    for space, (kind, _, _, ipc, *_) in work.spaces.items():
        if kind == "sea":
            result[space] = 2.0 + 1.3 * islands.get(space, 0)
        elif space in work.board.quiet or kind != "land":
            result[space] = 0.75
        else:
            result[space] = 1.9 + 0.18 * min(ipc, 12)
        result[space] *= work.board.room.get(space, 1.0)
    return result


def place(
    work: Any, land: dict[str, BaseGeometry], sea: dict[str, BaseGeometry], decor: list[Polygon],
    dots: dict[str, Any], sites: dict[str, Any],
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Anchor point, content box and bounds of every space."""
    width, height = work.board.size
    columns, rows = width // PIXEL, height // PIXEL
    xs, ys = np.meshgrid((np.arange(columns) + 0.5) * PIXEL, (np.arange(rows) + 0.5) * PIXEL)

    def mask(area: BaseGeometry) -> np.ndarray:
        found = np.zeros((rows, columns), dtype=bool)
        for part in atlas.polygons(area):
            shapely.prepare(part)
            found |= shapely.contains_xy(part, xs, ys)
        return found

    land_masks = {space: mask(area) for space, area in sorted(land.items())}
    sea_masks = {space: mask(area) for space, area in sorted(sea.items())}
    ground = np.zeros((rows, columns), dtype=bool)
    for each in land_masks.values():
        ground |= each
    ground_all = ground | mask(MultiPolygon(decor))
    taken = np.zeros((rows, columns))
    for x, y in dots.values():
        taken[np.hypot(xs - x, ys - y) < 48] += 2.0
    result: dict[str, dict[str, Any]] = {}

    def record(space: str, box: tuple[int, int, int, int], area: BaseGeometry, spot: tuple[float, float]) -> None:
        c, r, w, h = box
        taken[r : r + h, c : c + w] += 4.0
        bounds = area.bounds if not area.is_empty else (spot[0] - 40, spot[1] - 40, spot[0] + 40, spot[1] + 40)
        result[space] = {
            "at": [round(spot[0]), round(spot[1])],
            "box": [v * PIXEL for v in (c, r, w, h)],
            "bounds": [round(v) for v in bounds],
        }

    def is_island(space: str) -> bool:
        return space in dots or all(work.kind(n) == "sea" for n in work.neighbours(space))

    lands = [space for space in work.spaces if work.kind(space) != "sea"]
    for space in sorted((s for s in lands if not is_island(s)), key=lambda s: (land[s].area, s)):
        own = land_masks[space]
        cost = np.where(own, 0.0, np.where(ground_all, 1.0, 0.6)) + taken
        centre = _middle(own, sites[space])
        box = _fit(cost, _BIG, centre, 0.06)
        record(space, box, land[space], _spot(box))
    for space in sorted((s for s in lands if is_island(s)), key=lambda s: (s in dots, s)):
        own = land_masks.get(space, np.zeros_like(ground))
        near = np.zeros_like(ground)
        for zone in work.neighbours(space):
            if zone in sea_masks:
                near |= sea_masks[zone]
        cost = np.where(own, 0.0, np.where(ground_all, 1.2, np.where(near, 0.12, 0.7))) + taken
        area = land.get(space, Polygon())
        spot = dots.get(space) or _middle(own, sites[space])
        sizes = _SMALL if space in dots else _ISLE
        box = _fit(cost, sizes, spot, 0.14, pull=0.11 if space in dots else 0.05)
        record(space, box, area, dots.get(space) or _middle(own, sites[space]))
    for zone in sorted(sea, key=lambda s: (sea[s].area, s)):
        cost = np.where(ground_all, 1.5, np.where(sea_masks[zone], 0.0, 0.8)) + taken
        water = sea_masks[zone] & ~ground_all & (taken == 0)
        box = _fit(cost, _BIG, _middle(water, sites[zone]), 0.02)
        record(zone, box, sea[zone], _spot(box))
    return result


def _spot(box: tuple[int, int, int, int]) -> tuple[float, float]:
    c, r, w, h = box
    return (c + w / 2) * PIXEL, (r + h / 2) * PIXEL


def _middle(own: np.ndarray, site: tuple[float, float]) -> tuple[float, float]:
    """The point of an area farthest from its edge, roughly; the site if there is no area."""
    if not own.any():
        return site
    left = own.copy()
    while True:
        padded = np.pad(left, 1)
        smaller = left & padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
        if not smaller.any():
            break
        left = smaller
    rows, columns = np.nonzero(left)
    return (float(columns.mean()) + 0.5) * PIXEL, (float(rows.mean()) + 0.5) * PIXEL


def _fit(
    cost: np.ndarray, sizes: list[tuple[int, int]], centre: tuple[float, float], allowed: float, pull: float = 0.004
) -> tuple[int, int, int, int]:
    """The first size that fits at an allowed mean cost, as near the centre as may be; else the cheapest last size."""
    total = np.zeros((cost.shape[0] + 1, cost.shape[1] + 1))
    total[1:, 1:] = cost.cumsum(0).cumsum(1)
    for number, (w, h) in enumerate(sizes):
        sums = total[h:, w:] - total[:-h, w:] - total[h:, :-w] + total[:-h, :-w]
        mean = sums / (w * h)
        r, c = np.mgrid[0 : mean.shape[0], 0 : mean.shape[1]]
        away = np.hypot((c + w / 2) - centre[0] / PIXEL, (r + h / 2) - centre[1] / PIXEL)
        score = mean + pull * away
        if number < len(sizes) - 1:
            fits = mean <= allowed
            if pull > 0.01:
                fits &= away < 0.75 * (w + h)
            if not fits.any():
                continue
            score = np.where(fits, score, np.inf)
        else:
            score = mean + max(pull, 0.06) * away
        row, column = np.unravel_index(int(np.argmin(np.round(score, 6))), score.shape)
        return int(column), int(row), w, h
    raise AssertionError("a list of sizes is never empty")
