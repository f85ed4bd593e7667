"""Placing new units in the classic game: limits of complexes, ships among enemies, guns, new complexes."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board.state import State
from pbem.board.units import FACILITY, SEA
from pbem.games.classic.moves import stack_refusal, stacks
from pbem.games.classic.ownership import burnt_down
from pbem.games.classic.parameters import COMPLEXES_AT_START, PIECES_IN_THE_BOX
from pbem.games.classic.sent_again import placements_left
from pbem.rules import placement as common
from pbem.rules import purchase
from pbem.rules.citations import refuse
from pbem.rules.decisions import Refusal
from pbem.rules.mobilize import mobilize as common_mobilize
from pbem.rules.order_model import Buy
from pbem.rules.placement import Site, Sites, held_since_start
from pbem.rules.query import can, enemy_units
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

UNLIMITED = 1_000_000
"""Units that an original complex places for its first owner: no limit (CLA-9.1.2)."""


def sites(rules: RuleSet, state: State, power: str) -> Sites:
    """Own complexes, wherever they stand, in territories held since the turn began, with their limits (CLA-9.1.1, 9.7).

    So a liberator places nothing where he freed a complex in this turn (CLA-7.3.5).
    An original complex of its original owner has none, also when it was lost and retaken before this turn (CLA-9.1.4);
    every other one places as many units as its territory is worth, at least one (CLA-9.1.2, CLA-9.2.3), also one that
    was built where an original one was burnt.
    """
    capacity: dict[str, int] = {}
    for space, printed in rules.board.spaces.items():
        if not held_since_start(state, power, space) or not complex_in(rules, state, space):
            continue
        original = printed.original_owner == power and bool(printed.data.get("facilities"))
        original = original and not state.marks.get(burnt_down(space))
        limited = rules.parameter("limited_original_ics") or not original
        capacity[space] = max(1, printed.ipc) if limited else UNLIMITED
    return Sites(capacity)


def complex_in(rules: RuleSet, state: State, space: str) -> bool:
    """Whether an industrial complex stands in a territory."""
    held = state.spaces.get(space)
    return held is not None and any(rules.board.units[kind].can("produces_units") for kind, _ in held.facilities)


def site(rules: RuleSet, state: State, power: str, where: Sites, kind: str, space: str) -> Site | Refusal:
    """How a bought unit may be placed in a space now; else why it may not (CLA-9.1.1, CLA-9.3.1, CLA-9.4.1)."""
    unit, printed = rules.board.units[kind], rules.board.spaces[space]
    if printed.is_sea and unit.domain != SEA:
        return refuse(
            rules, "place_land", f"{unit.plural} are placed on land, never aboard a ship.",
            "Place them in the territory of the complex.",
        )  # fmt: skip
    if not printed.is_sea and unit.domain == SEA:
        return refuse(rules, "place_ships", f"{unit.plural} are placed in a sea zone beside a complex.")
    lands = rules.board.lands_beside(space) if printed.is_sea else (space,)
    near = [land for land in lands if land in where.capacity]
    if not near:
        return _no_complex(rules, state, power, lands, printed.name)
    barred = _barred(rules, state, power, kind, space)
    if barred is not None:
        return barred
    if not where.has_room(near):
        limit = sum(where.capacity[land] for land in near)
        names = " or ".join(rules.board.spaces[land].name for land in near)
        return refuse(
            rules, "capacity", f"The complex in {names} places at most {limit} unit{'s' if limit > 1 else ''} a turn.",
            "Place the others elsewhere.",
        )  # fmt: skip
    return Site(space, tuple(near), None)


def _no_complex(rules: RuleSet, state: State, power: str, lands: Sequence[str], name: str) -> Refusal:
    """Why no complex can place there: built or taken this turn, or not there at all (CLA-9.1.1, CLA-9.2.1)."""
    own = [land for land in lands if state.controller(land) == power and complex_in(rules, state, land)]
    if own and not held_since_start(state, power, own[0]):
        there = rules.board.spaces[own[0]].name
        return refuse(
            rules, "place", f"The complex in {there} was taken in this turn; it places units from the next on."
        )
    if own:
        there = rules.board.spaces[own[0]].name
        return refuse(rules, "new_complex", f"The complex in {there} is new; it places units from your next turn on.")
    return refuse(rules, "place", f"No complex that you have held since your turn began can place units in {name}.")


def _barred(rules: RuleSet, state: State, power: str, kind: str, space: str) -> Refusal | None:
    """What stands in a space and keeps a new unit out: enemy ships, a second gun, stacks beyond the box."""
    unit, name = rules.board.units[kind], rules.board.spaces[space].name
    enemies = [u for u in enemy_units(state, power, space) if rules.board.units[u.kind].domain == SEA]
    if unit.domain == SEA and enemies and not rules.parameter("naval_placement_in_enemy_zone"):
        return refuse(
            rules, "place_ships_enemies", f"Enemy ships lie in {name}: no new ship is placed there.",
            "Choose another zone beside the complex.",
        )  # fmt: skip
    guns = any(can(rules, other, "anti_air") and other.aboard is None for other in state.units_in(space))
    if guns and unit.can("anti_air") and not rules.parameter("multiple_aa"):
        return refuse(rules, "second_gun", f"{name} has an antiaircraft gun; it takes no second one.")
    limit = PIECES_IN_THE_BOX.get(kind)
    if rules.parameter("piece_limit") == "box" and limit is not None:
        alone = not any(u.owner == power and u.kind == kind for u in state.units_in(space))
        if alone and stacks(state.units.values(), power, kind) >= limit:
            return stack_refusal(rules, kind, limit, refuse)
    return None


def may_build(rules: RuleSet, state: State, power: str, kind: str, space: str) -> Refusal | None:
    """Why a complex may not be built in a territory; None if it may (CLA-9.2.1, CLA-9.2.2).

    Any territory held since the turn began will do, islands and former neutrals included.
    """
    if not rules.board.spaces[space].is_sea and complex_in(rules, state, space):
        name = rules.board.spaces[space].name
        return refuse(rules, "second_complex", f"{name} has an industrial complex already; it takes no second one.")
    return common.may_build(rules, state, power, kind, space)


def may_buy(rules: RuleSet, state: State, power: str, item: str) -> Refusal | None:
    """Why a power may not buy an item: complexes may be barred or limited by options (CLA-9.2.4)."""
    if rules.board.units[item].domain == FACILITY:
        if rules.parameter("no_new_complexes"):
            return refuse(rules, "no_new_complexes", "In this campaign no new industrial complexes are built.")
        limit = int(rules.parameter("ic_limit"))
        bought = sum(count for key, count in state.purchases.items() if key.endswith(f"/{item}"))
        standing = sum(complex_in(rules, state, space) for space in state.spaces)
        if limit and standing + bought >= COMPLEXES_AT_START + limit:
            return refuse(rules, "no_new_complexes", f"All {limit} complexes of the box are on the board.")
    return purchase.may_buy(rules, state, power, item)


def default_places(rules: RuleSet, state: State, power: str, kind: str, where: Sites) -> list[str]:
    """Where a unit goes that nobody placed: the capital, ships the first zone beside it by name (CLA-9.8, CLA-D18).

    Guns and complexes without a place are lost.
    """
    capital = rules.board.powers[power].capital
    if capital not in where.capacity or rules.board.units[kind].can("anti_air"):
        return []
    if rules.board.units[kind].domain != SEA:
        return [capital]
    return sorted(rules.board.seas_beside(capital), key=lambda zone: rules.board.spaces[zone].name)


def warn_of_room(game: Game, filed: Sequence[Filed]) -> None:
    """A purchase is not refused for want of room, but the player is told when there is none (CLA-4.6)."""
    power = game.state.power or ""
    bought = {k: n for k, n in game.state.purchased(power).items() if game.board.units[k].domain != FACILITY}
    if not bought:
        return
    room = sum(game.rules.judge("sites", game.state, power).capacity.values())
    units = sum(bought.values())
    lines = [line for line in filed if isinstance(line.order, Buy)]
    if units > room and lines:
        note = f"{units} units are bought, and your complexes can place {room} this turn; what finds no place is lost."
        told = {"power": power, "phase": "purchase", "text": lines[-1].text, "note": note}
        game.emit("order_accepted", told, ("CLA-4.6",))


def buy(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 2: purchases line by line (CLA-4.1 to 4.5), and a warning where room will be short; silent, none (D02)."""
    purchase.purchase(game, filed)
    warn_of_room(game, filed)


def mobilize(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 6: placements, less those that ships which got out of a battle made impossible (CLA-9.1.1, CLA-14.2)."""
    common_mobilize(game, placements_left(game, filed))
