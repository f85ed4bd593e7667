"""Drawing a map: from a MapView and the shipped geometry to one SVG text, the same text for the same view.

Pure apart from loading the geometry. The SVG keeps to what WeasyPrint draws as vectors: paths, text, uses, patterns
and attributes; no style sheets, filters, masks or pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pbem.report.map import arrows, blocks
from pbem.report.map.frame import (
    EMPTY,
    TAB_SIZE,
    Frame,
    Placed,
    detail_of,
    edge_tabs,
    placed_blocks,
    title_box,
    whole,
)
from pbem.report.map.geometry import Box, MapGeometry, SpaceShape, load_geometry
from pbem.report.map.ground import changes, ground, patterns
from pbem.report.map.legend import LEGEND_HEIGHT, legend_row
from pbem.report.map.style import ALERT, COAST, FONT, PAPER, SEA_TEXT, TEXT, number, power_style
from pbem.report.map.symbols import definitions
from pbem.report.map.view import Arrow, MapView


def draw(view: MapView, focus: Sequence[str] = ()) -> str:
    """Draw the whole map, or with `focus` (space ids) the region around them as a detail for a small screen.

    KeyError if the board or a space is unknown.
    """
    geometry = load_geometry(view.board)
    for space in (*view.spaces, *view.battles, *focus):
        if space not in geometry.spaces:
            raise KeyError(f"no space {space!r} on the map of {view.board}")
    frame = detail_of(geometry, focus) if focus else whole(geometry)
    placed = placed_blocks(view, geometry, frame, frozenset(focus))
    foot = "" if frame.detail else legend_row(view, geometry, frame.box.bottom)
    extra = 0.0 if frame.detail else LEGEND_HEIGHT * frame.scale
    box = frame.box
    width, height = box.width / frame.scale, (box.height + extra) / frame.scale
    layers = [
        ground(view, geometry, frame),
        changes(view, geometry, frame),
        _edges(view, geometry, frame),
        _arrows(view, geometry, frame, placed),
        _blocks(view, geometry, frame, placed),
        _battles(view, geometry, frame, placed),
        _title(view, frame) if frame.detail else "",
        foot,
    ]
    label = escape(view.title or view.board, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{number(box.x)} {number(box.y)} {number(box.width)} '
        f'{number(box.height + extra)}" width="{number(width)}mm" height="{number(height)}mm" role="img" '
        f'aria-label="{label}" font-family="{escape(FONT, quote=True)}">'
        f"<defs>{definitions()}{patterns(frame.scale)}"
        f'<clipPath id="frame"><rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" '
        f'height="{number(box.height)}"/></clipPath></defs>'
        f'<g clip-path="url(#frame)">{"".join(layers[:-1])}</g>{layers[-1]}</svg>'
    )


def _blocks(view: MapView, geometry: MapGeometry, frame: Frame, placed: Placed) -> str:
    parts = []
    for space, (block, box) in placed.items():
        parts.append(_leader(geometry.spaces[space], block, box, frame.scale))
        parts.append(blocks.render(block, box.x, box.y, view.language))
        if view.spaces.get(space, EMPTY).captured:
            parts.append(_flag(box, view.spaces[space].controller, frame.scale))
    return "".join(parts)


def _leader(shape: SpaceShape, block: blocks.Block, box: Box, scale: float) -> str:
    """A thin line from a dot to its block when they stand apart."""
    x, y = shape.dot or shape.at
    near_x, near_y = min(max(x, box.x), box.right), min(max(y, box.y), box.bottom)
    touching = shape.dot is None and box.overlap(shape.bounds.grown(12)) > 0
    if touching or abs(near_x - x) + abs(near_y - y) < 52 or shape.kind == "sea":
        return ""
    return (f'<path d="M{number(x)} {number(y)}L{number(near_x)} {number(near_y)}" stroke="{TEXT}" '
            f'stroke-width="{number(0.18 * scale)}"/>')  # fmt: skip


def _flag(box: Box, power: str | None, scale: float) -> str:
    style = power_style(power)
    x, y = box.x - 0.6 * scale, box.y + 0.2 * scale
    return (
        f'<path d="M{number(x)} {number(y)}v{number(3.0 * scale)}" stroke="{TEXT}" '
        f'stroke-width="{number(0.3 * scale)}"/>'
        f'<path d="M{number(x)} {number(y)}h{number(-2.3 * scale)}l{number(0.6 * scale)} {number(0.8 * scale)}'
        f'l{number(-0.6 * scale)} {number(0.8 * scale)}h{number(2.3 * scale)}z" fill="{ALERT}" stroke="{style.ink}" '
        f'stroke-width="{number(0.15 * scale)}"/>'
    )


def _arrows(view: MapView, geometry: MapGeometry, frame: Frame, placed: Placed) -> str:
    lines, plates = [], []
    taken: list[Box] = [box for _, box in placed.values()]
    for place, arrow in enumerate(view.arrows):
        stops = (arrow.start, *arrow.via, arrow.end)
        if any(stop not in geometry.spaces for stop in stops):
            raise KeyError(f"arrow over an unknown space: {stops}")
        points = [_anchor(geometry.spaces[stop], placed.get(stop)) for stop in stops]
        bend = 0.14 if place % 2 == 0 else 0.1
        line = arrows.route(points, bend)
        start, end = (
            _target(geometry.spaces[s], placed.get(s)).grown(0.5 * frame.scale) for s in (stops[0], stops[-1])
        )
        line = arrows.trimmed(line, start, end)
        lines.append(arrows.render(arrow, line, frame.scale))
        if arrow.label:
            plates.append(_plate(arrow, line, taken, frame))
    return "".join(lines) + "".join(plates)


def _plate(arrow: Arrow, line: list[tuple[float, float]], taken: list[Box], frame: Frame) -> str:
    best: tuple[float, str, Box] | None = None
    for share in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
        spot = line[min(len(line) - 1, int(share * len(line)))]
        text, box = arrows.label(arrow, spot, frame.scale)
        cost = sum(box.overlap(other) for other in taken)
        if best is None or cost < best[0] - 1:
            best = (cost, text, box)
    assert best is not None
    taken.append(best[2])
    return best[1]


def _anchor(shape: SpaceShape, placed: tuple[blocks.Block, Box] | None) -> tuple[float, float]:
    if placed is not None:
        return placed[1].middle
    return shape.dot or shape.at


def _target(shape: SpaceShape, placed: tuple[blocks.Block, Box] | None) -> Box:
    if placed is not None:
        return placed[1]
    x, y = shape.dot or shape.at
    return Box(x - 20, y - 20, 40, 40)


def _battles(view: MapView, geometry: MapGeometry, frame: Frame, placed: Placed) -> str:
    parts = []
    for space in view.battles:
        box = _target(geometry.spaces[space], placed.get(space))
        parts.append(arrows.battle(box.right + 2.0 * frame.scale, box.y + 0.2 * frame.scale, frame.scale))
    return "".join(parts)


def _edges(view: MapView, geometry: MapGeometry, frame: Frame) -> str:
    scale = frame.scale
    parts = []
    for side, text, box in edge_tabs(view, geometry, frame):
        arrow_x = box.x + 0.5 * scale if side == "left" else box.right - 0.5 * scale
        way = 1 if side == "left" else -1
        mid = box.y + box.height / 2
        # The arrow points off the map: to the left at the left edge.
        parts.append(
            f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" '
            f'height="{number(box.height)}" rx="{number(0.6 * scale)}" fill="#fff" fill-opacity=".85" '
            f'stroke="{SEA_TEXT}" stroke-width="{number(0.16 * scale)}"/>'
            f'<path d="M{number(arrow_x)} {number(mid)}l{number(way * 0.8 * scale)} {number(-0.65 * scale)}'
            f'v{number(1.3 * scale)}z" fill="{SEA_TEXT}"/>'
            + blocks.centred(
                box.x + box.width / 2 + way * 0.5 * scale,
                mid + 0.35 * TAB_SIZE * scale,
                text,
                TAB_SIZE * scale,
                SEA_TEXT,
            )  # fmt: skip
        )
    return "".join(parts)


def _title(view: MapView, frame: Frame) -> str:
    if not view.title:
        return ""
    scale = frame.scale
    size = 2.8 * scale
    box = title_box(view, frame)
    return (
        f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" height="{number(box.height)}" '
        f'rx="{number(0.8 * scale)}" fill="{PAPER}" fill-opacity=".92" stroke="{COAST}" '
        f'stroke-width="{number(0.18 * scale)}"/>'
        f'<text x="{number(box.x + 1.2 * scale)}" y="{number(box.y + size * 1.08)}" font-size="{number(size)}" '
        f'font-weight="bold" fill="{TEXT}">{escape(view.title)}</text>'
    )
