"""Drawing: the same view gives the same bytes, everything of the view is shown, nothing is a picture."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from io import BytesIO
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from weasyprint import HTML

from pbem.games.catalog import GAMES, load_facts
from pbem.report.map import Arrow, MapView, SpaceView, draw, load_geometry
from pbem.report.map.frame import detail_of, placed_blocks, whole
from pbem.report.map.symbols import FACILITIES, UNITS

EDITIONS = [(game, entry.default_edition) for game, entry in GAMES.items()]


def start_view(game: str, edition: str, **more: object) -> MapView:
    """The set-up of a game as a view."""
    facts = load_facts(game, edition)
    spaces = {}
    for space in facts["spaces"]:
        stacks = facts["setup"].get(space["id"], {})
        units = tuple((power, unit, count, 0) for power, held in stacks.items() for unit, count in held.items())
        facilities = tuple((kind, 0) for kind in space.get("facilities") or ())
        spaces[space["id"]] = SpaceView(space.get("start_controller"), units, facilities)
    return MapView(board=facts["id"], spaces=spaces, title="Set-up", **more)  # type: ignore[arg-type]


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("}text")]


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_the_set_up_is_drawn_whole(game: str, edition: str) -> None:
    view = start_view(game, edition)
    svg = draw(view)
    written = " ".join(texts(svg))
    for shape in load_geometry(view.board).spaces.values():
        if shape.kind != "sea":
            assert all(word in written for word in re.split(r"[ -]", shape.name)), shape.name
    stacks = [(unit, count) for space in view.spaces.values() for _, unit, count, _ in space.units]
    for unit in UNITS:
        expected = sum(1 for name, _ in stacks if name == unit) + (1 if any(n == unit for n, _ in stacks) else 0)
        assert len(re.findall(f'href="#u-{unit}"', svg)) == expected, unit
    for kind in FACILITIES:
        expected = sum(1 for space in view.spaces.values() for name, _ in space.facilities if name == kind)
        assert len(re.findall(f'href="#f-{kind}"', svg)) == expected, kind


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_every_unit_and_facility_of_a_game_has_a_pictogram(game: str, edition: str) -> None:
    for unit, facts in load_facts(game, edition)["units"].items():
        assert unit in (FACILITIES if facts["domain"] in ("structure", "facility") else UNITS), unit


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_stacks_do_not_cover_each_other_at_the_start(game: str, edition: str) -> None:
    view = start_view(game, edition)
    geometry = load_geometry(view.board)
    placed = placed_blocks(view, geometry, whole(geometry), frozenset())
    assert set(placed) == set(geometry.spaces)
    covered = [
        (a, b)
        for a, (_, one) in placed.items()
        for b, (_, other) in placed.items()
        if a < b and one.overlap(other) > 0.12 * min(one.width * one.height, other.width * other.height)
    ]
    assert covered == []


def test_the_same_view_gives_the_same_bytes_under_any_hash_seed() -> None:
    program = (
        "import hashlib\n"
        "from pbem.report.map import Arrow, MapView, SpaceView, draw\n"
        "view = MapView('p40_2e', {'yunnan': SpaceView('japan', (('japan', 'infantry', 3, 0),), (('air_base', 2),), "
        "True)}, (Arrow('japan', 'kwangsi', ('hunan',), 'yunnan', '3 inf', 'attack'),), ('yunnan',), 'zh', 'x')\n"
        "print(hashlib.sha256(draw(view).encode() + draw(view, ['yunnan']).encode()).hexdigest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
            capture_output=True, text=True,
        ).stdout
        for seed in ("0", "4711")
    }  # fmt: skip
    assert len(found) == 1
    assert len(found.pop().strip()) == len(hashlib.sha256().hexdigest())


def test_changes_captures_damage_arrows_and_battles_are_shown() -> None:
    plain = MapView("p40_2e", {"yunnan": SpaceView("china", (("china", "infantry", 2, 0),))})
    told = MapView(
        "p40_2e",
        {
            "yunnan": SpaceView("japan", (("japan", "infantry", 2, 0),), captured=True),
            "sz-6": SpaceView(None, (("japan", "battleship", 2, 1),), changed=True),
            "japan": SpaceView("japan", (), (("naval_base", 3),)),
        },
        arrows=(Arrow("japan", "kwangsi", (), "yunnan", "3 inf <&>", "attack"),),
        battles=("yunnan",),
    )
    before, after = draw(plain), draw(told)
    assert "3 inf <&>" in texts(after) and "3 inf <&>" not in texts(before)
    assert "stroke-dasharray" in after.split('id="frame"')[1]
    assert after.count("#b0123f") > before.count("#b0123f")
    assert texts(after).count("1") > texts(before).count("1")


def test_a_detail_shows_its_focus_and_less_than_the_whole() -> None:
    view = start_view("p40", "2e")
    geometry = load_geometry(view.board)
    focus = ("philippines", "sz-35", "formosa")
    x, y, width, height = (float(v) for v in re.findall(r'viewBox="([^"]*)"', draw(view, focus))[0].split())
    assert width * height < 0.3 * geometry.width * geometry.height
    for space in focus:
        box = geometry.spaces[space].box
        assert x <= box.x and y <= box.y and box.right <= x + width and box.bottom <= y + height


def test_unknown_spaces_and_boards_are_refused() -> None:
    with pytest.raises(KeyError, match="atlantis"):
        draw(MapView("p40_2e", {"atlantis": SpaceView()}))
    with pytest.raises(KeyError):
        draw(MapView("p40_2e", arrows=(Arrow("japan", "japan", (), "atlantis"),)))
    with pytest.raises(KeyError):
        draw(MapView("no_such_board"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_holds_vectors_only(language: str) -> None:
    view = start_view("p40", "2e", language=language)
    html = f"<style>@page{{size:A4 landscape;margin:10mm}}body{{margin:0}}svg{{display:block}}</style>{draw(view)}"
    document = HTML(string=html).write_pdf()
    assert document is not None
    reader = PdfReader(BytesIO(document))
    assert len(reader.pages) == 1
    assert list(reader.pages[0].images) == []
    kinds = {
        item.get("/Subtype")
        for number in range(1, len(reader.xref[0]) if reader.xref else 1)
        if isinstance(item := reader.get_object(number), dict) and "/Subtype" in item
    }
    assert "/Image" not in kinds
    text = reader.pages[0].extract_text()
    assert ("Philippines" if language == "en" else "菲律賓群島") in text


def test_what_stands_beside_a_detail_never_covers_its_focus() -> None:
    view = start_view("p01", "")
    geometry = load_geometry(view.board)
    focus = ("new-britain", "new-guinea", "papua", "sz-27", "sz-28")
    placed = placed_blocks(view, geometry, detail_of(geometry, focus), frozenset(focus))
    assert set(focus) <= set(placed) and len(placed) > len(focus)
    for a, (_, one) in placed.items():
        for b, (_, other) in placed.items():
            if a < b:
                assert one.overlap(other) < 0.12 * min(one.width * one.height, other.width * other.height), (a, b)
