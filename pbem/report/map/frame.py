"""Which part of a map is shown, and where everything written stands so that nothing covers anything.

Placement is simple and deterministic: smallest spaces first, each block at the nearest free place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.report.map import blocks
from pbem.report.map.geometry import Box, MapGeometry, SpaceShape, names_of, sea_label
from pbem.report.map.style import text_width
from pbem.report.map.view import MapView, SpaceView

FULL_SCALE = 20.0
"""Map units per millimetre when the whole map fills an A4 page."""
PHONE_WIDTH = 100.0
"""Width in millimetres of a detail map: what a telephone shows legibly across."""
EMPTY = SpaceView()
TAB_SIZE = 1.6
"""Letter height in the tabs at the map's edge, in millimetres."""

Placed = dict[str, tuple[blocks.Block, Box]]
"""Every shown space's block and where it stands."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of the map shown and how large: `scale` is map units per millimetre."""

    box: Box
    scale: float
    detail: bool


def whole(geometry: MapGeometry) -> Frame:
    return Frame(Box(0, 0, geometry.width, geometry.height), FULL_SCALE, False)


def detail_of(geometry: MapGeometry, focus: Sequence[str]) -> Frame:
    boxes = []
    for space in focus:
        shape = geometry.spaces[space]
        boxes.append(shape.box)
        if shape.kind != "sea" and shape.dot is None:
            boxes.append(shape.bounds)
        if shape.dot:
            boxes.append(Box(shape.dot[0] - 60, shape.dot[1] - 60, 120, 120))
    x0, y0 = min(b.x for b in boxes) - 90, min(b.y for b in boxes) - 90
    x1, y1 = max(b.right for b in boxes) + 90, max(b.bottom for b in boxes) + 90
    x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(geometry.width, x1), min(geometry.height, y1)
    width, height = max(x1 - x0, 900.0), max(y1 - y0, 620.0)
    width, height = max(width, height * 0.72), max(height, width * 0.5)
    width, height = min(width, geometry.width), min(height, geometry.height)
    left = min(max(0.0, (x0 + x1) / 2 - width / 2), geometry.width - width)
    top = min(max(0.0, (y0 + y1) / 2 - height / 2), geometry.height - height)
    page = min(277.0, max(PHONE_WIDTH, width / FULL_SCALE * 1.1))
    return Frame(Box(round(left), round(top), round(width), round(height)), width / page, True)


THEATRE = 0.5
"""Width and height of the main theatre's map in shares of the whole map's: it shows everything twice as large."""
BUSY = 6
"""Arrows and battles from which on a theatre is worth a map of its own."""


def theatre_of(view: MapView, geometry: MapGeometry) -> Frame | None:
    """The part of the map where most happened, at twice the scale; None on a quiet turn."""
    spots = [(geometry.spaces[space].at, 3.0) for space in view.battles]
    spots += [(geometry.spaces[space].at, 2.0) for space, facts in view.spaces.items() if facts.captured]
    for arrow in view.arrows:
        weight = 0.25 if arrow.quiet else 0.5
        spots += [(geometry.spaces[end].at, weight) for end in (arrow.start, arrow.end)]
    if not spots or len(view.battles) + len(view.arrows) < BUSY:
        return None
    boxes = [_around_spot(at, geometry) for at, _ in spots]
    best = max(boxes, key=lambda box: (sum(weight for at, weight in spots if _holds(box, at)), -box.x, -box.y))
    inside = [at for at, _ in spots if _holds(best, at)]
    xs, ys = [x for x, _ in inside], [y for _, y in inside]
    box = _around_spot(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2), geometry)
    return Frame(box, box.width / (geometry.width / FULL_SCALE), True)


def _around_spot(at: tuple[float, float], geometry: MapGeometry) -> Box:
    """A theatre around a place, moved into the map."""
    wide, high = round(geometry.width * THEATRE), round(geometry.height * THEATRE)
    left = min(max(0, round(at[0] - wide / 2)), round(geometry.width) - wide)
    top = min(max(0, round(at[1] - high / 2)), round(geometry.height) - high)
    return Box(left, top, wide, high)


def _holds(box: Box, at: tuple[float, float]) -> bool:
    inner = box.grown(-60)
    return inner.x <= at[0] <= inner.right and inner.y <= at[1] <= inner.bottom


def placed_blocks(view: MapView, geometry: MapGeometry, frame: Frame, focus: frozenset[str]) -> Placed:
    """Fit every block and move it off the others: smallest boxes first, nearest free place first."""
    scale = frame.scale
    dots = [_dot_box(s) for s in geometry.spaces.values() if s.dot]
    order = sorted(
        geometry.spaces.items(), key=lambda item: (item[1].kind == "sea", item[1].box.width * item[1].box.height)
    )
    fixed = [title_box(view, frame)] if frame.detail and view.title else []
    fixed += [box for _, _, box in edge_tabs(view, geometry, frame)]
    placed: Placed = {}
    for space, shape in order:
        if shape.box.overlap(frame.box) <= 0:
            continue
        facts = view.spaces.get(space, EMPTY)
        block = blocks.compose(space, _header(view, space, shape), facts, shape.box, scale, frame.detail)
        x, y = shape.box.middle
        home = Box(x - block.width / 2, y - block.height / 2, block.width, block.height)
        others = [box for _, box in placed.values()] + fixed
        if shape.dot:
            homes = _around(shape.dot, geometry.dot_radius, block.width, block.height)
            box = _free(homes, others, [d for d in dots if d != _dot_box(shape)], frame)
        else:
            box = _free([(0.0, home)], others, dots, frame)
        if space in focus or not frame.detail or _welcome(box, others, frame):
            placed[space] = (block, box)
    return {space: placed[space] for space in geometry.spaces if space in placed}


def _welcome(box: Box, others: list[Box], frame: Frame) -> bool:
    """Whether a block beside the focus of a detail is whole and free enough to be shown at all."""
    size = box.width * box.height
    return box.overlap(frame.box) > 0.8 * size and sum(box.overlap(other) for other in others) < 0.1 * size


def _dot_box(shape: SpaceShape) -> Box:
    x, y = shape.dot or shape.at
    return Box(x - 40, y - 40, 80, 80)


def _around(dot: tuple[float, float], radius: float, width: float, height: float) -> list[tuple[float, Box]]:
    """Places for a block beside a dot, best first, each with what it costs to prefer it less."""
    x, y = dot
    gap = radius + 12
    places = [
        (x - width / 2, y + gap), (x + gap, y - height / 2), (x - width / 2, y - gap - height),
        (x - gap - width, y - height / 2), (x + gap * 0.5, y + gap * 0.8), (x + gap * 0.5, y - gap * 0.8 - height),
        (x - gap * 0.5 - width, y + gap * 0.8), (x - gap * 0.5 - width, y - gap * 0.8 - height),
    ]  # fmt: skip
    return [(place * 120.0, Box(left, top, width, height)) for place, (left, top) in enumerate(places)]


def _header(view: MapView, space: str, shape: SpaceShape) -> blocks.Header:
    if shape.kind == "sea":
        text, is_number = sea_label(view.board, view.language, space)
        return blocks.Header(text, is_number, True, False, 0, None, False)
    name = names_of(view.board, view.language)[space]
    muted = shape.kind != "land"
    return blocks.Header(name, False, False, muted, shape.ipc, shape.capital, shape.city is not None)


def _free(homes: list[tuple[float, Box]], others: list[Box], dots: list[Box], frame: Frame) -> Box:
    """The cheapest of some places and their surroundings: free of other blocks and dots, inside the frame, near."""
    step = 1.1 * frame.scale
    best: tuple[float, Box] | None = None
    reach = _FARTHEST * step + 0.25 * frame.scale + 1
    within = [home.grown(reach) for _, home in homes]
    others = [other for other in others if any(area.overlap(other) > 0 for area in within)]
    dots = [dot for dot in dots if any(area.overlap(dot) > 0 for area in within)]
    for dx, dy in _OFFSETS:
        away = (dx * dx + dy * dy) ** 0.5 * step * step * 0.9
        if best is not None and away >= best[0]:
            break
        for price, home in homes:
            box = Box(home.x + dx * step, home.y + dy * step, home.width, home.height)
            grown = box.grown(0.25 * frame.scale)
            cost = away + price + sum(grown.overlap(other) for other in others) * 4
            cost += sum(box.overlap(dot) for dot in dots) * 1.5
            cost += (box.width * box.height - box.overlap(frame.box)) * 6
            if best is None or cost < best[0] - 1e-6:
                best = (cost, box)
    assert best is not None
    return best[1]


_FARTHEST = 6
_STEPS = range(-_FARTHEST, _FARTHEST + 1)
_OFFSETS = sorted(((dx, dy) for dx in _STEPS for dy in _STEPS), key=lambda d: (d[0] ** 2 + d[1] ** 2, d[1], d[0]))


def edge_tabs(view: MapView, geometry: MapGeometry, frame: Frame) -> list[tuple[str, str, Box]]:
    """What stands in the small tabs at the map's edge that name what lies on over it: side, text and place."""
    scale = frame.scale
    by_place: dict[tuple[str, str], list[str]] = {}
    for edge in geometry.edges:
        if geometry.spaces[edge.to].kind == "sea":
            name = sea_label(view.board, view.language, edge.to)[0]
        else:
            name = names_of(view.board, view.language)[edge.to]
        by_place.setdefault((edge.space, edge.side), []).append(name)
    tabs: list[tuple[str, str, Box]] = []
    for (space, side), names in sorted(by_place.items(), key=lambda item: geometry.spaces[item[0][0]].at[1]):
        text = ", ".join(names)
        wide = text_width(text, TAB_SIZE * scale) + 2.2 * scale
        y = min(max(geometry.spaces[space].at[1], 60), geometry.height - 60)
        x = 0.3 * scale if side == "left" else geometry.width - wide - 0.3 * scale
        box = Box(x, y - 1.2 * scale, wide, 2.4 * scale)
        while any(box.overlap(other) for _, _, other in tabs):
            box = Box(box.x, box.y + 2.6 * scale, box.width, box.height)
        tabs.append((side, text, box))
    return tabs


def title_box(view: MapView, frame: Frame) -> Box:
    size = 2.8 * frame.scale
    inset = 1.2 * frame.scale
    return Box(frame.box.x + inset, frame.box.y + inset, text_width(view.title, size) + 2 * inset, size * 1.5)
