"""Borders once, coasts apart, and coarser lines that stay near."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import LineString, Point

from pbem.report.map.outlines import coarse, lines_of, path, ring_of

LEFT = ((0, 0), (10, 0), (10, 10), (0, 10))
RIGHT = ((10, 0), (20, 0), (20, 10), (10, 10))


def test_what_two_areas_share_is_a_border_and_the_rest_is_coast() -> None:
    assert lines_of([LEFT, RIGHT], shared=True) == [((10, 0), (10, 10))]
    coast = lines_of([LEFT, RIGHT], shared=False)
    drawn = {frozenset(pair) for line in coast for pair in zip(line, line[1:], strict=False)}
    assert len(drawn) == 6 and frozenset(((10, 0), (10, 10))) not in drawn


def test_steps_become_points() -> None:
    assert ring_of([5, 5, 1, 0, 0, 1, -1, -1]) == ((5, 5), (6, 5), (6, 6))
    assert path(((5, 5), (6, 5)), closed=True) == "M5 5L6 5z"


@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), min_size=2, max_size=30),
    st.floats(min_value=0.5, max_value=40),
)
def test_a_coarser_line_keeps_its_ends_and_stays_near(points: list[tuple[int, int]], tolerance: float) -> None:
    line = tuple(points)
    fewer = coarse(line, tolerance)
    assert (fewer[0], fewer[-1]) == (line[0], line[-1])
    assert set(fewer) <= set(line) and len(fewer) <= len(line)
    drawn = Point(fewer[0]) if len(set(fewer)) == 1 else LineString(fewer)
    assert all(drawn.distance(Point(at)) <= tolerance + 1e-6 for at in line)
