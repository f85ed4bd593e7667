"""Prepare the vector geometry of every map once and write it where the package ships it.

    npm install world-atlas@2          # in any folder
    python tools/geometry/build.py --atlas FOLDER/node_modules/world-atlas [--only p40] [--out pbem/report/map/geometry]

Needs numpy and shapely (the development dependencies). Not run at installation. The steps: coastlines; land masses
divided among their spaces; waters divided among the sea zones, keeping each zone off coasts it does not border;
small islands given to a space of their zone; a stretching that gives crowded places room; places for names and
units; and a comparison of what touches with what must.
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anchors
import atlas
import numpy as np
import partition
import shapely
import warp
from boards import BOARDS, Board
from partition import NONE, Cell, Grid
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge

HERE = Path(__file__).parent
GAMES = HERE.parents[1] / "pbem" / "games"
SCENARIOS = {
    "p40": ("p40", ["p40_1e", "p40_2e"]),
    "s42": ("s42", ["s42"]),
    "classic": ("classic", ["classic_2e", "classic_3e"]),
    "p01": ("p01", ["p01"]),
}
CELL = 0.25
ISLET = 1.2
LONGEST = 170
ENOUGH = 5
DOT_CLEAR = 7
COAST_WIDTHS = (1, 2, 3, 4, 5)
DOT = 34


@dataclass(slots=True)
class Work:
    """Everything known about one map while it is being made."""

    name: str
    board: Board
    spaces: dict[str, list[Any]]
    borders: set[tuple[str, str]]
    canals: set[tuple[str, str]]
    grid: Grid
    areas: dict[str, BaseGeometry]
    masses: list[Polygon]
    points: dict[str, tuple[float, float]] = field(default_factory=dict)
    land: dict[str, BaseGeometry] = field(default_factory=dict)
    loose: list[Polygon] = field(default_factory=list)
    waste: list[Polygon] = field(default_factory=list)
    sea: dict[str, BaseGeometry] = field(default_factory=dict)
    dots: dict[str, tuple[float, float]] = field(default_factory=dict)

    def kind(self, space: str) -> str:
        return str(self.spaces[space][0])

    def adjacent(self, a: str, b: str) -> bool:
        return (min(a, b), max(a, b)) in self.borders

    def neighbours(self, space: str) -> set[str]:
        return {b if a == space else a for a, b in self.borders if space in (a, b)}

    def far(self, a: str, b: str) -> bool:
        """True if the border runs over the map's edge."""
        return abs(self.points[a][0] - self.points[b][0]) > 170


def facts_of(name: str) -> dict[str, Any]:
    """What the map needs of its scenarios' facts; where editions differ in a border, which edition lacks it."""
    game, scenarios = SCENARIOS[name]
    loaded = [json.loads((GAMES / game / "data" / f"{board}.json").read_text(encoding="utf-8")) for board in scenarios]
    spaces = {}
    for space in loaded[0]["spaces"]:
        capital = space.get("capital_of") or ("uk" if space.get("capital_of_economy") else None)
        spaces[space["id"]] = [
            space["kind"], *space["lonlat"], space["ipc"], space["name"], capital, space.get("victory_city")
        ]  # fmt: skip
    borders = sorted({(min(pair), max(pair)) for facts in loaded for pair in facts["adjacency"]})
    missing = {
        board: [pair for pair in borders if list(pair) not in facts["adjacency"]]
        for board, facts in zip(scenarios, loaded, strict=True)
    }
    return {
        "boards": scenarios,
        "spaces": spaces,
        "borders": borders,
        "missing_on": {board: pairs for board, pairs in missing.items() if pairs},
        "canals": [[canal["name"], *canal["between"]] for canal in loaded[0].get("canals", [])],
    }


def start(name: str, folder: Path) -> Work:
    source = facts_of(name)
    board = BOARDS[name]
    grid = Grid(board.window.width, board.window.height, CELL)
    areas = atlas.countries(folder, board.window)
    waste = [areas[name] for name in board.bare.split("|") if name in areas]
    masses = atlas.land_masses({name: area for name, area in areas.items() if name not in board.bare.split("|")})
    work = Work(
        name, board, source["spaces"], {(min(p), max(p)) for p in source["borders"]},
        {(min(a, b), max(a, b)) for _, a, b in source["canals"]}, grid, areas, masses,
        waste=[p for area in waste for p in atlas.polygons(area)],
    )  # fmt: skip
    for space, facts in work.spaces.items():
        work.points[space] = board.window.point(facts[1], facts[2])
    return work


def divide_land(work: Work) -> None:
    """Divide every land mass that holds a space's point among the spaces on it."""
    board, grid = work.board, work.grid
    owners: dict[int, list[str]] = {}
    for space in work.spaces:
        if work.kind(space) == "sea" or space in board.dots:
            if space in board.dots:
                work.dots[space] = work.points[space]
            continue
        spots = [work.points[space]] + [board.window.point(*spot) for spot in board.isles.get(space, [])]
        for number, spot in enumerate(spots):
            index, distance = nearest(work.masses, spot)
            if distance < (0.8 if number == 0 else 0.4):
                owners.setdefault(index, []).append(space)
            elif number == 0:
                work.dots[space] = spot
    countries = {name: grid.mask(area) for name, area in work.areas.items()}
    pieces: dict[str, list[BaseGeometry]] = {}
    for index, mass in enumerate(work.masses):
        here = sorted(set(owners.get(index, [])))
        if not here:
            work.loose.append(mass)
        elif len(here) == 1:
            pieces.setdefault(here[0], []).append(mass)
        else:
            for space, piece in divide_mass(work, mass, here, countries).items():
                pieces.setdefault(space, []).append(piece)
    work.land = {space: shapely.union_all(parts) for space, parts in sorted(pieces.items())}


def nearest(masses: list[Polygon], spot: tuple[float, float]) -> tuple[int, float]:
    point = Point(spot)
    return min(((i, mass.distance(point)) for i, mass in enumerate(masses)), key=lambda pair: (pair[1], pair[0]))


def divide_mass(
    work: Work, mass: Polygon, here: list[str], countries: dict[str, np.ndarray]
) -> dict[str, BaseGeometry]:
    grid, board = work.grid, work.board
    open_cells = grid.mask(mass)
    seeds: dict[int, list[Cell]] = {}
    for label, space in enumerate(here):
        spots = [work.points[space]] + [board.window.point(*spot) for spot in board.seeds.get(space, [])]
        cells = []
        for spot in spots:
            cell = partition.nearest_open(open_cells, grid.cell_of(*spot))
            if cell is not None:
                cells.append(cell)
        seeds[label] = cells

    def factor(label: int) -> np.ndarray | None:
        home = board.home.get(here[label])
        if home is None:
            return None
        own = np.zeros(grid.shape, dtype=bool)
        for country in home.split("|"):
            if country in countries:
                own |= countries[country]
        return np.where(own, 1.0, 6.0)

    labels = join(work, here, open_cells, seeds, factor, {})
    traced = partition.areas(partition.extend(labels), grid)
    return {here[label]: mass.intersection(area) for label, area in traced.items() if label >= 0}


def join(work: Work, here: list[str], open_cells: np.ndarray, seeds: dict[int, list[Cell]], factor: Any,
         forbidden: dict[Cell, frozenset[int]], also: Any = None, rounds: int = 7) -> np.ndarray:  # fmt: skip
    """Spread the seeds; where two spaces must touch and do not, lay seeds along the shortest way; repeat."""
    index = {space: label for label, space in enumerate(here)}
    want = [
        (a, b)
        for a, b in sorted(work.borders)
        if a in index and b in index and not work.far(a, b) and (a, b) not in work.canals
    ]
    tried: dict[tuple[str, str], int] = {}
    visits: dict[tuple[int, Cell], int] = {}
    labels = partition.spread(open_cells, seeds, factor, forbidden)
    for _ in range(rounds):
        touching = partition.contacts(labels)
        missing = [(a, b) for a, b in want if touching.get(order(index[a], index[b]), 0) < ENOUGH]
        coasts = also(labels) if also else []
        if not missing and not coasts:
            break
        changed = False
        for a, b in missing:
            tried[(a, b)] = tried.get((a, b), 0) + 1
            changed |= reach(open_cells, labels, seeds, index[a], index[b], forbidden, tried[(a, b)])
        for label, goals in coasts:
            visits[(label, min(goals))] = visits.get((label, min(goals)), 0) + 1
            if visits[(label, min(goals))] > 2:
                continue
            changed |= reach_cells(open_cells, seeds, label, goals, forbidden)
        if not changed:
            break
        labels = partition.spread(open_cells, seeds, factor, forbidden)
    thicken(open_cells, seeds)
    labels = partition.spread(open_cells, seeds, factor, forbidden)
    touching = partition.contacts(labels)
    print("   missing:", [(a, b) for a, b in want if touching.get(order(index[a], index[b]), 0) < 3])
    good = {order(index[a], index[b]) for a, b in want}
    print("   extra:", [(here[a], here[b], n) for (a, b), n in sorted(touching.items()) if (a, b) not in good])
    return labels


def thicken(open_cells: np.ndarray, seeds: dict[int, list[Cell]]) -> None:
    """Widen every laid way by a cell on either side where there is room, or smoothing would pinch it off."""
    owner = {cell: label for label in sorted(seeds) for cell in reversed(seeds[label])}
    rows, columns = open_cells.shape
    for label in sorted(seeds):
        for r, c in list(seeds[label]) if len(seeds[label]) > 1 else []:
            for y, x in ((r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)):
                if 0 <= y < rows and 0 <= x < columns and open_cells[y, x] and (y, x) not in owner:
                    owner[(y, x)] = label
                    seeds[label].append((y, x))


def order(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def prices(open_cells: np.ndarray, seeds: dict[int, list[Cell]], mine: set[int],
           forbidden: dict[Cell, frozenset[int]]) -> np.ndarray:  # fmt: skip
    price = np.ones(open_cells.shape)
    for label, cells in seeds.items():
        if label in mine:
            continue
        for r, c in cells:
            price[max(0, r - 2) : r + 3, max(0, c - 2) : c + 3] += 4
            price[r, c] = 1e6
    for cell, labels in forbidden.items():
        if mine & labels:
            price[cell] += 30
    return price


def reach(open_cells: np.ndarray, labels: np.ndarray, seeds: dict[int, list[Cell]], a: int, b: int,
          forbidden: dict[Cell, frozenset[int]], attempt: int) -> bool:  # fmt: skip
    if not seeds[a] or not seeds[b]:
        return False
    price = prices(open_cells, seeds, {a, b}, forbidden)
    price[(labels != a) & (labels != b)] += 1.5
    path = partition.way(open_cells, seeds[a], set(seeds[b]), price)
    if not path or len(path) > LONGEST or any(price[cell] >= 1e6 for cell in path):
        return False
    inside_a = sum(1 for cell in path if labels[cell] == a)
    inside_b = sum(1 for cell in path if labels[cell] == b)
    cut = len(path) // 2 if attempt > 1 else (inside_a + len(path) - inside_b) // 2
    cut = min(max(1, cut), len(path) - 1)
    others = {cell for cells in seeds.values() for cell in cells}
    both = widened(path, cut, open_cells, others, min(6, 1 + attempt))
    seeds[a] = list(dict.fromkeys(seeds[a] + path[:cut] + both[0]))
    seeds[b] = list(dict.fromkeys(seeds[b] + path[cut:] + both[1]))
    return True


def widened(
    path: list[Cell], cut: int, open_cells: np.ndarray, others: set[Cell], reach: int
) -> tuple[list[Cell], list[Cell]]:
    """The cells around the place where the two halves of a way meet, so that the meeting can be seen."""
    sides: tuple[list[Cell], list[Cell]] = ([], [])
    rows, columns = open_cells.shape
    taken = set(path) | others
    for number in range(max(0, cut - 3), min(len(path), cut + 3)):
        r, c = path[number]
        for y in range(max(0, r - reach), min(rows, r + reach + 1)):
            for x in range(max(0, c - reach), min(columns, c + reach + 1)):
                if (y, x) not in taken and open_cells[y, x]:
                    near = min(range(max(0, cut - 4), min(len(path), cut + 4)),
                               key=lambda i: (math.dist(path[i], (y, x)), i))  # fmt: skip
                    sides[0 if near < cut else 1].append((y, x))
    return sides


def reach_cells(open_cells: np.ndarray, seeds: dict[int, list[Cell]], label: int, goals: set[Cell],
                forbidden: dict[Cell, frozenset[int]]) -> bool:  # fmt: skip
    price = prices(open_cells, seeds, {label}, forbidden)
    path = partition.way(open_cells, seeds[label], goals, price)
    if not path or len(path) > LONGEST or any(price[cell] >= 1e6 for cell in path):
        print("   no way:", label, min(goals), len(path), [cell for cell in path if price[cell] >= 1e6][:3])
    if not path or len(path) > LONGEST or any(price[cell] >= 1e6 for cell in path):
        return False
    seeds[label] = list(dict.fromkeys(seeds[label] + path))
    return True


def divide_sea(work: Work) -> None:
    grid, board = work.grid, work.board
    big = [mass for mass in work.loose if mass.area > ISLET] + work.waste
    open_cells = ~grid.mask(MultiPolygon([p for area in work.land.values() for p in atlas.polygons(area)] + big))
    for strait in board.straits:
        spots = [board.window.point(*spot) for spot in strait]
        if max(abs(a[0] - b[0]) for a, b in zip(spots, spots[1:], strict=False)) > 90:
            continue
        for a, b in zip(spots, spots[1:], strict=False):
            for r, c in grid.line(a, b):
                open_cells[r : r + 2, c : c + 2] = True
    nowhere = closed_waters(work) & open_cells
    open_cells &= ~nowhere
    here = [space for space in work.spaces if work.kind(space) == "sea"]
    land_labels = np.full(grid.shape, NONE, dtype=np.int32)
    names = sorted(work.land)
    for label, space in enumerate(names):
        land_labels[grid.mask(work.land[space])] = label
    for label, space in enumerate(names):
        for part in atlas.polygons(work.land[space]):
            spot = part.representative_point()
            cell = grid.cell_of(spot.x, spot.y)
            if land_labels[cell] == NONE and part.area < 2:
                land_labels[cell] = label
    forbidden = coast_rules(work, here, names, land_labels, open_cells)
    seeds = {}
    for label, space in enumerate(here):
        cell = partition.nearest_open(open_cells, grid.cell_of(*work.points[space]))
        assert cell is not None, space
        more = [grid.cell_of(*board.window.point(*spot)) for spot in board.seeds.get(space, [])]
        seeds[label] = [cell] + [spot for spot in more if open_cells[spot]]
    index = {space: label for label, space in enumerate(here)}

    beaches = [shore(land_labels == label, open_cells) for label in range(len(names))]

    def coasts(labels: np.ndarray) -> list[tuple[int, set[Cell]]]:
        result = []
        for space, beach in zip(names, beaches, strict=True):
            for zone in sorted(work.neighbours(space) & set(index)):
                if not work.far(space, zone) and not (labels[beach] == index[zone]).sum() > 1:
                    cells = {(int(r), int(c)) for r, c in zip(*np.nonzero(beach), strict=True)}
                    if cells:
                        result.append((index[zone], cells))
        for space, spot in sorted(work.dots.items()):
            cell = grid.cell_of(*spot)
            around = {(r, c) for r in range(cell[0] - 2, cell[0] + 3) for c in range(cell[1] - 2, cell[1] + 3)
                      if 0 <= r < grid.shape[0] and 0 <= c < grid.shape[1] and open_cells[r, c]}  # fmt: skip
            for zone in sorted(work.neighbours(space) & set(index)):
                if not any(labels[c] == index[zone] for c in around):
                    result.append((index[zone], around))
        if result:
            print("   coasts to reach:", [(here[z], len(c), min(c)) for z, c in result])
        return result

    labels = join(work, here, open_cells, seeds, lambda label: None, forbidden, coasts)
    labels[~open_cells] = NONE
    labels[nowhere] = len(here)
    filled = partition.extend(labels)
    traced = partition.areas(filled, grid)
    work.sea = {here[label]: area for label, area in traced.items() if 0 <= label < len(here)}


def closed_waters(work: Work) -> np.ndarray:
    closed = np.zeros(work.grid.shape, dtype=bool)
    for west, south, east, north in work.board.closed:
        left, low = work.board.window.point(west, south)
        right, high = work.board.window.point(east, north)
        (r0, c0), (r1, c1) = work.grid.cell_of(left, low), work.grid.cell_of(right, high)
        closed[r0 : r1 + 1, c0 : c1 + 1] = True
    return closed


def shore(land: np.ndarray, open_cells: np.ndarray, width: int = 1) -> np.ndarray:
    grown = land.copy()
    for _ in range(width):
        padded = np.pad(grown, 1)
        grown = padded[1:-1, 1:-1] | padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
    result: np.ndarray = grown & open_cells
    return result


def coast_rules(work: Work, here: list[str], names: list[str], land_labels: np.ndarray,
                open_cells: np.ndarray) -> dict[Cell, frozenset[int]]:  # fmt: skip
    """Close the water along each coast to the zones that do not border it, unless that would close it to all."""
    every = frozenset(range(len(here)))
    allowed: dict[Cell, frozenset[int]] = {}
    for width in COAST_WIDTHS:
        for label, space in enumerate(names):
            zones = frozenset(i for i, zone in enumerate(here) if work.adjacent(space, zone))
            for r, c in zip(*np.nonzero(shore(land_labels == label, open_cells, width)), strict=True):
                cell = (int(r), int(c))
                rest = allowed.get(cell, every) & zones
                if rest or width == 1:
                    allowed[cell] = rest if rest else allowed.get(cell, every)
    clear: dict[Cell, tuple[float, str]] = {}
    for space, spot in sorted(work.dots.items() | small_islands(work).items()):
        r0, c0 = work.grid.cell_of(*spot)
        for r in range(max(0, r0 - DOT_CLEAR), r0 + DOT_CLEAR + 1):
            for c in range(max(0, c0 - DOT_CLEAR), c0 + DOT_CLEAR + 1):
                away = math.hypot(r - r0, c - c0)
                if away <= DOT_CLEAR and (away, space) < clear.get((r, c), (math.inf, "")):
                    clear[(r, c)] = (away, space)
    for cell, (_, space) in sorted(clear.items()):
        zones = frozenset(i for i, zone in enumerate(here) if work.adjacent(space, zone))
        if allowed.get(cell, every) & zones:
            allowed[cell] = allowed.get(cell, every) & zones
    return {cell: every - zones for cell, zones in allowed.items() if zones != every}


def small_islands(work: Work) -> dict[str, tuple[float, float]]:
    """Spaces whose land is so small that they will be drawn as dots."""
    return {
        space: work.points[space]
        for space, area in work.land.items()
        if max(part.area for part in atlas.polygons(area)) < 4
        and all(work.kind(zone) == "sea" for zone in work.neighbours(space))
    }


def place_islets(work: Work) -> list[Polygon]:
    """Give each small island to the nearest space of the zone it lies in; the others stay bare land."""
    bare = []
    for islet in work.loose:
        zones = [zone for zone, area in work.sea.items() if area.intersects(islet)]
        candidates = sorted(
            space for space in work.spaces
            if work.kind(space) != "sea" and all(work.adjacent(space, zone) for zone in zones)
            and space not in work.board.dots
        )  # fmt: skip
        best: tuple[float, str] | None = None
        for space in candidates:
            home = work.land.get(space, Point(work.dots[space]) if space in work.dots else None)
            if home is not None:
                key = (home.distance(islet), space)
                best = key if best is None or key < best else best
        if best is not None and best[0] < 7:
            work.land[best[1]] = shapely.union_all([work.land.get(best[1], Polygon()), islet])
        else:
            bare.append(islet)
    return bare


def stretch(work: Work) -> tuple[Any, list[warp.Warp]]:
    """Two rounds of giving each space the room it wants; returns the whole move into map coordinates."""
    step = 0.75
    window, (width, height) = work.board.window, work.board.size
    rows, columns = math.ceil(window.height / step), math.ceil(window.width / step)
    warps: list[warp.Warp] = []

    def moved(points: np.ndarray) -> np.ndarray:
        for each in warps:
            points = each(points)
        return points

    total = window.height * window.width
    wishes = anchors.wishes(work)
    share = {space: wish / sum(wishes.values()) * total for space, wish in wishes.items()}
    for sigma in (8.0, 5.0, 4.0):
        density = np.full((rows, columns), NONE, dtype=float)
        ys, xs = np.mgrid[0:rows, 0:columns]
        centers = np.column_stack([(xs.ravel() + 0.5) * step, (ys.ravel() + 0.5) * step])
        for group in (work.sea, work.land):
            for space in sorted(group):
                area = shapely.transform(group[space], moved)
                land = shapely.union_all(atlas.polygons(area))
                size = max(area.area, step * step)
                inside = shapely.contains_xy(land, centers[:, 0], centers[:, 1]).reshape(rows, columns)
                density[inside] = min(5.0, max(0.4, share[space] / size))
        density[density == NONE] = 0.6
        density = warp.blur(density, sigma)
        warps.append(warp.flow(np.maximum(density, 0.15), step))

    scale_x, scale_y = width / window.width, height / window.height

    def final(points: np.ndarray) -> np.ndarray:
        placed = moved(points)
        return np.column_stack([placed[:, 0] * scale_x, height - placed[:, 1] * scale_y])

    return final, warps


def finish(work: Work, bare: list[Polygon]) -> dict[str, Any]:
    final, _ = stretch(work)
    width, height = work.board.size

    def drawn(area: BaseGeometry, tolerance: float) -> BaseGeometry:
        dense = shapely.segmentize(area, 1.0)
        placed = shapely.transform(dense, final)
        return shapely.make_valid(placed.simplify(tolerance)) if tolerance else placed

    land = drawn_together(dict(work.land), drawn, 3.0)
    sea = drawn_together(work.sea, drawn, 3.0)
    decor = [p for p in atlas.polygons(drawn(MultiPolygon(bare), 2.5)) if p.area > 160] if bare else []
    dots = {space: tuple(final(np.array([spot]))[0]) for space, spot in work.dots.items()}
    sites = {space: tuple(final(np.array([spot]))[0]) for space, spot in work.points.items()}
    land, dots = settle_dots(work, land, dots, sites)
    result = anchors.place(work, land, sea, decor, dots, sites)
    checked = compare(work, land, sea, dots, sites, decor)
    spaces = {}
    for space in work.spaces:
        rings = encode(land.get(space) if work.kind(space) != "sea" else sea.get(space))
        _, _, _, ipc, name, capital, city = work.spaces[space]
        spaces[space] = {"kind": work.kind(space), "name": name, "ipc": ipc, "rings": rings, **result[space]}
        if capital:
            spaces[space]["capital"] = capital
        if city:
            spaces[space]["city"] = city
        if space in dots:
            spaces[space]["dot"] = [round(v) for v in dots[space]]
    return {
        "map": work.name,
        "size": [width, height],
        "dot": DOT,
        "spaces": spaces,
        "bare": encode(MultiPolygon(decor)),
        **checked,
    }


def drawn_together(group: dict[str, BaseGeometry], drawn: Any, tolerance: float) -> dict[str, BaseGeometry]:
    """Move areas and simplify them as one coverage, so that shared borders stay shared."""
    names = sorted(group)
    placed = [MultiPolygon(atlas.polygons(shapely.make_valid(drawn(group[name], 0)))) for name in names]
    simple = shapely.coverage_simplify(placed, tolerance)
    rounded = [shapely.set_precision(area, 1) for area in simple]
    return {name: MultiPolygon(worth_drawing(atlas.polygons(area))) for name, area in zip(names, rounded, strict=True)}


def worth_drawing(parts: list[Polygon]) -> list[Polygon]:
    """Parts large enough to see; the largest always."""
    largest = max((p.area for p in parts), default=0.0)
    return [p for p in parts if p.area > 160 or p.area == largest]


def settle_dots(work: Work, land: dict[str, BaseGeometry], dots: dict[str, Any], sites: dict[str, Any]) -> Any:
    """Spaces whose land is too small to see become dots; their true land stays as decoration of the dot."""
    for space in sorted(work.spaces):
        if work.kind(space) == "sea" or space in dots:
            continue
        area = land.get(space)
        if area is None or area.is_empty:
            dots[space] = sites[space]
        else:
            largest = max(p.area for p in atlas.polygons(area))
            if largest < 9000:
                dots[space] = sites[space]
    return land, dots


def encode(area: BaseGeometry | None) -> list[list[int]]:
    """Rings as flat lists: first point absolute, then steps; outer and inner rings alike (even-odd)."""
    rings = []
    for polygon in sorted(atlas.polygons(area) if area is not None else [], key=lambda p: (-p.area, p.bounds)):
        for ring in (polygon.exterior, *polygon.interiors):
            points = np.rint(np.array(ring.coords)[:-1]).astype(int)
            keep = [0] + [i for i in range(1, len(points)) if (points[i] != points[i - 1]).any()]
            points = points[keep]
            if len(points) >= 3:
                steps = np.diff(points, axis=0)
                rings.append([int(v) for v in points[0]] + [int(v) for v in steps.ravel()])
    return rings


def compare(work: Work, land: dict[str, BaseGeometry], sea: dict[str, BaseGeometry], dots: dict[str, Any],
            sites: dict[str, Any], decor: list[Polygon]) -> dict[str, Any]:  # fmt: skip
    """Links for borders that do not show, walls for contacts that are none, tags for borders over the map's edge."""
    width, _ = work.board.size
    dry = shapely.union_all([*land.values(), *decor]).buffer(1)
    shown: dict[str, BaseGeometry] = {}
    for space in work.spaces:
        if work.kind(space) == "sea":
            wet = sea[space].difference(dry).buffer(-2, join_style="mitre").buffer(2, join_style="mitre")
            shown[space] = MultiPolygon([p for p in atlas.polygons(wet) if p.area > 400])
        else:
            disc = [Point(dots[space]).buffer(DOT)] if space in dots else []
            shown[space] = shapely.union_all([land.get(space, Polygon()), *disc])
    names = list(work.spaces)
    tree = shapely.STRtree([shown[name] for name in names])
    links, walls, edges = [], [], []
    lengths: dict[tuple[str, str], BaseGeometry] = {}
    for i, a in enumerate(names):
        for j in sorted(tree.query(shown[a].buffer(8)).tolist()):
            b = names[j]
            if j <= i or "dot" in (a, b):
                continue
            common = meeting(shown[a], shown[b])
            if common.length > 0:
                lengths[(min(a, b), max(a, b))] = common
    for a, b in sorted(work.borders):
        touch = lengths.get((a, b))
        if touch is not None and touch.length >= 20:
            continue
        if work.far(a, b):
            for one, other in ((a, b), (b, a)):
                left = sites[one][0] < width / 2
                edges.append({"space": one, "to": other, "side": "left" if left else "right"})
        else:
            links.append([a, b, link_line(shown[a], shown[b])])
    for (a, b), touch in sorted(lengths.items()):
        if not work.adjacent(a, b) and touch.length > 22 and "impassable" not in (work.kind(a), work.kind(b)):
            if "sea" in (work.kind(a), work.kind(b)) and (a in dots or b in dots):
                continue
            walls.append([a, b, lines(touch)])
    print("   links:", [link[:2] for link in links])
    print("   walls:", [(a, b, round(lengths[(a, b)].length)) for a, b, _ in walls])
    print("   edges:", len(edges))
    return {"links": links, "walls": walls, "edges": edges}


def meeting(a: BaseGeometry, b: BaseGeometry) -> BaseGeometry:
    """The line along which two drawn areas meet."""
    return a.boundary.intersection(b.buffer(4))


def link_line(a: BaseGeometry, b: BaseGeometry) -> list[int]:
    """A line across the gap between two areas, reaching a little into both."""
    first, last = shapely.shortest_line(a, b).coords
    dx, dy = last[0] - first[0], last[1] - first[1]
    length = math.hypot(dx, dy) or 1.0
    reach_x, reach_y = dx / length * 45, dy / length * 45
    if length < 2:
        (ax, ay), (bx, by) = a.representative_point().coords[0], b.representative_point().coords[0]
        span = math.hypot(bx - ax, by - ay) or 1.0
        reach_x, reach_y = (bx - ax) / span * 45, (by - ay) / span * 45
    return [round(first[0] - reach_x), round(first[1] - reach_y), round(last[0] + reach_x), round(last[1] + reach_y)]


def lines(geometry: BaseGeometry) -> list[list[int]]:
    merged = linemerge(geometry) if geometry.geom_type == "MultiLineString" else geometry
    parts = [p for p in getattr(merged, "geoms", [merged]) if isinstance(p, LineString)]
    return [
        [round(v) for point in part.simplify(2).coords for v in point]
        for part in sorted(parts, key=lambda p: (-p.length, p.bounds)) if part.length > 6
    ]  # fmt: skip


def divided(name: str, folder: Path, cache: Path | None) -> tuple[Work, list[Polygon]]:
    """The map with land, sea and islets divided; taken from the cache folder if it is there (for trying out)."""
    kept = cache / f"{name}.pickle" if cache else None
    if kept and kept.exists():
        work, bare = pickle.loads(kept.read_bytes())
        work.board = BOARDS[name]
        return work, bare
    work = start(name, folder)
    divide_land(work)
    divide_sea(work)
    bare = place_islets(work) + work.waste
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps((work, bare)))
    return work, bare


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--atlas", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "pbem" / "report" / "map" / "geometry")
    parser.add_argument("--cache", type=Path, help="folder that keeps the divided maps between runs")
    parser.add_argument("--only", choices=sorted(BOARDS))
    chosen = parser.parse_args()
    for name in sorted(BOARDS):
        if chosen.only in (None, name):
            begun = time.monotonic()
            print(name)
            work, bare = divided(name, chosen.atlas, chosen.cache)
            result = finish(work, bare)
            source = facts_of(name)
            result["boards"] = source["boards"]
            result["missing_on"] = source["missing_on"]
            result["canals"] = source["canals"]
            chosen.out.mkdir(parents=True, exist_ok=True)
            target = chosen.out / f"{name}.json"
            target.write_text(json.dumps(result, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n")
            print(f"   {target.stat().st_size // 1024} KB in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    sys.modules["build"] = sys.modules["__main__"]
    Work.__module__ = "build"
    main()
