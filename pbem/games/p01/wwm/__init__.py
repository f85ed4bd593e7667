"""War Without Mercy: an overhaul of Pacific (2001) in which the turn itself is another."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules.ruleset import RuleSet

SWITCHES: Mapping[str, tuple[str, ...]] = {}


def compose(rules: RuleSet) -> RuleSet:
    """The rule set with the variant on top."""
    return rules
