"""In which order units are lost in the classic game when their owner is silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pbem.board.state import State, Unit
from pbem.games.classic.withdrawal_zones import zones_for_defender
from pbem.rules.battle.hits import DAMAGES, Place
from pbem.rules.battle.loss_orders import domain_of
from pbem.rules.battle.model import ATTACK, DEFEND, Battle
from pbem.rules.query import is_air
from pbem.rules.ruleset import RuleSet

LOSS_ORDERS: Mapping[str, tuple[str, ...]] = {
    "land_attack": ("infantry", "marine", "artillery", "tank", "fighter", "bomber"),
    "land_defend": ("infantry", "marine", "artillery", "tank", "bomber", "fighter"),
    "sea_attack": (
        "battleship/damage", "transport", "submarine", "destroyer", "fighter", "bomber", "carrier", "battleship",
    ),
    "sea_defend": ("battleship/damage", "transport", "submarine", "destroyer", "fighter", "carrier", "battleship"),
    "air_attack": ("fighter", "bomber"),
    "air_defend": ("fighter", "bomber"),
}  # fmt: skip
"""Kinds of units, the first to be lost first (CLA-6.7.5, CLA-D07, CLA-D08); artillery of a variant: ERR-1.2.2."""


def order_of_loss(rules: RuleSet, state: State, battle: Battle, side: str, offered: Sequence[Place]) -> list[Place]:
    """Places in the default order of loss (CLA-6.7.5, CLA-12.4).

    Within a kind: of the power with most units of it, counted anew after each, among equals in turn order; ships with
    nothing aboard first, aircraft that have the least movement left first. Where only aircraft attack and a defending
    submarine has nowhere to withdraw to, submarines go before the other ships.
    """
    domain = domain_of(rules.board, battle)
    words = rules.parameter("loss_orders")[f"{domain}_{side}"]
    rank = {word: index for index, word in enumerate(words)}
    if domain == "sea" and side == DEFEND and _submarines_first(rules, state, battle):
        rank = {**rank, "submarine": -1}
    aboard = Counter(unit.aboard for unit in state.units_in(battle.space))
    guests = battle.notes.get("guests", ())
    left = list(offered)
    ordered: list[Place] = []
    while left:
        counts = Counter((state.units[p.unit].kind, state.units[p.unit].owner) for p in left if p.effect != DAMAGES)

        def key(place: Place, counts: Counter[tuple[str, str]] = counts) -> tuple[int, ...]:
            unit = state.units[place.unit]
            word = f"{unit.kind}/damage" if place.effect == DAMAGES else unit.kind
            most = 0 if side == ATTACK else -counts[unit.kind, unit.owner]
            return (
                rank.get(word, len(rank)), most, place.unit in guests, rules.board.powers[unit.owner].order,
                aboard.get(unit.id, 0), -unit.spent, int(unit.id[1:]),
            )  # fmt: skip

        first = min(left, key=key)
        ordered.append(first)
        left.remove(first)
    return ordered


def _submarines_first(rules: RuleSet, state: State, battle: Battle) -> bool:
    """Only aircraft attack, and a defending submarine cannot get away (CLA-6.7.5)."""
    if not all(is_air(rules, unit) for unit in battle.units(state, ATTACK)):
        return False
    submarines: list[Unit] = [unit for unit in battle.units(state, DEFEND) if unit.kind == "submarine"]
    return any(not zones_for_defender(rules, state, battle, unit.owner) for unit in submarines)
