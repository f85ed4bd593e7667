"""Several turns one after the other: what one turn leaves to the next, and what may be said when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.create import CampaignWanted, SetupMistake
from pbem.campaign.filing import file_lines
from pbem.campaign.play import Play, begin, run_on
from pbem.dice.recorded import RecordedSource, read_batches
from pbem.games.catalog import rule_set
from pbem.orders.gazetteer import gazetteer
from pbem.orders.read import ReadContext, read_orders
from pbem.orders.respond import StandingResponder
from pbem.rules.position import position
from pbem.testing.campaigns import everybody
from pbem.testing.table import Table

POWERS = ("ussr", "germany", "uk", "japan", "usa")
COMPLEX = {"industrial_complex": {"damage": 0}}


def turns(
    given: Mapping[str, Any], orders: Mapping[str, str], dice: Sequence[Any] = (), *, count: int, **options: Any
) -> tuple[Play, list[Any]]:
    """Play so many turns from a position; `orders` by turn (`germany 2`: round 2), all dice in their order."""
    rules = rule_set("classic", "2e", options=options)
    play = begin("turns", rules, position(rules, {"from": "nothing", **given}))
    source, events = RecordedSource(read_batches(dice)), []
    for _ in range(count):
        segment = rules.next_segment(rules, play.base)
        assert segment is not None
        power = segment.seat[0]
        context = ReadContext("classic", "2e", (), powers=(power,), phase="combat_move")
        lines = read_orders(orders.get(f"{power} {segment.round}", ""), gazetteer("classic", "2e"), context)
        filing = file_lines(power, [(line.order, line.text) for line in lines if line.order is not None], play.now)
        play = play.with_facts(
            [
                ("orders_received", {"power": power, "phases": dict(filing.phases)}),
                ("standing_orders_given", {"power": power, "orders": list(filing.answers)}),
            ],
            0,
        )
        told = run_on(play, source, StandingResponder(), now=0, may_close=lambda window: True)
        assert told.outcome is not None and told.outcome.finished
        play = told.play
        events += told.events
    assert list(source.problems()) == []
    return play, events


def force(play: Play, space: str) -> dict[str, int]:
    """How many of each kind stand in a space."""
    kinds = [unit.kind for unit in play.now.units_in(space)]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


def test_new_units_defend_at_once() -> None:
    """What is placed in a turn does nothing in it, and defends in the next power's (CLA-9.6)."""
    given = {
        "round": 2, "power": "germany", "phase": "purchase", "powers": {"germany": {"ipc": 3}},
        "spaces": {
            "Germany": {"controller": "germany", "facilities": COMPLEX},
            "Western Europe": {"controller": "uk", "units": {"uk": {"tank": 1}}},
        },
    }  # fmt: skip
    play, _ = turns(
        given, {"germany 2": "buy 1 infantry", "uk 2": "1 tank Western Europe -> Germany"}, [[3], [2]], count=2
    )
    assert force(play, "germany") == {} and play.now.controller("germany") == "germany"


def test_an_original_complex_is_its_first_owners_for_good() -> None:
    """Lost and retaken it places nothing in the turn of its liberation, then without limit (CLA-9.1.4, CLA-1.2.3)."""
    given = {
        "round": 2, "power": "ussr", "phase": "purchase", "powers": {"ussr": {"ipc": 18}},
        "spaces": {
            "Karelia S.S.R.": {"controller": "germany", "facilities": COMPLEX},
            "Russia": {"controller": "ussr", "facilities": COMPLEX, "units": {"ussr": {"infantry": 1}}},
        },
    }  # fmt: skip
    lines = {
        "ussr 2": "1 infantry Russia -> Karelia S.S.R.; buy 1 infantry; place 1 infantry Karelia S.S.R.",
        "ussr 3": "buy 5 infantry; place 5 infantry Karelia S.S.R.",
    }
    play, events = turns(given, lines, count=6)
    refused = [(event.payload["text"], event.payload["rule"]) for event in events if event.type == "order_refused"]
    assert refused == [("place 1 infantry Karelia S.S.R.", "CLA-9.1.1")]
    assert force(play, "karelia-ssr") == {"infantry": 6} and force(play, "russia") == {"infantry": 1}


def test_a_complex_built_where_the_original_one_was_burnt_is_limited() -> None:
    """It was built during the game, whoever owns the land (CLA-9.1.2, CLA-7.1.2)."""
    given = {
        "round": 2, "power": "ussr", "phase": "purchase",
        "powers": {"ussr": {"ipc": 30}},
        "spaces": {
            "Karelia S.S.R.": {"controller": "ussr", "facilities": COMPLEX},
            "Eastern Europe": {"controller": "germany", "units": {"germany": {"infantry": 1}}},
            "Russia": {"controller": "ussr", "facilities": COMPLEX, "units": {"ussr": {"tank": 2}}},
        },
    }  # fmt: skip
    lines = {
        "ussr 2": "scorch Karelia S.S.R.",
        "germany 2": "1 infantry Eastern Europe -> Karelia S.S.R.",
        "ussr 3": "2 tank Russia -> Karelia S.S.R.",
        "ussr 4": "buy 1 industrial_complex; place industrial_complex Karelia S.S.R.",
        "ussr 5": "buy 4 infantry; place 4 infantry Karelia S.S.R.",
    }
    play, _ = turns(given, lines, [[3, 6], [6]], count=16, scorched_earth=True)
    assert force(play, "karelia-ssr") == {"tank": 2, "infantry": 3}


def test_rolling_known_weapons_again_comes_to_an_end() -> None:
    """After two hundred dice for a weapon that is known the first missing one is taken (CLA-3.5)."""
    germany = {"ipc": 5, "technologies": ["jet_power"]}
    given = {"round": 2, "power": "germany", "phase": "research", "powers": {"germany": germany}, "spaces": {}}
    play, _ = turns(given, {"germany 2": "research 1"}, [[6], *[[1]] * 201], count=1)
    assert play.now.technologies["germany"] == ("jet_power", "rockets")


def test_a_military_victory_is_named_before_an_economic_one() -> None:
    """Both come true at the end of the American turn of one round: the game ends by the first (CLA-11.6)."""
    axis = ("Russia", "United Kingdom", "Karelia S.S.R.", "Caucasus", "India", "Australia", "Brazil", "Eastern Canada")
    given = {
        "round": 2, "power": "usa", "phase": "collect_income",
        "spaces": {space: {"controller": "germany"} for space in axis},
    }  # fmt: skip
    play, events = turns(given, {}, count=1)
    (won,) = [event for event in events if event.type == "game_won"]
    assert won.payload == {"side": "axis", "how": "victory"} and won.rules[0] == "CLA-11.2"
    assert play.now.winner == "axis" and play.rules.next_segment(play.rules, play.base) is None


# -- what may be said when --------------------------------------------------------------------------------------------

ATTACK: dict[str, Any] = {
    "round": 2,
    "power": "germany",
    "phase": "purchase",
    "powers": {"germany": {"ipc": 10}},
    "spaces": {
        "Germany": {"controller": "germany", "facilities": COMPLEX, "units": {"germany": {"infantry": 1}}},
        "Eastern Europe": {"controller": "germany", "units": {"germany": {"infantry": 3, "tank": 1}}},
        "Karelia S.S.R.": {"controller": "ussr", "units": {"ussr": {"infantry": 1, "tank": 1}}},
        "Ukraine S.S.R.": {"controller": "germany"},
        "sz-north-sea": {"units": {"germany": {"battleship": 1, "transport": 8}}},
        "sz-baltic": {"units": {"uk": {"battleship": 1, "transport": 1}}},
    },
}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    wanted = CampaignWanted("classic-4", "classic", "2e", players=everybody(POWERS), reactions="standing")
    table = Table(tmp_path, wanted, {"from": "nothing", **ATTACK})
    table.go()
    return table


def in_force(table: Table, phase: str) -> list[str]:
    return [line["text"] for line in table.state.orders.get(f"germany/{phase}", ())]


def test_a_line_against_the_rules_is_refused_alone(table: Table) -> None:
    """With the rule's id; the rest of the mail stands (CLA-14.3)."""
    answer = table.say(
        "germany", "buy 2 infantry; buy 2 tank; 3 infantry Eastern Europe -> Karelia S.S.R. -> Russia; "
        "1 tank Eastern Europe -> Karelia S.S.R.",
    )  # fmt: skip
    assert [(line.status, line.rule) for line in answer.lines] == [
        ("accepted", ""), ("refused", "CLA-4.2"), ("refused", "CLA-5.1.5"), ("accepted", ""),
    ]  # fmt: skip
    assert in_force(table, "purchase") == ["buy 2 infantry"]


def test_orders_may_be_replaced_until_the_window_closes(table: Table) -> None:
    """The last mail counts for its phase (CLA-14.1); a phase that is over is not opened again (CLA-2.3)."""
    table.say("germany", "buy 1 tank; 1 tank Eastern Europe -> Karelia S.S.R.")
    table.say("germany", "buy 3 infantry")
    assert in_force(table, "purchase") == ["buy 3 infantry"]
    assert in_force(table, "combat_move") == ["1 tank Eastern Europe -> Karelia S.S.R."]
    table.say("germany", "combat: nothing; ready")
    table.go()
    answer = table.say("germany", "buy 1 infantry; 1 tank Eastern Europe -> Ukraine S.S.R.")
    assert [line.status for line in answer.lines] == ["refused", "accepted"]
    assert "the purchase of this turn is over" in str(answer.lines[0].reason)
    bought = [event.payload["items"] for event in table.events("purchases_changed")]
    assert bought == [{"infantry": 3}]


def test_one_mail_or_two(table: Table) -> None:
    """Moves first, the rest after the battles, or the whole turn at once (CLA-14.4)."""
    table.say("germany", "buy 1 infantry; ready")
    assert table.go().window.id == "r2.germany:rest"  # type: ignore[union-attr]
    table.say("germany", "noncombat: 1 infantry Germany -> Eastern Europe; place 1 infantry Germany; ready")
    assert table.go().window.id == "r2.uk:moves"  # type: ignore[union-attr]
    table.say("uk", "rest default; ready")
    assert table.go().window.id == "r2.japan:moves", "one mail was enough"  # type: ignore[union-attr]


@pytest.mark.parametrize("early", [True, False])
def test_a_defenders_secret_orders_count_if_they_came_before_the_window_closed(table: Table, early: bool) -> None:
    """A standing order that comes while the battles are fought is for the next turn (CLA-14.1, CLA-D08)."""
    secret = "casualties defend Baltic SZ: battleship first"
    if early:
        table.say("uk", secret)
    table.say("germany", "1 battleship, 8 transport North Sea SZ -> Baltic SZ; ask me retreat; ready")
    while (window := table.go().window) is not None and window.kind == "decisions":
        if not early:
            table.say("uk", secret)
        table.say("germany", "press on Baltic SZ")
    taken = [row for event in table.events("decisions_taken") for row in event.payload["decisions"]]
    said = [row["by"] for row in taken if row["power"] == "uk" and row["kind"] == "casualties"]
    lost = [row for event in table.events("losses_chosen") for row in event.payload["losses"] if row[2] == "uk"]
    # One die a round, and transports to take what comes back: sooner or later it hits.
    assert said == ["standing" if early else "default"]
    assert lost[0][1] == ("battleship" if early else "transport")


def test_a_player_plays_powers_of_one_side(tmp_path: Path) -> None:
    """Several, but never of both (CLA-1.1.3)."""
    one_side = {"axis": ("germany", "japan")}
    Table(tmp_path / "one", CampaignWanted("one", "classic", players=everybody(POWERS, one_side)))
    both = {"mixed": ("germany", "uk")}
    with pytest.raises(SetupMistake, match=r"CLA-1\.1\.3"):
        Table(tmp_path / "both", CampaignWanted("both", "classic", players=everybody(POWERS, both)))
