"""A turn filed in one mail, and a submarine that withdraws into its way: what lapses, who is asked again, what is lost.

The whole way through store, adjudication and mail (CLA-14.2, CLA-14.4, CLA-6.8.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.audit.recompute import recompute
from pbem.board.state import State, Window
from pbem.campaign.advance import Advanced, advance
from pbem.campaign.answer import Answer
from pbem.campaign.create import CampaignWanted
from pbem.campaign.load import load
from pbem.campaign.referee import Referee
from pbem.campaign.submit import Submission, submit
from pbem.log.checkpoint import Signer
from pbem.log.store import open_store
from pbem.report.render import render
from pbem.testing.campaigns import campaign_from, everybody
from pbem.testing.clock import SetClock, moment

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


class Table:
    """The campaign, its clock, and players whose mails are taken in at once."""

    def __init__(self, folder: Path, given: Mapping[str, Any]) -> None:
        self.clock = SetClock(moment("2026-08-03T12:00:00Z"))
        store = open_store(f"sqlite:///{folder}/classic.sqlite3")
        self.referee = Referee(store, Signer(store), self.clock, host="pbem.example")
        wanted = CampaignWanted(
            "classic-3", "classic", "2e", players=everybody(POWERS), orders_hours=48, reactions="standing"
        )  # fmt: skip
        campaign_from(self.referee, wanted, given)
        self.sent = 0
        advance(self.referee, "classic-3")

    def says(self, power: str, text: str) -> Answer:
        self.sent += 1
        return submit(self.referee, Submission("classic-3", power, text, self.clock(), self.sent), mail_answer=False)

    def advance(self) -> Advanced:
        return advance(self.referee, "classic-3")

    @property
    def state(self) -> State:
        return load(self.referee, "classic-3").play.now

    @property
    def window(self) -> Window:
        (found,) = self.state.windows.values()
        return found

    def asked(self) -> list[tuple[str, str]]:
        """Who was sent a question, and its text."""
        rows = [row for row in self.referee.store.outbox("classic-3", limit=1000) if row.kind == "ask"]
        return [(row.recipient, render(self.referee, row).text) for row in rows]

    def events(self, *types: str) -> list[Any]:
        return [event for event in self.referee.store.read("classic-3") if event.type in types]

    def spaces(self, power: str, kind: str) -> list[str]:
        return sorted(unit.space for unit in self.state.units.values() if (unit.owner, unit.kind) == (power, kind))


def in_one_mail(folder: Path, way_out: str = "North Sea SZ") -> Table:
    """The United Kingdom files its whole turn at once; then the submarine withdraws to a zone."""
    table = Table(folder, POSITION)
    table.says("germany", f"withdraw all submarine West Spain SZ -> {way_out} after round 1")
    answer = table.says("uk", TURN)
    assert {line.status for line in answer.lines} == {"accepted"}
    table.advance()
    return table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return in_one_mail(tmp_path)


def test_what_lapsed_is_told_and_asked_for_again(table: Table) -> None:
    """The window is for the noncombat move of the pieces concerned; the mail says what lapsed, why and until when."""
    window = table.window
    assert (window.id, window.powers, window.phases) == ("r2.uk:again", ("uk",), ("noncombat_move",))
    assert window.deadline == moment("2026-08-05T12:00:00Z")
    assert [(ask["space"], ask["units"]) for ask in window.asks] == [
        ("sz-east-canada", {"transport": 1, "infantry": 1})
    ]  # fmt: skip
    stopped = [(event.payload["text"], event.payload["rule"]) for event in table.events("order_lapsed")]
    assert stopped == [
        ("noncombat: 1 transport East Canada Sea Zone -> North Sea", "CLA-14.2"),
        ("noncombat: unload 1 infantry North Sea -> United Kingdom", "CLA-14.2"),
    ]
    assert table.spaces("uk", "tank") == ["western-canada"], "what is not concerned has moved"
    ((who, text),) = table.asked()
    assert who == "uk"
    words = " ".join(text.split())
    assert "! noncombat: 1 transport East Canada Sea Zone -> North Sea Lapsed: North Sea is hostile" in words
    assert "1 submarine withdrew from a battle, to North Sea. [CLA-14.2]" in words
    assert "Until Wed 5 Aug 2026, 12:00 UTC" in words
    assert "1 infantry, 1 transport" in words


def test_only_the_pieces_concerned_are_ordered_anew(table: Table) -> None:
    """Others have had their orders, and so has the placement."""
    answer = table.says(
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
    table.advance()
    assert table.window.id == "r2.japan:moves"
    assert "eastern-united-states" in table.spaces("uk", "infantry")
    assert table.spaces("uk", "battleship") == ["sz-east-canada"]
    assert not table.state.orders, "nothing is left over for a later turn"
    audit = recompute("classic-3", list(table.referee.store.read("classic-3")))
    assert audit.difference is None


def test_silence_leaves_them_where_they_are(table: Table) -> None:
    """At the deadline the turn goes on without them."""
    table.clock.pass_time(hours=49)
    table.advance()
    assert table.window.id == "r2.japan:moves"
    closed = [event.payload for event in table.events("window_closed") if event.payload["window"] == "r2.uk:again"]
    assert [payload["why"] for payload in closed] == ["its deadline has passed"]
    assert "sz-east-canada" in table.spaces("uk", "transport")
    assert table.spaces("uk", "infantry").count("sz-east-canada") == 1


def test_a_placement_made_impossible_is_lost(table: Table) -> None:
    """It goes to no other zone, and there is no money back (CLA-9.5)."""
    table.says("uk", "rest default; ready")
    table.advance()
    (told,) = [event.payload for event in table.events("order_lapsed") if event.payload["phase"] == "mobilize"]
    assert (told["text"], told["rule"]) == ("place 1 transport North Sea", "CLA-14.2")
    lost = [event.payload for event in table.events("purchases_changed") if event.payload["why"] == "lost"]
    assert [(row["power"], row["items"]) for row in lost] == [("uk", {"transport": -1})]
    assert not table.state.purchases and WAY_OUT not in table.spaces("uk", "transport")


def test_a_submarine_that_is_in_nobodys_way_changes_nothing(tmp_path: Path) -> None:
    table = in_one_mail(tmp_path, "West Africa SZ")
    assert table.window.id == "r2.japan:moves"
    assert not table.events("order_lapsed")
    assert WAY_OUT in table.spaces("uk", "transport")


def test_who_orders_after_the_battles_is_told_at_once(tmp_path: Path) -> None:
    """There is one window then; lines are checked on the board as it is, an opponent's standing orders carried out."""
    table = Table(tmp_path, POSITION)
    table.says("germany", WITHDRAWS)
    table.says("uk", "1 carrier, 4 transport West Mediterranean SZ -> West Spain SZ; ready")
    table.advance()
    assert table.window.id == "r2.uk:rest"
    answer = table.says(
        "uk", "1 transport East Canada SZ -> North Sea SZ; 1 tank Eastern Canada -> Western Canada; ready"
    )
    assert [(line.status, line.rule) for line in answer.lines] == [
        ("refused", "CLA-8.3"), ("accepted", ""), ("accepted", ""),
    ]  # fmt: skip
    table.advance()
    assert table.window.id == "r2.japan:moves"
    assert not table.events("order_lapsed")
