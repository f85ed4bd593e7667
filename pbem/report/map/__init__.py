"""The maps in the reports: a plain value of what stands where goes in, an SVG text comes out.

Knows no log, no rules and no framework; the shipped geometry is the only thing it reads.
"""

from pbem.report.map.draw import draw, draw_theatre
from pbem.report.map.geometry import MAP_OF_BOARD, MapGeometry, load_geometry
from pbem.report.map.legend import legend
from pbem.report.map.view import Arrow, MapView, SpaceView

__all__ = [
    "MAP_OF_BOARD", "Arrow", "MapGeometry", "MapView", "SpaceView", "draw", "draw_theatre", "legend", "load_geometry",
]  # fmt: skip
