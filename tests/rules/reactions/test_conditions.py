"""Standing orders for reactions may depend on what the moves show, and on odds where the rule set knows them."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.board.state import State
from pbem.campaign.play import begin
from pbem.dice.recorded import RecordedSource
from pbem.games.catalog import rule_set
from pbem.orders.respond import StandingResponder
from pbem.rules.battle.model import Battle
from pbem.rules.order_model import Condition, Pick, Scramble
from pbem.rules.position import position
from pbem.rules.ruleset import RuleSet, Segment
from pbem.rules.runner import Runner
from pbem.rules.script import Game
from pbem.rules.tape import filed_line

GIVEN = {
    "round": 2,
    "power": "japan",
    "phase": "combat_move",
    "relations": "war",
    "spaces": {
        "Sea Zone 54": {"units": {"anzac": {"destroyer": 1}, "japan": {"cruiser": 2}}},
        "Queensland": {
            "controller": "anzac",
            "units": {"anzac": {"fighter": 2}},
            "facilities": {"air_base": {"damage": 0}},
        },
    },
}


def scrambled(chance: int, condition: Condition) -> list[str]:
    """The aircraft that scramble when the attacker's chance is `chance`, and the defenders counted for it."""
    seen: list[int] = []

    def odds(rules: RuleSet, state: State, battle: Battle) -> int:
        seen.append(len(battle.defenders))
        return chance

    rules = rule_set("p40", "2e").but(judgements={"odds": odds})
    state = begin("test", rules, position(rules, GIVEN)).now
    order = Scramble((Pick("fighter", None),), "queensland", "sz-54", condition)
    line = filed_line(order, "scramble all fighter Queensland -> Sea Zone 54 if odds")

    def script(game: Game) -> None:
        game.emit("standing_orders_given", {"power": "anzac", "orders": [line]})
        game.run("reactions")

    runner = Runner(
        "test",
        rules,
        Segment("r2.japan", 2, ("japan",), script),
        state,
        [],
        RecordedSource(()),
        StandingResponder(),
        state.size,
    )
    outcome = runner.execute()
    assert outcome.finished
    assert set(seen) <= {3}
    return [unit.id for unit in outcome.state.units_in("sz-54") if unit.mark("scrambled_from")]


@pytest.mark.parametrize(("chance", "expected"), [(400_000, 2), (600_000, 0)])
def test_scramble_by_odds(chance: int, expected: int) -> None:
    at_least_half: Any = Condition("ge", "odds", 500_000)
    assert len(scrambled(chance, at_least_half)) == expected


@pytest.mark.parametrize(("most", "expected"), [(2, 2), (1, 0)])
def test_scramble_by_number_of_attackers_in_the_zone(most: int, expected: int) -> None:
    few: Any = Condition("le", "attackers", most, space="sz-54")
    assert len(scrambled(0, few)) == expected
