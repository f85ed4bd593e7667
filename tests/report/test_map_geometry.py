"""The shipped geometry against the boards: everything is there, what must touch does, what must not is walled off."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import pytest
import shapely
from shapely.geometry import MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from pbem.games.catalog import GAMES, load_board
from pbem.report.map.geometry import MAP_OF_BOARD, load_geometry

BOARDS = [(game, edition) for game, entry in GAMES.items() for edition in entry.editions if edition != "card"]
TOUCH = 5.0
"""Map units (a quarter of a millimetre on paper): nearer than this counts as touching to the eye."""
CORNER = 60.0
"""Contacts shorter than this are corners, not borders."""


def area_of(path: str) -> BaseGeometry:
    """The drawn area of a space, read back from its path."""
    total: BaseGeometry = Polygon()
    for ring in re.findall(r"M(-?\d+) (-?\d+)l([^z]*)z", path):
        x, y = int(ring[0]), int(ring[1])
        points = [(x, y)]
        steps = [int(v) for v in ring[2].split()]
        for dx, dy in zip(steps[::2], steps[1::2], strict=True):
            x, y = x + dx, y + dy
            points.append((x, y))
        total = total.symmetric_difference(shapely.make_valid(Polygon(points)))
    return total


@cache
def shown(board: str) -> dict[str, BaseGeometry]:
    """What the eye sees of each space: land and dots whole, zones without the land over them."""
    geometry = load_geometry(board)
    whole = {space: area_of(shape.path) for space, shape in geometry.spaces.items()}
    land = shapely.union_all([area for space, area in whole.items() if geometry.spaces[space].kind != "sea"])
    land = land.union(area_of(geometry.bare))
    seen = {}
    for space, shape in geometry.spaces.items():
        area = whole[space].difference(land) if shape.kind == "sea" else whole[space]
        if shape.kind == "sea":
            # Slivers thinner than a fifth of a millimetre between simplified coast and zone are nothing to the eye.
            area = area.buffer(-2, join_style="mitre").buffer(2, join_style="mitre")
            parts = [p for p in getattr(area, "geoms", [area]) if p.area > 400]
            area = MultiPolygon(parts)
        if shape.dot:
            area = area.union(Point(shape.dot).buffer(geometry.dot_radius))
        seen[space] = area
    return seen


@pytest.mark.parametrize(("game", "edition"), BOARDS)
def test_every_space_has_an_area_and_places_inside_the_map(game: str, edition: str) -> None:
    board = load_board(game, edition)
    geometry = load_geometry(board.id)
    assert sorted(geometry.spaces) == sorted(board.spaces)
    for space, shape in geometry.spaces.items():
        facts = board.spaces[space]
        assert (shape.name, shape.kind, shape.ipc) == (facts.name, facts.kind, facts.ipc)
        assert shape.city == facts.victory_city
        assert shape.path or shape.dot, f"{space} is not drawn"
        assert not shown(board.id)[space].is_empty, f"{space} is hidden"
        assert shape.box.x >= 0 and shape.box.right <= geometry.width
        assert shape.box.y >= 0 and shape.box.bottom <= geometry.height
        assert 0 <= shape.at[0] <= geometry.width and 0 <= shape.at[1] <= geometry.height


@pytest.mark.parametrize(("game", "edition"), BOARDS)
def test_every_border_is_seen(game: str, edition: str) -> None:
    board = load_board(game, edition)
    geometry = load_geometry(board.id)
    areas = shown(board.id)
    linked = {frozenset((a, b)) for a, b, _ in geometry.links}
    linked |= {frozenset((edge.space, edge.to)) for edge in geometry.edges}
    hidden = [
        (a, b)
        for a, others in board.neighbours.items()
        for b in others
        if a < b and frozenset((a, b)) not in linked and areas[a].distance(areas[b]) > TOUCH
    ]
    assert hidden == []
    for a, b in (sorted(pair) for pair in linked):
        assert board.adjacent(a, b), f"{a} and {b} are linked and are no neighbours"


@pytest.mark.parametrize(("game", "edition"), BOARDS)
def test_contacts_that_are_no_borders_are_walled_off(game: str, edition: str) -> None:
    board = load_board(game, edition)
    geometry = load_geometry(board.id)
    areas = shown(board.id)
    names = list(areas)
    walls = {frozenset((a, b)) for a, b, _ in geometry.walls}
    tree = shapely.STRtree([areas[name] for name in names])
    open_contacts = []
    for place, a in enumerate(names):
        for other in tree.query(areas[a].buffer(2)).tolist():
            b = names[other]
            if other <= place or board.adjacent(a, b) or frozenset((a, b)) in walls:
                continue
            shapes = (geometry.spaces[a], geometry.spaces[b])
            if any(shape.dot or shape.kind == "impassable" for shape in shapes):
                continue
            if areas[a].boundary.intersection(areas[b].buffer(2)).length > CORNER:
                open_contacts.append((a, b))
    assert open_contacts == []


def test_every_scenario_has_a_map_and_the_data_stays_small() -> None:
    boards = {board for entry in GAMES.values() for board in entry.editions.values()}
    assert boards <= set(MAP_OF_BOARD)
    for name in set(MAP_OF_BOARD.values()):
        data = resources.files("pbem.report.map").joinpath("geometry", f"{name}.json").read_bytes()
        assert len(data) < 400_000, f"{name}.json grew to {len(data)} bytes"


def test_zones_of_the_pacific_are_in_one_piece() -> None:
    """Where a strait or an island cuts a zone visibly, the pieces left over are small."""
    areas = shown("p40_2e")
    for space, shape in load_geometry("p40_2e").spaces.items():
        if shape.kind == "sea":
            parts = sorted((part.area for part in areas[space].geoms), reverse=True)
            assert sum(parts[1:]) <= 0.35 * parts[0], (space, [round(part) for part in parts])


@pytest.mark.parametrize(("game", "edition"), BOARDS)
def test_the_dot_of_an_island_lies_in_its_own_zone(game: str, edition: str) -> None:
    board = load_board(game, edition)
    areas = shown(board.id)
    astray = []
    for space, shape in load_geometry(board.id).spaces.items():
        if shape.dot is None or len(board.neighbours[space]) != 1:
            continue
        around = Point(shape.dot).buffer(30)
        water = sum(areas[zone].intersection(around).area for zone in areas if board.spaces[zone].is_sea)
        own = areas[board.neighbours[space][0]].intersection(around).area
        if own < 0.65 * water:
            astray.append((space, round(own / water, 2)))
    assert astray == []
