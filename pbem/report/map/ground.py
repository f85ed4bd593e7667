"""The ground of a map: waters, land in its owners' colours and patterns, walls and links, and what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.report.map.blocks import centred
from pbem.report.map.frame import EMPTY, FULL_SCALE, Frame
from pbem.report.map.geometry import MapGeometry, SpaceShape
from pbem.report.map.style import (
    ALERT,
    BARE,
    COAST,
    COAST_RIM,
    IMPASSABLE_FILL,
    POWERS,
    SEA,
    SEA_CHANGED,
    SEA_LINE,
    SEA_TEXT,
    TEXT,
    WALL,
    number,
    power_style,
)
from pbem.report.map.view import Language, MapView, SpaceView


def patterns(scale: float) -> str:
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


def ground(view: MapView, geometry: MapGeometry, frame: Frame) -> str:
    """Waters and land in as few paths as they have colours: what is drawn costs by the point and by the path."""
    unit, box = frame.scale, frame.box
    shown = {space: shape for space, shape in geometry.spaces.items() if _seen(shape, frame)}
    lands = {space: shape for space, shape in shown.items() if shape.kind != "sea"}
    place = f'x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" height="{number(box.height)}"'
    parts = [f'<rect {place} fill="{SEA}"/>']
    changed = "".join(
        shape.rough for space, shape in shown.items() if shape.kind == "sea" and view.spaces.get(space, EMPTY).changed
    )
    if changed:
        parts.append(f'<path d="{changed}" fill="{SEA_CHANGED}"/>')
    borders = "".join(line.path for line in geometry.sea_borders if line.bounds.grown(60).overlap(box) > 0)
    parts.append(f'<path d="{borders}" fill="none" stroke="{SEA_LINE}" stroke-width="{number(0.24 * unit)}" '
                 f'stroke-linejoin="round"/>')  # fmt: skip
    coasts = "".join(line.path for line in geometry.coasts if line.bounds.grown(60).overlap(box) > 0)
    parts.append(f'<path d="{coasts}" fill="none" stroke="{COAST_RIM}" stroke-width="{number(1.5 * unit)}" '
                 f'stroke-linejoin="round" stroke-linecap="round"/>')  # fmt: skip
    line = f'stroke="{COAST}" stroke-width="{number(0.28 * unit)}" stroke-linejoin="round" fill-rule="evenodd"'
    parts.append(f'<path d="{geometry.bare}" fill="{BARE}" {line}/>')
    # An area's fill covers half of its neighbours' outlines, but its own outline draws the whole border again.
    for fill, shapes in _by_fill(view, lands).items():
        parts.append(f'<path d="{"".join(_outline(shape, frame) for shape in shapes)}" fill="{fill}" {line}/>')
    for power in POWERS:
        own = "".join(s.rough for space, s in lands.items() if view.spaces.get(space, EMPTY).controller == power)
        if own and power_style(power).pattern:
            parts.append(f'<path d="{own}" fill="url(#p-{power})" fill-rule="evenodd"/>')
    parts.append(_walls_and_links(geometry, frame))
    for space, shape in lands.items():
        if shape.dot:
            parts.append(_dot(view.spaces.get(space, EMPTY), shape, geometry.dot_radius, unit, view.language))
    return "".join(parts)


def _by_fill(view: MapView, lands: Mapping[str, SpaceShape]) -> dict[str, list[SpaceShape]]:
    found: dict[str, list[SpaceShape]] = {}
    for space, shape in lands.items():
        power = view.spaces.get(space, EMPTY).controller
        fill = IMPASSABLE_FILL if shape.kind == "impassable" and power is None else power_style(power).fill
        found.setdefault(fill, []).append(shape)
    return found


def _dot(view: SpaceView, shape: SpaceShape, radius: float, unit: float, language: Language) -> str:
    """A small island: a disc in its owner's colour with the owner's initials, for a pattern hardly shows on it."""
    assert shape.dot is not None
    x, y = shape.dot
    style = power_style(view.controller)
    letters = ""
    if view.controller in POWERS:
        initials = style.initials_zh if language == "zh" else style.initials
        size = radius * (1.25 if len(initials) == 1 else 0.86)
        letters = centred(x, y + size * 0.36, initials, size, style.ink)
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{style.fill}" stroke="{style.ink}" '
        f'stroke-width="{number(0.35 * unit)}"/>{letters}'
    )


def _walls_and_links(geometry: MapGeometry, frame: Frame) -> str:
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


def _outline(shape: SpaceShape, frame: Frame) -> str:
    """An area as exactly as the frame's scale shows it."""
    return shape.path if frame.detail else shape.plain


def _seen(shape: SpaceShape, frame: Frame) -> bool:
    return shape.bounds.grown(60).overlap(frame.box) > 0


def changes(view: MapView, geometry: MapGeometry, frame: Frame) -> str:
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
        outline = f'<path d="{_outline(shape, frame)}" fill="none" stroke-linejoin="round"'
        if shape.dot:
            outline = (f'<circle cx="{number(shape.dot[0])}" cy="{number(shape.dot[1])}" '
                       f'r="{number(geometry.dot_radius + 8)}" fill="none"')  # fmt: skip
        thin = 0.5 if shape.path.count("M") > 4 else 1.0
        dash = f' stroke-dasharray="{number(1.6 * unit)} {number(0.6 * unit)}"' if facts.captured else ""
        parts.append(f'{outline} stroke="#fff" stroke-width="{number(1.25 * thin * unit)}"/>')
        parts.append(f'{outline} stroke="{colour}" stroke-width="{number(0.7 * thin * unit)}"{dash}/>')
    return "".join(parts)
