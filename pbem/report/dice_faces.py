"""Drawn dice: one SVG for a row. A hit is a dark die with light pips, a miss a pale frame, so print shows it too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote

from pbem.report.model import Die

PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Columns and rows of the pips of each face."""
SIZE, GAP, ROW = 20, 4, 24
"""A die's side, the space between dice, and a row's height, in units of the drawing."""
PER_ROW = 14
INK, PAPER, PALE, DULL = "#16212a", "#ffffff", "#8a94a0", "#46525c"


def strip(dice: Sequence[Die]) -> str:
    """The dice as one SVG text, in rows of at most fourteen."""
    return _drawn(tuple((die.face, die.hit) for die in dice))


def strip_address(dice: Sequence[Die]) -> str:
    """The same as a data: address for an image."""
    return "data:image/svg+xml," + quote(strip(dice))


def strip_size(count: int) -> tuple[int, int]:
    """Width and height of a strip in its own units."""
    columns, rows = min(count, PER_ROW), -(-count // PER_ROW)
    return max(columns * (SIZE + GAP) - GAP + 2, 1), max(rows * ROW - GAP + 2, 1)


@lru_cache(maxsize=512)
def _drawn(dice: tuple[tuple[int, bool], ...]) -> str:
    """Four paths whatever the number of dice: frames and pips of misses, bodies and pips of hits."""
    misses: list[str] = []
    hits: list[str] = []
    dark: list[str] = []
    light: list[str] = []
    for index, (face, hit) in enumerate(dice):
        x, y = 1 + index % PER_ROW * (SIZE + GAP), 1 + index // PER_ROW * ROW
        body = f"M{x + 4} {y}h12a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-12a4 4 0 0 1-4-4v-12a4 4 0 0 1 4-4z"
        pips = "".join(f"M{x + 5 + 5 * column} {y + 5 + 5 * row}h.01" for column, row in PIPS.get(face, ()))
        (hits if hit else misses).append(body)
        (light if hit else dark).append(pips)
    width, height = strip_size(len(dice))
    parts = [
        f'<path d="{"".join(misses)}" fill="{PAPER}" stroke="{PALE}" stroke-width="1.2"/>' if misses else "",
        f'<path d="{"".join(dark)}" stroke="{DULL}" stroke-width="3.8" stroke-linecap="round"/>' if dark else "",
        f'<path d="{"".join(hits)}" fill="{INK}" stroke="{INK}" stroke-width="1.6"/>' if hits else "",
        f'<path d="{"".join(light)}" stroke="{PAPER}" stroke-width="3.8" stroke-linecap="round"/>' if light else "",
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"{''.join(parts)}</svg>"
    )
