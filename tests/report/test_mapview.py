"""From a turn to its map: one arrow for all that went from here to there, and a theatre where much happened."""

from __future__ import annotations

import re

from pbem.report.map import Arrow, MapView, SpaceView, draw, draw_theatre, load_geometry
from pbem.report.mapview import arrows_of, map_view
from pbem.report.model import Move
from pbem.report.words import Words
from tests.report.kit import a_report, board

EN = Words(board())


def moved(start: str, end: str, unit: str, count: int, phase: str, via: tuple[str, ...] = ()) -> Move:
    """Units of Japan that went somewhere."""
    return Move("japan", start, via, end, (("japan", unit, count),), phase)


def told(*moves: Move) -> tuple[Arrow, ...]:
    """The arrows of some moves, with a battle in Hunan."""
    report = a_report()
    object.__setattr__(report, "moves", moves)
    return arrows_of(report, {"hunan"}, EN)


def test_what_goes_the_same_way_is_one_arrow() -> None:
    (arrow,) = told(
        moved("kiangsi", "hunan", "artillery", 1, "combat_move"),
        moved("kiangsi", "hunan", "infantry", 2, "combat_move"),
        moved("kiangsi", "hunan", "infantry", 1, "combat_move", ("kwangsi",)),
    )  # fmt: skip
    assert arrow.units == (("infantry", 3), ("artillery", 1))
    assert (arrow.kind, arrow.quiet) == ("attack", False)


def test_aircraft_ships_and_quiet_moves_look_their_own_way() -> None:
    arrows = told(
        moved("japan", "hunan", "fighter", 1, "combat_move"), moved("sz-6", "sz-19", "transport", 1, "combat_move"),
        moved("hunan", "kiangsi", "fighter", 1, "noncombat_move"),
    )  # fmt: skip
    assert [(arrow.kind, arrow.quiet) for arrow in arrows] == [("air", False), ("sea", False), ("air", True)]


def test_a_plate_that_has_no_room_is_left_out() -> None:
    arrow = Arrow("japan", "kiangsi", (), "hunan", kind="attack", units=(("infantry", 3),))
    crowd = tuple(("china", unit, 9, 0) for unit in ("infantry", "artillery", "tank", "fighter", "bomber"))
    roomy = draw(MapView("p40_2e", arrows=(arrow,)))
    filled = {space: SpaceView("china", crowd) for space in load_geometry("p40_2e").spaces if "sz" not in space}
    assert roomy.count('href="#u-infantry"') == 1
    assert draw(MapView("p40_2e", filled, arrows=(arrow,) * 9)).count('href="#u-infantry"') < len(filled) + 9


def test_a_busy_turn_has_its_theatre_and_a_quiet_one_has_none() -> None:
    land = ("hunan", "anhwe", "hopei", "yunnan", "kweichow", "chahar")
    busy = MapView("p40_2e", battles=land, arrows=(Arrow("japan", "sz-6", (), "sz-26"),))
    theatre = draw_theatre(busy)
    assert theatre is not None
    x, y, wide, high = (float(value) for value in re.findall(r'viewBox="([^"]*)"', theatre)[0].split())
    geometry = load_geometry("p40_2e")
    assert wide == geometry.width / 2
    for space in land:
        at = geometry.spaces[space].at
        assert x < at[0] < x + wide and y < at[1] < y + high
    assert draw_theatre(MapView("p40_2e", battles=("hunan",))) is None


def test_the_whole_turn_can_be_drawn() -> None:
    view = map_view(a_report(), EN)
    assert [arrow.end for arrow in view.arrows] == ["hunan", "hunan", "kiangsi"]
    assert view.battles == ("hunan",)
    assert 'href="#u-infantry"' in draw(view)
