"""Real lines: from ruling cases, from what clubs wrote by hand, from the digests' tables, from turn summaries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.orders.gazetteer import Gazetteer, build, gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.write import write
from pbem.rules.order_model import Buy, Move, Place

DATA = Path(__file__).parent / "data"
SPEAKERS = {"p40": "usa", "s42": "germany", "classic": "germany", "p01": "uk"}
VARIANTS: dict[str, tuple[str, ...]] = {"s42": ("fov",), "classic": ("err",), "p01": ("wwm",)}

# A board of the Great War, only as large as two handwritten items need.
GREAT_WAR = {
    "id": "1914",
    "powers": [{"id": "austria_hungary", "name": "Austria-Hungary", "aliases": ["A.H."]}],
    "phases": {},
    "units": {
        "infantry": {"name": "Infantry", "plural": "Infantry", "domain": "land"},
        "artillery": {"name": "Artillery", "plural": "Artillery", "domain": "land"},
        "fighter": {"name": "Fighter", "plural": "Fighters", "domain": "air"},
        "cruiser": {"name": "Cruiser", "plural": "Cruisers", "domain": "sea"},
    },
    "spaces": [
        {"id": name.lower(), "name": name, "kind": "land", "aliases": []}
        for name in ("Venice", "Tyrolia", "Trieste", "Albania")
    ],
}


def data(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", data("case_lines.json"), ids=lambda case: f"{case['game']}: {case['line']}")
def test_every_line_of_the_ruling_cases_reads_and_reads_back(case: dict[str, Any]) -> None:
    names = gazetteer(case["game"], case["edition"])
    context = ReadContext(
        case["game"], case["edition"], tuple(case["variants"]), powers=(case["power"],), phase=case["phase"]
    )
    results = read_orders(case["line"], names, context)
    assert [item.status for item in results] == ["accepted"] * len(results)
    assert results
    for item in results:
        assert item.order is not None
        for language in ("en", "zh"):
            again = read_orders(write(item.order, names, language), names, context)
            assert [other.order for other in again] == [item.order]


@pytest.mark.parametrize("row", data("spellings.json"), ids=lambda row: f"{row['game']}: {row['line']}")
def test_the_spellings_of_the_digests_and_of_players(row: dict[str, Any]) -> None:
    game = row["game"]
    names = gazetteer(game, "2e" if game in ("p40", "classic") else "")
    context = ReadContext(game, None, VARIANTS.get(game, ()), powers=(SPEAKERS[game],), phase="combat_move")
    results = read_orders(row["line"], names, context)
    assert [item.canonical for item in results if item.status == "accepted"] == row["reads"]
    assert [item.reason for item in results if item.status != "accepted"] == row.get("refused", [])


HANDWRITTEN = data("handwritten.json")["items"]


def handwritten_names(item: dict[str, Any]) -> Gazetteer:
    wanted = item["read_with"]
    return build(GREAT_WAR) if wanted["game"] == "1914" else gazetteer(wanted["game"], wanted["edition"])


@pytest.mark.parametrize("item", HANDWRITTEN, ids=lambda item: item["id"])
def test_what_players_wrote_by_hand(item: dict[str, Any]) -> None:
    names = handwritten_names(item)
    phase = "purchase" if item["kind"] == "purchase" else "combat_move"
    results = read_orders(item["text"], names, ReadContext(item["read_with"]["game"], phase=phase))
    meant = [result.canonical for result in results if result.order is not None or result.remark is not None]
    assert meant == item["reads"]
    told = [result for result in results if result.status in ("refused", "unreadable")]
    if item["want"] == "ask":
        assert told and all(result.reason for result in told), "never silently nothing"
    else:
        assert not told and meant
    assert any(result.note for result in results) == (item["want"] == "warn")


def test_a_turn_summary_is_read_as_orders() -> None:
    names = gazetteer("classic", "2e")
    text = (DATA / "turn_classic_germans.txt").read_text(encoding="utf-8")
    results = read_orders(text, names, ReadContext("classic", "2e", powers=("germany",)))
    orders = [item.order for item in results if item.status == "accepted"]
    assert [(order.item, order.count) for order in orders if isinstance(order, Buy)] == [("tank", 1), ("infantry", 9)]
    moves = [order for order in orders if isinstance(order, Move)]
    assert [order.in_phase for order in moves] == ["combat_move"] * 4 + ["noncombat_move"] * 8
    assert moves[0].path == ("germany", "ukraine-ssr")
    assert sum(isinstance(order, Place) for order in orders) == 10
    assert not [item for item in results if item.status in ("refused", "unreadable")]


def test_a_summary_of_another_game_reads_where_the_board_is_the_same() -> None:
    names = gazetteer("p40", "2e")
    text = (DATA / "turn_pacific_chinese.txt").read_text(encoding="utf-8")
    results = read_orders(text, names, ReadContext("p40", "2e", powers=("china",)))
    accepted = [item.canonical for item in results if item.status == "accepted"]
    assert accepted == [
        "buy 4 infantry", "1 infantry Kweichow -> Yunnan", "6 infantry Szechwan -> Yunnan",
        "1 fighter Szechwan -> Yunnan", "noncombat: 1 fighter Yunnan -> Shensi",
        "noncombat: 1 infantry Kweichow -> Shensi", "noncombat: 1 infantry Suiyuan -> Shensi",
        "place 4 infantry Yunnan",
    ]  # fmt: skip


def test_a_summary_of_an_opponents_turn_orders_nothing() -> None:
    names = gazetteer("p40", "2e")
    text = (DATA / "turn_pacific_chinese.txt").read_text(encoding="utf-8")
    results = read_orders(text, names, ReadContext("p40", "2e", powers=("japan",)))
    assert not [item for item in results if item.status == "accepted"]
    assert {item.reason for item in results if item.status == "refused"} == {"you do not play China"}


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("2 infantry and 1 artillery moved from Kiangsu to Anhwe", ["2 infantry, 1 artillery Kiangsu -> Anhwe"]),
        ("1 transport moved from 6 Sea Zone to 19 Sea Zone", ["1 transport Sea Zone 6 -> Sea Zone 19"]),
        ("2 infantry and 1 transport moved from 6 Sea Zone to 19 Sea Zone", ["1 transport Sea Zone 6 -> Sea Zone 19"]),
        ("2 infantry moved from Japan to 6 Sea Zone", ["load 2 infantry Japan -> Sea Zone 6"]),
        ("2 infantry moved from 19 Sea Zone to Formosa", ["unload 2 infantry Sea Zone 19 -> Formosa"]),
        ("1 infantry placed in Japan", ["place 1 infantry Japan"]),
    ],
)
def test_single_lines_of_summaries_in_a_mail(line: str, canonical: list[str]) -> None:
    results = read_orders(line, gazetteer("p40", "2e"), ReadContext("p40", "2e", powers=("japan",)))
    assert [item.canonical for item in results] == canonical
