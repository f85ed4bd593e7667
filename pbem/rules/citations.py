"""Which rule says what about the phases of a turn, politics and control: topics, and the rule's id in each rule book.

A game with a book of its own registers its table as the parameter `citations`; a topic that a book does not know has
no id there.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules.decisions import Refusal
from pbem.rules.ruleset import RuleSet

PACIFIC_1940: Mapping[str, str] = {
    # politics
    "impassable": "P40-2.5.2",
    "peace": "P40-2.3.1",
    "must_fight": "P40-4.1.4",
    # purchase and repair
    "no_line:research": "P40-2.1.6",
    "no_line:rocket": "P40-2.1.6",
    "buy": "P40-3.1",
    "money": "P40-3.1",
    "repair": "P40-3.4",
    "repair_whose": "P40-3.4",
    "repair_too_much": "P40-3.4",
    "silent_repair": "P40-DP-04",
    "repair_ships": "P40-3.5",
    "upgrade": "P40-3.6",
    "no_capital_buy": "P40-3.7",
    # control
    "won": "P40-6.10.1",
    "undefended": "P40-6.10.2",
    "guns_taken": "P40-6.10.3",
    "major_becomes_minor": "P40-6.10.4",
    "liberated": "P40-6.10.5",
    "kept_for_ally": "P40-6.10.6",
    "plunder": "P40-6.11.1",
    "restored": "P40-6.11.5",
    # mobilization
    "place": "P40-8.1",
    "silent_place": "P40-DP-30",
    "capacity": "P40-8.2",
    "place_land": "P40-8.3",
    "place_ships": "P40-8.4",
    "place_aircraft": "P40-8.5",
    "build_complex": "P40-8.6",
    "build_base": "P40-8.7",
    "place_freely": "P40-8.8",
    "refund": "P40-8.9",
    "refund_order": "P40-DP-31",
    "no_capital_place": "P40-6.11.4",
    "new_carrier": "P40-7.10",
    "lost_aircraft": "P40-7.9",
    # income
    "income": "P40-9.1",
    "no_capital_income": "P40-9.2",
    "income_order": "P40-9.5",
    "no_capital_objectives": "P40-2.6.2",
    "no_gifts": "P40-9.3",
    "convoy_zone_cap": "P40-9.4.4",
    "convoy_land_cap": "P40-9.4.5",
    "convoy_fixed": "P40-9.4.3",
    "convoy_dice": "P40-9.4.8",
    # end
    "complete_round": "P40-10.4",
    "concession": "P40-10.5",
}
"""Topics in the rule book of Pacific 1940."""


def cite(rules: RuleSet, topic: str) -> str | None:
    """The id of the rule on a topic in the rule set's own book: the first, where the table lists several."""
    found = _rules_on(rules, topic)
    return found[0] if found else None


def cites(rules: RuleSet, *topics: str) -> tuple[str, ...]:
    """The ids of several topics, those that the book knows, each once."""
    return tuple(dict.fromkeys(rule for topic in topics for rule in _rules_on(rules, topic)))


def _rules_on(rules: RuleSet, topic: str) -> tuple[str, ...]:
    table: Mapping[str, str | tuple[str, ...]] = rules.parameters.get("citations", PACIFIC_1940)
    said = table.get(topic, ())
    return (said,) if isinstance(said, str) else said


def refuse(rules: RuleSet, topic: str, reason: str, suggestion: str | None = None) -> Refusal:
    """A refusal that cites the rule on a topic."""
    return Refusal(reason, cite(rules, topic), suggestion)
