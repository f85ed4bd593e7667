"""Coastlines and countries of the Natural Earth atlas (npm world-atlas 2), as shapely polygons in a projected window.

Build time only; knows nothing about games.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the world a map shows: west edge, width in degrees, latitudes, and whether Mercator or Miller."""

    west: float
    width: float
    south: float
    north: float
    mercator: bool = False

    def y_of(self, latitude: Any) -> Any:
        """Projected height, in degrees at the equator, growing northwards."""
        phi = np.radians(np.asarray(latitude, dtype=float))
        if self.mercator:
            return np.degrees(np.log(np.tan(math.pi / 4 + phi / 2)))
        return np.degrees(1.25 * np.log(np.tan(math.pi / 4 + 0.4 * phi)))

    def point(self, longitude: float, latitude: float) -> tuple[float, float]:
        """Map a longitude and latitude into the window."""
        x = (longitude - self.west) % 360.0
        return x, float(self.y_of(latitude) - self.y_of(self.south))

    @property
    def height(self) -> float:
        return float(self.y_of(self.north) - self.y_of(self.south))


def _rings(topology: dict[str, Any]) -> list[np.ndarray]:
    scale, shift = topology["transform"]["scale"], topology["transform"]["translate"]
    return [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in topology["arcs"]]


def _unwrapped(arcs: list[np.ndarray], indices: list[int]) -> np.ndarray:
    parts = []
    for number, index in enumerate(indices):
        part = arcs[index] if index >= 0 else arcs[~index][::-1]
        parts.append(part if number == 0 else part[1:])
    ring = np.concatenate(parts)
    steps = np.diff(ring[:, 0])
    turns = np.where(steps > 180, -360, np.where(steps < -180, 360, 0))
    ring = ring.copy()
    ring[1:, 0] += np.cumsum(turns)
    return ring


def countries(folder: Path, window: Window) -> dict[str, BaseGeometry]:
    """Country name to its area inside the window, projected, the window's south-west corner at the origin."""
    topology = json.loads((folder / "countries-50m.json").read_text())
    arcs = _rings(topology)
    frame = box(0, 0, window.width, window.height)
    found: dict[str, list[BaseGeometry]] = {}
    for country in topology["objects"]["countries"]["geometries"]:
        name = country["properties"]["name"]
        if name == "Antarctica" or not country.get("arcs"):
            continue
        polygons = [country["arcs"]] if country["type"] == "Polygon" else country["arcs"]
        for polygon in polygons:
            rings = [_unwrapped(arcs, ring) for ring in polygon]
            if abs(rings[0][0][0] - rings[0][-1][0]) > 1:
                continue
            for turn in (-720, -360, 0, 360, 720):
                moved = [ring + [turn - window.west, 0] for ring in rings]
                if moved[0][:, 0].max() < 0 or moved[0][:, 0].min() > window.width:
                    continue
                flat = [np.column_stack([ring[:, 0], _height(window, ring[:, 1])]) for ring in moved]
                area = shapely.make_valid(Polygon(flat[0], flat[1:])).intersection(frame)
                if not area.is_empty and area.area > 0:
                    found.setdefault(name, []).append(area)
    return {name: _areas(shapely.union_all(parts)) for name, parts in sorted(found.items())}


def _height(window: Window, latitudes: np.ndarray) -> np.ndarray:
    clipped = np.clip(latitudes, -80, 84)
    result: np.ndarray = window.y_of(clipped) - window.y_of(window.south)
    return result


def _areas(geometry: BaseGeometry) -> MultiPolygon:
    return MultiPolygon(polygons(geometry))


def polygons(geometry: BaseGeometry) -> list[Polygon]:
    """Every polygon inside a geometry of any type."""
    if isinstance(geometry, Polygon):
        return [] if geometry.is_empty else [geometry]
    return [p for part in getattr(geometry, "geoms", []) for p in polygons(part)]


def land_masses(areas: dict[str, BaseGeometry]) -> list[Polygon]:
    """The connected land masses, largest first, small inland waters filled."""
    land = shapely.union_all(list(areas.values())).buffer(0.002)
    masses = [Polygon(mass.exterior, [r for r in mass.interiors if Polygon(r).area > 4]) for mass in polygons(land)]
    return sorted(masses, key=lambda mass: (-mass.area, mass.bounds))
