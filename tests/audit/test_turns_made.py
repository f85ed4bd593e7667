"""Turns written by hand, with few pieces: choices and events that the recorded games happen not to contain."""

from typing import Any

import pytest

from pbem.audit.turns import check_turn

Record = dict[str, Any]
JAPAN_AT_WAR = {
    "seq": 1, "round": 1, "power": "Japanese", "ruleset": "P40-2e",
    "politics": [{"power": "Japanese", "effects": [
        {"what": "Changing Relationship for Japanese and British from Neutrality to War"},
        {"what": "Changing Relationship for Japanese and ANZAC from Neutrality to War"},
        {"what": "Changing Relationship for Japanese and Americans from Neutrality to War"},
    ]}],
}  # fmt: skip
CAPITALS: Record = {
    name: {"units": {power: {"factory_major": 1}}, "owner": power}
    for name, power in (("Japan", "Japanese"), ("Western United States", "Americans"), ("India", "British"))
}


def record(**more: Any) -> Record:
    return {"ruleset": "P40-2e", "round": 2, "seq": 2, **more}


def fought(space: str, attacker: str, timeline: list[Record], **more: Any) -> Record:
    return {"space": space, "attacker": attacker, "timeline": timeline, **more}


def roll(by: str, number: int, dice: list[list[int]], **units: int) -> Record:
    return {"t": "roll", "by": by, "battle_round": number, "dice": dice, "units": units}


def lost(owner: str, kind: str, count: int = 1, t: str = "lost") -> Record:
    return {"t": t, "units": [{"unit": kind, "count": count, "owner": owner}]}


def checked(turn: Record, board: Record, *earlier: Record) -> list[str]:
    result = check_turn(turn, {**CAPITALS, **board}, earlier=earlier)
    return [*map(str, result.refused), *result.differences]


RETREAT = (
    record(
        power="Japanese",
        moves=[{"phase": "combat_move", "units": {"infantry": 3}, "from": "Kiangsi", "to": "Hunan"}],
        battles=[fought("Hunan", "Japanese", [
            roll("Japanese", 1, [[1, 1], [2, 1], [3, 1]], infantry=3),
            roll("Chinese", 1, [[2, 2], [5, 2]], infantry=2),
            lost("Chinese", "infantry"), lost("Japanese", "infantry"),
            {"t": "retreat", "units": [{"unit": "infantry", "count": 2, "owner": "Japanese"}], "to": "Kiangsi"},
        ], winner="Chinese", survivors={"infantry": 1})],
        board_after_changes={
            "Kiangsi": {"owner": "Japanese", "units": {"Japanese": {"infantry": 2}}},
            "Hunan": {"owner": "Chinese", "units": {"Chinese": {"infantry": 1}}},
        },
    ),
    {
        "Kiangsi": {"owner": "Japanese", "units": {"Japanese": {"infantry": 3}}},
        "Hunan": {"owner": "Chinese", "units": {"Chinese": {"infantry": 2}}},
    },
)  # fmt: skip

KAMIKAZE = (
    record(
        power="Americans",
        moves=[{"phase": "combat_move", "units": {"cruiser": 1, "destroyer": 1},
                "from": "7 Sea Zone", "to": "6 Sea Zone"}],
        kamikaze=[{"zone": "6 Sea Zone", "unit": "cruiser", "count": 2, "faces": [5, 2]}],
        battles=[fought("6 Sea Zone", "Americans", [lost("Japanese", "transport")],
                        winner="Americans", survivors={"destroyer": 1})],
        board_after_changes={
            "7 Sea Zone": {"units": {}}, "6 Sea Zone": {"units": {"Americans": {"destroyer": 1}}},
        },
    ),
    {
        "7 Sea Zone": {"units": {"Americans": {"cruiser": 1, "destroyer": 1}}},
        "6 Sea Zone": {"units": {"Japanese": {"transport": 1}}},
    },
)  # fmt: skip

SCRAMBLE = (
    record(
        power="Japanese",
        moves=[{"phase": "combat_move", "units": {"cruiser": 1}, "from": "25 Sea Zone", "to": "26 Sea Zone"}],
        battles=[fought("26 Sea Zone", "Japanese", [
            roll("Japanese", 1, [[3, 3]], cruiser=1),
            roll("Americans", 1, [[6, 2], [4, 4]], destroyer=1, fighter=1),
            lost("Americans", "destroyer"), lost("Japanese", "cruiser"),
        ], winner="Americans", survivors={"fighter": 1},
            defenders=[{"power": "Americans", "units": {"destroyer": 1, "fighter": 1}}])],
        board_after_changes={"25 Sea Zone": {"units": {}}, "26 Sea Zone": {"units": {}}},
    ),
    {
        "25 Sea Zone": {"units": {"Japanese": {"cruiser": 1}}},
        "26 Sea Zone": {"units": {"Americans": {"destroyer": 1}}},
        "Hawaiian Islands": {"owner": "Americans", "units": {"Americans": {"fighter": 1, "airfield": 1}}},
    },
)  # fmt: skip

SUBMERGE = (
    record(
        power="Japanese",
        moves=[{"phase": "combat_move", "units": {"cruiser": 2}, "from": "25 Sea Zone", "to": "26 Sea Zone"}],
        battles=[fought("26 Sea Zone", "Japanese", [
            roll("Americans", 1, [[1, 1]], submarine=1),
            lost("Japanese", "cruiser"),
            roll("Japanese", 1, [[4, 3]], cruiser=1),
            {"t": "submerge", "units": [{"unit": "submarine", "count": 1, "owner": "Americans"}]},
        ], winner="Japanese", survivors={"cruiser": 1})],
        board_after_changes={
            "25 Sea Zone": {"units": {}},
            "26 Sea Zone": {"units": {"Japanese": {"cruiser": 1}, "Americans": {"submarine": 1}}},
        },
    ),
    {
        "25 Sea Zone": {"units": {"Japanese": {"cruiser": 2}}},
        "26 Sea Zone": {"units": {"Americans": {"submarine": 1}}},
    },
)  # fmt: skip

DAMAGED = (
    record(
        power="Japanese", pus_before=10, remaining_after_purchase={"PUs": 6},
        repairs=[{"unit": "harbour", "at": "Caroline Islands", "points": 4}],
        moves=[{"phase": "combat_move", "units": {"battleship": 1, "transport": 1}, "from": "33 Sea Zone",
                "to": "21 Sea Zone", "via": ["22 Sea Zone"]},
               {"phase": "combat_move", "units": {"infantry": 1}, "from": "21 Sea Zone", "to": "Guam", "unload": True}],
        battles=[fought("21 Sea Zone", "Japanese", [
            roll("Japanese", 1, [[5, 4]], battleship=1),
            roll("Americans", 1, [[1, 3]], cruiser=1),
            lost("Japanese", "battleship", t="damaged"),
            roll("Japanese", 2, [[4, 4]], battleship=1),
            roll("Americans", 2, [[6, 3]], cruiser=1),
            lost("Americans", "cruiser"),
        ], winner="Japanese", survivors={"battleship": 1, "transport": 1})],
        control_changes=[{"space": "Guam", "before": "Americans", "after": "Japanese"}],
        board_after_changes={
            "33 Sea Zone": {"units": {}},
            "Caroline Islands": {"owner": "Japanese", "units": {"Japanese": {"harbour": 1}}},
            "21 Sea Zone": {"units": {"Japanese": {"battleship [hits 1]": 1, "transport": 1}}},
            "Guam": {"owner": "Japanese", "units": {"Japanese": {"infantry": 1, "airfield": 1}}},
        },
    ),
    {
        "33 Sea Zone": {"units": {"Japanese": {"battleship [hits 1]": 1, "transport": 1, "infantry": 1}}},
        "21 Sea Zone": {"units": {"Americans": {"cruiser": 1}}},
        "Caroline Islands": {"owner": "Japanese", "units": {"Japanese": {"harbour [damage 4]": 1}}},
        "Guam": {"owner": "Americans", "units": {"Americans": {"airfield": 1}}},
    },
)  # fmt: skip

RAID = (
    record(
        power="Japanese",
        moves=[{"phase": "combat_move", "units": {"bomber": 1}, "from": "Siam", "to": "India",
                "via": ["Shan State", "Burma"]},
               {"phase": "noncombat_move", "units": {"bomber": 1}, "from": "India", "to": "Siam",
                "via": ["Burma", "Shan State"]}],
        battles=[fought("India", "Japanese", [
            {"t": "aa_roll", "dice": [[3, 1]]},
            {"t": "roll", "by": "Japanese", "units": {"bomber": 1}, "dice": [[4, 0]]},
        ], kind="bombing raid")],
        board_after_changes={"India": {"owner": "British", "units": {"British": {"factory_major [damage 6]": 1}}}},
    ),
    {"Siam": {"owner": "Japanese", "units": {"Japanese": {"bomber": 1}}}},
)  # fmt: skip


@pytest.mark.parametrize(
    ("turn", "board"), [RETREAT, KAMIKAZE, SCRAMBLE, SUBMERGE, DAMAGED, RAID],
    ids=["retreat", "kamikaze", "scramble", "submerge", "damaged", "raid"],
)  # fmt: skip
def test_a_turn_comes_out_as_written(turn: Record, board: Record) -> None:
    assert checked(turn, board, JAPAN_AT_WAR) == []


def test_a_refused_order_fails_the_turn_unless_it_is_listed() -> None:
    moves = [{"n": 7, "phase": "combat_move", "units": {"infantry": 1}, "from": "Chahar", "to": "Central Mongolia"}]
    board = {"Chahar": {"owner": "Japanese", "units": {"Japanese": {"infantry": 1}}}}
    after = {
        "Chahar": {"owner": "Japanese", "units": {}},
        "Central Mongolia": {"owner": "Japanese", "units": {"Japanese": {"infantry": 1}}},
    }
    turn = record(power="Japanese", moves=moves, board_after_changes=after)
    plain = check_turn(turn, {**CAPITALS, **board}, earlier=[JAPAN_AT_WAR])
    assert not plain.passed
    assert [line.rule for line in plain.refused] == ["P40-2.5.8"]
    listed = check_turn({**turn, "known_divergences": ["move 7 enters Mongolia"]}, {**CAPITALS, **board})
    assert listed.passed
    assert listed.refused[0].known
