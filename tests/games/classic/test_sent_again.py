"""A turn filed in one mail, and a submarine that withdraws into its way: what lapses, who is asked again, what is lost.

The whole way through store, adjudication and mail (CLA-14.2, CLA-14.4, CLA-6.8.2).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.audit.recompute import recompute
from pbem.board.state import Window
from pbem.campaign.create import CampaignWanted
from pbem.report.render import render
from pbem.testing.campaigns import everybody
from pbem.testing.table import Table

POWERS = ("ussr", "germany", "uk", "japan", "usa")
POSITION: dict[str, Any] = {
    "round": 2,
    "power": "uk",
    "phase": "purchase",
    "from": "nothing",
    "powers": {"uk": {"ipc": 30}},
    "spaces": {
        # One die, and a transport to take its hit: whatever is rolled, the submarine lives and gets out after round 1.
        "West Spain SZ": {"units": {"germany": {"submarine": 1, "transport": 1}}},
        "West Mediterranean SZ": {"units": {"uk": {"carrier": 1, "transport": 4}}},
        "United Kingdom": {
            "controller": "uk", "facilities": {"industrial_complex": {"damage": 0}}, "units": {"uk": {"infantry": 3}},
        },
        "Eastern Canada": {"controller": "uk", "units": {"uk": {"tank": 1}}},
        "East Canada SZ": {"units": {"uk": {"transport": [{"cargo": {"uk": {"infantry": 1}}}], "battleship": 1}}},
    },
}  # fmt: skip
WAY_OUT = "sz-north-sea"
WITHDRAWS = "withdraw all submarine West Spain SZ -> North Sea SZ after round 1"
TURN = """
buy 1 transport
1 carrier, 4 transport West Mediterranean SZ -> West Spain SZ
noncombat: 1 transport East Canada SZ -> North Sea SZ
noncombat: unload 1 infantry North Sea SZ -> United Kingdom
noncombat: 1 tank Eastern Canada -> Western Canada
place 1 transport North Sea SZ
ready
"""


def table_of(folder: Path) -> Table:
    wanted = CampaignWanted(
        "classic-3", "classic", "2e", players=everybody(POWERS), orders_hours=48, reactions="standing"
    )  # fmt: skip
    table = Table(folder, wanted, POSITION)
    table.go()
    return table


def window_of(table: Table) -> Window:
    (found,) = table.state.windows.values()
    return found


def asked(table: Table) -> list[tuple[str, str]]:
    """Who was sent a question, and its text."""
    rows = [row for row in table.referee.store.outbox("classic-3", limit=1000) if row.kind == "ask"]
    return [(row.recipient, render(table.referee, row).text) for row in rows]


def spaces(table: Table, power: str, kind: str) -> list[str]:
    return sorted(unit.space for unit in table.state.units.values() if (unit.owner, unit.kind) == (power, kind))


def in_one_mail(folder: Path, way_out: str = "North Sea SZ") -> Table:
    """The United Kingdom files its whole turn at once; then the submarine withdraws to a zone."""
    table = table_of(folder)
    table.say("germany", f"withdraw all submarine West Spain SZ -> {way_out} after round 1")
    answer = table.say("uk", TURN)
    assert {line.status for line in answer.lines} == {"accepted"}
    table.go()
    return table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return in_one_mail(tmp_path)


def test_what_lapsed_is_told_and_asked_for_again(table: Table) -> None:
    """The window is for the noncombat move of the pieces concerned; the mail says what lapsed, why and until when."""
    window = window_of(table)
    assert (window.id, window.powers, window.phases) == ("r2.uk:again", ("uk",), ("noncombat_move",))
    assert window.deadline == window.opened_at + 48 * 3_600_000
    assert [(ask["space"], ask["units"]) for ask in window.asks] == [
        ("sz-east-canada", {"transport": 1, "infantry": 1})
    ]  # fmt: skip
    stopped = [(event.payload["text"], event.payload["rule"]) for event in table.events("order_lapsed")]
    assert stopped == [
        ("noncombat: 1 transport East Canada Sea Zone -> North Sea", "CLA-14.2"),
        ("noncombat: unload 1 infantry North Sea -> United Kingdom", "CLA-14.2"),
    ]
    assert spaces(table, "uk", "tank") == ["western-canada"], "what is not concerned has moved"
    ((who, text),) = asked(table)
    assert who == "uk"
    words = " ".join(text.split())
    assert "! noncombat: 1 transport East Canada Sea Zone -> North Sea Lapsed: North Sea is hostile" in words
    assert "1 submarine withdrew from a battle, to North Sea. [CLA-14.2]" in words
    assert "Until Mon 27 Jul 2026" in words
    assert "1 infantry, 1 transport" in words


def test_only_the_pieces_concerned_are_ordered_anew(table: Table) -> None:
    """Others have had their orders, and so has the placement."""
    answer = table.say(
        "uk",
        "1 battleship East Canada SZ -> East US SZ; place 1 transport North Sea SZ; "
        "1 transport East Canada SZ -> East US SZ; unload 1 infantry East US SZ -> Eastern United States; ready",
    )
    told = {line.text: (line.status, line.rule or line.reason) for line in answer.lines}
    assert told == {
        "1 battleship East Canada SZ -> East US SZ": ("refused", "CLA-14.2"),
        "place 1 transport North Sea SZ": (
            "refused", "the mobilize of this turn is over; now is the time for noncombat move",
        ),
        "1 transport East Canada SZ -> East US SZ": ("accepted", None),
        "unload 1 infantry East US SZ -> Eastern United States": ("accepted", None),
        "ready": ("accepted", None),
    }  # fmt: skip
    table.go()
    assert window_of(table).id == "r2.japan:moves"
    assert "eastern-united-states" in spaces(table, "uk", "infantry")
    assert spaces(table, "uk", "battleship") == ["sz-east-canada"]
    assert not table.state.orders, "nothing is left over for a later turn"
    audit = recompute("classic-3", list(table.referee.store.read("classic-3")))
    assert audit.difference is None


def test_silence_leaves_them_where_they_are(table: Table) -> None:
    """At the deadline the turn goes on without them."""
    table.later(hours=49)
    table.go()
    assert window_of(table).id == "r2.japan:moves"
    closed = [event.payload for event in table.events("window_closed") if event.payload["window"] == "r2.uk:again"]
    assert [payload["why"] for payload in closed] == ["its deadline has passed"]
    assert "sz-east-canada" in spaces(table, "uk", "transport")
    assert spaces(table, "uk", "infantry").count("sz-east-canada") == 1


def test_a_placement_made_impossible_is_lost(table: Table) -> None:
    """It goes to no other zone, and there is no money back (CLA-9.5)."""
    table.say("uk", "rest default; ready")
    table.go()
    (told,) = [event.payload for event in table.events("order_lapsed") if event.payload["phase"] == "mobilize"]
    assert (told["text"], told["rule"]) == ("place 1 transport North Sea", "CLA-14.2")
    lost = [event.payload for event in table.events("purchases_changed") if event.payload["why"] == "lost"]
    assert [(row["power"], row["items"]) for row in lost] == [("uk", {"transport": -1})]
    assert not table.state.purchases and WAY_OUT not in spaces(table, "uk", "transport")


def test_a_submarine_that_is_in_nobodys_way_changes_nothing(tmp_path: Path) -> None:
    table = in_one_mail(tmp_path, "West Africa SZ")
    assert window_of(table).id == "r2.japan:moves"
    assert not table.events("order_lapsed")
    assert WAY_OUT in spaces(table, "uk", "transport")


def test_who_orders_after_the_battles_is_told_at_once(tmp_path: Path) -> None:
    """There is one window then; lines are checked on the board as it is, an opponent's standing orders carried out."""
    table = table_of(tmp_path)
    table.say("germany", WITHDRAWS)
    table.say("uk", "1 carrier, 4 transport West Mediterranean SZ -> West Spain SZ; ready")
    table.go()
    assert window_of(table).id == "r2.uk:rest"
    answer = table.say(
        "uk", "1 transport East Canada SZ -> North Sea SZ; 1 tank Eastern Canada -> Western Canada; ready"
    )
    assert [(line.status, line.rule) for line in answer.lines] == [
        ("refused", "CLA-8.3"), ("accepted", ""), ("accepted", ""),
    ]  # fmt: skip
    table.go()
    assert window_of(table).id == "r2.japan:moves"
    assert not table.events("order_lapsed")
