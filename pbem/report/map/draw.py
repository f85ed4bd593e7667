"""Drawing a map: from a MapView and the shipped geometry to one SVG text, the same text for the same view.

Pure apart from loading the geometry. The SVG keeps to what WeasyPrint draws as vectors: paths, text, uses, patterns
and attributes; no style sheets, filters, masks or pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from pbem.report.map import arrows, blocks
from pbem.report.map.geometry import (
    Box,
    MapGeometry,
    SpaceShape,
    load_geometry,
    names_of,
    sea_label,
    term,
)
from pbem.report.map.style import (
    ALERT,
    BARE,
    COAST,
    FONT,
    IMPASSABLE_FILL,
    PAPER,
    POWERS,
    SEA,
    SEA_CHANGED,
    SEA_LINE,
    SEA_TEXT,
    TEXT,
    WALL,
    number,
    power_style,
    text_width,
)
from pbem.report.map.symbols import UNIT_ORDER, definitions
from pbem.report.map.view import Arrow, Language, MapView, SpaceView

FULL_SCALE = 20.0
"""Map units per millimetre when the whole map fills an A4 page."""
PHONE_WIDTH = 118.0
"""Width in millimetres of a detail map: what a telephone shows legibly across."""
_EMPTY = SpaceView()


@dataclass(frozen=True, slots=True)
class _Frame:
    """The part of the map shown and how large: `scale` is map units per millimetre."""

    box: Box
    scale: float
    detail: bool


def draw(view: MapView, focus: Sequence[str] = ()) -> str:
    """Draw the whole map, or with `focus` (space ids) the region around them as a detail for a small screen.

    KeyError if the board or a space is unknown.
    """
    geometry = load_geometry(view.board)
    for space in (*view.spaces, *view.battles, *focus):
        if space not in geometry.spaces:
            raise KeyError(f"no space {space!r} on the map of {view.board}")
    frame = _detail(geometry, focus) if focus else _whole(geometry)
    placed = _placed(view, geometry, frame)
    foot = "" if frame.detail else legend_row(view, geometry, frame.box.bottom)
    extra = 0.0 if frame.detail else _LEGEND * frame.scale
    box = frame.box
    width, height = box.width / frame.scale, (box.height + extra) / frame.scale
    layers = [
        _ground(view, geometry, frame),
        _changes(view, geometry, frame),
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
        f"<defs>{definitions()}{_patterns(frame.scale)}"
        f'<clipPath id="frame"><rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" '
        f'height="{number(box.height)}"/></clipPath></defs>'
        f'<g clip-path="url(#frame)">{"".join(layers[:-1])}</g>{layers[-1]}</svg>'
    )


# --- which part of the map ---------------------------------------------------------------------------------------


def _whole(geometry: MapGeometry) -> _Frame:
    return _Frame(Box(0, 0, geometry.width, geometry.height), FULL_SCALE, False)


def _detail(geometry: MapGeometry, focus: Sequence[str]) -> _Frame:
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
    return _Frame(Box(round(left), round(top), round(width), round(height)), width / page, True)


# --- ground ------------------------------------------------------------------------------------------------------


def _patterns(scale: float) -> str:
    parts = []
    ratio = scale / FULL_SCALE
    for power, style in sorted(POWERS.items()):
        if style.pattern:
            cap = ' stroke-linecap="round"' if style.dots else ""
            parts.append(
                f'<pattern id="p-{power}" width="{style.tile}" height="{style.tile}" patternUnits="userSpaceOnUse" '
                f'patternTransform="scale({ratio:.3f})"><path d="{style.pattern}" stroke="{style.ink}" '
                f'stroke-width="{style.weight}" stroke-opacity=".42" fill="none"{cap}/></pattern>'
            )
    return "".join(parts)


def _ground(view: MapView, geometry: MapGeometry, frame: _Frame) -> str:
    unit = frame.scale
    box = frame.box
    seas = [(s, shape) for s, shape in geometry.spaces.items() if shape.kind == "sea" and _seen(shape, frame)]
    lands = [(s, shape) for s, shape in geometry.spaces.items() if shape.kind != "sea" and _seen(shape, frame)]
    parts = [
        f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" height="{number(box.height)}" '
        f'fill="#dbe6eb"/>'
    ]
    for space, shape in seas:
        fill = SEA_CHANGED if view.spaces.get(space, _EMPTY).changed else SEA
        parts.append(f'<path d="{shape.path}" fill="{fill}" stroke="{SEA_LINE}" stroke-width="{number(0.24 * unit)}" '
                     f'stroke-linejoin="round"/>')  # fmt: skip
    every = "".join(shape.path for _, shape in lands) + geometry.bare
    parts.append(f'<path d="{every}" fill="none" stroke="#c8dae2" stroke-width="{number(1.5 * unit)}" '
                 f'stroke-linejoin="round"/>')  # fmt: skip
    parts.append(f'<path d="{every}" fill="{BARE}" stroke="{COAST}" stroke-width="{number(0.34 * unit)}" '
                 f'stroke-linejoin="round" fill-rule="evenodd"/>')  # fmt: skip
    for space, shape in lands:
        power = view.spaces.get(space, _EMPTY).controller
        style = power_style(power)
        fill = IMPASSABLE_FILL if shape.kind == "impassable" and power is None else style.fill
        parts.append(f'<path d="{shape.path}" fill="{fill}" fill-rule="evenodd"/>')
        if style.pattern and power in POWERS:
            parts.append(f'<path d="{shape.path}" fill="url(#p-{power})" fill-rule="evenodd"/>')
    inner = "".join(shape.path for _, shape in lands)
    parts.append(f'<path d="{inner}" fill="none" stroke="#fff" stroke-width="{number(0.42 * unit)}" '
                 f'stroke-linejoin="round" stroke-opacity=".8"/>')  # fmt: skip
    parts.append(f'<path d="{inner}" fill="none" stroke="{COAST}" stroke-width="{number(0.14 * unit)}" '
                 f'stroke-linejoin="round"/>')  # fmt: skip
    parts.append(_walls_and_links(geometry, frame))
    for space, shape in lands:
        if shape.dot:
            parts.append(_dot(view.spaces.get(space, _EMPTY), shape, geometry.dot_radius))
    return "".join(parts)


def _dot(view: SpaceView, shape: SpaceShape, radius: float) -> str:
    assert shape.dot is not None
    x, y = shape.dot
    style = power_style(view.controller)
    circle = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
    pattern = f'{circle} fill="url(#p-{view.controller})"/>' if style.pattern and view.controller in POWERS else ""
    return f'{circle} fill="{style.fill}"/>{pattern}{circle} fill="none" stroke="{style.ink}" stroke-width="7"/>'


def _walls_and_links(geometry: MapGeometry, frame: _Frame) -> str:
    unit = frame.scale
    walls = "".join(_polyline(line) for _, _, lines in geometry.walls for line in lines)
    parts = []
    if walls:
        parts.append(f'<path d="{walls}" fill="none" stroke="{WALL}" stroke-width="{number(0.62 * unit)}" '
                     f'stroke-linecap="butt"/>')  # fmt: skip
        parts.append(f'<path d="{walls}" fill="none" stroke="#fff" stroke-width="{number(0.16 * unit)}" '
                     f'stroke-dasharray="{number(0.5 * unit)} {number(0.5 * unit)}"/>')  # fmt: skip
    links = "".join(_polyline(line) for _, _, line in geometry.links)
    if links:
        parts.append(f'<path d="{links}" fill="none" stroke="#fff" stroke-width="{number(0.9 * unit)}" '
                     f'stroke-linecap="round"/>')  # fmt: skip
        parts.append(f'<path d="{links}" fill="none" stroke="{SEA_TEXT}" stroke-width="{number(0.45 * unit)}" '
                     f'stroke-dasharray="{number(1.0 * unit)} {number(0.6 * unit)}"/>')  # fmt: skip
    return "".join(parts)


def _polyline(line: Sequence[int]) -> str:
    points = [f"{line[i]} {line[i + 1]}" for i in range(0, len(line) - 1, 2)]
    return "M" + "L".join(points)


def _seen(shape: SpaceShape, frame: _Frame) -> bool:
    return shape.bounds.grown(60).overlap(frame.box) > 0


def _changes(view: MapView, geometry: MapGeometry, frame: _Frame) -> str:
    """Changed spaces get a double outline, captured ones a broken red one, both under everything that is written."""
    unit = frame.scale
    parts = []
    for space, facts in view.spaces.items():
        if not (facts.changed or facts.captured):
            continue
        shape = geometry.spaces[space]
        if shape.kind == "sea":
            continue
        colour = ALERT if facts.captured else TEXT
        outline = f'<path d="{shape.path}" fill="none" stroke-linejoin="round"'
        if shape.dot:
            outline = (f'<circle cx="{number(shape.dot[0])}" cy="{number(shape.dot[1])}" '
                       f'r="{number(geometry.dot_radius + 8)}" fill="none"')  # fmt: skip
        dash = f' stroke-dasharray="{number(1.6 * unit)} {number(0.6 * unit)}"' if facts.captured else ""
        parts.append(f'{outline} stroke="#fff" stroke-width="{number(1.25 * unit)}"/>')
        parts.append(f'{outline} stroke="{colour}" stroke-width="{number(0.7 * unit)}"{dash}/>')
    return "".join(parts)


# --- what is written ---------------------------------------------------------------------------------------------


def _placed(view: MapView, geometry: MapGeometry, frame: _Frame) -> dict[str, tuple[blocks.Block, Box]]:
    """Fit every block and move it off the others: smallest boxes first, nearest free place first."""
    scale = frame.scale
    dots = [_dot_box(s) for s in geometry.spaces.values() if s.dot]
    order = sorted(
        geometry.spaces.items(), key=lambda item: (item[1].kind == "sea", item[1].box.width * item[1].box.height)
    )
    placed: dict[str, tuple[blocks.Block, Box]] = {}
    for space, shape in order:
        if shape.box.overlap(frame.box) <= 0:
            continue
        facts = view.spaces.get(space, _EMPTY)
        block = blocks.compose(space, _header(view, space, shape), facts, shape.box, scale)
        x, y = shape.box.middle
        home = Box(x - block.width / 2, y - block.height / 2, block.width, block.height)
        others = [box for _, box in placed.values()]
        if shape.dot:
            homes = _around(shape.dot, geometry.dot_radius, block.width, block.height)
            placed[space] = (block, _free(homes, others, [d for d in dots if d != _dot_box(shape)], frame))
        else:
            placed[space] = (block, _free([(0.0, home)], others, dots, frame))
    return {space: placed[space] for space in geometry.spaces if space in placed}


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


def _free(homes: list[tuple[float, Box]], others: list[Box], dots: list[Box], frame: _Frame) -> Box:
    """The cheapest of some places and their surroundings: free of other blocks and dots, inside the frame, near."""
    step = 1.1 * frame.scale
    best: tuple[float, Box] | None = None
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


_OFFSETS = sorted(
    ((dx, dy) for dx in range(-6, 7) for dy in range(-6, 7)), key=lambda d: (d[0] ** 2 + d[1] ** 2, d[1], d[0])
)


def _blocks(
    view: MapView, geometry: MapGeometry, frame: _Frame, placed: dict[str, tuple[blocks.Block, Box]]
) -> str:
    parts = []
    for space, (block, box) in placed.items():
        parts.append(_leader(geometry.spaces[space], block, box, frame.scale))
        parts.append(blocks.render(block, box.x, box.y, view.language))
        if view.spaces.get(space, _EMPTY).captured:
            parts.append(_flag(box, view.spaces[space].controller, frame.scale))
    return "".join(parts)


def _leader(shape: SpaceShape, block: blocks.Block, box: Box, scale: float) -> str:
    """A thin line from a dot to its block when they stand apart."""
    x, y = shape.dot or shape.at
    near_x, near_y = min(max(x, box.x), box.right), min(max(y, box.y), box.bottom)
    if abs(near_x - x) + abs(near_y - y) < 52 or shape.kind == "sea":
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


def _arrows(
    view: MapView, geometry: MapGeometry, frame: _Frame, placed: dict[str, tuple[blocks.Block, Box]]
) -> str:
    lines, plates = [], []
    taken: list[Box] = [box for _, box in placed.values()]
    for place, arrow in enumerate(view.arrows):
        stops = (arrow.start, *arrow.via, arrow.end)
        if any(stop not in geometry.spaces for stop in stops):
            raise KeyError(f"arrow over an unknown space: {stops}")
        points = [_anchor(geometry.spaces[stop], placed.get(stop)) for stop in stops]
        bend = 0.14 if place % 2 == 0 else 0.1
        line = arrows.route(points, bend)
        start, end = (_target(geometry.spaces[s], placed.get(s)).grown(0.5 * frame.scale) for s in (stops[0], stops[-1]))
        line = arrows.trimmed(line, start, end)
        lines.append(arrows.render(arrow, line, frame.scale))
        if arrow.label:
            plates.append(_plate(arrow, line, taken, frame))
    return "".join(lines) + "".join(plates)


def _plate(arrow: Arrow, line: list[tuple[float, float]], taken: list[Box], frame: _Frame) -> str:
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


def _battles(
    view: MapView, geometry: MapGeometry, frame: _Frame, placed: dict[str, tuple[blocks.Block, Box]]
) -> str:
    parts = []
    for space in view.battles:
        box = _target(geometry.spaces[space], placed.get(space))
        parts.append(arrows.battle(box.right + 0.6 * frame.scale, box.y + 0.4 * frame.scale, frame.scale))
    return "".join(parts)


def _edges(view: MapView, geometry: MapGeometry, frame: _Frame) -> str:
    """Small tabs at the map's edge that name what lies on over it."""
    scale = frame.scale
    by_place: dict[tuple[str, str], list[str]] = {}
    for edge in geometry.edges:
        text, is_number = sea_label(view.board, view.language, edge.to) if edge.to.startswith("sz-") else ("", False)
        name = text if text else names_of(view.board, view.language)[edge.to]
        by_place.setdefault((edge.space, edge.side), []).append(name)
    parts = []
    taken: list[Box] = []
    for (space, side), names in by_place.items():
        shape = geometry.spaces[space]
        size = 1.75 * scale
        text = ", ".join(names)
        wide = text_width(text, size) + 2.4 * scale
        y = min(max(shape.at[1], 60), geometry.height - 60)
        x = 0.3 * scale if side == "left" else geometry.width - wide - 0.3 * scale
        box = Box(x, y - 1.3 * scale, wide, 2.6 * scale)
        while any(box.overlap(other) for other in taken):
            box = Box(box.x, box.y + 2.9 * scale, box.width, box.height)
        taken.append(box)
        arrow_x = box.x + 0.5 * scale if side == "left" else box.right - 0.5 * scale
        way = 1 if side == "left" else -1
        mid = box.y + box.height / 2
        parts.append(
            f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" '
            f'height="{number(box.height)}" rx="{number(0.6 * scale)}" fill="#fff" fill-opacity=".85" '
            f'stroke="{SEA_TEXT}" stroke-width="{number(0.16 * scale)}"/>'
            f'<path d="M{number(arrow_x)} {number(mid)}l{number(way * 0.9 * scale)} {number(-0.7 * scale)}'
            f'v{number(1.4 * scale)}z" fill="{SEA_TEXT}"/>'
            + blocks.centred(box.x + box.width / 2 + way * 0.6 * scale, mid + size * 0.35, text, size, SEA_TEXT)
        )
    return "".join(parts)


def _title(view: MapView, frame: _Frame) -> str:
    if not view.title:
        return ""
    scale = frame.scale
    size = (3.4 if not frame.detail else 2.8) * scale
    wide = text_width(view.title, size) * 1.04 + 2.4 * scale
    x, y = frame.box.x + 1.2 * scale, frame.box.y + 1.2 * scale
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(size * 1.5)}" '
        f'rx="{number(0.8 * scale)}" fill="{PAPER}" fill-opacity=".92" stroke="{COAST}" '
        f'stroke-width="{number(0.18 * scale)}"/>'
        f'<text x="{number(x + 1.2 * scale)}" y="{number(y + size * 1.08)}" font-size="{number(size)}" '
        f'font-weight="bold" fill="{TEXT}">{escape(view.title)}</text>'
    )


# --- legend ------------------------------------------------------------------------------------------------------

_LEGEND = 9.5


def legend_row(view: MapView, geometry: MapGeometry, top: float) -> str:
    """Powers and pictograms that appear on this map, in two lines under it."""
    scale = FULL_SCALE
    powers = [p for p in POWERS if any(s.controller == p or any(u[0] == p for u in s.units) for s in view.spaces.values())]
    units = [u for u in UNIT_ORDER if any(stack[1] == u for s in view.spaces.values() for stack in s.units)]
    parts = [
        f'<rect x="0" y="{number(top)}" width="{number(geometry.width)}" height="{number(_LEGEND * scale)}" '
        f'fill="{PAPER}"/>'
    ]
    size = 4.0 * scale
    wide = text_width(view.title, size)
    if wide > 0.5 * geometry.width:
        size, wide = size * 0.5 * geometry.width / wide, 0.5 * geometry.width
    parts.append(
        f'<text x="{number(geometry.width - 1.5 * scale)}" y="{number(top + 4.6 * scale)}" font-size="{number(size)}" '
        f'font-weight="bold" text-anchor="end" fill="{TEXT}">{escape(view.title)}</text>'
    )
    parts.append(_powers_line(powers, view.language, top + 1.1 * scale, geometry.width, scale))
    parts.append(_units_line(units, view.language, top + 5.4 * scale, geometry.width, scale))
    return "".join(parts)


def _powers_line(powers: Iterable[str], language: Language, y: float, width: float, scale: float) -> str:
    parts = []
    x = 2.0 * scale
    for power in powers:
        style = power_style(power)
        wide, high = 7.0 * scale, 3.2 * scale
        name = term("powers", power, language)
        name = name if language == "zh" else _POWER_NAMES.get(power, name.title())
        initials = style.initials_zh if language == "zh" else style.initials
        rect = f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}"'
        parts.append(f'{rect} fill="{style.fill}"/>')
        if style.pattern:
            parts.append(f'{rect} fill="url(#p-{power})"/>')
        parts.append(f'{rect} fill="none" stroke="{style.ink}" stroke-width="{number(0.2 * scale)}"/>')
        parts.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(2.9 * scale)}" height="{number(high)}" '
                     f'fill="{style.ink}"/>')  # fmt: skip
        size = (1.9 if len(initials) < 3 else 1.4) * scale
        parts.append(blocks.centred(x + 1.45 * scale, y + high / 2 + size * 0.36, initials, size, "#fff"))
        parts.append(_plain(x + wide + 0.8 * scale, y + 2.3 * scale, name, 2.3 * scale))
        x += wide + 0.8 * scale + text_width(name, 2.3 * scale) + 2.6 * scale
    return "".join(parts)


def _units_line(units: Iterable[str], language: Language, y: float, width: float, scale: float) -> str:
    parts = []
    items = list(units)
    names = [term("units", unit, language) if language == "zh" else _UNIT_NAMES.get(unit, unit) for unit in items]
    size = 2.15 * scale
    total = sum(text_width(name, size) + 6.6 * scale for name in names)
    if total > width - 4 * scale:
        size *= 0.88
    x = 2.0 * scale
    for unit, name in zip(items, names, strict=True):
        parts.append(f'<use href="#u-{unit}" transform="translate({number(x)} {number(y + 0.2 * scale)}) '
                     f'scale({3.9 * scale / 36:.3f})"/>')  # fmt: skip
        parts.append(_plain(x + 4.4 * scale, y + 2.1 * scale, name, size))
        x += 4.4 * scale + text_width(name, size) + 1.9 * scale
    return "".join(parts)


def _plain(x: float, y: float, text: str, size: float) -> str:
    return f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{TEXT}">{escape(text)}</text>'


_POWER_NAMES = {"usa": "United States", "uk": "United Kingdom", "ussr": "Soviet Union", "anzac": "ANZAC"}
_UNIT_NAMES = {
    "infantry": "Infantry", "marine": "Marines", "mech_infantry": "Mech. infantry", "artillery": "Artillery",
    "tank": "Tank", "aa_gun": "AA gun", "fighter": "Fighter", "tac_bomber": "Tac. bomber", "bomber": "Bomber",
    "battleship": "Battleship", "carrier": "Carrier", "cruiser": "Cruiser", "destroyer": "Destroyer",
    "submarine": "Submarine", "transport": "Transport",
}  # fmt: skip


def legend(view: MapView) -> str:
    """The legend alone, for a page of details."""
    geometry = load_geometry(view.board)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(geometry.width)} '
        f'{number(_LEGEND * FULL_SCALE)}" width="{number(geometry.width / FULL_SCALE)}mm" '
        f'height="{number(_LEGEND)}mm" font-family="{escape(FONT, quote=True)}"><defs>{definitions()}'
        f"{_patterns(FULL_SCALE)}</defs>{legend_row(view, geometry, 0.0)}</svg>"
    )

