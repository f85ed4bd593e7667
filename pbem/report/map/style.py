"""Colours, patterns and lettering of the maps.

Every power has a light fill, a dark ink, a pattern of its own and initials, so that a colour-blind player and a
black-and-white printer can tell them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FONT = "'Open Sans','Noto Sans CJK TC','WenQuanYi Micro Hei',sans-serif"

SEA = "#e6eff3"
SEA_CHANGED = "#fdf6d6"
SEA_LINE = "#a9c3d0"
SEA_TEXT = "#4f7d95"
PAPER = "#fbfaf6"
COAST = "#43545f"
COAST_RIM = "#c8dae2"
TEXT = "#16212a"
NOTE = "#46525c"
BARE = "#e4e1d8"
WALL = "#33454f"
ALERT = "#b0123f"
DAMAGE = "#c01818"


@dataclass(frozen=True, slots=True)
class PowerStyle:
    """How a power is drawn; `pattern` is path data inside a square tile of `tile` units."""

    fill: str
    ink: str
    initials: str
    initials_zh: str
    pattern: str
    tile: int = 40
    weight: float = 2.2
    dots: bool = False


POWERS: Mapping[str, PowerStyle] = {
    "japan": PowerStyle("#f6e2a2", "#8a6200", "JP", "日", "M10 10h.1M30 30h.1", 40, 7, True),
    "usa": PowerStyle("#cfdcb0", "#48661f", "US", "美", "M0 40L40 0M-10 10L10 -10M30 50L50 30"),
    "china": PowerStyle("#dccbe6", "#6a3c86", "CN", "中", "M10 0V40M30 0V40", 40, 2.0),
    "uk": PowerStyle("#e3c6a2", "#7d4a12", "UK", "英", "M0 0L40 40M-10 30L10 50M30 -10L50 10"),
    "anzac": PowerStyle("#b4dbd6", "#0e5f62", "AZ", "澳", "M0 0L40 40M40 0L0 40", 40, 1.6),
    "ussr": PowerStyle("#e2b0a8", "#8c1d18", "SU", "蘇", "M0 10H40M0 30H40", 40, 2.0),
    "france": PowerStyle("#bccbea", "#2c4a97", "FR", "法", "M4 10H20M24 30H40", 40, 2.6),
    "dutch": PowerStyle("#f7c69b", "#a84a00", "NL", "荷", "M14 20H26M20 14V26", 40, 2.6),
    "germany": PowerStyle("#c6c9cd", "#2e3338", "DE", "德", "M0 20H40M20 0V40", 40, 1.5),
    "neutral": PowerStyle("#ece8dc", "#6f6857", "N", "中立", "", 40),
}
NEUTRAL = POWERS["neutral"]
IMPASSABLE_FILL = "#dcd8cc"


def power_style(power: str | None) -> PowerStyle:
    """The style of a power; unknown and none are drawn as neutral."""
    return POWERS.get(power or "neutral", NEUTRAL)


# Advance widths of the characters from blank to tilde in hundredths of the size, measured on Open Sans Bold.
_WIDTHS = (
    26, 29, 47, 65, 57, 90, 75, 27, 34, 34, 54, 57, 29, 32, 29, 41, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 29, 29,
    57, 57, 57, 48, 90, 69, 67, 64, 74, 56, 55, 72, 77, 33, 33, 66, 56, 94, 81, 80, 63, 80, 66, 55, 58, 76, 65, 97,
    67, 62, 58, 33, 41, 33, 53, 41, 61, 60, 63, 51, 63, 59, 39, 56, 66, 31, 31, 62, 31, 98, 66, 62, 63, 63, 45, 50,
    43, 66, 57, 86, 58, 57, 49, 39, 55, 39, 57,
)  # fmt: skip


def text_width(text: str, size: float) -> float:
    """Estimated width of a line of bold text, the same on every machine whatever fonts it has."""
    total = 0
    for letter in text:
        place = ord(letter) - 32
        total += _WIDTHS[place] if 0 <= place < len(_WIDTHS) else 100 if place > 0x2E00 else 62
    return total * size / 100


def number(value: float) -> str:
    """A coordinate as short text: one decimal at most."""
    rounded = round(value, 1)
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)
