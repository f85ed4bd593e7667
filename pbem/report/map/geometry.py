"""The shipped geometry of the maps and the printed names of their spaces.

Loading is the only input here; the data is made once by tools/geometry/build.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from pbem.report.map import outlines

PLAIN, ROUGH, ROUGH_COAST = 2.0, 4.0, 12.0
"""How far outlines in fewer points may stray, in map units: a tenth of a millimetre of a whole map, hidden by the line
itself; more under a pattern and in a pale rim."""
MAP_OF_BOARD: Mapping[str, str] = {
    "p40_1e": "p40",
    "p40_2e": "p40",
    "s42": "s42",
    "classic_2e": "classic",
    "classic_3e": "classic",
    "p01": "p01",
}
"""Which map a scenario is drawn on; editions that differ only in units share one."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in map units (20 to a millimetre of an A4 page), y down."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def overlap(self, other: Box) -> float:
        """Area shared with another rectangle."""
        width = min(self.right, other.right) - max(self.x, other.x)
        height = min(self.bottom, other.bottom) - max(self.y, other.y)
        return width * height if width > 0 and height > 0 else 0.0

    def grown(self, by: float) -> Box:
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


@dataclass(frozen=True, slots=True)
class SpaceShape:
    """One space's drawn area (`plain` and `rough`: in fewer points), anchor point, content box and printed facts."""

    name: str
    kind: str
    ipc: int
    path: str
    plain: str
    rough: str
    at: tuple[float, float]
    box: Box
    bounds: Box
    dot: tuple[float, float] | None
    capital: str | None
    city: str | None


@dataclass(frozen=True, slots=True)
class Edge:
    """A border that runs over the map's edge, to be named at the edge."""

    space: str
    to: str
    side: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line that several areas share or none, and the box it lies in."""

    path: str
    bounds: Box


@dataclass(frozen=True, slots=True)
class MapGeometry:
    """A whole map: spaces in board order, links (borders drawn as lines), walls (contacts that are no borders).

    `sea_borders` are the lines between zones, each once; `coasts` those around land, in few points.
    """

    name: str
    width: float
    height: float
    dot_radius: float
    spaces: Mapping[str, SpaceShape]
    bare: str
    sea_borders: tuple[Line, ...]
    coasts: tuple[Line, ...]
    links: tuple[tuple[str, str, tuple[int, ...]], ...]
    walls: tuple[tuple[str, str, tuple[tuple[int, ...], ...]], ...]
    edges: tuple[Edge, ...]
    canals: tuple[tuple[str, str, str], ...]


def path_of(rings: list[list[int]]) -> str:
    """SVG path data of rings kept as a first point and steps."""
    parts = []
    for ring in rings:
        steps = " ".join(str(v) for v in ring[2:])
        parts.append(f"M{ring[0]} {ring[1]}l{steps}z")
    return "".join(parts)


@lru_cache(maxsize=8)
def load_geometry(board: str) -> MapGeometry:
    """The geometry of a scenario's map. KeyError if no map is known for it."""
    name = MAP_OF_BOARD[board]
    raw: dict[str, Any] = json.loads(
        resources.files("pbem.report.map").joinpath("geometry", f"{name}.json").read_text("utf-8")
    )
    spaces = {space: _shape(facts) for space, facts in raw["spaces"].items()}
    rings = {space: [outlines.ring_of(ring) for ring in facts["rings"]] for space, facts in raw["spaces"].items()}
    seas = [ring for space, shape in spaces.items() if shape.kind == "sea" for ring in rings[space]]
    lands = [ring for space, shape in spaces.items() if shape.kind != "sea" for ring in rings[space]]
    lands += [outlines.ring_of(ring) for ring in raw["bare"]]
    missing = {tuple(sorted(pair)) for pair in raw["missing_on"].get(board, [])}
    return MapGeometry(
        name=name,
        width=raw["size"][0],
        height=raw["size"][1],
        dot_radius=raw["dot"],
        spaces=spaces,
        bare=path_of(raw["bare"]),
        sea_borders=_lines(seas, PLAIN, shared=True),
        coasts=_lines(lands, ROUGH_COAST, shared=False),
        links=tuple((a, b, tuple(line)) for a, b, line in raw["links"] if tuple(sorted((a, b))) not in missing),
        walls=tuple((a, b, tuple(tuple(line) for line in lines)) for a, b, lines in raw["walls"]),
        edges=tuple(
            Edge(edge["space"], edge["to"], edge["side"])
            for edge in raw["edges"]
            if tuple(sorted((edge["space"], edge["to"]))) not in missing
        ),
        canals=tuple((canal[0], canal[1], canal[2]) for canal in raw["canals"]),
    )


def _lines(rings: list[outlines.Ring], tolerance: float, *, shared: bool) -> tuple[Line, ...]:
    return tuple(_line(outlines.coarse(line, tolerance)) for line in outlines.lines_of(rings, shared))


def _line(line: outlines.Ring) -> Line:
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return Line(outlines.path(line), Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))


def _coarser(rings: list[list[int]], tolerance: float) -> str:
    """The area of rings in fewer points; what is no area any more is left out."""
    coarser = (outlines.coarse((*ring, ring[0]), tolerance) for ring in map(outlines.ring_of, rings))
    return "".join(outlines.path(ring[:-1], closed=True) for ring in coarser if len(ring) > 3)


def _shape(facts: dict[str, Any]) -> SpaceShape:
    x0, y0, x1, y1 = facts["bounds"]
    dot = facts.get("dot")
    return SpaceShape(
        name=facts["name"],
        kind=facts["kind"],
        ipc=facts["ipc"],
        path=path_of(facts["rings"]),
        plain=_coarser(facts["rings"], PLAIN),
        rough=_coarser(facts["rings"], ROUGH),
        at=(facts["at"][0], facts["at"][1]),
        box=Box(*facts["box"]),
        bounds=Box(x0, y0, x1 - x0, y1 - y0),
        dot=(dot[0], dot[1]) if dot else None,
        capital=facts.get("capital"),
        city=facts.get("city"),
    )


@lru_cache(maxsize=16)
def names_of(board: str, language: str) -> Mapping[str, str]:
    """The printed name of every space of a scenario in a language ('en' or 'zh')."""
    shapes = load_geometry(board).spaces
    if language == "en":
        return {space: shape.name for space, shape in shapes.items()}
    table = json.loads(resources.files("pbem.board").joinpath("names", f"zh_{board}.json").read_text("utf-8"))
    return {space: str(table[space][0]) for space in shapes}


def sea_label(board: str, language: str, space: str) -> tuple[str, bool]:
    """What stands in a sea zone, and whether it is a number: '6', or 'Karelia' where the board has no numbers."""
    tail = space.removeprefix("sz-")
    if tail.isdigit():
        return tail, True
    name = names_of(board, language)[space]
    return name.removesuffix(" Sea Zone").removesuffix("海區"), False


def term(group: str, key: str, language: str) -> str:
    """The printed word for a unit, power or phase id in Chinese; the id made readable in English."""
    if language == "zh":
        words = _terms()[group].get(key)
        if words:
            return str(words[0])
    return key.replace("_", " ")


@lru_cache(maxsize=1)
def _terms() -> dict[str, dict[str, list[str]]]:
    loaded: dict[str, dict[str, list[str]]] = json.loads(
        resources.files("pbem.board").joinpath("names", "zh_terms.json").read_text("utf-8")
    )
    return loaded
