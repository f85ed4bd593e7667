"""Pacific 1940: China's own way of buying and placing in the six phases that it plays like everybody (P40-2.1.4)."""

from __future__ import annotations

from pbem.board.state import State
from pbem.games.p40.territory import CHINA
from pbem.rules import placement, purchase
from pbem.rules.decisions import Refusal
from pbem.rules.objectives import meets
from pbem.rules.placement import Site, Sites
from pbem.rules.ruleset import RuleSet


def burma_road_open(rules: RuleSet, state: State) -> bool:
    """Whether India, Burma, Yunnan and Szechwan are all in the hands of Allied powers (P40-2.4.6)."""
    return any(
        meets(rules, state, row["condition"])
        for row in rules.board.facts["national_objectives"]
        if row["power"] == CHINA and "unlocks_build" in row
    )


def may_buy(rules: RuleSet, state: State, power: str, item: str) -> Refusal | None:
    """Why a power may not buy an item: China buys infantry, artillery while the Burma Road is open (P40-2.4.5).

    It buys no facilities (P40-2.4.3), and its fighter is not replaced (P40-2.4.8).
    """
    if power != CHINA:
        return purchase.may_buy(rules, state, power, item)
    if item == "infantry" or (item == "artillery" and burma_road_open(rules, state)):
        return None
    if item == "artillery":
        return Refusal(
            "China may buy artillery only while the Burma Road is open: India, Burma, Yunnan and Szechwan must all be "
            "held by Allied powers.",
            "P40-2.4.5",
            "Buy infantry.",
        )
    if rules.board.units[item].domain == "facility":
        return Refusal("China can have no complex and no base.", "P40-2.4.3", "Buy infantry.")
    return Refusal("China buys infantry, and artillery while the Burma Road is open; nothing else.", "P40-2.4.5")


def may_repair(rules: RuleSet, state: State, power: str) -> Refusal | None:
    """China repairs nothing: it can use no complex and no base (P40-2.4.3)."""
    if power == CHINA:
        return Refusal("China can neither use nor repair complexes and bases.", "P40-2.4.3")
    return purchase.may_repair(rules, state, power)


def may_build(rules: RuleSet, state: State, power: str, kind: str, space: str) -> Refusal | None:
    """Why a facility may not be built: China builds none (P40-2.4.3); formerly Dutch and French land (P40-2.5.7)."""
    if power == CHINA:
        return Refusal("China can have no complex and no base.", "P40-2.4.3")
    return placement.may_build(rules, state, power, kind, space)


def sites(rules: RuleSet, state: State, power: str) -> Sites:
    """Complexes that place units this turn; China has none and needs none (P40-8.8)."""
    return Sites({}) if power == CHINA else placement.sites(rules, state, power)


def site(rules: RuleSet, state: State, power: str, where: Sites, kind: str, space: str) -> Site | Refusal:
    """How a bought unit may be placed: Chinese ones in any Chinese land China holds, any number (P40-2.4.7).

    Burma and Kwangtung are none (P40-13-A17).
    """
    if power != CHINA:
        return placement.site(rules, state, power, where, kind, space)
    printed = rules.board.spaces[space]
    if printed.original_owner != CHINA:
        return Refusal(
            f"New Chinese units are placed in originally Chinese territories; {printed.name} is none.", "P40-2.4.7"
        )
    if state.controller(space) != CHINA:
        return Refusal(f"China does not hold {printed.name}.", "P40-2.4.7", "Choose a territory that China holds now.")
    return Site(space, (), None)


def default_places(rules: RuleSet, state: State, power: str, kind: str, where: Sites) -> list[str]:
    """Where units go that nobody placed: for China where most of its units stand (P40-DP-30)."""
    if power != CHINA:
        return placement.default_places(rules, state, power, kind, where)
    held = [
        space.id
        for space in rules.board.spaces.values()
        if space.original_owner == CHINA and state.controller(space.id) == CHINA
    ]
    return sorted(held, key=lambda space: -sum(1 for unit in state.units_in(space) if unit.owner == CHINA))
