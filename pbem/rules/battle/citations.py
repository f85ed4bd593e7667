"""Which rule says what about battles and reactions: topics as the code calls them, the rules' ids in each rule book.

A game with a book of its own registers its table as the parameter `battle_citations`; a topic that a book does not
know has no ids there. The first id of a topic is the one that a refusal cites.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules.decisions import Refusal
from pbem.rules.ruleset import RuleSet

PACIFIC_1940: Mapping[str, tuple[str, ...]] = {
    # kinds of battles, and how they end
    "sea.begin": ("P40-6.5.1", "P40-6.3.2"),
    "sea.scrambled": ("P40-5.2.5", "P40-6.3.2"),
    "land.begin": ("P40-6.4.9",),
    "assault.begin": ("P40-6.3.8", "P40-6.3.10"),
    "walk_in.begin": ("P40-6.10.2",),
    "walk_in.landed": ("P40-6.3.15", "P40-6.10.2"),
    "walk_in.guns": ("P40-6.6.7", "P40-6.10.2"),
    "raid_air.begin": ("P40-6.2.3", "P40-6.1.2"),
    "raid_bombing.begin": ("P40-6.2.5",),
    "end.attacker": ("P40-6.4.6",),
    "end.defender": ("P40-6.4.6",),
    "end.both_gone": ("P40-6.4.6",),
    "end.standoff": ("P40-6.5.10", "P40-6.4.6"),
    "end.retreat": ("P40-6.9.1",),
    "end.over": ("P40-6.2.9", "P40-6.2.11"),
    # fire
    "fire.attack": ("P40-6.4.3", "P40-6.7.1", "P40-6.7.2"),
    "fire.defend": ("P40-6.4.4",),
    "fire.no_submarines": ("P40-6.5.7",),
    "bombardment.sea_battle": ("P40-6.3.3",),
    "bombardment.kamikaze": ("P40-5.1.9",),
    "bombardment.where": ("P40-6.3.4",),
    # losses
    "losses.owner_chooses": ("P40-6.8.1",),
    "losses.forced": ("P40-6.8.2",),
    "losses.agreed": ("P40-6.12.3",),
    "losses.attacker_chooses": ("P40-6.12.3",),
    "losses.transports_last": ("P40-6.8.3",),
    "losses.wasted": ("P40-6.8.5",),
    "losses.not_eligible": ("P40-6.8.2",),
    "losses.removed": ("P40-6.4.5",),
    "losses.struck": ("P40-6.5.4",),
    "losses.cargo": ("P40-6.8.6",),
    "losses.defenceless": ("P40-6.5.9", "P40-6.5.12"),
    "losses.lone_guns": ("P40-6.6.6",),
    "losses.no_retreat": ("P40-6.5.11",),
    "aa.choose": ("P40-6.6.5",),
    # submarines
    "submarines.choose": ("P40-6.5.2",),
    "submarines.submerge": ("P40-6.5.6",),
    # retreat
    "retreat.decide": ("P40-6.9.1",),
    "retreat.after_round": ("P40-6.9.1",),
    "retreat.defender": ("P40-6.9.1",),
    "retreat.together": ("P40-6.9.2",),
    "retreat.land": ("P40-6.9.3",),
    "retreat.sea": ("P40-6.9.4",),
    "retreat.sea_none": ("P40-6.9.5",),
    "retreat.seaborne": ("P40-6.3.12",),
    "retreat.assault": ("P40-6.3.13",),
    "retreat.go_land": ("P40-6.9.2", "P40-6.9.3"),
    "retreat.go_sea": ("P40-6.9.2", "P40-6.9.4"),
    "retreat.cargo": ("P40-6.9.9",),
    "retreat.air": ("P40-6.9.6",),
    # after battles
    "decks.attacker": ("P40-6.5.13", "P40-4.5.5"),
    "decks.defender": ("P40-6.5.13",),
    "landing.off": ("P40-4.7.4", "P40-6.3.8"),
    "landing.go": ("P40-6.3.8",),
    # raids
    "raid.targets": ("P40-6.2.5",),
    "raid.who_bombs_what": ("P40-6.2.1",),
    "raid.damage": ("P40-6.2.7", "P40-1.2.8"),
    # reactions
    "reactions": ("P40-5.0.2",),
    "kamikaze.unlocked": ("P40-5.1.2",),
    "kamikaze.zones": ("P40-5.1.3",),
    "kamikaze.when": ("P40-5.1.4",),
    "kamikaze.targets": ("P40-5.1.5",),
    "kamikaze.tokens": ("P40-5.1.1",),
    "kamikaze.declare": ("P40-5.1.6",),
    "kamikaze.hits": ("P40-5.1.7", "P40-5.1.8"),
    "kamikaze.used": ("P40-5.1.9",),
    "scramble.who": ("P40-5.2.1",),
    "scramble.trigger": ("P40-5.2.2",),
    "scramble.base": ("P40-5.2.9",),
    "scramble.go": ("P40-5.2.1", "P40-5.2.4"),
    "scramble.limit": ("P40-5.2.1",),
    "intercept.who": ("P40-5.3.1",),
    "intercept.when": ("P40-5.3.2",),
    "intercept.go": ("P40-5.3.1", "P40-5.3.3"),
    "intercept.scrambled": ("P40-5.3.4",),
}
"""Topics in the rule book of Pacific 1940."""


def rules_for(rules: RuleSet, *topics: str) -> tuple[str, ...]:
    """The rule ids of topics in the rule set's own book, each once; () for topics it does not know."""
    table: Mapping[str, tuple[str, ...]] = rules.parameters.get("battle_citations", PACIFIC_1940)
    return tuple(dict.fromkeys(rule for topic in topics for rule in table.get(topic, ())))


def rule_for(rules: RuleSet, topic: str) -> str | None:
    """The first rule id for a topic: what a refusal cites."""
    cited = rules_for(rules, topic)
    return cited[0] if cited else None


def refuse(rules: RuleSet, topic: str, reason: str, suggestion: str | None = None) -> Refusal:
    """A refusal that cites the rule on a topic."""
    return Refusal(reason, rule_for(rules, topic), suggestion)
