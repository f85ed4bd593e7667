"""The legend under a map: the powers with their patterns, and the pictograms of the units on it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from pbem.report.map import blocks
from pbem.report.map.frame import FULL_SCALE
from pbem.report.map.geometry import MapGeometry, load_geometry, term
from pbem.report.map.ground import patterns
from pbem.report.map.style import FONT, PAPER, POWERS, TEXT, number, power_style, text_width
from pbem.report.map.symbols import UNIT_ORDER, definitions
from pbem.report.map.view import Language, MapView

LEGEND_HEIGHT = 9.5
"""In millimetres."""
TITLE_SHARE = 0.24
"""The share of the row's width that the map's title may take."""


def legend_row(view: MapView, geometry: MapGeometry, top: float) -> str:
    """Powers and pictograms that appear on this map, in two lines under it."""
    scale = FULL_SCALE
    powers = [
        p for p in POWERS if any(s.controller == p or any(u[0] == p for u in s.units) for s in view.spaces.values())
    ]
    units = [u for u in UNIT_ORDER if any(stack[1] == u for s in view.spaces.values() for stack in s.units)]
    parts = [
        f'<rect x="0" y="{number(top)}" width="{number(geometry.width)}" height="{number(LEGEND_HEIGHT * scale)}" '
        f'fill="{PAPER}"/>'
    ]
    size = 4.0 * scale
    wide = text_width(view.title, size)
    room = TITLE_SHARE * geometry.width
    if wide > room:
        size, wide = size * room / wide, room
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
        f'{number(LEGEND_HEIGHT * FULL_SCALE)}" width="{number(geometry.width / FULL_SCALE)}mm" '
        f'height="{number(LEGEND_HEIGHT)}mm" font-family="{escape(FONT, quote=True)}"><defs>{definitions()}'
        f"{patterns(FULL_SCALE)}</defs>{legend_row(view, geometry, 0.0)}</svg>"
    )
