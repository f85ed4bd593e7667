"""What a report says of battles that are still to come: cargo counts where it lands, never at sea."""

from __future__ import annotations

from pbem.audit.case_model import case_from_json
from pbem.audit.cases import run_case
from pbem.board.evolve import fold
from pbem.games.catalog import rule_set
from pbem.report.model import Due, Headline, TurnTold
from pbem.report.positions import clashes_of
from pbem.report.words import Words

BOARD = rule_set("s42").board


def test_cargo_is_told_where_it_lands() -> None:
    case = {
        "id": "x", "game": "s42", "until": "end of combat_move", "expect": {},
        "given": {
            "round": 1, "power": "germany", "phase": "combat_move", "from": "nothing",
            "spaces": {
                "Sea Zone 15": {
                    "units": {"germany": {"battleship": 1, "transport": [{"cargo": {"germany": {"infantry": 1}}}]}},
                },
                "Sea Zone 17": {"units": {"uk": {"destroyer": 1, "transport": [{"cargo": {"uk": {"tank": 1}}}]}}},
                "Egypt": {"controller": "uk", "units": {"uk": {"infantry": 1}}},
                "Libya": {"controller": "germany", "units": {"germany": {"tank": 1}}},
            },
        },
        "orders": {
            "germany": "1 battleship, 1 transport Sea Zone 15 -> Sea Zone 17; unload 1 infantry Sea Zone 17 -> Egypt; "
            "1 tank Libya -> Egypt"
        },
    }  # fmt: skip
    verdict = run_case(case_from_json(case))
    assert verdict.differences == () and verdict.refused == ()
    due = Due("w", "reactions", ("ussr",), (), (), None, ("ussr",))
    told = {row.space: row for row in clashes_of(BOARD, fold(verdict.start, verdict.events), due)}
    assert told["egypt"].attackers == (("germany", "infantry", 1), ("germany", "tank", 1))
    assert told["sz-17"].attackers == (("germany", "battleship", 1), ("germany", "transport", 1))
    assert told["sz-17"].defenders == (("uk", "destroyer", 1), ("uk", "transport", 1))


def test_who_waits_for_reactions_has_not_moved_in_peace() -> None:
    turn = TurnTold("germany", 1, (), 0, 0, 0, moved=True, ahead=True)
    said = Words(BOARD).headline(Headline("turns", (turn,)))
    assert said == "Germany has moved, and the battles are to come."


def test_options_are_told_in_words() -> None:
    set_to = (("bid", {"germany": {"ipc": 4}}), ("interceptors", True), ("overbuy", "refund"), ("total_victory", False))
    assert Words(BOARD).options(set_to) == "bid: germany ipc 4, interceptors: on, overbuy: refund, total_victory: off"
