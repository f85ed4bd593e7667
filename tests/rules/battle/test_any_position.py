"""Whatever stands in a space, a battle ends, nobody is lost without a hit, and its tape runs again."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.campaign.play import begin
from pbem.dice.purpose import Purpose
from pbem.dice.source import Roll
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.position import position
from pbem.rules.ruleset import Segment
from pbem.rules.runner import Runner
from pbem.rules.script import Game
from pbem.rules.tape import Emitted, Outcome

LAND = ("infantry", "artillery", "mech_infantry", "tank", "aa_gun", "fighter", "tac_bomber", "bomber")
SEA = ("battleship", "carrier", "cruiser", "destroyer", "submarine", "transport")
AIR = ("fighter", "tac_bomber", "bomber")


class Chance:
    """Faces from a seed, with a share of misses and hits that the test chooses."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def roll(self, purpose: Purpose, entropy: Mapping[str, str], count: int) -> Roll:
        faces = tuple(self.random.randint(1, 6) for _ in range(count))
        return Roll(None, None, None, purpose.text(), dict(entropy), faces, "throwaway")


def forces(kinds: tuple[str, ...]) -> st.SearchStrategy[dict[str, int]]:
    return st.dictionaries(st.sampled_from(kinds), st.integers(1, 3), max_size=4)


def combat(game: Game) -> None:
    game.emit("phase_begun", {"power": "japan", "phase": "conduct_combat"})
    game.run("conduct_combat")


def run(edition: str, spaces: Mapping[str, Any], seed: int, tape: tuple[Emitted, ...] = ()) -> Outcome:
    rules = rule_set("p40", edition)
    given = {"round": 2, "power": "japan", "phase": "conduct_combat", "relations": "war", "spaces": spaces}
    state = begin("any", rules, position(rules, given)).now
    segment = Segment("r2.japan", 2, ("japan",), combat)
    return Runner("any", rules, segment, state, tape, Chance(seed), StandingResponder(), state.size).execute()


def check(edition: str, spaces: Mapping[str, Any], seed: int) -> None:
    outcome = run(edition, spaces, seed)
    assert outcome.finished
    hits = sum(sum(e.payload["hits"].values()) for e in outcome.events if e.type == "hits_scored")
    rows = [row for e in outcome.events if e.type == "losses_chosen" for row in e.payload["losses"]]
    wasted = sum(e.payload.get("wasted", 0) for e in outcome.events if e.type == "losses_chosen")
    assert len(rows) + wasted == hits
    gone = [unit for e in outcome.events if e.type == "units_removed" for unit in e.payload["units"]]
    assert len(gone) == len(set(gone))
    assert run(edition, spaces, seed + 1, outcome.events).difference is None
    begun = [e.payload["battle"] for e in outcome.events if e.type == "battle_begun"]
    assert begun == [e.payload["battle"] for e in outcome.events if e.type == "battle_ended"]


EDITIONS = st.sampled_from(("card", "1e", "2e"))


@settings(max_examples=60)
@given(EDITIONS, forces(LAND), forces(LAND), forces(LAND), st.integers(0, 10_000))
def test_any_land_battle(edition: str, own: Any, uk: Any, anzac: Any, seed: int) -> None:
    own.pop("aa_gun", None)
    check(edition, {"Malaya": {"controller": "uk", "units": {"japan": own, "uk": uk, "anzac": anzac}}}, seed)


@settings(max_examples=90)
@given(EDITIONS, forces((*SEA, *AIR)), forces((*SEA, "fighter")), forces(SEA), st.integers(0, 10_000))
def test_any_sea_battle(edition: str, own: Any, usa: Any, uk: Any, seed: int) -> None:
    fighters = usa.pop("fighter", 0)
    decks: dict[str, Any] = dict(usa)
    if fighters:
        decks["carrier"] = [{"cargo": {"usa": {"fighter": min(fighters, 2)}}}, {"damage": 1}]
    check(edition, {"Sea Zone 31": {"units": {"japan": own, "usa": decks, "uk": uk}}}, seed)
