"""In which order units are lost: a player's list, and after it (or without one) the rule set's default order.

Default orders are data: `parameters["loss_orders"]` maps `land_attack`, `land_defend`, `sea_attack`, `sea_defend`,
`air_attack`... to words, each a kind of unit or `KIND/damage` for the hit that only damages; `KIND/damage_empty` is
that hit on a ship whose aircraft would not lose their deck by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pbem.board.map import Board
from pbem.board.state import State, Unit
from pbem.rules.battle.hits import DAMAGES, SINKS, Place
from pbem.rules.battle.model import ATTACK, Battle
from pbem.rules.battle.naming import is_meant
from pbem.rules.order_model import Casualties, Pick
from pbem.rules.query import can, is_land
from pbem.rules.ruleset import RuleSet


def domain_of(board: Board, battle: Battle) -> str:
    """`land`, `sea` or `air`: which of a player's and the rule set's lists a battle reads."""
    if battle.kind in ("raid_air", "raid_bombing"):
        return "air"
    return "sea" if board.spaces[battle.space].is_sea else "land"


def default_order(
    rules: RuleSet, state: State, battle: Battle, side: str, offered: Sequence[Place], *, keep_land: int | None = None
) -> list[Place]:
    """Places in the rule set's default order of loss (P40-DP-20, P40-DP-21, P40-DP-16).

    Among equals: one that nothing makes dearer (`is_dear`), the one with no cargo, then the one that moved most (its
    way back is hardest), then the lowest id.
    An attacker on land keeps one land unit to the last, if the rule set says so (`keep_land`). A rule set may order
    the places by its own judgement `order_of_loss` (state, battle, side, places).
    """
    domain = domain_of(rules.board, battle)
    words: tuple[str, ...] = rules.parameter("loss_orders")[f"{domain}_{side}"]
    rank = {word: index for index, word in enumerate(words)}
    at_sea = domain == "sea"
    has_flyers = at_sea and _has_deck_flyers(rules, state, battle, side)
    cargo = Counter(unit.aboard for unit in state.units_in(battle.space)) if at_sea else {}

    by_owner = _owners_in_order(rules, state, battle) if rules.parameters.get("owners_in_loss_order") else {}

    def key(place: Place) -> tuple[int, int, bool, int, int, int]:
        unit = state.units[place.unit]
        if place.effect == DAMAGES:
            word = f"{unit.kind}/damage"
            if not has_flyers and f"{unit.kind}/damage_empty" in rank:
                word = f"{unit.kind}/damage_empty"
        else:
            word = unit.kind
        last = by_owner.get(unit.owner, 0)
        dear = is_dear(rules, unit)
        return rank.get(word, len(rank)), last, dear, cargo.get(unit.id, 0), -unit.spent, int(unit.id[1:])

    if "order_of_loss" in rules.judgements:
        ordered = list(rules.judge("order_of_loss", state, battle, side, offered))
    else:
        ordered = sorted(offered, key=key)
    keep = rules.parameters.get("attacker_keeps_land", 0) if keep_land is None else keep_land
    if side == ATTACK and domain == "land" and keep:
        ordered = keeping_land(rules, state, ordered, keep)
    return ordered


def aircraft_lost_first(rules: RuleSet, unit: Unit, *, attacker_chooses: bool) -> tuple[int, bool, int, int]:
    """The order in which guns take aircraft when nobody says which (P40-6.6.5, P40-DP-13).

    An attacker gives the cheapest first, a defender takes the dearest first (`is_dear` among equals); then the one
    that flew farthest goes first, for its way back is hardest.
    """
    cost = rules.board.units[unit.kind].cost or 0
    return (
        cost if attacker_chooses else -cost, is_dear(rules, unit) == attacker_chooses, -unit.spent, int(unit.id[1:])
    )  # fmt: skip


def is_dear(rules: RuleSet, unit: Unit) -> bool:
    """Whether a unit is worth more now than others of its kind: it has one of the marks in `dear_marks`."""
    return any(unit.mark(mark) is not None for mark in rules.parameters.get("dear_marks", ()))


def _owners_in_order(rules: RuleSet, state: State, battle: Battle) -> dict[str, int]:
    """Powers in the order in which they lose equal units: by turn order, the territory's holder last (S42-10.3.2)."""
    holder = state.controller(battle.space)
    powers = sorted(rules.board.powers.values(), key=lambda power: (power.id == holder, power.order))
    return {power.id: place for place, power in enumerate(powers)}


def keeping_land(rules: RuleSet, state: State, ordered: list[Place], count: int) -> list[Place]:
    """The same order, but the last `count` land units in it come after everything else (P40-DP-21)."""
    land = [place for place in ordered if is_land(rules, state.units[place.unit])]
    kept = land[len(land) - count :] if count < len(land) else land
    return [place for place in ordered if place not in kept] + kept


def _has_deck_flyers(rules: RuleSet, state: State, battle: Battle, side: str) -> bool:
    """Whether aircraft of the side need its decks: those on carriers, or launched from a sea zone this turn."""
    for unit in battle.units(state, side):
        if can(rules, unit, "carrier_capable") and unit.mark("scrambled_from") is None:
            start = unit.mark("start", unit.space)
            if unit.aboard is not None or (start in rules.board.spaces and rules.board.spaces[start].is_sea):
                return True
    return False


def listed_order(
    rules: RuleSet,
    state: State,
    battle: Battle,
    order: Casualties,
    offered: Sequence[Place],
    after: Sequence[Place],
    speaker: str | None,
    hits: int,
) -> tuple[list[Place], int]:
    """Places in a player's order, then those he did not name in the order of `after`; and the names used so far.

    A priority (`first`) names kinds; a list without it is consumed: names used up earlier in this battle are
    skipped, and of the rest each takes one hit in turn (`casualties S: carrier, fighter`). A name without an owner
    means the speaker's units, and if he has none of them there an ally's.
    """
    left = list(offered)
    named: list[Place] = []
    used = 0

    def meant(pick: Pick) -> list[Place]:
        own = [place for place in left if _names(rules, state, battle, pick, place, speaker)]
        anybodys = [place for place in left if _names(rules, state, battle, pick, place, None)]
        return _ordered(after, own or anybodys)

    if order.first:
        for pick in order.picks:
            fitting = meant(pick)
            for place in fitting if pick.count is None else fitting[: pick.count]:
                named.append(place)
                left.remove(place)
    else:
        used = battle.used.get(list_key(order), 0)
        names = [pick for pick in order.picks for _ in range(1 if pick.count is None else pick.count)]
        taken = 0
        for pick in names[used:]:
            if taken == hits:
                break
            fitting = meant(pick)
            used += 1
            if fitting:
                named.append(fitting[0])
                left.remove(fitting[0])
                taken += 1
    rest = _ordered(after, left)
    late = [place for place in rest if any(_is_kind(state, place, kind) for kind in order.last)]
    rest = [place for place in rest if place not in late] + late
    ordered = named + rest
    kept = _kept(rules, state, battle, order.keep, ordered, speaker)
    ordered = [place for place in ordered if place not in kept] + kept
    if order.keep_land:
        ordered = keeping_land(rules, state, ordered, order.keep_land)
    return ordered, used


def _kept(
    rules: RuleSet, state: State, battle: Battle, picks: Sequence[Pick], ordered: list[Place], speaker: str | None
) -> list[Place]:
    """The places of units that a list keeps to the last (`keep 1 fighter`): of several the last in order."""
    kept: list[Place] = []
    for pick in picks:
        fitting = [
            place
            for place in reversed(ordered)
            if place not in kept and place.effect == SINKS and _names(rules, state, battle, pick, place, speaker)
        ]
        kept += fitting if pick.count is None else fitting[: pick.count]
    return [place for place in ordered if place in kept]


def list_key(order: Casualties) -> str:
    """What tells one consumed list from another within a battle."""
    return repr((order.picks, order.round, order.which))


def _ordered(after: Sequence[Place], some: Sequence[Place]) -> list[Place]:
    pool = list(some)
    ordered: list[Place] = []
    for place in after:
        if place in pool:
            pool.remove(place)
            ordered.append(place)
    return ordered + pool


def _names(rules: RuleSet, state: State, battle: Battle, pick: Pick, place: Place, speaker: str | None) -> bool:
    if pick.damage and place.effect != DAMAGES:
        return False
    return is_meant(rules, state, pick, state.units[place.unit], speaker, battle)


def _is_kind(state: State, place: Place, pick: Pick) -> bool:
    unit: Unit = state.units[place.unit]
    return unit.kind == pick.kind and pick.owner in (None, unit.owner)


def dearest_order(rules: RuleSet, state: State, offered: Sequence[Place]) -> list[Place]:
    """What an attacker takes from defenders who do not agree: the dearest loss first (P40-DP-22)."""
    table = rules.board.units

    def key(place: Place) -> tuple[bool, int, bool, int]:
        unit = state.units[place.unit]
        undamaged = table[unit.kind].hits > 1 and unit.damage == 0
        return undamaged, -(table[unit.kind].cost or 0), not is_dear(rules, unit), int(unit.id[1:])

    return sorted(offered, key=key)
