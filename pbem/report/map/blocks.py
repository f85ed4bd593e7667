"""What is written in a space: its name, value and facilities, and the stacks that stand there, fitted into its box.

A block is measured first and drawn later, so that blocks can be moved off one another. All sizes are millimetres
times `scale` (map units per millimetre on the page).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from pbem.report.map.geometry import Box
from pbem.report.map.style import DAMAGE, NEUTRAL, TEXT, number, power_style, text_width
from pbem.report.map.symbols import FACILITIES, FACILITY_ORDER, UNIT_ORDER, UNITS, star
from pbem.report.map.view import Language, SpaceView

FACTORS = (1.0, 0.93, 0.86, 0.79)
DETAIL_FACTORS = (1.5, 1.35, 1.2, 1.1, *FACTORS)
NAME, COUNT, ICON_W, ICON_H, TAB, MARK = 2.15, 2.25, 3.45, 2.3, 2.5, 2.6
GAP = 0.35


@dataclass(frozen=True, slots=True)
class Strip:
    """One power's units in a space: columns by rows of pictogram and count, behind a tab with its initials."""

    power: str
    cells: tuple[tuple[str, int, int], ...]
    columns: int
    cell_width: float
    cell_height: float
    tab: float
    count_size: float

    @property
    def rows(self) -> int:
        return -(-len(self.cells) // self.columns)

    @property
    def width(self) -> float:
        return self.tab + self.columns * self.cell_width

    @property
    def height(self) -> float:
        return self.rows * self.cell_height


@dataclass(frozen=True, slots=True)
class Block:
    """A measured block: header lines, marks and strips, and its own size."""

    space: str
    width: float
    height: float
    unit: float
    lines: tuple[str, ...]
    line_height: float
    font_size: float
    number: bool
    sea: bool
    muted: bool
    ipc: int
    capital: str | None
    city: bool
    facilities: tuple[tuple[str, int], ...]
    marks_on_name_line: bool
    strips: tuple[tuple[Strip, ...], ...]


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of a space says before it is fitted."""

    name: str
    number: bool
    sea: bool
    muted: bool
    ipc: int
    capital: str | None
    city: bool


def compose(space: str, header: Header, view: SpaceView, box: Box, scale: float, detail: bool) -> Block:
    """Fit a space's content into its box: the largest of a few sizes that fits, else the smallest."""
    block = None
    for factor in DETAIL_FACTORS if detail else FACTORS:
        block = _measure(space, header, view, box.width, scale * factor)
        if block.width <= box.width + 0.5 * scale and block.height <= box.height + 0.5 * scale:
            break
    assert block is not None
    return block


def sorted_units(units: Iterable[tuple[str, str, int, int]]) -> list[tuple[str, list[tuple[str, int, int]]]]:
    """Units by power (in the given order) and then in stack order; empty stacks are left out."""
    rank = {unit: place for place, unit in enumerate(UNIT_ORDER)}
    grouped: dict[str, list[tuple[str, int, int]]] = {}
    for power, unit, count, damaged in units:
        if count > 0 and unit in UNITS:
            grouped.setdefault(power, []).append((unit, count, damaged))
    return [(power, sorted(cells, key=lambda cell: rank[cell[0]])) for power, cells in grouped.items()]


def _measure(space: str, header: Header, view: SpaceView, room: float, unit: float) -> Block:
    font = NAME * unit * (1.75 if header.number else 0.9 if header.muted or header.sea else 1.0)
    ipc_width = (MARK + 0.5) * unit if header.ipc > 0 and not header.sea else 0.0
    prefix = (1.9 * unit if header.capital else 0.0) + (1.6 * unit if header.city and not header.capital else 0.0)
    lines = _wrap(header.name, font, max(room - ipc_width - prefix, 9 * unit))
    facilities = tuple(
        sorted(
            (item for item in view.facilities if item[0] in FACILITIES),
            key=lambda item: (FACILITY_ORDER.index(item[0]), item[1]),
        )
    )
    marks = sum((MARK + 0.3 + (1.9 if damage else 0.0)) * unit for _, damage in facilities)
    name_width = max(text_width(line, font) for line in lines) + prefix
    on_line = bool(facilities) and name_width + ipc_width + marks <= room
    line_height = font * (1.0 if header.number else 1.12)
    width = name_width + ipc_width + (marks if on_line else 0.0)
    height = line_height * len(lines)
    if facilities and not on_line:
        width = max(width, marks)
        height += (MARK + 0.3) * unit
    rows = _strips(sorted_units(view.units), room, unit)
    for row in rows:
        width = max(width, sum(strip.width for strip in row) + GAP * unit * (len(row) - 1))
        height += max(strip.height for strip in row) + GAP * unit
    return Block(
        space, width, height, unit, lines, line_height, font, header.number, header.sea, header.muted, header.ipc,
        header.capital, header.city, facilities, on_line, rows,
    )  # fmt: skip


def _wrap(name: str, font: float, room: float) -> tuple[str, ...]:
    if text_width(name, font) <= room or " " not in name.replace("-", "- "):
        return (name,)
    words = name.replace("-", "- ").split(" ")
    best = min(
        range(1, len(words)),
        key=lambda cut: (max(text_width(_join(words[:cut]), font), text_width(_join(words[cut:]), font)), cut),
    )
    return _join(words[:best]), _join(words[best:])


def _join(words: Sequence[str]) -> str:
    return " ".join(words).replace("- ", "-")


def _strips(
    stacks: list[tuple[str, list[tuple[str, int, int]]]], room: float, unit: float
) -> tuple[tuple[Strip, ...], ...]:
    rows: list[list[Strip]] = []
    for power, cells in stacks:
        most = max(count for _, count, _ in cells)
        digits = 0 if most == 1 else len(str(most))
        cell = (ICON_W + 0.45 + digits * 1.3 + (0.15 if digits else 0.0)) * unit
        fit = max(2 if len(cells) > 3 else 1, int((room - TAB * unit) / cell))
        lines = -(-len(cells) // min(fit, len(cells)))
        columns = -(-len(cells) // lines)
        strip = Strip(power, tuple(cells), columns, cell, (ICON_H + 0.45) * unit, TAB * unit, COUNT * unit)
        line_width = sum(each.width + GAP * unit for each in rows[-1]) if rows else 0.0
        if rows and line_width + strip.width <= room:
            rows[-1].append(strip)
        else:
            rows.append([strip])
    return tuple(tuple(row) for row in rows)


@dataclass(frozen=True, slots=True)
class NameLine:
    """One line of a block's name and where it stands: the line's left edge, the letters' left edge and their end."""

    text: str
    left: float
    start: float
    end: float
    top: float


def name_lines(block: Block, x: float, y: float) -> list[NameLine]:
    """Where the lines of the name stand when the block's top left corner is at a place."""
    unit, middle = block.unit, x + block.width / 2
    lines = []
    for row, line in enumerate(block.lines):
        last = row == len(block.lines) - 1
        prefix = (1.9 if block.capital else 1.6 if block.city else 0.0) * unit if row == 0 else 0.0
        value = (MARK + 0.5) * unit if last and _has_value(block) else 0.0
        marks = _marks_width(block) if last and block.marks_on_name_line else 0.0
        wide = text_width(line, block.font_size)
        left = middle - (prefix + wide + value + marks) / 2
        lines.append(NameLine(line, left, left + prefix, left + prefix + wide, y + row * block.line_height))
    return lines


def plates(block: Block, x: float, y: float) -> str:
    """Path data of the pale plates behind a name on land, so that it reads on any pattern; none on water."""
    if block.sea:
        return ""
    pad, high = 0.3 * block.unit, block.font_size
    return "".join(
        f"M{line.start - pad:.0f} {line.top + 0.04 * high:.0f}h{line.end - line.start + 2 * pad:.0f}v{high:.0f}"
        f"h{line.start - line.end - 2 * pad:.0f}z"
        for line in name_lines(block, x, y)
    )


def discs(block: Block, x: float, y: float) -> str:
    """Path data of the disc behind a space's value: a point, to be drawn with a round cap `DISC` wide."""
    if not _has_value(block):
        return ""
    last = name_lines(block, x, y)[-1]
    return f"M{_value_middle(block, last):.1f} {last.top + block.line_height * 0.5:.1f}h.01"


DISC = MARK * 0.92
"""Diameter of the disc behind a value, in millimetres."""


def _value_middle(block: Block, line: NameLine) -> float:
    return line.end + (0.4 + MARK / 2) * block.unit


def _has_value(block: Block) -> bool:
    return block.ipc > 0 and not block.sea


def _marks_width(block: Block) -> float:
    return sum((MARK + 0.3 + (1.9 if damage else 0.0)) * block.unit for _, damage in block.facilities)


def render(block: Block, x: float, y: float, language: Language) -> str:
    """Draw a block with its top left corner at a place."""
    parts: list[str] = []
    unit, middle = block.unit, x + block.width / 2
    colour = "#3f7189" if block.sea else "#6b6659" if block.muted else TEXT
    lines = name_lines(block, x, y)
    for line in lines:
        centre = line.top + block.line_height * 0.5
        if line is lines[0] and block.capital:
            parts.append(_capital(line.left + 0.85 * unit, centre, unit, block.capital))
        elif line is lines[0] and block.city:
            parts.append(_city(line.left + 0.75 * unit, centre, unit))
        base = line.top + block.font_size * 0.86
        bold = block.number or not (block.sea or language == "zh")
        parts.append(_text(line.start, base, line.text, block.font_size, colour, bold, block.sea))
    end, centre = lines[-1].end + 0.4 * unit, lines[-1].top + block.line_height * 0.5
    top = y + block.line_height * len(lines)
    if _has_value(block):
        middle_of_disc = _value_middle(block, lines[-1])
        parts.append(centred(middle_of_disc, centre + 0.66 * unit, str(block.ipc), 1.85 * unit, TEXT))
        end += (MARK + 0.3) * unit
    if block.facilities and block.marks_on_name_line:
        parts.append(_facilities(block, end, centre - MARK * unit / 2))
    elif block.facilities:
        parts.append(_facilities(block, middle - _marks_width(block) / 2, top + 0.15 * unit))
        top += (MARK + 0.3) * unit
    for strips in block.strips:
        top += GAP * unit
        wide = sum(strip.width for strip in strips) + GAP * unit * (len(strips) - 1)
        left = middle - wide / 2
        for strip in strips:
            parts.append(_strip(strip, left, top, unit, language))
            left += strip.width + GAP * unit
        top += max(strip.height for strip in strips)
    return "".join(parts)


def _text(x: float, y: float, text: str, size: float, colour: str, bold: bool, italic: bool) -> str:
    """Small Chinese is never bold: its strokes would run together."""
    weight = ' font-weight="bold"' if bold else ""
    style = ' font-style="italic"' if italic and not bold else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{weight}{style} fill="{colour}">'
        f"{escape(text)}</text>"
    )


def centred(x: float, y: float, text: str, size: float, colour: str) -> str:
    """A centred line of bold text."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" font-weight="bold" text-anchor="middle" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def _capital(x: float, y: float, unit: float, power: str) -> str:
    ink = power_style(power).ink
    return f'<path d="{star(x, y, 1.15 * unit)}" fill="{ink}" stroke="#fff" stroke-width="{number(0.2 * unit)}"/>'


def _city(x: float, y: float, unit: float) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(0.72 * unit)}" fill="#fff" stroke="{TEXT}" '
        f'stroke-width="{number(0.28 * unit)}"/>'
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(0.3 * unit)}" fill="{TEXT}"/>'
    )


def _facilities(block: Block, x: float, y: float) -> str:
    unit = block.unit
    parts = []
    for kind, damage in block.facilities:
        parts.append(f'<use href="#f-{kind}" transform="translate({number(x)} {number(y)}) '
                     f'scale({MARK * unit / 20:.3f})"/>')  # fmt: skip
        x += MARK * unit
        if damage:
            parts.append(
                f'<rect x="{number(x - 0.2 * unit)}" y="{number(y)}" width="{number(1.9 * unit)}" '
                f'height="{number(MARK * unit)}" rx="{number(0.4 * unit)}" fill="{DAMAGE}"/>'
                + centred(x + 0.75 * unit, y + 1.9 * unit, str(damage), 1.8 * unit, "#fff")
            )
            x += 1.9 * unit
        x += 0.3 * unit
    return "".join(parts)


def _strip(strip: Strip, x: float, y: float, unit: float, language: Language) -> str:
    style = power_style(strip.power)
    initials = style.initials_zh if language == "zh" else style.initials
    if style is NEUTRAL and language == "zh":
        initials = "中立"
    size = 1.62 * unit if len(initials) > 1 and language == "en" else 1.95 * unit
    if len(initials) > 1 and language == "zh":
        size = 1.15 * unit
    rim = 0.22 * unit
    parts = [
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(strip.width)}" height="{number(strip.height)}" '
        f'rx="{number(0.45 * unit)}" fill="{style.ink}"/>'
        f'<rect x="{number(x + strip.tab)}" y="{number(y + rim)}" width="{number(strip.width - strip.tab - rim)}" '
        f'height="{number(strip.height - 2 * rim)}" rx="{number(0.25 * unit)}" fill="#fff"/>',
        centred(x + strip.tab / 2, y + strip.height / 2 + size * 0.36, initials, size, "#fff"),
    ]
    dividers = ""
    for place, (unit_id, count, damaged) in enumerate(strip.cells):
        left = x + strip.tab + (place % strip.columns) * strip.cell_width + 0.15 * unit
        top = y + (place // strip.columns) * strip.cell_height + 0.22 * unit
        parts.append(f'<use href="#u-{unit_id}" transform="translate({number(left)} {number(top)}) '
                     f'scale({ICON_W * unit / 36:.3f})"/>')  # fmt: skip
        if place % strip.columns:
            dividers += f"M{number(left - 0.2 * unit)} {number(top)}v{number(strip.cell_height - 0.5 * unit)}"
        if count > 1:
            parts.append(
                f'<text x="{number(left + (ICON_W + 0.12) * unit)}" y="{number(top + 1.98 * unit)}" '
                f'font-size="{number(strip.count_size)}" font-weight="bold" fill="{TEXT}">{count}</text>'
            )
        if damaged:
            spot = left + (ICON_W - 0.4) * unit
            parts.append(
                f'<circle cx="{number(spot)}" cy="{number(top + 0.45 * unit)}" r="{number(0.72 * unit)}" '
                f'fill="{DAMAGE}" stroke="#fff" stroke-width="{number(0.15 * unit)}"/>'
                + centred(spot, top + 0.9 * unit, str(damaged), 1.2 * unit, "#fff")
            )
    if dividers:
        parts.append(f'<path d="{dividers}" fill="none" stroke="#c3c9cd" stroke-width="{number(0.14 * unit)}"/>')
    return "".join(parts)
