"""Editions and variants choose, replace, insert and wrap steps; nothing in the steps knows about it."""

from __future__ import annotations

import pytest

from pbem.games.catalog import rule_set
from pbem.rules.battle.model import ROUND, Battle, BattleStep, after, before, replaced, without, wrapped
from pbem.rules.script import Game


def nothing(game: Game, battle: Battle) -> None:
    """A step that does nothing."""


def names(steps: tuple[BattleStep, ...]) -> list[str]:
    return [step.name for step in steps]


STEPS = tuple(BattleStep(name, name.title(), nothing) for name in ("first", "second", "third"))
EXTRA = BattleStep("extra", "Extra", nothing)


def test_steps_are_inserted_replaced_and_left_out() -> None:
    assert names(before(STEPS, "second", EXTRA)) == ["first", "extra", "second", "third"]
    assert names(after(STEPS, "second", EXTRA)) == ["first", "second", "extra", "third"]
    assert names(replaced(STEPS, "second", EXTRA)) == ["first", "extra", "third"]
    assert names(without(STEPS, "first", "third")) == ["second"]


def test_a_step_that_is_not_there_is_named() -> None:
    with pytest.raises(KeyError, match="fourth"):
        before(STEPS, "fourth", EXTRA)


def test_a_wrapped_step_keeps_its_name_and_rules() -> None:
    calls: list[str] = []

    def wrap(inner: object) -> object:
        def step(game: Game, battle: Battle) -> None:
            calls.append("around")

        return step

    step = wrapped(STEPS, "second", wrap)[1]  # type: ignore[arg-type]
    step.function(None, None)  # type: ignore[arg-type]
    assert (step.name, calls) == ("second", ["around"])


@pytest.mark.parametrize("edition", ["card", "1e", "2e"])
def test_every_step_of_every_battle_cites_a_rule(edition: str) -> None:
    rules = rule_set("p40", edition)
    for kind, steps in rules.battles.items():
        assert all(step.rules and step.title for step in steps), kind


def test_only_where_guns_are_casualties_are_lone_guns_destroyed() -> None:
    first, second = rule_set("p40", "1e"), rule_set("p40", "2e")
    assert "lone_guns" not in names(first.battles["land"])
    assert [step.when for step in second.battles["land"] if step.name == "lone_guns"] == ["opening", ROUND]


def test_an_option_changes_one_figure_of_an_edition() -> None:
    rules = rule_set("p40", "1e", options={"aa_model": "three_shots", "aa_casualty_chooser": "defender"})
    assert rules.parameter("guns_are_casualties") is True
    assert rules.parameter("aa_casualty_chooser") == "defender"
