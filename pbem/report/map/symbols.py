"""The maps' own pictograms: units, facilities and marks, as SVG fragments in small boxes.

Unit pictograms stand in a box of 36 x 24, facility marks in 20 x 20. Shapes only; sizes and places are the caller's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache

INK = "#1b252d"

UNIT_ORDER = (
    "infantry", "marine", "mech_infantry", "artillery", "tank", "aa_gun", "fighter", "tac_bomber", "bomber",
    "battleship", "carrier", "cruiser", "destroyer", "submarine", "transport",
)  # fmt: skip
"""The order in which units stand in a stack."""

FACILITY_ORDER = ("industrial_complex", "ic_major", "ic_minor", "air_base", "naval_base")


def _fill(path: str) -> str:
    return f'<path d="{path}" fill="{INK}"/>'


def _line(path: str, width: float = 2.0) -> str:
    return f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="{width}" stroke-linecap="round"/>'


def _light(path: str) -> str:
    return f'<path d="{path}" fill="#fff"/>'


def _wheel(x: float, y: float, r: float) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}"/>'


def _soldier(x: float) -> str:
    return (
        _fill(f"M{x - 4.6} 6.2c.3 -7 8.9 -7 9.2 0z")
        + _fill(f"M{x - 5.6} 5.6h11.2v1.3h-11.2z")
        + _fill(f"M{x - 2.6} 7.4h5.2l-.6 2.6h-4z")
        + _fill(f"M{x - 5.2} 10.6h10.4l.8 7h-2.2l-.5 6.4h-2.7l-.6 -5.4l-.6 5.4h-2.7l-.5 -6.4h-2.2z")
    )


UNITS: Mapping[str, str] = {
    "infantry": _soldier(17) + _line("M11.5 18.5L27.5 6", 2.0),
    "marine": (
        _soldier(17)
        + _line("M11.5 17L27.5 5", 2.0)
        + _line("M3 21.6q3 -3 6 0q3 3 6 0q3 -3 6 0q3 3 6 0q3 -3 6 0", 1.9)
    ),
    "mech_infantry": (
        _fill("M2 9h9.5l3.5 -4.5h6.5v4.5h12v7h-31.5z")
        + _light("M16 6h4v2.6h-6z")
        + _wheel(7, 17.6, 4.2)
        + _fill("M15 14.5h15.5c4.8 0 4.8 7.2 0 7.2h-15.5c-4.8 0 -4.8 -7.2 0 -7.2z")
        + '<circle cx="7" cy="17.6" r="1.5" fill="#fff"/><circle cx="17" cy="18.1" r="1.3" fill="#fff"/>'
        '<circle cx="22.8" cy="18.1" r="1.3" fill="#fff"/><circle cx="28.6" cy="18.1" r="1.3" fill="#fff"/>'
    ),
    "artillery": (
        _line("M13.5 13.5L33 4.2", 3.0)
        + _line("M13 14L2.5 21.5", 2.4)
        + _fill("M12.5 5.5l4 -1.5l4.2 10.5l-4 1.5z")
        + _wheel(16, 17, 5.6)
        + '<circle cx="16" cy="17" r="2.9" fill="#fff"/><circle cx="16" cy="17" r="1.2"/>'
    ),
    "tank": (
        _fill("M6.5 13.5h23c6.13 0 6.13 9.2 0 9.2h-23c-6.13 0 -6.13 -9.2 0 -9.2z")
        + _fill("M4.5 12.8l3 -3.4h21l3.5 3.4z")
        + _fill("M9.5 8.8l1.8 -5h9.4l2.4 5z")
        + _line("M21 6.2h13", 2.3)
        + '<circle cx="7.4" cy="18.1" r="2" fill="#fff"/><circle cx="14.4" cy="18.1" r="2" fill="#fff"/>'
        '<circle cx="21.6" cy="18.1" r="2" fill="#fff"/><circle cx="28.6" cy="18.1" r="2" fill="#fff"/>'
    ),
    "aa_gun": (
        _line("M14 15.5L26.5 1.8", 2.8)
        + _line("M18.5 16L29.5 4", 1.7)
        + _fill("M10.5 15.2l4.5 -5l7 5.4l-3 3.6h-7z")
        + _line("M16.5 17.5L7 22.6M16.5 17.5V22.8M16.5 17.5L27 22.6", 2.2)
    ),
    "fighter": (
        _fill(
            "M33.5 12c-1.6 -1.9 -4 -2.3 -7.5 -2.4l-6 -.3l-4.2 -8.3h-4l1.8 8.1l-6.1 .6l-2.4 -4h-2.3l1 6.3"
            "l-1 6.3h2.3l2.4 -4l6.1 .6l-1.8 8.1h4l4.2 -8.3l6 -.3c3.5 -.1 5.9 -.5 7.5 -2.4z"
        )  # fmt: skip
        + _line("M34 8.6v6.8", 1.3)
    ),
    "tac_bomber": (
        _fill(
            "M34 12c-1.8 -2.2 -4.6 -2.7 -8 -2.8l-4.2 -.1l1.8 -3.6l-2.6 -4.5h-4.6l1 4.9l-2.2 3.3l-6.6 .7l-2.6 -3.6"
            "h-3l1.1 5.7l-1.1 5.7h3l2.6 -3.6l6.6 .7l2.2 3.3l-1 4.9h4.6l2.6 -4.5l-1.8 -3.6l4.2 -.1"
            "c3.4 -.1 6.2 -.6 8 -2.8z"
        )  # fmt: skip
        + _light("M24.5 10.7h4v2.6h-4z")
        + _light("M11 11h8v2h-8z")
    ),
    "bomber": (
        _fill(
            "M35.5 12c-1.4 -2 -3.6 -2.5 -6.5 -2.5h-7l-5.5 -9.5h-4.2l2.3 9.5h-6.8l-3.2 -4.9h-3.6l1.4 7.4l-1.4 7.4"
            "h3.6l3.2 -4.9h6.8l-2.3 9.5h4.2l5.5 -9.5h7c2.9 0 5.1 -.5 6.5 -2.5z"
        )  # fmt: skip
        + _fill("M16 3.2h6.4v2.2h-6.4zM18 6.6h6.4v2.2h-6.4zM16 18.6h6.4v2.2h-6.4zM18 15.2h6.4v2.2h-6.4z")
        + _light("M27.5 10.8h3v2.4h-3z")
    ),
    "battleship": (
        _fill("M.5 15.5h35l-3.6 7h-28z")
        + _fill("M13 15.5v-6h2.2v-5h1.6v-4.2h2v4.2h1.6v5h3.6v6z")
        + _fill("M24.8 15.5v-3.8h5.4v3.8z")
        + _line("M30 11.8L35.4 10M29.5 13.6L35.4 12", 1.4)
        + _fill("M6 15.5v-3.8h5.4v3.8z")
        + _line("M6.4 11.8L.8 10M6.6 13.6L.8 12", 1.4)
        + _light("M4.5 18h27l-.6 1.2h-25.6z")
    ),
    "carrier": (
        _fill("M.3 11.5h35.4l-1.4 3.4h-2.6l-3.2 7.6h-20.6l-4 -7.6h-2.6z")
        + _fill("M20 11.5v-6.5h2v-4.4h1.6v4.4h3.4v6.5z")
        + _line("M3.5 9.6h4.6M10.8 9.6h4.6", 1.5)
        + _light("M5.8 14.2h24.6v1.2h-24z")
    ),
    "cruiser": (
        _fill("M1.5 17h33l-4 5.5h-25z")
        + _fill("M11 17v-5h2.6v-7.5h1.6v7.5h7.8v5z")
        + _fill("M17 11.5l.4 -6.5h2.6l-.3 6.5zM21.6 12.5l.4 -6.5h2.6l-.3 6.5z")
        + _fill("M25.5 17v-2.8h4v2.8z")
        + _line("M28.5 14.6L34 12.8", 1.4)
        + _fill("M6 17v-2.8h4v2.8z")
        + _line("M7 14.6L2 12.8", 1.4)
    ),
    "destroyer": (
        _fill("M3.5 17.6l28.5 -.6l1.5 -1.6l-2.6 6.4h-24.6z")
        + _fill("M20.5 17v-5.6h2v-5h1.4v5h3v5.6z")
        + _fill("M13.6 17.2l.6 -7h3.4l-.3 7z")
        + _line("M10.5 16.4L5 14.4", 1.5)
    ),
    "submarine": (
        _fill(
            "M2 16.2c2 -2.8 5 -3.2 9 -3.2h14c4.5 0 7.8 1.2 9.2 3.4c-1.8 3.4 -5.2 4.6 -9.2 4.6h-13c-5 0 -8.6 -1.4"
            " -10 -4.8z"
        )  # fmt: skip
        + _fill("M14.5 13.4l.8 -6h7l1 6z")
        + _line("M18.4 7.5v-5h3.4", 1.6)
        + _light("M6 16h24v1h-24z")
    ),
    "transport": (
        _fill("M1 14.5h34l-3.4 8h-27.6z")
        + _fill("M3.5 14.5v-7.5h7v-3.5h2.6v11z")
        + _fill("M16 14v-3.6h5.2v3.6zM22.4 14v-3.6h5.2v3.6zM19.2 9.8v-3.6h5.2v3.6z")
        + _line("M30 14V3.5M30 4.5L25 10.5", 1.3)
    ),
}
"""Unit id to the fragment that draws it."""

_BASE = f'<rect x=".6" y=".6" width="18.8" height="18.8" rx="3" fill="#fff" stroke="{INK}" stroke-width="1.2"/>'

FACILITIES: Mapping[str, str] = {
    "industrial_complex": _BASE + _fill("M3 17v-8.6l4.4 3.2v-3.2l4.4 3.2v-8.4h2.2v8.4h3v5.4z"),
    "ic_minor": _BASE
    + _fill("M3 17v-8.6l4.4 3.2v-3.2l4.4 3.2v-8.4h2.2v8.4h3v5.4z")
    + _light("M9.2 12.6h1.8v3.4h-1.8z"),
    "ic_major": (
        _BASE
        + _fill("M3 17v-8.6l4.4 3.2v-3.2l3.4 3.2v-8.4h2v8.4h.8v-8.4h2v8.4h1.4v5.4z")
        + _light("M6.4 12.6h1.7v3.4h-1.7zM9.4 12.6h1.7v3.4h-1.7zM12.4 12.6h1.7v3.4h-1.7z")
    ),
    "air_base": (
        _BASE
        + _fill(
            "M17.4 10c-.8 -.9 -2 -1.1 -3.6 -1.2l-2.4 -5.4h-2l.9 5.4h-3l-1.4 -2h-1.4l.7 3.2l-.7 3.2h1.4"
            "l1.4 -2h3l-.9 5.4h2l2.4 -5.4c1.6 -.1 2.8 -.3 3.6 -1.2z"
        )  # fmt: skip
    ),
    "naval_base": (
        _BASE
        + '<circle cx="10" cy="4.9" r="1.8" fill="none" stroke="#1b252d" stroke-width="1.4"/>'
        + _line("M10 6.8V16.6M6.8 8.9h6.4", 1.7)
        + _line("M4.2 11.8c.4 3.4 3 4.8 5.8 4.8c2.8 0 5.4 -1.4 5.8 -4.8", 1.7)
    ),
}
"""Facility id to the fragment that draws it."""


def star(x: float, y: float, radius: float, points: int = 5, inner: float = 0.42) -> str:
    """Path data of a star."""
    parts = []
    for step in range(2 * points):
        reach = radius if step % 2 == 0 else radius * inner
        angle = math.pi * step / points - math.pi / 2
        parts.append(f"{x + reach * math.cos(angle):.1f} {y + reach * math.sin(angle):.1f}")
    return "M" + "L".join(parts) + "z"


_PATH = re.compile(r'<path d="([^"]*)"([^>]*)/>')


@lru_cache(maxsize=1)
def definitions() -> str:
    """All pictograms as reusable groups, ids `u-<unit>` and `f-<facility>`."""
    units = "".join(f'<g id="u-{unit}" fill="{INK}">{merged(shape)}</g>' for unit, shape in sorted(UNITS.items()))
    marks = "".join(f'<g id="f-{kind}" fill="{INK}">{merged(shape)}</g>' for kind, shape in sorted(FACILITIES.items()))
    return units + marks


def merged(fragment: str) -> str:
    """The same drawing in fewer elements: paths of the same look that follow one another become one."""
    parts: list[tuple[str, str]] = []
    place = 0
    for found in _PATH.finditer(fragment):
        if found.start() > place:
            parts.append(("", fragment[place : found.start()]))
        data, look = found.groups()
        if parts and parts[-1][0] == look and look:
            parts[-1] = (look, parts[-1][1] + data)
        else:
            parts.append((look or " ", data))
        place = found.end()
    parts.append(("", fragment[place:]))
    return "".join(f'<path d="{data}"{look.rstrip()}/>' if look else data for look, data in parts)
