"""The move phases of Pacific (2001) around the common machinery: convoys, guns that fire at passing planes, patrols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.board.state import State, Unit
from pbem.games.p01.convoys import enemy_convoy, stay_and_take, take_in_passing, takes_convoys
from pbem.games.p01.parameters import CHINA
from pbem.games.p01.patrols import send_patrols
from pbem.rules import marks, movement
from pbem.rules.battle.citations import rules_for
from pbem.rules.battle.dice_steps import AA_FIRE
from pbem.rules.movement.berths import Berth
from pbem.rules.movement.picks import number
from pbem.rules.order_model import CombatAirPatrol, Load, Move, Unload
from pbem.rules.query import can, is_air, is_land, type_of, units_of
from pbem.rules.ruleset import RuleSet
from pbem.rules.script import Filed, Game

COMBAT = "combat_move"


def combat_move(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 3 (P01-5.1.1, P01-D05): convoys taken by staying, all moves, convoys taken in passing, fire from below."""
    lines = stay_and_take(game, [spoken(line) for line in filed])
    movement.STEPS["combat_move"](game, lines)
    take_in_passing(game)
    fire_from_below(game)


def noncombat_move(game: Game, filed: Sequence[Filed]) -> None:
    """Phase 6 (P01-8.1.1 to P01-8.1.7, P01-D17): moves and landings, then patrols are sent up."""
    patrols = [line for line in filed if isinstance(line.order, CombatAirPatrol)]
    movement.STEPS["noncombat_move"](game, [spoken(line) for line in filed if line not in patrols])
    send_patrols(game, patrols, "noncombat_move")


def spoken(line: Filed) -> Filed:
    """A line of China means Chinese pieces; lines of the American seat mean either's (P01-12.1.1)."""
    order = line.order
    if line.power != CHINA or not isinstance(order, Move | Load | Unload):
        return line
    picks = tuple(pick if pick.owner is not None else replace(pick, owner=CHINA) for pick in order.units)
    return replace(line, order=replace(order, units=picks))


def nothing_by_default(game: Game) -> None:
    """Without an order nothing moves; ships in hostile zones stay and fight (P01-5.1.5, P01-D05)."""


def has_business(rules: RuleSet, state: State, unit: Unit) -> bool:
    """Whether a ship may end its combat move where no fight awaits it (P01-5.1.2).

    It took a convoy on the way, is a carrier that takes up a position, or goes along with one or with a landing.
    """
    kind = rules.board.units[unit.kind]
    if kind.figure("carrier_capacity"):
        return True
    if takes_convoys(rules, unit):
        way = (*unit.mark(marks.VIA, ()), unit.space)
        if any(enemy_convoy(rules, state, unit.owner, zone) for zone in way):
            return True
    company = [other for other in units_of(state, unit.owner, unit.space) if other.mark(marks.MOVED) == COMBAT]
    return any(
        rules.board.units[other.kind].figure("carrier_capacity") or other.mark(marks.LANDING) is not None
        for other in company
    )


# -- guns that fire at what flies over them ---------------------------------------------------------------------------


def fire_from_below(game: Game) -> None:
    """Enemy guns fire at planes that flew over their territory in the combat move (P01-5.3.9).

    One die for each plane and territory, however many guns (P01-6.3.2); guns under the target fire in its battle.
    """
    power = game.state.power or ""
    passing: dict[str, list[str]] = {}
    for unit in game.state.units.values():
        if unit.owner == power and is_air(game.rules, unit) and unit.mark(marks.MOVED) == COMBAT:
            for space in dict.fromkeys(unit.mark(marks.VIA, ())):
                if space != unit.space:
                    passing.setdefault(space, []).append(unit.id)
    for territory in game.board.in_board_order(passing):
        gun = _enemy_gun(game, power, territory)
        targets = [unit_id for unit_id in passing[territory] if unit_id in game.state.units]
        if gun is not None and targets:
            _fire(game, gun, territory, targets)


def _enemy_gun(game: Game, power: str, territory: str) -> Unit | None:
    guns = (
        unit
        for unit in game.state.units_in(territory)
        if unit.aboard is None and can(game.rules, unit, "anti_air") and game.state.at_war(power, unit.owner)
    )
    return next(guns, None)


def _fire(game: Game, gun: Unit, territory: str, targets: Sequence[str]) -> None:
    need = type_of(game.rules, gun).figure("hits_on", 1)
    ordered = sorted(targets, key=lambda one: (type_of(game.rules, game.state.units[one]).cost or 0, number(
        game.state.units[one])))  # fmt: skip
    faces = game.roll(
        len(ordered),
        power=game.state.power or "",
        step=AA_FIRE,
        space=territory,
        dice=[{"unit": gun.id, "kind": gun.kind, "owner": gun.owner, "need": need} for _ in ordered],
    )
    lost = ordered[: sum(face <= need for face in faces)]
    by_space: dict[str, list[str]] = {}
    for unit_id in lost:
        by_space.setdefault(game.state.units[unit_id].space, []).append(unit_id)
    for space, units in by_space.items():
        shot = {"space": space, "units": units, "why": "aa_fire", "by": [gun.id], "over": territory}
        game.emit("units_removed", shot, rules_for(game.rules, "aa.overflight"))


# -- landings by default ----------------------------------------------------------------------------------------------


def refuge_order(rules: RuleSet, state: State, unit: Unit, berths: Sequence[Berth]) -> list[Berth]:
    """Where fighters without a deck come down when the owner is silent: the first in the alphabet (P01-D14)."""
    return sorted(berths, key=lambda berth: (berth.deck is not None, rules.board.spaces[berth.space].name))


def landing_order(rules: RuleSet, state: State, unit: Unit, berths: Sequence[Berth]) -> list[Berth]:
    """Where own aircraft land by default: the nearest legal place, air bases first among equals (P01-D17)."""
    home = unit.mark(marks.DECK)

    def key(berth: Berth) -> tuple[bool, int, bool, bool, str]:
        held = state.spaces.get(berth.space)
        base = held is not None and any(rules.board.units[kind].can("air_move_bonus") for kind, _ in held.facilities)
        guarded = any(is_land(rules, other) for other in units_of(state, unit.owner, berth.space))
        own_deck = home is not None and berth.deck == home
        return not own_deck, berth.distance, not base, not guarded, rules.board.spaces[berth.space].name

    return sorted(berths, key=key)
