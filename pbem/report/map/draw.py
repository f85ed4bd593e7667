"""Drawing a map: from a MapView and the shipped geometry to one SVG text, the same text for the same view.

Pure apart from loading the geometry. The SVG keeps to what WeasyPrint draws as vectors: paths, text, uses, patterns
and attributes; no style sheets, filters, masks or pictures.
"""

from __future__ import annotations

import math
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
    theatre_of,
    title_box,
    whole,
)
from pbem.report.map.geometry import Box, MapGeometry, SpaceShape, load_geometry
from pbem.report.map.ground import changes, ground, patterns
from pbem.report.map.legend import LEGEND_HEIGHT, legend_row
from pbem.report.map.style import ALERT, COAST, FONT, NOTE, PAPER, SEA_TEXT, TEXT, number, power_style
from pbem.report.map.symbols import definitions
from pbem.report.map.view import Arrow, MapView


def draw(view: MapView, focus: Sequence[str] = ()) -> str:
    """Draw the whole map, or with `focus` (space ids) the region around them as a detail for a small screen.

    KeyError if the board or a space is unknown.
    """
    geometry = _known(view, focus)
    return _drawn(view, geometry, detail_of(geometry, focus) if focus else whole(geometry), focus)


def draw_theatre(view: MapView) -> str | None:
    """Draw the part of the map where most happened, on a page of its own; None if a turn was quiet.

    KeyError if the board or a space is unknown.
    """
    geometry = _known(view)
    frame = theatre_of(view, geometry)
    return None if frame is None else _drawn(view, geometry, frame)


def _known(view: MapView, focus: Sequence[str] = ()) -> MapGeometry:
    """The geometry of a view's board, which must have every space named."""
    geometry = load_geometry(view.board)
    for space in (*view.spaces, *view.battles, *focus):
        if space not in geometry.spaces:
            raise KeyError(f"no space {space!r} on the map of {view.board}")
    for arrow in view.arrows:
        if any(stop not in geometry.spaces for stop in (arrow.start, *arrow.via, arrow.end)):
            raise KeyError(f"arrow over an unknown space: {(arrow.start, *arrow.via, arrow.end)}")
    return geometry


def _drawn(view: MapView, geometry: MapGeometry, frame: Frame, focus: Sequence[str] = ()) -> str:
    placed = placed_blocks(view, geometry, frame, frozenset(focus))
    foot = "" if frame.detail else legend_row(view, geometry, frame.box.bottom)
    extra = 0.0 if frame.detail else LEGEND_HEIGHT * frame.scale
    if view.note:
        foot += _note(view, frame, frame.box.bottom + extra)
        extra += NOTE_HEIGHT * frame.scale
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
    plates = "".join(blocks.plates(block, box.x, box.y) for block, box in placed.values())
    parts = [f'<path d="{plates}" fill="#fff" fill-opacity=".6"/>'] if plates else []
    parts += [_discs(found) for found in _by_unit(placed).values()]
    for space, (block, box) in placed.items():
        parts.append(_leader(geometry.spaces[space], block, box, frame.scale))
        parts.append(blocks.render(block, box.x, box.y, view.language))
        if view.spaces.get(space, EMPTY).captured:
            parts.append(_flag(box, view.spaces[space].controller, frame.scale))
    return "".join(parts)


def _by_unit(placed: Placed) -> dict[float, list[tuple[blocks.Block, Box]]]:
    """Blocks by their size, so that what looks the same is drawn as one."""
    found: dict[float, list[tuple[blocks.Block, Box]]] = {}
    for block, box in placed.values():
        found.setdefault(block.unit, []).append((block, box))
    return found


def _discs(rows: Sequence[tuple[blocks.Block, Box]]) -> str:
    """The discs of values: white on a dark one that is a little wider."""
    path = "".join(blocks.discs(block, box.x, box.y) for block, box in rows)
    unit = rows[0][0].unit
    return "".join(
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(wide * unit)}" '
        f'stroke-linecap="round"/>'
        for colour, wide in ((TEXT, blocks.DISC + 0.16), ("#fff", blocks.DISC - 0.16))
        if path
    )


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
    """The arrows, and plates that say what moves wherever they have room: attacks and great forces choose first."""
    drawn: list[tuple[Arrow, list[arrows.Point]]] = []
    for place, arrow in enumerate(view.arrows):
        stops = (arrow.start, *arrow.via, arrow.end)
        points = [_anchor(geometry.spaces[stop], placed.get(stop)) for stop in stops]
        line = arrows.route(points, 0.14 if place % 2 == 0 else 0.1)
        start, end = (
            _target(geometry.spaces[s], placed.get(s)).grown(0.5 * frame.scale) for s in (stops[0], stops[-1])
        )
        drawn.append((arrow, arrows.trimmed(line, start, end)))
    taken = [box for _, box in placed.values()]
    taken += [_mark_box(_target(geometry.spaces[space], placed.get(space)), frame) for space in view.battles]
    plates = [
        _plate(arrow, line, taken, frame)
        for arrow, line in sorted(drawn, key=lambda pair: (pair[0].quiet, -sum(n for _, n in pair[0].units)))
        if arrow.label or arrow.units
    ]
    return arrows.layer(drawn, frame.scale) + "".join(plates)


ROOM = 0.06
"""The share of a plate that may cover something else."""
DETAIL_PLATE = 1.35
"""How much larger a plate is in a detail, where there is room."""


def _plate(arrow: Arrow, line: list[arrows.Point], taken: list[Box], frame: Frame) -> str:
    """The plate at the freest place along its line; empty where it would cover much or hide its own arrow."""
    scale = frame.scale * (DETAIL_PLATE if frame.detail else 1.0)
    wide, high = arrows.plate_size(arrow, scale)
    if sum(map(math.dist, line, line[1:])) < 0.8 * wide:
        return ""
    best: tuple[float, Box] | None = None
    for share in (0.45, 0.38, 0.52, 0.6, 0.3, 0.68, 0.22):
        x, y = line[min(len(line) - 1, round(share * (len(line) - 1)))]
        box = Box(x - wide / 2, y - high / 2, wide, high)
        cost = sum(box.overlap(other) for other in taken) + wide * high - box.overlap(frame.box)
        if best is None or cost < best[0] - 1:
            best = (cost, box)
    if best is None or best[0] > ROOM * wide * high:
        return ""
    taken.append(best[1])
    return arrows.plate(arrow, best[1], scale)


def _anchor(shape: SpaceShape, placed: tuple[blocks.Block, Box] | None) -> tuple[float, float]:
    if placed is not None:
        return placed[1].middle
    return shape.dot or shape.at


def _target(shape: SpaceShape, placed: tuple[blocks.Block, Box] | None) -> Box:
    if placed is not None:
        return placed[1]
    x, y = shape.dot or shape.at
    return Box(x - 20, y - 20, 40, 40)


def _mark_box(box: Box, frame: Frame) -> Box:
    """Where the burst of a battle stands beside a block."""
    reach = 2.3 * frame.scale
    return Box(box.right + 2.0 * frame.scale - reach, box.y + 0.2 * frame.scale - reach, 2 * reach, 2 * reach)


def _battles(view: MapView, geometry: MapGeometry, frame: Frame, placed: Placed) -> str:
    marks = (_mark_box(_target(geometry.spaces[space], placed.get(space)), frame).middle for space in view.battles)
    return "".join(arrows.battle(x, y, frame.scale) for x, y in marks)


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


NOTE_HEIGHT = 4.0
"""In millimetres."""


def _note(view: MapView, frame: Frame, top: float) -> str:
    scale = frame.scale
    return (
        f'<text x="{number(frame.box.x)}" y="{number(top + 3.4 * scale)}" font-size="{number(2.5 * scale)}" '
        f'fill="{NOTE}">{escape(view.note)}</text>'
    )


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
